"""What nobody should send: the server refuses it, answers the next call at once, and keeps no secret in clear."""

import base64
import http.client
import json
import logging
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from kbwork.app import registry
from kbwork.base.clock import FixedClock
from kbwork.core.operations.declare import Operation
from kbwork.db.tx import Write
from kbwork.modules.auth.totp import one_time_codes
from kbwork.settings import LimitSettings, ServerSettings, Settings
from tests.conftest import PASSWORD, World
from tests.wireless import Wireless

ACCEPT = {b"Accept": b"application/json, text/event-stream"}
PING = b'{"jsonrpc":"2.0","id":1,"method":"ping"}'
WAIT_S = 20.0
SOON_S = 3.0
"""Of a core, of the server and whoever asks it: how busy others are says nothing."""
BAD = (
    b"\xff\xfe",
    b"\xc3\x28",
    b"\xed\xa0\x80",
    b"\x01\x02",
    b"\x7f",
    b"\xe2\x82\xac" * 500,
    b"x" * 8000,
    b"",
    b" " * 100,
)
"""Values of headers: no UTF-8, half a character, control characters, long, nothing."""


@dataclass
class Wire:
    """Raw bytes in, a status out; and a plain call that has to go well soon."""

    world: World

    @property
    def place(self) -> tuple[str, int]:
        parts = urlsplit(self.world.url)
        return str(parts.hostname), int(parts.port or 0)

    @property
    def host(self) -> bytes:
        return urlsplit(self.world.url).netloc.encode()

    @property
    def bearer(self) -> bytes:
        return b"Bearer " + self.world.people["ana"].key.encode()

    def send(self, data: bytes) -> tuple[int, bytes]:
        """(status of the first answer, 0 where the server hung up without one; all that came)."""
        with closing(socket.create_connection(self.place, timeout=WAIT_S)) as line:
            try:
                line.sendall(data)
                found = b"".join(iter(lambda: line.recv(65536), b""))
            except ConnectionError:
                return 0, b""
        status = found.split(b" ", 2)[1] if found.startswith(b"HTTP/1.1 ") else b"0"
        return int(status), found

    def ask(
        self,
        method: bytes = b"POST",
        path: bytes = b"/api/v1/labels.list",
        headers: dict[bytes, bytes] | None = None,
        body: bytes = b"{}",
        *,
        more: bytes = b"",
    ) -> tuple[int, bytes]:
        """A request with the usual headers, each of which may be another or (None-like `b"-"`) none."""
        given = {
            b"Host": self.host,
            b"Authorization": self.bearer,
            b"Content-Type": b"application/json",
            b"Content-Length": str(len(body)).encode(),
            b"Connection": b"close",
        } | (headers or {})
        lines = [name + b": " + value for name, value in given.items() if value != b"-"]
        head = method + b" " + path + b" HTTP/1.1\r\n" + b"\r\n".join(lines) + b"\r\n" + more + b"\r\n"
        return self.send(head + body)

    def require_well(self) -> None:
        """A normal call is answered soon."""
        began = time.process_time()
        status, answer = self.ask()
        assert (status, time.process_time() - began < SOON_S) == (200, True), answer


@pytest.fixture
def settings() -> Settings:
    """Who does not finish a request is not waited for long."""
    return Settings(
        server=ServerSettings(header_seconds=1, body_seconds=1), limits=LimitSettings(enabled=False)
    )


@pytest.fixture
def wire(world: World) -> Wire:
    found = Wire(world)
    found.require_well()
    return found


@pytest.fixture
def mcp(wire: Wire) -> Wire:
    """With the door for MCP wide open: its first visitor waits for it."""
    assert wire.ask(path=b"/mcp", headers=ACCEPT, body=PING)[0] == 200
    return wire


DOORS = {
    "rest": (b"POST", b"/api/v1/labels.list"),
    "write": (b"POST", b"/api/v1/activity.seen"),
    "mcp": (b"POST", b"/mcp"),
    "stream": (b"HEAD", b"/api/v1/stream"),
    "page": (b"GET", b"/"),
    "file": (b"GET", b"/favicon.svg"),
    "form": (b"POST", b"/signin"),
    "health": (b"GET", b"/readyz"),
}
HEADERS = """
    Accept Accept-Language Authorization Content-Encoding Content-Type Cookie Expect Forwarded Host
    Idempotency-Key If-Modified-Since If-None-Match Last-Event-ID MCP-Protocol-Version Mcp-Session-Id
    Origin Range Referer Sec-Fetch-Site Transfer-Encoding Upgrade User-Agent X-Forwarded-For X-HTTP-
    Method-Override
""".split()  # noqa: SIM905 - so many names read better as a text


