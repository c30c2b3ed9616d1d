"""The worker: leases due jobs, fires schedules, and writes down who was seen."""

import asyncio
import contextlib
import logging
from copy import deepcopy
from functools import partial

from kbwork.base.caller import SYSTEM
from kbwork.base.clock import monotonic
from kbwork.base.dataclasses import replace
from kbwork.base.errors import Busy, Problem
from kbwork.core.access import last_seen
from kbwork.core.jobs import noted, queue
from kbwork.core.jobs.chores import Chore, Errand
from kbwork.core.jobs.kinds import JobKind, Next, RunningJob
from kbwork.core.operations.dispatch import Dispatcher
from kbwork.core.operations.external import External
from kbwork.core.ports.memory import KeptInMemory
from kbwork.db.tx import Write
from kbwork.db.writer import Group
from kbwork.worker.errands import ErrandRunner
from kbwork.worker.periodic import PeriodicTask

log = logging.getLogger("kbwork.worker")
AT_ONCE = 4
_TICK_S = 1.0
_WRITE_SEEN_S = 60.0
_REST_S = 10.0
_CHORE_S = 60.0
_KEEP_AFTER_S = 0.5
"""So long the first answers of a server that starts go before what it keeps in memory."""


class Worker:
    """One for the process. Everything it does is durable: a restart goes on where it was."""

    def __init__(self, dispatcher: Dispatcher) -> None:
        self._dispatcher = dispatcher
        self._database = dispatcher.database
        self._registry = dispatcher.registry
        self._rounds = PeriodicTask(self._round, name="the worker", log=log, every_s=_TICK_S)
        self._beside: list[PeriodicTask | ErrandRunner] = [
            *(
                PeriodicTask(partial(self._do, chore), name=chore.name, log=log, every_s=_CHORE_S)
                for chore in self._registry.of(Chore)
            ),
            *(
                ErrandRunner(errand, self._database, self._external, log)
                for errand in self._registry.of(Errand)
            ),
        ]
        """Chores and errands, rung by each round; what one of them raises keeps no other from its work."""
        self._jobs: dict[asyncio.Task[None], int] = {}
        """Those that run, each with its number."""
        self._written_at = monotonic()
        self._kept: dict[str, int] = {}
        """Of which era of the data everything is kept in memory, by the name of what is kept."""
        self._keeps_from = self._written_at + _KEEP_AFTER_S
        for kept in self._registry.of(KeptInMemory):
            self._database.start_on_thread(kept.name)
        dispatcher.database.listen(self._heard)
        dispatcher.database.add_swap_participant(self)

    def start(self) -> None:
        """Begin on the running loop."""
        self._rounds.start()
        for beside in self._beside:
            beside.start()

    async def stop(self) -> None:
        """Stop before the next step of anything; what was committed stays, leases run out."""
        await self._rounds.stop()
        await asyncio.gather(*(beside.stop() for beside in self._beside))
        for job in self._jobs:
            job.cancel()
        await asyncio.gather(*self._jobs, return_exceptions=True)
        with contextlib.suppress(Problem):
            await self._write_seen()

    async def pause(self) -> None:
        """Let jobs come to the end of their step, and cancel those that take longer; begin none.

        The job that asks goes on.
        """
        await self._rounds.pause()
        await asyncio.gather(*(beside.pause() for beside in self._beside))
        others = set(self._jobs) - {asyncio.current_task()}
        if others:
            await asyncio.wait(others, timeout=_REST_S)
        for job in others:
            job.cancel()
        await asyncio.gather(*others, return_exceptions=True)

    def close(self) -> None:
        """Nothing runs any more."""

    def resume(self) -> None:
        for beside in self._beside:
            beside.resume()
        self._rounds.resume()

    def _heard(self, group: Group) -> None:
        if group.woken:
            self._rounds.notify()

    async def _round(self) -> None:
        if self._database.fenced:
            return
        await self._fire()
        for beside in self._beside:
            beside.notify()
        while len(self._jobs) < AT_ONCE and not self._rounds.stopping:
            job = await self._lease()
            if job is None:
                break
            task = asyncio.create_task(self._work(job), name=f"job-{job.id}")
            self._jobs[task] = job.id
            task.add_done_callback(self._done)
        if monotonic() - self._written_at >= _WRITE_SEEN_S:
            await self._write_seen()
        if monotonic() >= self._keeps_from:
            await self._keep()

    async def _do(self, chore: Chore) -> None:
        """Until nothing is left to do of it."""
        out = self._external()
        while not (self._rounds.stopping or self._rounds.held or self._database.fenced):
            found = await self._database.read(chore.look, SYSTEM, name=chore.name)
            if found is None:
                return
            if chore.wait is not None:
                found = await chore.wait(out, found)
            await self._database.write(partial(_written, chore, found), SYSTEM, essential=True)

    def _external(self) -> External:
        """What chores, errands and jobs wait with."""
        return self._dispatcher.external(SYSTEM, lambda fn: fn)

    async def _keep(self) -> None:
        """One more piece of what modules keep in memory, beside the jobs."""
        for kept in self._registry.of(KeptInMemory):
            era = self._database.era
            if self._kept.get(kept.name) == era:
                continue
            if await self._database.read(kept.take, SYSTEM, name=kept.name):
                self._rounds.notify()
            else:
                self._kept[kept.name] = era

    def _done(self, task: "asyncio.Task[None]") -> None:
        del self._jobs[task]
        if not task.cancelled() and (error := task.exception()) is not None:
            log.warning("%s ended and could not write down how: %s", task.get_name(), error)
        self._rounds.notify()

    async def _fire(self) -> None:
        """Run each schedule for the present slot of time, once, whoever asks and however often."""
        found = await self._database.read(
            lambda tx: queue.due(tx, self._registry.schedules), SYSTEM, name="schedules"
        )
        for schedule, slot in found:
            await self._database.write(
                partial(queue.fire, schedule=schedule, slot=slot), SYSTEM, essential=True
            )

    async def _lease(self) -> RunningJob | None:
        mine = tuple(self._jobs.values())
        if not await self._database.read(partial(queue.is_due, mine=mine), SYSTEM, name="jobs"):
            return None
        return await self._database.write(partial(queue.lease, mine=mine), SYSTEM, essential=True)

    async def _work(self, job: RunningJob) -> None:
        """Run a job's steps until it ends, fails or is cancelled."""
        self._database.begin()
        kind = self._registry.jobs.get(job.kind)
        if kind is None:
            await self._database.write(
                lambda tx: queue.fail(tx, job, f"no such kind of job: {job.kind}", final=True)
            )
            return
        while not (self._rounds.stopping or self._rounds.held or self._database.fenced):
            try:
                left = await self._step(kind, job)
            except Problem as problem:
                text, final = problem.detail, not problem.later
                await self._database.write(lambda tx: queue.fail(tx, job, text, final=final))  # noqa: B023 - awaited here
                return
            except (
                Exception
            ) as error:  # a faulty job must not end the worker; it is told in the job and the log
                log.exception("job %s (%s) failed", job.id, job.kind)
                text = f"{type(error).__name__}; the log has more"
                await self._database.write(lambda tx: queue.fail(tx, job, text, final=False))  # noqa: B023 - awaited here
                return
            if left is None:
                return
            job = left

    async def _step(self, kind: JobKind, job: RunningJob) -> RunningJob | None:
        """One step; answers the job as it goes on, or None when it ended."""
        step, wait = kind.step, kind.wait
        if step is not None:

            def advance(tx: Write) -> RunningJob | None:
                given = replace(
                    job, args=deepcopy(job.args)
                )  # a step may change them, and a write may run twice
                return queue.advance(tx, job, lambda: step(tx, given), kind)

            return await self._database.write(advance, SYSTEM, essential=True)
        assert wait is not None
        out = self._external()
        beat = asyncio.create_task(self._beat(job))
        try:
            found: Next = await wait(out, job)
        finally:
            beat.cancel()
        return await self._database.write(
            lambda tx: queue.advance(tx, job, lambda: found, kind), SYSTEM, essential=True
        )

    async def _beat(self, job: RunningJob) -> None:
        """Keep the lease while a job waits for the outside."""
        while True:
            await asyncio.sleep(queue.LEASE_S / 3)
            with contextlib.suppress(Busy):  # data are exchanged, or the disk is sick: it is tried again
                await self._database.write(lambda tx: queue.keep_lease(tx, job), SYSTEM, essential=True)

    async def _write_seen(self) -> None:
        found, self._dispatcher.seen = self._dispatcher.seen, {}
        noted_reads = self._database.take_noted()
        self._written_at = monotonic()
        if found:
            await self._database.write(lambda tx: last_seen.write_down(tx, found), SYSTEM)
        if noted_reads:
            await self._database.write(lambda tx: noted.write_down(tx, noted_reads), SYSTEM)


def _written(chore: Chore, found: object, tx: Write) -> None:
    tx.op = f"chore.{chore.name}"
    chore.write(tx, found)
