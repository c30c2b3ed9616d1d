"""The writer outlives what goes wrong around it."""

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import Any, cast

import apsw
import pytest

from kbwork.app import open_data
from kbwork.base.caller import SYSTEM
from kbwork.base.clock import FixedClock
from kbwork.base.errors import Busy, Internal, NotFound
from kbwork.core.access.last_seen import KeySeen
from kbwork.db.connection import await_locks
from kbwork.db.database import Database
from kbwork.db.tx import DryRun, Write
from kbwork.db.writer import Group, Stop, Task
from tests.conftest import NOW


def put(tx: Write, name: str) -> None:
    tx.insert("setting", name=name, value="1")


def names(database: Database) -> list[str]:
    return database.read_now(lambda tx: tx.column("select name from setting order by name"))


@pytest.mark.parametrize(
    "fault", [StopIteration(), KeyError("x"), RecursionError(), SystemExit(1), GeneratorExit()]
)
def test_a_handler_that_fails_in_any_way_is_an_internal_error_of_its_own(
    database: Database, fault: BaseException
) -> None:
    def fails(tx: Write) -> None:
        put(tx, "half")
        raise fault

    with pytest.raises(Internal):
        database.write_now(fails)
    database.write_now(lambda tx: put(tx, "next"))
    assert names(database) == ["next"]


def test_a_listener_that_fails_takes_nobody_along(database: Database) -> None:
    def fails(_: Group) -> None:
        raise RuntimeError("Event loop is closed")

    database._writer.after_commit.insert(0, fails)
    database.write_now(lambda tx: put(tx, "one"))
    database.write_now(lambda tx: put(tx, "two"))
    assert names(database) == ["one", "two"]


def test_a_loop_that_ended_does_not_end_the_writer(database: Database) -> None:
    async def start() -> None:
        database.attach(asyncio.get_running_loop())
        await database.write(lambda tx: put(tx, "one"))

    asyncio.run(start())
    database.write_now(lambda tx: put(tx, "two"))
    assert names(database) == ["one", "two"]


def test_a_commit_that_sqlite_refuses_is_told_and_the_writer_goes_on(database: Database) -> None:
    def dangling(tx: Write) -> None:
        tx._run("pragma defer_foreign_keys = 1", {})
        tx.insert("credential", member="m_nobody", changed_at=1)

    with pytest.raises(Busy):
        database.write_now(dangling)
    database.write_now(lambda tx: put(tx, "next"))
    assert names(database) == ["next"]


