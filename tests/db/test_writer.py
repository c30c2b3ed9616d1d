"""The writer outlives what goes wrong around it."""

import asyncio
import threading
from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest

from kbwork.app import open_data
from kbwork.base.clock import FixedClock
from kbwork.base.errors import Busy, Internal
from kbwork.db.database import Database
from kbwork.db.tx import Write
from kbwork.db.writer import Group
from tests.conftest import NOW


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    opened = open_data(tmp_path / "data", FixedClock(NOW))
    yield opened
    opened.close()


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
    writer.set_busy_timeout(50)
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


def test_after_the_end_writes_are_refused_and_do_not_wait(tmp_path: Path) -> None:
    database = open_data(tmp_path / "data", FixedClock(NOW))
    database.close()
    with pytest.raises(Busy):
        database.write_now(lambda tx: put(tx, "late"))


def test_a_mistake_in_a_read_is_a_mistake_and_no_busy_server(database: Database) -> None:
    with pytest.raises(apsw.SQLError):
        asyncio.run(database.read(lambda tx: tx.value("select nothing"), name="mistake"))
