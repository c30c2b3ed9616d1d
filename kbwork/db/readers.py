"""Reads: on the event loop while they are quick, on threads when they are not."""

import asyncio
import concurrent.futures
import contextlib
import logging
import os
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

import apsw

from kbwork.base.caller import SYSTEM, Caller
from kbwork.base.clock import Clock, monotonic
from kbwork.base.errors import Busy
from kbwork.db.connection import connect
from kbwork.db.tx import Catalogue, Lags, OverBudget, Read, TooSlow

log = logging.getLogger("kbwork.db")

T = TypeVar("T")
BUDGET_S = 0.002
_SLOW_FOR_S = 60.0
_WEIGHT = 0.1
_OFTEN = 0.25
"""Three late runs in a row make a read slow, one in four in the long run; a single one on a busy machine does not."""
_THREAD_DEADLINE_S = 10.0
LOOP_CACHE_MB = 32
"""All that point reads and lists touch of 20,000 issues; at 100,000 an `issues.get` misses 2 pages of 15."""
THREADS_CACHE_MB = 32
"""Of all reader threads together: two that have 16 answer a full-text search as soon as two that have 32."""
LEAST_CACHE_MB = 4
_STEPS = 1000
_SETTLED_S = 5.0
"""So long a reader waits for what waits to be written down."""
_CUT_AGAIN_S = 0.05
SICK = (apsw.IOError, apsw.CorruptError, apsw.NotADBError, apsw.CantOpenError, apsw.BusyError, apsw.FullError)
"""What is the disk's fault and may pass; every other error of SQLite is ours."""


class _Reader:
    """A connection with a clock inside: a statement that passes its deadline is interrupted."""

    def __init__(self, path: Path, catalogue: Catalogue, cache_mb: int) -> None:
        self._catalogue = catalogue
        self._running: tuple[Read, float] | None = None
        """What reads now, and since when."""
        self.connection = connect(path, writer=False, cache_mb=cache_mb)
        self.connection.set_progress_handler(self._late, _STEPS)

    def _late(self) -> bool:
        deadline = self._running[0].deadline if self._running is not None else None
        return deadline is not None and monotonic() > deadline

    def run(
        self, fn: Callable[[Read], T], caller: Caller, now: int, seconds: float, *, settled: bool = False
    ) -> T:
        """One snapshot. Raises OverBudget when it took longer, and Lags where it asks for what is not written yet, even
        if `fn` swallowed that; it does not where all that waited was `settled`."""
        tx = Read(self.connection, self._catalogue, caller, now)
        if settled:
            tx.lags = ()
        began = monotonic()
        tx.deadline = began + seconds
        self.connection.execute("begin")  # which nothing interrupts: the transaction would stay open
        try:
            self._running = (tx, began)
            answer = fn(tx)
        finally:
            self._running = None
            self.connection.execute("rollback")
        if tx.lagged:
            raise Lags
        if tx.over:
            raise OverBudget
        return answer

    def cut(self, older_than_s: float) -> bool:
        """End the read under way at its next step, if it began longer ago; called from another thread."""
        running = self._running
        if running is None or monotonic() - running[1] < older_than_s:
            return False
        running[0].deadline = 0.0
        return True


