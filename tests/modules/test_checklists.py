"""Checklists: items added, ticked, ordered, taken away, made issues of, and templates of them."""

from typing import Any

import pytest

from kbwork.contract.kbwork_client import KbworkProblem
from tests.conftest import NOW, World
from tests.modules.calls import call, eventually, refused
from tests.modules.issues.test_issues import make
from tests.modules.together import slugs, together

ITEM = {
    "text": "One",
    "done": False,
    "assignee": None,
    "due_date": None,
    "done_at": None,
    "done_by": None,
    "issue": None,
}


def added(
    world: World, key: str = "WEB-1", text: str = "One\nTwo", who: str = "cy", **more: Any
) -> dict[str, Any]:
    found: dict[str, Any] = call(world, who, "checklists.add", key=key, text=text, **more)
    return found


def texts(world: World, key: str = "WEB-1", who: str = "cy") -> list[str]:
    return [item["text"] for item in call(world, who, "checklists.list", key=key)["items"]]


def template(world: World, **more: Any) -> int:
    given = {"name": "Release", "kind": "bug", "items": ["Test", "Tell"]} | more
    saved = call(world, "bo", "checklists.template_save", **given)
    return int(next(one["id"] for one in saved if one["name"] == given["name"]))


def counts(world: World, key: str = "WEB-1") -> tuple[int, int]:
    found = call(world, "cy", "issues.get", key=key)["counts"]
    return found["checks_done"], found["checks"]


# items


def test_each_line_is_an_item_in_order(world: World) -> None:
    key = make(world)
    assert call(world, "cy", "checklists.list", key=key) == {
        "key": key,
        "items": [],
        "done": 0,
        "total": 0,
        "can_edit": True,
    }
    seq = world.database.seq
    made = added(world, text=" One \n\n  \r\nTwo\n", assignee="@di", due_date="2026-03-01")
    of = {"assignee": world.people["di"].id, "due_date": "2026-03-01"}
    assert made["items"] == [ITEM | {"id": 1} | of, ITEM | {"id": 2, "text": "Two"} | of]
    assert world.events_since(seq) == [("checklist.added", "issue:1")] * 2
    (event, _) = call(world, "cy", "api.changes", since=seq)["events"]
    assert event["payload"] == {"key": key, "project": "WEB", "item": 1, "text": "One"}
    assert counts(world) == (0, 2)
    assert call(world, "cy", "issues.get", key=key, with_=["checklist"])["checklist"] == made


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"text": " \n "}, "text"),
        ({"text": "x" * 1001}, "text"),
        ({"assignee": "@nobody"}, "assignee"),
        ({"assignee": "agent:none"}, "assignee"),
        ({"key": "SEC-1", "assignee": "@gus"}, "assignee"),
        ({"due_date": "soon"}, "due_date"),
    ],
)
def test_what_an_item_cannot_be_is_refused_and_leaves_nothing(
    world: World, given: dict[str, Any], field: str
) -> None:
    make(world)
    make(world, project="SEC")
    seq = world.database.seq
    with pytest.raises(KbworkProblem) as refusal:
        call(world, "cy", "checklists.add", **{"key": "WEB-1", "text": "One"} | given)
    assert [error["path"] for error in refusal.value.errors] == [field]
    assert (counts(world), world.events_since(seq)) == ((0, 0), [])


def test_an_issue_has_no_more_than_500_items(world: World) -> None:
    make(world)
    added(world, text="\n".join(f"Step {n}" for n in range(499)))
    with refused("conflict"):
        added(world, text="a\nb")
    assert added(world, text="a")["total"] == 500


def test_an_item_is_ticked_by_whoever_does_and_the_last_one_completes_the_list(world: World) -> None:
    make(world)
    added(world)
    seq = world.database.seq
    world.clock.advance(60)
    ticked = call(world, "di", "checklists.update", id=1, done=True)
    assert ticked["items"][0] == ITEM | {
        "id": 1,
        "done": True,
        "done_at": NOW + 60,
        "done_by": world.people["di"].id,
    }
    assert (ticked["done"], ticked["total"]) == (1, 2)
    call(world, "cy", "checklists.update", id=1, done=True)
    assert world.events_since(seq) == [("checklist.updated", "issue:1")]
    seq = world.database.seq
    call(world, "cy", "checklists.update", id=2, done=True, text="Second")
    assert world.events_since(seq) == [("checklist.updated", "issue:1"), ("checklist.completed", "issue:1")]
    (event, _) = call(world, "cy", "api.changes", since=seq)["events"]
    assert event["payload"]["changes"] == {
        "text": {"from": "Two", "to": "Second"},
        "done": {"from": False, "to": True},
    }
    assert counts(world) == (2, 2)
    opened = call(world, "cy", "checklists.update", id=1, done=False)
    assert opened["items"][0] == ITEM | {"id": 1}
    assert counts(world) == (1, 2)
    call(world, "cy", "undo.apply", seq=world.database.seq)
    assert counts(world) == (2, 2)