@pytest.mark.parametrize("door", DOORS)
def test_no_header_breaks_a_door(wire: Wire, door: str) -> None:
    method, path = DOORS[door]
    found = []
    for name in HEADERS:
        for value in BAD:
            status, answer = wire.ask(method, path, {name.encode(): value})
            if status >= 500:
                found.append((name, value[:20], answer[:300]))
        wire.require_well()
    assert found == []


@pytest.mark.parametrize(
    ("name", "value"),
    [
        (b"Authorization", b"Bearer \xff\xfe"),
        (b"Authorization", b"Basic YTpi"),
        (b"Authorization", b""),
        (b"Authorization", b"Bearer " + b"kb_" * 2000),
        (b"Cookie", b"kb=\xff; kb=2; \x01=1"),
        (b"Content-Type", b"text/plain"),
        (b"Content-Type", b"application/json\xff"),
        (b"Content-Type", b"application/jsonx"),
        (b"Content-Encoding", b"gzip"),
        (b"Content-Length", b"1e1"),
        (b"Content-Length", b"-1"),
        (b"Content-Length", b"+2"),
        (b"Content-Length", b"0x2"),
        (b"Content-Length", b"2, 2"),
        (b"Content-Length", b"99999999999999999999999"),
        (b"Transfer-Encoding", b"chunked, identity"),
        (b"Transfer-Encoding", b"\x0bchunked"),
        (b"Host", b"a b"),
        (b"Host", b"\xff"),
        (b"Host", b"127.0.0.1:99999999"),
        (b"Host", b"-"),
    ],
)
def test_a_header_that_means_nothing_opens_nothing(wire: Wire, name: bytes, value: bytes) -> None:
    others = {b"Authorization": b"-"} if name == b"Cookie" else {}
    status, answer = wire.ask(headers={**others, name: value})
    assert 400 <= status < 500, answer
    wire.require_well()


@pytest.mark.parametrize(
    "more",
    [
        b"Authorization: Bearer other\r\n",
        b"authorization: Bearer other\r\n",
        b"Host: elsewhere\r\n",
        b"Content-Length: 3\r\n",
        b"Transfer-Encoding: chunked\r\n",
        b"X: a\r\n b\r\n",
        b"X : a\r\n",
        b"X\x00: a\r\n",
        b"X: a\x00b\r\n",
        b": a\r\n",
        b"no colon\r\n",
        b"X: a\rY: b\r\n",
        b"X: y\r\n" * 5000,
        b"X-%d: y\r\n" * 2000,
        b"X: " + b"y" * 200_000 + b"\r\n",
        b"X" * 200_000 + b": y\r\n",
    ],
)
def test_a_head_that_can_be_read_in_two_ways_is_refused(wire: Wire, more: bytes) -> None:
    status, answer = wire.ask(more=more)
    assert status == 0 or 400 <= status < 500, answer
    wire.require_well()


@pytest.mark.parametrize(
    "method",
    [
        b"GET",
        b"HEAD",
        b"PUT",
        b"PATCH",
        b"DELETE",
        b"OPTIONS",
        b"TRACE",
        b"CONNECT",
        b"PROPFIND",
        b"post",
        b"P\xffST",
        b"X" * 9000,
        b"",
    ],
)
def test_no_other_method_calls_an_operation(wire: Wire, method: bytes) -> None:
    status, answer = wire.ask(method)
    assert status == 0 or 400 <= status < 500, answer
    wire.require_well()


