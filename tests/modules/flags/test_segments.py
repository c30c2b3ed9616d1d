"""Segments, and what differs between environments."""

from typing import Any

import pytest

from kbwork.contract.kbwork_client import KbworkProblem
from tests.conftest import World
from tests.modules.calls import call, refused
from tests.modules.flags.flag_project import flag, patch, serve, shop, state, version

STAFF = {"project": "shop", "environment": "test", "key": "staff"}


def asks(key: str) -> dict[str, Any]:
    """A clause that asks for a segment."""
    return {"op": "segmentMatch", "values": [key]}


def change(world: World, *instructions: dict[str, Any], who: str = "cy", **where: Any) -> dict[str, Any]:
    done: dict[str, Any] = call(
        world, who, "flags.segment_update", **STAFF | where, instructions=list(instructions)
    )
    return done


def get(world: World, **where: Any) -> dict[str, Any]:
    found: dict[str, Any] = call(world, "di", "flags.segment_get", **STAFF | where)
    return found


def test_a_segment_is_made_once_and_told(world: World) -> None:
    shop(world)
    before, seq = version(world, "test"), world.database.seq
    rule = {
        "clauses": [{"attribute": "mail", "op": "endsWith", "values": ["@acme.example"]}],
        "weight": 50_000,
    }
    made = call(
        world,
        "cy",
        "flags.segment_save",
        **STAFF,
        name="Staff",
        included=["ana"],
        excluded_contexts=[{"contextKind": "device", "values": ["d1"]}],
        rules=[rule],
    )
    (stored,) = made.pop("rules")
    assert (stored["clauses"][0]["op"], stored["weight"], len(stored["ruleId"])) == ("endsWith", 50_000, 16)
    assert made == {
        "project": "shop",
        "environment": "test",
        "key": "staff",
        "name": "Staff",
        "included": ["ana"],
        "excluded": [],
        "included_contexts": [],
        "excluded_contexts": [{"contextKind": "device", "values": ["d1"]}],
        "description": "",
        "tags": [],
        "used_by": [],
    }
    assert world.events_since(seq) == [("segment.saved", "segment:shop/test/staff")]
    assert version(world, "test") == before + 1
    with refused("conflict"):
        call(world, "cy", "flags.segment_save", **STAFF)
    assert [
        one["key"] for one in call(world, "di", "flags.segments", project="shop", environment="test")
    ] == ["staff"]
    assert call(world, "di", "flags.segments", project="shop", environment="production") == []


@pytest.mark.parametrize(
    ("more", "place"),
    [
        ({"key": "a b"}, "key"),
        ({"included": [""]}, "included[0]"),
        ({"rules": [{"clauses": []}]}, "rules[0].clauses"),
        (
            {"rules": [{"clauses": [{"op": "segmentMatch", "values": ["none"]}]}]},
            "rules[0].clauses[0].values[0]",
        ),
        (
            {"rules": [{"clauses": [{"op": "segmentMatch", "values": ["staff"]}]}]},
            "rules[0].clauses[0].values[0]",
        ),
        ({"included_contexts": [{"values": ["a"]}]}, "includedContexts[0].contextKind"),
    ],
)
def test_what_does_not_fit_a_segment_is_named(world: World, more: dict[str, Any], place: str) -> None:
    shop(world)
    with pytest.raises(KbworkProblem) as problem:
        call(world, "cy", "flags.segment_save", **STAFF | more)
    assert (problem.value.slug, problem.value.errors[0]["path"]) == ("invalid-input", place)


def test_instructions_change_a_segment_and_names_do_not_move_the_environment(world: World) -> None:
    shop(world)
    call(world, "cy", "flags.segment_save", **STAFF)
    before, seq = version(world, "test"), world.database.seq
    done = change(
        world, {"kind": "addIncludedTargets", "values": ["ana", "bo"]}, {"kind": "updateName", "value": "We"}
    )
    assert (done["outcome"], done["segment"]["included"], done["change"]) == ("applied", ["ana", "bo"], None)
    assert version(world, "test") == before + 1
    assert change(world, {"kind": "addIncludedTargets", "values": ["ana"]})["outcome"] == "unchanged"
    change(world, {"kind": "addTags", "values": ["people"]})
    assert (version(world, "test"), get(world)["tags"], get(world)["name"]) == (before + 1, ["people"], "We")
    assert [kind for kind, _ in world.events_since(seq)] == ["segment.updated"] * 2
    with refused("invalid-input"):
        change(world, {"kind": "turnFlagOn"})
    with refused("not-found"):
        change(world, {"kind": "addTags", "values": ["x"]}, key="none")


