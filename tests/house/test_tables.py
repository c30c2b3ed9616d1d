"""Each module writes its own tables, those of others that its front names, and those of the core.

SQLite's authorizer says which table a statement writes when the statement is prepared; with the cache of prepared
statements off, that is each time it runs. The module that writes is the one whose code asked for it.
"""

import asyncio
import importlib
import re
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import apsw
import pytest

import kbwork
from kbwork.app import open_data, registry
from kbwork.base.caller import SYSTEM, Caller
from kbwork.base.clock import FixedClock
from kbwork.base.errors import Problem
from kbwork.core.access import scopes
from kbwork.core.jobs.kinds import enqueue
from kbwork.core.operations import dispatch
from kbwork.core.operations.declare import Operation
from kbwork.core.operations.external import External
from kbwork.core.operations.validate import validate
from kbwork.core.ports import mail
from kbwork.db import connection
from kbwork.db.database import Database
from kbwork.db.deferred import Appended, Waiting
from kbwork.db.tx import DryRun, Write
from kbwork.modules import MODULES
from tests.conftest import NOW, Person, run

CORE = frozenset(
    {
        "counter",
        "event_about",
        "events",
        "firing",
        "former_name",
        "idempotency",
        "job",
        "mail",
        "mail_suppressed",
        "mailer",
        "setting",
        "span",
        "span_waiting",
        "thing_touch",
        "undo",
        "undo_about",
    }
)
"""What the core keeps."""
ACCESS = frozenset({"key", "oauth_grant", "session"})
"""Tables of modules of which the core's doors write who came."""
KINDS = frozenset({"issue_type", "lane"})
"""Kinds of rows whose things the core moves to others when one is deleted."""
ANY = frozenset({"trash.empty", "trash.purge", "trash.restore", "undo.apply"})
"""They put back or remove the rows of other modules, in whichever table they stand."""
ROOT = Path(kbwork.__file__).parent
MORE: dict[str, list[dict[str, Any]]] = {
    "labels.save": [{"id": 1, "name": "fault"}],
    "lanes.delete": [{"key": "todo", "move_to": "in_progress"}],
    "teams.save": [{"id": 1, "name": "Store", "parent": None}],
    "types.save": [{"key": "bug", "name": "Bug", "level": -1}],
    "views.save": [{"id": 1, "name": "Open ones", "tql": "open"}],
    "views.subscribe": [{"id": 1, "every": "daily"}],
}
"""Inputs that write more than the example does."""
WRITES = frozenset({apsw.SQLITE_INSERT, apsw.SQLITE_UPDATE, apsw.SQLITE_DELETE})
SCHEMA = Path(kbwork.__file__).parent / "db" / "schema.sql"
REUSED = {
    "ai_policy": "it has one row",
    "backup_schedule": "it has one row",
    "mail_sender": "it has one row",
    "unsettled": "the number is its project's, which never comes again",
    "attempt": "its id is told to nobody",
    "customer_request": "the number is its issue's, which never comes again",
    "desk": "the number is its project's, which never comes again",
    "events": "numbers come from the counter, which never goes back",
    "issue_lost": "its id is told to nobody",
    "idempotency": "its id is told to nobody",
    "later_reply": "the number is its comment's, which never comes again",
    "page_sync": "the number is its page's, which never comes again",
    "request_comment": "the number is its comment's, which never comes again",
    "request_rating": "the number is its issue's, which never comes again",
    "rota": "the number is its team's, which never comes again",
    "search_waiting": "the number is that of its text in search_doc",
    "span": "its id is told to nobody",
    "undo": "the number is that of its event",
    "webhook_delivery": "the number is drawn by chance",
}
"""Tables that may give a number a second time, and why nobody takes the new row for the old one."""
INDEX = ("sqlite_", "search_text_")
"""Tables that SQLite writes by itself: its own, and the inside of the search index, which triggers keep."""
Written = set[tuple[str, str]]
"""(the module whose code wrote, table)."""