@pytest.mark.parametrize(
    "path",
    [
        b"/api/v1/labels.list/",
        b"/api/v1//labels.list",
        b"//api/v1/labels.list",
        b"/api/v1/./labels.list",
        b"/api/v1/../v1/labels.list",
        b"/api/v1/%2e%2e/v1/labels.list",
        b"/api/v1/labels.list%00",
        b"/api/v1/labels.list%0d%0aX:1",
        b"/api/v1/labels.list;a=b",
        b"/api/v1/labels.list%2f",
        b"/api/v1/LABELS.LIST",
        b"/API/v1/labels.list",
        b"/api/v1/labels%E2%80%8B.list",
        b"/api/v1/labels.list%ff",
        b"/api/v1/labels.list\xff",
        b"/api/v1/labels.list\x00",
        b"/api/v1/labels.list#x",
        b"/api/v1/__class__.__init__",
        b"/api/v1/labels.",
        b"/api/v1/.",
        b"/api/v1/" + b"a." * 3000,
        b"\\api\\v1\\labels.list",
        b"labels.list",
        b"*",
        b"/docs/../../../etc/passwd",
        b"/docs/%2e%2e/%2e%2e/etc/passwd",
        b"/static/..%2f..%2f..%2fetc/passwd",
        b"/static/%00",
        b"/problems/%ff",
        b"/avatars/../kbwork.db",
        b"/avatars/%00",
        b"/clients/../kbwork.py",
        b"//evil.example/",
        b"/%5cevil.example/",
        b"/\xf0\x9f\xa6\x8a/",
        b"/%f0%9f%a6%8a/",
        b"/a%0d%0aSet-Cookie:%20x=1/",
    ],
)
def test_a_path_that_is_not_exact_leads_nowhere(wire: Wire, path: bytes) -> None:
    for method in (b"POST", b"GET"):
        status, answer = wire.ask(method, path)
        assert status == 0 or 300 <= status < 500, answer
        head = answer.partition(b"\r\n\r\n")[0].lower()
        assert b"set-cookie" not in head
        assert b"location: //" not in head
        assert b"location: http" not in head
    wire.require_well()


BODIES: dict[str, bytes] = {
    "nothing": b"",
    "half": b'{"title": "x"',
    "two": b"{}{}",
    "a list": b"[]",
    "a text": b'"x"',
    "null": b"null",
    "deep lists": b'{"a":' * 5 + b"[" * 100_000,
    "deep objects": b'{"a":' * 100_000 + b"1" + b"}" * 100_000,
    "deep and closed": b'{"title":' + b"[" * 100_000 + b"]" * 100_000 + b"}",
    "NaN": b'{"title": NaN}',
    "Infinity": b'{"estimate": -Infinity}',
    "endless number": b'{"estimate": ' + b"9" * 1_000_000 + b"}",
    "endless fraction": b'{"estimate": 0.' + b"9" * 1_000_000 + b"}",
    "large exponent": b'{"estimate": 1e999999999}',
    "twice": b'{"title": "a", "title": "b"}',
    "half a character": b'{"title": "\\ud800"}',
    "no UTF-8": b'{"title": "\xff"}',
    "overlong": b'{"title": "\xc0\xaf"}',
    "surrogates as bytes": b'{"title": "\xed\xa0\x80"}',
    "UTF-16": '{"title": "x"}'.encode("utf-16"),
    "a mark in front": b"\xef\xbb\xbf{}",
    "U+0000": b'{"project": "WEB", "title": "a\\u0000b"}',
    "a bare zero": b'{"title": "a\x00b"}',
    "a bare line feed": b'{"title": "a\nb"}',
    "a comment": b'{"title": "x" /* y */}',
    "a comma too many": b'{"title": "x",}',
    "quotes of the other sort": b"{'title': 'x'}",
    "hexadecimal": b'{"estimate": 0x10}',
    "a prototype": b'{"__proto__": {"admin": true}, "constructor": 1}',
    "many names": b"{" + b",".join(b'"k%d":1' % n for n in range(100_000)) + b"}",
    "a long name": b'{"' + b"k" * 1_000_000 + b'": 1}',
    "many spaces": b" " * 1_000_000,
    "a form": b"title=x&project=WEB",
    "XML": b'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>',
    "gzip": b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\xab\xae\x05\x00C\xbf\xa6\xa3\x02\x00\x00\x00",
    "a list of titles": b'{"project": "WEB", "title": ["x"]}',
    "an object for a name": b'{"project": {"$ne": null}, "title": "x"}',
}


