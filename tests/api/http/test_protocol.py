"""The HTTP server over raw sockets: a small echo application behind the real protocol and server."""

import asyncio
import contextlib
import json
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from kbwork.api.http import server as http_server
from kbwork.api.http.protocol import Bounds, ConnectionLimits, RequestRefused, _judge_headers
from kbwork.api.http.server import CannotListen, Server, bind, bounds, config
from kbwork.settings import load

OK = b"HTTP/1.1 200 OK"
WAIT_S = 5.0
BIG = b"x" * (8 * 1024 * 1024)


class Echo:
    """Answers what it was asked; some paths hold, stream or stay deaf."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.disconnects: list[str] = []
        self.ended = threading.Event()
        self.released = threading.Event()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "lifespan":
            await _live(receive, send)
            return
        path = scope["path"]
        self.asked.append(path)
        if path == "/early":
            await _answer(send, b"no", status=401)
        elif path == "/big":
            await _answer(send, BIG)
        elif path == "/hold":
            await asyncio.to_thread(self.released.wait, WAIT_S)
            await _answer(send, b"held")
        elif path == "/stream":
            await self._stream(path, receive, send)
        elif path == "/boom":
            await _answer_partly(send)
        else:
            await self._echo(scope, receive, send)

    async def _echo(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["path"] == "/upload":
            scope["extensions"]["kbwork.body_time"]["allow"](WAIT_S)
        if scope["path"] == "/begun":
            await send({"type": "http.response.start", "status": 200, "headers": []})
            await send({"type": "http.response.body", "body": b"begun", "more_body": True})
        body, more = b"", True
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                self.disconnects.append(scope["path"])
                return
            body += message["body"]
            more = message["more_body"]
        seen = {
            "method": scope["method"],
            "path": scope["path"],
            "query": scope["query_string"].decode(),
            "body": len(body),
            "headers": [name.decode() for name, _ in scope["headers"]],
        }
        await _answer(send, json.dumps(seen).encode())

    async def _stream(self, path: str, receive: Any, send: Any) -> None:
        await send(
            {
                "type": "http.response.start",
                "status": 200,
                "headers": [(b"content-type", b"text/event-stream")],
            }
        )
        await send({"type": "http.response.body", "body": b": here\n\n", "more_body": True})
        while (await receive())["type"] != "http.disconnect":
            pass
        self.disconnects.append(path)
        self.ended.set()


async def _live(receive: Any, send: Any) -> None:
    while True:
        kind = (await receive())["type"]
        await send({"type": f"{kind}.complete"})
        if kind == "lifespan.shutdown":
            return


async def _answer(send: Any, body: bytes, status: int = 200) -> None:
    length = [(b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": length})
    await send({"type": "http.response.body", "body": body})


async def _answer_partly(send: Any) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"10")]})
    await send({"type": "http.response.body", "body": b"12345", "more_body": True})


@dataclass
class Running:
    """A served echo application."""

    app: Echo
    server: Server
    port: int
    thread: threading.Thread
    opened: list[socket.socket] = field(default_factory=list)

    def dial(self, *, receive_bytes: int | None = None) -> socket.socket:
        sock = socket.socket()
        if receive_bytes is not None:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_bytes)
        sock.settimeout(WAIT_S)
        self.opened.append(sock)
        sock.connect(("127.0.0.1", self.port))
        return sock

    def ask(self, *pieces: bytes) -> bytes:
        """All that the server says to these bytes until it closes."""
        sock = self.dial()
        for piece in pieces:
            sock.sendall(piece)
        return rest_of(sock)

    @property
    def connections(self) -> int:
        return len(self.server.server_state.connections)


@contextlib.contextmanager
def served(granted: Bounds, *, drain_s: float = 5, keep_alive_s: int = 5) -> Iterator[Running]:
    """A server on a free port, in a thread; at the end it has ended."""
    app = Echo()
    sock = bind("127.0.0.1", 0)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 65_536)  # little hides in the kernel
    server = Server(config(app, load(None, {}), granted), drain_s=drain_s)
    server.config.timeout_keep_alive = keep_alive_s
    thread = threading.Thread(target=server.run, args=([sock],), daemon=True)
    running = Running(app, server, sock.getsockname()[1], thread)
    thread.start()
    until(lambda: server.started)
    try:
        yield running
    finally:
        for opened in running.opened:
            opened.close()
        server.end()
        thread.join(WAIT_S)
    assert not thread.is_alive()
    assert not running.connections
    assert not server.server_state.tasks


@pytest.fixture(scope="module")
def echo() -> Iterator[Running]:
    """One server with the usual bounds, for whatever does not wait for a deadline."""
    with served(Bounds(unread_bytes=256 * 1024)) as running:
        yield running


@pytest.fixture(scope="module")
def hasty() -> Iterator[Running]:
    """One server whose deadlines pass in a moment."""
    with served(Bounds(header_s=0.3, body_s=0.3, stall_s=0.5)) as running:
        yield running


def rest_of(sock: socket.socket) -> bytes:
    found = b""
    with contextlib.suppress(ConnectionResetError):
        while piece := sock.recv(65_536):
            found += piece
    return found


def head_of(sock: socket.socket) -> bytes:
    found = b""
    while b"\r\n\r\n" not in found:
        piece = sock.recv(1)
        assert piece, found
        found += piece
    return found


def next_answer(sock: socket.socket) -> tuple[bytes, bytes]:
    """Head and body of one answer that tells its length."""
    head = head_of(sock)
    length = next(int(line[15:]) for line in head.split(b"\r\n") if line.startswith(b"content-length:"))
    body = b""
    while len(body) < length:
        piece = sock.recv(length - len(body))
        assert piece, body
        body += piece
    return head, body


def until(holds: Callable[[], bool]) -> None:
    """Wait, but not for ever."""
    end = time.monotonic() + WAIT_S
    while not holds():
        assert time.monotonic() < end, "it never came to hold"
        threading.Event().wait(0.01)


def problem(answer: bytes) -> dict[str, Any]:
    """The one problem that an answer consists of."""
    head, _, body = answer.partition(b"\r\n\r\n")
    lines = head.lower().split(b"\r\n")
    assert b"content-type: application/problem+json" in lines
    assert b"connection: close" in lines
    assert f"content-length: {len(body)}".encode() in lines
    found: dict[str, Any] = json.loads(body)
    assert set(found) == {"type", "title", "status", "detail", "request_id"}
    assert found["type"] == "about:blank"
    assert head.startswith(f"HTTP/1.1 {found['status']} {found['title']}".encode())
    return found


def get(
    path: str = "/", *lines: str, host: str | None = "kb", version: str = "1.1", method: str = "GET"
) -> bytes:
    head = [f"{method} {path} HTTP/{version}", *([f"Host: {host}"] if host is not None else []), *lines]
    return "\r\n".join(head).encode() + b"\r\n\r\n"


CLOSE = "Connection: close"
CHUNKED = "Transfer-Encoding: chunked"


def test_a_request_is_answered_without_naming_the_software(echo: Running) -> None:
    head, _, body = echo.ask(get("/a?b=c", CLOSE)).partition(b"\r\n\r\n")
    assert head.startswith(OK)
    names = [line.split(b":")[0] for line in head.split(b"\r\n")[1:]]
    assert sorted(names) == [b"connection", b"content-length", b"date"]
    assert json.loads(body) == {
        "method": "GET", "path": "/a", "query": "b=c", "body": 0, "headers": ["host", "connection"],
    }  # fmt: skip


def test_pipelined_requests_are_answered_in_order(echo: Running) -> None:
    sock = echo.dial()
    sock.sendall(get("/1") + get("/2", "Content-Length: 3", method="POST") + b"abc" + get("/3", CLOSE))
    found = [json.loads(next_answer(sock)[1]) for _ in range(3)]
    assert [(seen["path"], seen["body"]) for seen in found] == [("/1", 0), ("/2", 3), ("/3", 0)]
    assert rest_of(sock) == b""


def test_a_connection_is_used_again_after_each_answer(echo: Running) -> None:
    sock = echo.dial()
    for turn in range(3):
        sock.sendall(get(f"/again/{turn}"))
        head, body = next_answer(sock)
        assert head.startswith(OK)
        assert json.loads(body)["path"] == f"/again/{turn}"


def test_http_1_0_is_answered_and_closed(echo: Running) -> None:
    answer = echo.ask(get("/old", version="1.0"))
    assert answer.startswith(OK)
    assert b"connection: close" in answer


def test_a_request_arrives_byte_by_byte(echo: Running) -> None:
    request = get("/slow", CHUNKED, CLOSE, method="POST") + b"3\r\nabc\r\n0\r\n\r\n"
    answer = echo.ask(*(bytes([byte]) for byte in request))
    assert b'"body": 3' in answer


def test_a_large_body_arrives_whole_in_chunks_and_by_length(echo: Running) -> None:
    size = 3_000_000
    by_length = echo.ask(get("/l", f"Content-Length: {size}", CLOSE, method="POST"), b"x" * size)
    assert f'"body": {size}'.encode() in by_length
    chunk = b"%x\r\n" % 100_000 + b"x" * 100_000 + b"\r\n"
    by_chunks = echo.ask(get("/c", CHUNKED, CLOSE, method="POST"), *[chunk] * 30, b"0\r\n\r\n")
    assert f'"body": {size}'.encode() in by_chunks


def test_an_address_with_scheme_and_host_is_taken_as_its_path(echo: Running) -> None:
    assert b'"path": "/a", "query": "b=c"' in echo.ask(get("http://KB/a?b=c", CLOSE))
    assert b'"path": "/"' in echo.ask(get("http://kb", CLOSE))


def test_trailers_are_not_taken_for_headers(echo: Running) -> None:
    answer = echo.ask(
        get("/t", CHUNKED, CLOSE, method="POST"), b"1\r\na\r\n0\r\nAuthorization: Bearer x\r\n\r\n"
    )
    assert b'"headers": ["host", "transfer-encoding", "connection"]' in answer


def test_a_client_that_waits_for_continue_gets_it(echo: Running) -> None:
    sock = echo.dial()
    sock.sendall(get("/e", "Expect: 100-continue", "Content-Length: 2", CLOSE, method="POST"))
    assert head_of(sock).startswith(b"HTTP/1.1 100")
    sock.sendall(b"ab")
    assert b'"body": 2' in rest_of(sock)


def test_a_client_that_waits_for_continue_and_is_refused_is_hung_up_on(echo: Running) -> None:
    sock = echo.dial()
    sock.sendall(get("/early", "Expect: 100-continue", "Content-Length: 20", method="POST"))
    assert rest_of(sock).startswith(b"HTTP/1.1 401")
    sock.sendall(get("/not-asked"))
    assert "/not-asked" not in echo.app.asked


def test_an_early_answer_leaves_the_connection_usable_when_the_body_ends(echo: Running) -> None:
    sock = echo.dial()
    sock.sendall(get("/early", "Content-Length: 50000", method="POST"))
    assert head_of(sock).startswith(b"HTTP/1.1 401")
    assert sock.recv(2) == b"no"
    sock.sendall(b"x" * 50_000 + get("/after", CLOSE))
    assert b'"path": "/after"' in rest_of(sock)


@pytest.mark.parametrize("lines", [(), (CLOSE,)])
def test_an_early_answer_reaches_a_client_that_goes_on_sending(
    hasty: Running, lines: tuple[str, ...]
) -> None:
    sock = hasty.dial()
    size = 8_000_000
    sock.sendall(get("/early", f"Content-Length: {size}", *lines, method="POST"))
    until(lambda: "/early" in hasty.app.asked)
    sock.sendall(b"x" * size)
    assert next_answer(sock)[0].startswith(b"HTTP/1.1 401")


def test_a_refusal_reaches_a_client_that_goes_on_sending(hasty: Running) -> None:
    answer = hasty.ask(get("/", "X: " + "a" * 8_000_000))
    assert problem(answer)["status"] == 431


def test_a_body_that_is_still_coming_outlives_the_time_for_idle_connections() -> None:
    with served(Bounds(), keep_alive_s=0) as running:
        sock = running.dial()
        sock.sendall(get("/early", "Content-Length: 4", method="POST") + b"12")
        assert next_answer(sock)[0].startswith(b"HTTP/1.1 401")
        sock.settimeout(0.2)
        with pytest.raises(TimeoutError):
            sock.recv(1)
        sock.settimeout(WAIT_S)
        sock.sendall(b"34" + get("/after"))
        assert b'"path": "/after"' in rest_of(sock)


def test_a_body_without_end_is_not_read_for_ever_after_the_answer(echo: Running) -> None:
    sock = echo.dial()
    sock.sendall(get("/early", CHUNKED, method="POST"))
    assert head_of(sock).startswith(b"HTTP/1.1 401")
    chunk = b"%x\r\n" % 65_536 + b"x" * 65_536 + b"\r\n"
    sock.sendall(chunk * 8)
    assert rest_of(sock) == b"no"


@pytest.mark.parametrize(
    "request_",
    [
        get("/", "Content-Length: 3", CHUNKED, method="POST") + b"0\r\n\r\n",
        get("/", CHUNKED, "Content-Length: 3", method="POST") + b"0\r\n\r\n",
        get("/", "Content-Length: 3", "Content-Length: 3", method="POST") + b"abc",
        get("/", "Content-Length: 3", "Content-Length: 4", method="POST") + b"abcd",
        get("/", "Content-Length: 3, 3", method="POST") + b"abc",
        get("/", "Content-Length: +3", method="POST") + b"abc",
        get("/", CHUNKED, CHUNKED, method="POST") + b"0\r\n\r\n",
        get("/", "Transfer-Encoding: gzip, chunked", method="POST") + b"0\r\n\r\n",
        get("/", "Transfer-Encoding: identity", method="POST"),
        get("/", CHUNKED, method="POST", version="1.0") + b"0\r\n\r\n",
        get("/", CHUNKED, method="POST") + b"zz\r\n",
        get("/", CHUNKED, method="POST") + b"1\nab",
        get("/", "Connection: Upgrade", "Upgrade: h2c", "Content-Length: 3", method="POST") + b"abc",
        get("kb:80", method="CONNECT"),
        get("/", host=None),
        get("/", "Host: kb"),
        get("/", "Host: other"),
        get("/", host=None, version="1.0"),
        get("/", host=""),
        get("/", host="a b"),
        get("/", host="a/b"),
        get("/", host="user@a"),
        get("http://other/"),
        get("ftp://kb/"),
        get("*"),
        get("/a b"),
        get("/", "X : y"),
        get("/", "X: a\r\n b"),
        get("/", "X: a\0b"),
        b"GET / HTTP/1.1\nHost: kb\n\n",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"GET /\xff HTTP/1.1\r\nHost: kb\r\n\r\n",
        b"hello\r\n\r\n",
        b"\0" * 100,
    ],
)
def test_a_request_that_can_be_read_in_two_ways_is_refused(echo: Running, request_: bytes) -> None:
    asked = len(echo.app.asked)
    answer = echo.ask(request_ + get("/smuggled"))
    assert problem(answer)["status"] == 400
    assert "/smuggled" not in echo.app.asked[asked:]


@pytest.mark.parametrize("version", ["0.9", "2.0"])
def test_other_versions_are_refused(echo: Running, version: str) -> None:
    assert problem(echo.ask(get("/", version=version)))["status"] == 505


def test_what_follows_an_upgrade_is_never_a_request(echo: Running) -> None:
    sock = echo.dial()
    sock.sendall(get("/upgrade", "Connection: Upgrade", "Upgrade: websocket") + get("/ridden"))
    answer = rest_of(sock)
    assert answer.startswith(OK)
    assert answer.count(OK) == 1
    assert "/ridden" not in echo.app.asked


@pytest.mark.parametrize(
    ("status", "pieces"),
    [
        (431, [get("/", "X: " + "a" * 17_000)]),
        (431, [get("/", "X: " + "a" * 300_000)]),
        (431, [get("/", *(f"X{n}: {'a' * 100}" for n in range(200)))]),
        (431, [b"GET / HTTP/1.1\r\nHost: kb\r\nX: ", *[b"a" * 8_000] * 6]),
        (431, [b"GET / HTTP/1.1\r\n" + b"a" * 40_000]),
        (414, [b"GET /" + b"a" * 40_000]),
        (431, [b"\r\n" * 20_000]),
    ],
)
def test_a_header_of_more_than_16_kb_is_refused_whether_it_ends_or_not(
    echo: Running, status: int, pieces: list[bytes]
) -> None:
    assert problem(echo.ask(*pieces))["status"] == status


def test_a_header_of_just_under_16_kb_is_taken(echo: Running) -> None:
    assert echo.ask(get("/", "X: " + "a" * 16_000, CLOSE)).startswith(OK)


@pytest.mark.parametrize("flood", [b"0\r\nX: " + b"a" * 40_000, b"1;" + b"a" * 40_000])
def test_a_trailer_or_chunk_extension_cannot_fill_the_memory(echo: Running, flood: bytes) -> None:
    echo.app.asked.clear()
    sock = echo.dial()
    sock.sendall(get("/flood", CHUNKED, method="POST"))
    until(lambda: "/flood" in echo.app.asked)
    sock.sendall(flood)
    assert problem(rest_of(sock))["status"] == 431
    until(lambda: "/flood" in echo.app.disconnects)


def test_a_refusal_waits_for_the_answers_before_it(echo: Running) -> None:
    answer = echo.ask(get("/first") + get("/second") + b"garbage\r\n\r\n")
    first, second, refusal = answer.split(b"HTTP/1.1 ")[1:]
    assert b'"path": "/first"' in first
    assert b'"path": "/second"' in second
    assert problem(b"HTTP/1.1 " + refusal)["status"] == 400


def test_a_queued_request_whose_body_breaks_is_refused_in_its_turn(echo: Running) -> None:
    answer = echo.ask(get("/first") + get("/broken", CHUNKED, method="POST") + b"zz\r\n")
    first, refusal = answer.split(b"HTTP/1.1 ")[1:]
    assert b'"path": "/first"' in first
    assert problem(b"HTTP/1.1 " + refusal)["status"] == 400
    assert "/broken" not in echo.app.asked


def test_requests_sent_ahead_without_end_are_refused(echo: Running) -> None:
    answer = echo.ask(get("/ahead") * 200)
    assert answer.count(OK) == 65
    assert problem(answer[answer.rindex(b"HTTP/1.1") :])["status"] == 503


def test_a_client_that_leaves_ends_its_stream_also_with_requests_behind_it(echo: Running) -> None:
    echo.app.ended.clear()
    sock = echo.dial()
    sock.sendall(get("/stream") + get("/behind") + get("/behind"))
    assert head_of(sock).startswith(OK)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
    sock.close()
    assert echo.app.ended.wait(WAIT_S)
    assert "/behind" not in echo.app.asked


@pytest.mark.parametrize("sent", [b"", b"\r\n\r\n"])
def test_a_connection_without_a_request_is_closed(hasty: Running, sent: bytes) -> None:
    assert hasty.ask(sent) == b""


def test_a_header_that_does_not_end_is_cut(hasty: Running) -> None:
    answer = hasty.ask(b"GET / HTTP/1.1\r\nHost: kb\r\n")
    assert problem(answer)["status"] == 408


def test_a_header_that_drips_is_cut_all_the_same(hasty: Running) -> None:
    sock = hasty.dial()
    sock.sendall(b"GET / HTTP/1.1\r\nHost: kb\r\n")
    sock.settimeout(0.05)
    began, answer = time.monotonic(), b""
    while time.monotonic() < began + WAIT_S and not answer:
        sock.sendall(b"X: y\r\n")
        with contextlib.suppress(TimeoutError):
            answer = sock.recv(65_536)
    assert answer.startswith(b"HTTP/1.1 408")


def test_a_header_that_drips_on_a_used_connection_is_cut(hasty: Running) -> None:
    sock = hasty.dial()
    sock.sendall(get("/used") + b"GET /half HTTP/1.1\r\n")
    answer = rest_of(sock)
    assert answer.startswith(OK)
    assert problem(answer[answer.rindex(b"HTTP/1.1") :])["status"] == 408


def test_the_time_for_a_header_ends_with_the_header() -> None:
    with served(Bounds(header_s=0.3)) as running:
        sock = running.dial()
        head = get("/long", "Content-Length: 4", CLOSE, method="POST")
        sock.sendall(head[:20])
        until(lambda: running.connections == 1)
        sock.sendall(head[20:] + b"12")
        sock.settimeout(0.5)
        with pytest.raises(TimeoutError):
            sock.recv(1)
        sock.settimeout(WAIT_S)
        sock.sendall(b"34")
        assert b'"body": 4' in rest_of(sock)


def test_half_a_body_is_a_408_and_a_disconnect(hasty: Running) -> None:
    answer = hasty.ask(get("/half", "Content-Length: 10", method="POST"), b"12345")
    assert problem(answer)["status"] == 408
    until(lambda: "/half" in hasty.app.disconnects)


def test_half_a_body_under_a_begun_answer_is_a_cut(hasty: Running) -> None:
    answer = hasty.ask(get("/begun", "Content-Length: 10", method="POST"), b"12345")
    assert answer.startswith(OK)
    assert answer.endswith(b"begun\r\n")
    until(lambda: "/begun" in hasty.app.disconnects)


def test_an_application_may_give_a_body_more_time(hasty: Running) -> None:
    sock = hasty.dial()
    sock.sendall(get("/upload", "Content-Length: 4", CLOSE, method="POST") + b"12")
    sock.settimeout(0.6)
    with pytest.raises(TimeoutError):
        sock.recv(1)
    sock.settimeout(WAIT_S)
    sock.sendall(b"34")
    assert b'"body": 4' in rest_of(sock)


def test_the_time_for_a_body_does_not_run_while_it_waits_its_turn(hasty: Running) -> None:
    sock = hasty.dial()
    sock.sendall(get("/hold") + get("/queued", "Content-Length: 4", CLOSE, method="POST") + b"12")
    sock.settimeout(0.7)
    with pytest.raises(TimeoutError):
        sock.recv(1)
    sock.settimeout(WAIT_S)
    hasty.app.released.set()
    sock.sendall(b"34")
    assert next_answer(sock)[1] == b"held"
    assert b'"body": 4' in rest_of(sock)


@pytest.mark.parametrize("lines", [(), (CLOSE,)])
def test_a_reader_that_stops_reading_is_cut(hasty: Running, lines: tuple[str, ...]) -> None:
    before = hasty.connections
    sock = hasty.dial(receive_bytes=4096)
    sock.sendall(get("/big", *lines))
    assert sock.recv(100).startswith(OK)
    until(lambda: hasty.connections <= before)


def test_a_reader_that_takes_its_time_but_reads_gets_everything(hasty: Running) -> None:
    sock = hasty.dial(receive_bytes=65_536)
    sock.sendall(get("/big", CLOSE))
    found, began = 0, time.monotonic()
    while piece := sock.recv(64 * 1024):
        found += len(piece)
        threading.Event().wait(0.008)
    assert found > len(BIG)
    assert time.monotonic() - began > 1


def test_an_answer_that_its_application_breaks_off_is_cut(echo: Running) -> None:
    assert echo.ask(get("/boom")).endswith(b"\r\n\r\n12345")


def test_connections_over_a_cap_are_told_so_and_room_comes_back() -> None:
    with served(Bounds(connections=3, per_address=2)) as running:
        first, second = running.dial(), running.dial()
        for sock in (first, second):
            sock.sendall(get("/in"))
            assert next_answer(sock)[0].startswith(OK)
        refused = rest_of(running.dial())
        assert problem(refused)["status"] == 503
        assert b"\r\nretry-after: 5\r\n" in refused
        first.close()
        until(lambda: running.ask(get("/in", CLOSE)).startswith(OK))


def test_the_cap_of_all_connections_holds_too() -> None:
    with served(Bounds(connections=1, per_address=50)) as running:
        sock = running.dial()
        sock.sendall(get("/in"))
        assert next_answer(sock)[0].startswith(OK)
        assert problem(rest_of(running.dial()))["detail"].startswith("All connections are taken")


def test_a_flood_over_the_cap_is_cut_without_a_word() -> None:
    with served(Bounds(per_address=1)) as running:
        sock = running.dial()
        sock.sendall(get("/in"))
        assert next_answer(sock)[0].startswith(OK)
        answers = [rest_of(running.dial()) for _ in range(140)]
        assert {problem(answer)["status"] for answer in answers[:128]} == {503}
        assert set(answers[128:]) == {b""}


def test_connections_are_counted_by_whom_an_address_stands_for() -> None:
    crowd = ConnectionLimits(Bounds(per_address=2))
    assert [crowd.enter(f"2001:db8::{number}") is None for number in range(1, 4)] == [True, True, False]
    assert crowd.enter("2001:db8:0:1::1") is None
    assert [crowd.enter(text) is None for text in ("192.0.2.7", "::ffff:192.0.2.7", "192.0.2.7")] == [
        True, True, False
    ]  # fmt: skip
    crowd.leave("2001:db8::9")
    assert crowd.enter("2001:db8::4") is None


@pytest.mark.parametrize(
    "framing",
    [
        [(b"content-length", b"3"), (b"transfer-encoding", b"chunked")],
        [(b"content-length", b"3"), (b"content-length", b"3")],
        [(b"transfer-encoding", b"chunked"), (b"transfer-encoding", b"chunked")],
    ],
)
def test_two_lengths_are_refused_whatever_the_parser_lets_through(framing: list[tuple[bytes, bytes]]) -> None:
    with pytest.raises(RequestRefused):
        _judge_headers("1.1", [(b"host", b"kb"), *framing], {b"host": b"kb", **dict(framing)})


def test_a_slow_request_is_answered_after_the_end_was_asked_for() -> None:
    with served(Bounds()) as running:
        sock = running.dial()
        sock.sendall(get("/last", "Content-Length: 2", method="POST") + b"1")
        until(lambda: "/last" in running.app.asked)
        running.server.end()
        until(lambda: not _accepts(running.port))
        sock.sendall(b"2")
        answer = rest_of(sock)
        assert answer.startswith(OK)
        assert b"connection: close" in answer


def test_the_end_is_seen_at_once_and_not_at_the_next_tick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_server, "_TICK_S", 10 * WAIT_S)
    with served(Bounds()) as running:
        running.server.end()
        running.thread.join(WAIT_S)
        assert not running.thread.is_alive()


def test_what_does_not_end_is_cut_after_the_drain_time() -> None:
    with served(Bounds(), drain_s=0.2) as running:
        sock = running.dial()
        sock.sendall(get("/stream"))
        assert head_of(sock).startswith(OK)
        began = time.monotonic()
        running.server.end()
        running.thread.join(WAIT_S)
        assert time.monotonic() - began < 4, "it waited as long as it does unless told"
        assert running.app.disconnects == ["/stream"]


def _accepts(port: int) -> bool:
    with socket.socket() as sock:
        sock.settimeout(WAIT_S)
        return sock.connect_ex(("127.0.0.1", port)) == 0


SERVE = """
import asyncio, resource, sys
from kbwork.api.http.server import Server, bind, bounds, config, harden
from kbwork.settings import load

