"""Keeping the WAL short: it is restarted past 16 MB, and no write waits for whoever reads.

Where another program copies the WAL away it restarts it itself, and nobody here does meanwhile. It never cuts the file,
so there what counts is the frames in it. A checkpoint here takes frames out of its sight that it may not have copied,
which it cannot tell: whoever has it copy is told beforehand.
"""

import logging
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

import apsw

from kbwork.base.clock import monotonic, wall
from kbwork.db.connection import BUSY_MS, await_locks
from kbwork.db.holders import holders, named

log = logging.getLogger("kbwork.db")

_RESTART_BYTES = 16 * 1024 * 1024
_WARN_BYTES = 64 * 1024 * 1024
_UNREAD_BYTES = 256 * 1024 * 1024
"""So much may wait for whoever copies the WAL away."""
_PAGE_BYTES = 4096
_PASSIVE_FRAMES = 1000
_MOST_COMMITS = 10_000
_TOLERANCE_S = 0.05
"""Files are stamped by a clock that ticks some hundred times a second."""
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


class CopiedLog:
    """A WAL that another program copies away: how many frames it has, and when what is in it was written."""

    def __init__(self, copies: Callable[[], bool], cut: Callable[[str], None]) -> None:
        """`copies` says whether that program is there, or is expected back soon. `cut` hears, with the reason, that
        frames are about to go that it may not have copied, or others to come in the place of some that it has; where it
        raises OSError those that are to go stay. Both on the writer's thread."""
        self.copies = copies
        self.cut = cut
        self.frames = 0
        self._began = wall()
        self._commits: deque[float] = deque()
        """When each commit began that may not be copied yet, one for each second."""
        self._last = 0.0

    def listen(self, connection: apsw.Connection) -> None:
        """Hear of each commit. It takes the place of SQLite's own checkpoint after a thousand frames."""
        connection.set_wal_hook(self._committed)

    def begin(self) -> None:
        """A transaction begins: what it writes is stamped no earlier."""
        self._began = wall()

    def waits_since(self, copied: float) -> float | None:
        """When the first commit began that is newer than what was copied; None where there is none."""
        copied += _TOLERANCE_S
        while self._commits and self._commits[0] <= copied:
            self._commits.popleft()
        if self._commits:
            return self._commits[0]
        return copied if self._last > copied else None

    @property
    def bytes(self) -> int:
        return self.frames * _PAGE_BYTES

    def _committed(self, _connection: apsw.Connection, _database: str, frames: int) -> int:
        self.frames = frames
        self._last = self._began
        second = not self._commits or self._began - self._commits[-1] >= 1
        if second and len(self._commits) < _MOST_COMMITS:
            self._commits.append(self._began)
        return apsw.SQLITE_OK


class Checkpoints:
    """Asked after each group of writes, and every few milliseconds while it holds reads back."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._wal = Path(f"{file}-wal")
        self.gate: Gate | None = None
        self.copied: CopiedLog | None = None
        self.done = 0
        self.wanted = False
        """The log holds what was purged: it is restarted however short it is."""
        self._held_since: float | None = None
        self._again_at = 0.0
        self._look_at = 0.0
        self._told = ""
        """Who was named as in the way, since the WAL was short last."""

    def listen(self, connection: apsw.Connection) -> None:
        """The connection that writes is this one from now on."""
        if self.copied is not None:
            self.copied.listen(connection)
        else:
            connection.wal_autocheckpoint(_PASSIVE_FRAMES)

    def begin(self) -> None:
        """A transaction begins."""
        if self.copied is not None:
            self.copied.begin()

    @property
    def patience(self) -> float | None:
        """How many seconds it may be left alone while nothing is written; None: as long as that is so."""
        if self._held_since is not None:
            return _LOOK_S
        return _AGAIN_S if self.wanted else None

    def step(self, connection: apsw.Connection | None) -> None:
        """Restart a WAL that has grown, once the reads on threads have ended; give up for a while after a second."""
        size = self._size()
        if connection is not None and self._left_to_others(connection, size):
            self.rest()
            return
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

    def _left_to_others(self, connection: apsw.Connection, size: int) -> bool:
        """Whether somebody else keeps the WAL short. Where they do not, what SQLite would do at each commit is done."""
        if self.copied is None:
            return False
        if self.copied.copies() and size < _UNREAD_BYTES:
            return True
        if size >= _PASSIVE_FRAMES * _PAGE_BYTES:
            self._checkpoint(connection, apsw.SQLITE_CHECKPOINT_PASSIVE)
        return False

    def _size(self) -> int:
        if self.copied is not None:
            return self.copied.bytes
        try:
            return self._wal.stat().st_size
        except OSError:
            return 0

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
        if self._checkpoint(connection, apsw.SQLITE_CHECKPOINT_TRUNCATE):
            self.done += 1
            self.wanted = False
            if self.copied is not None:
                self.copied.frames = 0

    def _checkpoint(self, connection: apsw.Connection, mode: int) -> bool:
        """Whether it went through; no write waits for it."""
        await_locks(connection, _PATIENCE_MS)
        try:
            if self.copied is not None:
                self.copied.cut("the log was not copied for too long, and is shortened")
            connection.wal_checkpoint(mode=mode)
        except OSError as error:
            log.warning("the WAL is not shortened: %s", error)
        except apsw.BusyError:
            log.debug("the WAL is not restarted: another program reads from it")
        except apsw.Error as error:
            log.warning("the checkpoint waits: %s", error)
        else:
            return True
        finally:
            await_locks(connection, BUSY_MS)
        return False
