"""A standby: it follows the newest epoch of a replica into a folder of its own, within a second or two.

The program that fills the file cannot go on once it was ended, so each start restores all of the data first, and so
does each new epoch. It is ended by a promotion, when all has come.
"""

import contextlib
import json
import logging
import os
import shutil
import signal
import subprocess
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import IO

from kbwork.base.clock import wall
from kbwork.base.dataclasses import asdict, dataclass
from kbwork.db.connection import Unusable
from kbwork.db.folder import CUT, FOLLOWED, Folder
from kbwork.replica import lease
from kbwork.replica.engine import environment, following, mortal, program
from kbwork.replica.epoch import COPIED, KNOWN
from kbwork.replica.lease import Passing, SeenLease
from kbwork.replica.target import ReplicaTarget, epoch_of, target_of
from kbwork.settings import ReplicateSettings

log = logging.getLogger("kbwork.standby")
LATE_S = 60.0
EVERY_S = 1.0
_TRANSACTION = "kbwork.db-txid"
"""Beside the file: the last transaction that came."""
_SAID = "standby.log"
_LIST_S = 15.0
_MOST_SAID = 1024 * 1024
"""While a store is away the program says so twice a second."""
_END_S = 10.0
_PAUSES_S = (1, 2, 5, 15, 30)
_LEFT = ("kbwork.db", _TRANSACTION, "kbwork.db-wal", "kbwork.db-shm", "kbwork.db.tmp")


@dataclass(frozen=True, slots=True)
class StandbyState:
    """What a standby wrote of itself into its folder."""

    pid: int
    at: int
    """When, in Unix seconds."""
    generation: str
    """Which it follows; empty: none yet."""
    epoch: int
    transaction: int
    """The last that came; 0: none yet."""
    behind_s: float | None
    """For how long it has not had all that lies there; None: it was not found out."""
    trouble: str | None
    lease_tag: str
    lease_since: float
    """Since when the lease was seen with this tag, by the clock of what passes on this machine."""
    boot: str
    """Which start of the machine that clock is of."""

    @staticmethod
    def known(folder: Path) -> "StandbyState | None":
        """None: no standby fills this folder."""
        try:
            return StandbyState(**json.loads((folder / FOLLOWED).read_text("utf-8")))
        except (OSError, ValueError, TypeError):
            return None

    def healthy(self) -> bool:
        return self.trouble is None and self.behind_s is not None and self.behind_s <= LATE_S


