"""What is written for many at once: found by whoever asks, whatever is taken back meanwhile."""

import asyncio
import contextlib
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import apsw
import pytest

from kbwork.app import open_data
from kbwork.base.caller import ANONYMOUS, SYSTEM
from kbwork.base.clock import FixedClock
from kbwork.base.errors import Busy
from kbwork.core.access.last_seen import KeySeen
from kbwork.db import readers, writer
from kbwork.db.archives import backup
from kbwork.db.database import Database
from kbwork.db.tx import Read, Tracked, Write
from kbwork.db.writer import Task
from kbwork.modules.issues.events import IssueUpdated
from tests.conftest import NOW, World

LATE_S = 5.0


def text(tx: Write, ref: int, title: str) -> None:
    """A text that is searched."""
    tx.execute(
        "insert into search_entry (kind, ref, title, body) values ('issue', :ref, :title, '')",
        ref=ref,
        title=title,
    )


def found(database: Database, word: str) -> Any:
    """How many texts have this word."""
    return database.read_now(
        lambda tx: tx.value("select count(*) from search_text where search_text match :word", word=word)
    )


def waiting(database: Database, table: str) -> Any:
    return database.read_now(lambda tx: tx.value(f"select count(*) from {table}"))


def until(there: Callable[[], bool]) -> None:
    """Wait until it is so."""
    ends = time.monotonic() + LATE_S
    while not there():
        assert time.monotonic() < ends
        time.sleep(0.005)


def test_words_are_in_the_index_when_their_transaction_ends(database: Database) -> None:
    database.write_now(lambda tx: text(tx, 1, "vouchers"))
    assert found(database, "vouchers") == 1
    assert waiting(database, "search_waiting") == 0


def unseen(database: Database) -> int:
    """How many texts wait: to ask by `database` has them written."""
    with backup.opened(database.folder.file) as connection:
        number: int = connection.execute("select count(*) from search_waiting").get
    return number


def test_words_wait_for_others_until_somebody_asks(database: Database) -> None:
    database.write_now(lambda tx: text(tx, 1, "vouchers"))
    assert unseen(database) == 1
    assert found(database, "vouchers") == 1
    assert unseen(database) == 0


def test_words_that_nobody_asks_for_are_written_a_moment_later(database: Database) -> None:
    database.write_now(lambda tx: text(tx, 1, "vouchers"))
    until(lambda: unseen(database) == 0)
    assert found(database, "vouchers") == 1


@pytest.mark.parametrize("read", [Database.read, Database.read_on_thread])
def test_a_read_that_swallows_that_words_wait_is_run_again(database: Database, read: Any) -> None:
    sql = "select count(*) from search_text where search_text match 'vouchers'"

    def look(tx: Read) -> int:
        with contextlib.suppress(Exception):
            number: int = tx.as_caller(ANONYMOUS).value(sql)
            return number
        return -1

    async def go() -> Any:
        await database.write(lambda tx: text(tx, 1, "vouchers"))
        return await read(database, look, SYSTEM)

    assert asyncio.run(go()) == 1


def test_what_waits_is_not_found_while_nothing_may_be_written(database: Database) -> None:
    database.write_now(lambda tx: text(tx, 1, "vouchers"))
    database.fenced_by(lambda: "Another server has the lease")
    assert found(database, "vouchers") == 0
    database.fenced_by(lambda: None)
    version = database.version
    assert found(database, "vouchers") == 1
    assert database.version > version, "an answer that is kept may be the one that was made meanwhile"


def test_words_are_found_as_soon_as_a_full_disk_has_room_again(database: Database) -> None:
    database.write_now(lambda tx: text(tx, 1, "vouchers"))
    database._writer._full = True
    assert found(database, "vouchers") == 1


def test_who_searches_while_too_many_writes_wait_is_told(database: Database) -> None:
    database.write_now(lambda tx: text(tx, 1, "vouchers"))
    begun, gate = threading.Event(), threading.Event()

    def hold(_: Write) -> None:
        begun.set()
        gate.wait(10)

    waiting: list[Future[None]] = []
    for fn in (hold, *([lambda _: None] * writer.QUEUE)):
        waiting.append(Future())
        database._writer.submit(Task(fn, SYSTEM, essential=False, future=waiting[-1]))
        begun.wait(10)
    with pytest.raises(Busy):
        found(database, "vouchers")
    gate.set()
    waiting[-1].result(10)
    assert found(database, "vouchers") == 1


