"""Saved checks: what contexts are to get, and changes that would break it, whichever way they come."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from kbwork.contract.kbwork_client import KbworkProblem
from tests.conftest import World
from tests.modules.calls import call, eventually, refused
from tests.modules.flags.flag_project import agent, flag, patch, serve, shop, state

Json = dict[str, Any]
BO = {"kind": "user", "key": "bo"}
OFF = {"kind": "turnFlagOff"}
ON = {"kind": "turnFlagOn"}


def held(world: World, who: str = "cy", **more: Any) -> Json:
    """A check of the shop: bo gets the first variation of the flag, in the environment test."""
    asked = {
        "project": "shop",
        "environment": "test",
        "name": "Bo",
        "context": BO,
        "expected": {"checkout": 0},
        "enforce": True,
    }
    made: Json = call(world, who, "flags.check_save", **asked | more)
    return made


def checked(world: World, **more: Any) -> Json:
    """The shop, whose flag serves its first variation, which the check holds."""
    shop(world)
    flag(world)
    serve(world, 0)
    return held(world, **more)


def checks(world: World, who: str = "cy", **more: Any) -> list[Json]:
    found: list[Json] = call(world, who, "flags.checks", project="shop", **more)
    return found


def test_a_check_is_saved_changed_and_deleted(world: World) -> None:
    seq = world.database.seq
    made = checked(world)
    assert made == {
        "id": made["id"],
        "project": "shop",
        "environment": "test",
        "name": "Bo",
        "context": BO,
        "expected": {"checkout": 0},
        "enforce": True,
        "created_by": world.people["cy"].id,
        "created_at": world.clock.now(),
        "broken": [],
    }
    assert world.events_since(seq)[-1] == ("flag.check_saved", "flag_project:shop")
    seq = world.database.seq
    assert held(world, "di", id=made["id"]) == made
    assert world.events_since(seq) == []
    changed = held(
        world, "di", id=made["id"], name="Bo and false", expected={"checkout": False}, enforce=False
    )
    assert (changed["broken"], changed["enforce"]) == (["checkout"], False)
    assert held(world, "di", id=made["id"], expected={"checkout": None}, enforce=None)["enforce"] is False
    other = held(world, environment="production", expected={"checkout": {"value": False}})
    assert [one["id"] for one in checks(world)] == [made["id"], other["id"]]
    assert [one["id"] for one in checks(world, environment="production")] == [other["id"]]
    assert held(world, name="None", dry_run=True)["name"] == "None"
    exported = call(world, "ana", "flags.export")["data"]["projects"][0]["environments"]
    assert [[one["name"] for one in where["checks"]] for where in exported] == [["Bo"], ["Bo"]]
    seq = world.database.seq
    left = call(world, "cy", "flags.check_delete", project="shop", id=made["id"])
    assert [one["id"] for one in left] == [other["id"]]
    assert world.events_since(seq) == [("flag.check_saved", "flag_project:shop")]
    call(world, "ana", "flags.environment_delete", project="shop", key="production")
    assert checks(world) == []


def test_what_no_check_can_be_is_refused(world: World) -> None:
    made = checked(world)
    for wrong in (
        {"name": "a", "context": {"kind": "user"}},
        {"name": "a", "context": BO | {"more": "x" * 70_000}},
        {"name": "a", "expected": {"checkout": 7}},
        {"name": "a", "expected": {"checkout": "blue"}},
        {"name": "a", "expected": {}},
        {"name": ""},
    ):
        with refused("invalid-input"):
            held(world, **wrong)
    with refused("conflict"):
        held(world)
    with refused("not-found"):
        held(world, name="a", expected={"none": 0})
    with refused("not-found"):
        held(world, id=made["id"], environment="production")
    for op in ("flags.check_save", "flags.check_delete"):
        more = {} if op == "flags.check_delete" else {"environment": "test", "name": "a", "context": BO}
        more |= {} if op == "flags.check_delete" else {"expected": {"checkout": 0}}
        with refused("not-found"):
            call(world, "cy", op, project="shop", id=900, **more)
    flag(world, "old")
    call(world, "cy", "flags.archive", project="shop", key="old")
    with refused("conflict"):
        held(world, name="a", expected={"old": 0})


def test_a_number_is_an_index_unless_it_is_said_to_be_a_value(world: World) -> None:
    shop(world)
    flag(world, "many", kind="number", variations=[{"value": 5}, {"value": 1}])
    serve(world, 0, key="many")
    assert held(world, name="place", expected={"many": 0})["broken"] == []
    assert held(world, name="value", expected={"many": {"value": 5}})["broken"] == []
    assert held(world, name="other", expected={"many": {"value": 1.0}})["broken"] == ["many"]
    with refused("invalid-input"):
        held(world, name="none", expected={"many": {"value": 0}})


def test_a_check_is_seen_and_kept_by_those_who_see_and_change_its_flags(world: World) -> None:
    call(world, "ana", "projects.create", key="SECR", name="Secret", visibility="private")
    shop(world, work_project="SECR")
    flag(world, who="ana")
    made = held(world, "ana", expected={"checkout": False})
    with refused("not-found"):
        checks(world, "cy")
    with refused("not-found"):
        call(world, "cy", "flags.check_delete", project="shop", id=made["id"])
    call(world, "ana", "projects.member_set", key="SECR", who=world.people["cy"].id, role="viewer")
    assert [one["id"] for one in checks(world)] == [made["id"]]
    with refused("not-allowed"):
        held(world, id=made["id"])
    with refused("not-allowed"):
        call(world, "cy", "flags.check_delete", project="shop", id=made["id"])
    robot = agent(world, "ana", "flags:read")
    with refused("insufficient-scope"):
        robot.call("flags.check_delete", {"project": "shop", "id": made["id"]})


def test_a_change_that_breaks_it_is_refused_by_every_road(world: World) -> None:
    made = checked(world)
    before = state(world)
    where = {"project": "shop", "key": "checkout"}
    with pytest.raises(KbworkProblem) as told:
        patch(world, "cy", "test", OFF)
    assert (told.value.slug, told.value.extra["check"], told.value.extra["broken"]) == (
        "conflict",
        made["id"],
        ["checkout"],
    )
    first = call(world, "cy", "flags.history", **where, environment="test")[-1]["id"]
    roads: list[tuple[str, Json]] = [
        ("flags.archive", where),
        ("flags.update", where | {"instructions": [{"kind": "archiveFlag"}]}),
        ("flags.restore", where | {"revision": first}),
        ("flags.copy", {"project": "shop", "from": "production", "to": "test"}),
        (
            "flags.change_create",
            {
                "project": "shop",
                "kind": "flag",
                "target": "checkout",
                "environment": "test",
                "instructions": [OFF],
            },
        ),
        (
            "flags.schedule_create",
            where | {"environment": "test", "instructions": [OFF], "run_at": "2040-01-01T00:00:00Z"},
        ),
    ]
    for op, asked in roads:
        with refused("conflict"):
            world.session("ana").call(op, asked)
    assert state(world) == before


def test_a_segment_and_a_value_can_break_it_too(world: World) -> None:
    shop(world)
    flag(world)
    call(world, "cy", "flags.segment_save", project="shop", environment="test", key="beta", included=["bo"])
    clause = {"op": "segmentMatch", "values": ["beta"]}
    patch(world, "cy", "test", ON, {"kind": "addRule", "clauses": [clause], "variation": 0})
    patch(world, "cy", "test", {"kind": "updateFallthroughVariationOrRollout", "variation": 1})
    held(world, expected={"checkout": True})
    with refused("conflict"):
        call(
            world,
            "cy",
            "flags.segment_update",
            project="shop",
            environment="test",
            key="beta",
            instructions=[{"kind": "removeIncludedTargets", "values": ["bo"]}],
        )
    assert (
        patch(world, "cy", "test", {"kind": "addTargets", "variation": 1, "values": ["di"]})["outcome"]
        == "applied"
    )


def test_an_approved_change_that_breaks_it_by_then_fails(world: World) -> None:
    shop(world)
    flag(world)
    serve(world, 0)
    call(world, "ana", "flags.environment_save", project="shop", key="test", require_approval=True)
    change = patch(world, "cy", "test", OFF)["change"]["id"]
    held(world)
    done = call(world, "di", "flags.change_review", project="shop", id=change, decision="approve")
    assert (done["status"], state(world)["on"]) == ("failed", True)
    assert "'Bo'" in done["preview"]["why"]


def test_a_schedule_that_breaks_it_by_then_is_left_undone_and_told(world: World) -> None:
    shop(world)
    flag(world)
    serve(world, 0)
    asked = {"project": "shop", "key": "checkout", "environment": "test", "instructions": [OFF]}
    call(world, "cy", "flags.schedule_create", **asked, run_at=(world.clock.now() + 60) * 1000)
    held(world)
    world.clock.advance(61)
    eventually(lambda: not call(world, "cy", "flags.schedules", project="shop"))
    assert state(world)["on"] is True


def test_admins_pass_it_over_which_is_told(world: World) -> None:
    checked(world)
    with refused("not-allowed"):
        patch(world, "cy", "test", OFF, bypass=True)
    seq = world.database.seq
    assert patch(world, "ana", "test", OFF, bypass=True)["outcome"] == "applied"
    assert [kind for kind, _ in world.events_since(seq)] == ["flag.updated", "flag.bypassed"]
    (told,) = [
        one["payload"]
        for one in call(world, "ana", "api.changes", since=seq)["events"]
        if one["kind"] == "flag.bypassed"
    ]
    assert told["checks"] == ["Bo"]
    assert checks(world)[0]["broken"] == ["checkout"]
    # What is broken already refuses nothing more.
    assert (
        patch(world, "cy", "test", {"kind": "updateOffVariation", "variation": None})["outcome"] == "applied"
    )
    patch(world, "cy", "test", ON)
    seq = world.database.seq
    patch(world, "ana", None, {"kind": "archiveFlag"}, bypass=True)
    assert [kind for kind, _ in world.events_since(seq)] == ["flag.archived", "flag.bypassed"]


def test_an_agent_does_not_take_away_what_holds_it_back(world: World) -> None:
    made = checked(world)
    call(world, "ana", "flags.environment_save", project="shop", key="test", critical=True)
    robot = agent(world)
    with refused("approval-needed"):
        robot.call("flags.check_delete", {"project": "shop", "id": made["id"]})
    asked = {
        "project": "shop",
        "environment": "test",
        "name": "Bo",
        "context": BO,
        "expected": {"checkout": 0},
    }
    with refused("approval-needed"):
        robot.call("flags.check_save", asked | {"id": made["id"], "enforce": False})
    assert robot.call("flags.check_save", asked | {"name": "Mine"})["enforce"] is False


def test_of_two_at_once_one_makes_it(world: World) -> None:
    shop(world)
    flag(world)

    def make(who: str) -> str:
        try:
            held(world, who, expected={"checkout": False})
        except KbworkProblem as problem:
            return problem.slug
        return "made"

    with ThreadPoolExecutor(2) as both:
        assert sorted(both.map(make, ("cy", "di"))) == ["conflict", "made"]
    assert len(checks(world)) == 1
