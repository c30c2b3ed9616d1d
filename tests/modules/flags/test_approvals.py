"""Approvals: when a change waits, who decides, and what becomes of it; changes for a time."""

from typing import Any

import pytest

from kbwork.contract.kbwork_client import KbworkProblem
from tests.conftest import World
from tests.modules.calls import call, eventually, refused
from tests.modules.flags.flag_project import agent, flag, patch, shop, state, version

ON = {"kind": "turnFlagOn"}
OFF = {"kind": "turnFlagOff"}
LATER_S = 3600


def guarded(world: World, **more: Any) -> None:
    """The shop, whose production asks for approval."""
    shop(world)
    flag(world)
    asked = {"project": "shop", "key": "production", "require_approval": True}
    call(world, "ana", "flags.environment_save", **asked | more)


def asked(world: World, who: str = "cy", *instructions: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A change of the flag in production that waits."""
    done = patch(world, who, "production", *(instructions or (ON,)), **more)
    assert done["outcome"] == "changeRequest"
    found: dict[str, Any] = done["change"]
    return found


def review(world: World, who: str, change: int, decision: str = "approve", **more: Any) -> dict[str, Any]:
    found: dict[str, Any] = call(
        world, who, "flags.change_review", project="shop", id=change, decision=decision, **more
    )
    return found


def get(world: World, change: int) -> dict[str, Any]:
    found: dict[str, Any] = call(world, "ana", "flags.change_get", project="shop", id=change)
    return found


def later(world: World) -> int:
    return (world.clock.now() + LATER_S) * 1000


# Asking.


def test_a_change_waits_where_the_environment_asks_for_approval(world: World) -> None:
    guarded(world)
    before, seq = version(world, "production"), world.database.seq
    change = asked(world, comment="Go")
    assert world.events_since(seq) == [("change.requested", "flag:shop/checkout")]
    assert change == {
        "id": change["id"],
        "kind": "flag",
        "target": "checkout",
        "environment": "production",
        "instructions": [ON],
        "comment": "Go",
        "status": "pending",
        "run_at": None,
        "reviews": [],
        "requested_by": world.people["cy"].id,
        "created_at": world.clock.now(),
        "plan": None,
        "preview": {
            "diff": {"production": [{"path": "/on", "from": False, "to": True}]},
            "fits": True,
            "why": None,
        },
    }
    assert (state(world, "production")["on"], version(world, "production")) == (False, before)
    (one,) = call(world, "di", "flags.get", project="shop", key="checkout")["changes"]
    assert one["id"] == change["id"]
    assert patch(world, "cy", "production", OFF)["outcome"] == "unchanged"
    assert patch(world, "cy", "test", ON)["outcome"] == "applied"
    assert patch(world, "cy", None, {"kind": "updateName", "value": "Pay"})["outcome"] == "applied"


def test_an_agents_change_to_a_critical_environment_waits_unless_the_org_lets_it(world: World) -> None:
    shop(world)
    flag(world)
    call(world, "ana", "flags.environment_save", project="shop", key="production", critical=True)
    one = {"project": "shop", "key": "checkout", "environment": "production", "instructions": [ON]}
    personal = call(world, "cy", "keys.create", name="mine", scopes=["write"])
    for client in (agent(world), world._client("personal", personal["secret"])):
        assert client.call("flags.update", one)["outcome"] == "changeRequest"
        assert (
            client.call("flags.update", one | {"environment": "test", "dry_run": True})["outcome"]
            == "applied"
        )
    assert call(world, "cy", "flags.settings") == {"agent_writes": "changeRequest"}
    call(world, "ana", "flags.settings_set", agent_writes="direct")
    assert agent(world, "di").call("flags.update", one)["outcome"] == "applied"
    call(world, "ana", "flags.settings_set", agent_writes="changeRequest")
    assert patch(world, "di", "production", OFF)["outcome"] == "applied"


def test_what_does_not_fit_is_refused_when_it_is_asked_for(world: World) -> None:
    guarded(world)
    flag(world, "base")
    asked(world, "cy", {"kind": "addPrerequisite", "key": "base", "variation": 0})
    one = {"project": "shop", "kind": "flag", "target": "checkout", "environment": "production"}
    for wrong in ([{"kind": "updateName", "value": "x"}], [{"kind": "none"}], [OFF]):
        with refused("invalid-input"):
            call(world, "cy", "flags.change_create", **one, instructions=wrong)
    with refused("not-found"):
        call(world, "cy", "flags.change_create", **one | {"target": "none"}, instructions=[ON])
    with refused("invalid-input"):
        call(world, "cy", "flags.change_create", **one, instructions=[ON], run_at=world.clock.now() * 1000)
    with refused("invalid-input"):
        call(world, "cy", "flags.change_create", **one, instructions=[ON], run_at="tomorrow")


# Deciding.


def test_approval_applies_it_in_the_name_of_who_asked(world: World) -> None:
    guarded(world)
    change = asked(world, comment="Go")["id"]
    seq = world.database.seq
    done = review(world, "di", change, comment="Fine")
    assert (done["status"], done["preview"]) == ("applied", None)
    assert done["reviews"] == [
        {"who": world.people["di"].id, "decision": "approve", "comment": "Fine", "at": world.clock.now()}
    ]
    assert [kind for kind, _ in world.events_since(seq)] == [
        "change.reviewed",
        "flag.updated",
        "change.applied",
    ]
    told = call(world, "ana", "api.changes", since=seq)["events"]
    assert [one["payload"]["change"] for one in told] == [change] * 3
    newest = call(world, "cy", "flags.history", project="shop", key="checkout", environment="production")[0]
    assert (newest["who"], newest["comment"]) == (world.people["cy"].id, "Go")
    assert state(world, "production")["on"] is True


def test_as_many_people_approve_as_the_environment_asks_for(world: World) -> None:
    guarded(world, min_approvals=2)
    change = asked(world)["id"]
    assert review(world, "di", change)["status"] == "pending"
    assert review(world, "di", change)["status"] == "pending"  # the same person counts once
    with refused("conflict"):
        call(world, "ana", "flags.change_apply", project="shop", id=change)
    assert review(world, "bo", change)["status"] == "applied"


def test_nobody_approves_their_own_unless_the_environment_allows_it(world: World) -> None:
    guarded(world)
    change = asked(world)["id"]
    with refused("not-allowed"):
        review(world, "cy", change)
    assert review(world, "cy", change, "comment", comment="Please")["status"] == "pending"
    proposed = agent(world).call(
        "flags.update",
        {"project": "shop", "key": "checkout", "environment": "production", "instructions": [ON]},
    )["change"]["id"]
    with refused("not-allowed"):
        review(world, "cy", proposed)  # what their agent asks for they may not decide either
    call(world, "ana", "flags.environment_save", project="shop", key="production", allow_self_approval=True)
    assert review(world, "cy", change)["status"] == "applied"


def test_what_an_agent_asks_for_its_owner_may_decide_where_people_need_no_approval(world: World) -> None:
    shop(world)
    flag(world)
    call(world, "ana", "flags.environment_save", project="shop", key="production", critical=True)
    one = {"project": "shop", "key": "checkout", "environment": "production", "instructions": [ON]}
    change = agent(world).call("flags.update", one)["change"]["id"]
    assert review(world, "cy", change)["status"] == "applied"


def test_keys_never_review(world: World) -> None:
    guarded(world)
    change = asked(world)["id"]
    one = {"project": "shop", "id": change, "decision": "approve"}
    personal = call(world, "ana", "keys.create", name="mine", scopes=["admin"])
    for client in (agent(world, "di"), world._client("personal", personal["secret"])):
        with refused("not-allowed"):
            client.call("flags.change_review", one)
    assert get(world, change)["status"] == "pending"


def test_one_decline_is_enough_and_a_decided_one_stays_so(world: World) -> None:
    guarded(world, min_approvals=2)
    change = asked(world)["id"]
    review(world, "di", change)
    assert review(world, "bo", change, "decline", comment="Not on Fridays")["status"] == "declined"
    for op, more in (
        ("change_review", {"decision": "approve"}),
        ("change_apply", {}),
        ("change_cancel", {}),
    ):
        with refused("conflict"):
            call(world, "ana", f"flags.{op}", project="shop", id=change, **more)
    assert state(world, "production")["on"] is False
    with refused("invalid-input"):
        review(world, "bo", asked(world)["id"], "comment")


def test_whoever_asked_takes_it_back_and_so_do_admins(world: World) -> None:
    guarded(world)
    one, other = asked(world)["id"], asked(world)["id"]
    with refused("not-allowed"):
        call(world, "di", "flags.change_cancel", project="shop", id=one)
    seq = world.database.seq
    assert call(world, "cy", "flags.change_cancel", project="shop", id=one)["status"] == "cancelled"
    assert call(world, "bo", "flags.change_cancel", project="shop", id=other)["status"] == "cancelled"
    assert [kind for kind, _ in world.events_since(seq)] == ["change.cancelled"] * 2
    found = call(world, "di", "flags.changes", project="shop", status="cancelled", environment="production")
    assert [change["id"] for change in found] == [other, one]
    assert call(world, "di", "flags.changes", project="shop", environment="test") == []


def test_what_fits_no_more_has_failed_with_the_reason(world: World) -> None:
    guarded(world)
    rule = {
        "kind": "addRule",
        "variation": 0,
        "ruleId": "r1",
        "clauses": [{"attribute": "key", "op": "in", "values": ["a"]}],
    }
    review(world, "di", asked(world, "cy", rule)["id"])
    one = asked(world, "cy", {"kind": "removeRule", "ruleId": "r1"})["id"]
    other = asked(world, "cy", {"kind": "removeRule", "ruleId": "r1"})["id"]
    review(world, "di", one)
    assert get(world, other)["preview"]["fits"] is False
    done = review(world, "di", other)
    assert (done["status"], "r1" in done["preview"]["why"]) == ("failed", True)


# Passing over.


def test_owners_and_admins_pass_an_approval_over_and_it_is_told(world: World) -> None:
    guarded(world)
    for who in ("cy", "di"):
        with refused("not-allowed"):
            patch(world, who, "production", ON, bypass=True)
    one = {
        "project": "shop",
        "key": "checkout",
        "environment": "production",
        "instructions": [ON],
        "bypass": True,
    }
    with refused("not-allowed"):
        agent(world, "ana", "admin").call("flags.update", one)
    narrow = call(world, "ana", "keys.create", name="narrow", scopes=["write"])
    with refused("not-allowed"):
        world._client("narrow", narrow["secret"]).call("flags.update", one)
    seq = world.database.seq
    assert patch(world, "bo", "production", ON, bypass=True, comment="Fire")["outcome"] == "applied"
    assert [kind for kind, _ in world.events_since(seq)] == ["flag.updated", "flag.bypassed"]
    personal = call(world, "ana", "keys.create", name="mine", scopes=["admin"])
    client = world._client("personal", personal["secret"])
    assert client.call("flags.update", one | {"instructions": [OFF]})["outcome"] == "applied"
    entry = call(world, "ana", "audit.list", kind="flag.bypassed")["entries"][0]
    assert entry["via"] is not None


# Nothing goes round it.


def test_an_agent_does_not_change_what_a_critical_environment_serves_by_changing_the_flag(
    world: World,
) -> None:
    shop(world)
    flag(world, variations=[{"value": "a"}, {"value": "b"}])
    robot = agent(world)
    call(world, "ana", "flags.environment_save", project="shop", key="production", critical=True)
    one = {"project": "shop", "key": "checkout"}
    value = {"kind": "updateVariation", "index": 0, "value": "c"}
    robot.call("flags.update", one | {"instructions": [value]})  # it is off there
    with refused("approval-needed"):
        robot.call(
            "flags.update", one | {"instructions": [value | {"index": 1, "value": "z"}]}
        )  # which it serves while it is off
    patch(world, "cy", "production", ON)
    for instruction in (
        value | {"value": "d"},
        {"kind": "archiveFlag"},
        {"kind": "turnOnClientSideAvailability"},
    ):
        with refused("approval-needed"):
            robot.call("flags.update", one | {"instructions": [instruction]})
    with refused("approval-needed"):
        robot.call("flags.archive", one)
    first = call(world, "cy", "flags.history", **one)[-1]["id"]
    with refused("approval-needed"):
        robot.call("flags.restore", one | {"revision": first})
    robot.call("flags.update", one | {"instructions": [{"kind": "updateName", "value": "x"}]})
    robot.call("flags.update", one | {"instructions": [{"kind": "addVariation", "value": "e"}]})
    patch(world, "cy", None, value | {"value": "d"})
    call(world, "ana", "flags.settings_set", agent_writes="direct")
    robot.call("flags.archive", one)


def test_what_is_in_a_new_segment_waits_too(world: World) -> None:
    guarded(world)
    where = {"project": "shop", "environment": "production", "key": "staff"}
    made = call(world, "cy", "flags.segment_save", **where, included=["ana"])
    assert made["included"] == []
    (change,) = call(world, "cy", "flags.changes", project="shop", status="pending")
    assert (change["kind"], change["target"]) == ("segment", "staff")
    with refused("in-use"):
        call(world, "cy", "flags.segment_delete", **where)
    review(world, "di", change["id"])
    assert call(world, "cy", "flags.segment_get", **where)["included"] == ["ana"]


def test_deleting_a_segment_is_a_change_like_any_other(world: World) -> None:
    guarded(world)
    where = {"project": "shop", "environment": "production", "key": "staff"}
    call(world, "cy", "flags.segment_save", **where)
    seq = world.database.seq
    tried = call(world, "cy", "flags.segment_delete", **where, dry_run=True)
    assert (tried["ok"], tried["outcome"]) == (False, "changeRequest")
    answer = call(world, "cy", "flags.segment_delete", **where)
    change = answer["change"]
    assert (answer["ok"], answer["outcome"], change["kind"], change["target"]) == (
        False,
        "changeRequest",
        "segment",
        "staff",
    )
    assert change["instructions"] == [{"kind": "deleteSegment"}]
    told = {one["path"]: one["to"] for one in change["preview"]["diff"]["production"]}
    assert (change["preview"]["fits"], told["/name"], told["/included"]) == (True, None, None)
    with refused("in-use"):
        call(world, "cy", "flags.segment_delete", **where)
    clause = {"op": "segmentMatch", "values": ["staff"]}
    used = asked(world, "cy", {"kind": "addRule", "variation": 0, "clauses": [clause]})
    seen = call(world, "ana", "flags.change_get", project="shop", id=change["id"])["preview"]
    assert (seen["fits"], f"change:{used['id']}" in seen["why"]) == (False, True)
    call(world, "cy", "flags.change_cancel", project="shop", id=used["id"])
    assert review(world, "di", change["id"])["status"] == "applied"
    with refused("not-found"):
        call(world, "cy", "flags.segment_get", **where)
    kinds = [kind for kind, _ in world.events_since(seq) if kind.startswith(("segment", "change"))]
    assert kinds == [
        "change.requested",
        "change.requested",
        "change.cancelled",
        "change.reviewed",
        "segment.deleted",
        "change.applied",
    ]


def test_an_agent_asks_for_a_segment_of_a_critical_environment_to_be_deleted(world: World) -> None:
    shop(world)
    call(world, "ana", "flags.environment_save", project="shop", key="production", critical=True)
    where = {"project": "shop", "environment": "production", "key": "staff"}
    call(world, "ana", "flags.segment_save", **where)
    answer = agent(world).call("flags.segment_delete", where)
    assert (answer["ok"], answer["change"]["status"]) == (False, "pending")
    call(world, "ana", "flags.change_cancel", project="shop", id=answer["change"]["id"])
    gone = call(world, "ana", "flags.segment_delete", **where)
    assert gone == {"ok": True, "outcome": "applied", "change": None}


@pytest.mark.parametrize(
    ("op", "instructions"),
    [
        ("flags.segment_update", [{"kind": "deleteSegment"}]),
        ("flags.segment_update", [{"kind": "deleteSegment", "force": True}]),
        ("flags.change_create", [{"kind": "deleteSegment"}, {"kind": "updateName", "value": "x"}]),
    ],
)
def test_a_deletion_stands_alone(world: World, op: str, instructions: list[Any]) -> None:
    guarded(world)
    where = {"project": "shop", "environment": "production"}
    call(world, "cy", "flags.segment_save", **where, key="staff")
    named = {"key": "staff"} if op == "flags.segment_update" else {"kind": "segment", "target": "staff"}
    with refused("invalid-input"):
        call(world, "cy", op, **where, **named, instructions=instructions)


def approved_for_later(world: World, who: str = "cy") -> int:
    """A change that Di approved, for an hour from now."""
    one = {"project": "shop", "kind": "flag", "target": "checkout", "environment": "production"}
    change: int = call(world, who, "flags.change_create", **one, instructions=[ON], run_at=later(world))["id"]
    assert review(world, "di", change)["status"] == "approved"
    return change


@pytest.mark.parametrize("end", ["more are asked for", "the reviewer is gone", "the reviewer is a guest"])
def test_approvals_are_counted_again_when_the_time_has_come(world: World, end: str) -> None:
    guarded(world)
    change = approved_for_later(world)
    if end == "more are asked for":
        call(world, "ana", "flags.environment_save", project="shop", key="production", min_approvals=2)
    elif end == "the reviewer is gone":
        call(world, "ana", "members.deactivate", id=world.people["di"].id, on=True)
    else:
        call(world, "ana", "members.update", id=world.people["di"].id, role="guest")
    with refused("conflict"):
        call(world, "cy", "flags.change_apply", project="shop", id=change)
    world.advance(LATER_S)
    eventually(lambda: get(world, change)["status"] == "pending")
    assert state(world, "production")["on"] is False
    review(world, "bo", change)
    if end == "more are asked for":
        assert state(world, "production")["on"] is True
    assert get(world, change)["status"] == "applied"


def test_ones_own_approval_ends_where_it_is_allowed_no_more(world: World) -> None:
    guarded(world, allow_self_approval=True, min_approvals=2)
    change = asked(world)["id"]
    review(world, "cy", change)
    call(world, "ana", "flags.environment_save", project="shop", key="production", allow_self_approval=False)
    assert review(world, "di", change)["status"] == "pending"
    assert review(world, "bo", change)["status"] == "applied"


def test_what_has_enough_approvals_once_fewer_are_asked_for_is_applied(world: World) -> None:
    guarded(world, min_approvals=2)
    change = asked(world)["id"]
    review(world, "di", change)
    call(world, "ana", "flags.environment_save", project="shop", key="production", min_approvals=1)
    assert get(world, change)["status"] == "applied"


def test_so_many_changes_wait_for_one_flag(world: World) -> None:
    guarded(world)
    one = {"project": "shop", "key": "checkout", "environment": "production"}
    more = [{"op": "flags.update", "input": one | {"instructions": [ON]}}] * 50
    for _ in range(2):
        call(world, "cy", "api.batch", ops=more)
    with refused("conflict"):
        patch(world, "cy", "production", ON)


def test_who_decides_about_agents_is_told(world: World) -> None:
    seq = world.database.seq
    call(world, "ana", "flags.settings_set", agent_writes="direct")
    call(world, "ana", "flags.settings_set", agent_writes="direct")
    (event,) = call(world, "ana", "api.changes", since=seq)["events"]
    assert event["kind"] == "org.updated"
    assert event["payload"]["changes"] == {"flags.agent_writes": {"from": "changeRequest", "to": "direct"}}


# Restoring and segments go the same way.


def test_restoring_a_version_waits_too(world: World) -> None:
    guarded(world)
    review(world, "di", asked(world)["id"])
    first = call(world, "cy", "flags.history", project="shop", key="checkout", environment="production")[-1]
    found = call(world, "cy", "flags.restore", project="shop", key="checkout", revision=first["id"])
    assert found["environments"]["production"]["on"] is True
    assert [one["status"] for one in found["changes"]] == ["pending"]


def test_a_segments_change_waits_too(world: World) -> None:
    guarded(world)
    where = {"project": "shop", "environment": "production", "key": "staff"}
    call(world, "cy", "flags.segment_save", **where)
    add = [{"kind": "addIncludedTargets", "values": ["ana"]}]
    done = call(world, "cy", "flags.segment_update", **where, instructions=add)
    assert (done["outcome"], done["segment"]["included"]) == ("changeRequest", [])
    review(world, "di", done["change"]["id"])
    assert call(world, "cy", "flags.segment_get", **where)["included"] == ["ana"]


# Times.


def test_an_approved_change_is_applied_at_its_time(world: World) -> None:
    guarded(world)
    one = {"project": "shop", "kind": "flag", "target": "checkout", "environment": "production"}
    change = call(world, "cy", "flags.change_create", **one, instructions=[ON], run_at=later(world))
    assert change["run_at"] == later(world)
    assert review(world, "di", change["id"])["status"] == "approved"
    assert state(world, "production")["on"] is False
    world.advance(LATER_S)
    eventually(lambda: bool(state(world, "production")["on"]))
    assert get(world, change["id"])["status"] == "applied"


def test_people_apply_an_approved_change_early_and_agents_do_not(world: World) -> None:
    guarded(world)
    one = {"project": "shop", "kind": "flag", "target": "checkout", "environment": "production"}
    change = call(world, "cy", "flags.change_create", **one, instructions=[ON], run_at=later(world))["id"]
    with refused("conflict"):
        call(world, "cy", "flags.change_apply", project="shop", id=change)
    review(world, "di", change)
    with refused("not-allowed"):
        agent(world).call("flags.change_apply", {"project": "shop", "id": change})
    assert call(world, "cy", "flags.change_apply", project="shop", id=change)["status"] == "applied"
    with refused("conflict"):
        call(world, "cy", "flags.change_apply", project="shop", id=change)


def test_a_schedule_changes_the_flag_at_its_time(world: World) -> None:
    shop(world)
    flag(world)
    one = {"project": "shop", "key": "checkout", "environment": "test", "instructions": [ON]}
    seq = world.database.seq
    made = call(world, "cy", "flags.schedule_create", **one, run_at=later(world))
    assert made["outcome"] == "applied"
    (shown,) = call(world, "di", "flags.schedules", project="shop", key="checkout")
    assert shown == {
        "id": made["id"],
        "key": "checkout",
        "environment": "test",
        "instructions": [ON],
        "run_at": later(world),
        "created_by": world.people["cy"].id,
    }
    world.advance(LATER_S)
    eventually(lambda: bool(state(world)["on"]))
    assert call(world, "di", "flags.schedules", project="shop") == []
    newest = call(world, "cy", "flags.history", project="shop", key="checkout", environment="test")[0]
    assert newest["who"] == world.people["cy"].id
    kinds = [kind for kind, subject in world.events_since(seq) if subject == "flag:shop/checkout"]
    assert kinds == ["flag.scheduled", "flag.updated", "flag.scheduled"]


def test_a_schedule_is_taken_back(world: World) -> None:
    shop(world)
    flag(world)
    one = {"project": "shop", "key": "checkout", "environment": "test", "instructions": [ON]}
    made = call(world, "cy", "flags.schedule_create", **one, run_at="2027-06-01T09:00:00+02:00")
    call(world, "di", "flags.schedule_delete", project="shop", key="checkout", id=made["id"])
    with refused("not-found"):
        call(world, "di", "flags.schedule_delete", project="shop", key="checkout", id=made["id"])
    for bad in ("soon", 5, None, True, "2020-01-01T00:00:00Z", 10**18):
        with refused("invalid-input"):
            call(world, "cy", "flags.schedule_create", **one, run_at=bad)


def test_where_approval_is_needed_a_schedule_is_a_change_for_that_time(world: World) -> None:
    guarded(world)
    one = {"project": "shop", "key": "checkout", "environment": "production", "instructions": [ON]}
    made = call(world, "cy", "flags.schedule_create", **one, run_at=later(world))
    assert made["outcome"] == "changeRequest"
    assert get(world, made["id"])["run_at"] == later(world)
    assert call(world, "cy", "flags.schedules", project="shop") == []


@pytest.mark.parametrize("end", ["guarded", "gone", "archived"])
def test_a_schedule_does_at_its_time_what_its_maker_may_then(world: World, end: str) -> None:
    shop(world)
    flag(world)
    one = {"project": "shop", "key": "checkout", "environment": "test", "instructions": [ON]}
    call(world, "cy", "flags.schedule_create", **one, run_at=later(world))
    if end == "guarded":
        call(world, "ana", "flags.environment_save", project="shop", key="test", require_approval=True)
    elif end == "gone":
        call(world, "ana", "members.deactivate", id=world.people["cy"].id, on=True)
    else:
        call(world, "ana", "flags.archive", project="shop", key="checkout")
    seq = world.database.seq
    world.advance(LATER_S)
    eventually(lambda: call(world, "ana", "flags.schedules", project="shop") == [])
    assert state(world)["on"] is False
    told = call(world, "ana", "api.changes", since=seq)["events"]
    states = [one["payload"]["state"] for one in told if one["kind"] == "flag.scheduled"]
    assert [one.partition(":")[0] for one in states] == ["requested" if end == "guarded" else "failed"]
    changes = call(world, "ana", "flags.changes", project="shop")
    assert [one["requested_by"] for one in changes] == ([world.people["cy"].id] if end == "guarded" else [])


def test_what_waits_in_an_archived_project_waits_until_it_is_back(world: World) -> None:
    shop(world)
    flag(world)
    one = {"project": "shop", "key": "checkout", "environment": "test", "instructions": [ON]}
    call(world, "cy", "flags.schedule_create", **one, run_at=later(world))
    call(world, "ana", "flags.project_archive", project="shop")
    world.advance(LATER_S)
    call(world, "ana", "flags.project_save", project="shop")
    eventually(lambda: bool(state(world)["on"]))


def test_a_change_elsewhere_is_not_there(world: World) -> None:
    guarded(world)
    change = asked(world)["id"]
    call(world, "ana", "flags.project_save", project="other")
    for op, more in (("change_get", {}), ("change_cancel", {}), ("change_review", {"decision": "approve"})):
        with pytest.raises(KbworkProblem) as problem:
            call(world, "ana", f"flags.{op}", project="other", id=change, **more)
        assert problem.value.slug == "not-found"
