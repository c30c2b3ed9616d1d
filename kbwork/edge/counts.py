"""Counts of what the edge answered: gathered in memory, spooled every few seconds."""

import asyncio
import logging
from collections.abc import Callable, Mapping
from typing import Final

from kbwork.api.sdk.counters import RoundCounters
from kbwork.base.clock import Clock
from kbwork.core.ports.flags import Counts
from kbwork.edge.spool import CountSpool

log = logging.getLogger("kbwork.edge")
_MOST_WAITING: Final = 100_000
"""Answers that wait in memory while the spool is full."""


class EdgeCounters(RoundCounters):
    """Those of an edge, on their way upstream."""

    def __init__(self, spool: CountSpool, idents: Callable[[], Mapping[int, str]], clock: Clock) -> None:
        """`idents` are those of the keys by their numbers, which stand in the place of the environment here."""
        super().__init__(clock)
        self._spool = spool
        self._idents = idents
        self._writing = asyncio.Lock()

    async def flush(self) -> None:
        async with self._writing:
            self._gather()
            self._metered = {}
            counts, self._waiting = self._waiting, {}
            by_key: dict[int, Counts] = {}
            for answered, count in counts.items():
                by_key.setdefault(answered.environment, {})[answered] = count
            idents = self._idents()
            for number, found in by_key.items():
                if number in idents:
                    self._add(await self._spooled(self._spool.add, idents[number], found))
            if self._spool.is_behind:
                await self._spooled(self._spool.catch_up)
            if len(self._waiting) > _MOST_WAITING:
                log.error("counts of %d flag answers are lost: the spool is full", len(self._waiting))
                self._waiting = {}

    async def _spooled(self, put: Callable[..., Counts | None], *what: object) -> Counts:
        """What had no room. What the disk does not take waits in the spool, in memory."""
        try:
            return await asyncio.to_thread(put, *what) or {}
        except OSError as error:
            log.warning("counts are not on disk: %s", error)
            return {}