class Standby:
    """Its folder is locked by whoever runs it."""

    def __init__(
        self, at: ReplicateSettings, folder: Folder, environ: Mapping[str, str], clock: Passing | None = None
    ) -> None:
        self._at = at
        self._path = folder.path
        self._file = folder.file
        self._environ = environ
        self._clock = clock or Passing()
        self._target: ReplicaTarget = target_of(at, environ)
        self._process: subprocess.Popen[bytes] | None = None
        self._said: IO[bytes] | None = None
        self._generation = ""
        self._seen: SeenLease | None = None
        self._list_at = float("-inf")
        self._start_at = float("-inf")
        self._failures = 0
        self._missing_since: float | None = None
        self._told: tuple[object, ...] = ()
        self.state = self._state(0, None, None)

    def run(self, stop: threading.Event) -> None:
        """Follow until `stop` is set."""
        try:
            while not stop.is_set():
                self.round()
                stop.wait(EVERY_S)
        finally:
            self.end()

    def round(self) -> None:
        """Look once, and see that the right epoch is followed."""
        trouble, behind = None, None
        try:
            self._look_at_lease()
            self._follow(self._newest_generation())
            behind = self._behind()
        except Unusable as error:
            trouble = str(error)
        except OSError as error:
            trouble = f"{error.filename or self._path} cannot be used: {error.strerror or error}"
        self.state = self._state(self.transaction, behind, trouble)
        self._note()
        self._tell()
        if self._said is not None and os.fstat(self._said.fileno()).st_size > _MOST_SAID:
            os.truncate(self._said.fileno(), 0)

    def end(self) -> None:
        """End the program that fills the file. What came is whole."""
        process, self._process = self._process, None
        if process is not None:
            end(process)
        if self._said is not None:
            self._said.close()
            self._said = None

    @property
    def transaction(self) -> int:
        return transaction_of(self._path)

    def _look_at_lease(self) -> None:
        seen = lease.read(self._target, self._clock.passing)
        if seen is None or self._seen is None or seen.tag != self._seen.tag:
            self._seen = seen

    def _newest_generation(self) -> str:
        """The last that holds data. It is looked for where another may have begun."""
        now = self._clock.passing()
        later = self._seen is not None and self._seen.record.epoch > epoch_of(self._generation)
        if self._generation and not later and now - self._list_at < _LIST_S:
            return self._generation
        self._list_at = now
        found = filled(self._target)
        if not found:
            raise Unusable(
                f"the replica {self._target.place} holds no data yet: start the server that fills it"
            )
        return found

    def _follow(self, generation: str) -> None:
        """See that this one is followed. Raises Unusable."""
        ended = self._process is not None and self._process.poll() is not None
        if generation == self._generation and self._process is not None and not ended:
            return
        why = self._last_word() if ended else None
        self.end()
        if generation != self._generation:
            self._failures, self._start_at = 0, float("-inf")
        elif ended and self._start_at == float("-inf"):
            self._start_at = self._clock.passing() + _PAUSES_S[min(self._failures, len(_PAUSES_S) - 1)]
            self._failures += 1
        if self._clock.passing() < self._start_at:
            raise Unusable(f"Litestream ended and is started again: {why or 'see above'}")
        self._start(generation)

    def _start(self, generation: str) -> None:
        words = following(program(self._at), self._file, self._target.engine(generation))
        wipe(self._path)
        self._generation, self._start_at, self._missing_since = generation, float("-inf"), None
        self.state = self._state(0, None, None)
        self._note()
        (self._path / _SAID).unlink(missing_ok=True)
        self._said = (self._path / _SAID).open("ab")
        self._process = subprocess.Popen(  # noqa: S603 - the operator's own program
            mortal(words),
            env=environment(self._target, self._environ),
            stdin=subprocess.DEVNULL,
            stdout=self._said,
            stderr=subprocess.STDOUT,
        )
        log.info("it follows %s from now on, and restores all of it first", generation)

    def _behind(self) -> float | None:
        """None: the data have not all come for the first time."""
        have = self.transaction
        if not have:
            return None
        last = self._target.newest(self._generation)
        now = self._clock.passing()
        if last is None or have >= last.number:
            self._missing_since, self._failures = None, 0
            return 0.0
        if self._missing_since is None:
            self._missing_since = now
        return now - self._missing_since

    def _last_word(self) -> str:
        with contextlib.suppress(OSError):
            lines = (self._path / _SAID).read_text("utf-8", "replace").strip().splitlines()
            return lines[-1][:300] if lines else "it said nothing"
        return "it said nothing"

    def _state(self, transaction: int, behind: float | None, trouble: str | None) -> StandbyState:
        seen = self._seen
        return StandbyState(
            os.getpid(),
            round(wall()),
            self._generation,
            epoch_of(self._generation),
            transaction,
            None if behind is None else round(behind, 1),
            trouble,
            seen.tag if seen is not None else "",
            seen.since if seen is not None else 0.0,
            lease.boot(),
        )

    def _note(self) -> None:
        path = self._path / FOLLOWED
        part = path.with_name(f"{FOLLOWED}.part")
        with contextlib.suppress(OSError):  # a full disk: the next round does
            with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as out:
                json.dump(asdict(self.state), out)
            part.rename(path)

    def _tell(self) -> None:
        """Where it stands, once for each change."""
        state = self.state
        late = state.behind_s is not None and state.behind_s > LATE_S
        told = (state.trouble, state.generation, state.behind_s is None, late)
        if told == self._told:
            return
        self._told = told
        if state.trouble is not None:
            log.warning("%s", state.trouble)
        elif late:
            log.warning("it is %.0f s behind", state.behind_s)
        elif state.behind_s is not None:
            log.info("it has all of %s, up to transaction %d", state.generation, state.transaction)


def transaction_of(folder: Path) -> int:
    """The last that came into a folder; 0: none."""
    with contextlib.suppress(OSError, ValueError):
        return int((folder / _TRANSACTION).read_text("ascii"), 16)
    return 0


def filled(target: ReplicaTarget) -> str:
    """The last generation that holds data; empty: there is none. Raises Unusable."""
    return next((one for one in reversed(target.generations()) if target.newest(one) is not None), "")


def wipe(folder: Path) -> None:
    """Take away what a standby laid in a folder; nothing else is touched."""
    for name in _LEFT:
        (folder / name).unlink(missing_ok=True)


def settle(folder: Path) -> None:
    """The data of a folder are followed no more: what belonged to that, and to an epoch before, goes."""
    shutil.rmtree(folder / COPIED, ignore_errors=True)
    for name in (KNOWN, CUT, _TRANSACTION, _SAID, FOLLOWED):
        (folder / name).unlink(missing_ok=True)


def end(process: "subprocess.Popen[bytes]") -> None:
    """Ask it to end, and kill it where it does not."""
    with contextlib.suppress(ProcessLookupError):
        process.send_signal(signal.SIGTERM)
    try:
        process.wait(_END_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
