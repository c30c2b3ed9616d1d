"""Counts on their way upstream: batches on disk, each under an id by which it counts once, however often it is sent.

No context is among them. What an edge counted itself goes into batches that grow until somebody takes them: a day
without upstream fills a few. Those of clients stay as they came.
"""

import contextlib
import json
import logging
import os
import re
import threading
import uuid
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Any, Final, NamedTuple

from kbwork.base.clock import monotonic
from kbwork.core.ports.flags import Answered, Counts

log = logging.getLogger("kbwork.edge")
MOST_BATCHES: Final = 10_000
MOST_BYTES: Final = 256 * 1024 * 1024
GROWS_S: Final = 10.0
"""So long a batch of the edge's own grows, if upstream answers."""
_MOST_EVENTS: Final = 500
_MOST_COUNT: Final = 1_000_000
_HOUR_MS: Final = 3_600_000
_LIBRARY: Final = "kbwork-edge/1"
_NAME: Final = re.compile(r"(\d{12})-([0-9a-f]{16})-([0-9a-f-]{36})\.json")


class SpoolFull(Exception):
    """So many batches wait already that no more are taken."""


class SpooledBatch:
    """One batch, in a file of its own."""

    def __init__(self, path: Path, number: int, ident: str, ident_of_batch: str, size: int = 0) -> None:
        self.path = path
        self.number = number
        self.ident = ident
        """Of the key that it is sent by."""
        self.id = ident_of_batch
        self.size = size
        self.since = monotonic()
        self.put_off_at: float | None = None
        """When it was first answered by what stands before upstream; None: it never was."""
        self.answers: list[tuple[Answered, int]] | None = None
        """Of one that may still grow: it was not sent yet."""

    @property
    def written_at(self) -> float:
        """In Unix seconds. Raises OSError."""
        return self.path.stat().st_mtime

    def document(self) -> dict[str, Any]:
        """What is sent. Raises OSError or ValueError."""
        found: dict[str, Any] = json.loads(self.path.read_bytes())
        return found


class _Slot(NamedTuple):
    """Where an answer is counted."""

    batch: SpooledBatch
    place: int