@pytest.mark.parametrize("name", BODIES)
def test_a_malformed_body_is_refused_soon_and_changes_nothing(mcp: Wire, name: str) -> None:
    wire, body, seq = mcp, BODIES[name], mcp.world.database.seq
    for op, door in (("issues.create", b"/api/v1/issues.create"), ("mcp", b"/mcp")):
        began = time.process_time()
        headers = {b"Accept": b"application/json, text/event-stream"} if op == "mcp" else {}
        status, answer = wire.ask(path=door, body=body, headers=headers)
        assert 400 <= status < 500, answer[:500]
        assert time.process_time() - began < SOON_S
        document = json.loads(answer.partition(b"\r\n\r\n")[2])
        assert len(json.dumps(document)) < 100_000
        if op != "mcp":
            assert document["type"] in (
                "/problems/invalid-json",
                "/problems/invalid-input",
                "/problems/unknown-field",
            )
        wire.require_well()
    assert wire.world.database.seq == seq


@pytest.mark.parametrize(
    "host",
    [
        b"evil.example",
        b"127.0.0.1.evil.example",
        b"localhost.evil.example",
        b"evil.example:%d",
        b"127.0.0.1%00",
        b"[::1].evil.example",
        b"0x7f000001",
        b"2130706433",
        b"127.1",
        b"0.0.0.0",
        b"[::ffff:127.0.0.1]",
        b"localhost.",
        b"LOCALHOST.EVIL",
        b"user@127.0.0.1",
        b"127.0.0.1, evil.example",
        b"",
    ],
)
def test_the_server_answers_to_its_own_names_only(wire: Wire, host: bytes) -> None:
    named = host.replace(b"%d", wire.host.rpartition(b":")[2])
    for path in (b"/mcp", b"/api/v1/subjects.resolve", b"/"):
        status, answer = wire.ask(path=path, headers={b"Host": named}, body=PING)
        assert status in (400, 421), answer
    wire.require_well()


@pytest.mark.parametrize(
    "origin",
    [
        b"null",
        b"https://evil.example",
        b"http://127.0.0.1.evil.example",
        b"http://127.0.0.1",
        b"file://",
        b"\xff",
    ],
)
def test_mcp_is_not_for_pages_of_other_sites(wire: Wire, origin: bytes) -> None:
    status, answer = wire.ask(path=b"/mcp", headers={b"Origin": origin}, body=PING)
    assert status == 403, answer
    wire.require_well()


MESSAGES: list[Any] = [
    {"jsonrpc": "1.0", "id": 1, "method": "ping"},
    {"jsonrpc": "2.0", "id": {}, "method": "ping"},
    {"jsonrpc": "2.0", "id": 1, "method": 5},
    {"jsonrpc": "2.0", "id": 1, "method": "tools/call"},
    {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": []},
    {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": 1}},
    {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "labels_list", "arguments": "x"}},
    {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "\u0000", "arguments": {}}},
    {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "a" * 100_000, "arguments": {}}},
    {"jsonrpc": "2.0", "id": 1, "method": "resources/read", "params": {"uri": "file:///etc/passwd"}},
    {"jsonrpc": "2.0", "id": 1, "method": "resources/read", "params": {"uri": "kb://issue/%00"}},
    {"jsonrpc": "2.0", "id": 1, "method": "resources/read", "params": {"uri": "kb://issue/" + "%ff" * 9000}},
    {"jsonrpc": "2.0", "id": 1, "method": "completion/complete", "params": {}},
    {"jsonrpc": "2.0", "id": "x" * 100_000, "method": "ping"},
    [{"jsonrpc": "2.0", "id": n, "method": "ping"} for n in range(1000)],
]


@pytest.mark.parametrize("message", MESSAGES, ids=range(len(MESSAGES)))
def test_no_message_breaks_mcp(wire: Wire, message: Any) -> None:
    accept = {b"Accept": b"application/json, text/event-stream"}
    status, answer = wire.ask(path=b"/mcp", headers=accept, body=json.dumps(message).encode())
    assert status < 500, answer[:500]
    assert b'"code":-32603' not in answer
    assert b"Traceback" not in answer
    wire.require_well()


FORMS = (
    b"",
    b"=",
    b"&&&===",
    b"email=%ff&password=%ff",
    b"email=%00&password=%00",
    b"email=a%40b&password=" + b"x" * 100_000,
    b"email[]=a&email[]=b&password=x",
    b"email=a&email=b&password=x",
    b"&".join(b"k%d=v" % n for n in range(20_000)),
    b"next=//evil.example&email=a%40b&password=x",
    b"next=%0d%0aX:1&email=a%40b&password=x",
    "email=Ünïcode@ëxample&password=ß".encode(),
)


