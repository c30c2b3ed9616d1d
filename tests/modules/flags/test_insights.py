"""What flags serve: insights, kill switches, stale flags, and what a change reaches."""

from typing import Any

import pytest

from tests.conftest import World
from tests.modules.calls import call, refused
from tests.modules.flags.flag_project import DAY_S, aged, flag, patch, serve, shop

HOUR_S = 3600
ON = {"kind": "turnFlagOn"}
OFF = {"kind": "turnFlagOff"}


def count(world: World, variation: int, times: int, *, hours_ago: int = 0, environment: str = "test") -> None:
    """Evaluations of `checkout` as they are written down."""

    def write(tx: Any) -> None:
        where = tx.one(
            "select c.flag, c.environment from flag_config c join flag f on f.id = c.flag"
            " join flag_environment e on e.id = c.environment where f.key = 'checkout' and e.key = :key",
            key=environment,
        )
        hour = tx.now // HOUR_S - hours_ago
        tx.execute(
            "insert into flag_count (environment, flag, hour, version, variation, count)"
            " values (:environment, :flag, :hour, 1, :variation, :count)",
            **where,
            hour=hour,
            variation=variation,
            count=times,
        )
        tx.execute(
            "update flag_config set evaluated_at = max(coalesce(evaluated_at, 0), :at)"
            " where flag = :flag and environment = :environment",
            **where,
            at=hour * HOUR_S,
        )

    world.database.write_now(write)


def stale(world: World) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = call(world, "di", "flags.stale", project="shop")
    return found


def impact(world: World, *instructions: dict[str, Any], environment: str = "test") -> dict[str, Any]:
    more = {"instructions": list(instructions)} if instructions else {}
    found: dict[str, Any] = call(
        world, "di", "flags.impact", project="shop", key="checkout", environment=environment, **more
    )
    return found


# Insights.


def test_insights_count_by_hour_and_variation(world: World) -> None:
    shop(world)
    flag(world)
    count(world, 0, 5)
    count(world, -1, 2)
    count(world, 1, 3, hours_ago=23)
    count(world, 0, 7, hours_ago=24)
    count(world, 0, 1, environment="production")
    this = world.clock.now() // HOUR_S * HOUR_S
    asked = {"project": "shop", "key": "checkout"}
    assert call(world, "di", "flags.insights", **asked, environment="test")["series"] == [
        {"hour": this - 23 * HOUR_S, "variation": 1, "count": 3},
        {"hour": this, "variation": None, "count": 2},
        {"hour": this, "variation": 0, "count": 5},
    ]
    every = call(world, "di", "flags.insights", **asked, hours=720)["series"]
    assert [one["count"] for one in every] == [7, 3, 2, 6]
    for hours in (0, 721):
        with refused("invalid-input"):
            call(world, "di", "flags.insights", **asked, hours=hours)


def test_traffic_counts_every_flag_of_an_environment_by_hour(world: World) -> None:
    shop(world)
    flag(world)
    flag(world, "banner")
    flag(world, "gone")
    call(world, "cy", "flags.archive", project="shop", key="gone")
    count(world, 0, 5)
    count(world, -1, 2)
    count(world, 1, 3, hours_ago=2)
    count(world, 0, 7, hours_ago=3)
    count(world, 0, 1, environment="production")
    asked = {"project": "shop", "environment": "test", "hours": 3}
    seen = world.clock.now() // HOUR_S * HOUR_S
    assert call(world, "di", "flags.traffic", **asked) == [
        {"key": "banner", "counts": [0, 0, 0], "evaluated_at": None},
        {"key": "checkout", "counts": [3, 0, 7], "evaluated_at": seen},
    ]
    assert len(call(world, "di", "flags.traffic", **asked | {"hours": 168})[0]["counts"]) == 168
    for wrong in ({"hours": 0}, {"hours": 169}):
        with refused("invalid-input"):
            call(world, "di", "flags.traffic", **asked | wrong)
    with refused("not-found"):
        call(world, "di", "flags.traffic", **asked | {"environment": "none"})


def test_kill_switches_are_on_or_off_in_each_environment(world: World) -> None:
    shop(world)
    flag(world, "stop", template="kill-switch")
    flag(world)
    serve(world, 0, "production", key="stop")
    assert call(world, "di", "flags.kill_switches", project="shop") == [
        {"key": "stop", "environment": "test", "on": False},
        {"key": "stop", "environment": "production", "on": True},
    ]
    (one,) = call(world, "di", "flags.kill_switches", project="shop", environment="production")
    assert one["on"] is True


# Stale flags.


def test_a_flag_that_serves_one_variation_for_long_is_stale(world: World) -> None:
    shop(world, "test")
    flag(world)
    serve(world, 0)
    count(world, 0, 1)
    aged(world, 14 * DAY_S - 1)
    assert stale(world) == []
    aged(world, 1)
    (one,) = stale(world)
    assert (one["key"], one["since"]) == ("checkout", world.clock.now() - 14 * DAY_S)
    assert one["reason"].startswith("serves_one: ")
    assert "variation 0" in one["reason"]
    assert "14 days" in one["reason"]


