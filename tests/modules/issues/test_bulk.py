"""Many issues at once: each whole or skipped with its reason, and one undo for all."""

from typing import Any

import pytest

from tests.conftest import World
from tests.modules.calls import call, eventually, refused
from tests.modules.issues.test_issues import make


def bulk(world: World, keys: list[str], who: str = "cy", **changes: Any) -> dict[str, Any]:
    found: dict[str, Any] = call(world, who, "issues.bulk", keys=keys, changes=changes)
    return found


def issue(world: World, key: str) -> dict[str, Any]:
    found: dict[str, Any] = call(world, "ana", "issues.get", key=key)
    return found


def test_each_changes_whole_or_is_skipped_with_its_reason(world: World) -> None:
    call(world, "ana", "labels.save", name="bug")
    one, archived, foreign, hidden = (
        make(world),
        make(world),
        make(world, project="SEC"),
        make(world, "di", project="PRV"),
    )
    call(world, "cy", "issues.archive", keys=[archived], on=True)
    seq = world.database.seq
    done = bulk(
        world,
        [one, "issue:1", archived, hidden, "WEB-99", foreign],
        priority="low",
        add_labels=["bug"],
        assignees=["@di"],
        to_status="done",
    )
    assert done["changed"] == 2
    assert [skip["key"] for skip in done["skipped"]] == [archived, hidden, "WEB-99"]
    assert "is archived" in done["skipped"][0]["reason"]
    assert done["skipped"][1]["reason"].replace(hidden, "?") == done["skipped"][2]["reason"].replace(
        "WEB-99", "?"
    )
    after = issue(world, one)
    assert (after["priority"], after["labels"], after["lane"]) == ("low", ["bug"], "done")
    events = world.key("ana").api.changes(since=seq)["events"]
    assert {event["payload"]["bulk"] for event in events} == {seq + 1}
    assert {event["subject"] for event in events} == {"issue:1", "issue:3"}
    assert done["job"] is None
    call(world, "cy", "undo.apply", token=done["undo"])
    for key in (one, foreign):
        back = issue(world, key)
        assert (back["priority"], back["labels"], back["assignees"], back["lane"]) == ("none", [], [], "todo")


def test_one_event_tells_all_that_changed_of_an_issue(world: World) -> None:
    call(world, "ana", "labels.save", name="bug")
    key = make(world, body="Long")
    seq = world.database.seq
    bulk(
        world,
        [key],
        title="Two",
        body="Longer",
        add_labels=["bug"],
        assignees=["@di"],
        to_status="done",
        move_to="SEC",
        archive=True,
    )
    events = world.key("ana").api.changes(since=seq)["events"]
    kinds = [event["kind"] for event in events if event["subject"] == "issue:1"]
    assert sorted(kinds) == [
        "issue.archived",
        "issue.assigned",
        "issue.moved",
        "issue.transitioned",
        "issue.updated",
    ]
    told = next(event for event in events if event["kind"] == "issue.updated")
    assert told["payload"]["key"] == issue(world, "issue:1")["key"] == "SEC-1"
    assert issue(world, "issue:1")["seq"] == told["seq"]
    changes = told["payload"]["changes"]
    assert changes["project"] == {"from": "WEB", "to": "SEC"}
    assert changes["title"] == {"from": "One", "to": "Two"}
    assert (changes["body"]["from_size"], changes["body"]["to_size"]) == (4, 6)
    assert changes["assignees"]["from"] == []
    assert changes["status"] == {"from": "To do", "to": "Done"}
    assert {"labels", "outcome", "archived_at"} <= set(changes)
    call(world, "cy", "undo.apply", seq=world.database.seq)
    back = issue(world, key)
    assert (back["key"], back["title"], back["labels"], back["lane"]) == (key, "One", [], "todo")


