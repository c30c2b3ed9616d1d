"""What a look over a data file finds, by one thread or by several."""

import itertools
import random
import struct
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import apsw
import pytest

from kbwork.base.clock import FixedClock
from kbwork.db import migrate
from kbwork.db.archives import blocks
from kbwork.db.archives.check import check
from kbwork.db.archives.index_check import IndexCheck, checks
from kbwork.db.connection import add_functions


def change(file: Path, *statements: str) -> None:
    """By somebody who has the file and any library."""
    with closing(apsw.Connection(str(file))) as connection:
        add_functions(connection)
        connection.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 0)
        for statement in ("pragma foreign_keys = off", "pragma writable_schema = on", *statements):
            connection.execute(statement).get  # noqa: B018 - steps the statement to its end


def _as(file: Path, index: str, spelt: tuple[str, str], *statements: str) -> None:
    """With an index that is spelt otherwise for the while."""
    with closing(apsw.Connection(str(file))) as connection:
        sql: str = connection.execute("select sql from sqlite_schema where name = ?", (index,)).get
    for text, then in ((sql.replace(*spelt), statements), (sql, ())):
        change(file, f"update sqlite_schema set sql = '{text}' where name = '{index}'")
        change(file, *then)


_EVENT = (
    "insert into events (seq, kind, subject, actor, actor_kind, at, payload, audience, scope)"
    " values ({0}, 'a.b', 'issue:{0}', 'ana', 'human', 1, jsonb('{{}}'), 'all', 'x')"
)
_NONE = ("(actor, seq)", "(actor, seq) where seq > 9")


def miss_a_row(file: Path) -> None:
    """An index is without a row of its table."""
    _as(file, "events_actor", _NONE, _EVENT.format(1))


def keep_an_entry(file: Path) -> None:
    """And with one that is a row no more."""
    change(file, _EVENT.format(1))
    _as(file, "events_actor", _NONE, "delete from events where seq = 1")


def name_another_row(file: Path) -> None:
    """One that it has not in the place of one that it has: there are as many as there should be."""
    change(file, _EVENT.format(1))
    _as(file, "events_actor", _NONE, "update events set seq = 2")


def have_two(file: Path) -> None:
    """Of what may be there once."""
    label = "insert into label (name, name_key, color, description) values ('a', 'a', 'b', '')"
    _as(file, "label_org", ("UNIQUE ", ""), label, label)


def swap(file: Path, name: str) -> None:
    """Two entries of a page that is the whole of an index, by itself or that of a table's key."""
    with closing(apsw.Connection(str(file))) as connection:
        at = 4096 * (
            int(connection.execute("select rootpage from sqlite_schema where name = ?", (name,)).get) - 1
        )
    with file.open("r+b") as out:
        out.seek(at)
        kind, *_, first, second = struct.unpack(">B2H3xHH", out.read(12))
        assert kind == 10
        out.seek(at + 8)
        out.write(struct.pack(">HH", second, first))


def sort_an_index_wrong(file: Path) -> None:
    change(file, _EVENT.format(1), _EVENT.format(2))
    swap(file, "events_actor")


def number_a_text(file: Path) -> None:
    """A key has a number where its table has texts."""
    rest = "primary key,\n  value text not null\n) {}without rowid"
    change(file, "delete from setting", "insert into setting values ('a', '1')")
    loose = (f"name text {rest.format('strict, ')}", f"name {rest.format('')}")
    _as(file, "setting", loose, "insert into setting values (5, '1')")


def sort_a_table_wrong(file: Path) -> None:
    change(file, "delete from setting", "insert into setting values ('a', '1'), ('b', '2')")
    swap(file, "setting")


def have_a_key_twice(file: Path) -> None:
    """In a table that is the index of its key."""
    key = ("name text primary key", "name text")
    with closing(apsw.Connection(str(file))) as connection:
        sql: str = connection.execute("select sql from sqlite_schema where name = 'setting'").get
    wide = sql.replace(*key).replace("not null\n)", "not null,\n  primary key (name, value)\n)")
    change(file, "delete from setting", f"update sqlite_schema set sql = '{wide}' where name = 'setting'")
    change(file, "insert into setting values ('a', '1'), ('a', '2')")
    change(file, f"update sqlite_schema set sql = '{sql}' where name = 'setting'")


def name_migrations_by_numbers(file: Path) -> None:
    """And by bytes: nothing that can be sorted."""
    change(file, "pragma ignore_check_constraints = on")
    sql = "select sql from sqlite_schema where name = 'schema_migration'"
    with closing(apsw.Connection(str(file))) as connection:
        spelt: str = connection.execute(sql).get
    loose = spelt.replace("name text", "name any")
    change(file, f"update sqlite_schema set sql = '{loose}' where name = 'schema_migration'")
    change(file, "insert into schema_migration values (7, '', 1), (x'00', '', 1), ('z', '', 1)")
    change(file, f"update sqlite_schema set sql = '{spelt}' where name = 'schema_migration'")


