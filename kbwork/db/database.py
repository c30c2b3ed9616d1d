"""The data file of one folder, open for service: one writer, quick reads on the loop, slow ones on threads."""

import asyncio
import concurrent.futures
import contextlib
import logging
import shutil
import threading
from collections.abc import Callable, Iterable, Mapping
from contextvars import ContextVar
from pathlib import Path
from types import MappingProxyType
from typing import Any, Protocol, TypeVar

import apsw

from kbwork.base.caller import SYSTEM, Caller
from kbwork.base.clock import Clock, TrustedTime, monotonic
from kbwork.base.dataclasses import replace
from kbwork.base.errors import Busy
from kbwork.base.tasks import uncut
from kbwork.db import guard, migrate, swap
from kbwork.db.checkpoint import CopiedLog
from kbwork.db.connection import Unusable, connect
from kbwork.db.deferred import FIRST_SPANS, Deferred
from kbwork.db.documents import DocumentedKind, Entry
from kbwork.db.folder import Bucket, Folder, Places, PlaceSettings, refused, signing_secret
from kbwork.db.readers import Readers
from kbwork.db.tx import Catalogue, Read, TooSlow, Tracked, Write
from kbwork.db.writer import Answered, Group, Task, Writer

log = logging.getLogger("kbwork.db")
T = TypeVar("T")
_PATIENCE_S = 2.0
_BACK_AFTER_S = 2
_BEGAN: "ContextVar[tuple[Database, int] | None]" = ContextVar("kbwork_began", default=None)
"""With which data, and in which era of theirs, the running call or job began."""


