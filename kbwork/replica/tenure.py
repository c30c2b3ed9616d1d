"""The lease of a server that runs: taken, renewed, handed to whoever asked for it, and told of."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

from kbwork.base.caller import SYSTEM
from kbwork.base.clock import monotonic
from kbwork.base.errors import Problem
from kbwork.db.connection import Unusable
from kbwork.db.database import Database
from kbwork.db.tx import Read, Write
from kbwork.replica.child import EngineChild
from kbwork.replica.epoch import generations, taken_over
from kbwork.replica.lease import Lease
from kbwork.replica.target import ReplicaTarget
from kbwork.worker.periodic import PeriodicTask

log = logging.getLogger("kbwork.replica")
_EVERY_S = 1.0
"""So soon is seen that somebody asked for the lease."""
_COUNT_S = 5.0


class Tenure:
    """From `start` to `stop` on the running loop. Nothing is written from when it is made until it has the lease."""

    def __init__(
        self,
        lease: Lease,
        target: ReplicaTarget,
        database: Database,
        child: EngineChild,
        admit: Callable[[], None],
    ) -> None:
        """`admit` raises Unusable where the place is not one for these data; it may wait for it."""
        self._lease = lease
        self._target = target
        self._database = database
        self._child = child
        self._admit = admit
        self._pool = ThreadPoolExecutor(1, "kbwork-lease")
        """Its own: whoever else waits on threads is not waited for."""
        self._told = ""
        self._count_at: float | None = 0.0
        """When it is to be found out how much was written too late; None: it was."""
        self.resting = False
        """Other data come in the place of these: nothing is to have the file open."""
        self.late = 0
        """So many events here are behind the takeover."""
        self._rounds = PeriodicTask(self._round, name="the lease", log=log, every_s=_EVERY_S)
        database.fenced_by(lease.refusal)

    @property
    def figures(self) -> dict[str, float]:
        """What the metrics show."""
        return {
            "lease_held": float(self._lease.held),
            "lease_seconds": self._lease.left_s,
            "epoch": float(self._lease.data.epoch),
            "late_events": float(self.late),
        }

    def start(self) -> None:
        self._rounds.start()

    async def stop(self, ended: Awaitable[None]) -> None:
        """Write nothing more, wait until all was sent, and leave the lease to whoever wants it."""
        await self._rounds.stop()
        self._lease.give_up()
        await self._written()
        await ended
        with suppress(Unusable):
            await self._wait_for(self._lease.release)
        self._pool.shutdown(wait=False)

    async def _wait_for(self, fn: Callable[[], object]) -> object:
        return await asyncio.get_running_loop().run_in_executor(self._pool, fn)

    async def _round(self) -> None:
        asked = False
        try:
            asked = bool(await self._wait_for(self._step))
        except Unusable as error:
            self._lease.trouble = str(error)
        self._tell()
        if asked:
            await self._hand_over()
        elif self._lease.doubled:
            await self._child.stop()
        elif self._lease.held:
            self._count_at = 0.0
            if not self.resting:
                self._child.start()
        elif self._lease.over and self._count_at is not None and monotonic() >= self._count_at:
            self._count_at = monotonic() + _COUNT_S
            await self._count()
            if self._lease.ours or self.late:
                self._child.start()

    def _step(self) -> bool:
        self._admit()
        return self._lease.step()

    def _tell(self) -> None:
        epoch, trouble = self._lease.data.epoch, self._lease.trouble
        if self._lease.held:
            said = f"the lease of {self._target.place} is held: epoch {epoch}"
        elif trouble is not None:
            said = f"no writes are taken: {trouble}"
        else:
            return
        if said != self._told:
            self._told = said
            log.log(logging.INFO if self._lease.held else logging.WARNING, "%s", said)

    async def _written(self) -> None:
        """Whatever was being written is, once this one was refused."""
        with suppress(Problem):
            await self._database.write(_nothing, SYSTEM, essential=True)

    async def _hand_over(self) -> None:
        await self._written()
        await self._child.stop()
        with suppress(Unusable):  # it ends by itself
            await self._wait_for(self._lease.release)

    async def _count(self) -> None:
        """What was written here and is not in the epoch that goes on."""
        found = await asyncio.to_thread(generations, self._target)
        epoch = self._lease.data.epoch
        after = taken_over(found, epoch)
        if after is None:  # whoever took over has not laid anything yet
            return

        def behind(tx: Read) -> int:
            counted: int = tx.value("select count(*) from events where seq > :seq", seq=after.seq)
            return counted

        self.late = await self._database.read(behind, SYSTEM, name="replica")
        self._count_at = None
        if self.late:
            log.warning(
                "%d events of epoch %d were written here behind the takeover, and are not in what is served now: kbwork"
                " replica late %d lists them once they were sent",
                self.late,
                epoch,
                epoch,
            )


def _nothing(_: Write) -> None:
    """Goes through the writer's queue."""
