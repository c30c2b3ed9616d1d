"""Each trigger stands once, beside the code of the module that may know all that it names."""

import importlib
import re
from collections import defaultdict
from itertools import combinations
from pathlib import Path
from typing import Any

import apsw
import pytest

import kbwork
from kbwork.base.clock import FixedClock
from kbwork.core.things import undo
from kbwork.db import migrate, tx
from kbwork.db.connection import connect
from kbwork.db.deferred import SPANS_TO_WAIT, Appended
from kbwork.db.schemas import triggers
from kbwork.modules import MODULES
from tests.house.test_tables import CORE


def _front(module: str) -> Any:
    return importlib.import_module(f"kbwork.modules.{module}")


def _used(module: str) -> set[str]:
    """Whom a module uses, and whom these use: files on comments know what comments are on."""
    return set(_front(module).USES).union(*(_used(one) for one in _front(module).USES))


ROOT = Path(kbwork.__file__).parent
OWNERS = {table: module for module in MODULES for table in _front(module).TABLES}
NOBODYS = {"json_each", "search_entry"}
"""A function of SQLite, and the door of the core through which each kind says what of it is searched."""
SOURCES = {path.parent.relative_to(ROOT): path.read_text() for path in ROOT.rglob("triggers.sql")}
HEADER = re.compile(
    r"CREATE TRIGGER \w+ (?:after|instead of) (insert|update|delete)\b.*? on (\w+)", re.DOTALL
)
ONE_OR_THE_OTHER = {
    ("attachment_hidden", "attachment_searched_anew"),
    ("comment_hidden", "comment_searched_anew"),
    ("event_about_layout", "event_about_values"),
    ("issue_hidden", "issue_searched_anew"),
    ("page_hidden", "page_searched_anew"),
}
"""Of these only one does something: a thing goes or is there to be found; an event tells of a layout or of an issue."""


class Touched:
    """What a trigger reads and writes itself: (table, column), or (table, "") for whole rows."""

    def __init__(self) -> None:
        self.reads: set[tuple[str, str]] = set()
        self.writes: set[tuple[str, str]] = set()

    @property
    def tables(self) -> set[str]:
        return {table for table, _ in self.reads | self.writes}

    def disturbs(self, other: "Touched") -> bool:
        return any(
            table == touched and (column == part or "" in {column, part})
            for table, column in self.writes
            for touched, part in other.reads | other.writes
        )


@pytest.fixture(scope="module")
def touched(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Touched]:
    """Of each trigger, as SQLite says when it compiles what sets it off."""
    found: dict[str, Touched] = defaultdict(Touched)

    def authorize(action: int, table: str | None, column: str | None, _base: object, by: str | None) -> int:
        if by is not None and table is not None:
            if action == apsw.SQLITE_READ:
                found[by].reads.add((table, column or ""))
            elif action in {apsw.SQLITE_INSERT, apsw.SQLITE_UPDATE, apsw.SQLITE_DELETE}:
                found[by].writes.add((table, column or ""))
        return int(apsw.SQLITE_OK)

    file = tmp_path_factory.mktemp("triggers") / "kbwork.db"
    migrate.migrate(file, FixedClock(1))
    connection = connect(file, writer=True)
    connection.authorizer = authorize
    for event, table in map(set_off, triggers.wanted()):
        columns = [row[1] for row in connection.execute(f"pragma table_info({table})")]
        change = {
            "insert": f"insert into {table} ({columns[0]}) values (null)",
            "update": f"update {table} set {', '.join(f'{one} = {one}' for one in columns)}",
            "delete": f"delete from {table}",
        }
        connection.execute(f"explain {change[event]}").fetchall()
    connection.close()
    return found


def set_off(name: str) -> tuple[str, str]:
    """(event, table) that set a trigger off."""
    found = HEADER.match(triggers.wanted()[name])
    assert found, name
    return found[1], found[2]


def test_each_trigger_of_the_schema_stands_once() -> None:
    schema = (migrate.SCHEMA_FOLDER / "schema.sql").read_text()
    made = [name for text in SOURCES.values() for name in re.findall(r"create trigger (\w+)", text)]
    assert sorted(made) == sorted(re.findall(r"^CREATE TRIGGER (\w+)", schema, re.MULTILINE))


def test_nothing_else_stands_beside_them() -> None:
    """It would be read by nobody."""
    other = re.compile(r"^(?!create trigger |  |end;$|--|$).*", re.MULTILINE)
    assert {home: found for home, text in SOURCES.items() if (found := other.findall(text))} == {}


def test_migrations_leave_them_alone() -> None:
    later = [text for name, text in migrate.files() if name > migrate._LAST_WITH_TRIGGERS]
    assert [text for text in later if re.search(r"\b(create|drop) trigger\b", text, re.IGNORECASE)] == []


def test_a_trigger_stands_where_all_that_it_names_is_known(touched: dict[str, Touched]) -> None:
    """Of the modules whose tables it names, in the one that uses the others: where code that did the same would be."""
    wrong = {}
    for home, text in SOURCES.items():
        for name in re.findall(r"^create trigger (\w+)", text, re.MULTILINE):
            named = {set_off(name)[1], *touched[name].tables} - CORE - NOBODYS
            modules = {OWNERS[table] for table in named}
            knowing = {f"modules/{one}" for one in modules if modules - {one} <= _used(one)}
            if str(home) not in knowing if modules else home.parts[0] != "core":
                wrong[name] = sorted(knowing)
    assert wrong == {}


def test_no_trigger_rests_on_another_having_run_before_it(touched: dict[str, Touched]) -> None:
    """SQLite promises no order to those that one event sets off."""
    resting = {
        (one, other)
        for one, other in combinations(sorted(touched.keys() & triggers.wanted().keys()), 2)
        if set_off(one) == set_off(other)
        and (touched[one].disturbs(touched[other]) or touched[other].disturbs(touched[one]))
    }
    assert resting == ONE_OR_THE_OTHER


def test_a_trigger_looks_at_no_rows_that_its_group_writes_at_its_end() -> None:
    """Those are written before SQL that names their table, and what sets a trigger off need not."""
    waits = {
        one.table
        for one in (SPANS_TO_WAIT, *vars(tx).values(), *vars(undo).values())
        if isinstance(one, Appended)
    }
    assert {"events", "event_about", "undo", "undo_about", "span_waiting"} == waits
    looking = {
        name
        for name, text in triggers.wanted().items()
        if waits.intersection(re.findall(r"\w+", text)) - {set_off(name)[1]} and "last_seq()" not in text
    }
    assert looking == {"event_about_layout", "event_about_values", "undo_about_gone"}, (
        "set off by those tables"
    )
