"""Databases that somebody made to do harm, or that are broken."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.modules.imports.sources.read_source import ask_apart, database
from tests.modules.imports.sources.test_trac import SCHEMA, TICKETS

OTHERS = SCHEMA[1:]
COLUMNS = "id, type, time, changetime, component, status, summary"


@pytest.mark.parametrize(
    ("statements", "told"),
    [
        (("create view ticket as with recursive n(id) as (select 1 union all select id + 1 from n) select * from n",),
         "there is no table ticket: this is no database of Trac"),
        (("create virtual table ticket using fts5(id, summary)",),
         "there is no table ticket: this is no database of Trac"),
        (("create table ticket (id integer primary key, time integer, summary text as (hex(zeroblob(9999999))))",
          "insert into ticket(id, time) values (1, 1)"),
         "table ticket: it has columns that are computed"),
        ((f"create table ticket ({', '.join(f'c{n}' for n in range(1_900))})",),
         "the database cannot be read: malformed database schema (ticket) - too many columns on ticket"),
        (("create table ticket (id, time, summary)",
          "insert into ticket values (1, 1, 'a'), (1, 1, 'b')"),
         "ticket[2]: trac:trac#1 is in the file twice"),
        (("create table ticket (id integer primary key, time integer, summary text)",
          "insert into ticket values (1, 1, zeroblob(70000000))"),
         "table ticket: a value of more than 64,000,000 bytes"),
    ],
    ids=["view", "virtual", "computed", "columns", "twice", "blob"],
)  # fmt: skip
def test_a_hostile_schema_is_refused_in_one_line(
    tmp_path: Path, statements: tuple[str, ...], told: str
) -> None:
    assert ask_apart("trac", database(tmp_path / "trac.db", *OTHERS, *statements)).refused == told


def test_triggers_and_views_beside_the_tables_are_never_run(tmp_path: Path) -> None:
    file = database(
        tmp_path / "trac.db",
        *SCHEMA,
        *TICKETS,
        "create view wiki as with recursive n(x) as (select 1 union all select x from n) select * from n",
        "create trigger t before update on ticket begin select raise(abort, 'ran'); end",
    )
    before = file.read_bytes()
    read = ask_apart("trac", file)
    assert read.found["counts"]["issue"] == 2
    assert file.read_bytes() == before


@pytest.mark.parametrize("kept", [0, 15, 16, 99, 100, 3000, 5000])
def test_a_database_that_is_cut_off_is_refused(tmp_path: Path, kept: int) -> None:
    file = database(tmp_path / "trac.db", *SCHEMA, *TICKETS)
    file.write_bytes(file.read_bytes()[:kept])
    refused = ask_apart("trac", file).refused
    assert refused is not None
    assert refused.startswith(("the file is", "the database cannot be read: ", "table "))


def test_databases_with_broken_bytes_give_records_or_one_line(tmp_path: Path) -> None:
    file = database(tmp_path / "trac.db", *SCHEMA, *TICKETS)
    run = [sys.executable, "-m", "tests.modules.imports.sources.mutate", str(file), "trac", "300"]
    subprocess.run(run, check=True, timeout=200, cwd=Path(__file__).parents[4])
