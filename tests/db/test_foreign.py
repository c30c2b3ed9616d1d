"""A data file is served, checked, packed and restored with the schema that our migrations make, and with no other."""

from contextlib import closing
from pathlib import Path
from typing import Any

import apsw
import pytest
from click.testing import CliRunner

from kbwork.base.clock import FixedClock
from kbwork.cli.commands.doctor import doctor
from kbwork.db import migrate
from kbwork.db.archives import backup, file_worker
from kbwork.db.archives.check import check
from kbwork.db.connection import Unusable, add_functions
from kbwork.db.database import Database
from kbwork.db.schemas import foreign, triggers
from tests.modules.backups.old_archives import age

CLOCK = FixedClock(1_700_000_000)
THIEF = "CREATE TRIGGER thief after insert on session begin delete from member; end"
LABEL = backup.ArchiveLabel(at=1, kind="manual")


def change(file: Path, *statements: str) -> None:
    """By somebody who has the file and any library."""
    with closing(apsw.Connection(str(file))) as connection:
        add_functions(connection)
        connection.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 0)
        connection.execute("pragma writable_schema = on")
        for statement in statements:
            connection.execute(statement)


def _forged(kind: str, name: str, sql: str) -> str:
    return f"insert into sqlite_schema values ('{kind}', '{name}', 'session', 0, '{sql}')"


PLANTED = {
    "a trigger": (THIEF, "the trigger thief is not of kbwork: drop it"),
    "a trigger that lists of triggers leave out": (
        _forged("Trigger", "thief", THIEF),
        "the entry thief is not of kbwork",
    ),
    "a trigger that outlives being dropped": (
        _forged("trigger", "THIEF", THIEF),
        "the trigger THIEF is not of kbwork",
    ),
    "a trigger of ours with another text": (
        "update sqlite_schema set sql = replace(sql, 'begin', 'begin select 1;') where name = 'issue_voted'",
        "the trigger issue_voted is not as kbwork makes it: restore a backup",
    ),
    "a view": ("create view people as select * from member", "the view people is not of kbwork: drop it"),
    "a table": ("create table [a \nb] (x)", "the table 'a \\nb' is not of kbwork"),
    "an index": ("create index mine on member (name)", "the index mine is not of kbwork"),
    "a column": ("alter table member add column x text", "the table member is not as kbwork makes it"),
    "a table that is gone": ("drop table web_link", "the table web_link of kbwork is missing"),
    "an index that is gone": ("drop index events_subject", "the index events_subject of kbwork is missing"),
    "a view of what ran": (
        "alter table schema_migration rename to kept;;create view schema_migration as select * from kept",
        "the table schema_migration is not of kbwork",
    ),
}
MENDED = {"a trigger", "a trigger of ours with another text"}
"""What the next start takes away, as it does with any trigger that is not of today."""


@pytest.fixture
def file(empty_folder: Path) -> Path:
    """A data file of this version that nobody has open."""
    return empty_folder / "kbwork.db"


@pytest.fixture(params=PLANTED)
def planted(request: pytest.FixtureRequest, file: Path) -> tuple[Path, str, str]:
    """(file, what was done to it, what is said of it)."""
    statement, said = PLANTED[request.param]
    change(file, *statement.split(";;"))
    return file, request.param, said