def test_a_segment_in_use_stays_and_says_by_what(world: World) -> None:
    shop(world)
    flag(world)
    for key in ("staff", "all"):
        call(world, "cy", "flags.segment_save", **STAFF | {"key": key})
    patch(world, "cy", "test", {"kind": "addRule", "variation": 0, "ruleId": "r", "clauses": [asks("staff")]})
    change(world, {"kind": "addRule", "clauses": [asks("staff")]}, key="all")
    assert get(world)["used_by"] == ["checkout", "segment:all"]
    with pytest.raises(KbworkProblem) as problem:
        call(world, "cy", "flags.segment_delete", **STAFF)
    assert (problem.value.slug, problem.value.extra["uses"]) == ("in-use", ["checkout", "segment:all"])
    call(world, "cy", "flags.segment_delete", **STAFF | {"key": "all"})
    call(world, "cy", "flags.archive", project="shop", key="checkout")
    with refused("in-use"):
        call(world, "cy", "flags.segment_delete", **STAFF)
    call(world, "cy", "flags.restore", project="shop", key="checkout")
    patch(world, "cy", "test", {"kind": "removeRule", "ruleId": "r"})
    before, seq = version(world, "test"), world.database.seq
    call(world, "cy", "flags.segment_delete", **STAFF)
    assert world.events_since(seq) == [("segment.deleted", "segment:shop/test/staff")]
    assert version(world, "test") == before + 1
    with refused("not-found"):
        get(world)


def test_segments_do_not_rest_on_each_other_in_a_circle(world: World) -> None:
    shop(world)
    for key in ("a", "b", "c"):
        call(world, "cy", "flags.segment_save", **STAFF | {"key": key})
    change(world, {"kind": "addRule", "clauses": [asks("b")]}, key="a")
    change(world, {"kind": "addRule", "clauses": [asks("c")]}, key="b")
    with refused("conflict"):
        change(world, {"kind": "addRule", "clauses": [asks("a")]}, key="c")


def test_a_rule_by_segment_decides_what_is_served(world: World) -> None:
    shop(world)
    flag(world)
    call(world, "cy", "flags.segment_save", **STAFF, included=["ana"])
    patch(world, "cy", "test", {"kind": "addRule", "variation": 0, "clauses": [asks("staff")]})
    serve(world, 1)
    for who, reason in (("ana", "TARGETING_MATCH"), ("bo", "DEFAULT")):
        (found,) = call(
            world,
            "cy",
            "flags.evaluate",
            project="shop",
            environment="test",
            context={"key": who},
            key="checkout",
        )
        assert found["reason"] == reason


def test_a_segment_that_waiting_changes_name_stays(world: World) -> None:
    shop(world)
    flag(world)
    call(world, "cy", "flags.segment_save", **STAFF)
    add = {"kind": "addRule", "variation": 0, "clauses": [asks("staff")]}
    one = {"project": "shop", "environment": "test", "instructions": [add]}
    waiting = call(world, "cy", "flags.change_create", **one, kind="flag", target="checkout")
    with pytest.raises(KbworkProblem) as problem:
        call(world, "cy", "flags.segment_delete", **STAFF)
    assert (problem.value.slug, problem.value.extra["uses"]) == ("in-use", [f"change:{waiting['id']}"])
    call(world, "cy", "flags.change_cancel", project="shop", id=waiting["id"])
    at = call(world, "cy", "flags.schedule_create", **one, key="checkout", run_at="2040-01-01T00:00:00Z")
    with refused("in-use"):
        call(world, "cy", "flags.segment_delete", **STAFF)
    call(world, "cy", "flags.schedule_delete", project="shop", key="checkout", id=at["id"])
    call(world, "cy", "flags.segment_delete", **STAFF)


def test_a_segment_is_replaced_by_what_one_is_made_with(world: World) -> None:
    shop(world)
    call(world, "cy", "flags.segment_save", **STAFF, name="Staff", included=["ana"])
    body = {"key": "staff", "name": "All of us", "included": ["bo"]}
    change(world, {"kind": "replaceBody", "body": body})
    assert (get(world)["name"], get(world)["included"]) == ("All of us", ["bo"])
    change(world, {"kind": "replaceBody", "body": {"included": ["cy"]}})
    assert (get(world)["name"], get(world)["included"]) == ("All of us", ["cy"])
    with refused("invalid-input"):
        change(world, {"kind": "replaceBody", "body": {"key": "others"}})


def test_users_among_other_kinds_are_users(world: World) -> None:
    shop(world)
    made = call(
        world,
        "cy",
        "flags.segment_save",
        **STAFF,
        included=["bo"],
        included_contexts=[{"contextKind": "user", "values": ["ana", "bo"]}],
    )
    assert (made["included"], made["included_contexts"]) == (["bo", "ana"], [])


# Comparing and copying.


