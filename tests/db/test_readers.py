"""Reads: quick ones on the loop, slow ones on threads, none of them half."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from kbwork.app import open_data
from kbwork.base.clock import FixedClock
from kbwork.db.database import Database
from kbwork.db.tx import OverBudget, Read
from tests.conftest import NOW

SLOW = (
    "with recursive n (i) as (select 1 union all select i + 1 from n where i < 400000) select count(*) from n"
)


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    opened = open_data(tmp_path / "data", FixedClock(NOW))
    yield opened
    opened.close()


def test_a_read_that_runs_over_is_run_again_on_a_thread_and_starts_there_for_a_minute(
    database: Database,
) -> None:
    runs = []

    def slow(tx: Read) -> int:
        runs.append(1)
        found: int = tx.value(SLOW)
        return found

    async def twice() -> list[int]:
        return [await database.read(slow, name="slow"), await database.read(slow, name="slow")]

    assert asyncio.run(twice()) == [400_000, 400_000]
    assert len(runs) == 3
    assert database.figures["reads_interrupted"] == 1


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