def test_who_has_words_written_tells_nobody_of_a_commit(database: Database) -> None:
    database.write_now(lambda tx: text(tx, 1, "vouchers"))
    version = database.version
    assert found(database, "vouchers") == 1
    assert database.version == version


def test_other_reads_go_on_while_some_wait_for_words(database: Database) -> None:
    """There are few threads to read on."""
    begun, gate = threading.Event(), threading.Event()
    database.write_now(lambda tx: text(tx, 1, "vouchers"))

    def hold(_: Write) -> None:
        begun.set()
        gate.wait(10)

    def search(tx: Read) -> Any:
        return tx.value("select count(*) from search_text where search_text match 'vouchers'")

    async def go() -> list[Any]:
        held = asyncio.create_task(database.write(hold))
        await asyncio.to_thread(begun.wait, 10)
        searches = [asyncio.create_task(database.read_on_thread(search, SYSTEM)) for _ in range(8)]
        await asyncio.sleep(0.02)
        other = await database.read_on_thread(lambda tx: tx.value("select 7"), SYSTEM)
        waits = [one.done() for one in searches]
        gate.set()
        await held
        return [other, waits, await asyncio.gather(*searches)]

    assert asyncio.run(go()) == [7, [False] * 8, [1] * 8]


def test_an_event_is_about_the_fields_of_the_moment_in_which_it_was_told(world: World) -> None:
    bo = world.session("bo")
    bo.fields.save(key="secret", name="Secret", kind="text")

    def write(tx: Write) -> list[str]:
        payload = {"key": "WEB-1", "project": "WEB", "changes": {}, "dropped": {"values": ["Secret"]}}
        number = tx.emit(IssueUpdated(subject="issue:1", payload=payload))
        tx.execute("update field set name = 'Other' where key = 'secret'")
        return tx.column("select what from event_about where seq = :seq", seq=number)

    assert world.database.write_now(write) == ["field:secret"]