class Readers:
    """The loop's connection and a few reader threads with one each."""

    def __init__(self, path: Path, clock: Clock, catalogue: Catalogue) -> None:
        self._path = path
        self._clock = clock
        self._catalogue = catalogue
        self._loop_reader = _Reader(path, catalogue, LOOP_CACHE_MB)
        self._slow: dict[str, float] = {}
        """Name of a read -> until when it starts on a thread."""
        self._late: dict[str, float] = {}
        """Name of a read -> the share of its runs that were late, the last ones counting most."""
        self._count = max(2, os.cpu_count() or 2)
        self._pool = ThreadPoolExecutor(self._count, thread_name_prefix="kbwork-reader")
        self._own = threading.local()
        self._opened: list[_Reader] = []
        self._gate = threading.Condition()
        self._reading = 0
        self._held = False
        self._beside: _Reader | None = None
        self._beside_lock = threading.Lock()
        self.loop_thread: int | None = None
        """The thread of the loop; a connection is used by one thread at a time."""
        self.interrupted = 0
        self._closing = False
        self.settle: Callable[[], concurrent.futures.Future[None]] = _settled
        """Has the writer write what follows from all that was committed."""

    def follow(self, before: "Readers") -> None:
        """Take over what is known of reads: which belong on a thread, and where the loop runs."""
        self._slow, self._late = before._slow, before._late  # noqa: SLF001 - of the same class
        self.loop_thread, self.interrupted = before.loop_thread, before.interrupted

    async def read(self, fn: Callable[[Read], T], caller: Caller, name: str) -> T:
        """`read_at_once`, else `read_on_thread`."""
        with contextlib.suppress(OverBudget):
            return self.read_at_once(fn, caller, name)
        return await self.read_on_thread(fn, caller)

    def read_at_once(self, fn: Callable[[Read], T], caller: Caller, name: str) -> T:
        """Run `fn` on the loop. Raises OverBudget after 2 ms, and for a `name` that is often late; Busy where the file
        cannot be read."""
        if self.is_slow(name):
            raise OverBudget
        try:
            answer = self._loop_reader.run(fn, caller, self._clock.now(), BUDGET_S)
        except Lags:
            raise OverBudget from None
        except OverBudget:
            self._was_late(name)
            raise
        except SICK as error:
            raise Busy("The data file cannot be read just now", internal=str(error)) from error
        if name in self._late:
            self._late[name] *= 1 - _WEIGHT
        return answer

    def is_slow(self, name: str) -> bool:
        """Whether reads of this name belong on a thread just now."""
        return name in self._slow and self._slow[name] >= monotonic()

    async def read_on_thread(self, fn: Callable[[Read], T], caller: Caller) -> T:
        """Run `fn` on a thread. Raises TooSlow after 10 s, Busy where the file cannot be read."""
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self._pool, self._threaded, fn, caller, False)
        except Lags:  # here, and not on one of the few threads
            done = asyncio.wrap_future(self.settle())
            done.add_done_callback(_heard)
            await asyncio.wait([done], timeout=_SETTLED_S)
            self._require_settled(done)
            if self._closing:
                raise _closed() from None
            return await loop.run_in_executor(self._pool, self._threaded, fn, caller, True)

    def _require_settled(self, done: "asyncio.Future[None] | concurrent.futures.Future[None]") -> None:
        """Raises Busy where the writer did not come to it. What a disk keeps it from writing is not found meanwhile."""
        if not done.done():
            raise Busy("What was just written is not in the index yet; try again in a moment")
        if done.exception() is not None:
            self._catalogue.waiting.owed = True

    def read_now(self, fn: Callable[[Read], T], caller: Caller) -> T:
        """A read without a loop's budget: on the loop itself for a moment, or from a command or another thread."""
        try:
            return self._read_here(fn, caller, settled=False)
        except Lags:
            done = self.settle()
            concurrent.futures.wait([done], timeout=_SETTLED_S)
            self._require_settled(done)
            return self._read_here(fn, caller, settled=True)

    def _read_here(self, fn: Callable[[Read], T], caller: Caller, *, settled: bool) -> T:
        now, seconds = self._clock.now(), _THREAD_DEADLINE_S
        if self.loop_thread in (None, threading.get_ident()):
            return self._loop_reader.run(fn, caller, now, seconds, settled=settled)
        with self._beside_lock:
            if self._closing:
                raise _closed()
            if self._beside is None:
                self._beside = _Reader(self._path, self._catalogue, LEAST_CACHE_MB)
                self._opened.append(self._beside)
            return self._beside.run(fn, caller, now, seconds, settled=settled)

    def read_last(self, fn: Callable[[Read], T]) -> T:
        """One more read, on this thread, when all others were let rest."""
        reader = _Reader(self._path, self._catalogue, LEAST_CACHE_MB)
        try:
            return reader.run(fn, SYSTEM, self._clock.now(), _THREAD_DEADLINE_S, settled=True)
        finally:
            reader.connection.close(True)

    def start_on_thread(self, name: str) -> None:
        """Declare reads that never belong on the loop, such as full-text search."""
        self._slow[name] = float("inf")

    def _was_late(self, name: str) -> None:
        self.interrupted += 1
        share = self._late.get(name, 0.0) * (1 - _WEIGHT) + _WEIGHT
        self._late[name] = share
        if share > _OFTEN:
            self._slow[name] = monotonic() + _SLOW_FOR_S

    def _threaded(self, fn: Callable[[Read], T], caller: Caller, settled: bool) -> T:
        with self._gate:
            self._gate.wait_for(lambda: not self._held or self._closing, timeout=5)
            if self._closing:
                raise _closed()
            self._reading += 1
        try:
            reader: _Reader | None = getattr(self._own, "reader", None)
            if reader is None:
                mb = max(LEAST_CACHE_MB, THREADS_CACHE_MB // self._count)
                reader = self._own.reader = _Reader(self._path, self._catalogue, mb)
                self._opened.append(reader)
            return reader.run(fn, caller, self._clock.now(), _THREAD_DEADLINE_S, settled=settled)
        except OverBudget:
            raise TooSlow from None
        except SICK as error:
            raise Busy("The data file cannot be read just now", internal=str(error)) from error
        finally:
            with self._gate:
                self._reading -= 1
                self._gate.notify_all()

    @property
    def quiet(self) -> bool:
        """Whether no read is under way on a thread."""
        return self._reading == 0

    def hold(self) -> None:
        """Keep new thread reads back until `release`, for five seconds at most."""
        with self._gate:
            self._held = True

    def release(self) -> None:
        with self._gate:
            self._held = False
            self._gate.notify_all()

    def cut(self, older_than_s: float) -> int:
        """Stop thread reads that began longer ago: each ends as TooSlow. Answers how many."""
        return sum(reader.cut(older_than_s) for reader in list(self._opened))

    def rest(self, patience_s: float) -> None:
        """Begin no more reads on threads, and wait for those under way; whoever reads for longer is cut."""
        with self._gate:
            self._closing = True
            self._gate.notify_all()
            quiet = self._gate.wait_for(lambda: self.quiet, timeout=patience_s)
            while not quiet:
                self.cut(0.0)
                quiet = self._gate.wait_for(lambda: self.quiet, timeout=_CUT_AGAIN_S)

    def close(self) -> None:
        self._closing = True
        self._pool.shutdown(wait=True)
        with self._beside_lock:
            for reader in (self._loop_reader, *self._opened):
                try:
                    reader.connection.close(True)
                except apsw.Error as error:  # the last to close takes the WAL along, which a disk may refuse
                    log.warning("a reader closed, and the disk refused to tidy up behind it: %s", error)


def _heard(done: "asyncio.Future[None]") -> None:
    """A refusal is looked at, though it may come when nobody waits for it any more."""
    done.exception()


def _settled() -> "concurrent.futures.Future[None]":
    """Where nobody writes nothing waits."""
    done: concurrent.futures.Future[None] = concurrent.futures.Future()
    done.set_result(None)
    return done


def _closed() -> Busy:
    return Busy("The data file is being closed; nothing was read")
