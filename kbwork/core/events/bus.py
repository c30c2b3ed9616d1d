"""Rung after each commit: streams, waiting reads and the worker listen."""

import asyncio
from collections import deque

from kbwork.db.writer import Group

_AT_ONCE = 3
"""Woken in one turn of the loop, some tenths of a millisecond of work: calls get their turn between."""


class Bus:
    """A bell that many wait for.

    They are woken in the order in which they came: streams of one caller stay beside each other and share what they
    read.
    """

    def __init__(self) -> None:
        self._waiting: dict[asyncio.Future[bool], None] = {}
        self._due: deque[asyncio.Future[bool]] = deque()

    def notify(self, _: Group) -> None:
        """Something was committed."""
        self.ring()

    def ring(self) -> None:
        """Wake those who wait, a few at a time."""
        idle = not self._due
        self._due.extend(self._waiting)
        self._waiting = {}
        if idle and self._due:
            self._wake()

    def _wake(self) -> None:
        for _ in range(min(_AT_ONCE, len(self._due))):
            settle(self._due.popleft(), True)
        if self._due:
            asyncio.get_running_loop().call_soon(self._wake)

    async def wait(self, seconds: float) -> bool:
        """Until the next commit; False when none came in time."""
        return await self.wait_on(asyncio.get_running_loop().create_future(), seconds)

    async def wait_on(self, bell: "asyncio.Future[bool]", seconds: float) -> bool:
        """The same over a future that somebody else may settle too."""
        self._waiting[bell] = None
        timer = asyncio.get_running_loop().call_later(seconds, settle, bell, False)
        try:
            return await bell
        finally:
            timer.cancel()
            self._waiting.pop(bell, None)


def settle(bell: "asyncio.Future[bool]", rung: bool) -> None:
    if not bell.done():
        bell.set_result(rung)
