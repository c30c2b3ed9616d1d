"""What an issue costs to make and to move: so many statements, and so many pages of the file written anew."""

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from typing import Any

import apsw
import pytest

from kbwork.base.caller import Caller
from kbwork.core.access import identify
from kbwork.core.operations.dispatch import run_in
from kbwork.core.operations.validate import validate
from kbwork.db import deferred
from kbwork.db.tx import Write
from kbwork.db.writer import Task
from tests.conftest import World
from tests.modules.calls import eventually
from tests.modules.workflows.sample_workflows import in_force

_PLAIN = {"project": "WEB", "title": "The cart forgets its vouchers"}


class Costs:
    """Groups of new issues that cy makes, and what they come to."""

    def __init__(self, world: World) -> None:
        self._database = world.database
        self._clock = world.clock
        connection = world.database._writer._connection
        assert connection is not None
        self._connection = connection
        key = world.people["cy"].key
        self._cy: Caller = identify.admit_address(
            world.database.read_now(lambda tx: identify.lookup(tx, key)), None, world.clock.now()
        )

    def statements(self, **more: Any) -> list[str]:
        """What runs for one, alone in its group, behind the group that held it up."""
        found: list[str] = []

        def trace(_: apsw.Cursor, sql: str, __: Any) -> bool:
            found.append(sql)
            return True

        self.make(3, **more)  # what is kept in memory is there
        self._connection.exec_trace = trace
        try:
            self.make(1, **more)
        finally:
            self._connection.exec_trace = None
        numbered = next(n for n, sql in enumerate(found) if sql.startswith("insert into issue "))
        begun = max(n for n, sql in enumerate(found[:numbered]) if sql == "begin immediate")
        return found[begun : found.index("commit", numbered) + 1]

    def own_statements(self, op: str, **value: Any) -> list[str]:
        """What a call runs, without what its group does around it."""
        found: list[str] = []
        known = self._database.read_now(lambda tx: tx.registry).require(op)
        args = validate(known.input, value)

        def trace(_: apsw.Cursor, sql: str, __: Any) -> bool:
            found.append(sql)
            return True

        def run(tx: Write) -> None:
            self._connection.exec_trace = trace
            try:
                run_in(tx, known, args)
            finally:
                self._connection.exec_trace = None

        self._submit(run).result(10)
        return found

    def pages(self, number: int, **more: Any) -> int:
        """How many pages a group of so many writes: the median, since now and then an index has its parts merged."""
        for _ in range(8):
            self.make(64, **more)
        found = []
        for _ in range(15):
            before = self._written()
            self.make(number, **more)
            found.append(self._written() - before)
        return sorted(found)[7]

    def make(self, number: int, **more: Any) -> None:
        """So many in one group, a second after the last."""
        self._clock.advance(1)
        op = self._database.read_now(lambda tx: tx.registry).require("issues.create")
        args = validate(op.input, _PLAIN | more)
        begun, gate = threading.Event(), threading.Event()

        def hold(_: Write) -> None:
            begun.set()
            gate.wait(10)

        held = self._submit(hold)
        begun.wait(10)
        made = [self._submit(lambda tx: run_in(tx, op, args)) for _ in range(number)]
        gate.set()
        for one in (held, *made):
            one.result(10)

    def _submit(self, fn: Callable[[Write], Any]) -> "Future[Any]":
        future: Future[Any] = Future()
        self._database._writer.submit(Task(fn, self._cy, True, future))
        return future

    def _written(self) -> int:
        return self._connection.status(apsw.SQLITE_DBSTATUS_CACHE_WRITE)[0]


@pytest.fixture
def costs(world: World, monkeypatch: pytest.MonkeyPatch) -> Iterator[Costs]:
    world.session("ana").labels.save(name="bug")
    # What waits is for many: on a slow machine it would be for each.
    writer = world.database._writer
    eventually(lambda: not writer._catalogue.waiting.lasting)
    monkeypatch.setattr(deferred, "_LATE_S", 60.0)
    with world.at_rest():
        yield Costs(world)


@pytest.mark.parametrize(
    ("more", "most"),
    [
        ({}, 12),
        ({"labels": ["bug"]}, 13),
        ({"assignees": ["@cy"]}, 16),
        ({"labels": ["bug"], "assignees": ["@cy"]}, 17),
        ({"status": "in_progress"}, 12),
    ],
)
def test_an_issue_is_made_in_few_statements(costs: Costs, more: dict[str, Any], most: int) -> None:
    ran = costs.statements(**more)
    assert len(ran) <= most, "\n".join(ran)


def test_an_issue_is_moved_in_few_statements(costs: Costs) -> None:
    """What rules may ask of it is found out when one does: most ways have none."""
    costs.make(1, labels=["bug"], assignees=["@cy"])
    for lane in ("in_progress", "todo"):  # what is kept in memory is there
        costs.own_statements("issues.transition", key="WEB-1", to_status=lane)
    ran = costs.own_statements("issues.transition", key="WEB-1", to_status="in_progress")
    assert len(ran) <= 10, "\n".join(ran)


def test_what_several_rules_ask_is_found_out_once(world: World, costs: Costs) -> None:
    """Where the way is chosen, and once more behind what was filled in on it."""
    labelled = {"field": "label", "op": "=", "value": "bug"}
    rules = [labelled, {"field": "assignee", "op": "not_empty"}, {"field": "title", "op": "not_empty"}]
    in_force(world, check=rules)
    costs.make(1, labels=["bug"], assignees=["@cy"])
    for lane in ("in_progress", "done", "todo"):
        costs.own_statements("issues.transition", key="WEB-1", to_status=lane)
    ran = costs.own_statements("issues.transition", key="WEB-1", to_status="in_progress")
    assert len([sql for sql in ran if sql.startswith("select l.name from issue_label")]) == 2
    assert [sql for sql in ran if "from issue_value" in sql] == []


@pytest.mark.parametrize(("number", "most"), [(1, 36), (8, 51)])
def test_an_issue_is_written_in_few_pages(costs: Costs, number: int, most: int) -> None:
    assert costs.pages(number, labels=["bug"]) <= most