class Database:
    """Open the folder's file, migrated; refuse when another process holds the folder.

    Raises Unusable with one line for the operator.
    """

    def __init__(self, path: Path, clock: Clock, *, held: Folder | None = None) -> None:
        """`held` is the same folder, locked already by whoever opens it, who unlocks it afterwards."""
        self.folder = held or Folder(path)
        self._lent = held is not None
        if not self._lent:
            self.folder.prepare()
            self.folder.lock()
        self._clock = clock
        try:
            self.folder.end_engine()
            if not self._lent:
                swap.tidy(self.folder.path, self.folder.file)
            self.folder.begin()
            self.folder.reserve()
            self.master_key = self.folder.master_key()
            self._catalogue = catalogue = Catalogue(TrustedTime(clock))
            catalogue.places = Places(self.folder.file, self.folder.path / "backups", {})
            catalogue.secret = signing_secret(self.master_key)
            self._writer, self._readers = self._opened(migrate.opened(self.folder.file, clock))
        except OSError as error:
            self._unlock()
            raise refused(error, self.folder.path) from error
        except apsw.Error as error:
            self._unlock()
            raise Unusable(
                f"{self.folder.file} cannot be opened: {error}; look into it with: kbwork doctor --data"
                f" {self.folder.path}"
            ) from error
        except BaseException:
            self._unlock()
            raise
        self.doing: set[str] = set()
        """What is going on that must go on once at a time, in words."""
        self.era = 0
        """Counts how often other data took the place of these: what began in one era ends with it."""
        self._shut = False
        self._copied: CopiedLog | None = None
        self._fence: Callable[[], str | None] | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._listeners: list[Callable[[Group], None]] = []
        self._guests: list[SwapParticipant] = []
        self._writer.start()

    def _opened(self, connection: apsw.Connection) -> tuple[Writer, Readers]:
        """Who writes on this connection, and who reads; the writer does not run yet."""
        writer = Writer(self.folder, connection, self._clock, self._catalogue, self._answer)
        readers = Readers(self.folder.file, self._clock, self._catalogue)
        readers.settle = writer.settle
        writer.checkpoints.gate = readers
        writer.after_commit.append(self._committed)
        guard.guard(self.folder.file)
        return writer, readers

    def know(
        self,
        registry: Any,
        access_tables: frozenset[str],
        tracked: dict[str, Tracked],
        documented: Mapping[str, DocumentedKind] = MappingProxyType({}),
        deferred: Iterable[Deferred] = (),
    ) -> None:
        """Tell transactions of the registry, which tables decide who sees what, which columns have a history, what is
        kept as documents, and what waits for their end."""
        self._catalogue.registry = registry
        self._catalogue.access_tables = access_tables
        self._catalogue.tracked = tracked
        self._catalogue.waiting.know((FIRST_SPANS, *deferred))
        self._catalogue.rows = {said.table: {} for said, _ in documented.values()}
        self.read_now(
            lambda tx: self._catalogue.documents.know(lambda table: _columns(tx, table), documented)
        )

    def set_backup_places(
        self, home: Path | None, named: dict[str, Path], buckets: dict[str, Bucket] | None = None
    ) -> None:
        """Say where backups are laid, where the operator named other folders or stores."""
        places: Places = self._catalogue.places
        self._catalogue.places = replace(places, home=home or places.home, named=named, buckets=buckets or {})

    def set_export_place(self, at: PlaceSettings | None) -> None:
        """Say where events go by the day, where the operator named a place."""
        self._catalogue.places = replace(self._catalogue.places, export=at)

    def copied_by(self, copies: Callable[[], bool], cut: Callable[[str], None]) -> CopiedLog:
        """Leave the WAL to another program that copies it away, as long as `copies` says that it is there; see
        CopiedLog."""
        found = self._copied = CopiedLog(copies, cut)
        self.write_now(lambda _: self._writer.copied_by(found))
        return found

    def fenced_by(self, fence: Callable[[], str | None]) -> None:
        """Write only while this says nothing: it is asked for each transaction, on the writer's thread, and answers why
        nothing may be written, in words for whoever wants to."""
        self._fence = self._writer.fence = fence

    @property
    def fenced(self) -> bool:
        """Whether nothing may be written now, or read and then written: whoever works by themselves rests."""
        return self._fence is not None and self._fence() is not None

    @property
    def seq(self) -> int:
        """The sequence number of the last event on disk."""
        return self._writer.committed

    @property
    def access(self) -> int:
        """Counts commits that changed who may do or see what."""
        return self._catalogue.access

    def access_moved(self, since: int) -> bool:
        """Whether who may do or see what may have changed since then: by a commit, or by one that is under way.

        A reader may see a commit an instant before it is counted.
        """
        return self._catalogue.moved(since)

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
            "disk_free_bytes": shutil.disk_usage(self.folder.file.parent).free,
        }

    def listen(self, heard: Callable[[Group], None]) -> None:
        """Hear of each commit, on the event loop."""
        self._listeners.append(heard)

    def begin(self) -> None:
        """A call or job begins here: should other data take the place of these, it does not touch them."""
        _BEGAN.set((self, self.era))

    def require_open(self) -> None:
        """Raises Busy while other data are being put in place, and for what began before they were."""
        if self._shut:
            raise Busy(
                "Other data are being put in place; try again in a moment", retry_after_s=_BACK_AFTER_S
            )
        began = _BEGAN.get()
        if began is not None and began[0] is self and began[1] != self.era:
            raise Busy("Other data were put in place while this was under way; send it again")

    async def read(self, fn: Callable[[Read], T], caller: Caller = SYSTEM, *, name: str = "") -> T:
        """One snapshot; see Readers.read."""
        self.require_open()
        try:
            return await self._readers.read(fn, caller, name)
        except TooSlow:
            self.require_open()
            raise

    def read_at_once(self, fn: Callable[[Read], T], caller: Caller, *, name: str) -> T:
        """One snapshot, on the loop; see Readers.read_at_once."""
        self.require_open()
        return self._readers.read_at_once(fn, caller, name)

    def is_slow(self, name: str) -> bool:
        """Whether `read_at_once` has no time for reads of this name; see Readers.is_slow."""
        return self._readers.is_slow(name)

    async def read_on_thread(self, fn: Callable[[Read], T], caller: Caller) -> T:
        """One snapshot of what `read_at_once` had no time for; see Readers.read_on_thread."""
        self.require_open()
        try:
            return await self._readers.read_on_thread(fn, caller)
        except TooSlow:
            self.require_open()
            raise

    def holds(self, entry: Entry) -> bool:
        """Whether the documents of a thing are still what is there; see DocumentStore.holds."""
        return self._catalogue.documents.holds(entry)

    def beside(self, name: str, make: Callable[[], Any]) -> Any:
        """What is kept in memory beside these data; see Catalogue.beside."""
        return self._catalogue.beside(name, make)

    def take_noted(self) -> dict[str, set[Any]]:
        """What reads noted since the last time, for whoever writes it down."""
        found, self._catalogue.noted = self._catalogue.noted, {}
        return found

    def read_now(self, fn: Callable[[Read], T], caller: Caller = SYSTEM) -> T:
        """A read on this thread, without a loop's budget."""
        self.require_open()
        return self._readers.read_now(fn, caller)

    def start_on_thread(self, name: str) -> None:
        self._readers.start_on_thread(name)

    async def write(self, fn: Callable[[Write], T], caller: Caller = SYSTEM, *, essential: bool = False) -> T:
        """One savepoint of the next group; returns after its COMMIT, or raises what `fn` raised.

        `essential` writes (deleting, signing in) may use the space laid aside for a full disk.
        Raises Busy or StorageFull when the disk refuses, and then nothing happened.
        """
        self.require_open()
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._writer.submit(Task(fn, caller, essential, future))
        return await future

    def write_now(self, fn: Callable[[Write], T], caller: Caller = SYSTEM) -> T:
        """A write from a command or a test, without a loop."""
        self.require_open()
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

    def add_swap_participant(self, guest: "SwapParticipant") -> None:
        """Tell this one before and after other data take the place of these."""
        self._guests.append(guest)

    async def swap(self, last: Callable[[Read], T], lay: Callable[[T], Path], kept: Path) -> None:
        """Serve another file from now on; the old one stays as `kept`, with every write that was acknowledged.

        `last` reads the old data when nothing can be written any more, and `lay` makes the new file of it (on a
        thread). Meanwhile reads and writes are refused (Busy), also those of calls that began before. What `last` and
        `lay` raise, and Unusable, leave the old data in service.
        """
        try:
            for guest in self._guests:
                await guest.pause()
            self._shut = True
            began = monotonic()
            for guest in self._guests:
                guest.close()
            await uncut(asyncio.to_thread(self._exchange, last, lay, kept))
            self.era += 1
            self.begin()
            log.info("other data are served; calls were refused for %.0f ms", 1000 * (monotonic() - began))
        finally:
            self._shut = False
            for guest in self._guests:
                guest.resume()
            self._tell(Group(self.seq, woken=True, tables=self._catalogue.access_tables))

    def _exchange(self, last: Callable[[Read], T], lay: Callable[[T], Path], kept: Path) -> None:
        self._writer.stop()
        self._readers.rest(_PATIENCE_S)
        new = False
        try:
            found = self._readers.read_last(last)
            path = lay(found)
            self._readers.close()
            guard.release(self.folder.file)
            swap.put_in_place(path, self.folder.file, kept)
            new = True
        finally:
            self._readers.close()
            guard.release(self.folder.file)
            try:
                self._open_again()
            except BaseException:
                if not new:
                    raise
                log.critical("the new data cannot be opened: the old ones are put back", exc_info=True)
                swap.put_back(kept, self.folder.file)
                self._open_again()
                raise

    def _open_again(self) -> None:
        """Whatever was kept in memory of the file ends."""
        writer, readers = self._writer, self._readers
        self._catalogue.forget()
        self._writer, self._readers = self._opened(connect(self.folder.file, writer=True))
        self._readers.follow(readers)
        if self._copied is not None:
            self._copied.frames = 0
            self._writer.copied_by(self._copied)
        if self._fence is not None:
            self._writer.fence = self._fence
        self._writer.version = writer.version + 1
        self._writer.start()

    def close(self) -> None:
        """Finish queued writes, checkpoint, close, unlock."""
        self._writer.stop()
        self._readers.close()
        guard.release(self.folder.file)
        self._unlock()

    def _unlock(self) -> None:
        if not self._lent:
            self.folder.unlock()


class SwapParticipant(Protocol):
    """Somebody who works with the data by themselves; called on the loop."""

    async def pause(self) -> None:
        """Begin nothing more, and end what runs."""

    def close(self) -> None:
        """From now on reads and writes are refused."""

    def resume(self) -> None:
        """The data are there again, the same or others."""


def _columns(tx: Read, table: str) -> list[str]:
    return tx.column("select name from pragma_table_info(:table) order by cid", table=table)


def _settle(answered: Answered) -> None:
    for task, answer, error in answered:
        if task.future.done():  # whoever waited has gone
            continue
        if error is not None:
            task.future.set_exception(error)
        else:
            task.future.set_result(answer)
