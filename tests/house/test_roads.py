"""One road: what is answered straight from the connection is answered by ASGI too, head and body to the byte."""

import json
import re
import socket
from collections.abc import Iterator
from contextlib import closing
from typing import Any
from urllib.parse import urlsplit

import pytest
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS

from kbwork.api.mcp import plain
from kbwork.app import registry
from kbwork.contract import load
from tests.conftest import World

OPERATIONS = list(registry().operations.values())
READS = [op for op in OPERATIONS if op.road == "read" and op.cached]
NONE = b'{"no_such_field": 1}'
_DIFFERS = re.compile(
    rb'(?<=\r\ndate: )[^\r]+|(?<=request_id":")[0-9a-f]{12}|(?<=request_id\\":\\")[0-9a-f]{12}'
)
_SEQ = re.compile(rb"(?<=\r\nx-kb-seq: )\d+")
"""Jobs that a write began tell of what they do meanwhile."""


class Roads:
    """One connection, asked straight and by ASGI: whoever sends a header twice is not answered straight."""

    def __init__(self, world: World) -> None:
        parts = urlsplit(world.url)
        self._host = parts.netloc.encode()
        self._line = socket.create_connection((str(parts.hostname), int(parts.port or 0)), timeout=10)

    def close(self) -> None:
        self._line.close()

    def both(
        self, path: str, body: bytes, token: str | None, headers: dict[str, str] | None = None
    ) -> tuple[bytes, bytes]:
        """(what is answered straight, what is answered by ASGI)."""
        return self.ask(path, body, token, headers), self.ask(path, body, token, headers, twice=True)

    def ask(
        self,
        path: str,
        body: bytes,
        token: str | None,
        headers: dict[str, str] | None = None,
        *,
        twice: bool = False,
    ) -> bytes:
        """A whole answer, without what differs from one to the next."""
        lines = [f"POST {path} HTTP/1.1".encode(), b"Host: " + self._host, b"Content-Length: %d" % len(body)]
        sent = {"Content-Type": "application/json", **(headers or {})}
        if token is not None:
            sent["Authorization"] = f"Bearer {token}"
        lines += [f"{name}: {value}".encode() for name, value in sent.items()]
        lines += [b"X-Twice: 1"] * (2 if twice else 1)
        self._line.sendall(b"\r\n".join(lines) + b"\r\n\r\n" + body)
        found = b""
        while b"\r\n\r\n" not in found:
            found += self._more()
        named = re.search(rb"\r\ncontent-length: (\d+)", found)
        whole = found.index(b"\r\n\r\n") + 4 + (int(named[1]) if named else 0)
        while len(found) < whole:
            found += self._more()
        return _DIFFERS.sub(b"", found)

    def _more(self) -> bytes:
        piece = self._line.recv(1 << 20)
        assert piece, "the server hung up"
        return piece