def spell_no_text(file: Path) -> None:
    """A name of a migration has bytes that are none of a text."""
    data = file.read_bytes()
    file.write_bytes(data.replace(b"_flag_triggers", b"_flag_\xd7riggers"))


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
    miss_a_row: "the index events_actor misses 1 of 1 rows of events",
    keep_an_entry: "the index events_actor has 1 entries and should have 0",
    name_another_row: "the index events_actor misses 1 of 1 rows of events",
    have_two: "the unique index label_org of label has values more than once: 1 of them",
    sort_an_index_wrong: "the index events_actor misses 1 of 2 rows of events",
    sort_a_table_wrong: "rows of setting are not in the order of its key: 1 of them",
    number_a_text: "non-text value in setting.name",
    have_a_key_twice: "rows of setting are not in the order of its key: 1 of them",
    name_migrations_by_numbers: "written by a newer kbwork (it has 7)",
    spell_no_text: "cannot be read",
    lose_a_page: "freelist",
    dangle: "of label names a row of project that is not there",
    misspell: "search_text",
}


@pytest.mark.parametrize(("threads", "journal"), [(1, "delete"), (3, "wal")])
@pytest.mark.parametrize("harm", FAULTS, ids=lambda one: one.__name__)
def test_each_kind_of_damage_is_found(
    tmp_path: Path, harm: Callable[[Path], None], threads: int, journal: str
) -> None:
    """In a copy, which is read by blocks, and in a file that others may write."""
    file = tmp_path / "kbwork.db"
    migrate.migrate(file, FixedClock(1), copy=False)
    change(file, f"pragma journal_mode = {journal}")
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


_TERMS = (
    "select count(*) from pragma_index_xinfo(?)"
    ' where key or not (select "unique" from pragma_index_list(?) where name = ?)'
)
"""What an entry has: the terms of its index, and where they do not tell one from all others that of its row."""


def test_each_index_is_looked_into_by_all_that_its_entries_have(tmp_path: Path) -> None:
    """One after another of its rows as the table has them, whatever an index to come is like."""
    file = tmp_path / "kbwork.db"
    migrate.migrate(file, FixedClock(1), copy=False)
    with closing(apsw.Connection(str(file))) as connection:
        asked = list(checks(connection))
        named = {
            name for (name,) in connection.execute("select name from sqlite_schema where type = 'index'")
        }
        assert named <= {one.index for one in asked if isinstance(one, IndexCheck)}
        assert "search_text_idx" in {one.table for one in asked}  # the tables of an index of words, too
        for one in asked:
            plan = [row[3] for row in connection.execute(f"explain query plan {one.text}")]
            assert plan[0] == f"SCAN {one.table}"
            if isinstance(one, IndexCheck):
                terms = connection.execute(_TERMS, (one.index, one.table, one.index)).get
                assert (f" INDEX {one.index} (" in plan[2], plan[2].count("=?") >= terms) == (True, True), (
                    plan
                )
        down = "select i.name from sqlite_schema t, pragma_index_list(t.name) i, pragma_index_xinfo(i.name) x"
        assert connection.execute(f"{down} where i.origin = 'pk' and x.key and x.desc").fetchall() == []


_ODD = '"a""b"'
_OF_ANY_MAKE = (
    f"create table {_ODD} (one text unique, two text collate nocase, three, unique (two, three))",
    f"create index a_part on {_ODD} (lower(one) DESC, coalesce(two, ''), three aSc) WHERE one is not null",
    f"create index a_text on {_ODD} (two collate rtrim, three)",
    "create table keyed (who text, at integer, what text unique, primary key (who, at)) without rowid",
    "create index keyed_what on keyed (what, at) where at > 3 or what is null",
)


def test_what_an_index_may_have_is_no_fault(tmp_path: Path) -> None:
    values: list[Any] = [None, None, "A", "a", "a ", "\0", "Ä", 1, 1.0, -0.0, 2**62, float("inf"), b"", b"A"]
    with closing(apsw.Connection(str(tmp_path / "some.db"))) as connection:
        for text in _OF_ANY_MAKE:
            connection.execute(text)
        for number, (two, three) in enumerate(itertools.product(values, values)):
            one = values[number] if number < len(values) else None
            connection.execute(f"insert or ignore into {_ODD} values (?, ?, ?)", (one, two, three))
            connection.execute("insert or ignore into keyed values (?, ?, ?)", (str(two), number, three))
        asked = list(checks(connection))
        assert len(asked) == 7
        assert [fault for one in asked for fault in one.faults(connection)] == []


def test_a_schema_whose_texts_are_bytes_is_read_as_sqlite_reads_it(tmp_path: Path) -> None:
    file = tmp_path / "kbwork.db"
    migrate.migrate(file, FixedClock(1), copy=False)
    change(file, "update sqlite_schema set sql = cast(sql as blob) where name = 'events_actor'")
    assert list(check(file)) == []


def test_by_blocks_a_file_is_what_it_is_whichever_way_it_is_read(tmp_path: Path) -> None:
    pages, size = 2000, 4096
    file = tmp_path / "some.bin"
    data = random.Random(1).randbytes(size * pages)
    file.write_bytes(data)
    found = blocks._Blocks(str(file), [apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_MAIN_DB, 0])
    forward = list(range(pages))
    from_both = [page for at in range(pages // 2) for page in (at, pages - 1 - at)]
    for order in (forward, forward[::-1], from_both, random.Random(2).sample(forward, 300)):
        for page in order:
            assert found.xRead(size, page * size) == data[page * size : (page + 1) * size]
    found.xClose()