@pytest.fixture(autouse=True)
def _uncached(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "STATEMENTS", 0)


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows that wait are written by whoever adds them, and not by whoever asks for anything next."""
    append = Waiting.append_told

    def at_once(waiting: Waiting, connection: apsw.Connection, to: Appended, row: Any) -> None:
        append(waiting, connection, to, row)
        waiting.write_told(connection)

    monkeypatch.setattr(Waiting, "append_told", at_once)


@pytest.fixture
def database(
    _uncached: None, lived_in_template: tuple[Path, dict[str, Person]], tmp_path: Path
) -> Iterator[Database]:
    """The world of the examples without a server, with what makes more of them write."""
    folder = tmp_path / "data"
    shutil.copytree(lived_in_template[0], folder)
    found = open_data(folder, FixedClock(NOW))
    try:
        found.write_now(partial(_live_on, lived_in_template[1]["ana"]))
        yield found
    finally:
        found.close()


def _live_on(ana: Person, tx: Write) -> None:
    for key in ("WEB-1", "WEB-2"):
        run(tx, ana, "issues.convert", {"key": key, "type": "bug"})
        run(tx, ana, "issues.update", {"key": key, "labels": ["bug", "defect"]})
    run(tx, ana, "issues.assign", {"key": "WEB-1", "assignees": ["@cy"]})
    run(tx, ana, "issues.relation_add", {"key": "WEB-1", "kind": "blocks", "to": ["WEB-2"]})
    run(tx, ana, "views.save", {"id": 1, "name": "Open", "tql": "open", "external": "open"})
    mail.set_up(tx, mail.SetUp(sends=1, domain="acme.example", origin="https://work.acme.example"))
    run(tx, ana, "views.subscribe", {"id": 1, "every": "change"})
    run(tx, ana, "teams.save", {"name": "Depot"})
    run(tx, ana, "invites.create", {"emails": ["fay@acme.example"], "role": "member"})
    enqueue(tx, "members.erase", {}, by=ana.id)


def allowed(writer: str) -> frozenset[str]:
    """What a module, or the core, may write."""
    if writer == "core":
        return CORE | ACCESS | KINDS
    front = importlib.import_module(f"kbwork.modules.{writer}")
    return CORE.union(front.TABLES, getattr(front, "WRITES", ()))


def undeclared(written: Written) -> Written:
    return {(writer, table) for writer, table in written if table not in allowed(writer)}


def _writer() -> str:
    """Whose code runs: the module, or the room, of the innermost function that is not of the database."""
    frame = sys._getframe(2)
    while frame is not None:
        path = Path(frame.f_code.co_filename)
        if path.is_relative_to(ROOT) and (parts := path.relative_to(ROOT).parts)[0] != "db":
            return parts[1] if parts[0] == "modules" else parts[0]
        frame = frame.f_back  # type: ignore[assignment]
    raise AssertionError("nobody writes")


@contextmanager
def watched(tx: Write, written: Written) -> Iterator[None]:
    """Note which tables are written by whom."""

    def authorize(action: int, table: str | None, _column: object, _base: object, trigger: str | None) -> int:
        if action in WRITES and trigger is None and not str(table).startswith(INDEX):
            written.add((_writer(), str(table)))
        return int(apsw.SQLITE_OK)

    tx._connection.authorizer = authorize
    try:
        yield
    finally:
        tx._connection.authorizer = None


def _caller(person: Person) -> Caller:
    return Caller(
        member=person.id,
        role=person.role,
        kind="human",
        scopes=scopes.of_role(person.role) | {"system"},
        session="s_template",
        elevated_until=1 << 40,
    )


def tried(
    database: Database, op: Operation, caller: Caller, value: dict[str, Any] | None = None
) -> tuple[Written, Problem | None]:
    """What the operation's example, or another input, writes; and what refuses it. Its effect is thrown away."""
    written: Written = set()
    args = validate(op.input, op.example if value is None else value)

    def changing(fn: Callable[[Write], Any]) -> Callable[[Write], Any]:
        def inside(tx: Write) -> Any:
            with watched(tx, written):
                return dispatch._wrapped(op, fn)(tx)

        return inside

    try:
        if op.road == "outside":
            asyncio.run(op.fn(External(database, caller, changing), args))
        else:
            database.write_now(
                lambda tx: _thrown_away(changing(lambda inner: op.fn(inner, args)), tx), caller
            )
    except (Problem, DryRun) as refused:
        return written, refused if isinstance(refused, Problem) else None
    return written, None


def _thrown_away(fn: Callable[[Write], Any], tx: Write) -> None:
    raise DryRun(fn(tx))


@pytest.mark.parametrize("module", MODULES)
def test_a_module_writes_its_own_tables_and_those_that_it_names(
    database: Database, template: tuple[Path, dict[str, Person]], module: str
) -> None:
    caller = _caller(template[1]["ana"])
    written: Written = set()
    for op in registry().operations.values():
        if op.module == module and op.road != "read" and op.id not in {"subjects.unfurl", *ANY}:
            for value in (*MORE.get(op.id, ()), op.example):
                written |= tried(database, op, caller, value)[0]
    assert undeclared(written) == set()


def test_reads_write_nothing(database: Database, template: tuple[Path, dict[str, Person]]) -> None:
    """On the road of reads: were one given a connection that can write, it would not."""
    caller = _caller(template[1]["ana"])
    database.write_now(Write.settle)  # else whoever searches first has the words written
    written: Written = set()
    for op in registry().operations.values():
        if op.road == "read":
            written |= tried(database, op, caller)[0]
    assert written == set()


def test_schedules_write_the_tables_of_their_module(database: Database) -> None:
    written: Written = set()

    def fire(tx: Write, name: str, inside: Callable[[Write], Any]) -> None:
        tx.op = name
        with watched(tx, written):
            inside(tx)

    for schedule in registry().schedules:
        if schedule.home.startswith("kbwork.modules."):
            database.write_now(partial(fire, name=schedule.home.split(".")[2], inside=schedule.run), SYSTEM)
    assert undeclared(written) == set()


def test_most_examples_go_well(database: Database, template: tuple[Path, dict[str, Person]]) -> None:
    """Else this file would look at nothing."""
    caller = _caller(template[1]["ana"])
    changing = [op for op in registry().operations.values() if op.road == "write" and op.cls == "write"]
    refused = {op.id for op in changing if tried(database, op, caller)[1] is not None}
    assert len(refused) < len(changing) / 4, refused


def test_a_number_that_was_told_is_never_given_again() -> None:
    """A table whose numbers may come again says `autoincrement`, or stands above with the reason."""
    found = re.findall(r"CREATE TABLE (\w+) \((.*?)\) strict", SCHEMA.read_text(), re.DOTALL)
    assert {
        name for name, columns in found if re.search(r"\binteger primary key(?! autoincrement)", columns)
    } == set(REUSED)
