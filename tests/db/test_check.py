"""What a look over a data file finds, by one thread or by several."""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import apsw
import pytest

from kbwork.base.clock import FixedClock
from kbwork.db import migrate
from kbwork.db.archives.check import check
from kbwork.db.connection import add_functions


def change(file: Path, *statements: str) -> None:
    """By somebody who has the file and any library."""
    with closing(apsw.Connection(str(file))) as connection:
        add_functions(connection)
        connection.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 0)
        for statement in ("pragma foreign_keys = off", "pragma writable_schema = on", *statements):
            connection.execute(statement).get  # noqa: B018 - steps the statement to its end


def _rewritten(table: str, index: str, sql: str) -> str:
    return f"update sqlite_schema set sql = '{sql}' where name = '{index}' and tbl_name = '{table}'"


def miss_a_row(file: Path) -> None:
    """An index is without a row of its table."""
    with closing(apsw.Connection(str(file))) as connection:
        sql: str = connection.execute("select sql from sqlite_schema where name = 'events_actor'").get
    change(file, _rewritten("events", "events_actor", f"{sql} where seq > 9"))
    columns = "seq, kind, subject, actor, actor_kind, at, payload, audience, scope"
    values = "1, 'a.b', 'issue:1', 'ana', 'human', 1, jsonb('{}'), 'all', 'x'"
    change(file, f"insert into events ({columns}) values ({values})")
    change(file, _rewritten("events", "events_actor", sql))


def lose_a_page(file: Path) -> None:
    """The list of free pages is said to be longer than it is."""
    with file.open("r+b") as out:
        out.seek(36)
        out.write((7).to_bytes(4))


def dangle(file: Path) -> None:
    """A row names one that is not there."""
    change(
        file, "insert into label (name, name_key, color, project, description) values ('a', 'a', 'b', 77, '')"
    )


def misspell(file: Path) -> None:
    """The index of words has other words than are in it."""
    change(
        file,
        "insert into search_text (rowid, title, body) values (1, 'one', 'two')",
        "update search_text_data set block = zeroblob(length(block)) where id > 10",
    )


FAULTS: dict[Callable[[Path], None], str] = {
    miss_a_row: "events_actor",
    lose_a_page: "freelist",
    dangle: "of label names a row of project that is not there",
    misspell: "search_text",
}


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("harm", FAULTS, ids=lambda one: one.__name__)
def test_each_kind_of_damage_is_found(tmp_path: Path, harm: Callable[[Path], None], threads: int) -> None:
    file = tmp_path / "kbwork.db"
    migrate.migrate(file, FixedClock(1), copy=False)
    assert list(check(file, threads=threads)) == []
    harm(file)
    found = list(check(file, threads=threads))
    assert any(FAULTS[harm] in fault.lower() for fault in found), found
    assert len(found) == len(set(found))


@pytest.mark.parametrize("threads", [1, 3])
def test_what_is_no_data_file_is_told_and_what_cannot_be_opened(tmp_path: Path, threads: int) -> None:
    other, gone = tmp_path / "other.db", tmp_path / "gone.db"
    other.write_text("no database at all", encoding="utf-8")
    assert ["cannot be" in fault for fault in check(other, threads=threads)] == [True]
    assert ["cannot be opened" in fault for fault in check(gone, threads=threads)] == [True]
