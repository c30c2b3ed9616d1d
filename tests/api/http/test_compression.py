"""Who gets an answer packed, and which ones are never."""

import gzip
import http.client
import json
import socket
import threading
from contextlib import closing
from typing import Any
from urllib.parse import urlsplit

import brotli
import pytest

from kbwork.api.http import compression
from kbwork.api.http.response import Response, response
from kbwork.app import registry
from kbwork.contract import FOLDER
from tests.conftest import World

_TEXT = ("The cart forgets its vouchers. " * 40).strip()


class Answer:
    def __init__(self, answer: http.client.HTTPResponse) -> None:
        self.status = answer.status
        self.coding = answer.getheader("Content-Encoding")
        self.vary = answer.getheader("Vary")
        self.etag = answer.getheader("ETag")
        self.length = answer.getheader("Content-Length")
        self.body = answer.read()

    @property
    def text(self) -> bytes:
        if self.coding == "br":
            found: bytes = brotli.decompress(self.body)
            return found
        return gzip.decompress(self.body) if self.coding == "gzip" else self.body


def asked(
    world: World, path: str, body: Any = None, *, method: str = "", coding: str = "gzip", **more: str
) -> Answer:
    """As somebody who takes this coding; with a body a POST by ana."""
    headers = {"Accept-Encoding": coding} if coding else {}
    if body is not None:
        headers |= {"Authorization": f"Bearer {world.people['ana'].key}", "Content-Type": "application/json"}
    with closing(http.client.HTTPConnection(urlsplit(world.url).netloc, timeout=20)) as line:
        content = json.dumps(body).encode() if body is not None else None
        verb = method or ("GET" if body is None else "POST")
        line.putrequest(verb, path, skip_accept_encoding=True)
        for name, value in (headers | more).items():
            line.putheader(name.replace("_", "-"), value)
        if content is not None:
            line.putheader("Content-Length", str(len(content)))
        line.endheaders(content)
        return Answer(line.getresponse())