@pytest.mark.parametrize(
    "path",
    [
        b"/signin",
        b"/signin/code",
        b"/setup",
        b"/invite",
        b"/elevate",
        b"/device",
        b"/keys/new",
        b"/account/password",
        b"/signin/forgot",
        b"/reset",
        b"/signin/link",
        b"/link",
    ],
)
def test_no_form_breaks_a_page(wire: Wire, path: bytes) -> None:
    own = b"http://" + wire.host
    session = b"kb=" + wire.world.people["ana"].session.encode()
    for cookie in (b"-", session):
        for body in FORMS:
            headers = {
                b"Authorization": b"-",
                b"Cookie": cookie,
                b"Origin": own,
                b"Content-Type": b"application/x-www-form-urlencoded",
            }
            status, answer = wire.ask(path=path, body=body, headers=headers)
            assert 200 <= status < 500, (body[:50], answer[:500])
            head = answer.partition(b"\r\n\r\n")[0].lower()
            assert b"evil.example" not in head
            assert b"\r\nx:" not in head
    wire.require_well()


STRANGE: tuple[Any, ...] = (
    None,
    True,
    -1,
    0,
    2**53,
    2**63,
    10**30,
    1.5,
    1e300,
    "",
    " ",
    "\u0000",
    "\u00b2",
    "team:\u00b2",
    "team:\u0661",
    "issue:\u00b2",
    "WEB-\u00b2",
    "comment:9999999999999999999",
    "label:-1",
    "project:",
    ":",
    "@",
    "#",
    "m_",
    "agent:",
    "me",
    "\u202e\u0000\ufeff",
    "%s%n{0}${x}",
    "'; drop table issue; --",
    '"',
    "*",
    "A" * 5000,
    "\U0001f98a" * 300,
    [],
    [[]],
    [None],
    {},
    {"a": {"b": [1]}},
)
CHANGES_RIGHTS = frozenset(
    {
        "auth.logout",
        "auth.session_revoke",
        "auth.password_change",
        "members.erase",
        "members.deactivate",
        "members.owner_transfer",
        "auth.policy_set",
        "org.modules_set",
    }
)


def _fields(op: Operation) -> dict[str, Any]:
    found: dict[str, Any] = op.input.model_json_schema().get("properties", {})
    return found


class Line:
    """One connection that is used again, as the owner."""

    def __init__(self, world: World) -> None:
        self._connection = http.client.HTTPConnection(urlsplit(world.url).netloc, timeout=WAIT_S)
        self._headers = {
            "Content-Type": "application/json",
            "Authorization": f"Bearer {world.people['ana'].session}",
        }

    def call(self, op: str, body: Any) -> tuple[int, bytes]:
        self._connection.request(
            "POST", f"/api/v1/{op}", json.dumps(body, ensure_ascii=False).encode(), self._headers
        )
        answer = self._connection.getresponse()
        return answer.status, answer.read()

    def close(self) -> None:
        self._connection.close()


@pytest.fixture
def line(world: World) -> Iterator[Line]:
    with closing(Line(world)) as found:
        _lived_in(found)
        yield found


def _lived_in(line: Line) -> None:
    for op, body in (
        ("labels.save", {"name": "bug"}),
        ("labels.save", {"name": "defect"}),
        ("issues.create", {"project": "WEB", "title": "One"}),
        ("comments.create", {"subject": "issue:WEB-1", "body": "Seen"}),
        ("teams.save", {"name": "Shop"}),
    ):
        assert line.call(op, body)[0] == 200


@pytest.mark.parametrize("module", registry().modules)
def test_no_value_of_a_field_breaks_an_operation(line: Line, world: World, module: str) -> None:
    assert world.on_loop(_broken(Wireless(world, world.people["ana"].session), module)) == []


async def _broken(door: Wireless, module: str) -> list[tuple[str, str, Any, str]]:
    """(operation, field, value, answer) of what is no refusal."""
    found = []
    for op in registry().operations.values():
        if op.module != module or op.id in CHANGES_RIGHTS | {"subjects.unfurl"}:
            continue
        for name, shape in _fields(op).items():
            list_of = [[value] for value in STRANGE] if shape.get("type") == "array" else []
            for value in [*STRANGE, *list_of]:
                status, answer = await door.call(op.id, {**op.example, name: value})
                assert status != 401 or op.public, (op.id, name, value, answer)
                if status >= 500:
                    found.append((op.id, name, value, answer[:900]))
    return found