def test_a_flag_that_nobody_asks_for_is_stale(world: World) -> None:
    shop(world, "test")
    flag(world)
    rule = {"kind": "addRule", "variation": 1, "clauses": [{"attribute": "key", "op": "in", "values": ["a"]}]}
    patch(world, "cy", "test", ON, rule)
    aged(world, 14 * DAY_S)
    assert stale(world)[0]["reason"].startswith("never_evaluated: ")
    count(world, 0, 1)
    assert stale(world) == []
    aged(world, 30 * DAY_S)
    assert stale(world)[0]["reason"].startswith("not_evaluated: ")


@pytest.mark.parametrize("why", ["permanent", "young", "scheduled", "asked", "in use elsewhere", "archived"])
def test_a_flag_with_a_reason_to_stay_is_not_stale(world: World, why: str) -> None:
    shop(world)
    flag(world, temporary=why != "permanent")
    if why != "young":
        aged(world, 20 * DAY_S)
    one = {"project": "shop", "environment": "test", "instructions": [ON]}
    if why == "scheduled":
        call(world, "cy", "flags.schedule_create", **one, key="checkout", run_at="2040-01-01T00:00:00Z")
    elif why == "asked":
        call(world, "cy", "flags.change_create", **one, kind="flag", target="checkout")
    elif why == "in use elsewhere":
        patch(world, "cy", "production", ON)
        count(world, 0, 1, environment="production")
    elif why == "archived":
        call(world, "cy", "flags.archive", project="shop", key="checkout")
    assert stale(world) == []


# What a change reaches.


def test_a_change_of_nothing_has_no_risk(world: World) -> None:
    shop(world)
    flag(world)
    count(world, 1, 1000)
    found = impact(world, OFF)
    assert (found["risk"], found["traffic"]["changed"], found["traffic"]["evaluations"]) == ("none", 0, 1000)
    with refused("invalid-input"):
        impact(world, {"kind": "none"})


@pytest.mark.parametrize(
    ("critical", "changed", "risk"),
    [
        (True, 101, "high"),
        (True, 100, "medium"),
        (False, 900, "medium"),
        (True, 10, "low"),
        (True, 11, "medium"),
    ],
)
def test_risk_is_by_the_share_of_evaluations_that_change(
    world: World, critical: bool, changed: int, risk: str
) -> None:
    shop(world)
    flag(world)
    serve(world, 0)
    call(world, "ana", "flags.environment_save", project="shop", key="test", critical=critical)
    count(world, 0, changed)
    count(world, 1, 1000 - changed)
    count(world, 0, 5000, hours_ago=24)  # too long ago
    found = impact(world, OFF)
    assert (found["traffic"]["evaluations"], found["traffic"]["changed"]) == (1000, changed)
    assert found["risk"] == risk


def test_a_flag_that_others_wait_for_is_risky_to_change(world: World) -> None:
    shop(world)
    flag(world)
    flag(world, "next")
    patch(world, "cy", "test", {"kind": "addPrerequisite", "key": "checkout", "variation": 0}, key="next")
    found = impact(world, ON)
    assert (found["dependents"], found["risk"]) == (["next"], "medium")
    call(world, "ana", "flags.environment_save", project="shop", key="test", critical=True)
    found = impact(world, ON)
    assert (found["risk"], "next" in found["traffic"]["why"]) == ("high", True)
    assert impact(world, ON, environment="production")["dependents"] == []


@pytest.mark.parametrize(("weight", "changed"), [(25_000, 0), (30_000, 50), (0, 250), (100_000, 750)])
def test_a_rollout_moves_the_buckets_between_its_weights(world: World, weight: int, changed: int) -> None:
    shop(world)
    flag(world)

    def rollout(first: int) -> dict[str, Any]:
        parts = [{"variation": 0, "weight": first}, {"variation": 1, "weight": 100_000 - first}]
        return {"kind": "updateFallthroughVariationOrRollout", "rollout": {"variations": parts}}

    patch(world, "cy", "test", ON, rollout(25_000))
    count(world, 0, 250)
    count(world, 1, 750)
    assert impact(world, rollout(weight))["traffic"]["changed"] == changed


def test_without_instructions_everything_may_change(world: World) -> None:
    shop(world)
    flag(world)
    count(world, 1, 10)
    call(world, "cy", "flags.segment_save", project="shop", environment="test", key="staff")
    clause = {"op": "segmentMatch", "values": ["staff"]}
    patch(world, "cy", "test", {"kind": "addRule", "variation": 0, "clauses": [clause]})
    found = impact(world)
    assert (found["traffic"]["changed"], found["segments"], found["streams"]) == (10, ["staff"], 0)
