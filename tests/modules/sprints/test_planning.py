"""Capacity, the plan, and sprints that make themselves."""

from typing import Any

import pytest

from kbwork.contract.kbwork_client import Kbwork
from tests.conftest import World
from tests.modules.calls import call, eventually, refused
from tests.modules.issues.test_issues import make, payloads
from tests.modules.sprints.sprint_calls import done, running, sprint, sprint_of, three

DAY_S = 86_400


def cadence(world: World, who: str = "cy", **fields: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = call(
        world, who, "sprints.cadence_set", **{"project": "WEB", "weeks": 1, "starts_on": 1} | fields
    )
    return found


def states(world: World) -> list[tuple[str, str]]:
    found = world.key("cy").call("sprints.list", {"project": "WEB"})
    return sorted((one["name"], one["state"]) for one in found)


def test_capacity_is_a_list_of_active_members(world: World) -> None:
    sprint(world)
    seq = world.database.seq
    cy, di = world.people["cy"].id, world.people["di"].id
    assert call(world, "cy", "sprints.capacity_set", id=1, capacity={"me": 20, "@di": 7.5})["capacity"] == {
        cy: 20,
        di: 7.5,
    }
    call(world, "cy", "sprints.capacity_set", id=1, capacity={di: 7.5, cy: 20})
    assert world.events_since(seq) == [("sprint.updated", "sprint:1")]
    for bad in ({"@nobody": 1}, {"me": -1}, {"me": "much"}):
        with refused("invalid-input"):
            call(world, "cy", "sprints.capacity_set", id=1, capacity=bad)
    call(world, "cy", "undo.apply", seq=world.database.seq)
    assert call(world, "cy", "sprints.get", id=1)["capacity"] == {}


def test_who_is_erased_has_no_capacity(world: World) -> None:
    sprint(world)
    call(world, "cy", "sprints.capacity_set", id=1, capacity={"@di": 5})
    call(world, "ana", "members.erase", id=world.people["di"].id, confirm_name="Di Park")
    eventually(lambda: call(world, "cy", "sprints.get", id=1)["capacity"] == {})


def test_a_plan_suggests_what_fits(world: World) -> None:
    keys = three(world)
    running(world, *keys)
    for key in keys:
        done(world, key)
    call(world, "cy", "sprints.complete", id=1, unfinished="backlog")
    first, big, small = (make(world, estimate=n, assignees=["@di"]) for n in (4, 5, 1))
    hidden = make(world, "bo", level="private")
    sprint(world, name="Two")
    call(world, "cy", "sprints.capacity_set", id=2, capacity={"me": 3})
    call(world, "cy", "sprints.add", id=2, keys=[small])
    found = call(world, "cy", "sprints.plan", id=2)
    assert [one["key"] for one in found["backlog"]] == [first, big]
    assert hidden in [one["key"] for one in call(world, "bo", "sprints.plan", id=2)["backlog"]]
    assert found["suggest"] == [first]
    cy, di = world.people["cy"].id, world.people["di"].id
    assert found["load"] == [
        {"member": di, "planned": 1, "capacity": None, "absent_days": 0},
        {"member": cy, "planned": 0, "capacity": 3, "absent_days": 0},
    ]
    assert found["sprint"]["name"] == "Two"
    with refused("not-found"):
        call(world, "cy", "sprints.plan", id=9)


def test_a_team_alone_plans_by_numbers_what_its_members_have(world: World) -> None:
    team = call(world, "bo", "teams.save", name="Core")["id"]
    call(world, "bo", "teams.member_set", id=team, who="@cy", role="lead")
    keys = [make(world, assignees=["@cy"]) for _ in range(3)]
    make(world, assignees=["@di"])
    running(world, keys[0], projects=[], team=team)
    done(world, keys[0])
    call(world, "cy", "sprints.complete", id=1, unfinished="backlog")
    sprint(world, projects=[], team=team)
    found = call(world, "cy", "sprints.plan", id=2)
    assert [one["key"] for one in found["backlog"]] == keys[1:]
    assert found["suggest"] == keys[1:2]


def test_sprints_make_themselves_start_and_are_completed(world: World) -> None:
    """The day is Friday, the 15th of January 2027."""
    seq = world.database.seq
    made = cadence(world, ahead=2, auto_start=True, auto_complete=True)
    assert [(one["name"], one["start_date"], one["end_date"]) for one in made] == [
        ("Sprint 1", "2027-01-18", "2027-01-24"),
        ("Sprint 2", "2027-01-25", "2027-01-31"),
    ]
    assert made[0]["cadence"] == {
        "weeks": 1,
        "starts_on": 1,
        "ahead": 2,
        "auto_start": True,
        "auto_complete": True,
        "carry": "next",
    }
    assert [kind for kind, _ in world.events_since(seq)] == ["sprint.created"] * 2
    with refused("conflict"):
        call(world, "cy", "undo.apply", seq=world.database.seq)
    key = make(world, sprint=made[0]["id"])
    world.advance(3 * DAY_S)
    eventually(lambda: ("Sprint 1", "active") in states(world))
    assert states(world) == [("Sprint 1", "active"), ("Sprint 2", "planned"), ("Sprint 3", "planned")]
    world.advance(7 * DAY_S)
    eventually(lambda: ("Sprint 2", "active") in states(world))
    assert states(world)[0] == ("Sprint 1", "done")
    assert world.key("cy").call("issues.get", {"key": key})["sprint"] == made[1]["id"]
    events = world.key("ana").api.changes(since=seq)["events"]
    told = [event["actor"] for event in events if event["kind"] == "sprint.started"]
    assert told == ["system", "system"]
    assert len(payloads(world, seq, "sprint.completed")) == 1


def test_a_cadence_ends_and_leaves_what_is_there(world: World) -> None:
    cadence(world)
    assert [one["cadence"] for one in cadence(world, weeks=0)] == [None]
    world.advance(DAY_S)
    assert states(world) == [("Sprint 1", "planned")]


def test_what_was_not_given_stays_as_it_was(world: World) -> None:
    cadence(world, ahead=2, carry="backlog")
    made = cadence(world, weeks=3)
    assert (len(made), made[0]["cadence"]["ahead"], made[0]["cadence"]["carry"]) == (2, 2, "backlog")


def test_names_go_on_counting(world: World) -> None:
    sprint(world, name="Cycle 41")
    assert [one["name"] for one in cadence(world)] == ["Cycle 41", "Cycle 42"]


@pytest.mark.parametrize(
    ("who", "fields", "slug"),
    [
        ("cy", {"team": 1}, "invalid-input"),
        ("cy", {"project": None}, "invalid-input"),
        ("cy", {"weeks": 27}, "invalid-input"),
        ("cy", {"starts_on": 7}, "invalid-input"),
        ("cy", {"project": None, "team": 9}, "invalid-input"),
        ("cy", {"project": "PRV"}, "not-found"),
        ("di", {"project": "SEC"}, "not-allowed"),
    ],
)
def test_a_cadence_that_cannot_be_says_why(world: World, who: str, fields: dict[str, Any], slug: str) -> None:
    with refused(slug):
        cadence(world, who, **fields)


def test_the_health_of_a_project_names_its_active_sprint(world: World) -> None:
    assert call(world, "cy", "projects.health", key="WEB")["sprint"] is None
    running(world)
    assert call(world, "cy", "projects.health", key="WEB")["sprint"] == 1
    assert sprint_of(world, make(world)) is None


def test_a_key_that_may_not_read_issues_reads_and_counts_none(world: World) -> None:
    running(world, make(world))
    sprint(world, name="Two")
    make(world)
    asked = {"name": "narrow", "scopes": ["sprints:read", "sprints:write"]}
    with Kbwork(world.url, call(world, "cy", "keys.create", **asked)["secret"]) as narrow:
        assert narrow.call("sprints.get", {"id": 1})["counts"]["issues"] == 0
        assert narrow.call("sprints.plan", {"id": 2})["backlog"] == []
        found = narrow.call("sprints.complete", {"id": 1, "unfinished": "backlog"})
        assert (found["unfinished"], found["days"][0]["scope"]) == ([], 0)


def test_a_team_that_is_gone_makes_no_more_sprints(world: World) -> None:
    team = call(world, "bo", "teams.save", name="Core")["id"]
    made = cadence(world, "bo", project=None, team=team, ahead=2)
    assert [(one["team"], one["projects"]) for one in made] == [(team, [])] * 2
    call(world, "bo", "teams.delete", id=team)
    call(world, "bo", "sprints.delete", id=made[0]["id"])
    world.advance(60)
    running(world)
    assert [one["name"] for one in call(world, "bo", "sprints.list", state="planned")] == ["Sprint 2"]