def test_who_does_an_item_and_until_when_is_set_and_cleared(world: World) -> None:
    make(world)
    added(world, assignee="me", due_date="2026-03-01")
    cleared = call(world, "cy", "checklists.update", id=1, assignee="", due_date="")["items"]
    assert cleared[0] == ITEM | {"id": 1}
    assert cleared[1]["assignee"] == world.people["cy"].id
    seq = world.database.seq
    call(world, "cy", "checklists.update", id=1, assignee="")
    assert world.events_since(seq) == []


def test_items_are_put_in_order(world: World) -> None:
    make(world)
    make(world)
    added(world, text="a\nb\nc\nd")
    added(world, "WEB-2", "other")
    seq = world.database.seq
    ordered = call(world, "cy", "checklists.reorder", key="WEB-1", ids=[3, 1, 3])
    assert [item["id"] for item in ordered["items"]] == [3, 1, 2, 4]
    assert world.events_since(seq) == [("checklist.updated", "issue:1")]
    seq = world.database.seq
    call(world, "cy", "checklists.reorder", key="WEB-1", ids=[3])
    assert world.events_since(seq) == []
    with pytest.raises(KbworkProblem) as refusal:
        call(world, "cy", "checklists.reorder", key="WEB-1", ids=[1, 5])
    assert refusal.value.errors[0]["path"] == "ids[1]"
    assert texts(world) == ["c", "a", "b", "d"]
    added(world, text="e")
    assert texts(world)[-1] == "e"


def test_an_item_goes_and_comes_back_by_undo(world: World) -> None:
    make(world)
    added(world)
    call(world, "cy", "checklists.update", id=1, done=True)
    seq = world.database.seq
    assert call(world, "cy", "checklists.delete", id=1) == {"deleted": 1}
    assert world.events_since(seq) == [("checklist.deleted", "issue:1")]
    assert (texts(world), counts(world)) == (["Two"], (0, 1))
    with refused("not-found"):
        call(world, "cy", "checklists.update", id=1, done=True)
    seq = world.database.seq
    call(world, "cy", "undo.apply", seq=seq)
    assert world.events_since(seq) == [("checklist.added", "issue:1")]
    assert (texts(world), counts(world)) == (["One", "Two"], (1, 2))


def test_adding_is_taken_back(world: World) -> None:
    make(world)
    added(world)
    call(world, "cy", "undo.apply", seq=world.database.seq)
    assert (texts(world), counts(world)) == ([], (0, 0))


def test_those_who_may_edit_the_issue_edit_its_checklist(world: World) -> None:
    key = make(world, "di", project="SEC")
    added(world, key, who="di")
    call(world, "cy", "projects.update", key="SEC", reporters_see="all")
    other = make(world, project="SEC")
    added(world, other)
    assert call(world, "di", "checklists.list", key=other)["can_edit"] is False
    calls: list[tuple[str, dict[str, Any]]] = [
        ("checklists.add", {"key": other, "text": "x"}),
        ("checklists.update", {"id": 3, "done": True}),
        ("checklists.reorder", {"key": other, "ids": [4]}),
        ("checklists.delete", {"id": 3}),
    ]
    for op, args in calls:
        with refused("not-allowed"):
            world.key("di").call(op, args)
    call(world, "cy", "issues.archive", keys=[other], on=True)
    for op, args in calls:
        with refused("conflict"):
            world.key("cy").call(op, args)


def test_the_items_of_what_is_not_seen_are_not_there(world: World) -> None:
    key = make(world, "bo", level="private")
    added(world, key, who="bo")
    calls: list[tuple[str, dict[str, Any]]] = [
        ("checklists.list", {"key": key}),
        ("checklists.add", {"key": key, "text": "x"}),
        ("checklists.update", {"id": 1, "done": True}),
        ("checklists.delete", {"id": 1}),
    ]
    for op, args in calls:
        with refused("not-found"):
            world.key("di").call(op, args)
    with refused("invalid-input"):
        call(world, "di", "issues.promote", from_="check:1")
    (unseen,) = call(world, "di", "subjects.resolve", refs=["check:1"])
    assert unseen["subject"] is None


