"""A head that came before on a connection is not parsed again, and nobody can tell."""

import asyncio
import random
from typing import Any

import pytest
from uvicorn.server import ServerState

from kbwork.api.http import protocol
from kbwork.api.http.exchange import ANSWER, Fields, Peer, Straight
from kbwork.api.http.heads import KnownHead, KnownHeads, WholeRequest, whole
from kbwork.api.http.response import Response
from kbwork.api.http.server import config
from kbwork.base import ids
from kbwork.settings import load

SEEDS = 60
PIECES = 60
HEAD = b"POST /now HTTP/1.1\r\nHost: a\r\nContent-Length: %b\r\nX: %b"


def test_a_whole_request_is_known_by_all_but_its_length() -> None:
    one = whole(HEAD % (b"2", b"1") + b"\r\n\r\n{}")
    other = whole(HEAD % (b"0003", b"1") + b"\r\n\r\n{ }")
    assert one is not None
    assert other is not None
    assert one.head == other.head
    assert (one.length, one.body) == (b"2", b"{}")
    assert (other.length, other.body) == (b"0003", b"{ }")


@pytest.mark.parametrize(
    "piece",
    [
        HEAD % (b"2", b"1") + b"\r\n\r\n{",
        HEAD % (b"2", b"1") + b"\r\n\r\n{}P",
        HEAD % (b"2", b"1") + b"\r\n",
        HEAD % (b"2 ", b"1") + b"\r\n\r\n{}",
        HEAD % (b"+2", b"1") + b"\r\n\r\n{}",
        HEAD % (b"2, 2", b"1") + b"\r\n\r\n{}",
        HEAD % (b"", b"1") + b"\r\n\r\n",
        HEAD % (b"2", b"1" * 1024) + b"\r\n\r\n{}",
        b"GET / HTTP/1.1\r\nHost: a\r\n\r\n",
    ],
)
def test_what_may_be_read_in_another_way_is_left_to_the_parser(piece: bytes) -> None:
    assert whole(piece) is None


def test_the_latest_heads_are_kept() -> None:
    async def nothing() -> Response:
        return Response(200, b"", b"")

    heads = KnownHeads()
    found = KnownHead(b"/now", lambda *_: nothing(), {})
    requests = [WholeRequest(b"%d" % number, b"0", b"") for number in range(6)]
    for request in requests:
        heads.keep(request, found)
    assert [heads.find(request) is found for request in requests] == [False, False, True, True, True, True]


def test_a_head_of_many_fields_is_not_kept() -> None:
    heads = KnownHeads()
    request = WholeRequest(b"1", b"0", b"")
    heads.keep(request, KnownHead(b"/now", lambda *_: _told(b""), {b"%d" % n: b"" for n in range(25)}))
    assert heads.find(request) is None


class Wire(asyncio.Transport):
    """Keeps what is written."""

    def __init__(self) -> None:
        super().__init__({"peername": ("127.0.0.1", 5), "sockname": ("127.0.0.1", 1)})
        self.written = b""
        self.closed = False

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self.written += bytes(data)

    def is_closing(self) -> bool:
        return self.closed

    def close(self) -> None:
        self.closed = True

    abort = write_eof = close

    def get_write_buffer_size(self) -> int:
        return 0

    def pause_reading(self) -> None:
        pass

    def resume_reading(self) -> None:
        pass


class Doors:
    """What each of them was given, in order; `/no` leaves it to the application."""

    def __init__(self) -> None:
        self.given: list[tuple[str, Any, bytes]] = []

    def find(self, target: bytes) -> Straight | None:
        if target not in (b"/now", b"/no", b"/soon"):
            return None

        def straight(_: Peer, fields: Fields, body: bytes) -> Any:
            self.given.append((target.decode(), sorted(fields.items()), body))
            if target == b"/no":
                return None
            fields.pop(b"content-length", None)
            return _told(body) if target == b"/now" else self._soon(body)

        return straight

    async def _soon(self, body: bytes) -> Response:
        await asyncio.sleep(0)
        return _told(body)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        body, more = b"", True
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                return
            body, more = body + message["body"], message["more_body"]
        self.given.append((scope["path"], sorted(scope["headers"]), body))
        await scope["extensions"][ANSWER](_told(body))


