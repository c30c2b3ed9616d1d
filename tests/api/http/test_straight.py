"""Calls that are answered straight from the connection, among requests that are not."""

import asyncio
import contextlib
import socket
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from kbwork.api.http.exchange import ANSWER, Fields, Peer, Straight
from kbwork.api.http.protocol import Bounds
from kbwork.api.http.response import Response
from kbwork.api.http.server import Server, bind, config
from kbwork.settings import load
from tests.api.http.test_protocol import CLOSE, OK, WAIT_S, get, head_of, next_answer, problem, rest_of, until

BODY = b'{"a": 1}'
LENGTH = f"Content-Length: {len(BODY)}"


@dataclass
class Calls:
    """Answers by ASGI, straight, and straight when it is let go; knows the order in which it was asked."""

    asked: list[str] = field(default_factory=list)
    together: list[int] = field(default_factory=list)
    """How many straight calls came in each turn of the loop."""
    released: threading.Event = field(default_factory=threading.Event)

    def find(self, target: bytes) -> Straight | None:
        known: dict[bytes, Straight] = {
            b"/now": self._now,
            b"/later": self._later,
            b"/last": self._last,
            b"/no": self._no,
        }
        return known.get(target)

    def _now(self, _: Peer, fields: Fields, body: bytes) -> Response:
        if not self.together or self.together[-1] == 0:
            self.together.append(0)
            asyncio.get_running_loop().call_soon(self.together.append, 0)
        self.together[-1] += 1
        self.asked.append("now")
        return _told(b"now %d" % len(body))

    async def _later(self, _: Peer, fields: Fields, body: bytes) -> Response:
        self.asked.append("later")
        await asyncio.to_thread(self.released.wait, WAIT_S)
        return _told(b"later")

    def _last(self, _: Peer, fields: Fields, body: bytes) -> Response:
        return _told(b"last", b"connection: close\r\n")

    def _no(self, _: Peer, fields: Fields, body: bytes) -> None:
        return None

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "lifespan":
            while True:
                kind = (await receive())["type"]
                await send({"type": f"{kind}.complete"})
                if kind == "lifespan.shutdown":
                    return
        self.asked.append(scope["path"])
        body = b""
        while True:
            message = await receive()
            body += message["body"]
            if not message["more_body"]:
                break
        if scope["path"] == "/slow":
            await asyncio.to_thread(self.released.wait, WAIT_S)
        await scope["extensions"][ANSWER](_told(b"asgi %d" % len(body)))


def _told(body: bytes, more: bytes = b"") -> Response:
    return Response(200, b"content-length: %d\r\n%b" % (len(body), more), body)


@dataclass
class Served:
    """A server that answers them."""

    calls: Calls
    server: Server
    port: int

    def dial(self) -> socket.socket:
        sock = socket.create_connection(("127.0.0.1", self.port), timeout=WAIT_S)
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return sock


@contextlib.contextmanager
def serving(*, keep_alive_s: float = 5) -> Iterator[Served]:
    calls = Calls()
    sock = bind("127.0.0.1", 0)
    server = Server(config(calls, load(None, {}), Bounds(), calls.find), drain_s=1)
    server.config.timeout_keep_alive = keep_alive_s  # type: ignore[assignment]  # uvicorn counts whole seconds
    thread = threading.Thread(target=server.run, args=([sock],), daemon=True)
    thread.start()
    until(lambda: server.started)
    try:
        yield Served(calls, server, sock.getsockname()[1])
    finally:
        calls.released.set()
        server.end()
        thread.join(WAIT_S)
    assert not thread.is_alive()
    assert not server.server_state.tasks


@pytest.fixture
def served() -> Iterator[Served]:
    with serving() as found:
        yield found


def post(path: str, *lines: str, body: bytes = BODY) -> bytes:
    return get(path, f"Content-Length: {len(body)}", *lines, method="POST") + body


