"""What is refused of sprints: to whom, where they are full, and where undo comes too late."""

from typing import Any

import pytest

from kbwork.contract.kbwork_client import Kbwork
from kbwork.modules.sprints import ops, scope
from kbwork.modules.sprints.planning import capacity
from tests.conftest import World
from tests.modules.calls import call, refused
from tests.modules.issues.test_issues import make
from tests.modules.sprints.sprint_calls import running, sprint, sprint_of, three
from tests.modules.together import slugs, together

WRITES: dict[str, dict[str, Any]] = {
    "sprints.update": {"goal": "Mine"},
    "sprints.add": {"keys": ["WEB-1"]},
    "sprints.remove": {"keys": ["WEB-1"]},
    "sprints.capacity_set": {"capacity": {"me": 1}},
    "sprints.start": {},
    "sprints.complete": {"unfinished": "backlog"},
    "sprints.reopen": {},
    "sprints.delete": {},
}
READS: dict[str, dict[str, Any]] = {"sprints.get": {}, "sprints.plan": {}}


@pytest.mark.parametrize("op", WRITES)
def test_who_sees_a_sprint_and_does_not_keep_it_changes_nothing_of_it(world: World, op: str) -> None:
    make(world)
    made = sprint(world, "cy", projects=["SEC"])
    seq = world.database.seq
    with refused("not-allowed"):
        call(world, "di", op, id=made["id"], **WRITES[op])
    with refused("insufficient-scope"):
        call(world, "gus", op, id=made["id"], **WRITES[op])
    key = call(world, "cy", "keys.create", name="narrow", scopes=["sprints:read", "issues:write"])["secret"]
    with Kbwork(world.url, key) as narrow, refused("insufficient-scope"):
        narrow.call(op, {"id": made["id"], **WRITES[op]})
    assert [one for one in world.events_since(seq) if one[0].startswith(("sprint.", "issue."))] == []


@pytest.mark.parametrize("op", [*WRITES, *READS])
def test_a_sprint_that_one_does_not_see_is_not_there(world: World, op: str) -> None:
    make(world)
    seq = world.database.seq
    made = sprint(world, "di", projects=["PRV"])
    for ident in (made["id"], 99):
        with refused("not-found"):
            call(world, "cy", op, id=ident, **(WRITES | READS)[op])
    assert call(world, "cy", "api.changes", since=seq)["events"] == []
    assert call(world, "cy", "sprints.list") == []


def test_a_key_that_is_limited_to_another_project_sees_none(world: World) -> None:
    sprint(world)
    key = call(
        world, "cy", "keys.create", name="k", scopes=["sprints:read", "sprints:write"], projects=["SEC"]
    )
    with Kbwork(world.url, key["secret"]) as narrow:
        assert narrow.call("sprints.list", {}) == []
        with refused("not-found"):
            narrow.call("sprints.start", {"id": 1})
        with refused("not-found"):
            narrow.call("sprints.create", {"name": "Mine", "projects": ["WEB"]})


def test_what_is_unfinished_goes_where_there_is_room_and_one_keeps(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    keys = three(world)
    running(world, *keys[:2])
    sprint(world, name="Two")
    call(world, "cy", "sprints.add", id=2, keys=keys[2:])
    monkeypatch.setattr(scope, "MOST", 2)
    for where in ({"unfinished": "next"}, {"unfinished": "sprint", "sprint": 2}):
        with refused("conflict"):
            call(world, "cy", "sprints.complete", id=1, **where)
    team = call(world, "bo", "teams.save", name="Core")["id"]
    call(world, "bo", "teams.member_set", id=team, who="@cy", role="member")
    theirs = sprint(world, "bo", projects=[], team=team)["id"]  # cy sees it, and its leads keep it
    with refused("not-allowed"):
        call(world, "cy", "sprints.complete", id=1, unfinished="sprint", sprint=theirs)
    assert [sprint_of(world, key) for key in keys] == [1, 1, 2]


@pytest.mark.parametrize(
    "days", [{"end_date": "2027-01-14"}, {"start_date": "2027-01-29"}, {"end_date": "2028-01-16"}]
)
def test_a_sprint_is_not_changed_to_days_that_cannot_be(world: World, days: dict[str, str]) -> None:
    made = sprint(world)
    with refused("invalid-input") as told:
        call(world, "cy", "sprints.update", id=1, name="Other", **days)
    assert [error["path"] for error in told.value.errors] == ["end_date"]
    assert call(world, "cy", "sprints.get", id=1) == made


def test_so_many_are_open_at_most(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ops, "MOST_OPEN", 2)
    for name in ("One", "Two"):
        sprint(world, name=name)
    with refused("conflict"):
        sprint(world, name="Three", projects=["SEC", "WEB"])
    sprint(world, name="Elsewhere", projects=["SEC"])
    call(world, "cy", "sprints.delete", id=1)
    found = together(world, "cy", [("sprints.create", {"name": "Three", "projects": ["WEB"]})] * 3)
    assert slugs(found) == ["conflict"] * 2


def test_so_many_people_have_a_capacity_and_all_are_here(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    sprint(world)
    call(world, "ana", "members.deactivate", id="@di", on=True)
    with refused("invalid-input"):
        call(world, "cy", "sprints.capacity_set", id=1, capacity={world.people["di"].id: 5})
    monkeypatch.setattr(capacity, "MOST", 1)
    with refused("invalid-input"):
        call(world, "cy", "sprints.capacity_set", id=1, capacity={"me": 1, "@bo": 1})
    assert call(world, "cy", "sprints.get", id=1)["capacity"] == {}


def test_undo_puts_an_issue_back_where_it_can_be_alone(world: World) -> None:
    gone, moved = make(world), make(world)
    sprint(world)
    call(world, "cy", "sprints.add", id=1, keys=[gone, moved])
    seqs = []
    for key in (gone, moved):
        call(world, "cy", "sprints.remove", id=1, keys=[key])
        seqs.append(world.database.seq)
    call(world, "cy", "issues.move", keys=[moved], project="SEC")
    with refused("conflict"):
        call(world, "cy", "undo.apply", seq=seqs[1])
    call(world, "cy", "sprints.delete", id=1)
    with refused("conflict"):
        call(world, "cy", "undo.apply", seq=seqs[0])
    assert sprint_of(world, gone) is None


def test_a_cadence_is_set_by_who_leads_and_of_what_is_there(world: World) -> None:
    team = call(world, "bo", "teams.save", name="Core")["id"]
    call(world, "bo", "teams.member_set", id=team, who="@cy", role="member")
    asked: dict[str, Any] = {"weeks": 1, "starts_on": 1}
    with refused("not-allowed"):
        call(world, "cy", "sprints.cadence_set", team=team, **asked)
    with refused("insufficient-scope"):
        call(world, "gus", "sprints.cadence_set", project="WEB", **asked)
    call(world, "bo", "projects.archive", key="WEB", on=True)
    with refused("conflict"):
        call(world, "cy", "sprints.cadence_set", project="WEB", **asked)
    assert call(world, "bo", "sprints.list") == []


@pytest.mark.parametrize("op", ["sprints.complete", "sprints.delete"])
def test_undo_makes_no_second_sprint_active(world: World, op: str) -> None:
    running(world)
    call(world, "cy", op, id=1, **({"unfinished": "backlog"} if op == "sprints.complete" else {}))
    seq = world.database.seq
    running(world, name="Two")
    with refused("conflict"):
        call(world, "cy", "undo.apply", seq=seq)
    assert [one["name"] for one in call(world, "cy", "sprints.list", state="active")] == ["Two"]