def _told(body: bytes) -> Response:
    return Response(200, b"content-length: %d\r\n" % len(body), body)


def _request(chance: random.Random) -> bytes:
    """One of few heads, most of them well made, with a body."""
    body = b"x" * chance.choice((0, 1, 2, 9, 10, 40))
    length = chance.choice(
        [b"%d" % len(body)] * 200 + [b"0%d" % len(body), b"%d" % (len(body) + 1), b"", b"-1"]
    )
    lines = [
        chance.choice(
            [b"POST /now HTTP/1.1"] * 6 + [b"POST /no HTTP/1.1", b"POST /soon HTTP/1.1", b"GET /a HTTP/1.1"]
        ),
        b"Host: a",
        chance.choice((b"Content-Length: ", b"content-length:")) + length,
    ]
    if chance.random() < 0.03:
        lines.append(
            chance.choice(
                (
                    b"Content-Length: 1",
                    b"Content-Length: ",
                    b"Transfer-Encoding: chunked",
                    b"Connection: close",
                    b"Expect: 100-continue",
                    b"X: content-length: 5",
                    b" content-length: 5",
                )
            )
        )
    if chance.random() < 0.02:
        chance.shuffle(lines)
    return b"\r\n".join(lines) + chance.choice([b"\r\n\r\n"] * 200 + [b"\n\n"]) + body


def _pieces(chance: random.Random) -> list[bytes]:
    """Requests as they arrive: most alone, some cut, some together."""
    found = []
    for _ in range(PIECES):
        request = _request(chance)
        how = chance.random()
        if how < 0.1:
            at = chance.randrange(len(request))
            found += [request[:at], request[at:]]
        elif how < 0.2 and found:
            found[-1] += request
        elif how < 0.23:
            found += [b"\r\n", request]
        else:
            found.append(request)
    return found


async def _served(pieces: list[bytes]) -> tuple[bytes, bool, list[tuple[str, Any, bytes]]]:
    """(what was written, whether the connection was ended, what the doors were given)."""
    doors = Doors()
    made = config(doors, load(None, {}), find=doors.find)
    made.load()
    serve: Any = made.http_protocol_class
    served = serve(config=made, server_state=ServerState(), app_state={})
    wire = Wire()
    served.connection_made(wire)
    for piece in pieces:
        if wire.closed:
            break
        served.data_received(piece)
        for _ in range(4):
            await asyncio.sleep(0)
    served.connection_lost(None)
    return wire.written, wire.closed, doors.given


def test_nobody_can_tell_whether_a_head_was_parsed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Random requests, some of them ill made, in random pieces, with the parser alone and past it."""
    met = 0
    find = KnownHeads.find

    def counted(heads: KnownHeads, request: WholeRequest) -> KnownHead | None:
        nonlocal met
        found = find(heads, request)
        met += found is not None
        return found

    monkeypatch.setattr(KnownHeads, "find", counted)
    monkeypatch.setattr(ids, "short", lambda: "same")
    for seed in range(SEEDS):
        pieces = _pieces(random.Random(seed))
        past = asyncio.run(_served(pieces))
        with monkeypatch.context() as parsed:
            parsed.setattr(protocol, "whole", lambda _: None)
            assert asyncio.run(_served(pieces)) == past, seed
    assert met > 5 * SEEDS


def test_what_fails_past_the_parser_is_told(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second of three: what comes behind it is dropped, as behind any refusal."""
    asked = 0

    def straight(_: Peer, fields: Fields, body: bytes) -> Response:
        nonlocal asked
        asked += 1
        if asked == 2:
            raise ValueError("broken")
        return _told(body)

    monkeypatch.setattr(Doors, "find", lambda *_: straight)
    piece = HEAD % (b"2", b"1") + b"\r\n\r\n{}"
    written, closed, _ = asyncio.run(_served([piece] * 3))
    assert (written.count(b"HTTP/1.1 200 "), written.count(b"HTTP/1.1 500 "), asked) == (1, 1, 2)
    assert closed
    assert "a request could not be taken in" in caplog.text