class CountSpool:
    """May be called from any thread; blocks for the disk."""

    def __init__(self, folder: Path) -> None:
        """Takes over what lies there. Raises OSError."""
        self._folder = folder
        self._lock = threading.Lock()
        self._batches: dict[int, SpooledBatch] = {}
        self._ids: set[tuple[str, str]] = set()
        self._slots: dict[tuple[str, Answered], _Slot] = {}
        self._growing: dict[str, SpooledBatch] = {}
        """By key, the newest batch that may grow."""
        self._unwritten: dict[int, SpooledBatch] = {}
        """Those that hold more than their files do."""
        self._bytes = 0
        self._next = 1
        self._is_told = False
        self._sent = self._dropped = self._put_off = self._refused = 0
        folder.mkdir(mode=0o700, exist_ok=True)
        for path in sorted(folder.iterdir()):
            self._found(path)

    def _found(self, path: Path) -> None:
        name = _NAME.fullmatch(path.name)
        if name is None:
            if path.name.endswith(".part"):
                path.unlink()
            return
        batch = SpooledBatch(path, int(name[1]), name[2], name[3], path.stat().st_size)
        self._keep(batch)
        self._next = batch.number + 1

    @property
    def figures(self) -> dict[str, float]:
        """For the metrics. Without the lock: who holds it waits for the disk, and who asks may be the event loop."""
        return {
            "batches": len(self._batches),
            "bytes": self._bytes,
            "sent_total": self._sent,
            "dropped_total": self._dropped,
            "put_off_total": self._put_off,
            "refused_total": self._refused,
        }

    # -- filled ---------------------------------------------------------------------------------------

    def put(self, ident: str, batch: str, counts: Iterable[tuple[Answered, int]]) -> bool:
        """Keep a client's batch; False where it is here already. Raises SpoolFull, or OSError."""
        with self._lock:
            if (ident, batch) in self._ids:
                return False
            if not self._has_room():
                raise SpoolFull
            made = self._new(ident, batch)
            try:
                self._write(made, list(counts))
                self._settle()
            except OSError:
                self._forget(made)
                raise
            return True

    def add(self, ident: str, counts: Counts) -> Counts:
        """Keep what the edge counted for a key; answers what there is no room for. Raises OSError, and then nothing
        is lost: what was added goes into the next round."""
        left: Counts = {}
        with self._lock:
            for answered, count in counts.items():
                if rest := self._counted(ident, answered, count):
                    left[answered] = rest
            self._write_all()
        return left

    def _counted(self, ident: str, answered: Answered, count: int) -> int:
        """Count in memory; answers how much has no room."""
        while count > 0 and (slot := self._slot(ident, answered)) is not None:
            answers = slot.batch.answers
            assert answers is not None, "it grows"
            before = answers[slot.place][1]
            taken = min(count, _MOST_COUNT - before)
            answers[slot.place] = (answered, before + taken)
            self._unwritten[slot.batch.number] = slot.batch
            count -= taken
            if count:
                del self._slots[ident, answered]
        return count

    @property
    def is_behind(self) -> bool:
        """Whether something is not on disk that should be: the disk refused it."""
        return bool(self._unwritten)

    def catch_up(self) -> None:
        """Write what is not on disk yet. Raises OSError."""
        with self._lock:
            self._write_all()

    def _write_all(self) -> None:
        if not self._unwritten:
            return
        for number, batch in list(self._unwritten.items()):
            self._write(batch, batch.answers or [])
            del self._unwritten[number]
        self._settle()

    def _slot(self, ident: str, answered: Answered) -> _Slot | None:
        """Where this answer is counted; None where there is no room for it."""
        found = self._slots.get((ident, answered))
        if found is not None:
            return found
        batch = self._growing.get(ident)
        if batch is None or batch.answers is None or len(batch.answers) >= _MOST_EVENTS:
            if not self._has_room():
                return None
            batch = self._growing[ident] = self._new(ident, str(uuid.uuid4()))
            batch.answers = []
        answers = batch.answers
        assert answers is not None, "it grows"
        answers.append((answered, 0))
        found = self._slots[ident, answered] = _Slot(batch, len(answers) - 1)
        return found

    def _has_room(self) -> bool:
        if len(self._batches) < MOST_BATCHES and self._bytes < MOST_BYTES:
            self._is_told = False
            return True
        self._refused += 1
        if not self._is_told:
            self._is_told = True
            log.error(
                "%d batches of counts wait already: more are refused until upstream takes some",
                len(self._batches),
            )
        return False

    def _new(self, ident: str, batch: str) -> SpooledBatch:
        number, self._next = self._next, self._next + 1
        made = SpooledBatch(self._folder / f"{number:012}-{ident}-{batch}.json", number, ident, batch)
        self._keep(made)
        return made

    def _keep(self, batch: SpooledBatch) -> None:
        self._batches[batch.number] = batch
        self._ids.add((batch.ident, batch.id))
        self._bytes += batch.size

    def _write(self, batch: SpooledBatch, counts: list[tuple[Answered, int]]) -> None:
        document = {"batchId": batch.id, "sdk": _LIBRARY, "events": [_event(*one) for one in counts]}
        content = json.dumps(document).encode()
        part = batch.path.with_suffix(".part")
        handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        part.replace(batch.path)
        self._bytes += len(content) - batch.size
        batch.size = len(content)

    def _settle(self) -> None:
        """The names are on disk, too."""
        handle = os.open(self._folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)

    # -- emptied --------------------------------------------------------------------------------------

    def take(self, idents: Collection[str], *, now: bool = False) -> SpooledBatch | None:
        """The oldest batch of these keys that is to be sent. One that grows is left to for a while, unless all is to go
        `now`."""
        with self._lock:
            latest = monotonic() - GROWS_S
            for batch in self._batches.values():
                if batch.ident not in idents or batch.number in self._unwritten:
                    continue
                if now or batch.answers is None or batch.since <= latest:
                    self._close(batch)
                    return batch
        return None

    def _close(self, batch: SpooledBatch) -> None:
        for answered, _ in batch.answers or ():
            slot = self._slots.get((batch.ident, answered))
            if slot is not None and slot.batch is batch:
                del self._slots[batch.ident, answered]
        batch.answers = None
        if self._growing.get(batch.ident) is batch:
            del self._growing[batch.ident]

    def sent(self, batch: SpooledBatch) -> None:
        """It has arrived."""
        self._remove(batch)
        self._sent += 1

    def put_off(self, batch: SpooledBatch) -> float:
        """It is sent again behind all others; answers for how many seconds that has been so."""
        with self._lock:
            self._batches[batch.number] = self._batches.pop(batch.number)
        self._put_off += 1
        if batch.put_off_at is None:
            batch.put_off_at = monotonic()
        return monotonic() - batch.put_off_at

    def drop(self, batch: SpooledBatch, why: str) -> None:
        """It is of no use to anybody."""
        log.error("a batch of counts is lost: %s", why)
        self._remove(batch)
        self._dropped += 1

    def drop_unknown(self, idents: Collection[str], before: int) -> None:
        """Those of other keys that were written before this, in Unix seconds: nobody will send them."""
        for batch in [one for one in self._batches.values() if one.ident not in idents]:
            if batch.written_at < before:
                self.drop(batch, "the file of keys does not name its key")

    def _remove(self, batch: SpooledBatch) -> None:
        with self._lock:
            self._forget(batch)

    def _forget(self, batch: SpooledBatch) -> None:
        del self._batches[batch.number]
        self._ids.discard((batch.ident, batch.id))
        self._bytes -= batch.size
        with contextlib.suppress(OSError):  # should it stay there it is sent once more, and counts once
            batch.path.unlink()


def _event(answered: Answered, count: int) -> dict[str, Any]:
    """As client libraries tell it: what a flag answered in one hour."""
    return {
        "kind": "summary",
        "to": answered.hour * _HOUR_MS,
        "flag": answered.flag,
        "version": answered.version,
        "variation": answered.variation,
        "count": count,
    }