def test_two_who_tick_at_once_complete_the_list_once(world: World) -> None:
    make(world)
    added(world)
    seq = world.database.seq
    ticks = [("checklists.update", {"id": number, "done": True}) for number in (1, 2)]
    assert slugs(together(world, "cy", ticks)) == []
    kinds = [kind for kind, _ in world.events_since(seq)]
    assert sorted(kinds) == ["checklist.completed", "checklist.updated", "checklist.updated"]
    assert counts(world) == (2, 2)


# where issues go


def test_an_item_becomes_an_issue_and_names_it(world: World) -> None:
    make(world)
    added(world)
    seq = world.database.seq
    made = call(world, "cy", "issues.promote", from_="check:2")
    assert (made["title"], made["key"]) == ("Two", "WEB-2")
    assert ("checklist.updated", "issue:1") in world.events_since(seq)
    assert call(world, "cy", "checklists.list", key="WEB-1")["items"][1]["issue"] == "WEB-2"
    call(world, "bo", "issues.level_set", key="WEB-2", level="private")
    assert call(world, "di", "checklists.list", key="WEB-1")["items"][1]["issue"] is None


def test_items_go_along_with_a_part_that_is_split_off(world: World) -> None:
    make(world)
    added(world, text="a\nb\nc")
    call(world, "cy", "checklists.update", id=2, done=True)
    with refused("invalid-input"):
        call(world, "cy", "issues.split", key="WEB-1", parts=[{"title": "x", "checks": [9]}])
    call(world, "cy", "issues.split", key="WEB-1", parts=[{"title": "Half", "checks": [2, 3]}])
    assert (texts(world), texts(world, "WEB-2")) == (["a"], ["b", "c"])
    assert (counts(world), counts(world, "WEB-2")) == ((0, 1), (1, 2))
    call(world, "cy", "undo.apply", seq=world.database.seq)
    assert (texts(world), counts(world)) == (["a", "b", "c"], (1, 3))


def test_a_copy_begins_with_the_same_items_open(world: World) -> None:
    template(world, auto=True)
    make(world, type="bug")
    added(world)
    call(world, "cy", "checklists.update", id=1, done=True)
    copied = call(world, "cy", "issues.copy", key="WEB-1", with_=["checklists"])
    assert (texts(world), texts(world, copied["key"])) == (["Test", "Tell", "One", "Two"],) * 2
    assert counts(world, copied["key"]) == (0, 4)
    assert texts(world, call(world, "cy", "issues.copy", key="WEB-1")["key"]) == ["Test", "Tell"]


def test_a_merged_issue_keeps_its_list(world: World) -> None:
    make(world)
    make(world)
    added(world)
    call(world, "cy", "issues.merge", from_=["WEB-1"], into="WEB-2")
    assert (texts(world), texts(world, "WEB-2")) == (["One", "Two"], [])


def test_a_list_is_in_the_text_of_its_issue(world: World) -> None:
    make(world)
    added(world)
    call(world, "cy", "checklists.update", id=1, done=True)
    text = call(world, "cy", "issues.export_text", key="WEB-1", with_=["checklist"])["text"]
    assert "## Checklist\n\n- [x] One\n\n- [ ] Two" in text


def test_a_list_goes_for_good_with_its_issue(world: World) -> None:
    make(world)
    added(world, text="canary")
    entry = call(world, "bo", "issues.delete", key="WEB-1")["trash"]
    with refused("not-found"):
        call(world, "cy", "checklists.update", id=1, done=True)
    call(world, "bo", "trash.restore", ids=[entry])
    assert texts(world) == ["canary"]
    entry = call(world, "bo", "issues.delete", key="WEB-1")["trash"]
    call(world, "ana", "trash.purge", ids=[entry])
    assert world.database.write_now(lambda tx: tx.value("select count(*) from check_item")) == 0


# templates


def test_templates_are_kept_by_admins(world: World) -> None:
    with refused("insufficient-scope"):
        call(world, "cy", "checklists.template_save", name="x", kind="bug", items=["a"])
    seq = world.database.seq
    saved = call(world, "bo", "checklists.template_save", name="Release", kind="Bug", items=["a", " b "])
    assert saved == [{"id": 1, "name": "Release", "kind": "bug", "items": ["a", "b"], "auto": False}]
    changed = call(
        world, "bo", "checklists.template_save", id=1, name="Ship", kind="task", items=["a"], auto=True
    )
    assert changed == [{"id": 1, "name": "Ship", "kind": "task", "items": ["a"], "auto": True}]
    call(world, "bo", "checklists.template_save", id=1, name="Ship", kind="task", items=["a"])
    assert world.events_since(seq) == [("checklist_template.saved", "org:1")] * 2
    assert call(world, "cy", "checklists.templates") == changed
    call(world, "bo", "undo.apply", seq=world.database.seq)
    assert call(world, "cy", "checklists.templates") == saved
    for bad, slug in (
        ({"name": "RELEASE"}, "conflict"),
        ({"kind": "bugg"}, "invalid-input"),
        ({"items": []}, "invalid-input"),
        ({"items": [" "]}, "invalid-input"),
        ({"id": 9}, "not-found"),
    ):
        with refused(slug):
            call(
                world, "bo", "checklists.template_save", **{"name": "x", "kind": "bug", "items": ["a"]} | bad
            )
    assert call(world, "bo", "checklists.template_delete", id=1) == {"deleted": 1}
    with refused("not-found"):
        call(world, "bo", "checklists.template_delete", id=1)


