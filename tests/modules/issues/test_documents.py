"""Issues are answered from documents that are kept: never otherwise than they would be made anew."""

import random
import threading
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from typing import Any

import apsw
import pytest
from pydantic_core import from_json, to_json

from kbwork.base.caller import Caller
from kbwork.base.errors import Problem
from kbwork.core.access import identify, visibility
from kbwork.core.operations.call import AuthorizedCall, Credentials
from kbwork.core.operations.declare import Operation
from kbwork.core.operations.dispatch import run_in
from kbwork.core.operations.validate import validate
from kbwork.db.tx import ConstraintViolated, DryRun, Read, Write, json_array
from kbwork.db.writer import Task
from kbwork.modules.issues.issue import documents
from kbwork.modules.projects import access as projects
from tests.conftest import World

PEOPLE = ("ana", "bo", "cy", "di", "gus")
PROJECTS = ("WEB", "APP", "LAB")
Given = dict[str, Any]


class Model:
    """A world in which anything happens to issues, and readers who hold what they are told against what is there."""

    def __init__(self, world: World, chance: random.Random) -> None:
        self.database = world.database
        self.world = world
        self.chance = chance
        self._registry: Any = self.database.read_now(lambda tx: tx.registry)
        self._first = self.database.seq
        self.made = 0
        """Writes that went well."""

    def op(self, name: str) -> Operation:
        found: Operation = self._registry.require(name)
        return found

    def caller(self) -> Caller:
        """One of five, as they are now."""
        return self.person(self.chance.choice(("ana", *PEOPLE)))

    @property
    def admin(self) -> Caller:
        return self.person("ana")

    def person(self, handle: str) -> Caller:
        """This one, as they are now."""
        found = self.database.read_now(lambda tx: identify.of_member(tx, self.world.people[handle].id))
        assert found is not None
        return found

    def seq(self) -> int:
        """One of the last events."""
        return max(self._first + 1, self.database.seq - self.chance.randrange(10))

    @property
    def kept(self) -> int:
        """How many issues are kept as documents."""
        numbers = self.database.read_now(lambda tx: tx.column("select id from issue"))
        return self.database.read_now(
            lambda tx: sum(one is not None for one in tx.documents("issue", numbers))
        )

    def key(self) -> str:
        """Of an issue that is or was there."""
        found = self.database.read_now(
            lambda tx: tx.tuples(
                "select key, numbers from project where key in (select value from json_each(:keys))",
                keys=json_array([*PROJECTS, "LABS"]),
            )
        )
        project, numbers = self.chance.choice(found)
        return f"{project}-{self.chance.randint(1, max(1, numbers))}"

    def write(self, *calls: tuple[str, Given], keep: float) -> None:
        """Do these as somebody, or try them and take them back; what is refused is refused.

        Several are of one group, as far as they come while the writer is at work.
        """
        futures = []
        for name, given in calls:
            who = self.caller() if self.chance.random() < 0.5 else self.admin
            kept = self.chance.random() < keep
            future: Future[Any] = Future()
            work = partial(self._work, op=self.op(name), given=given, keep=kept)
            self.database._writer.submit(Task(work, who, True, future))
            futures.append((future, kept))
        for future, kept in futures:
            try:
                future.result(60)
            except (Problem, ConstraintViolated):
                continue
            self.made += kept

    def _work(self, tx: Write, *, op: Operation, given: Given, keep: bool) -> Any:
        answer = run_in(tx, op, validate(op.input, given))
        if not keep:
            raise DryRun(answer)
        return answer

    def forget(self) -> None:
        """Nothing is kept any more."""
        self.database._catalogue.forget()

    def step(self) -> None:
        """Something happens."""
        calls = []
        for _ in range(self.chance.choice((1, 1, 1, 2, 4))):
            name = self.chance.choice([*WRITES, *["issues.create"] * 4])
            calls.append(
                (name, {key: value for key, value in WRITES[name](self).items() if value is not None})
            )
        self.write(*calls, keep=0.9)

    def look(self) -> int:
        """Somebody looks at some issues, one by one and as lists; answers how many were shown."""
        caller, chance = self.caller(), self.chance
        asked: list[tuple[str, Given]] = [("issues.get", {"key": self.key()}) for _ in range(3)]
        asked += [
            ("issues.list", {"project": chance.choice(PROJECTS), "archived": True, "limit": 20}),
            ("issues.list", {"limit": 30, "sort": chance.choice(["-updated", "created", "key"])}),
        ]
        for name, given in asked:
            self._answered(name, given, caller)
        return sum(self.database.read_now(partial(self._alike, name, given), caller) for name, given in asked)

    def _answered(self, name: str, given: Given, caller: Caller) -> None:
        """What the dispatcher answers, twice, is what is there, where that stays the same meanwhile."""
        assert self.world.app is not None
        dispatcher, op = self.world.app.dispatcher, self.op(name)
        call = AuthorizedCall(op, caller, Credentials(), self.database.access, "")

        async def ask() -> bytes | str | None:
            try:
                reply = dispatcher.at_once(call, to_json(given), None)
            except Problem as problem:
                return problem.slug
            return reply.body if reply is not None else None

        def anew(tx: Read) -> bytes | str:
            try:
                return to_json(op.fn(tx, validate(op.input, given)))
            except Problem as problem:
                return problem.slug

        version, before = self.database.version, self.database.read_now(anew, caller)
        found = [self.world.on_loop(ask()) for _ in range(2)]
        if self.database.read_now(anew, caller) == before and self.database.version == version:
            assert set(found) <= {before, None}, (name, given)

    def _alike(self, name: str, given: Given, tx: Read) -> int:
        op = self.op(name)
        args = validate(op.input, given)
        assert op.render is not None
        try:
            expected = to_json(op.fn(tx, args))
        except Problem as problem:
            with pytest.raises(type(problem)):
                op.render(tx, args)
            return 0
        for _ in range(2):
            found = op.render(tx, args)
            assert found is not None
            assert found.body == expected, (name, given)
        return 1