def test_a_dry_run_says_what_would_happen_and_does_nothing(world: World) -> None:
    keys = [make(world), make(world)]
    seq = world.database.seq
    done = call(world, "cy", "issues.bulk", keys=[*keys, "WEB-99"], changes={"title": "Same"}, dry_run=True)
    assert (done["changed"], len(done["skipped"]), done["undo"]) == (2, 1, None)
    assert (world.database.seq, issue(world, keys[0])["title"]) == (seq, "One")


def test_what_does_not_fit_one_leaves_it_whole(world: World) -> None:
    epic, task = make(world, type="epic"), make(world)
    done = bulk(world, [epic, task], priority="high", parent=epic)
    assert (done["changed"], [skip["key"] for skip in done["skipped"]]) == (1, [epic])
    assert (issue(world, epic)["priority"], issue(world, task)["parent"]) == ("none", epic)
    again = bulk(world, [task], priority="high")
    assert again == {"changed": 0, "skipped": [], "undo": None, "job": None}


def test_labels_come_and_go_and_groups_exclude(world: World) -> None:
    for name, group in (("red", "colour"), ("blue", "colour"), ("old", None)):
        call(world, "ana", "labels.save", name=name, **({"group": group} if group else {}))
    one, two = make(world, labels=["red", "old"]), make(world)
    assert bulk(world, [one, two], add_labels=["Blue"], remove_labels=["OLD"])["changed"] == 2
    assert [issue(world, key)["labels"] for key in (one, two)] == [["blue"], ["blue"]]


def test_many_are_moved_archived_and_deleted(world: World) -> None:
    one, two = make(world), make(world)
    assert bulk(world, [one, two], move_to="SEC")["changed"] == 2
    assert issue(world, one)["key"] == "SEC-1"
    assert bulk(world, [one, two], archive=True)["changed"] == 2
    assert bulk(world, [one, two], archive=False, delete=True)["changed"] == 2
    with refused("not-found"):
        issue(world, one)
    assert len(call(world, "cy", "trash.list")["items"]) == 2
    call(world, "cy", "undo.apply", seq=world.database.seq)
    assert issue(world, two)["archived_at"] is not None


@pytest.mark.parametrize(
    ("asked", "slug"),
    [
        ({"changes": {"priority": "low"}}, "invalid-input"),
        ({"keys": ["WEB-1"], "tql": "open", "changes": {"priority": "low"}}, "invalid-input"),
        ({"keys": ["WEB-1"], "changes": {}}, "invalid-input"),
        ({"keys": ["WEB-1"], "changes": {"titel": "x"}}, "unknown-field"),
        ({"keys": ["WEB-1"], "changes": {"priority": "no"}}, "invalid-input"),
        ({"keys": [], "changes": {"priority": "low"}}, "invalid-input"),
        ({"keys": ["x"] * 5001, "changes": {"priority": "low"}}, "invalid-input"),
    ],
)
def test_what_is_no_bulk_change_says_why(world: World, asked: dict[str, Any], slug: str) -> None:
    with refused(slug):
        call(world, "cy", "issues.bulk", **asked)


def test_guests_change_nothing_in_bulk(world: World) -> None:
    call(world, "ana", "projects.member_set", key="WEB", who="@gus", role="member")
    with refused("not-allowed"):
        bulk(world, [make(world, "gus")], "gus", priority="low")


