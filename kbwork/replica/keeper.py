"""The replica of a server that runs: it has the program run that fills it, and knows how far it is behind.

How far is what lies there, compared with the commits of this server: a program that says nothing of an outage is not
asked.
"""

import asyncio
import datetime
import json
import logging
import os
import shutil
import signal
import sys
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from typing import Any

from kbwork.base import ids
from kbwork.base.caller import SYSTEM
from kbwork.base.clock import Clock, SystemClock, monotonic, wall
from kbwork.base.dataclasses import asdict
from kbwork.db.connection import Unusable
from kbwork.db.database import Database
from kbwork.db.holders import named
from kbwork.modules.maintenance import replica_notices
from kbwork.replica.child import EngineChild
from kbwork.replica.drill import ASIDE
from kbwork.replica.engine import environment, others, program, write_configuration
from kbwork.replica.epoch import MARK, CopyGap, generation_of, generations, lay_mark, outlived
from kbwork.replica.lease import NAME as LEASE
from kbwork.replica.lease import Lease, name_of
from kbwork.replica.owner import OTHER_KEY, OtherOrg, PlaceOwner, owner
from kbwork.replica.target import ReplicaGap, began, epoch_of, target_of
from kbwork.replica.tenure import Tenure
from kbwork.settings import ReplicateSettings
from kbwork.worker.periodic import PeriodicTask

log = logging.getLogger("kbwork.replica")
LATE_S = 60.0
"""A replica that is further behind is told of."""
_EVERY_S = 5.0
_DAY_S = 86_400
_WEEK_S = 7 * _DAY_S
_FIRST_DRILL_S = 600.0
_LOOK_AGAIN_S = 3600.0
_LONGEST_DRILL_S = 3600.0
_ADMIT_AGAIN_S = 300.0
_TRIAL = "kbwork-trial"
_SLOW = "it does not keep up"
_ASTRAY = (
    "the replica begins anew with all of the data: its program does not find its way. If it says so again, another"
    " Litestream may copy the same data: end it"
)


