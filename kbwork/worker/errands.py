"""Errands of modules: one for each number, side by side, each until there is nothing to do for it."""

import asyncio
import logging
from collections.abc import Callable
from functools import partial

from kbwork.base.caller import SYSTEM
from kbwork.base.errors import Problem
from kbwork.core.jobs.chores import Errand
from kbwork.core.operations.external import External
from kbwork.db.database import Database
from kbwork.db.tx import Write
from kbwork.worker.periodic import PeriodicTask

_EVERY_S = 60.0


class ErrandRunner:
    """Runs one sort of errands. Who raises is begun again in the next round, and keeps no other from its work."""

    def __init__(
        self, errand: Errand, database: Database, out: Callable[[], External], log: logging.Logger
    ) -> None:
        self._errand = errand
        self._database = database
        self._out = out
        self._log = log
        self._rounds = PeriodicTask(self._round, name=errand.name, log=log, every_s=_EVERY_S)
        self._running: dict[int, asyncio.Task[None]] = {}
        database.start_on_thread(errand.name)

    def start(self) -> None:
        """Begin on the running loop."""
        self._rounds.start()

    def notify(self) -> None:
        """There may be something to do."""
        self._rounds.notify()

    async def stop(self) -> None:
        """Begin no other, and cut those that wait: they are done again."""
        await self._rounds.stop()
        await self._cut()

    async def pause(self) -> None:
        """The same, until `resume`."""
        await self._rounds.pause()
        await self._cut()

    def resume(self) -> None:
        self._rounds.resume()

    async def _round(self) -> None:
        if self._database.fenced:
            return
        for number in await self._database.read(self._errand.due, SYSTEM, name=f"{self._errand.name} due"):
            if number not in self._running and len(self._running) < self._errand.most:
                self._running[number] = asyncio.create_task(
                    self._run(number), name=f"{self._errand.name} {number}"
                )

    async def _run(self, number: int) -> None:
        try:
            while not self._rounds.stopping and not self._rounds.held:
                found = await self._database.read(
                    lambda tx: self._errand.look(tx, number), SYSTEM, name=self._errand.name
                )
                if found is None:
                    return
                done = await self._errand.wait(self._out(), found)
                await self._database.write(partial(self._written, done), SYSTEM, essential=True)
        except Problem as problem:
            self._log.warning(
                "%s %s waits: %s", self._errand.name, number, problem.internal or problem.detail
            )
        except Exception:  # others go on; the log tells of it
            self._log.exception("%s %s failed", self._errand.name, number)
        finally:
            self._running.pop(number, None)

    def _written(self, done: object, tx: Write) -> None:
        tx.op = f"errand.{self._errand.name}"
        self._errand.write(tx, done)

    async def _cut(self) -> None:
        tasks = list(self._running.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
