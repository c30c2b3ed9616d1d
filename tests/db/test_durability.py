"""One file that loses nothing: killed, full, failing, opened twice, of another program."""

import os
import subprocess
import sys
import threading
from pathlib import Path

import apsw
import pytest

from kbwork.app import open_data
from kbwork.base.caller import SYSTEM
from kbwork.base.clock import FixedClock
from kbwork.base.errors import Busy, Conflict, StorageFull
from kbwork.db import guard, migrate
from kbwork.db.archives.check import check
from kbwork.db.connection import APPLICATION_ID, FolderLocked, Unusable, connect
from kbwork.db.database import Database
from kbwork.db.folder import RESERVE_BYTES, Folder
from kbwork.db.migrate import files
from kbwork.db.tx import Write
from tests.bench import kill
from tests.conftest import NOW


def put(tx: Write, name: str) -> None:
    tx.insert("setting", name=name, value="1")


def names(database: Database) -> list[str]:
    return database.read_now(lambda tx: tx.column("select name from setting order by name"))


def test_killed_under_load_it_loses_no_acknowledged_write_and_doubles_none(tmp_path: Path) -> None:
    told: list[str] = []
    found = kill.run(tmp_path / "data", 4, report=told.append)
    assert found["acknowledged"] > 50
    assert len(told) == 4


def test_writes_that_wait_together_are_one_commit_each_in_its_savepoint(database: Database) -> None:
    gate = threading.Event()
    started = threading.Event()

    def hold(tx: Write) -> None:
        started.set()
        assert gate.wait(10)

    def refuse(tx: Write) -> None:
        put(tx, "refused")
        raise Conflict("no")

    outcomes: dict[str, BaseException | None] = {}

    def run(name: str) -> None:
        try:
            database.write_now(refuse if name == "bad" else lambda tx: put(tx, name))
            outcomes[name] = None
        except Conflict as error:
            outcomes[name] = error

    holder = threading.Thread(target=lambda: database.write_now(hold))
    holder.start()
    assert started.wait(10)
    before = database.version
    writers = [threading.Thread(target=run, args=(name,)) for name in ("a", "bad", "b")]
    for writer in writers:
        writer.start()
    while database.figures["writes_waiting"] < 3:
        threading.Event().wait(0.001)
    gate.set()
    for thread in (holder, *writers):
        thread.join(10)
    assert names(database) == ["a", "b"]
    assert {name: type(error) for name, error in outcomes.items()} == {
        "a": type(None),
        "b": type(None),
        "bad": Conflict,
    }
    assert database.version == before + 1