def _some(*values: Any) -> Callable[[Model], Any]:
    def choose(model: Model) -> Any:
        value = model.chance.choice(values)
        return value(model) if callable(value) else value

    return choose


def _number(most: int) -> Callable[[Model], int]:
    return lambda model: model.chance.randint(1, most)


def _issue(**given: Any) -> Callable[[Model], Given]:
    """Of some issue, with values that are chosen each time."""
    return lambda model: {"key": model.key(), **_chosen(model, given)}


def _any(**given: Any) -> Callable[[Model], Given]:
    return lambda model: _chosen(model, given)


def _chosen(model: Model, given: Given) -> Given:
    return {name: value(model) if callable(value) else value for name, value in given.items()}


_PERSON = _some("@ana", "@bo", "@cy", "@di")
_SWITCH = _some(True, False)
_PROJECT = _some(*PROJECTS)
_LABEL = _some("bug", "ui", "slow", "odd")
_LABELS = _some([], ["bug"], ["ui", "slow"])
WRITES: dict[str, Callable[[Model], Given]] = {
    "issues.create": _any(
        project=_PROJECT,
        title=_some("One", "Ünd \u2028 zwei", 'a "b" \\'),
        labels=_LABELS,
        components=_some([], ["Cart"], ["Stock"]),
        parent=_some(None, None, Model.key),
        type=_some("task", "bug", "epic", None),
        level=_some(None, None, "private", "public"),
        values=_some(None, {"size": 3}, {"kind": "Big"}),
    ),
    "issues.update": _issue(
        title=_some("Two", "Three", None),
        priority=_some("high", "low", None),
        labels=_some(None, ["bug"], ["odd", "ui"]),
        due_date=_some(None, "2026-12-01"),
        estimate=_some(None, 2.5),
        parent=_some(None, Model.key),
        values=_some(None, {"size": 4}, {"size": None}, {"kind": "Small"}),
    ),
    "issues.assign": _issue(assignees=_some([], ["@cy"], ["@di", "@bo"])),
    "issues.watch": _issue(on=_SWITCH),
    "issues.vote": _issue(on=_SWITCH),
    "issues.lock": _issue(on=_SWITCH),
    "issues.archive": _any(keys=lambda model: [model.key()], on=_SWITCH),
    "issues.delete": _issue(),
    "issues.level_set": _issue(level=_some("private", "public", "project")),
    "issues.transition": _issue(to_status=_some("in_progress", "done", "todo")),
    "issues.convert": _issue(type=_some("task", "bug", "story", "epic")),
    "issues.move": _any(keys=lambda model: [model.key()], project=_PROJECT),
    "issues.rank": _any(keys=lambda model: [model.key()], before=Model.key),
    "issues.link_add": _issue(url="https://example.com/spec"),
    "issues.relation_add": _issue(kind=_some("blocks", "relates"), to=lambda model: [model.key()]),
    "issues.bulk": _any(keys=lambda model: [model.key(), model.key()], changes={"priority": "urgent"}),
    "issues.copy": _issue(title="A copy"),
    "issues.merge": _any(**{"from": lambda model: [model.key()], "into": Model.key}),
    "comments.create": lambda model: {
        "subject": f"issue:{model.key()}",
        "body": "Said",
        "internal": model.chance.random() < 0.5,
    },
    "checklists.add": _issue(text="Write it down"),
    "checklists.update": _any(id=_number(8), done=_SWITCH),
    "labels.save": _any(id=_number(5), name=_some("bug", "ui", "seldom", "odd", "other")),
    "labels.delete": _any(id=_number(9)),
    "labels.merge": _any(**{"from": [1], "into": 2}),
    "components.save": _any(id=_some(None, 1, 2, 3), project=_PROJECT, name=_some("Cart", "Stock", "Till")),
    "components.delete": _any(id=_number(6)),
    "lanes.save": _any(key="todo", name=_some("To do", "Later", "Now"), category="todo"),
    "types.save": _any(key=_some("task", "bug"), name=_some("Task", "Bug", "Thing")),
    "fields.save": _any(key="size", name=_some("Size", "Extent"), kind="number"),
    "fields.options_set": _any(
        key="kind", options=_some([{"id": 1, "name": "Huge"}, {"name": "Small"}], [{"id": 1, "name": "Big"}])
    ),
    "projects.member_set": _any(
        key=_PROJECT,
        who=_some("@cy", "@di", "@gus"),
        role=_some("lead", "member", "reporter", "viewer", None),
    ),
    "projects.update": _any(
        key=_PROJECT, visibility=_some("org", "private", None), reporters_see=_some("own", "all", None)
    ),
    "projects.key_change": _any(key="LAB", new_key=_some("LAB", "LABS", "LAB")),
    "trash.restore": _any(ids=lambda model: [model.chance.randint(1, 20)]),
    "trash.purge": _any(ids=lambda model: [model.chance.randint(1, 20)]),
    "undo.apply": lambda model: {"seq": model.seq()},
}


