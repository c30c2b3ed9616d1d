"""Undo sets back what still fits, leaves the rest with its reason, and tells of what it touched alone."""

from typing import Any

from tests.conftest import World
from tests.modules.calls import call, eventually, refused
from tests.modules.issues.test_issues import make
from tests.modules.workflows.sample_workflows import in_force


def why(world: World, seq: int, who: str = "cy") -> str:
    """Why taking a change back is a conflict."""
    with refused("conflict") as found:
        call(world, who, "undo.apply", seq=seq)
    return str(found.value.detail)


def issue(world: World, key: str) -> dict[str, Any]:
    found: dict[str, Any] = call(world, "cy", "issues.get", key=key)
    return found


def test_what_stays_as_it_is_is_not_told_of(world: World) -> None:
    kept, other = make(world), make(world)
    done = call(world, "cy", "issues.bulk", keys=[kept, other], changes={"priority": "low"})
    call(world, "cy", "issues.archive", keys=[kept], on=True)
    seq, before = world.database.seq, issue(world, kept)
    world.clock.advance(60)
    answer = call(world, "cy", "undo.apply", token=done["undo"])
    assert [one["subject"] for one in answer["undone"]] == ["issue:2"]
    assert answer["kept"] == [{"subject": "issue:1", "why": "you may not change it now, or it is gone"}]
    assert world.events_since(seq) == [("issue.updated", "issue:2")]
    assert issue(world, kept) == before


def test_a_comment_in_the_trash_stays_as_it_is(world: World) -> None:
    key = make(world)
    number = call(world, "cy", "comments.create", subject=key, body="One")["id"]
    call(world, "cy", "comments.update", id=number, body="Two")
    edited = world.database.seq
    call(world, "bo", "comments.delete", id=number)
    seq = world.database.seq
    answer = call(world, "cy", "undo.apply", seq=edited, force=True)
    assert answer == {"undone": [], "kept": [{"subject": "issue:1", "why": "it is gone"}]}
    assert world.events_since(seq) == []
    assert world.database.write_now(lambda tx: tx.value("select body from comment")) == "Two"


def test_a_creation_of_what_was_deleted_since_cannot_be_taken_back(world: World) -> None:
    key = make(world)
    made = world.database.seq
    call(world, "cy", "issues.delete", key=key)
    (row,) = [row for row in call(world, "cy", "undo.list") if row["seq"] == made]
    assert (row["can"], row["why"]) == (False, "it is gone")
    assert call(world, "cy", "undo.apply", seq=made, force=True)["undone"] == []


def test_a_lane_that_the_workflow_has_no_more_is_not_entered(world: World) -> None:
    key = make(world)
    call(world, "cy", "issues.transition", key=key, to_status="in_progress")
    seq = world.database.seq
    made = world.key("bo").call(
        "workflows.save",
        {
            "name": "Short",
            "start": "in_progress",
            "lanes": ["in_progress", "done"],
            "transitions": [{"name": "Finish", "from": ["in_progress"], "to": "done"}],
        },
    )
    world.key("bo").call("workflows.assign", {"id": made["id"], "project": "WEB"})
    assert "Short has no lane To do any more" in why(world, seq)
    assert issue(world, key)["lane"] == "in_progress"


def test_no_lane_is_entered_past_its_approval(world: World) -> None:
    key = make(world)
    call(world, "cy", "issues.transition", key=key, to_status="in_progress")
    call(world, "cy", "issues.transition", key=key, to_status="todo")
    seq = world.database.seq
    in_force(world, approvers=["@ana"])
    assert "entered only where somebody approves it" in why(world, seq)
    assert issue(world, key)["lane"] == "todo"


def test_a_parent_in_the_trash_or_purged_is_not_taken_again(world: World) -> None:
    epic = make(world, type="epic")
    child, other = make(world, parent=epic), make(world)
    done = call(world, "cy", "issues.bulk", keys=[child, other], changes={"parent": "", "priority": "low"})
    call(world, "cy", "issues.delete", key=epic)
    answer = call(world, "cy", "undo.apply", token=done["undo"])
    assert [one["subject"] for one in answer["undone"]] == ["issue:3"]
    assert answer["kept"] == [
        {"subject": "issue:2", "why": "the parent that it had is gone, or lies in the trash"}
    ]
    assert (issue(world, child)["priority"], issue(world, other)["priority"]) == ("low", "none")
    alone = make(world, parent=(above := make(world, type="epic")))
    call(world, "cy", "issues.update", key=alone, parent="")
    seq = world.database.seq
    entry = call(world, "cy", "issues.delete", key=above)["trash"]
    call(world, "bo", "trash.purge", ids=[entry])
    assert "what it had is gone" in why(world, seq)


def test_a_type_that_the_project_has_no_more_does_not_come_back(world: World) -> None:
    key = make(world, type="task")
    call(world, "cy", "issues.convert", key=key, type="story")
    seq = world.database.seq
    call(world, "bo", "types.projects_set", project="WEB", types=["epic", "story"])
    assert "no type Task any more" in why(world, seq)
    assert issue(world, key)["type"] == "story"


def test_a_change_of_many_is_taken_back_step_by_step_and_as_one(world: World) -> None:
    for name in ("a", "b", "c"):
        call(world, "ana", "labels.save", name=name)
    keys = [make(world) for _ in range(450)]
    done = call(
        world, "cy", "issues.bulk", keys=keys, changes={"priority": "low", "add_labels": ["a", "b", "c"]}
    )
    eventually(lambda: bool(call(world, "cy", "jobs.get", id=done["job"])["ended_at"]))
    seq = world.database.seq
    assert len(call(world, "cy", "undo.apply", token=done["undo"])["undone"]) == 450
    with refused("conflict"):
        call(world, "cy", "undo.apply", token=done["undo"])

    def low() -> int:
        return int(world.database.write_now(lambda tx: tx.value("select sum(priority = 'low') from issue")))

    eventually(lambda: low() == 0)
    assert len(world.events_since(seq)) >= 450
    (again,) = call(world, "cy", "undo.list", limit=1)
    assert again["op"] == "undo.apply"
    call(world, "cy", "undo.apply", token=again["token"])
    eventually(lambda: low() == 450)


def test_what_comes_back_stands_under_its_parent_though_that_was_archived_before(world: World) -> None:
    above = make(world, type="epic")
    child = make(world, type="task", parent=above)
    grandchild = make(world, type="subtask", parent=child)
    call(world, "cy", "issues.archive", keys=[above], on=True)
    seq = world.database.seq + 1
    call(world, "ana", "issues.delete", key=child, children="keep")
    assert issue(world, grandchild)["parent"] == above
    call(world, "ana", "undo.apply", seq=seq)
    assert (issue(world, child)["parent"], issue(world, grandchild)["parent"]) == (above, child)