def test_who_waits_for_words_longer_than_is_sensible_is_told(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(readers, "_SETTLED_S", 0.05)
    begun, gate = threading.Event(), threading.Event()
    database.write_now(lambda tx: text(tx, 1, "vouchers"))

    def hold(_: Write) -> None:
        begun.set()
        gate.wait(10)

    with ThreadPoolExecutor(1) as pool:
        held = pool.submit(database.write_now, hold)
        begun.wait(10)
        with pytest.raises(Busy, match="try again"):
            found(database, "vouchers")
        gate.set()
        held.result(10)
    assert found(database, "vouchers") == 1


def test_words_that_waited_when_the_server_was_killed_are_found_by_the_next(tmp_path: Path) -> None:
    folder, clock = tmp_path / "data", FixedClock(NOW)
    open_data(folder, clock).close()
    connection = apsw.Connection(str(folder / "kbwork.db"))
    connection.execute("insert into search_doc (id, kind, ref) values (7, 'issue', 1)")
    connection.execute("insert into search_waiting values (7, 'vouchers', '')")
    connection.close()
    database = open_data(folder, clock)
    try:
        assert found(database, "vouchers") == 1
    finally:
        database.close()


def test_words_are_found_by_their_own_transaction(database: Database) -> None:
    def write_and_look(tx: Write) -> int:
        text(tx, 1, "vouchers")
        number: int = tx.value("select count(*) from search_text where search_text match 'vouchers'")
        text(tx, 2, "vouchers too")
        return number

    assert database.write_now(write_and_look) == 1
    assert found(database, "vouchers") == 2


def test_words_of_a_text_that_changes_or_goes_before_the_end_are_those_of_its_end(database: Database) -> None:
    def write(tx: Write) -> None:
        text(tx, 1, "first")
        text(tx, 1, "second")
        text(tx, 2, "gone")
        tx.execute("delete from search_entry where kind = 'issue' and ref = 2")

    database.write_now(write)
    database.write_now(lambda tx: text(tx, 1, "third"))
    assert [found(database, word) for word in ("first", "second", "third", "gone")] == [0, 0, 1, 0]


def test_what_a_part_that_was_taken_back_had_written_is_written_at_the_end(database: Database) -> None:
    def write(tx: Write) -> None:
        text(tx, 1, "vouchers")
        with tx.attempt(keep=False):
            text(tx, 2, "nothing")
            assert tx.value("select count(*) from search_text where search_text match 'vouchers'") == 1

    database.write_now(write)
    assert found(database, "vouchers") == 1
    assert found(database, "nothing") == 0


def spells(world: World, key: str) -> list[tuple[str, int, int | None]]:
    """(value, from, to) of the lanes of an issue, as they are read."""
    number = world.session("ana").issues.get(key=key)["id"]
    return world.database.read_now(
        lambda tx: tx.tuples(
            "select (select key from lane where id = s.value), from_at - :now, to_at - :now from spell s"
            " where subject = :issue and field = 'lane' order by from_at, id",
            issue=f"issue:{number}",
            now=world.clock.now(),
        )
    )


def test_the_history_of_a_new_issue_is_read_at_once_and_written_a_moment_later(world: World) -> None:
    key = world.session("ana").issues.create(project="WEB", title="New")["key"]
    assert spells(world, key) == [("todo", 0, None)]
    until(lambda: waiting(world.database, "span_waiting") == 0)
    assert spells(world, key) == [("todo", 0, None)]


def test_a_new_issue_that_changes_at_once_has_both_in_its_history(world: World) -> None:
    ana = world.session("ana")
    for _ in range(20):
        key = ana.issues.create(project="WEB", title="New")["key"]
        ana.issues.transition(key=key, to_status="in_progress")
        assert spells(world, key) == [("todo", 0, 0), ("in_progress", 0, None)]


def test_what_waited_when_the_server_was_killed_is_read_and_written_by_the_next(tmp_path: Path) -> None:
    folder, clock = tmp_path / "data", FixedClock(NOW)
    open_data(folder, clock).close()
    connection = apsw.Connection(str(folder / "kbwork.db"))
    connection.execute("insert into span_waiting values ('issue:7', '[[\"lane\",\"1\"]]', 5, 'm_x')")
    connection.close()
    database = open_data(folder, clock)
    try:
        assert waiting(database, "spell") == 1
        database.write_now(lambda tx: tx.insert("setting", name="x", value="1"), SYSTEM)
        until(lambda: waiting(database, "span_waiting") == 0)
        assert waiting(database, "spell") == 1
        assert waiting(database, "span") == 1
    finally:
        database.close()


def test_what_waits_is_no_commit_for_those_who_listen(database: Database) -> None:
    database.write_now(
        lambda tx: tx.execute("insert into span_waiting values ('issue:7', '[[\"lane\",\"1\"]]', 5, 'm_x')")
    )
    version = database.version
    until(lambda: waiting(database, "span_waiting") == 0)
    assert waiting(database, "span") == 1
    assert database.version == version


def seen(tx: Write) -> int:
    """Tells of a key; answers how many events of it there are for whoever asks now."""
    tx.emit(KeySeen(subject="key:k_1"))
    number: int = tx.value("select count(*) from events where subject = 'key:k_1'")
    return number


def test_a_row_at_the_end_is_there_for_whoever_asks_in_its_transaction(database: Database) -> None:
    assert database.write_now(lambda tx: [seen(tx), seen(tx)]) == [1, 2]


def test_rows_at_the_end_go_with_the_part_that_added_them_and_no_others(database: Database) -> None:
    def write(tx: Write) -> list[int]:
        first = tx.emit(KeySeen(subject="key:k_1"))
        with tx.attempt(keep=False):
            tx.emit(KeySeen(subject="key:k_2"))
            assert tx.value("select count(*) from events where subject = 'key:k_2'") == 1
            tx.emit(KeySeen(subject="key:k_2"))
        with tx.attempt():
            second = tx.emit(KeySeen(subject="key:k_1"))
        return [first, second]

    numbers = database.write_now(write)
    assert numbers[1] == numbers[0] + 1
    assert (
        database.read_now(lambda tx: tx.column("select seq from events where seq >= :n", n=numbers[0]))
        == numbers
    )


def test_the_history_of_a_thing_that_is_new_is_there_for_whoever_asks_in_its_transaction(
    database: Database,
) -> None:
    database._catalogue.tracked = {"setting": Tracked("setting", "name", {"value": "value"})}

    def write(tx: Write) -> tuple[Any, Any]:
        with tx.new_thing():
            tx.insert("setting", name="x", value="1")
        held = tx.tuples("select field, value from spell where subject = 'setting:x'")
        tx.update("setting", "x", value="2")
        return held, tx.tuples(
            "select value, to_at is null from spell where subject = 'setting:x' order by id"
        )

    assert database.write_now(write) == ([("value", "1")], [("1", 0), ("2", 1)])