@pytest.fixture
def asked(lived_in: World, monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """The targets that somebody answered straight."""
    app = lived_in.app
    assert app is not None
    targets: list[bytes] = []
    find = app.straight

    def noted(target: bytes) -> Any:
        found = find(target)
        if found is None:
            return None

        def straight(*request: Any) -> Any:
            targets.append(target)
            return found(*request)

        return straight

    monkeypatch.setattr(app, "straight", noted)
    return targets


@pytest.fixture
def roads(lived_in: World, asked: list[bytes]) -> Iterator[Roads]:
    with closing(Roads(lived_in)) as found:
        yield found


def test_reads_are_answered_alike(lived_in: World, roads: Roads, asked: list[bytes]) -> None:
    """Made anew, kept, and known to who asks; by ASGI first where the number of the operation is odd."""
    token = lived_in.people["ana"].session
    for number, op in enumerate(READS):
        path, body = f"/api/v1/{op.id}", json.dumps(op.example).encode()
        first = roads.ask(path, body, token, twice=number % 2 == 1)
        one, other = roads.both(path, body, token)
        assert first == one == other, op.id
        tag = re.search(rb"\r\netag: ([^\r]+)", one)
        if tag is not None:
            one, other = roads.both(path, body, token, {"If-None-Match": tag[1].decode()})
            assert one == other, op.id
            assert one.startswith(b"HTTP/1.1 304 "), op.id
    assert {target.decode() for target in asked} == {f"/api/v1/{op.id}" for op in READS}


def test_writes_are_answered_alike(lived_in: World, roads: Roads) -> None:
    """The first does it, and two more with its key are told what it was told, or refused as it was.

    Signing out comes last: who did is nobody to the next two.
    """
    token = lived_in.people["ana"].session
    writes = [op for op in OPERATIONS if op.cls != "read" and not op.system and op.road == "write"]
    for op in sorted(writes, key=lambda op: op.id == "auth.logout"):
        path, body = f"/api/v1/{op.id}", json.dumps(op.example).encode()
        first = roads.ask(path, body, token, {"Idempotency-Key": op.id})
        one, other = roads.both(path, body, token, {"Idempotency-Key": op.id})
        assert _SEQ.sub(b"", one) == _SEQ.sub(b"", other), op.id
        again = first.partition(b"\r\n\r\n")[2] == one.partition(b"\r\n\r\n")[2]
        assert again == (op.id != "auth.logout"), op.id


@pytest.mark.parametrize(
    ("body", "headers"),
    [
        (NONE, {}),
        (b"{", {}),
        (b"[]", {}),
        (NONE, {"Content-Type": "text/plain"}),
        (NONE, {"Content-Encoding": "gzip"}),
        (NONE, {"Cookie": "kb=kbs_nobody"}),
        (NONE, {"Origin": "http://elsewhere.example", "Cookie": "kb=kbs_nobody"}),
        (b'{"a": 1, "a": 2}', {"Idempotency-Key": "a\\tb"}),
    ],
)
@pytest.mark.parametrize("who", ["ana", "gus", "garbage", None])
def test_refusals_are_alike(
    lived_in: World, roads: Roads, who: str | None, body: bytes, headers: dict[str, str]
) -> None:
    token = lived_in.people[who].session if who in lived_in.people else who
    for op in OPERATIONS:
        one, other = roads.both(f"/api/v1/{op.id}", body, token, headers)
        assert one == other, op.id


def test_tools_that_read_are_answered_as_by_the_package(
    lived_in: World, roads: Roads, asked: list[bytes]
) -> None:
    token = lived_in.people["ana"].key
    known = plain.tools(registry())
    for name, op in known.items():
        for arguments in (op.example, {"no_such_field": "ä"}):
            for version in ("2025-11-25", "2025-03-26"):
                one, other = roads.both("/mcp", _call(name, arguments), token, _mcp(version))
                assert _sorted(one) == _sorted(other), (op.id, arguments)
    assert len(asked) == 4 * len(known) > 300


@pytest.mark.parametrize("who", ["garbage", "read", None])
def test_who_may_not_call_a_tool_is_told_alike(lived_in: World, roads: Roads, who: str | None) -> None:
    for name in ("issues_get", "audit_list"):
        token = lived_in.people["gus"].session if who == "read" else who
        one, other = roads.both("/mcp", _call(name, {}), token, _mcp("2025-11-25"))
        assert _sorted(one) == _sorted(other)


def test_what_is_plain_is_what_the_package_takes() -> None:
    assert {version.encode() for version in HANDSHAKE_PROTOCOL_VERSIONS} == plain.VERSIONS
    tools = {tool["name"]: tool for tool in load("mcp.json")["tools"]}
    for name in plain.tools(registry()):
        assert tools[name]["annotations"]["readOnlyHint"]
        assert "confirm" not in tools[name]["inputSchema"].get("properties", {})


@pytest.mark.parametrize(
    "body",
    [
        b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"labels_list"},"id":2}',
        b'{"jsonrpc":"2.0","id":true,"method":"tools/call","params":{"name":"labels_list"}}',
        b'{"jsonrpc":"2.0","id":1.5,"method":"tools/call","params":{"name":"labels_list"}}',
        b'{"jsonrpc":"2.0","id":null,"method":"tools/call","params":{"name":"labels_list"}}',
        b'{"jsonrpc":"2.0","method":"tools/call","params":{"name":"labels_list"}}',
        b'{"jsonrpc":"1.0","id":1,"method":"tools/call","params":{"name":"labels_list"}}',
        b'{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"name":"labels_list"}}',
        b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"labels_save"}}',
        b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":["labels_list"]}}',
        b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"labels_list","arguments":[]}}',
        b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"labels_list","arguments":null}}',
        b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"labels_list","_meta":{"idempotency_key":1}}}',
        b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":["labels_list"]}',
        b'[{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"labels_list"}}]',
        b"{",
        b"",
    ],
)
def test_what_is_not_plain_is_left_to_the_package(body: bytes) -> None:
    accepts = {b"accept": b"application/json, text/event-stream"}
    assert plain.read(plain.tools(registry()), accepts, body) is None


def _call(name: str, arguments: dict[str, Any]) -> bytes:
    params = {"name": name, "arguments": arguments}
    return json.dumps({"jsonrpc": "2.0", "id": "é1", "method": "tools/call", "params": params}).encode()


def _mcp(version: str) -> dict[str, str]:
    return {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": version}


def _sorted(answer: bytes) -> tuple[list[bytes], bytes]:
    """The headers in no order: the package has its own. It packs nothing, and so its answers do not vary."""
    head, _, body = answer.partition(b"\r\n\r\n")
    return sorted(line for line in head.split(b"\r\n") if line != b"vary: accept-encoding"), body