@pytest.fixture
def model(world: World) -> Model:
    ana = world.session("ana")
    for key in PROJECTS[1:]:
        ana.projects.create(key=key, name=key)
    for name in ("bug", "ui", "slow", "odd"):
        ana.labels.save(name=name)
    for project in PROJECTS[:2]:
        ana.call("components.save", {"project": project, "name": "Cart"})
    ana.call("fields.save", {"key": "size", "name": "Size", "kind": "number"})
    ana.call("fields.save", {"key": "kind", "name": "Kind", "kind": "select"})
    ana.call("fields.options_set", {"key": "kind", "options": [{"name": "Big"}, {"name": "Small"}]})
    return Model(world, random.Random(14))


@pytest.fixture
def steps(pytestconfig: pytest.Config) -> int:
    """How much happens: `pytest --steps 100000` takes some minutes."""
    found: int = pytestconfig.getoption("--steps")
    return found


def test_whatever_happens_documents_say_what_is_there(model: Model, steps: int) -> None:
    shown = 0
    for _ in range(steps):
        model.step()
        shown += model.look()
    assert model.made > steps / 5
    assert shown > steps
    assert model.kept > 0


def test_readers_beside_a_writer_see_one_snapshot_each(model: Model, steps: int) -> None:
    ended = threading.Event()
    failed: list[BaseException] = []

    def write() -> None:
        try:
            for _ in range(steps):
                model.step()
        except BaseException as error:
            failed.append(error)
        finally:
            ended.set()

    writer = threading.Thread(target=write)
    writer.start()
    reader = Model(model.world, random.Random(15))
    shown = 0
    while not ended.is_set():
        shown += reader.look()
    writer.join()
    assert not failed
    assert shown > 0


