"""What is kept of things is void as soon as a row of theirs comes, whoever tells of it."""

from typing import Any

import apsw
import pytest

from kbwork.db.documents import Documented, DocumentStore

SCHEMA = (
    "create table thing (id integer primary key, title text)",
    "create table part (at integer primary key, thing integer, other integer)",
    "create table named (name text primary key, says text) without rowid",
    "create table label (id integer primary key, name text)",
    "create table scale (id integer primary key)",
)
KINDS = {
    "thing": (
        Documented(table="thing", shared={"label": ("name",), "scale": ()}, followed=True),
        {"part": ("thing", "other")},
    ),
    "named": (Documented(table="named", key="name"), {}),
}


def store_of(connection: apsw.Connection) -> DocumentStore:
    store = DocumentStore()
    store.know(lambda table: [row[1] for row in connection.execute(f"pragma table_info({table})")], KINDS)
    store.begin()
    return store


def touched(store: DocumentStore) -> tuple[set[Any], set[str]]:
    return set(store._touched), set(store._every)


@pytest.mark.parametrize(
    ("table", "columns", "places", "kinds"),
    [
        ("thing", {"id": 7, "title": "new"}, {("thing", 7)}, set()),
        ("part", {"at": 1, "thing": 7, "other": 8}, {("thing", 7), ("thing", 8)}, set()),
        ("part", {"at": 1, "thing": 7, "other": None}, {("thing", 7)}, set()),
        ("named", {"name": "one", "says": "7"}, {("named", "one")}, set()),
        ("label", {"id": 7, "name": "bug"}, set(), set()),
        ("scale", {"id": 7}, set(), {"thing"}),
    ],
)
def test_a_row_that_comes_touches_the_same_whether_it_is_heard_of_or_told_of(
    table: str, columns: dict[str, Any], places: set[Any], kinds: set[str]
) -> None:
    connection = apsw.Connection(":memory:")
    for statement in SCHEMA:
        connection.execute(statement)
    heard, told = store_of(connection), store_of(connection)
    connection.preupdate_hook(lambda change: heard.note(change.table_name, change))
    connection.execute(
        f"insert into {table} ({', '.join(columns)}) values ({', '.join('?' * len(columns))})",
        tuple(columns.values()),
    )
    told.note_new(table, connection.last_insert_rowid(), columns)
    assert touched(heard) == touched(told) == (places, kinds)


def test_what_is_told_of_a_table_that_no_document_rests_on_touches_nothing() -> None:
    connection = apsw.Connection(":memory:")
    for statement in SCHEMA:
        connection.execute(statement)
    store = store_of(connection)
    store.note_new("event", 7, {"thing": 7})
    assert touched(store) == (set(), set())