def _longest(shape: dict[str, Any]) -> int | None:
    for branch in shape.get("anyOf", [shape]):
        if branch.get("type") == "string" and "maxLength" in branch:
            return int(branch["maxLength"])
    return None


@pytest.mark.parametrize("module", registry().modules)
def test_a_text_of_the_greatest_length_fits_and_one_more_does_not(line: Line, module: str) -> None:
    for op in registry().operations.values():
        if op.module != module or op.system or op.id in CHANGES_RIGHTS | {"subjects.unfurl"}:
            continue
        for name, shape in _fields(op).items():
            most = _longest(shape)
            if most is None:
                continue
            for sign in ("a", "\U0001f98a"):
                status, answer = line.call(op.id, {**op.example, name: sign * most})
                assert status < 500, (op.id, name, answer[:300])
            began = time.process_time()
            status, answer = line.call(op.id, {**op.example, name: "a" * (most + 1)})
            assert status in (422, 403, 413), (op.id, name, status, answer[:300])
            assert (status == 413) == (most >= MOST_BODY_BYTES), (op.id, name)
            assert len(answer) < 10_000, (op.id, name)
            assert time.process_time() - began < SOON_S


def test_a_text_field_has_an_end() -> None:
    """Every text that is taken has a greatest length, a pattern that ends, or a list of choices."""
    endless = [
        (op.id, name)
        for op in registry().operations.values()
        for name, shape in _fields(op).items()
        for branch in shape.get("anyOf", [shape])
        if branch.get("type") == "string"
        and not {"maxLength", "enum", "const", "pattern", "format"} & set(branch)
    ]
    assert endless == []


MOST_BODY_BYTES = 16 * 1024 * 1024

SECRET = "canary-Zq7-%s-of-48-signs-nobody-else-has"
"""What is sent where a secret belongs; `%s` says where."""