def test_more_than_200_are_changed_by_a_job_and_taken_back_as_one(world: World) -> None:
    call(
        world,
        "cy",
        "issues.create_tree",
        project="WEB",
        items=[{"ref": str(n), "title": f"Number {n}"} for n in range(200)],
    )
    keys = [f"WEB-{n + 1}" for n in range(200)] + [make(world) for _ in range(12)] + ["WEB-999"]
    seq = world.database.seq
    dry = call(world, "cy", "issues.bulk", keys=keys, changes={"priority": "low"}, dry_run=True)
    ended = _ended(world, dry["job"])
    assert (ended["result"]["changed"], len(ended["result"]["skipped"])) == (212, 1)
    assert issue(world, "WEB-1")["priority"] == "none"
    done = bulk(world, keys, priority="low")
    assert (done["changed"], done["skipped"]) == (0, [])
    make(world, "di", title="Meanwhile")
    ended = _ended(world, done["job"])
    assert ended["result"]["changed"] == 212
    assert {issue(world, key)["priority"] for key in ("WEB-1", "WEB-200", "WEB-212")} == {"low"}
    events = [event for event in _events(world, seq) if event["kind"] == "issue.updated"]
    assert len({event["payload"]["bulk"] for event in events}) == 1
    listed = [row for row in call(world, "cy", "undo.list") if row["op"] == "issues.bulk"]
    assert [row["token"] for row in listed] == [done["undo"]]
    undone = call(world, "cy", "undo.apply", token=done["undo"])
    assert len(undone["undone"]) == 212
    assert {issue(world, key)["priority"] for key in ("WEB-1", "WEB-200", "WEB-212")} == {"none"}
    with refused("conflict"):
        call(world, "cy", "undo.apply", token=done["undo"])


def _ended(world: World, job: int) -> dict[str, Any]:
    eventually(lambda: bool(call(world, "cy", "jobs.get", id=job)["ended_at"]))
    found: dict[str, Any] = call(world, "cy", "jobs.get", id=job)
    return found


def _events(world: World, seq: int) -> list[dict[str, Any]]:
    found: list[Any] = []
    more = True
    while more:
        page = world.key("ana").api.changes(since=seq, limit=500)
        found += page["events"]
        seq, more = page["next"], page["more"]
    return found


def test_a_job_does_no_more_than_its_starter_may_at_each_step(world: World) -> None:
    call(
        world,
        "cy",
        "issues.create_tree",
        project="WEB",
        items=[{"ref": str(n), "title": f"Number {n}"} for n in range(200)],
    )
    keys = [f"WEB-{n + 1}" for n in range(200)] + [make(world)]
    done = call(world, "di", "issues.bulk", keys=keys, changes={"delete": True})
    ended = _ended_for(world, "di", done["job"])
    assert ended["result"]["changed"] == 0
    assert len(ended["result"]["skipped"]) == 201
    assert "members what they reported" in ended["result"]["skipped"][0]["reason"]


def _ended_for(world: World, who: str, job: int) -> dict[str, Any]:
    eventually(lambda: bool(call(world, who, "jobs.get", id=job)["ended_at"]))
    found: dict[str, Any] = call(world, who, "jobs.get", id=job)
    return found


def test_issues_are_named_by_a_query_too(world: World) -> None:
    first, second = make(world, priority="high"), make(world, priority="high")
    make(world)
    make(world, "di", project="PRV", priority="high")
    done = call(world, "cy", "issues.bulk", tql="priority = high", changes={"to_status": "done"})
    assert done["changed"] == 2
    assert {issue(world, key)["lane"] for key in (first, second)} == {"done"}
    found = call(world, "cy", "issues.graph", tql="done")
    assert {one["key"] for one in found["nodes"]} == {first, second}
    with refused("tql-name"):
        call(world, "cy", "issues.bulk", tql="prioriti = high", changes={"to_status": "done"})
    with refused("tql-syntax"):
        call(world, "cy", "issues.graph", tql="priority = ")


def test_a_query_is_asked_before_the_write_and_so_not_within_a_batch(world: World) -> None:
    make(world, priority="high")
    asked: dict[str, Any] = {"tql": "priority = high", "changes": {"priority": "low"}}
    with refused("invalid-input"):
        call(world, "cy", "api.batch", ops=[{"op": "issues.bulk", "input": asked}])
    session = world.session("cy")
    first = session.ask("issues.bulk", asked, idempotency_key="0123456789abcdef")
    assert first.data["changed"] == 1
    again = session.ask("issues.bulk", asked, idempotency_key="0123456789abcdef")
    assert again.data == first.data
