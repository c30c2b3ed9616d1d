"""The data file of one folder, open for service: one writer, quick reads on the loop, slow ones on threads."""

import asyncio
import concurrent.futures
import contextlib
import hashlib
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from kbwork.base.caller import SYSTEM, Caller
from kbwork.base.clock import Clock
from kbwork.db import guard, migrate
from kbwork.db.folder import Folder, Places
from kbwork.db.readers import Readers
from kbwork.db.tx import Catalogue, Read, Tracked, Write
from kbwork.db.writer import Answered, Group, Task, Writer

T = TypeVar("T")


class Database:
    """Open the folder's file, migrated; refuse when another process holds the folder.

    Raises Unusable with one line for the operator.
    """

    def __init__(self, path: Path, clock: Clock) -> None:
        self.folder = Folder(path)
        self.folder.prepare()
        self.folder.lock()
        try:
            migrate.migrate(self.folder.file, clock)
            self.folder.reserve()
            self.master_key = self.folder.master_key()
            self._catalogue = catalogue = Catalogue()
            catalogue.places = Places(self.folder.file, self.folder.path / "backups", {})
            catalogue.secret = hashlib.sha256(b"kbwork signing" + self.master_key).digest()
            self._writer = Writer(self.folder, clock, catalogue, self._answer)
            self._readers = Readers(self.folder.file, clock, catalogue)
        except BaseException:
            self.folder.unlock()
            raise
        self._writer.checkpoints.gate = self._readers
        self._writer.after_commit.append(self._committed)
        self.doing: set[str] = set()
        """What is going on that must go on once at a time, in words."""
        self._loop: asyncio.AbstractEventLoop | None = None
        self._listeners: list[Callable[[Group], None]] = []
        guard.guard(self.folder.file)
        self._writer.start()

    def know(self, registry: Any, access_tables: frozenset[str], tracked: dict[str, Tracked]) -> None:
        """Tell transactions of the registry, which tables decide who sees what, and which columns have a history."""
        self._catalogue.registry = registry
        self._catalogue.access_tables = access_tables
        self._catalogue.tracked = tracked

    def lay_backups(self, home: Path | None, named: dict[str, Path]) -> None:
        """Say where backups are laid, where the operator named other folders."""
        places: Places = self._catalogue.places
        self._catalogue.places = Places(places.file, home or places.home, named)

    @property
    def seq(self) -> int:
        """The sequence number of the last event on disk."""
        return self._writer.committed

    @property
    def access(self) -> int:
        """Counts commits that changed who may do or see what."""
        return self._catalogue.access

    @property
    def version(self) -> int:
        """Counts commits: what was read at another version may be out of date."""
        return self._writer.version

    @property
    def figures(self) -> dict[str, int]:
        """What the metrics show."""
        wal = Path(f"{self.folder.file}-wal")
        return {
            "seq": self.seq,
            "writes_waiting": self._writer.waiting,
            "reads_interrupted": self._readers.interrupted,
            "file_bytes": self.folder.file.stat().st_size,
            "wal_bytes": wal.stat().st_size if wal.exists() else 0,
        }

    def listen(self, heard: Callable[[Group], None]) -> None:
        """Hear of each commit, on the event loop."""
        self._listeners.append(heard)

    async def read(self, fn: Callable[[Read], T], caller: Caller = SYSTEM, *, name: str = "") -> T:
        """One snapshot; see Readers.read."""
        return await self._readers.read(fn, caller, name)

    def read_now(self, fn: Callable[[Read], T], caller: Caller = SYSTEM) -> T:
        """A read on this thread, without a loop's budget."""
        return self._readers.read_now(fn, caller)

    def start_on_thread(self, name: str) -> None:
        self._readers.start_on_thread(name)

    async def write(self, fn: Callable[[Write], T], caller: Caller = SYSTEM, *, essential: bool = False) -> T:
        """One savepoint of the next group; returns after its COMMIT, or raises what `fn` raised.

        `essential` writes (deleting, signing in) may use the space laid aside for a full disk.
        Raises Busy or StorageFull when the disk refuses, and then nothing happened.
        """
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._writer.submit(Task(fn, caller, essential, future))
        return await future

    def write_now(self, fn: Callable[[Write], T], caller: Caller = SYSTEM) -> T:
        """A write from a command or a test, without a loop."""
        future: concurrent.futures.Future[T] = concurrent.futures.Future()
        self._writer.submit(Task(fn, caller, True, future))
        return future.result(timeout=60)

    def attach(self, loop: asyncio.AbstractEventLoop) -> None:
        """Name the loop on which commits are told."""
        self._loop = loop
        self._readers.loop_thread = threading.get_ident()

    def _answer(self, answered: Answered) -> None:
        """Settle a group's futures: those of a loop together, in one call to it."""
        waiting: dict[asyncio.AbstractEventLoop, Answered] = {}
        for task, answer, error in answered:
            if isinstance(task.future, concurrent.futures.Future):
                _settle([(task, answer, error)])
            else:
                waiting.setdefault(task.future.get_loop(), []).append((task, answer, error))
        for loop, part in waiting.items():
            with contextlib.suppress(RuntimeError):  # the loop ended, and with it whoever waited
                loop.call_soon_threadsafe(_settle, part)

    def _committed(self, group: Group) -> None:
        if self._loop is not None:
            with contextlib.suppress(RuntimeError):  # the loop ended: nobody listens
                self._loop.call_soon_threadsafe(self._tell, group)

    def _tell(self, group: Group) -> None:
        for heard in self._listeners:
            heard(group)

    def close(self) -> None:
        """Finish queued writes, checkpoint, close, unlock."""
        self._writer.stop()
        self._readers.close()
        guard.release(self.folder.file)
        self.folder.unlock()


def _settle(answered: Answered) -> None:
    for task, answer, error in answered:
        if task.future.done():  # whoever waited has gone
            continue
        if error is not None:
            task.future.set_exception(error)
        else:
            task.future.set_result(answer)
