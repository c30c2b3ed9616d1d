"""Another process that has the data file open is named, to the log of the server and by the doctor."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner

from kbwork.app import open_data
from kbwork.base.clock import FixedClock
from kbwork.cli.commands.doctor import doctor
from kbwork.db import checkpoint
from kbwork.db.database import Database
from kbwork.db.holders import holders, named, parent
from tests.conftest import NOW

_READER = """
import apsw, sys
connection = apsw.Connection(sys.argv[1], flags=apsw.SQLITE_OPEN_READONLY)
connection.execute("begin")
connection.execute("select count(*) from setting").get
print("open", flush=True)
sys.stdin.read()
"""


@contextmanager
def reading(file: Path) -> Iterator[int]:
    """Another process reads the file and does not end; its id."""
    process = subprocess.Popen(
        [sys.executable, "-c", _READER, str(file)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == b"open\n"
        yield process.pid
    finally:
        process.communicate(timeout=20)


def grow(database: Database, megabytes: int) -> None:
    for number in range(megabytes):
        database.write_now(
            lambda tx, n=number: tx.execute(  # type: ignore[misc]  # bound by default
                "insert into setting values ('big', :v) on conflict do update set value = :v",
                v=f"{n:09}" * 110_000,
            )
        )


def warnings(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records if record.levelname == "WARNING"]


def test_who_has_the_file_open_is_known_without_opening_it(database: Database) -> None:
    file = database.folder.file
    assert holders(file) == []
    with reading(file) as pid:
        assert holders(file) == [pid]
        assert named([pid]).startswith(f"process {pid} (")
    assert holders(file) == []
    assert named([pid]) == ""


def test_those_of_other_users_are_known_by_their_lock(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Which files they have open is for root to see."""
    file = database.folder.file
    monkeypatch.setattr("kbwork.db.holders._has_one_of", lambda *_: False)
    with reading(file) as pid:
        assert holders(file) == holders(file, like="python") == [pid]
        assert holders(file, like="litestream") == []
        assert parent(pid) == os.getpid()
    assert (holders(file), parent(pid)) == ([], None)


def test_the_log_names_who_is_in_the_way_once_for_each_occasion(
    database: Database, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checkpoint, "_RESTART_BYTES", 1024 * 1024)
    monkeypatch.setattr(checkpoint, "_WARN_BYTES", 3 * 1024 * 1024)
    monkeypatch.setattr(checkpoint, "_LOOK_AGAIN_S", 0)
    monkeypatch.setattr(checkpoint, "_AGAIN_S", 0)
    for occasion in (1, 2):
        with reading(database.folder.file) as pid:
            grow(database, 12)
            assert len(warnings(caplog)) == occasion
            assert f"end the other program that has it open: process {pid} (" in warnings(caplog)[-1]
        grow(database, 2)
        assert database.figures["wal_bytes"] < 3 * 1024 * 1024
    with reading(database.folder.file) as first:
        grow(database, 6)
        with reading(database.folder.file) as second:
            grow(database, 2)
            assert [f"process {first}" in one for one in warnings(caplog)[2:]] == [True, True]
            assert [f"process {second}" in one for one in warnings(caplog)[2:]] == [False, True]


@pytest.mark.parametrize("served", [True, False])
def test_the_doctor_names_them_whether_the_folder_is_served_or_not(tmp_path: Path, *, served: bool) -> None:
    folder = tmp_path / "data"
    database = open_data(folder, FixedClock(NOW))
    if not served:
        database.close()
    try:
        assert CliRunner().invoke(doctor, ["--data", str(folder)]).exit_code == 0
        with reading(folder / "kbwork.db") as pid:
            ran = CliRunner().invoke(doctor, ["--data", str(folder)])
        assert (ran.exit_code, f"MEND the data file is open in process {pid} (" in ran.output) == (1, True)
        assert ran.output.count("MEND") == 1
        assert CliRunner().invoke(doctor, ["--data", str(folder)]).exit_code == 0
    finally:
        if served:
            database.close()


def test_a_server_is_not_named_for_its_own_file(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    open_data(folder, FixedClock(NOW)).close()
    with reading(folder / "kbwork.db") as pid:
        (folder / "kbwork.lock").write_text(f"{pid}\n")
        assert "is open in" not in CliRunner().invoke(doctor, ["--data", str(folder)]).output
