"""What is done round by round: when a bell rings, and every so often without one."""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable

from kbwork.base.errors import Problem


class PeriodicTask:
    """Rounds of one kind of work, never two at once. What a round raises ends that round alone."""

    def __init__(
        self, work: Callable[[], Awaitable[None]], *, name: str, log: logging.Logger, every_s: float
    ) -> None:
        """`work` does one round; `name` says in the log whose it was."""
        self._work = work
        self._name = name
        self._log = log
        self._every_s = every_s
        self.stopping = False
        self.held = False
        self._bell = asyncio.Event()
        self._turn = asyncio.Lock()
        """Held while a round runs, and while none may begin."""
        self._loop: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin on the running loop."""
        self._loop = asyncio.create_task(self._run(), name=self._name)

    async def stop(self) -> None:
        """Begin no other round, and wait for the end of the one under way."""
        self.stopping = True
        self._bell.set()
        if self._loop is not None:
            await self._loop

    def notify(self) -> None:
        """There is something to do."""
        self._bell.set()

    async def pause(self) -> None:
        """Wait for the end of the round under way, and begin no other until `resume`."""
        await self._turn.acquire()
        self.held = True

    def resume(self) -> None:
        """Begin a round again, whether they were held or not."""
        if self.held:
            self.held = False
            self._turn.release()
        self._bell.set()

    async def _run(self) -> None:
        while not self.stopping:
            self._bell.clear()
            try:
                async with self._turn:
                    await self._work()
            except Problem as problem:
                self._log.warning("%s waits: %s", self._name, problem.internal or problem.detail)
            except Exception:  # the loop outlives a faulty round; the log tells of it
                self._log.exception("a round of %s failed", self._name)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self._every_s):
                    await self._bell.wait()