def asked_in_one_piece(world: World, path: str, body: bytes) -> Answer:
    """A POST by ana whose body comes with its head."""
    place = urlsplit(world.url)
    head = (
        f"POST {path} HTTP/1.1\r\nHost: {place.netloc}\r\nAuthorization: Bearer {world.people['ana'].key}\r\n"
        "Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n"
        f"Accept-Encoding: gzip\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    with socket.create_connection((place.hostname, place.port), timeout=20) as line:
        line.sendall(head.encode() + body)
        answer = http.client.HTTPResponse(line)
        answer.begin()
        return Answer(answer)


@pytest.fixture
def filled(world: World) -> World:
    for number in range(3):
        world.session("ana").issues.create(project="WEB", title=f"Issue {number}", body=_TEXT)
    return world


def test_the_answer_of_a_read_is_the_same_packed(filled: World) -> None:
    path, body = "/api/v1/issues.get", {"key": "WEB-1"}
    plain, small = asked(filled, path, body, coding=""), asked(filled, path, body)
    assert (plain.coding, small.coding) == (None, "gzip")
    assert small.text == plain.body
    assert len(small.body) == int(small.length or 0) < len(plain.body) / 2
    assert plain.vary == small.vary == "accept-encoding"
    assert small.etag == f"W/{plain.etag}"
    for tag in (plain.etag, small.etag):
        again = asked(filled, path, body, If_None_Match=tag or "")
        assert (again.status, again.body, again.coding) == (304, b"", None)


def test_a_body_that_comes_behind_its_head_is_answered_so_too(filled: World) -> None:
    with closing(http.client.HTTPConnection(urlsplit(filled.url).netloc, timeout=20)) as line:
        content = b'{"key": "WEB-1"}'
        line.putrequest("POST", "/api/v1/issues.get", skip_accept_encoding=True)
        for name, value in (
            ("Authorization", f"Bearer {filled.people['ana'].key}"),
            ("Content-Type", "application/json"),
            ("Content-Length", str(len(content))),
            ("Accept-Encoding", "gzip, zstd"),
        ):
            line.putheader(name, value)
        line.endheaders()
        line.send(content[:5])
        line.send(content[5:])
        answer = Answer(line.getresponse())
    assert answer.coding == "gzip"
    assert json.loads(answer.text)["key"] == "WEB-1"


@pytest.mark.parametrize(
    ("coding", "found"),
    [
        ("gzip", "gzip"),
        ("gzip, deflate, br, zstd", "br"),
        ("GZIP;q=0.5, br", "br"),
        ("br;q=0.5, gzip", "gzip"),
        ("br; q=0.500, gzip;q=0.5", "br"),
        ("br, *", "br"),
        ("BR", "br"),
        ("*", "gzip"),
        ("br;q=0, *", "gzip"),
        ("x-gzip", "gzip"),
        ("gzip;level=9", "gzip"),
        ("gzip;q=0", None),
        ("gzip; q=0.000, *", None),
        ("*;q=0", None),
        ("br;q=0.0", None),
        ("identity", None),
        ("zstd, deflate", None),
        ("gzipped", None),
        ("", None),
        (",;,q=", None),
    ],
)
def test_who_takes_a_coding_says_so(filled: World, coding: str, found: str | None) -> None:
    assert compression.best(coding.encode()) == (found.encode() if found else None)
    answer = asked(filled, "/api/v1/issues.get", {"key": "WEB-1"}, coding=coding)
    assert answer.coding == found
    assert json.loads(answer.text)["key"] == "WEB-1"


@pytest.mark.parametrize("coding", ["br", "gzip"])
def test_a_long_answer_is_the_same_packed(filled: World, coding: str) -> None:
    path = "/api/v1/openapi.json"
    plain, small = asked(filled, path, coding=""), asked(filled, path, coding=coding)
    assert (small.coding, small.text) == (coding, plain.body)


@pytest.mark.parametrize("path", ["/docs", "/static/site.css", "/api/v1/openapi.json", "/clients/kbwork.py"])
def test_what_is_the_same_for_everybody_is_packed_once(
    world: World, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = asked(world, path)
    plain = asked(world, path, coding="")
    monkeypatch.setattr(compression, "packed", lambda *_: pytest.fail("packed again"))
    assert asked(world, path).body == first.body
    assert first.coding == "gzip"
    assert first.text == plain.body
    head = asked(world, path, method="HEAD")
    assert (head.coding, head.length, head.body) == ("gzip", first.length, b"")


def test_what_is_short_or_changes_something_stays_as_it_is(filled: World) -> None:
    assert asked(filled, "/api/v1/projects.create", {"key": "A", "name": "B"}).coding is None  # a refusal
    assert asked(filled, "/api/v1/labels.list", {}).coding is None
    made = asked(filled, "/api/v1/issues.update", {"key": "WEB-1", "title": "Another"})
    assert (made.status, made.coding, made.vary) == (200, None, None)
    assert len(made.body) > compression.LEAST_BYTES
    for path in ("/signin", "/", "/healthz", "/metrics"):
        assert asked(filled, path).coding is None


def test_a_stream_is_not_packed(world: World) -> None:
    with closing(http.client.HTTPConnection(urlsplit(world.url).netloc, timeout=20)) as line:
        key = world.people["ana"].key
        line.request(
            "GET", "/api/v1/stream", headers={"Accept-Encoding": "gzip", "Authorization": f"Bearer {key}"}
        )
        answer = line.getresponse()
        assert answer.getheader("Content-Encoding") is None
        assert answer.readline().startswith((b"event:", b":", b"id:", b"retry:"))


def test_a_call_of_a_tool_that_reads_is_packed(filled: World) -> None:
    call = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": "issues_get", "arguments": {"key": "WEB-1"}},
    }
    small = asked_in_one_piece(filled, "/mcp", json.dumps(call).encode())
    assert small.coding == "gzip"
    assert json.loads(small.text)["result"]["structuredContent"]["key"] == "WEB-1"


def test_what_is_long_is_packed_beside_the_loop(filled: World, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(12):
        filled.session("ana").issues.create(project="WEB", title=f"Long {number}", body=_TEXT * 2)
    places: list[str] = []
    real = compression._fitted

    def noted(found: Response, coding: bytes) -> Response:
        places.append(threading.current_thread().name)
        return real(found, coding)

    monkeypatch.setattr(compression, "_fitted", noted)
    assert asked(filled, "/api/v1/issues.get", {"key": "WEB-1"}).coding == "gzip"
    assert asked(filled, "/api/v1/issues.list", {"limit": 50}).coding == "gzip"
    short, long = places
    assert short == "server"
    assert long != "server"


def test_nothing_that_is_packed_holds_a_secret() -> None:
    """How long a packed text is tells whoever may choose a part of it about the rest."""
    document = json.loads((FOLDER / "openapi.json").read_text("utf-8"))
    schemas = document["components"]["schemas"]

    def names(schema: Any, seen: set[str]) -> set[str]:
        if isinstance(schema, list):
            return {name for one in schema for name in names(one, seen)}
        if not isinstance(schema, dict):
            return set()
        kind, _, name = schema.get("$ref", "").rpartition("/")
        if kind == "#/components/schemas":
            return set() if name in seen else names(schemas[name], seen | {name})
        return set(schema.get("properties", {})) | names(list(schema.values()), seen)

    for op in registry().operations.values():
        if op.compressible:
            answer = document["paths"][f"/api/v1/{op.id}"]["post"]["responses"]["200"]
            secret = {"secret", "password", "recovery_codes", "device_code", "user_code"} & names(
                answer, set()
            )
            assert not secret, f"{op.id} answers {secret}: declare it `cached=False`"


def test_a_header_that_only_looks_like_a_length_stays() -> None:
    body = b"a" * 2000
    made = response(200, body, {"ETag": '"e"', "X-Content-Length": "content-length: 5"})
    found = compression.fit(made._replace(packs=compression.packed), b"gzip")
    assert isinstance(found, Response)
    headers = dict(found.headers)
    assert headers[b"x-content-length"] == b"content-length: 5"
    assert headers[b"etag"] == b'W/"e"'
    assert headers[b"content-length"] == str(len(found.body)).encode()
