"""Keeping the WAL short: it is restarted past 16 MB, and no write waits for whoever reads."""

import logging
from pathlib import Path
from typing import Protocol

import apsw

from kbwork.base.clock import monotonic
from kbwork.db.connection import BUSY_MS
from kbwork.db.holders import holders, named

log = logging.getLogger("kbwork.db")

_RESTART_BYTES = 16 * 1024 * 1024
_WARN_BYTES = 64 * 1024 * 1024
_HOLD_S = 1.0
_AGAIN_S = 5.0
_LOOK_S = 0.01
_STALE_S = 2.0
_LOOK_AGAIN_S = 60.0
_PATIENCE_MS = 20  # reads on the loop end in 2 ms; another program's may not end at all


class Gate(Protocol):
    """The reads on threads, as the checkpoint sees them."""

    @property
    def quiet(self) -> bool:
        """Whether none is under way."""

    def hold(self) -> None:
        """Keep new ones back until `release`."""

    def release(self) -> None: ...

    def cut(self, older_than_s: float) -> int:
        """Stop those that began longer ago; answers how many."""


class Checkpoints:
    """Asked after each group of writes, and every few milliseconds while it holds reads back."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._wal = Path(f"{file}-wal")
        self.gate: Gate | None = None
        self.done = 0
        self.wanted = False
        """The log holds what was purged: it is restarted however short it is."""
        self._held_since: float | None = None
        self._again_at = 0.0
        self._look_at = 0.0
        self._told = ""
        """Who was named as in the way, since the WAL was short last."""

    @property
    def patience(self) -> float | None:
        """How many seconds it may be left alone while nothing is written; None: as long as that is so."""
        if self._held_since is not None:
            return _LOOK_S
        return _AGAIN_S if self.wanted else None

    def step(self, connection: apsw.Connection | None) -> None:
        """Restart a WAL that has grown, once the reads on threads have ended; give up for a while after a second."""
        try:
            size = self._wal.stat().st_size
        except OSError:
            size = 0
        self.wanted = self.wanted and size > 0
        if connection is None or (size < _RESTART_BYTES and not self.wanted):
            self._told = ""
            self.rest()
            return
        now = monotonic()
        if size >= _WARN_BYTES:
            self._complain(size, now)
        if self._held_since is None:
            if now < self._again_at:
                return
            self._held_since = now
            if self.gate is not None:
                self.gate.hold()
        if self.gate is None or self.gate.quiet:
            self._restart(connection)
        elif now - self._held_since < _HOLD_S:
            return
        self.rest()
        self._again_at = monotonic() + _AGAIN_S

    def rest(self) -> None:
        """Let reads pass."""
        if self._held_since is not None and self.gate is not None:
            self.gate.release()
        self._held_since = None

    def _complain(self, size: int, now: float) -> None:
        """Stop reads of our own that are stale, and tell the operator of them, or of who else is in the way: once, and
        again when it is somebody else."""
        cut = self.gate.cut(_STALE_S) if self.gate is not None else 0
        if cut:
            self._warn(size, f"stopped {cut} slow reads")
        elif not self._told or now >= self._look_at:
            self._look_at = now + _LOOK_AGAIN_S
            found = named(holders(self._file))
            who = f"end the other program that has it open{found and ': '}{found}"
            ended = self._told and not found
            if who != self._told and not ended:
                self._told = who
                self._warn(size, who)

    def _warn(self, size: int, what: str) -> None:
        log.warning(
            "the WAL has grown to %d MB, because the data file is being read for long: %s",
            size // (1024 * 1024),
            what,
        )

    def _restart(self, connection: apsw.Connection) -> None:
        connection.set_busy_timeout(_PATIENCE_MS)
        try:
            connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
            self.done += 1
            self.wanted = False
        except apsw.BusyError:
            log.debug("the WAL is not restarted: another program reads from it")
        except apsw.Error as error:
            log.warning("the checkpoint waits: %s", error)
        finally:
            connection.set_busy_timeout(BUSY_MS)
