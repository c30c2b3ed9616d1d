"""One thread that writes. Waiting writes share a transaction, and all are answered after its COMMIT.

Savepoints cost a tenth of a small write, and nearly all writes that are refused are refused before they wrote anything.
So a group is run without; where one of its writes has to be taken back, all is, and the group is run once more with a
savepoint for each.
"""

import asyncio
import concurrent.futures
import contextlib
import logging
import threading
from collections import deque
from collections.abc import Callable
from typing import Any

import apsw

from kbwork.base.caller import SYSTEM, Caller
from kbwork.base.clock import Clock, monotonic
from kbwork.base.dataclasses import dataclass
from kbwork.base.errors import Busy, Internal, Problem, StorageFull
from kbwork.db.checkpoint import Checkpoints, CopiedLog
from kbwork.db.connection import Unusable, connect, hear_titles, tell_seq
from kbwork.db.deferred import Waiting
from kbwork.db.folder import Folder
from kbwork.db.tx import Catalogue, ConstraintViolated, DryRun, Sequence, Write

log = logging.getLogger("kbwork.db")

GROUP = 128
QUEUE = 1024
_CHECK_SPACE_S = 1.0
_FILL_S = 0.0005
"""So long a group that is smaller than the one before waits for the next to come: who wrote then is being answered, and
mostly writes again."""
_FILLS = 6
"""So often, as long as they keep coming: where all that were answered come again at once, reading what they ask takes
longer than one such time."""
_CAREFUL = 8
"""So many groups have savepoints behind one that was run twice: what has to be taken back seldom comes alone."""

_FENCED_S = 5
_DOUBTFUL = (
    "It was being written when that came to pass, and may be missing later: look before you send it again"
)
_DIED = "Something went wrong here, and no more is written: look whether this was before you send it again"

_FOLLOWED = "insert or ignore into thing_touch (seq, kind, ref) values (?, ?, ?)"
_FULL = (apsw.FullError,)
_SICK = (
    apsw.IOError,
    apsw.CorruptError,
    apsw.NotADBError,
    apsw.CantOpenError,
    apsw.ReadOnlyError,
    apsw.NoMemError,
)
_WAITING = (apsw.BusyError, apsw.LockedError)
_Broken = (*_FULL, *_SICK, apsw.BusyError, apsw.LockedError)


@dataclass(slots=True)
class Task:
    """One waiting write. Its future gets the answer or the exception after COMMIT."""

    fn: Callable[[Write], Any]
    caller: Caller
    essential: bool
    future: "asyncio.Future[Any] | concurrent.futures.Future[Any]"


class Stop(Exception):
    """Ends the writer's loop."""


class TaskQueue:
    """Anybody adds, one takes, who is woken once for as many as are wanted: two threads that wake each other for each
    take as long for that as a small write does."""

    def __init__(self) -> None:
        self._waiting: deque[Task | Stop] = deque()
        self._wanted: int | None = None
        """Whoever takes sleeps until so many wait; None: nobody sleeps."""
        self._wakes = threading.Lock()
        """Held but for the moment in which somebody is woken."""
        self._wakes.acquire()

    def __len__(self) -> int:
        return len(self._waiting)

    def put(self, task: Task | Stop) -> None:
        self._waiting.append(task)
        wanted = self._wanted
        if wanted is not None and len(self._waiting) >= wanted:
            with contextlib.suppress(RuntimeError):  # somebody else did it at the same moment
                self._wakes.release()

    def take(self) -> Task | Stop | None:
        """The one that waits longest; None where none does. One thread at a time takes."""
        return self._waiting.popleft() if self._waiting else None

    def wait(self, wanted: int, seconds: float | None) -> bool:
        """Sleep until so many wait, so long at most (None: as long as it takes), or less. Answers whether they do."""
        if len(self._waiting) < wanted and (seconds is None or seconds > 0):
            self._wakes.acquire(blocking=False)  # somebody may have been late to wake
            self._wanted = wanted
            # behind the line above: whoever adds one saw that, or is seen here
            if len(self._waiting) < wanted:
                self._wakes.acquire(timeout=-1 if seconds is None else seconds)
            self._wanted = None
        return len(self._waiting) >= wanted

    def fill(self, wanted: int, seconds: float, times: int) -> None:
        """Sleep until so many wait, so often at most, and no longer than more come each time."""
        for _ in range(times):
            came = len(self._waiting)
            if self.wait(wanted, seconds) or len(self._waiting) == came:
                return