ending = asyncio.Event()

async def app(scope, receive, send):
    if scope["type"] == "lifespan":
        while True:
            kind = (await receive())["type"]
            await send({"type": f"{kind}.complete"})
            if kind == "lifespan.shutdown":
                print("stopped", flush=True)
                return
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b": here", "more_body": True})
    if scope["path"] == "/deaf":
        await asyncio.sleep(60)
    await ending.wait()
    await send({"type": "http.response.body", "body": b": bye"})

harden()
assert resource.getrlimit(resource.RLIMIT_CORE) == (0, 0)
soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
assert soft == min(hard, 1_048_576)
sock = bind("127.0.0.1", 0)
print(sock.getsockname()[1], flush=True)
server = Server(config(app, load(None, {})), drain_s=float(sys.argv[1]), on_exit=[ending.set])
server.run([sock])
print(server.ended_by.name, flush=True)
"""


@contextlib.contextmanager
def serving(drain_s: float) -> Iterator[tuple["subprocess.Popen[str]", int]]:
    process = subprocess.Popen([sys.executable, "-c", SERVE, str(drain_s)], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        yield process, int(process.stdout.readline())
    finally:
        process.kill()
        process.communicate(timeout=WAIT_S)


def _open_stream(port: int, path: str) -> socket.socket:
    end = time.monotonic() + WAIT_S
    while True:
        sock = socket.socket()
        sock.settimeout(WAIT_S)
        try:
            sock.connect(("127.0.0.1", port))
        except ConnectionRefusedError:  # bound, and not listening yet
            sock.close()
            assert time.monotonic() < end
            continue
        sock.sendall(get(path))
        assert head_of(sock).startswith(OK)
        return sock


@pytest.mark.parametrize("sig", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_fifty_streams_and_the_process_in_good_order(sig: signal.Signals) -> None:
    with serving(5) as (process, port):
        streams = [_open_stream(port, "/stream") for _ in range(50)]
        began = time.monotonic()
        process.send_signal(sig)
        assert all(rest_of(sock).endswith(b": bye\r\n0\r\n\r\n") for sock in streams)
        output, _ = process.communicate(timeout=WAIT_S)
        assert time.monotonic() - began < 4.5, "it waited for streams until the drain time"
        assert (process.returncode, output) == (0, f"stopped\n{sig.name}\n")
        for sock in streams:
            sock.close()


def test_a_second_signal_ends_the_waiting() -> None:
    with serving(60) as (process, port):
        sock = _open_stream(port, "/deaf")
        process.send_signal(signal.SIGTERM)
        until(lambda: not _accepts(port))
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=WAIT_S)
        assert process.returncode == 0
        sock.close()


def test_a_port_that_is_taken_is_said_in_one_line() -> None:
    with bind("127.0.0.1", 0) as taken:
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(
            CannotListen, match=f"cannot listen on 127.0.0.1, port {port}: Address already in use"
        ):
            bind("127.0.0.1", port)


def test_an_address_of_another_machine_is_said_in_one_line() -> None:
    with pytest.raises(CannotListen, match=r"cannot listen on 192\.0\.2\.1, port 0"):
        bind("192.0.2.1", 0)


def test_the_bounds_are_those_of_the_settings() -> None:
    settings = load(None, {"KBWORK_SERVER_HEADER_SECONDS": "0.5", "KBWORK_SERVER_MAX_CONNECTIONS": "7"})
    assert bounds(settings) == Bounds(header_s=0.5, connections=7)