class Said:
    """Every secret that went in or out, and every answer that a refusal was told with."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire
        self.secrets: set[str] = set()
        self.problems: list[bytes] = []

    def new(self, name: str) -> str:
        secret = SECRET % name
        self.secrets.add(secret)
        return secret

    def call(self, op: str, body: dict[str, Any], *, token: str | None = None, key: str = "") -> Any:
        """Post it as Ana, or with another token; the body of the answer."""
        given = self._wire.world.people["ana"].session if token is None else token
        headers = {b"Authorization": b"Bearer " + given.encode()}
        if key:
            headers[b"Idempotency-Key"] = key.encode()
        status, answer = self._wire.ask(
            path=f"/api/v1/{op}".encode(), headers=headers, body=json.dumps(body).encode()
        )
        found = answer.partition(b"\r\n\r\n")[2]
        if status != 200:
            self.problems.append(answer)
        return json.loads(found)


@pytest.fixture
def said(wire: Wire, caplog: pytest.LogCaptureFixture) -> Said:
    caplog.set_level(logging.DEBUG)
    return Said(wire)


def _through_every_input(said: Said, clock: FixedClock) -> None:
    """Secrets that are wrong, right and misplaced, each with an Idempotency-Key."""
    said.secrets.add(PASSWORD)
    for op in registry().operations.values():
        for name in {"password", "current", "code", "token", "challenge", "device_code", "user_code"} & set(
            op.input.model_fields
        ):
            if (op.id, name) not in {("undo.apply", "token"), ("auth.password_change", "password")}:
                said.call(op.id, {**op.example, name: said.new(f"{op.id}-{name}")}, key=f"{op.id}-{name}")
    for prefix in ("kb_", "kbs_", "kbo_", "kbp_", "kbi_", ""):
        said.call("auth.me", {}, token=prefix + said.new(f"token-{prefix}"))
    new = said.new("password")
    said.call("auth.password_change", {"current": PASSWORD, "password": new}, key="a")
    said.call("auth.elevate", {"password": new}, key="b")
    said.secrets.add(
        said.call("auth.login", {"email": "ana@acme.example", "password": new}, key="c")["token"]
    )
    made = said.call("keys.create", {"name": "k", "scopes": ["api:read"]}, key="d")
    said.secrets |= {made["secret"], said.call("keys.rotate", {"id": made["id"]}, key="e")["secret"]}
    path = said.call("invites.create", {"emails": ["eli@acme.example"], "role": "member"}, key="f")[0]["path"]
    token = path.partition("token=")[2]
    eli = {"token": token, "name": "Eli", "password": said.new("invited")}
    said.call("invites.info", {"token": token}, token="")
    said.secrets |= {token, said.call("invites.accept", eli, token="", key="g")["token"]}
    device = said.call("auth.device_start", {"client": "c", "scopes": ["api:read"]}, key="h")
    said.call("auth.device_approve", {"user_code": device["user_code"], "approve": True})
    polled = said.call("auth.device_poll", {"device_code": device["device_code"]}, key="i")
    said.secrets |= {device["device_code"], polled["token"]}
    _second_factor(said, clock, new)


def _second_factor(said: Said, clock: FixedClock, password: str) -> None:
    begun = said.call("auth.totp_begin", {}, key="j")
    secret = base64.b32decode(begun["secret"] + "=" * (-len(begun["secret"]) % 8))
    said.secrets |= {begun["secret"], begun["uri"]}
    codes = said.call(
        "auth.totp_confirm",
        {"code": one_time_codes.code_at(secret, clock.now() // one_time_codes.STEP_S)},
        key="k",
    )
    said.secrets |= set(codes["recovery_codes"])
    login = {"email": "ana@acme.example", "password": password}
    challenge = said.call("auth.login", login, token="")["challenge"]
    said.secrets.add(challenge)
    code = codes["recovery_codes"][0]
    opened = said.call("auth.login_verify", {"challenge": challenge, "code": code}, token="", key="l")
    said.secrets.add(opened["token"])


def _stored(tx: Write) -> str:
    """Every column of every row, as text."""
    text = []
    for table in tx.column("select name from sqlite_schema where type = 'table'"):
        for row in tx.all(f"select * from {table}"):
            text += [v.decode("latin-1") if isinstance(v, bytes) else str(v) for v in row.values()]
        if table in ("events", "undo"):
            column = "payload" if table == "events" else "images"
            text += tx.column(f"select json({column}) from {table}")
    return "\n".join(text)


def _in_files(files: list[Path], wanted: set[str]) -> bytes:
    """Which of these texts stand in the files; asked in a process of its own, since this one holds SQLite's locks."""
    asked = "\n".join(wanted).encode()
    found = subprocess.run(["grep", "-ahoFf", "-", *files], input=asked, capture_output=True, check=False)
    assert found.stderr == b""
    return found.stdout


def test_no_secret_stands_anywhere_in_clear(
    said: Said, wire: Wire, world: World, clock: FixedClock, caplog: pytest.LogCaptureFixture
) -> None:
    """Not in the log, a refusal, an event, the audit log, a kept answer, an undo record, nor in the file."""
    _through_every_input(said, clock)
    lost = said.new("lost").encode()
    status, _ = wire.send(
        b"POST /%b HTTP/1.1\r\nHost: a\r\nHost: b\r\nAuthorization: Bearer %b\r\n\r\n" % (lost, lost)
    )
    assert status == 400
    token = world.people["bo"].session
    told = json.dumps(
        [
            said.call("audit.list", {"limit": 200}, token=token),
            said.call("audit.export", {}, token=token),
            said.call("api.changes", {"limit": 500}, token=token),
            said.call("jobs.list", {"all": True}, token=token),
            said.call("keys.list", {"all": True}, token=token),
            said.call("invites.list", {"state": "accepted"}, token=token),
        ]
    )
    places = {
        "log": caplog.text,
        "refusals": b"".join(said.problems).decode("latin-1"),
        "answers": told,
        "rows": world.database.write_now(_stored),
    }
    assert "eli@acme.example" in places["rows"]
    assert "400 A request has exactly one Host header" in places["log"]
    assert "auth.failed" in places["answers"]
    hits = {(place, secret) for place, text in places.items() for secret in said.secrets if secret in text}
    assert hits == set()
    files = sorted(world.folder.glob("kbwork.db*"))
    assert _in_files(files, {"eli@acme.example"})
    assert _in_files(files, said.secrets) == b""
    assert len(said.secrets) > 30
