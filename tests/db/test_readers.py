"""Reads: quick ones on the loop, slow ones on threads, none of them half."""

import asyncio
import itertools
import os
import threading
from functools import partial
from pathlib import Path

import pytest

from kbwork.app import open_data
from kbwork.base.caller import SYSTEM
from kbwork.base.clock import FixedClock
from kbwork.db import readers
from kbwork.db import tx as transactions
from kbwork.db.connection import CACHE_MB
from kbwork.db.database import Database
from kbwork.db.tx import OverBudget, Read
from tests.conftest import NOW

pytestmark = pytest.mark.usefixtures("earnest_loop")
SLOW = (
    "with recursive n (i) as (select 1 union all select i + 1 from n where i < 400000) select count(*) from n"
)


@pytest.fixture
def counted_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Time passes by being asked for, a tenth of a millisecond each: on a busy machine a quick read stays one."""
    ticks = itertools.count(1)
    for module in (readers, transactions):
        monkeypatch.setattr(module, "monotonic", lambda: next(ticks) / 10_000)


def runs_of(database: Database, statements: list[str]) -> int:
    """How often a read ran in all that was asked for once with each of these statements."""
    runs = []

    def look(tx: Read, sql: str) -> int:
        runs.append(1)
        found: int = tx.value(sql)
        return found

    async def go() -> list[int]:
        return [await database.read(partial(look, sql=sql), name="look") for sql in statements]

    assert len(asyncio.run(go())) == len(statements)
    return len(runs)


@pytest.mark.usefixtures("counted_time")
def test_a_read_that_runs_over_is_run_again_on_a_thread_and_after_three_times_starts_there(
    database: Database,
) -> None:
    assert runs_of(database, [SLOW] * 5) == 3 * 2 + 2
    assert database.figures["reads_interrupted"] == 3


@pytest.mark.usefixtures("counted_time")
def test_a_single_late_run_sends_no_quick_read_to_the_threads(database: Database) -> None:
    quick = "select 1"
    assert runs_of(database, ([SLOW] + [quick] * 12) * 4) == 4 * 14


def test_an_answer_made_after_a_swallowed_interrupt_is_thrown_away(database: Database) -> None:
    def swallows(tx: Read) -> str:
        try:
            tx.value(SLOW)
        except OverBudget:
            return "half"
        return "whole"

    assert asyncio.run(database.read(swallows, name="swallows")) == "whole"


def test_a_read_sees_one_moment_and_the_next_one_sees_the_write(database: Database) -> None:
    async def run() -> tuple[int, int]:
        before = await database.read(lambda tx: tx.value("select count(*) from setting"))
        await database.write(lambda tx: tx.insert("setting", name="a", value="1"))
        return before, await database.read(lambda tx: tx.value("select count(*) from setting"))

    assert asyncio.run(run()) == (0, 1)


def test_readers_cannot_write(database: Database) -> None:
    import apsw

    with pytest.raises(apsw.ReadOnlyError):
        database.read_now(lambda tx: tx.value("delete from setting"))


def test_a_read_that_is_late_before_it_began_leaves_nothing_open(database: Database) -> None:
    """Where the machine holds the thread up, SQLite may interrupt the beginning itself, one time in some hundreds."""
    reader = database._readers._loop_reader
    for _ in range(2_000):
        with pytest.raises(OverBudget):
            reader.run(lambda tx: tx.value("select 1"), SYSTEM, NOW, -1.0)
    assert reader.run(lambda tx: tx.value("select 1"), SYSTEM, NOW, 10.0) == 1


@pytest.mark.parametrize("cores", [2, 8])
def test_connections_keep_pages_by_what_they_read_and_no_more_on_larger_machines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cores: int
) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: cores)
    database = open_data(tmp_path / "data", FixedClock(NOW))
    together = threading.Barrier(cores)

    def pages_mb(tx: Read) -> int:
        return -int(tx.value("select cache_size from pragma_cache_size")) // 1024

    def on_a_thread(tx: Read) -> int:
        together.wait(timeout=10)  # so that each of them has its own connection
        return pages_mb(tx)

    async def go() -> tuple[int, list[int], int]:
        database.attach(asyncio.get_running_loop())
        on_loop = await database.read(pages_mb, name="quick")
        database.start_on_thread("slow")
        on_threads = await asyncio.gather(*(database.read(on_a_thread, name="slow") for _ in range(cores)))
        return on_loop, on_threads, await asyncio.to_thread(database.read_now, pages_mb)

    try:
        on_loop, on_threads, beside = asyncio.run(go())
        writes = database.write_now(pages_mb)
    finally:
        database.close()
    assert (on_loop, sum(on_threads), beside, writes) == (32, 32, 4, CACHE_MB)