class Replica:
    """From `start` to `stop` on the running loop. While data are exchanged nothing is copied."""

    def __init__(
        self,
        at: ReplicateSettings,
        database: Database,
        environ: Mapping[str, str],
        clock: Clock | None = None,
    ) -> None:
        self._at = at
        self._environ = environ
        self._clock = clock or SystemClock()
        self._database = database
        self._target = target_of(at, environ)
        self._child = EngineChild(database.folder.path, self._command, self._begin_anew)
        self._log = database.copied_by(lambda: self._child.copies, self._cut)
        self._owner = self._read_owner()
        self._other_org, self._other_key, self._admit_from = False, False, 0.0
        self._others: list[int] = []
        """Who copies the data file, too."""
        self._lease: Lease | None = None
        self._tenure: Tenure | None = None
        if at.lease:
            self._lease = Lease(self._target, database.folder.path)
            self._tenure = Tenure(self._lease, self._target, database, self._child, self._admit)
        self._began = wall()
        self._held = 0.0
        """When the newest was written that lies there, as it was looked at last."""
        self._refused: str | None = None
        """Why it could not be looked at."""
        self._late = False
        self._untold: str | None = None
        """What admins are told once anything may be written again."""
        self._drill_from = monotonic() + _FIRST_DRILL_S
        self._tidy_from = self._drill_from
        self._generation: str | None = None
        """Where in the place transactions are laid."""
        self._fresh = ""
        """That generation, while this folder does not go by it yet."""
        self._gap = CopyGap(database.folder.path)
        self._astray_from = 0.0
        """From then on it may begin anew again since its program does not find its way: once a minute."""
        self._rounds = PeriodicTask(self._round, name="the replica", log=log, every_s=_EVERY_S)
        # A trial takes as long as to restore all data: beside it the replica is looked after.
        self._trials = PeriodicTask(self._drill, name="the trial of the replica", log=log, every_s=_EVERY_S)
        self._leaves = asyncio.Event()
        """A trial that is under way is given up."""
        database.add_swap_participant(self)

    @property
    def age_s(self) -> float:
        """How long the first write waits that is not there yet; 0 where all are. A place that was not looked at yet may
        lack what was written before the start."""
        since = self._log.waits_since(self._held) if self._held else self._began
        return 0.0 if since is None else max(0.0, wall() - since)

    @property
    def figures(self) -> dict[str, float]:
        """What the metrics show."""
        return {
            "age_seconds": self.age_s,
            "running": float(self._child.alive),
            "starts": float(self._child.starts),
            "log_bytes": float(self._log.bytes),
            "refused": float(self._refused is not None),
            "other_org": float(self._other_org),
            "other_key": float(self._other_key),
            "others": float(len(self._others)),
            **(self._tenure.figures if self._tenure is not None else {}),
        }

    def start(self) -> None:
        """Begin; a target that cannot be used is named in the log, and serving goes on."""
        if self._tenure is not None:
            self._tenure.start()
        else:
            self._child.start()
        self._rounds.start()
        self._trials.start()

    async def stop(self) -> None:
        """Let everything go there that was written, and end."""
        self._leaves.set()
        await self._trials.stop()
        await self._rounds.stop()
        if self._tenure is not None:
            await self._tenure.stop(self._child.stop())
        else:
            await self._child.stop()

    async def pause(self) -> None:
        """Other data come in the place of these: nobody has the file open meanwhile."""
        self._leaves.set()
        await self._trials.pause()
        self._leaves.clear()
        await self._rounds.pause()
        if self._tenure is not None:
            self._tenure.resting = True
        await self._child.stop()

    def close(self) -> None:
        """Nothing reads or writes here."""

    def resume(self) -> None:
        self._owner, self._admit_from = self._read_owner(), 0.0
        if self._tenure is not None:
            self._tenure.resting = False
        self._child.start()
        self._rounds.resume()
        self._trials.resume()

    def _command(self) -> tuple[list[str], dict[str, str]]:
        """Raises Unusable."""
        self._find_others()
        if who := named(self._others):
            raise Unusable(
                f"the data file is copied by {who}, too: end it, there can be one for each data file;"
                " the replica waits for that, and begins anew"
            )
        found = program(self._at)
        self._generation = self._settled()
        replica = self._target.engine(self._generation)
        config = write_configuration(self._database.folder.file, replica, self._at.days)
        words = [str(found), "replicate", "-config", str(config), "-no-expand-env"]
        return words, environment(self._target, self._environ)

    def _find_others(self) -> None:
        """Whoever else copies the data file may take out of the log what ours has not seen: behind them it begins anew.
        Raises OSError."""
        self._others = others(self._database.folder.file)
        if self._others:
            self._gap.lay()

    def _read_owner(self) -> PlaceOwner | None:
        return self._database.read_now(lambda tx: owner(tx, self._database.master_key))

    def _admit(self) -> None:
        """Raises Unusable where the place is not these data's."""
        if self._owner is None or monotonic() < self._admit_from:
            return
        try:
            other_key = not self._owner.require(self._target)
        except OtherOrg:
            self._other_org = True
            raise
        if other_key and not self._other_key:
            log.warning("%s", OTHER_KEY.format(place=self._target.place))
        self._other_org, self._other_key = False, other_key
        self._admit_from = monotonic() + _ADMIT_AGAIN_S

    def _settled(self) -> str:
        """The generation to go on with. Where the place does not know it any more, or has a gap in it, another begins
        with all of the data: what was laid behind a gap opens nothing. Raises Unusable."""
        self._admit()
        lease, folder = self._lease, self._database.folder
        generation = self._fresh or generation_of(folder.path)
        if lease is None and self._leased():
            raise Unusable(
                f"the replica {self._target.place} is kept by a lease, which these settings do not ask for: set"
                " replicate.lease to true, or name another path in replicate.to"
            )
        ours = lease is None or (lease.ours and epoch_of(generation) == lease.data.epoch)
        if generation and ours and (self._fresh or not self._gap.there) and self._marked(generation):
            return generation
        if lease is not None and not (lease.held or lease.over):
            raise Unusable("the replica waits for its lease")
        # It is the last by its name, whatever became of the clock: that one is what is restored.
        before = max(map(began, self._target.generations()), default=0.0)
        stamp = datetime.datetime.fromtimestamp(max(wall(), before + 1), datetime.UTC)
        generation = f"{stamp:%Y%m%dT%H%M%SZ}-{ids.random_bytes(3).hex()}"
        if lease is None:
            lay_mark(self._target, generation, "", None)
        else:
            generation = f"{lease.data.epoch:04d}-{generation}"
            lay_mark(self._target, generation, name_of(folder.path), lease.data.after)
        self._fresh = generation
        return generation

    def _begin_anew(self) -> None:
        """Have the program begin with all of the data, where its generation is a new one. Called when none runs: one
        that a server left behind notes at its end, in this folder, how far it came with another generation."""
        if not self._fresh:
            return
        self._gap.end(self._fresh)
        self._began, self._held, self._fresh = wall(), 0.0, ""

    def _cut(self, why: str) -> None:
        """The log is about to be shortened here, or what may have been copied of it to be written over; Litestream
        would go on as if nothing had happened. On the writer's thread; raises OSError."""
        if not self._gap.there:
            log.warning("the replica begins anew with all of the data: %s", why)
            self._gap.lay()

    def _leased(self) -> bool:
        """Whether the place has a lease, or had one: what is laid there without goes before all epochs."""
        return self._target.read(LEASE) is not None or any(map(epoch_of, self._target.generations()))

    def _marked(self, generation: str) -> bool:
        return self._target.read(f"{generation}/{MARK}") is not None

    def _look(self) -> float:
        """Raises Unusable."""
        if self._generation is None:
            self._target.generations()
            return 0.0
        if not self._marked(self._generation):
            self._gap.there = True
            raise Unusable(f"the replica {self._target.place} was emptied, or is not mounted any more")
        try:
            last = self._target.newest(self._generation)
        except ReplicaGap:
            self._gap.there = True
            raise
        return last.at if last is not None else 0.0

    def _tried(self) -> str | None:
        """Why nothing can be written there, which whoever reads alone does not hear."""
        try:
            self._target.write(_TRIAL, b"")
        except Unusable as error:
            return str(error)
        return None

    async def _round(self) -> None:
        before = self._refused
        try:
            self._held = await asyncio.to_thread(self._look)
            self._refused = None
        except Unusable as error:
            self._refused = str(error)
        news = self._refused if self._refused != before else None
        if news is not None:
            log.warning("%s", news)
        await asyncio.to_thread(self._find_others)
        if self._child.astray and monotonic() >= self._astray_from:
            self._astray_from = monotonic() + LATE_S
            log.warning("%s", _ASTRAY)
            await asyncio.to_thread(self._gap.lay)
        if self._gap.there:
            await self._begin_again(news)
        await self._tell_admins()
        await self._tell_if_late()
        if self._keeps_up:
            await self._tidy()

    async def _begin_again(self, why: str | None) -> None:
        """Not behind the gap; `why` is told where it is new. Without the lease it is begun anew when that is there."""
        if self._child.alive and (self._refused is not None or not self._database.fenced):
            await self._child.stop()
        if not self._database.fenced:
            self._child.start()
            if why is not None:
                await self._tell(f"The replica begins anew with all of the data: {why}")

    async def _tell_if_late(self) -> None:
        late = self.age_s > LATE_S
        if late and not self._late:
            why = self._refused or await asyncio.to_thread(self._tried) or self._child.trouble or _SLOW
            await self._tell(f"The replica {self._target.place} is more than {LATE_S:.0f} s behind: {why}")
        elif self._late and not late:
            log.warning("the replica %s keeps up again", self._target.place)
        self._late = late

    @property
    def _keeps_up(self) -> bool:
        return bool(self._held) and not self._late and not self._database.fenced

    async def _drill(self) -> None:
        """Try the replica once a week, in a process of its own: the first time when it was filled. One that is not
        sound begins anew; what was not fit is tried again the next day."""
        now = self._clock.now()
        if monotonic() < self._drill_from or not self._keeps_up:
            return
        self._drill_from = monotonic() + _LOOK_AGAIN_S
        at, was_fit = await self._database.read(replica_notices.last_trial, SYSTEM, name="replica")
        if now - at < (_WEEK_S if was_fit else _DAY_S):
            return
        asked = json.dumps({"file": str(self._database.folder.file), "at": asdict(self._at)})
        told: dict[str, Any] = {"ok": False, "detail": "the trial ended without a word"}
        try:
            said = await _trial(asked.encode(), self._leaves)
        except TimeoutError:
            told["detail"] = f"the trial took longer than {_LONGEST_DRILL_S:,.0f} s, and was ended"
        else:
            if said is None:
                return
            if said:
                told = json.loads(said)
        finally:  # one that was ended leaves all of the data there
            await asyncio.to_thread(shutil.rmtree, self._database.folder.path / ASIDE, ignore_errors=True)
        if told.pop("unsound", False):
            log.warning("the replica begins anew with all of the data: %s", told["detail"])
            told["detail"] += "; the replica begins anew with all of the data"
            await asyncio.to_thread(self._gap.lay)
        await self._database.write(partial(replica_notices.tried, **told), SYSTEM, essential=True)

    async def _tidy(self) -> None:
        """Delete generations that answer no time of the last days any more, one in a round."""
        if monotonic() < self._tidy_from or self._generation is None:
            return
        ahead = await self._database.read(lambda tx: tx.now - tx.trusted_now, SYSTEM, name="replica")
        found = await asyncio.to_thread(generations, self._target)
        old = next(outlived(found, self._generation, self._at.days, wall() - ahead), None)
        if old is None:
            self._tidy_from = monotonic() + _LOOK_AGAIN_S
            return
        await asyncio.to_thread(self._target.remove, old)
        log.info("the generation %s of the replica was deleted: it goes back further than asked for", old)

    async def _tell(self, text: str) -> None:
        """Tell the operator, and the admins as soon as anything may be written."""
        log.warning("%s", text)
        self._untold = text
        await self._tell_admins()

    async def _tell_admins(self) -> None:
        if self._untold is None or self._database.fenced:
            return
        text = self._untold
        await self._database.write(
            partial(replica_notices.failed, what="late", error=text), SYSTEM, essential=True
        )
        self._untold = None


async def _trial(asked: bytes, leaves: asyncio.Event) -> bytes | None:
    """What a trial in a process of its own says; None where it was given up before. Raises TimeoutError."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "kbwork.replica.drill"),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        start_new_session=True,
    )
    talk = asyncio.create_task(process.communicate(asked))
    left = asyncio.create_task(leaves.wait())
    try:
        async with asyncio.timeout(_LONGEST_DRILL_S):
            await asyncio.wait({talk, left}, return_when=asyncio.FIRST_COMPLETED)
        return talk.result()[0] if talk.done() else None
    finally:
        left.cancel()
        if process.returncode is None:
            with suppress(ProcessLookupError):  # the engine that it has run ends with it
                os.killpg(process.pid, signal.SIGKILL)
        await asyncio.wait([talk])