def test_answers_come_in_the_order_of_their_requests(served: Served) -> None:
    with served.dial() as sock:
        sock.sendall(post("/now") + post("/later") + post("/now") + get("/a") + post("/no") + post("/now"))
        assert next_answer(sock)[1] == b"now 8"
        until(lambda: "later" in served.calls.asked)
        served.calls.released.set()
        told = [next_answer(sock)[1] for _ in range(5)]
    assert told == [b"later", b"asgi 8", b"asgi 0", b"asgi 8", b"asgi 8"]


def test_what_has_not_come_whole_goes_by_the_application(served: Served) -> None:
    whole = post("/now")
    with served.dial() as sock:
        sock.sendall(whole[:-3])
        until(lambda: "/now" in served.calls.asked)
        sock.sendall(whole[-3:])
        assert next_answer(sock)[1] == b"asgi 8"
        sock.sendall(whole)
        assert next_answer(sock)[1] == b"now 8"


def test_a_body_in_chunks_that_is_there_is_taken_too(served: Served) -> None:
    with served.dial() as sock:
        chunks = b"3\r\nabc\r\n4\r\ndefg\r\n0\r\nX-Trailer: 1\r\n\r\n"
        sock.sendall(get("/now", "Transfer-Encoding: chunked", method="POST") + chunks + post("/now"))
        assert [next_answer(sock)[1] for _ in range(2)] == [b"now 7", b"now 8"]


@pytest.mark.parametrize("lines", [["X-A: 1", "X-A: 2"], [CLOSE], ["Expect: 100-continue"]])
def test_some_are_never_answered_straight(served: Served, lines: list[str]) -> None:
    with served.dial() as sock:
        sock.sendall(post("/now", *lines))
        head = head_of(sock)
        if head.startswith(b"HTTP/1.1 100"):
            head = head_of(sock)
        assert head.startswith(OK)
    assert served.calls.asked == ["/now"]


def test_the_word_to_continue_comes_before_the_answer(served: Served) -> None:
    with served.dial() as sock:
        sock.sendall(post("/now", "Expect: 100-continue", CLOSE))
        assert [line[:12] for line in rest_of(sock).split(b"\r\n") if line.startswith(b"HTTP")] == [
            b"HTTP/1.1 100",
            b"HTTP/1.1 200",
        ]


def test_an_answer_may_end_the_connection(served: Served) -> None:
    with served.dial() as sock:
        sock.sendall(post("/last"))
        assert rest_of(sock).endswith(b"last")


def test_many_that_are_sent_ahead_share_the_loop(served: Served) -> None:
    with served.dial() as sock:
        sock.sendall(post("/now") * 60)
        assert [next_answer(sock)[1] for _ in range(60)] == [b"now 8"] * 16 + [b"asgi 8"] * 44
    assert max(served.calls.together) <= 16


def test_a_header_behind_another_request_is_no_longer_than_others(served: Served) -> None:
    with served.dial() as sock:
        sock.sendall(post("/now") + post("/now", "X-Long: " + "x" * 30_000))
        assert next_answer(sock)[1] == b"now 8"
        assert problem(rest_of(sock))["status"] == 431


def test_a_connection_that_asks_nothing_more_is_closed(served: Served) -> None:
    with serving(keep_alive_s=0.2) as hasty, hasty.dial() as sock:
        sock.sendall(post("/now"))
        assert next_answer(sock)[1] == b"now 8"
        assert rest_of(sock) == b""


def test_what_runs_behind_a_straight_answer_is_not_taken_for_rest(served: Served) -> None:
    with serving(keep_alive_s=0.2) as hasty, hasty.dial() as sock:
        sock.sendall(post("/now") + get("/slow"))
        assert next_answer(sock)[1] == b"now 8"
        threading.Event().wait(1.2)
        hasty.calls.released.set()
        assert next_answer(sock)[1] == b"asgi 0"


def test_a_waiting_call_is_answered_after_the_end_was_asked_for() -> None:
    with serving() as served, served.dial() as sock:
        sock.sendall(post("/later"))
        until(lambda: "later" in served.calls.asked)
        served.server.end()
        threading.Event().wait(0.3)
        served.calls.released.set()
        assert rest_of(sock).endswith(b"later")