def test_a_full_disk_refuses_writes_and_lets_essential_ones_pass(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SQLite itself says FULL here: the file may not grow by a page."""
    writer = database._writer
    put_big = lambda tx: tx.execute("insert into setting values ('big', :v)", v="x" * 3_000_000)  # noqa: E731
    connection = writer._connection
    assert connection is not None
    pages = connection.execute("pragma page_count").get
    connection.execute(f"pragma max_page_count = {pages}").get  # noqa: B018 - steps the statement
    monkeypatch.setattr(database.folder, "has_room", lambda: False)
    reserve = database.folder.path / "kbwork.reserve"
    assert reserve.stat().st_size == RESERVE_BYTES
    with pytest.raises(StorageFull):
        database.write_now(put_big)
    assert not reserve.exists()

    async def ordinary() -> None:
        await database.write(lambda tx: put(tx, "ordinary"), SYSTEM)

    with pytest.raises(StorageFull):
        _run(ordinary())
    assert names(database) == []
    database.write_now(lambda tx: put(tx, "essential"))
    monkeypatch.undo()
    connection.execute("pragma max_page_count = 1000000").get  # noqa: B018 - steps the statement
    writer._space_asked = 0.0
    _run(ordinary())
    assert names(database) == ["essential", "ordinary"]
    assert reserve.stat().st_size == RESERVE_BYTES


def test_a_failing_disk_is_never_a_false_yes_and_mends_without_a_restart(database: Database) -> None:
    database.write_now(lambda tx: put(tx, "before"))
    writer = database._writer
    failing = apsw.IOError("disk I/O error")

    def broken(tx: Write) -> None:
        put(tx, "broken")
        raise failing

    with pytest.raises(Busy):
        database.write_now(broken)
    assert names(database) == ["before"]
    assert writer._connection is not None
    database.write_now(lambda tx: put(tx, "after"))
    assert names(database) == ["after", "before"]


def test_one_failing_write_of_a_group_does_not_take_the_others_along(database: Database) -> None:
    gate, started = threading.Event(), threading.Event()

    def hold(tx: Write) -> None:
        started.set()
        assert gate.wait(10)

    def broken(tx: Write) -> None:
        raise apsw.IOError("disk I/O error")

    outcomes: list[type] = []

    def run(fn: object) -> None:
        try:
            database.write_now(fn)  # type: ignore[arg-type]  # both take a Write
            outcomes.append(type(None))
        except Busy as error:
            outcomes.append(type(error))

    threads = [threading.Thread(target=run, args=(hold,))]
    threads[0].start()
    assert started.wait(10)
    threads += [
        threading.Thread(target=run, args=(fn,))
        for fn in (lambda tx: put(tx, "a"), broken, lambda tx: put(tx, "b"))
    ]
    for thread in threads[1:]:
        thread.start()
    while database.figures["writes_waiting"] < 3:
        threading.Event().wait(0.001)
    gate.set()
    for thread in threads:
        thread.join(10)
    assert sorted(found.__name__ for found in outcomes) == ["Busy", "NoneType", "NoneType", "NoneType"]
    assert names(database) == ["a", "b"]


def test_a_second_server_does_not_start_and_the_first_goes_on(database: Database) -> None:
    with pytest.raises(FolderLocked, match="in use by another kbwork"):
        open_data(database.folder.path, FixedClock(NOW))
    command = [sys.executable, "-m", "kbwork", "serve", "--data", str(database.folder.path), "--port", "0"]
    second = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)
    assert second.returncode == 2
    assert "stop that one first" in second.stderr
    assert len(second.stderr.strip().splitlines()) == 1
    database.write_now(lambda tx: put(tx, "still"))


def test_nothing_else_in_the_process_opens_the_file(database: Database) -> None:
    import sqlite3  # noqa: TID251 - to see it refused

    with pytest.raises(guard.GuardedFile):
        sqlite3.connect(":memory:")
    for suffix in ("", "-wal", "-shm"):
        with pytest.raises(guard.GuardedFile):
            Path(f"{database.folder.file}{suffix}").read_bytes()


def test_a_folder_that_is_read_only_is_one_clear_line(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "ro,size=1m", "tmpfs", str(folder)]
    if (
        os.geteuid() != 0
        or subprocess.run(command, capture_output=True, check=False, timeout=10).returncode != 0
    ):
        pytest.skip("a read-only file system cannot be mounted here")
    try:
        serve = [sys.executable, "-m", "kbwork", "serve", "--data", str(folder), "--port", "0"]
        found = subprocess.run(serve, capture_output=True, text=True, timeout=30, check=False)
        assert (found.returncode, len(found.stderr.strip().splitlines())) == (2, 1)
        assert "read-only" in found.stderr
        assert list(folder.iterdir()) == []
    finally:
        subprocess.run(["umount", str(folder)], check=True, timeout=10)


def test_a_really_full_disk_refuses_and_recovers(tmp_path: Path) -> None:
    """A file system of 32 MB is filled from outside, and emptied again."""
    folder = tmp_path / "data"
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=32m", "tmpfs", str(folder)]
    if (
        os.geteuid() != 0
        or subprocess.run(command, capture_output=True, check=False, timeout=10).returncode != 0
    ):
        pytest.skip("a small file system cannot be mounted here")
    try:
        _fill_and_empty(folder)
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True, timeout=10)


def _fill_and_empty(folder: Path) -> None:
    database = open_data(folder, FixedClock(NOW))
    try:
        ballast = folder / "ballast"
        size = os.statvfs(folder).f_bavail * os.statvfs(folder).f_frsize
        ballast.write_bytes(b"x" * (size - 64 * 1024))
        refused = 0
        kept = []

        async def ordinary(name: str) -> None:
            await database.write(lambda tx: tx.insert("setting", name=name, value="x" * 50_000), SYSTEM)

        for number in range(200):
            try:
                _run(ordinary(f"n{number:03}"))
                kept.append(f"n{number:03}")
            except StorageFull:
                refused += 1
        assert refused
        assert names(database) == kept
        database.write_now(lambda tx: put(tx, "signed in"))
        ballast.unlink()
        database._writer._space_asked = 0.0
        _run(ordinary("z"))
        assert names(database) == [*kept, "signed in", "z"]
    finally:
        database.close()
    assert list(check(folder / "kbwork.db")) == []


def test_files_are_private_and_a_key_that_others_read_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    open_data(folder, FixedClock(NOW)).close()
    assert oct(folder.stat().st_mode & 0o777) == "0o700"
    assert {oct(path.stat().st_mode & 0o777) for path in folder.iterdir()} == {"0o600"}
    (folder / "master.key").chmod(0o644)
    with pytest.raises(Unusable, match="can be read by others"):
        open_data(folder, FixedClock(NOW))


def test_others_are_shut_out_of_a_folder_that_was_there(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    folder = tmp_path / "data"
    open_data(folder, FixedClock(NOW)).close()
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_text("theirs")
    elsewhere.chmod(0o644)
    (folder / "link").symlink_to(elsewhere)
    for below in ("backups", "uploads"):
        (folder / below).mkdir()
        (folder / below).chmod(0o755)
        (folder / below / "one").write_text("x")
        (folder / below / "one").chmod(0o644)
    for path in (folder / "kbwork.db", folder / "kbwork.lock"):
        path.chmod(0o664)
    folder.chmod(0o755)
    caplog.clear()
    open_data(folder, FixedClock(NOW)).close()
    found = {path for path in (folder, *folder.rglob("*")) if path.lstat().st_mode & 0o077}
    assert found == {folder / "link"}
    assert oct(elsewhere.stat().st_mode & 0o777) == "0o644"
    (line,) = [one.getMessage() for one in caplog.records if "private" in one.getMessage()]
    assert line == f"others could read {folder}: it is private now, and 4 files in it"
    caplog.clear()
    open_data(folder, FixedClock(NOW)).close()
    assert caplog.records == []


def test_an_open_folder_that_is_not_ours_to_shut_is_refused_and_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    folder.chmod(0o755)
    with monkeypatch.context() as patch:
        patch.setattr(os, "geteuid", lambda: folder.stat().st_uid + 1)
        with pytest.raises(Unusable, match=f"not this user's: chmod 700 {folder}"):
            open_data(folder, FixedClock(NOW))
    (folder / "thesis.txt").write_text("mine")
    with pytest.raises(Unusable, match="name an empty folder, or chmod 700"):
        open_data(folder, FixedClock(NOW))
    assert (oct(folder.stat().st_mode & 0o777), len(list(folder.iterdir()))) == ("0o755", 1)


def test_another_programs_file_a_newer_one_and_an_edited_migration_are_refused(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    open_data(folder, FixedClock(NOW)).close()
    file = folder / "kbwork.db"

    def change(sql: str) -> None:
        connection = apsw.Connection(str(file))
        connection.execute(sql).get  # noqa: B018 - steps the statement
        connection.close()

    for sql, back, match in (
        ("pragma application_id = 7", f"pragma application_id = {APPLICATION_ID}", "not a kbwork data file"),
        (
            "insert into schema_migration values ('209901010000_future', 'x', 1)",
            "delete from schema_migration where name = '209901010000_future'",
            "newer kbwork",
        ),
        ("update schema_migration set checksum = 'x' || checksum", "select 1", "was changed after it ran"),
    ):
        change(sql)
        with pytest.raises(Unusable, match=match):
            open_data(folder, FixedClock(NOW))
        change(back)


@pytest.mark.parametrize("marked", [0, APPLICATION_ID])
def test_a_first_start_that_was_cut_off_is_made_again(tmp_path: Path, marked: int) -> None:
    folder = tmp_path / "data"
    Folder(folder).prepare()
    begun = connect(folder / "kbwork.db", writer=True)
    begun.execute(f"pragma application_id = {marked}")
    begun.close()
    assert (folder / "kbwork.db").stat().st_size > 0
    open_data(folder, FixedClock(NOW)).close()
    assert sorted(path.name for path in folder.glob("*.db")) == ["kbwork.db"]
    assert list(check(folder / "kbwork.db")) == []


def test_a_file_keeps_a_copy_of_itself_before_a_migration(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "data"
    open_data(folder, FixedClock(NOW)).close()
    later = [*files(), ("209901010000_failing", "drop table nowhere;\n")]
    monkeypatch.setattr(migrate, "files", lambda: later)
    with pytest.raises(Unusable, match="cannot be brought to this version, at 209901010000_failing"):
        open_data(folder, FixedClock(NOW))
    (copy,) = folder.glob("kbwork-before-*.db")
    assert apsw.Connection(str(copy)).execute("select count(*) from schema_migration").get == len(files())


def test_every_setting_of_sqlite_is_in_force(database: Database) -> None:
    connection = database._writer._connection
    assert connection is not None
    wanted = {
        "journal_mode": "wal",
        "synchronous": 2,
        "foreign_keys": 1,
        "trusted_schema": 0,
        "cell_size_check": 1,
        "secure_delete": 1,
        "auto_vacuum": 2,
        "temp_store": 2,
    }
    assert {name: connection.execute(f"pragma {name}").get for name in wanted} == wanted


def _run(coroutine: object) -> None:
    import asyncio

    asyncio.run(coroutine)  # type: ignore[arg-type]  # a coroutine, whatever it awaits
