"""The WAL stays short, and no write waits for whoever reads."""

import asyncio
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import apsw
import pytest

from kbwork.db.database import Database
from kbwork.db.tx import Read, TooSlow

MB = 1024 * 1024
ENDLESS = "with recursive n (i) as (select 1 union all select i + 1 from n) select count(*) from n"


def grow(database: Database, megabytes: int) -> float:
    """Write the same row again and again; answers how long the slowest write took, in seconds."""
    slowest = 0.0
    for number in range(megabytes):
        started = time.monotonic()
        database.write_now(
            lambda tx, n=number: tx.execute(  # type: ignore[misc]  # bound by default
                "insert into setting values ('big', :v) on conflict do update set value = :v",
                v=f"{n:09}" * (MB // 9),
            )
        )
        slowest = max(slowest, time.monotonic() - started)
    return slowest


def wal_bytes(database: Database) -> int:
    return database.figures["wal_bytes"]


def shrinks(database: Database) -> bool:
    """Whether the WAL is restarted within ten seconds of writes."""
    until = time.monotonic() + 10
    while time.monotonic() < until:
        grow(database, 1)
        if wal_bytes(database) < 8 * MB:
            return True
        time.sleep(0.05)  # it tries again after some seconds, whatever was written meanwhile
    return False


def test_the_wal_stays_short_where_nobody_reads_for_long(database: Database) -> None:
    grow(database, 60)
    assert wal_bytes(database) < 24 * MB


@pytest.mark.long
def test_another_program_that_reads_for_long_makes_no_write_wait_and_is_told_of(
    database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    other = apsw.Connection(str(database.folder.file), flags=apsw.SQLITE_OPEN_READONLY)
    other.execute("begin")
    other.execute("select count(*) from setting").get  # noqa: B018 - the snapshot begins with the first read
    assert grow(database, 80) < 1
    assert wal_bytes(database) > 64 * MB
    warnings = [record.getMessage() for record in caplog.records if record.levelname == "WARNING"]
    assert len(warnings) == 1
    assert "end the other program that has it open" in warnings[0]
    other.execute("rollback")
    other.close()
    assert shrinks(database)


@pytest.mark.long
def test_a_slow_read_makes_no_write_wait_and_is_stopped_when_the_wal_grows_large(
    database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    database.start_on_thread("slow")
    started = threading.Event()

    def slow(tx: Read) -> int:
        tx.value("select count(*) from setting")
        started.set()
        found: int = tx.value(ENDLESS)
        return found

    with ThreadPoolExecutor(1) as pool:
        reading = pool.submit(lambda: asyncio.run(database.read(slow, name="slow")))
        assert started.wait(5)
        assert grow(database, 20) < 1
        assert not reading.done()
        until = time.monotonic() + 8
        while not reading.done() and time.monotonic() < until:
            assert grow(database, 10) < 1
        with pytest.raises(TooSlow):
            reading.result(timeout=1)
    assert "stopped 1 slow reads" in caplog.text
    assert shrinks(database)


def test_reads_on_threads_go_on_while_nobody_writes(database: Database) -> None:
    """What the checkpoint holds back it lets go by itself, without a write that would remind it."""
    database.start_on_thread("slow")
    started = threading.Event()
    go_on = threading.Event()

    def waits(tx: Read) -> bool:
        found: int = tx.value("select count(*) from setting")
        started.set()
        return found >= 0 and go_on.wait(5)

    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(lambda: asyncio.run(database.read(waits, name="slow")))
        assert started.wait(5)
        grow(database, 20)
        assert database._writer.checkpoints.patience is not None
        second = pool.submit(lambda: asyncio.run(database.read(lambda tx: tx.value("select 1"), name="slow")))
        assert second.result(timeout=3) == 1
        go_on.set()
        assert first.result(timeout=5)