Outcome = tuple[Any, BaseException | None]
Answered = list[tuple[Task, Any, BaseException | None]]


@dataclass(slots=True)
class Group:
    """What one COMMIT made durable, told to whoever listens."""

    seq: int
    woken: bool
    tables: frozenset[str]


class _TakeBack(Exception):
    """A write has to be taken back, and there is no savepoint."""

    def __init__(self, error: BaseException) -> None:
        super().__init__("to be taken back")
        self.error = error


class Writer(threading.Thread):
    """The only connection that writes, and the only checkpointer."""

    def __init__(
        self,
        folder: Folder,
        connection: apsw.Connection,
        clock: Clock,
        catalogue: Catalogue,
        answer: Callable[[Answered], None],
    ) -> None:
        super().__init__(name="kbwork-writer", daemon=True)
        self.answer = answer
        """Hands a whole group's answers on, called on this thread."""
        self._folder = folder
        self._clock = clock
        self._catalogue = catalogue
        self._queue = TaskQueue()
        self._usual = 1
        """How many wrote in the last group."""
        self._connection: apsw.Connection | None = connection
        self.checkpoints = Checkpoints(folder.file)
        self._listen(connection)
        self.sequence = Sequence(_last_seq(connection))
        self.committed = self.sequence.last
        """The last sequence number on disk."""
        self.version = 0
        """Counts the commits: an answer made at another version may be out of date."""
        self._full = False
        self._space_asked = 0.0
        self._stopping: Stop | None = None
        self._closed = threading.Event()
        self._last_failure: apsw.Error | None = None
        self._careful = 0
        """So many groups more have savepoints."""
        self._doubtful = False
        """The last COMMIT that failed was found in the file."""
        self.after_commit: list[Callable[[Group], None]] = []
        self.fence: Callable[[], str | None] = _open
        """Why nothing may be written now, in words for whoever wants to; asked on this thread, before a transaction
        begins and when it was committed."""

    def submit(self, task: Task) -> None:
        """Queue a write. Raises Busy when 1,024 are waiting or the writer has ended."""
        if self._closed.is_set():
            raise Busy("The server takes no writes now; nothing was changed")
        if len(self._queue) >= QUEUE:
            raise Busy("Too many writes are waiting; try again in a second")
        self._queue.put(task)
        if self._closed.is_set():  # meanwhile, and its last look may have been before this
            self._refuse_waiting()

    def settle(self) -> "concurrent.futures.Future[None]":
        """Have what waits written down, for readers who ask for it. Where nothing can be written it goes on waiting.
        Raises what `submit` does."""
        done: concurrent.futures.Future[None] = concurrent.futures.Future()
        self.submit(Task(Write.settle, SYSTEM, False, done))
        return done

    def copied_by(self, log: CopiedLog) -> None:
        """Leave the WAL to the program that copies it away. To be called before the writer runs, or by a write."""
        self.checkpoints.copied = log
        if self._connection is not None:
            self.checkpoints.listen(self._connection)

    @property
    def waiting(self) -> int:
        return len(self._queue)

    def stop(self) -> None:
        """Finish what is queued, checkpoint and close."""
        self._queue.put(Stop())
        self.join(timeout=30)

    def run(self) -> None:
        """Until `stop`; whatever else ends it is told to all who wait, and no write is taken after it."""
        tasks: list[Task] = []
        try:
            while self._stopping is None:
                tasks = self._take()
                self._group(tasks)
                self.checkpoints.step(self._connection)
        except Stop:
            pass  # nothing was queued before it
        except BaseException:
            log.critical(
                "the writer died; the server takes no writes until it is started again", exc_info=True
            )
            self._hand_on([(task, None, Internal(_DIED)) for task in tasks])
        self._closed.set()
        self.checkpoints.rest()
        self._refuse_waiting()
        self._close()

    def _refuse_waiting(self) -> None:
        """Who queued behind the end is told that nothing happened."""
        while (task := self._queue.take()) is not None:
            if isinstance(task, Task):
                self._hand_on([(task, None, Busy("The server is stopping; nothing was changed"))])

    def _take(self) -> list[Task]:
        """Wait for one task, then take what is there already, and for a moment what is usual.

        A lone write does not wait.
        """
        first = self._first()
        if isinstance(first, Stop):
            raise first
        tasks = [first]
        if self._usual > 1:
            self._queue.fill(self._usual - 1, _FILL_S, _FILLS)
        while len(tasks) < GROUP and (more := self._queue.take()) is not None:
            if isinstance(more, Stop):
                self._stopping = more
                break
            tasks.append(more)
        self._usual = len(tasks)
        return tasks

    def _first(self) -> Task | Stop:
        """The next of the queue. While none comes what waits for that is done."""
        waiting = self._catalogue.waiting
        while (first := self._queue.take()) is None:
            if self._queue.wait(1, self._patience()):
                continue
            if self.checkpoints.patience is not None:
                self.checkpoints.step(self._connection)
            if waiting.is_late():
                if not self._full or self._room_again():
                    self._attempt([])
                if waiting.is_late():  # it was refused
                    waiting.put_off()
        return first

    def _patience(self) -> float | None:
        """How long the writer may sleep, in seconds; None: until a task comes."""
        late = self._catalogue.waiting.patience()
        soon = self.checkpoints.patience
        return late if soon is None else soon if late is None else min(soon, late)

    def _group(self, tasks: list[Task]) -> None:
        outcomes = self._attempt(tasks)
        if outcomes is None and len(tasks) > 1 and self._may_run_again():
            for task in tasks:
                self._group([task])
            return
        if outcomes is None:
            outcomes = [(None, self._refusal()) for _ in tasks]
        self._hand_on([(task, *outcome) for task, outcome in zip(tasks, outcomes, strict=True)])

    def _may_run_again(self) -> bool:
        """Whether nothing of the group that failed is there, and one of its writes may have been at fault."""
        return not isinstance(self._last_failure, _WAITING) and not self._doubtful

    def _hand_on(self, answered: Answered) -> None:
        """Whoever listens may fail; what was committed stays committed and the writer goes on."""
        try:
            self.answer(answered)
        except Exception:  # the writer outlives its listeners
            log.exception("answers could not be handed on")

    def _attempt(self, tasks: list[Task]) -> list[Outcome] | None:
        """Run the tasks in one transaction; None when SQLite ended it and nothing of it happened."""
        if (why := self.fence()) is not None:
            return [(None, Busy(f"{why}. Nothing was changed", retry_after_s=_FENCED_S)) for _ in tasks]
        if self._connection is None and not self._reopen():
            return [(None, self._refusal()) for _ in tasks]
        savepoints = self._careful > 0 and len(tasks) > 1
        self._careful = max(0, self._careful - 1)
        with contextlib.suppress(_TakeBack):
            return self._transaction(tasks, savepoints=savepoints)
        self._careful = _CAREFUL
        return self._transaction(tasks, savepoints=True)  # outside: what is raised now does not come of that

    def _transaction(self, tasks: list[Task], *, savepoints: bool) -> list[Outcome] | None:
        """As `_attempt`. Raises _TakeBack where nothing of it happened, since it has to be run with savepoints."""
        connection = self._connection
        assert connection is not None
        before, woken, changes = self.sequence.last, False, connection.total_changes()
        shreds = False
        tables: set[str] = set()
        waiting = self._begin(connection)
        try:
            connection.execute("begin immediate")
            outcomes = []
            for task in tasks:
                tx = Write(connection, self._catalogue, task.caller, self._clock.now(), self.sequence)
                outcomes.append(self._one(connection, task, tx, savepoint=savepoints))
                woken |= tx.woken
                shreds |= tx.shreds
                tables |= tx.tables
                self._catalogue.unsettled = bool(tables & self._catalogue.access_tables)
            self._finish(connection, waiting, late=waiting.is_late() or not tasks)
            if followed := self._catalogue.documents.followed():
                seq = self.sequence.last + (self.sequence.last == before)
                connection.executemany(_FOLLOWED, [(seq, kind, ref) for kind, ref in followed])
            if self.sequence.last != before:
                connection.execute("update counter set value = ? where name = 'seq'", (self.sequence.last,))
            self._catalogue.documents.announce()
            connection.execute("commit")
            self.checkpoints.wanted |= shreds
        except (_TakeBack, apsw.Error) as error:
            self._catalogue.documents.settle()
            self.sequence.last = before
            self._catalogue.unsettled = False
            if not isinstance(error, _TakeBack):
                self._broken(error)
                return None
            if not self._rolled_back(connection):
                return None
            if len(tasks) > 1:
                raise
            return [_outcome(error.error)]
        self._settle_memory()
        asked = any(task.fn is not Write.settle for task in tasks)
        if asked and (connection.total_changes() != changes or woken):
            self._tell(Group(self.sequence.last, woken, frozenset(tables)))
            if (why := self.fence()) is not None:
                return [(None, Busy(f"{why}. {_DOUBTFUL}", retry_after_s=_FENCED_S)) for _ in tasks]
        return outcomes

    def _begin(self, connection: apsw.Connection) -> Waiting:
        """Whoever keeps something of a transaction begins anew; answers what waits for its end."""
        self._catalogue.listen(connection)
        self._catalogue.documents.begin()
        self._catalogue.changing.clear()
        self._catalogue.held.clear()
        self._catalogue.waiting.begin()
        self.checkpoints.begin()
        return self._catalogue.waiting

    def _finish(self, connection: apsw.Connection, waiting: Waiting, *, late: bool) -> None:
        """Write what waited for the end. Raises _TakeBack where rows of a write cannot be added."""
        try:
            waiting.write_told(connection)
            self._catalogue.stop_listening(connection)
            waiting.settle(connection, late=late)
        except _Broken:
            raise
        except Exception as error:
            if waiting.refused is not error:
                raise
            raise _TakeBack(error) from None

    def _rolled_back(self, connection: apsw.Connection) -> bool:
        """Take the open transaction back; False where the disk is in the way of that, too."""
        try:
            connection.execute("rollback")
        except apsw.Error as error:
            self._broken(error)
            return False
        return True

    def _settle_memory(self) -> None:
        """What is kept in memory of what was committed ends."""
        self._catalogue.count_commit()
        if self._catalogue.unsettled:
            self._catalogue.access += 1
            self._catalogue.unsettled = False
        if self._catalogue.waiting.is_owed():
            self.version += 1
        self._catalogue.documents.settle()  # behind the counts: what is kept from now on is made of nothing older

    def _tell(self, group: Group) -> None:
        self.version += 1
        self.committed = group.seq
        for listener in self.after_commit:
            try:
                listener(group)
            except Exception:  # whoever listens may fail: what was committed stays committed
                log.exception("a listener failed after a commit")

    def _one(self, connection: apsw.Connection, task: Task, tx: Write, *, savepoint: bool) -> Outcome:
        """One task. What SQLite itself breaks off is raised, and _TakeBack; a refusal is an outcome."""
        if self._full and not task.essential and not self._room_again():
            return None, StorageFull("The disk is full: delete something or make room, then try again")
        waiting, before = self._catalogue.waiting, self.sequence.last
        if savepoint:
            connection.execute("savepoint one")
        written = waiting.written(connection)
        try:
            answer = task.fn(tx)
            waiting.end_task(connection, alone=savepoint)
        except _Broken:
            raise
        except BaseException as error:
            if not connection.in_transaction:
                raise apsw.IOError("SQLite ended the transaction") from error
            if savepoint:
                connection.execute("rollback to one")
                connection.execute("release one")
                self._catalogue.take_back()
            elif waiting.refused is not None or waiting.written(connection) != written:
                raise _TakeBack(error) from None
            self.sequence.last = before
            return _outcome(error)
        if savepoint:
            connection.execute("release one")
        return answer, None

    def _broken(self, error: apsw.Error) -> None:
        """After a failure of the disk: nothing of the group stays, and the connection is made anew where it may lie."""
        log.error("the data file could not be written: %s", error)
        connection = self._connection
        assert connection is not None
        with contextlib.suppress(apsw.Error):
            if connection.in_transaction:
                connection.execute("rollback")
        self._last_failure, self._doubtful = error, False
        self._catalogue.waiting.put_off()  # it may have been at fault, and is not in the way of what is tried again
        if isinstance(error, _FULL):
            self._full = True
            self._folder.spend_reserve()
            with contextlib.suppress(apsw.Error):
                self._settle(_last_seq(connection))
        elif isinstance(error, _SICK):
            with contextlib.suppress(apsw.Error):
                connection.close(True)
            self._connection = None
            if self.checkpoints.copied is not None:
                with contextlib.suppress(OSError):  # of the same disk, which is told of above
                    self.checkpoints.copied.cut("a commit failed that may have been copied")
            self._reopen()

    def _reopen(self) -> bool:
        """Open again and check the file; the writer stays closed (503) while it is not sound or cannot be written."""
        if not self._folder.file.exists():
            log.critical("the data file %s is gone", self._folder.file)
            return False
        try:
            connection = connect(self._folder.file, writer=True)
        except (apsw.Error, OSError, Unusable) as error:
            log.warning("the data file cannot be opened for writing: %s", error)
            return False
        if not _is_sound(connection):
            with contextlib.suppress(apsw.Error):
                connection.close(True)
            return False
        self._listen(connection)
        self._connection = connection
        self._settle(_last_seq(connection))
        return True

    def _listen(self, connection: apsw.Connection) -> None:
        """Hear of what this connection writes, but for its rows, of which each transaction hears itself."""
        hear_titles(connection, self._catalogue.title_words.write)
        tell_seq(connection, lambda: self.sequence.last)
        self.checkpoints.listen(connection)

    def _settle(self, found: int) -> None:
        """A COMMIT that failed may be there all the same: the file says what is, and what was kept in memory ends."""
        self._doubtful = found != self.committed
        if self._doubtful:
            log.warning("a commit that failed is in the data file: it goes on behind event %d", found)
            self.sequence.last = self.committed = found
            self.version += 1
            self._catalogue.void()
            self._catalogue.documents.clear()
            self._catalogue.waiting.know(self._catalogue.waiting.kinds)

    def _refusal(self) -> Problem:
        if isinstance(self._last_failure, _FULL):
            return StorageFull("The disk is full: delete something or make room, then try again")
        return Busy(
            "The data file cannot be written just now; nothing was changed", internal=str(self._last_failure)
        )

    def _room_again(self) -> bool:
        """Whether the disk has room again; asked once a second at most."""
        if monotonic() - self._space_asked >= _CHECK_SPACE_S:
            self._space_asked = monotonic()
            if self._folder.has_room():
                self._folder.reserve()
                self._full = False
        return not self._full

    def _close(self) -> None:
        if self._connection is not None:
            with contextlib.suppress(apsw.Error):
                self._connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
            self._connection.close(True)
            self._connection = None


def _open() -> None:
    """Nothing keeps anybody from writing."""


def _outcome(error: BaseException) -> Outcome:
    """What is said of a task that raised."""
    if isinstance(error, DryRun):
        return error.answer, None
    if isinstance(error, Problem | ConstraintViolated):
        return None, error
    log.error("a write failed", exc_info=error)
    return None, Internal("Something went wrong here; nothing was changed", internal=repr(error))


def _last_seq(connection: apsw.Connection) -> int:
    """The last sequence number that was given out, though its event may be pruned."""
    last: int = connection.execute(
        "select max(coalesce((select max(seq) from events), 0),"
        " coalesce((select value from counter where name = 'seq'), 0))"
    ).get
    return last


def _is_sound(connection: apsw.Connection) -> bool:
    if connection.readonly("main"):
        log.warning("the data file can only be read: its folder or file system is read-only")
        return False
    try:
        found = connection.execute("pragma quick_check(1)").get
    except apsw.Error as error:
        log.warning("the data file cannot be checked: %s", error)
        return False
    if found != "ok":
        log.critical("the data file is damaged: %s", found)
    return bool(found == "ok")
