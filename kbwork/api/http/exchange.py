"""One request and its answer, without a task where none is needed and without a second write.

What is asked runs in the turn of the loop that read it, and becomes a task where it has to wait. An answer that is
there as a whole leaves in one piece. Whatever else ASGI knows is done by uvicorn.
"""

import asyncio
import types
from collections.abc import Callable, Coroutine, Generator
from typing import Any, TypeVar

from uvicorn._types import ASGI3Application
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, RequestResponseCycle

from kbwork.api.http.line import Line
from kbwork.api.http.response import Response

ANSWER = "kbwork.answer"
"""The extension of ASGI by which a door hands over a whole answer: `Answer`."""
Answer = Callable[[Response], Coroutine[Any, Any, None]]
Fields = dict[bytes, bytes]
"""The headers of a request that has none of them twice."""
T = TypeVar("T")
CLOSE = b"connection: close\r\n"
"""The line of an answer behind which the connection ends."""


class Peer:
    """Who is at the other end of a connection."""

    __slots__ = ("address", "shown")

    def __init__(self, address: str | None) -> None:
        self.address = address
        self.shown: object = None
        """What the last door that was asked keeps of the head of its request: mostly the next one has the same."""


Straight = Callable[[Peer, Fields, bytes], Response | Coroutine[Any, Any, Response] | None]
"""Answers a request to one target that is there as a whole, its body last: at once, or by what is to be waited for; by
None it leaves it to the application. It raises nothing, and changes nothing of the headers but that it may take the
length of the body out."""


class Exchange(RequestResponseCycle):
    """What uvicorn calls a cycle: one request, from its head to the end of its answer."""

    transport: Line

    def begin(self, app: ASGI3Application, loop: asyncio.AbstractEventLoop) -> "asyncio.Task[None] | None":
        """Run the application as far as it goes without waiting. Answers the task that does the rest, if any is."""
        work = self.run_asgi(app)
        try:
            awaited = work.send(None)
        except StopIteration:
            self._part()
            return None
        return loop.create_task(self._go_on(work, awaited))

    async def _go_on(self, work: Coroutine[Any, Any, None], awaited: Any) -> None:
        try:
            await resumed(work, awaited)
        finally:
            self._part()

    def _part(self) -> None:
        """The scope leads back here by the extension: without it there is no circle to collect."""
        self.scope["extensions"].clear()

    async def follow(self, work: Coroutine[Any, Any, Response], awaited: Any) -> None:
        """Answer what has begun and waits for this."""
        try:
            await self.answer(await resumed(work, awaited))
        except Exception:
            self.logger.exception("an answer was not written")
            self.transport.close()

    async def answer(self, response: Response) -> None:
        """Write the whole answer to this request."""
        if self.flow.write_paused and not self.disconnected:
            await self.flow.drain()
        if self.disconnected:
            return
        if self.response_started:
            raise RuntimeError("This request is being answered already.")
        self.response_started = self.response_complete = True
        self.waiting_for_100_continue = False
        if CLOSE in response.lines:
            self.keep_alive = False
        elif not self.keep_alive:
            response = response._replace(lines=response.lines + CLOSE)
        if self.scope["method"] == "HEAD":
            response = response._replace(body=b"")
        self.transport.write_whole(head_of(response, self.default_headers), response.body)
        self.message_event.set()
        if not self.keep_alive:
            self.transport.close()
        self.on_response()


@types.coroutine
def resumed(work: Coroutine[Any, Any, T], awaited: Any) -> Generator[Any, Any, T]:
    """Go on with what was begun by hand and waits for this; answers what it returns."""
    try:
        while True:
            try:
                sent = yield awaited
            except GeneratorExit:
                work.close()
                raise
            except BaseException as error:  # cancelling too is for what waits
                awaited = work.throw(error)
            else:
                awaited = work.send(sent)
    except StopIteration as end:
        found: T = end.value
        return found


def head_of(response: Response, usual: list[tuple[bytes, bytes]]) -> bytes:
    """The head of an answer; `usual` are the headers of every one."""
    return b"%b%b%b\r\n" % (STATUS_LINE[response.status], _lines(usual), response.lines)


_last: tuple[list[tuple[bytes, bytes]], bytes] = ([], b"")


def _lines(headers: list[tuple[bytes, bytes]]) -> bytes:
    """The headers of every answer as lines: uvicorn makes them anew each second, and that is when they change."""
    global _last  # noqa: PLW0603 - what was made last, for all connections
    if _last[0] is not headers:
        _last = (headers, b"".join([b"%b: %b\r\n" % header for header in headers]))
    return _last[1]
