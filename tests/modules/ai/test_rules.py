"""Steps of rules that ask a model: they propose, or apply where the policy lets them."""

from typing import Any

from tests.conftest import World
from tests.modules.ai.ai_calls import issue, policy, switched_on
from tests.modules.ai.recorder import Recorder
from tests.modules.automation.rules import CREATED, rule, said, work
from tests.modules.calls import call, eventually, refused

ASK = {
    "op": "ai.run",
    "input": {
        "task": "classify",
        "subject": "{{key}}",
        "options": ["low", "high"],
        "then": {"op": "issues.update", "input": {"key": "{{key}}", "priority": "{{answer}}"}},
    },
}


def _asked(world: World) -> list[dict[str, Any]]:
    """What is proposed when rules and models have done all."""
    work(world)
    waits = "select count(*) from job where kind = 'ai.run' and state in ('queued', 'running')"
    eventually(lambda: world.database.write_now(lambda tx: tx.value(waits)) == 0)
    found: list[dict[str, Any]] = []
    for state in ("open", "applied", "failed"):
        found += call(world, "ana", "ai.proposals", state=state)
    return found


def test_a_rule_proposes(world: World, recorder: Recorder) -> None:
    switched_on(world, recorder, automation_apply=True)
    recorder.says = "high"
    rule(world, name="Triage", actions=[ASK])
    key = issue(world)
    (made,) = _asked(world)
    assert (made["rule"], made["state"], made["input"]) == (
        "Triage",
        "open",
        {"key": key, "priority": "high"},
    )
    assert said(world) == [(True, key, "Ran 1 operation.")]
    assert call(world, "ana", "issues.get", key=key)["priority"] == "none"
    assert call(world, "cy", "ai.proposal_apply", id=made["id"])["state"] == "applied"
    assert call(world, "ana", "issues.get", key=key)["priority"] == "high"


def test_a_rule_applies_where_the_policy_lets_it_and_sets_no_rule_off(
    world: World, recorder: Recorder
) -> None:
    switched_on(world, recorder)
    recorder.says = "high"
    updated = {"kind": "event", "event": "issue.updated"}
    rule(world, name="Triage", actions=[ASK | {"apply": True}])
    rule(world, name="Again", trigger=updated, actions=[ASK | {"apply": True}])
    key = issue(world)
    assert [one["state"] for one in _asked(world)] == ["open"]
    policy(world, automation_apply=True)
    key = issue(world)
    before = world.database.seq
    assert sorted(one["state"] for one in _asked(world)) == ["applied", "open"]
    assert call(world, "ana", "issues.get", key=key)["priority"] == "high"
    changed = next(
        one
        for one in call(world, "ana", "api.changes", since=before)["events"]
        if one["kind"] == "issue.updated"
    )
    assert (changed["actor"], changed["actor_kind"], changed["payload"]["rule"]) == (
        world.people["bo"].id,
        "automation",
        1,
    )
    work(world)
    assert len(recorder.asked) == 2


def test_a_rule_asks_nothing_about_what_is_excluded(world: World, recorder: Recorder) -> None:
    switched_on(world, recorder, excluded=["project:WEB"])
    rule(world, actions=[ASK])
    issue(world)
    assert _asked(world) == []
    ((ok, _, message),) = said(world)
    assert (ok, "excluded" in message) == (False, True)
    assert recorder.asked == []


def test_a_rule_whose_author_is_no_admin_any_more_applies_nothing(world: World, recorder: Recorder) -> None:
    switched_on(world, recorder, automation_apply=True)
    recorder.says = "high"
    recorder.acts = [recorder.waits]
    rule(world, actions=[ASK | {"apply": True}])
    key = issue(world)
    work(world)
    eventually(lambda: recorder.asked)
    call(world, "ana", "members.update", id="@bo", role="member")
    recorder.go_on.set()
    assert _asked(world) == []
    assert call(world, "ana", "issues.get", key=key)["priority"] == "none"


def test_apply_and_answer_are_for_steps_of_ai(world: World) -> None:
    raise_ = {"op": "issues.update", "input": {"key": "{{key}}", "priority": "high"}}
    with refused("invalid-input"):
        rule(world, trigger=CREATED, actions=[raise_ | {"apply": True}])
    with refused("invalid-input"):
        rule(world, trigger=CREATED, actions=[raise_ | {"input": {"key": "{{key}}", "title": "{{answer}}"}}])
    with refused("unknown-field"):
        rule(world, trigger=CREATED, actions=[raise_ | {"input": {"key": "{{key}}", "titel": "{{title}}"}}])