def test_guests_have_templates_for_types_that_they_see(world: World) -> None:
    template(world, kind="bug")
    template(world, kind="epic", name="Epic")
    call(world, "cy", "projects.member_set", key="SEC", who="@gus", role="viewer")
    call(world, "bo", "types.projects_set", project="SEC", types=["bug"])
    assert [one["name"] for one in call(world, "gus", "checklists.templates")] == ["Release"]
    with refused("not-allowed"):
        call(world, "gus", "checklists.apply", key=make(world, project="SEC"), template=1)


def test_a_template_is_applied_without_saying_anything_twice(world: World) -> None:
    make(world)
    release = template(world)
    added(world, text="Test")
    seq = world.database.seq
    call(world, "cy", "checklists.apply", key="WEB-1", template=release)
    assert texts(world) == ["Test", "Tell"]
    assert world.events_since(seq) == [("checklist.added", "issue:1")]
    call(world, "cy", "checklists.update", id=1, done=True)
    call(world, "cy", "checklists.apply", key="WEB-1", template=release)
    assert texts(world) == ["Test", "Tell", "Test"]
    with refused("invalid-input"):
        call(world, "cy", "checklists.apply", key="WEB-1", template=99)


def test_new_issues_of_a_type_have_what_applies_by_itself_once(world: World) -> None:
    template(world, auto=True)
    other = template(world, name="Other", items=["Look", "Test"])
    seq = world.database.seq
    key = make(world, type="bug")
    assert texts(world) == ["Test", "Tell"]
    assert [kind for kind, _ in world.events_since(seq)] == [
        "issue.created",
        "checklist.added",
        "checklist.added",
    ]
    assert texts(world, make(world)) == []
    call(world, "cy", "issues.convert", key="WEB-2", type="bug")
    assert texts(world, "WEB-2") == []
    saved = call(
        world,
        "bo",
        "issues.template_save",
        project="WEB",
        name="Defect",
        type="bug",
        input={},
        checklists=[other],
    )
    assert saved[0]["checklists"] == [other]
    made = call(world, "cy", "issues.create", project="WEB", title="x", template=saved[0]["id"])
    assert texts(world, made["key"]) == ["Look", "Test", "Tell"]
    with refused("invalid-input"):
        call(world, "bo", "issues.template_save", name="y", type="bug", input={}, checklists=[99])
    call(world, "bo", "checklists.template_delete", id=other)
    made = call(world, "cy", "issues.create", project="WEB", title="x", template=saved[0]["id"])
    assert texts(world, made["key"]) == ["Test", "Tell"]
    call(world, "cy", "undo.apply", seq=world.database.seq)
    assert (
        world.database.write_now(
            lambda tx: tx.value("select count(*) from issue where deleted_at is not null")
        )
        == 1
    )
    call(world, "bo", "org.modules_set", off=["checklists"])
    call(world, "cy", "issues.create", project="WEB", title="x", type="bug")
    call(world, "bo", "org.modules_set", on=["checklists"])
    assert texts(world, "WEB-5") == []
    assert key == "WEB-1"


def test_templates_go_to_the_type_that_takes_the_place_of_theirs(world: World) -> None:
    template(world)
    with refused("in-use"):
        call(world, "bo", "types.delete", key="bug")
    call(world, "bo", "types.delete", key="bug", move_to="task")
    assert [one["kind"] for one in call(world, "cy", "checklists.templates")] == ["task"]


def test_an_erased_person_has_no_item_any_more(world: World) -> None:
    make(world)
    added(world, text="One", assignee="@di")
    job = call(world, "ana", "members.erase", id=world.people["di"].id, confirm_name="Di Park")["job"]
    eventually(lambda: bool(call(world, "ana", "jobs.get", id=job)["ended_at"]))
    eventually(lambda: call(world, "cy", "checklists.list", key="WEB-1")["items"][0]["assignee"] is None)
