"""What is told of issues tells of none that the reader does not see."""

import pytest

from kbwork.contract.kbwork_client import KbworkProblem
from tests.conftest import World
from tests.modules.calls import call
from tests.modules.issues.test_issues import make


def told(world: World, who: str, seq: int, kind: str) -> object:
    """The children of the one event of this kind, as somebody hears of it."""
    (event,) = [one for one in world.key(who).api.changes(since=seq)["events"] if one["kind"] == kind]
    return event["payload"]["children"]


def family(world: World) -> str:
    """The key of an epic with a child for all and one for leads; Cy and Di lead."""
    call(world, "cy", "projects.create", key="FAM", name="Family", lead="@di")
    call(world, "cy", "projects.member_set", key="FAM", who="@bo", role="member")
    epic = make(world, project="FAM", type="epic")
    make(world, project="FAM", parent=epic)
    make(world, project="FAM", parent=epic, level="private", assignees=["@cy"])
    return epic


def test_a_deleted_family_is_counted_as_each_reader_sees_it(world: World) -> None:
    epic = family(world)
    seq = world.database.seq
    entry = call(world, "cy", "issues.delete", key=epic, children="delete")["trash"]
    assert told(world, "cy", seq, "issue.deleted") == 2
    seq = world.database.seq
    call(world, "cy", "trash.restore", ids=[entry])
    call(world, "cy", "projects.member_set", key="FAM", who="@di", role="viewer")
    assert told(world, "cy", seq, "issue.restored") == 2
    assert told(world, "di", seq, "issue.restored") == 1


def test_archiving_tells_of_no_children(world: World) -> None:
    epic = family(world)
    seq = world.database.seq
    call(world, "cy", "issues.archive", keys=[epic], on=True)
    assert told(world, "cy", seq, "issue.archived") == 0


def test_a_parent_that_one_does_not_see_is_not_named(world: World) -> None:
    epic = family(world)
    call(world, "cy", "issues.level_set", key=epic, level="private")
    call(world, "cy", "projects.member_set", key="FAM", who="@di", role="member")
    for who, named in (("cy", True), ("di", False)):
        with pytest.raises(KbworkProblem) as refusal:
            call(world, who, "issues.convert", key="FAM-2", type="epic")
        assert refusal.value.slug == "conflict"
        assert (epic in refusal.value.detail) == named


@pytest.mark.parametrize(("op", "key"), [("lanes.delete", "done"), ("types.delete", "bug")])
def test_what_is_in_use_is_counted_as_far_as_one_sees_it(world: World, op: str, key: str) -> None:
    make(world, type="bug", status="done")
    make(world, "di", project="PRV", type="bug", status="done")
    with pytest.raises(KbworkProblem) as refusal:
        call(world, "bo", op, key=key)
    assert (refusal.value.slug, refusal.value.extra["uses"]) == ("in-use", 1)
    seq = world.database.seq
    call(world, "bo", op, key=key, move_to={"done": "todo", "bug": "task"}[key])
    payload = world.key("cy").api.changes(since=seq)["events"][0]["payload"]
    assert set(payload) == {"key", "name", "move_to"}
