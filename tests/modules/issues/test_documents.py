"""Issues are answered from documents that are kept: never otherwise than they would be made anew."""

import threading
from collections.abc import Callable
from typing import Any

import pytest
from pydantic_core import from_json

from kbwork.core.access import visibility
from kbwork.core.operations.documents import eyes_of
from kbwork.db.tx import Read, json_array
from kbwork.modules.issues.issue.documents import DOCUMENTS, IssueEyes
from tests.conftest import World
from tests.modules.documents import (
    SWITCH,
    UNDONE,
    Asked,
    Given,
    Model,
    Play,
    declared,
    given,
    number,
    play_beside,
    play_out,
    rendered,
    some,
    tables_read,
)

pytestmark = pytest.mark.usefixtures("earnest_loop")  # on either road
PROJECTS = ("WEB", "APP", "LAB")


def _key(model: Model) -> str:
    """Of an issue that is or was there."""
    project, numbers = model.chance.choice(
        model.rows(
            "select key, numbers from project where key in (select value from json_each(:keys))",
            keys=json_array([*PROJECTS, "LABS"]),
        )
    )
    return f"{project}-{model.chance.randint(1, max(1, numbers))}"


def _looks(model: Model) -> list[Asked]:
    chance = model.chance
    return [
        *(("issues.get", {"key": _key(model)}) for _ in range(3)),
        ("issues.list", {"project": chance.choice(PROJECTS), "archived": True, "limit": 20}),
        ("issues.list", {"limit": 30, "sort": chance.choice(["-updated", "created", "key"])}),
    ]


def _issue(**values: Any) -> Callable[[Model], Given]:
    """Of some issue, with values that are chosen each time."""
    return given(key=_key, **values)


_PERSON = some("@ana", "@bo", "@cy", "@di")
_PROJECT = some(*PROJECTS)
_LABEL = some("bug", "ui", "slow", "odd")
_LABELS = some([], ["bug"], ["ui", "slow"])
WRITES: dict[str, Callable[[Model], Given]] = {
    "issues.create": given(
        project=_PROJECT,
        title=some("One", "Ünd \u2028 zwei", 'a "b" \\'),
        labels=_LABELS,
        components=some([], ["Cart"], ["Stock"]),
        parent=some(None, None, _key),
        type=some("task", "bug", "epic", None),
        level=some(None, None, "private", "public"),
        values=some(None, {"size": 3}, {"kind": "Big"}),
    ),
    "issues.update": _issue(
        title=some("Two", "Three", None),
        priority=some("high", "low", None),
        labels=some(None, ["bug"], ["odd", "ui"]),
        due_date=some(None, "2026-12-01"),
        estimate=some(None, 2.5),
        parent=some(None, _key),
        values=some(None, {"size": 4}, {"size": None}, {"kind": "Small"}),
    ),
    "issues.assign": _issue(assignees=some([], ["@cy"], ["@di", "@bo"])),
    "issues.watch": _issue(on=SWITCH),
    "issues.vote": _issue(on=SWITCH),
    "stars.set": given(subject=lambda model: f"issue:{_key(model)}", on=SWITCH),
    "issues.lock": _issue(on=SWITCH),
    "issues.archive": given(keys=lambda model: [_key(model)], on=SWITCH),
    "issues.delete": _issue(),
    "issues.level_set": _issue(level=some("private", "public", "project")),
    "issues.transition": _issue(to_status=some("in_progress", "done", "todo")),
    "issues.convert": _issue(type=some("task", "bug", "story", "epic")),
    "issues.move": given(keys=lambda model: [_key(model)], project=_PROJECT),
    "issues.rank": given(keys=lambda model: [_key(model)], before=_key),
    "issues.link_add": _issue(url="https://example.com/spec"),
    "issues.relation_add": _issue(kind=some("blocks", "relates"), to=lambda model: [_key(model)]),
    "issues.bulk": given(keys=lambda model: [_key(model), _key(model)], changes={"priority": "urgent"}),
    "issues.copy": _issue(title="A copy"),
    "issues.merge": given(from_=lambda model: [_key(model)], into=_key),
    "comments.create": lambda model: {
        "subject": f"issue:{_key(model)}",
        "body": "Said",
        "internal": model.chance.random() < 0.5,
    },
    "checklists.add": _issue(text="Write it down"),
    "checklists.update": given(id=number(8), done=SWITCH),
    "labels.save": given(id=number(5), name=some("bug", "ui", "seldom", "odd", "other")),
    "labels.delete": given(id=number(9)),
    "labels.merge": given(from_=[1], into=2),
    "components.save": given(id=some(None, 1, 2, 3), project=_PROJECT, name=some("Cart", "Stock", "Till")),
    "components.delete": given(id=number(6)),
    "lanes.save": given(key="todo", name=some("To do", "Later", "Now"), category="todo"),
    "types.save": given(key=some("task", "bug"), name=some("Task", "Bug", "Thing")),
    "fields.save": given(key="size", name=some("Size", "Extent"), kind="number"),
    "fields.options_set": given(
        key="kind", options=some([{"id": 1, "name": "Huge"}, {"name": "Small"}], [{"id": 1, "name": "Big"}])
    ),
    "projects.member_set": given(
        key=_PROJECT,
        who=some("@cy", "@di", "@gus"),
        role=some("lead", "member", "reporter", "viewer", None),
    ),
    "projects.update": given(
        key=_PROJECT, visibility=some("org", "private", None), reporters_see=some("own", "all", None)
    ),
    "projects.key_change": given(key="LAB", new_key=some("LAB", "LABS", "LAB")),
    **UNDONE,
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
    return Model(world, Play("issue", WRITES, _looks, "issues.create"))


def test_whatever_happens_documents_say_what_is_there(model: Model, steps: int) -> None:
    play_out(model, steps)


def test_readers_beside_a_writer_see_one_snapshot_each(model: Model, steps: int) -> None:
    play_beside(model, steps)


def test_what_is_read_while_a_commit_is_told_is_not_kept_too_long(
    model: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the end of a commit and the end of what was found out before it lies a moment."""
    ana = model.world.session("ana")
    key = ana.issues.create(project="WEB", title="One")["key"]
    store = model.database._catalogue.documents
    settle, seen = store.settle, []

    def shown() -> Any:
        found = model.database.read_now(rendered(model, "issues.get", {"key": key}), model.admin)
        assert found is not None
        return from_json(found.text())["status"]

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

    def eyes(tx: Read) -> IssueEyes:
        visibility.binds(tx)  # what is found out about who asks is not of the document
        return eyes_of(tx, IssueEyes)

    looked = tables_read(
        model, lambda tx: DOCUMENTS.texts(tx, eyes(tx), [issue["id"]]), model.admin, before=eyes
    )
    assert looked <= declared(model)
    assert {"issue", "issue_label", "issue_watcher", "label", "project", "issue_value", "lane"} <= looked
    cy = model.person("cy")
    assert cy is not None
    answered = tables_read(model, rendered(model, "issues.get", {"key": issue["key"]}), cy)
    access = model.database.read_now(lambda tx: tx.registry.access_tables)
    assert answered <= declared(model) | access, (
        "an answer that is a document rests on who may see it, and no more"
    )
