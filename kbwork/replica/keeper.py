"""The replica of a server that runs: it has the program run that fills it, and knows how far it is behind.

How far is what lies there, compared with the commits of this server: a program that says nothing of an outage is not
asked.
"""

import asyncio
import datetime
import json
import logging
import shutil
import sys
from collections.abc import Mapping
from functools import partial

from kbwork.base import ids
from kbwork.base.caller import SYSTEM
from kbwork.base.clock import Clock, SystemClock, monotonic, wall
from kbwork.base.dataclasses import asdict
from kbwork.db.connection import Unusable
from kbwork.db.database import Database
from kbwork.modules.maintenance import replica_notices
from kbwork.replica.child import EngineChild
from kbwork.replica.engine import environment, program, write_configuration
from kbwork.replica.target import ReplicaGap, target_of
from kbwork.settings import ReplicateSettings
from kbwork.worker.periodic import PeriodicTask

log = logging.getLogger("kbwork.replica")
LATE_S = 60.0
"""A replica that is further behind is told of."""
_EVERY_S = 5.0
_WEEK_S = 7 * 86_400
_FIRST_DRILL_S = 600.0
_LOOK_AGAIN_S = 3600.0
_LONGEST_DRILL_S = 3600.0
_MARK = "kbwork-replica"
"""An object beside the transactions, by which a place is known that was emptied, or is not mounted any more."""
KNOWN = "replica.generation"
"""The file of the data folder that names the generation which is being filled."""


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
        self._child = EngineChild(database.folder.path, self._command)
        self._log = database.copied_by(lambda: self._child.copies)
        self._began = wall()
        self._held = 0.0
        """When the newest was written that lies there, as it was looked at last."""
        self._refused: str | None = None
        """Why it could not be looked at."""
        self._late = False
        self._drill_from = monotonic() + _FIRST_DRILL_S
        self._generation: str | None = None
        """Where in the place transactions are laid."""
        self._burnt = False
        """Something is missing in it, or may be: another has to begin."""
        self._rounds = PeriodicTask(self._round, name="the replica", log=log, every_s=_EVERY_S)
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
        }

    def start(self) -> None:
        """Begin; a target that cannot be used is named in the log, and serving goes on."""
        self._child.start()
        self._rounds.start()

    async def stop(self) -> None:
        """Let everything go there that was written, and end."""
        await self._rounds.stop()
        await self._child.stop()

    async def pause(self) -> None:
        """Other data come in the place of these: nobody has the file open meanwhile."""
        await self._rounds.pause()
        await self._child.stop()

    def close(self) -> None:
        """Nothing reads or writes here."""

    def resume(self) -> None:
        self._child.start()
        self._rounds.resume()

    def _command(self) -> tuple[list[str], dict[str, str]]:
        """Raises Unusable."""
        found = program(self._at)
        self._generation = self._settled()
        replica = self._target.engine(self._generation)
        config = write_configuration(self._database.folder.file, replica, self._at.days)
        words = [str(found), "replicate", "-config", str(config), "-no-expand-env"]
        return words, environment(self._target, self._environ)

    def _settled(self) -> str:
        """The generation to go on with. Where the place does not know it any more, or has a gap in it, another begins
        with all of the data: what was laid behind a gap opens nothing. Raises Unusable."""
        known = self._database.folder.path / KNOWN
        generation = known.read_text("ascii") if known.exists() else ""
        if generation and not self._burnt and self._target.read(f"{generation}/{_MARK}") is not None:
            return generation
        began = datetime.datetime.fromtimestamp(wall(), datetime.UTC)
        generation = f"{began:%Y%m%dT%H%M%SZ}-{ids.random_bytes(3).hex()}"
        self._target.write(f"{generation}/{_MARK}", b"kbwork\n")
        shutil.rmtree(self._database.folder.file.with_name(".kbwork.db-litestream"), ignore_errors=True)
        known.write_text(generation, "ascii")
        self._began, self._held, self._burnt = wall(), 0.0, False
        return generation

    def _look(self) -> float:
        """Raises Unusable."""
        if self._generation is None:
            self._target.generations()
            return 0.0
        if self._target.read(f"{self._generation}/{_MARK}") is None:
            self._burnt = True
            raise Unusable(f"the replica {self._target.place} was emptied, or is not mounted any more")
        try:
            return self._target.newest(self._generation) or 0.0
        except ReplicaGap:
            self._burnt = True
            raise

    async def _round(self) -> None:
        try:
            self._held = await asyncio.to_thread(self._look)
            self._refused = None
        except Unusable as error:
            if str(error) != self._refused:
                self._refused = str(error)
                log.warning("%s", error)
            if self._burnt:  # it would go on behind the gap
                await self._child.stop()
                self._child.start()
                await self._tell(f"The replica begins anew with all of the data: {self._refused}")
        late = self.age_s > LATE_S
        if late and not self._late:
            why = self._refused or self._child.trouble or "it does not keep up"
            await self._tell(f"The replica {self._target.place} is more than {LATE_S:.0f} s behind: {why}")
        self._late = late
        if self._held and not late:
            await self._drill()

    async def _drill(self) -> None:
        """Try the replica once a week, in a process of its own: the first time when it was filled."""
        now = self._clock.now()
        if monotonic() < self._drill_from:
            return
        self._drill_from = monotonic() + _LOOK_AGAIN_S
        if now - await self._database.read(replica_notices.tried_at, SYSTEM, name="replica") < _WEEK_S:
            return
        asked = json.dumps({"file": str(self._database.folder.file), "at": asdict(self._at)})
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "kbwork.replica.drill"),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
        )
        try:
            said, _ = await asyncio.wait_for(process.communicate(asked.encode()), _LONGEST_DRILL_S)
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
        told = json.loads(said) if said else {"ok": False, "detail": "the trial ended without a word"}
        await self._database.write(partial(replica_notices.tried, **told), SYSTEM, essential=True)

    async def _tell(self, text: str) -> None:
        """Tell the operator and the admins."""
        log.warning("%s", text)
        await self._database.write(
            partial(replica_notices.failed, what="late", error=text), SYSTEM, essential=True
        )