def test_a_foreign_lock_refuses_the_whole_group_at_once(database: Database) -> None:
    writer = database._writer._connection
    assert writer is not None
    await_locks(writer, 50)
    lock = apsw.Connection(str(database.folder.file))
    lock.execute("begin immediate")
    outcomes: list[str] = []

    def run() -> None:
        try:
            database.write_now(lambda tx: put(tx, "x"))
        except Busy:
            outcomes.append("busy")

    threads = [threading.Thread(target=run) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
    lock.execute("rollback")
    lock.close()
    assert outcomes == ["busy"] * 20
    database.write_now(lambda tx: put(tx, "after"))
    assert names(database) == ["after"]


def test_a_short_lock_of_another_program_is_asked_for_again_soon(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    lock = apsw.Connection(str(database.folder.file))
    lock.execute("begin immediate")
    pauses: list[float] = []

    def pause(seconds: float) -> None:
        pauses.append(seconds)
        if len(pauses) == 12:  # SQLite's own pauses would be of 160 ms by then
            lock.execute("rollback")

    monkeypatch.setattr("kbwork.db.connection.sleep", pause)
    database.write_now(lambda tx: put(tx, "behind it"))
    lock.close()
    assert pauses == [0.0005] * 12
    assert names(database) == ["behind it"]


def test_after_the_end_writes_are_refused_and_do_not_wait(tmp_path: Path) -> None:
    database = open_data(tmp_path / "data", FixedClock(NOW))
    database.close()
    with pytest.raises(Busy):
        database.write_now(lambda tx: put(tx, "late"))


def test_who_writes_in_the_moment_of_its_end_is_refused(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    writer = database._writer
    put_in = writer._queue.put

    def late(task: Task | Stop) -> None:
        if isinstance(task, Task):
            writer.stop()
        put_in(task)

    monkeypatch.setattr(writer._queue, "put", late)
    with pytest.raises(Busy):
        database.write_now(lambda tx: put(tx, "late"))


@pytest.mark.parametrize("ends_at", ["begin", "fence"])
def test_whoever_is_written_for_when_the_writer_dies_is_told(database: Database, ends_at: str) -> None:
    def dies() -> None:
        raise MemoryError

    if ends_at == "begin":
        database._catalogue.documents.begin = dies  # type: ignore[method-assign]
    else:
        database._writer.fence = dies
    with pytest.raises(Internal, match="before you send it again"):
        database.write_now(lambda tx: put(tx, "held"))
    database._writer.join(timeout=10)
    with pytest.raises(Busy):
        database.write_now(lambda tx: put(tx, "next"))


def test_a_mistake_in_a_read_is_a_mistake_and_no_busy_server(database: Database) -> None:
    with pytest.raises(apsw.SQLError):
        asyncio.run(database.read(lambda tx: tx.value("select nothing"), name="mistake"))


class Grouped:
    """Writes that wait for one another, and so are of one group."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.runs: list[str] = []
        """The names of those that ran, each time."""

    def put(
        self, name: str, fault: Exception | None = None, *, early: bool = False
    ) -> Callable[[Write], str]:
        """Puts something there, and raises before or behind it."""

        def work(tx: Write) -> str:
            self.runs.append(name)
            if fault is not None and early:
                raise fault
            put(tx, name)
            if fault is not None:
                raise fault
            return name

        return work

    def __call__(self, *work: Callable[[Write], object]) -> list[object]:
        """What each answers or is refused with."""
        begun, gate = threading.Event(), threading.Event()

        def hold(_: Write) -> None:
            begun.set()
            gate.wait(10)

        held = self._submit(hold)
        begun.wait(10)
        futures = [self._submit(one) for one in work]
        gate.set()
        held.result(10)
        return [one.exception(10) or one.result(10) for one in futures]

    def _submit(self, fn: Callable[[Write], object]) -> "Future[object]":
        future: Future[object] = Future()
        self._database._writer.submit(Task(fn, SYSTEM, True, future))
        return future


REFUSED = NotFound("There is none")


def test_what_is_refused_before_it_wrote_costs_its_group_nothing(database: Database) -> None:
    together = Grouped(database)
    found = together(together.put("a"), together.put("b", REFUSED, early=True), together.put("c"))
    assert found == ["a", REFUSED, "c"]
    assert together.runs == ["a", "b", "c"]
    assert names(database) == ["a", "c"]


@pytest.mark.parametrize("fault", [REFUSED, DryRun("b")])
def test_what_is_taken_back_takes_back_nobody_else(database: Database, fault: Exception) -> None:
    together = Grouped(database)
    found = together(together.put("a"), together.put("b", fault), together.put("c"))
    assert found == ["a", fault if fault is REFUSED else "b", "c"]
    assert together.runs == ["a", "b", "a", "b", "c"], "all once more, each in its savepoint"
    assert names(database) == ["a", "c"]


def test_behind_a_group_that_ran_twice_the_next_ones_are_careful(database: Database) -> None:
    together = Grouped(database)
    together(together.put("a"), together.put("b", REFUSED))
    together.runs.clear()
    together(together.put("c"), together.put("d", REFUSED), together.put("e"))
    assert together.runs == ["c", "d", "e"]
    assert names(database) == ["a", "c", "e"]


def test_one_alone_is_taken_back_without_a_second_run(database: Database) -> None:
    together = Grouped(database)
    assert together(together.put("a", REFUSED)) == [REFUSED]
    assert together.runs == ["a"]
    assert names(database) == []


def test_numbers_of_events_are_given_again_where_nothing_of_them_stays(database: Database) -> None:
    together = Grouped(database)
    first = database.seq

    def tell(name: str, fault: Exception | None = None) -> Callable[[Write], str]:
        def work(tx: Write) -> str:
            number = tx.emit(KeySeen(subject="key:k_1"))
            put(tx, name)
            if fault is not None:
                raise fault
            return str(number - first)

        return work

    assert together(tell("a"), tell("b", REFUSED), tell("c")) == ["1", REFUSED, "2"]
    assert database.seq == first + 2
    assert database.read_now(
        lambda tx: tx.column("select seq from events where seq > :first", first=first)
    ) == [
        first + 1,
        first + 2,
    ]


class Line:
    """A connection on which one statement fails once, before it runs or behind it."""

    def __init__(self, real: apsw.Connection, fails: str, *, behind: bool = False) -> None:
        self.real, self.fails, self.behind, self.armed = real, fails, behind, True

    def __getattr__(self, name: str) -> Any:
        return getattr(self.real, name)

    def execute(self, sql: str, *binds: Any) -> Any:
        if sql != self.fails or not self.armed:
            return self.real.execute(sql, *binds)
        self.armed = False
        if self.behind:
            self.real.execute(sql, *binds)
        raise apsw.IOError("disk I/O error")


def fail_once(database: Database, statement: str, *, behind: bool = False) -> None:
    """The writer's next such statement fails."""
    connection = database._writer._connection
    assert connection is not None
    database._writer._connection = cast(apsw.Connection, Line(connection, statement, behind=behind))


def test_a_rollback_that_fails_is_told_and_the_writer_goes_on(database: Database) -> None:
    together = Grouped(database)
    fail_once(database, "rollback")
    (found,) = together(together.put("a", REFUSED))
    assert isinstance(found, Busy)
    assert together(together.put("b")) == ["b"]
    assert names(database) == ["b"]


def test_what_waits_is_known_where_a_commit_that_failed_is_there(database: Database) -> None:
    def begin(tx: Write) -> None:
        tx.emit(KeySeen(subject="key:k_1"))
        tx.execute("insert into span_waiting values ('issue:7', '[[\"lane\",\"1\"]]', 5, 'm_x')")

    fail_once(database, "commit", behind=True)
    with pytest.raises(Busy):
        database.write_now(begin)
    changed = database.write_now(
        lambda tx: tx.execute("update span set to_at = 9 where subject = 'issue:7' and to_at is null")
    )
    assert changed == 1
