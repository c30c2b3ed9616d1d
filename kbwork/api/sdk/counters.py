"""Counts of what was answered: gathered in memory, written down in batches. No context is among them."""

import asyncio
import contextlib
import logging
from abc import ABC, abstractmethod
from itertools import islice

from kbwork.api.sdk.snapshot import ServedSnapshot
from kbwork.base.clock import Clock
from kbwork.core.ports.flags import Counts, FlagSource
from kbwork.db.database import Database
from kbwork.db.tx import Write

log = logging.getLogger("kbwork.flags")
FLUSH_S = 3.0
_AT_ONCE = 2_000
_HOUR_S = 3600


class RoundCounters(ABC):
    """Counts of the editions that answered since the last round, and those that still wait to be written."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._hour = 0
        self._counting: list[ServedSnapshot] = []
        self._waiting: Counts = {}
        self._asked = 0
        """Requests for remote evaluation in this hour, since the last round."""
        self._metered: dict[int, int] = {}
        """Those that wait to be written, by hour."""
        self._ending = asyncio.Event()
        self._rounds: asyncio.Task[None] | None = None

    def ask(self) -> None:
        """One more request for remote evaluation, whatever it is answered."""
        hour = self._clock.now() // _HOUR_S
        if hour != self._hour:
            self._gather()
            self._hour = hour
        self._asked += 1

    def note(self, edition: ServedSnapshot) -> None:
        """A request that this edition is about to answer: its counts are of this hour."""
        self.ask()
        if not edition.is_counting:
            edition.is_counting = True
            self._counting.append(edition)

    def start(self) -> None:
        """Begin to write, every few seconds."""
        self._rounds = asyncio.create_task(self._run())

    async def stop(self) -> None:
        """Write what is left, and end."""
        self._ending.set()
        if self._rounds is not None:
            await self._rounds
        await self.flush()
        if self._waiting:
            log.error("counts of %d flag answers could not be written and are lost", len(self._waiting))

    @abstractmethod
    async def flush(self) -> None:
        """Write what there is; what cannot be written waits for the next time."""

    async def _run(self) -> None:
        while not self._ending.is_set():
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._ending.wait(), FLUSH_S)
            await self.flush()

    def _gather(self) -> None:
        """Take over what the editions counted; those that answer again come back by `note`."""
        asked, self._asked = self._asked, 0
        if asked:
            self._meter(self._hour, asked)
        counting, self._counting = self._counting, []
        for edition in counting:
            edition.is_counting = False
            self._add(edition.counted(self._hour))

    def _add(self, counts: Counts) -> None:
        for place, count in counts.items():
            self._waiting[place] = self._waiting.get(place, 0) + count

    def _meter(self, hour: int, count: int) -> None:
        self._metered[hour] = self._metered.get(hour, 0) + count


class EvaluationCounters(RoundCounters):
    """Those of a server, in its data."""

    def __init__(self, database: Database, source: FlagSource, clock: Clock) -> None:
        super().__init__(clock)
        self._database = database
        self._source = source
        self._era = database.era
        self._writing = asyncio.Lock()

    async def flush(self) -> None:
        """Write what there is; what cannot be written waits for the next time."""
        async with self._writing:
            self._gather()
            while self._waiting or self._metered:
                if not await self._write(self._era):
                    return

    async def _write(self, era: int) -> bool:
        """Write a part of what waits; False where that was not possible."""
        part = {place: self._waiting.pop(place) for place in list(islice(self._waiting, _AT_ONCE))}
        metered, self._metered = self._metered, {}

        def put(tx: Write) -> None:
            self._source.count(tx, part)
            self._source.meter(tx, metered)

        try:
            await self._database.write(put)
        except Exception as error:  # whatever it was: nothing was written, and the counts are kept
            log.warning("counts of flag answers wait to be written: %s", error)
            if era == self._era:
                self._add(part)
                for hour, count in metered.items():
                    self._meter(hour, count)
            return False
        return True

    def resume(self) -> None:
        """The data are there again: of other data, what was counted before is of no interest."""
        self._gather()
        if self._era != self._database.era:
            self._era = self._database.era
            self._waiting = {}
            self._metered = {}
