"""Rollouts by a plan: steps, checks, going back, and what holds or stops one."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler
from typing import Any

import pytest

from kbwork.contract.kbwork_client import KbworkProblem
from kbwork.modules.flags.rollout.shares import with_share
from tests.conftest import World
from tests.modules.calls import call, eventually, refused
from tests.modules.flags.flag_project import agent, flag, patch, serve, shop, state
from tests.modules.flags.test_checks import held
from tests.modules.webhooks.heard import receiver, settings
from tests.modules.webhooks.receiver import Came, Receiver

__all__ = ["receiver", "settings"]

Json = dict[str, Any]
HOUR = {"weight": 10_000, "hold_minutes": 60}
ALL = {"weight": 100_000, "hold_minutes": 0}
DAY_S = 86400


def plan(world: World, *steps: Json, who: str = "cy", **more: Any) -> Json:
    """A plan that rolls true out, of a flag that serves false."""
    asked = {"project": "shop", "key": "checkout", "environment": "test", "variation": 0}
    made: Json = call(world, who, "flags.plan_save", **asked | more, steps=list(steps or (HOUR, ALL)))
    return made


def now(world: World) -> Json:
    found: Json = call(world, "ana", "flags.plans", project="shop")[0]
    return found


def share(world: World, environment: str = "test") -> int:
    """How many get true."""
    served = state(world, environment)["fallthrough"]
    if "rollout" not in served:
        return 100_000 if served["variation"] == 0 else 0
    return int(next(part["weight"] for part in served["rollout"]["variations"] if part["variation"] == 0))


def at_work(world: World, **project: Any) -> None:
    shop(world, **project)
    flag(world, who="ana")
    serve(world, 1)


def pass_minutes(world: World, minutes: int) -> None:
    world.advance(minutes * 60)


def became(world: World, **wanted: Any) -> None:
    """Wait until the plan is like that."""
    eventually(lambda: {name: now(world)[name] for name in wanted} == wanted)


# Steps.


def test_it_goes_step_by_step_and_is_done(world: World) -> None:
    at_work(world)
    seq = world.database.seq
    made = plan(world, HOUR, {"weight": 50_000, "hold_minutes": 10}, ALL, comment="Go")
    assert made == {
        "id": made["id"],
        "key": "checkout",
        "environment": "test",
        "rule": None,
        "variation": 0,
        "steps": [HOUR, {"weight": 50_000, "hold_minutes": 10}, ALL],
        "checks": [],
        "comment": "Go",
        "state": "running",
        "step": 1,
        "next_at": (world.clock.now() + 3600) * 1000,
        "reason": None,
        "start_at": None,
        "change": None,
        "created_by": world.people["cy"].id,
        "created_at": world.clock.now(),
    }
    assert [kind for kind, _ in world.events_since(seq)] == [
        "flag.plan_moved",
        "flag.updated",
        "flag.plan_moved",
    ]
    assert share(world) == 10_000
    pass_minutes(world, 59)
    assert now(world)["step"] == 1
    pass_minutes(world, 1)
    became(world, step=2, state="running")
    assert share(world) == 50_000
    pass_minutes(world, 10)
    became(world, step=3, state="done", next_at=None)
    assert state(world)["fallthrough"] == {"variation": 0}
    history = call(world, "cy", "flags.history", project="shop", key="checkout", environment="test")
    assert [(one["who"], one["comment"]) for one in history[:3]] == [
        (world.people["cy"].id, f"Plan {made['id']}, step {number} of 3") for number in (3, 2, 1)
    ]
    with refused("conflict"):
        call(world, "cy", "flags.plan_stop", project="shop", id=made["id"])
    assert call(world, "di", "flags.plans", project="shop", state="running") == []
    assert len(call(world, "di", "flags.plans", project="shop", key="checkout", state="done")) == 1


def test_the_others_keep_what_they_had_in_its_proportions() -> None:
    assert with_share({"variation": 1}, 0, 25_000)["rollout"]["variations"] == [
        {"variation": 0, "weight": 25_000},
        {"variation": 1, "weight": 75_000},
    ]
    before = {
        "rollout": {
            "bucketBy": "company",
            "variations": [
                {"variation": 1, "weight": 60_000},
                {"variation": 2, "weight": 30_000},
                {"variation": 0, "weight": 10_000},
            ],
        }
    }
    after = with_share(before, 0, 20_001)["rollout"]
    assert after["bucketBy"] == "company"
    assert [(one["variation"], one["weight"]) for one in after["variations"]] == [
        (1, 53_333),
        (2, 26_666),
        (0, 20_001),
    ]
    assert with_share(before, 0, 100_000) == {"variation": 0}
    assert with_share({"variation": 1}, 0, 0) == {"variation": 1}


def test_a_rule_is_rolled_out_too_and_each_place_has_one_plan(world: World) -> None:
    at_work(world)
    clause = {"attribute": "country", "op": "in", "values": ["PT"]}
    patch(world, "cy", "test", {"kind": "addRule", "clauses": [clause], "variation": 1, "ruleId": "pt"})
    plan(world, rule="pt")
    assert "rollout" in state(world)["rules"][0]
    plan(world)
    with refused("conflict"):
        plan(world, rule="pt")
    patch(world, "cy", "test", {"kind": "removeRule", "ruleId": "pt"})
    pass_minutes(world, 1)
    eventually(lambda: call(world, "cy", "flags.plans", project="shop", state="stopped"))
    assert share(world) == 10_000


def test_it_starts_at_its_time(world: World) -> None:
    at_work(world)
    made = plan(world, start_at=(world.clock.now() + 600) * 1000)
    assert (made["state"], made["step"], share(world)) == ("waiting", 0, 0)
    with refused("conflict"):
        plan(world)
    pass_minutes(world, 10)
    became(world, state="running", step=1)
    assert share(world) == 10_000


# Refusals.


def test_what_does_not_fit_is_refused(world: World) -> None:
    at_work(world)
    for wrong in (
        {"variation": 1},
        {"variation": 7},
        {"rule": "none"},
        {"start_at": "2001-01-01T00:00:00Z"},
        {"checks": [{"kind": "check"}]},
        {"checks": [{"kind": "hook"}]},
        {"checks": [{"kind": "hook", "url": "ftp://example.com"}]},
        {"checks": [{"kind": "hook", "url": "https://me:secret@example.com/"}]},
        {"checks": [{"kind": "errors", "url": "https://example.com"}]},
        {"checks": [{"kind": "none"}]},
    ):
        with refused("invalid-input"):
            plan(world, **wrong)
    for step in ({"weight": 100_001, "hold_minutes": 0}, {"weight": 1, "hold_minutes": -1}):
        with refused("invalid-input"):
            plan(world, step)
    with refused("unknown-field"):
        plan(world, HOUR | {"more": 1})
    for missing in ({"key": "none"}, {"environment": "none"}, {"checks": [{"kind": "check", "id": 900}]}):
        with refused("not-found"):
            plan(world, **missing)
    with refused("not-found"):
        call(world, "cy", "flags.plan_stop", project="shop", id=900)
    held(world, expected={"checkout": False})
    with refused("conflict"):
        plan(world, ALL)
    call(world, "cy", "flags.check_delete", project="shop", id=1)
    call(world, "cy", "flags.archive", project="shop", key="checkout")
    with refused("conflict"):
        plan(world)
    assert call(world, "cy", "flags.plans", project="shop") == []


def test_it_is_for_those_who_change_the_flag(world: World) -> None:
    call(world, "ana", "projects.create", key="SECR", name="Secret", visibility="private")
    at_work(world, work_project="SECR")
    made = plan(world, who="ana")
    with refused("not-found"):
        call(world, "cy", "flags.plans", project="shop")
    call(world, "ana", "projects.member_set", key="SECR", who=world.people["cy"].id, role="viewer")
    assert call(world, "cy", "flags.plans", project="shop")[0]["id"] == made["id"]
    with refused("not-allowed"):
        plan(world)
    with refused("not-allowed"):
        call(world, "cy", "flags.plan_stop", project="shop", id=made["id"])


# What holds it, and stops it.


def test_it_is_held_while_the_flag_is_off_and_then_holds_its_step_anew(world: World) -> None:
    at_work(world)
    plan(world)
    pass_minutes(world, 30)
    patch(world, "di", "test", {"kind": "turnFlagOff"})
    pass_minutes(world, 1)
    became(world, state="held", next_at=None)
    assert "off" in now(world)["reason"]
    pass_minutes(world, 120)
    patch(world, "di", "test", {"kind": "turnFlagOn"})
    pass_minutes(world, 1)
    became(world, state="running", step=1, reason=None)
    pass_minutes(world, 59)
    assert now(world)["step"] == 1
    pass_minutes(world, 2)
    became(world, state="done")


def test_what_somebody_else_serves_there_stays(world: World) -> None:
    at_work(world)
    plan(world)
    serve(world, 1)
    pass_minutes(world, 60)
    became(world, state="stopped")
    assert (share(world), "somebody else" in now(world)["reason"]) == (0, True)


def test_it_stops_with_its_flag_or_its_makers_right(world: World) -> None:
    at_work(world)
    plan(world)
    call(world, "di", "flags.archive", project="shop", key="checkout")
    pass_minutes(world, 1)
    became(world, state="stopped", reason="checkout was archived")
    call(world, "di", "flags.restore", project="shop", key="checkout")
    serve(world, 1)
    plan(world)
    call(world, "ana", "members.deactivate", id=world.people["cy"].id, on=True)
    pass_minutes(world, 60)
    became(world, state="stopped", step=1)
    assert share(world) == 10_000


def test_it_is_stopped_by_hand_and_goes_back(world: World) -> None:
    at_work(world)
    made = plan(world)
    seq = world.database.seq
    done = call(world, "di", "flags.plan_stop", project="shop", id=made["id"], back=True)
    assert (done["state"], share(world)) == ("stopped", 0)
    assert [kind for kind, _ in world.events_since(seq)] == ["flag.updated", "flag.plan_moved"]
    with refused("conflict"):
        call(world, "di", "flags.plan_stop", project="shop", id=made["id"], back=True)
    again = plan(world)
    assert call(world, "di", "flags.plan_stop", project="shop", id=again["id"])["state"] == "stopped"
    assert share(world) == 10_000
    third = plan(world, ALL | {"hold_minutes": 5})
    serve(world, 1)
    with refused("conflict"):
        call(world, "di", "flags.plan_stop", project="shop", id=third["id"], back=True)


# Checks.


def test_errors_stop_it_and_take_it_back(world: World) -> None:
    at_work(world)
    plan(world, checks=[{"kind": "errors", "percent": 5, "least": 10, "back": True}])
    world.database.write_now(lambda tx: _count(tx, 9, 1))
    pass_minutes(world, 1)
    became(world, state="stopped")
    assert share(world) == 0
    assert now(world)["reason"] == "1 of 10 evaluations got the caller's default; it went back"


def test_a_saved_check_stops_it_where_it_is(world: World) -> None:
    at_work(world)
    flag(world, "other")
    check = held(world, expected={"other": False}, enforce=False)
    plan(world, checks=[{"kind": "check", "id": check["id"]}])
    pass_minutes(world, 1)
    assert now(world)["state"] == "running"
    serve(world, 0, key="other")
    pass_minutes(world, 1)
    became(world, state="stopped")
    assert (share(world), now(world)["reason"]) == (10_000, "the check 'Bo' does not hold for other")


def test_an_enforced_check_stops_the_step_that_would_break_it(world: World) -> None:
    at_work(world)
    plan(world, {"weight": 0, "hold_minutes": 1}, ALL)
    held(world, expected={"checkout": False})
    pass_minutes(world, 1)
    became(world, state="stopped")
    assert share(world) == 0


def test_a_hook_is_asked_at_the_end_of_each_step(world: World, receiver: Receiver) -> None:
    at_work(world)
    url = receiver.url("rollout")
    made = plan(world, checks=[{"kind": "hook", "url": url, "back": True}])
    assert made["checks"] == [{"kind": "hook", "url": "http://127.0.0.1", "back": True}]
    assert receiver.came == []
    pass_minutes(world, 60)
    became(world, step=2, state="done")
    assert [one.body["step"] for one in receiver.came] == [1, 2]
    serve(world, 1)
    receiver.says["/rollout"] = 500
    plan(world, checks=[{"kind": "hook", "url": url, "back": True}])
    pass_minutes(world, 60)
    became(world, state="stopped", reason="its hook answered 500; it went back")
    assert share(world) == 0


def test_a_hook_that_is_not_reached_holds_it(world: World, receiver: Receiver) -> None:
    at_work(world)
    plan(world, checks=[{"kind": "hook", "url": f"{receiver.url()}x"}])
    receiver.acts["/hookx"] = lambda _, handler: handler.connection.close()
    pass_minutes(world, 60)
    became(world, state="held", step=1)
    assert share(world) == 10_000
    assert call(world, "cy", "flags.plan_stop", project="shop", id=now(world)["id"])["state"] == "stopped"


def _serve_another_share(world: World) -> None:
    served = {"variations": [{"variation": 0, "weight": 30_000}, {"variation": 1, "weight": 70_000}]}
    patch(world, "di", "test", {"kind": "updateFallthroughVariationOrRollout", "rollout": served})


def _ask_for_approval(world: World) -> None:
    call(world, "ana", "flags.environment_save", project="shop", key="test", require_approval=True)


def _turn_off(world: World) -> None:
    patch(world, "di", "test", {"kind": "turnFlagOff"})


def _archive(world: World) -> None:
    call(world, "di", "flags.archive", project="shop", key="checkout")


@pytest.mark.parametrize(
    ("between", "became_so", "why"),
    [
        (_serve_another_share, "stopped", "somebody else"),
        (_ask_for_approval, "held", "approval"),
        (_turn_off, "held", "off"),
        (_archive, "stopped", "archived"),
    ],
)
def test_a_hook_that_fails_takes_back_nothing_that_somebody_else_has_put_there_meanwhile(
    world: World, receiver: Receiver, between: Callable[[World], None], became_so: str, why: str
) -> None:
    at_work(world)

    def change_and_say_no(_: Came, handler: BaseHTTPRequestHandler) -> None:
        between(world)
        handler.send_response(500)
        handler.send_header("Content-Length", "0")
        handler.end_headers()

    receiver.acts["/rollout"] = change_and_say_no
    plan(world, checks=[{"kind": "hook", "url": receiver.url("rollout"), "back": True}])
    pass_minutes(world, 60)
    became(world, state=became_so, step=1)
    assert why in now(world)["reason"]
    assert share(world) == (30_000 if between is _serve_another_share else 10_000)


# Approvals.


def test_it_is_approved_once_for_all_its_steps(world: World) -> None:
    at_work(world)
    call(world, "ana", "flags.environment_save", project="shop", key="test", require_approval=True)
    made = plan(world, comment="Go")
    assert (made["state"], made["step"], share(world)) == ("waiting", 0, 0)
    change = call(world, "di", "flags.change_get", project="shop", id=made["change"])
    assert (change["plan"], len(change["instructions"]), change["comment"]) == (made["id"], 2, "Go")
    assert change["preview"]["fits"] is True
    done = call(world, "di", "flags.change_review", project="shop", id=change["id"], decision="approve")
    assert done["status"] == "applied"
    became(world, state="running", step=1)
    pass_minutes(world, 60)
    became(world, state="done", step=2)
    assert [one["status"] for one in call(world, "di", "flags.changes", project="shop")] == ["applied"]


def test_a_request_that_comes_to_nothing_stops_it_and_the_other_way_round(world: World) -> None:
    at_work(world)
    call(world, "ana", "flags.environment_save", project="shop", key="test", require_approval=True)
    made = plan(world)
    seq = world.database.seq
    call(world, "di", "flags.change_review", project="shop", id=made["change"], decision="decline")
    assert [kind for kind, _ in world.events_since(seq)] == ["change.reviewed", "flag.plan_moved"]
    assert (now(world)["state"], now(world)["reason"]) == ("stopped", "its change request was declined")
    made = plan(world)
    call(world, "cy", "flags.change_cancel", project="shop", id=made["change"])
    assert now(world)["state"] == "stopped"
    made = plan(world)
    call(world, "cy", "flags.plan_stop", project="shop", id=made["id"])
    assert call(world, "cy", "flags.change_get", project="shop", id=made["change"])["status"] == "cancelled"


def test_an_agents_plan_waits_in_a_critical_environment(world: World) -> None:
    at_work(world)
    call(world, "ana", "flags.environment_save", project="shop", key="test", critical=True)
    asked = {"project": "shop", "key": "checkout", "environment": "test", "variation": 0, "steps": [HOUR]}
    assert agent(world).call("flags.plan_save", asked)["state"] == "waiting"


def test_a_plan_that_needed_no_approval_is_held_where_it_needs_one_by_now(world: World) -> None:
    at_work(world)
    made = plan(world)
    call(world, "ana", "flags.environment_save", project="shop", key="test", require_approval=True)
    pass_minutes(world, 60)
    became(world, state="held")
    assert share(world) == 10_000
    done = call(world, "cy", "flags.plan_stop", project="shop", id=made["id"], back=True)
    assert "change request" in done["reason"]
    assert share(world) == 10_000


# Time, and two at once.


def test_a_clock_that_is_set_makes_no_step_and_holds_none_longer(world: World) -> None:
    at_work(world)
    began = world.clock.now()
    plan(world)
    world.clock.set(began + 10 * DAY_S)
    world.advance(0)
    world.advance(1)
    assert (now(world)["step"], share(world)) == (1, 10_000)
    world.clock.set(began - 1800)
    world.advance(1)
    eventually(lambda: now(world)["next_at"] <= (began + 1801) * 1000)
    pass_minutes(world, 60)
    became(world, state="done", step=2)


def test_a_clock_that_is_set_back_by_hours_and_goes_on_from_there_holds_none_up(world: World) -> None:
    at_work(world)
    began = world.clock.now()
    plan(world)
    pass_minutes(world, 1)
    eventually(lambda: now(world)["next_at"] == (began + 3600) * 1000)
    world.clock.set(began - 3 * 3600)
    world.advance(1)
    eventually(lambda: now(world)["next_at"] == (began - 2 * 3600 + 1) * 1000)
    pass_minutes(world, 60)
    became(world, state="done", step=2)


def test_of_two_at_once_one_is_made(world: World) -> None:
    at_work(world)

    def make(who: str) -> str:
        try:
            return str(plan(world, who=who)["state"])
        except KbworkProblem as problem:
            return problem.slug

    with ThreadPoolExecutor(2) as both:
        assert sorted(both.map(make, ("cy", "di"))) == ["conflict", "running"]


def _count(tx: Any, well: int, failed: int) -> None:
    row = tx.one(
        "select c.* from flag_config c join flag f on f.id = c.flag where f.key = 'checkout'"
        " order by c.version desc limit 1"
    )
    for variation, count in ((0, well), (-1, failed)):
        tx.execute(
            "insert into flag_count (environment, flag, hour, version, variation, count)"
            " values (:environment, :flag, :hour, :version, :variation, :count)",
            environment=row["environment"],
            flag=row["flag"],
            hour=tx.now // 3600,
            version=row["version"],
            variation=variation,
            count=count,
        )