def lopsided(world: World) -> None:
    """Test differs from production in a flag and two segments, one of which rests on the other."""
    shop(world)
    flag(world)
    flag(world, "same")
    call(world, "cy", "flags.segment_save", **STAFF, included=["ana"])
    call(world, "cy", "flags.segment_save", **STAFF | {"key": "near"}, rules=[{"clauses": [asks("staff")]}])
    patch(
        world,
        "cy",
        "test",
        {"kind": "addRule", "variation": 0, "ruleId": "r", "clauses": [asks("near")]},
        {"kind": "turnFlagOn"},
    )


def test_environments_are_compared(world: World) -> None:
    lopsided(world)
    found = call(world, "di", "flags.compare", project="shop", from_="test", to="production")
    (one,) = found["flags"]
    assert (one["key"], [part["path"] for part in one["diff"]]) == ("checkout", ["/on", "/rules/0"])
    assert one["diff"][0] == {"path": "/on", "from": False, "to": True}
    assert [part["key"] for part in found["segments"]] == ["near", "staff"]
    same = call(world, "di", "flags.compare", project="shop", from_="test", to="test")
    assert same == {"flags": [], "segments": []}


def test_targeting_is_copied_with_its_segments_and_buckets_stay(world: World) -> None:
    lopsided(world)
    salt = (
        "select config ->> '$.salt' from flag_config c join flag f on f.id = c.flag where f.key = 'checkout'"
    )
    before = world.database.write_now(lambda tx: tx.column(salt))
    asked = {"project": "shop", "from_": "test", "to": "production"}
    with pytest.raises(KbworkProblem) as problem:
        call(world, "cy", "flags.copy", **asked)
    assert (problem.value.errors[0]["path"], "'near'" in problem.value.detail) == ("include_segments", True)
    dry = call(world, "cy", "flags.copy", **asked, include_segments=True, dry_run=True)
    assert state(world, "production")["on"] is False
    done = call(world, "cy", "flags.copy", **asked, include_segments=True)
    assert [(one["kind"], one["key"], one["outcome"]) for one in done["changes"]] == [
        ("segment", "staff", "applied"),
        ("segment", "near", "applied"),
        ("flag", "checkout", "applied"),
    ]
    assert [one["key"] for one in dry["changes"]] == [one["key"] for one in done["changes"]]
    left = call(world, "di", "flags.compare", project="shop", from_="test", to="production")
    assert left == {"flags": [], "segments": []}
    assert world.database.write_now(lambda tx: tx.column(salt)) == before
    again = call(world, "cy", "flags.copy", **asked, include_segments=True)
    assert again == {"outcome": "unchanged", "changes": []}
    with refused("invalid-input"):
        call(world, "cy", "flags.copy", **asked | {"to": "test"})
    with refused("not-found"):
        call(world, "cy", "flags.copy", **asked, flags=["none"])


def test_flags_that_turn_round_whom_they_wait_for_are_copied_together(world: World) -> None:
    shop(world)
    for key in ("a", "b"):
        flag(world, key)
    for environment, key, wanted in (("test", "a", "b"), ("production", "b", "a")):
        patch(world, "cy", environment, {"kind": "addPrerequisite", "key": wanted, "variation": 0}, key=key)
    done = call(world, "cy", "flags.copy", project="shop", from_="test", to="production")
    assert [(one["key"], one["outcome"]) for one in done["changes"]] == [("a", "applied"), ("b", "applied")]
    with refused("conflict"):
        patch(world, "cy", "production", {"kind": "addPrerequisite", "key": "a", "variation": 0}, key="b")


def test_a_segment_that_is_empty_is_copied_and_told(world: World) -> None:
    shop(world)
    flag(world)
    call(world, "cy", "flags.segment_save", **STAFF)
    patch(world, "cy", "test", {"kind": "addRule", "variation": 0, "ruleId": "r", "clauses": [asks("staff")]})
    done = call(
        world, "cy", "flags.copy", project="shop", from_="test", to="production", include_segments=True
    )
    assert [(one["kind"], one["outcome"]) for one in done["changes"]] == [
        ("segment", "applied"),
        ("flag", "applied"),
    ]


def test_a_copy_goes_through_the_approvals_of_where_it_goes(world: World) -> None:
    lopsided(world)
    call(world, "ana", "flags.environment_save", project="shop", key="production", require_approval=True)
    done = call(
        world,
        "cy",
        "flags.copy",
        project="shop",
        from_="test",
        to="production",
        flags=["checkout"],
        include_segments=True,
    )
    assert done["outcome"] == "changeRequest"
    assert [one["change"]["status"] for one in done["changes"]] == ["pending"] * 3
    assert get(world, environment="production")["included"] == []
    for one in done["changes"]:
        call(world, "di", "flags.change_review", project="shop", id=one["change"]["id"], decision="approve")
    left = call(world, "di", "flags.compare", project="shop", from_="test", to="production")
    assert left == {"flags": [], "segments": []}
