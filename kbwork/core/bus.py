"""Rung after each commit: streams, waiting reads and the worker listen."""

import asyncio

from kbwork.db.writer import Group


class Bus:
    """A bell that many wait for."""

    def __init__(self) -> None:
        self._waiting: set[asyncio.Future[None]] = set()

    def ring(self, _: Group) -> None:
        """Something was committed."""
        waiting, self._waiting = self._waiting, set()
        for future in waiting:
            if not future.done():
                future.set_result(None)

    async def wait(self, seconds: float) -> bool:
        """Until the next commit; False when none came in time."""
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.add(future)
        try:
            async with asyncio.timeout(seconds):
                await future
        except TimeoutError:
            return False
        finally:
            self._waiting.discard(future)
        return True