def test_what_is_read_while_a_commit_is_told_is_not_kept_too_long(
    model: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the end of a commit and the end of what was found out before it lies a moment."""
    ana = model.world.session("ana")
    key = ana.issues.create(project="WEB", title="One")["key"]
    store = model.database._catalogue.documents
    settle, seen = store.settle, []

    def shown() -> Any:
        op = model.op("issues.get")
        args = validate(op.input, {"key": key})

        def read(tx: Read) -> bytes:
            found = op.render(tx, args) if op.render is not None else None
            assert found is not None
            return found.body

        return from_json(model.database.read_now(read, model.admin))["status"]

    def settle_and_look() -> None:
        settle()
        reader = threading.Thread(target=lambda: seen.append(shown()))
        reader.start()
        reader.join()

    assert shown() == "To do"
    monkeypatch.setattr(store, "settle", settle_and_look)
    ana.call("lanes.save", {"key": "todo", "name": "Later", "category": "todo"})
    monkeypatch.undo()
    assert seen
    assert shown() == "Later"
    assert ana.issues.get(key=key)["status"] == "Later"


def test_a_document_rests_on_all_that_is_read_for_it(model: Model) -> None:
    """What may change without its being void is not looked at: all but what is kept until access changes."""
    ana = model.world.session("ana")
    own = {"project": "WEB", "title": "Whole", "due_date": "2026-12-01"}
    beside = {"labels": ["bug"], "components": ["Cart"], "assignees": ["@bo"]}
    issue = ana.call("issues.create", {**own, **beside, "values": {"size": 3, "kind": "Big"}})
    said, parts = model.database.read_now(lambda tx: tx.registry.documented)["issue"]
    looked: set[str] = set()

    def look(action: int, table: str | None, *_: Any) -> int:
        if action == apsw.SQLITE_READ and table:
            looked.add(table)
        return apsw.SQLITE_OK

    def make(tx: Read) -> None:
        model.forget()
        tx.memo.clear()
        visibility.binds(tx)  # what is found out about who asks is not of the document
        projects.roles(tx)
        tx._connection.authorizer = look
        try:
            documents.texts(tx, [issue["id"]])
        finally:
            tx._connection.authorizer = None

    def answer(tx: Read) -> None:
        tx._connection.authorizer = look
        try:
            op = model.op("issues.get")
            assert op.render is not None
            assert op.render(tx, validate(op.input, {"key": issue["key"]}))
        finally:
            tx._connection.authorizer = None

    model.database.read_now(make, model.admin)
    free = {"json_each", "sqlite_schema", "pragma_table_info"}
    rests_on = {said.table} | parts.keys() | said.shared.keys()
    assert looked - free <= rests_on
    model.database.read_now(answer, model.person("cy"))
    access = model.database.read_now(lambda tx: tx.registry.access_tables)
    assert looked - free <= rests_on | access, (
        "an answer that is a document rests on who may see it, and no more"
    )
    assert {"issue", "issue_label", "issue_watcher", "label", "project", "issue_value", "lane"} <= looked
