"""A data file has the triggers of the version that opens it, whatever was in it before."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import apsw
import pytest

from kbwork.base.clock import FixedClock
from kbwork.db import migrate
from kbwork.db.connection import connect
from kbwork.db.database import Database
from kbwork.db.schemas import triggers

CLOCK = FixedClock(1_700_000_000)
VOTES = ("issue_voted", "issue_unvoted")
WITHOUT_VOTES = ("209901010001_voiceless", "alter table issue drop column votes;\n")


@pytest.fixture
def file(empty_folder: Path) -> Path:
    """A data file of this version that nobody has open."""
    return empty_folder / "kbwork.db"


@contextmanager
def opened(file: Path) -> Iterator[apsw.Connection]:
    with closing(connect(file, writer=True)) as connection:
        yield connection


def in_file(file: Path) -> dict[str, str]:
    with opened(file) as connection:
        return triggers.present(connection)


def test_triggers_that_were_dropped_altered_or_planted_are_mended_at_the_next_start(file: Path) -> None:
    with opened(file) as connection:
        connection.execute("drop trigger relation_added")
        connection.execute("drop trigger issue_voted")
        connection.execute("create trigger issue_voted after insert on issue_vote begin select 1; end")
        connection.execute('create trigger "a ""b" after insert on session begin select 1; end')
    Database(file.parent, CLOCK).close()
    assert in_file(file) == triggers.wanted()


def test_where_they_are_right_nothing_is_written_and_nobody_is_waited_for(file: Path) -> None:
    before = file.read_bytes()
    with opened(file) as other:
        other.execute("begin immediate")
        changes = other.execute("pragma data_version").get
        assert migrate.migrate(file, CLOCK) == []
        assert other.execute("pragma data_version").get == changes
    assert file.read_bytes() == before


def test_a_start_that_fails_while_they_are_mended_leaves_those_of_before(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = triggers.wanted()
    faulty = "CREATE TRIGGER faulty after insert on nowhere begin select 1; end"
    with monkeypatch.context() as patch:
        patch.setattr(triggers, "wanted", lambda: wanted | {"faulty": faulty})
        with pytest.raises(apsw.SQLError, match="no such table"):
            migrate.migrate(file, CLOCK)
    assert in_file(file) == wanted


def test_a_later_migration_runs_without_triggers_and_a_start_cut_off_behind_it_is_finished_by_the_next(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With them SQLite refuses to drop a column that one of them names."""
    with opened(file) as connection, pytest.raises(apsw.SQLError, match="error in trigger"):
        connection.execute(WITHOUT_VOTES[1])
    known = migrate.files()
    left = {name: text for name, text in triggers.wanted().items() if name not in VOTES}
    monkeypatch.setattr(migrate, "files", lambda: [*known, WITHOUT_VOTES])
    monkeypatch.setattr(triggers, "wanted", lambda: left)
    with monkeypatch.context() as patch:
        patch.setattr(triggers, "put", _killed)
        with pytest.raises(SystemExit):
            migrate.migrate(file, CLOCK)
    assert in_file(file) == {}
    assert migrate.migrate(file, CLOCK) == []
    assert in_file(file) == left
    assert "votes" not in migrate.schema()


def _killed(_connection: apsw.Connection) -> None:
    raise SystemExit
