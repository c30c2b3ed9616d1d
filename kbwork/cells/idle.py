"""Ends a server that nobody asks anything, until something is due."""

import json
import logging
from collections.abc import Callable
from pathlib import Path

from kbwork.base.caller import SYSTEM
from kbwork.base.clock import monotonic
from kbwork.base.dataclasses import dataclass
from kbwork.cells import moments
from kbwork.core.operations.registry import Registry
from kbwork.core.ports import mail
from kbwork.db.database import Database
from kbwork.db.tx import Read
from kbwork.worker.periodic import PeriodicTask

log = logging.getLogger("kbwork.idle")
NEXT_WAKE = "next-wake"
"""The file of the data folder that says, in Unix seconds, when the server has something to do again."""
SOON_S = 120
"""It is not worth to stop for less."""
_LOOKS = 20


@dataclass(frozen=True, slots=True)
class ServedTraffic:
    """What is asked of a server, as far as it keeps it awake."""

    asked: Callable[[], int]
    """How many requests were answered."""
    answering: Callable[[], bool]
    """Whether an answer is under way, such as a stream."""
    waiting: Callable[[], bool]
    """Whether something written is still to go elsewhere."""


class IdleStop:
    """From `start` to `stop` on the running loop."""

    def __init__(
        self,
        database: Database,
        registry: Registry,
        traffic: ServedTraffic,
        *,
        minutes: float,
        end: Callable[[], None],
    ) -> None:
        self._database = database
        self._registry = registry
        self._traffic = traffic
        self._idle_s = minutes * 60
        self._end = end
        self._asked = 0
        self._since = monotonic()
        self._rounds = PeriodicTask(
            self._round, name="the idle stop", log=log, every_s=min(5.0, self._idle_s / _LOOKS)
        )

    def start(self) -> None:
        wake = self._database.folder.path / NEXT_WAKE
        wake.unlink(missing_ok=True)
        self._rounds.start()

    async def stop(self) -> None:
        await self._rounds.stop()

    async def _round(self) -> None:
        asked = self._traffic.asked()
        if asked != self._asked or self._traffic.answering() or self._traffic.waiting():
            self._asked, self._since = asked, monotonic()
            return
        if monotonic() - self._since < self._idle_s:
            return
        now, moment = await self._database.read_on_thread(self._following, SYSTEM)
        if moment - now <= SOON_S or self._traffic.asked() != asked or self._traffic.answering():
            return
        note(self._database.folder.path, moment)
        log.info("nothing is asked and nothing is due for %d s: the server stops", moment - now)
        self._end()

    def _following(self, tx: Read) -> tuple[int, int]:
        now = tx.now
        return now, moments.following(tx, self._registry, sends_mail=mail.sends(tx))


def note(folder: Path, moment: int) -> None:
    """Write down when there is something to do."""
    part = folder / f"{NEXT_WAKE}.part"
    part.write_text(json.dumps({"at": moment}), "ascii")
    part.rename(folder / NEXT_WAKE)


def noted(folder: Path) -> int | None:
    """When there is something to do in a folder that nobody serves; None: that was not written down."""
    try:
        return int(json.loads((folder / NEXT_WAKE).read_text("ascii"))["at"])
    except (OSError, ValueError, KeyError, TypeError):
        return None
