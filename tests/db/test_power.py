"""What was acknowledged outlives a power cut, a sync that failed and writes that fail."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw
import pytest

from kbwork.app import open_data
from kbwork.base.clock import FixedClock
from kbwork.base.errors import Busy
from kbwork.db.archives.check import check
from kbwork.db.database import Database
from kbwork.db.tx import Write
from tests.bench import power
from tests.conftest import NOW
from tests.db.faulty_disk import Disk

SOUND = dict.fromkeys(power.FAULTS, 0)


def put(tx: Write, name: str) -> None:
    tx.insert("setting", name=name, value="1")


def names(database: Database) -> list[str]:
    return database.read_now(lambda tx: tx.column("select name from setting order by name"))


async def together(database: Database, wanted: list[str]) -> dict[str, bool]:
    """Write these names at once, in one group; answers which were acknowledged. Raises what is not Busy."""
    found = await asyncio.gather(
        *(database.write(lambda tx, name=name: put(tx, name)) for name in wanted),  # type: ignore[misc]  # bound by default
        return_exceptions=True,
    )
    for answer in found:
        assert answer is None or isinstance(answer, Busy), answer
    return {name: answer is None for name, answer in zip(wanted, found, strict=True)}


@contextmanager
def failing(tmp_path: Path, *, seed: int = 1) -> Iterator[tuple[Disk, Database]]:
    """A database on a disk that can fail, until the power goes at the end of the block."""
    folder = tmp_path / "data"
    with Disk(folder, seed=seed) as disk:
        database = open_data(folder, FixedClock(NOW))
        try:
            yield disk, database
        finally:
            disk.cut()
            disk.buried = True
            database.close()


def left(disk: Disk, folder: Path) -> list[str]:
    """The names on what a cut left, as a server that starts there reads them."""
    folder.mkdir(mode=0o700)
    disk.image(folder, sectors=True)
    assert list(check(folder / "kbwork.db")) == []
    database = open_data(folder, FixedClock(NOW))
    try:
        return names(database)
    finally:
        database.close()


@pytest.mark.long
@pytest.mark.parametrize("sectors", [False, True])
def test_a_power_cut_takes_no_acknowledged_write(tmp_path: Path, sectors: bool) -> None:
    tally = power.run(tmp_path, 5, sectors=sectors, seed=3, report=lambda _: None)
    assert {name: tally.found[name] for name in power.FAULTS} == SOUND
    assert tally.count >= 500


@pytest.mark.long
def test_the_same_cuts_without_syncs_at_commit_are_seen_to_take_some(tmp_path: Path) -> None:
    tally = power.run(tmp_path, 3, sectors=False, normal=True, seed=3, report=lambda _: None)
    assert tally.found["lost"] > 0


def test_a_sync_that_fails_once_is_no_yes_and_its_pages_are_written_again(tmp_path: Path) -> None:
    """The kernel tells of a failed sync once and drops what it could not write: nothing may rest on it."""
    with failing(tmp_path) as (disk, database):
        assert asyncio.run(together(database, ["a", "b"])) == {"a": True, "b": True}
        disk.fail(apsw.SQLITE_IOERR_FSYNC, "sync", "kbwork.db-wal")
        connection = database._writer._connection
        assert asyncio.run(together(database, ["c"])) == {"c": False}
        assert disk.failed == 1
        assert database._writer._connection not in (None, connection)
        assert names(database) == ["a", "b"]
        assert asyncio.run(together(database, ["d", "e"])) == {"d": True, "e": True}
        assert names(database) == ["a", "b", "d", "e"]
    assert left(disk, tmp_path / "left") == ["a", "b", "d", "e"]


def test_a_group_whose_sync_failed_is_written_again_one_by_one(tmp_path: Path) -> None:
    with failing(tmp_path) as (disk, database):
        disk.fail(apsw.SQLITE_IOERR_FSYNC, "sync", "kbwork.db-wal")
        told = asyncio.run(together(database, [f"n{n:02}" for n in range(20)]))
        yes = [name for name, there in told.items() if there]
        assert disk.failed == 1
        assert len(yes) >= 19
        assert names(database) == yes
    assert left(disk, tmp_path / "left") == yes


@pytest.mark.parametrize("seed", range(4))
def test_a_sync_that_fails_in_a_checkpoint_loses_nothing(tmp_path: Path, seed: int) -> None:
    """apsw tells a fault of an automatic checkpoint to the commit before it, so that one write is there unasked."""
    yes: list[str] = []
    with failing(tmp_path, seed=seed) as (disk, database):
        disk.fail(apsw.SQLITE_IOERR_FSYNC, "sync", "kbwork.db")
        number = 0
        while not disk.failed or number % 300:
            number += 1
            assert number < 5000, "there was no checkpoint"
            told = asyncio.run(together(database, [f"n{number:04}"]))
            yes += [name for name, there in told.items() if there]
        assert len(yes) >= number - 1
        found = names(database)
    assert set(yes) <= set(found)
    assert left(disk, tmp_path / "left") == found