def archived(file: Path, to: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An archive of a file as it is, packed by somebody who does not look at it."""
    with monkeypatch.context() as patch:
        patch.setattr(backup, "check", lambda _path: iter(()))
        backup.pack(file, to / "made.zip", LABEL)
    return to / "made.zip"


def test_a_file_with_another_schema_is_named_by_the_doctor(planted: tuple[Path, str, str]) -> None:
    file, _, said = planted
    ran = CliRunner().invoke(doctor, ["--data", str(file.parent)])
    assert (ran.exit_code, f"MEND {said}" in ran.output) == (1, True), ran.output


def test_it_is_not_served_and_a_trigger_is_taken_away(planted: tuple[Path, str, str]) -> None:
    file, what, said = planted
    if what in MENDED:
        Database(file.parent, CLOCK).close()
        assert list(check(file)) == []
        return
    with pytest.raises(Unusable, match="cannot be used") as told:
        Database(file.parent, CLOCK)
    assert (said in str(told.value), "\n" in str(told.value)) == (True, False)


def test_an_archive_of_it_is_not_made_not_laid_and_does_not_pass(
    planted: tuple[Path, str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, _, said = planted
    with pytest.raises(Unusable) as told:
        backup.pack(file, tmp_path / "made.zip", LABEL)
    assert said in str(told.value)
    archive = archived(file, tmp_path, monkeypatch)
    assert [(one.name, one.ok) for one in backup.verify(archive, tmp_path)] == [
        ("archive", True),
        ("origin", True),
        ("schema", False),
    ]
    with pytest.raises(backup.InvalidArchive) as refused:
        file_worker.lay(str(archive), str(tmp_path / "aside"))
    assert str(refused.value).startswith(f"{archive} is no backup that kbwork made: ")
    assert said in str(refused.value)
    assert not (tmp_path / "aside").exists()


def test_what_sqlite_keeps_for_itself_is_no_fault(file: Path, tmp_path: Path) -> None:
    change(file, "analyze")
    copied = tmp_path / "copied.db"
    backup.copy(file, copied)
    assert [*check(file), *check(copied)] == []
    Database(file.parent, CLOCK).close()


@pytest.mark.parametrize("name", [name for name, _ in migrate.files()][::4])
def test_a_file_that_went_from_version_to_version_is_ours_at_each(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where it was copied, as a backup is."""
    path, copied = tmp_path / "kbwork.db", tmp_path / "copied.db"
    with monkeypatch.context() as patch:
        known = [one for one in migrate.files() if one[0] <= name]
        patch.setattr(migrate, "files", lambda: known)
        patch.setattr(triggers, "put", lambda _connection: None)  # those of today want tables of today
        migrate.migrate(path, CLOCK, copy=False)
    assert list(check(path)) == []
    backup.copy(path, copied)
    assert list(check(copied)) == []
    for file in (path, copied):
        migrate.migrate(file, CLOCK, copy=False)
        assert list(check(file)) == []


def test_a_file_of_an_earlier_version_is_ours(file: Path) -> None:
    """It goes back version by version. To make the schema that one of them had takes a tenth of a second: of the older
    ones each third is looked at."""
    back = [name for name, _ in reversed(migrate.files()) if name >= "202611200038"]
    for at, name in enumerate(back):
        age(file, name)
        if at < 5 or at % 3 == 0:
            assert (name, list(check(file))) == (name, [])


def test_a_trigger_may_have_a_text_that_it_had_before(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It changes without a migration: the day after, an archive of the day before is as good as ever."""
    later = triggers.wanted() | {"issue_voted": triggers.wanted()["issue_voted"].replace("end", " end")}
    archive = archived(file, tmp_path, monkeypatch)
    monkeypatch.setattr(triggers, "wanted", lambda: later)
    migrate._made_by.cache_clear()
    try:
        file_worker.lay(str(archive), str(tmp_path / "aside"))
    finally:
        migrate._made_by.cache_clear()
    with backup.opened(tmp_path / "aside" / backup.FILE) as connection:
        assert triggers.present(connection) == later


def test_what_is_of_this_version_is_known_without_making_its_schema(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """That takes a tenth of a second, and more with each migration: a backup would spend it each time."""

    def never(_known: object) -> Any:
        raise AssertionError("the schema was made")

    monkeypatch.setattr(migrate, "_made_by", never)
    backup.pack(file, tmp_path / "made.zip", LABEL)
    file_worker.lay(str(tmp_path / "made.zip"), str(tmp_path / "aside"))
    assert [*check(file), *check(tmp_path / "aside" / backup.FILE)] == []


def test_the_committed_digests_are_those_of_the_schema_and_keep_what_was() -> None:
    assert foreign.DIGESTS.read_text() == migrate.digests(), "run: kbwork contract"
    had = [line.split()[1] for line in migrate.digests().splitlines() if line.startswith("trigger ")]
    assert set(triggers.wanted()) <= set(had)
    assert had.count("search_entry_put") == 3
