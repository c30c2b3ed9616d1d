"""Runs that come to nothing, and proposals that cannot be applied: what is gone or refused meanwhile."""

import json
from typing import Any

import pytest

from kbwork.base.errors import Busy
from kbwork.core.operations import nested
from kbwork.db.tx import Write
from kbwork.modules.ai.calls import conversation
from tests.conftest import World
from tests.modules.ai.ai_calls import complete, issue, policy, provider, switched_on
from tests.modules.ai.recorder import Recorder
from tests.modules.ai.test_proposals import RAISE, proposed, run
from tests.modules.calls import call, eventually, refused


def asked(world: World, recorder: Recorder) -> str:
    """The job of a run whose model has not answered yet."""
    recorder.acts = [recorder.waits]
    job: str = call(world, "cy", "ai.run", task="summarize", subject="WEB-1")["job"]
    eventually(lambda: recorder.asked)
    return job


def ended(world: World, job: str) -> dict[str, Any]:
    found: list[dict[str, Any]] = []

    def over() -> bool:
        found[:] = [call(world, "cy", "jobs.get", id=job)]
        return found[0]["ended_at"] is not None

    eventually(over)
    return found[0]


def test_a_run_whose_subject_is_purged_meanwhile_ends_at_once(world: World, recorder: Recorder) -> None:
    switched_on(world, recorder)
    issue(world)
    job = asked(world, recorder)
    entry = call(world, "ana", "issues.delete", key="WEB-1")["trash"]
    call(world, "ana", "trash.purge", ids=[entry])
    found = ended(world, job)
    assert (found["state"], found["error"]) == ("failed", "What it was asked about is gone.")
    recorder.go_on.set()
    eventually(lambda: call(world, "cy", "ai.policy")["used_today"] == 128)
    assert world.database.write_now(lambda tx: tx.value("select count(*) from ai_proposal")) == 0


def test_what_was_asked_for_somebody_who_is_shut_out_meanwhile_is_counted_and_proposes_nothing(
    world: World, recorder: Recorder
) -> None:
    switched_on(world, recorder)
    issue(world)
    asked(world, recorder)
    call(world, "ana", "members.deactivate", id="@cy", on=True)
    recorder.go_on.set()
    state = "select state from job where kind = 'ai.run'"
    eventually(lambda: world.database.write_now(lambda tx: tx.value(state)) == "failed")
    (used,) = call(world, "bo", "ai.usage")
    assert (used["actor"], used["calls"]) == (world.people["cy"].id, 1)
    assert call(world, "ana", "ai.proposals") == []
    assert world.database.write_now(lambda tx: tx.value("select count(*) from ai_call")) == 0


def test_a_run_beyond_the_cap_asks_nobody_and_says_so(world: World, recorder: Recorder) -> None:
    switched_on(world, recorder, member_daily_tokens=10)
    issue(world)
    found = run(world)
    assert (found["state"], "10 tokens a UTC day" in found["error"]) == ("failed", True)
    assert recorder.asked == []


def test_a_run_waits_while_too_many_are_asked(
    world: World, recorder: Recorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    switched_on(world, recorder)
    issue(world)
    tried: list[Any] = []

    def busy(_: Write, under_way: Any) -> int:
        tried.append(under_way)
        raise Busy("Not now", retry_after_s=1)

    monkeypatch.setattr(conversation, "hold", busy)
    job = call(world, "cy", "ai.run", task="summarize", subject="WEB-1")["job"]
    eventually(lambda: tried)
    assert call(world, "cy", "jobs.get", id=job)["ended_at"] is None
    assert recorder.asked == []
    monkeypatch.undo()
    world.advance(60)
    assert ended(world, job)["state"] == "done"
    assert len(recorder.asked) == 1
    assert [one["answer"] for one in call(world, "cy", "ai.proposals")] == [recorder.says]


@pytest.mark.parametrize("op", ["issues.gone", "ai.run", "webhooks.test"])
def test_an_operation_that_is_proposed_no_more_fails(world: World, recorder: Recorder, op: str) -> None:
    """As one is that an older version took."""
    switched_on(world, recorder)
    issue(world)
    made = proposed(world, recorder)
    world.database.write_now(lambda tx: tx.execute("update ai_proposal set op = :op", op=op))
    before = world.database.seq
    failed = call(world, "di", "ai.proposal_apply", id=made["id"])
    assert (failed["state"], op in failed["error"]) == ("failed", True)
    assert world.events_since(before) == []


def test_what_whoever_asked_may_not_do_is_not_applied_at_once(world: World, recorder: Recorder) -> None:
    switched_on(world, recorder, automation_apply=True)
    call(world, "ana", "projects.create", key="OPS", name="Ops", visibility="members")
    call(world, "ana", "projects.member_set", key="OPS", who="@cy", role="viewer")
    issue(world, project="OPS")
    then = {"op": "issues.update", "input": {"key": "OPS-1", "priority": "{{answer}}"}}
    made = proposed(world, recorder, subject="OPS-1", then=then, apply=True)
    assert (made["state"], made["decided_by"]) == ("failed", world.people["cy"].id)
    assert call(world, "ana", "issues.get", key="OPS-1")["priority"] == "none"


def test_what_is_refused_for_now_leaves_a_proposal_open(
    world: World, recorder: Recorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    switched_on(world, recorder)
    issue(world)
    made = proposed(world, recorder)

    def busy(tx: Write, op: str, *_: Any, **__: Any) -> Any:
        raise Busy("Not now", retry_after_s=1)

    monkeypatch.setattr(nested, "run", busy)
    answer = world._client("di at once", world.people["di"].session)
    with refused("busy"):
        answer.call("ai.proposal_apply", {"id": made["id"]})
    monkeypatch.undo()
    assert [one["state"] for one in call(world, "di", "ai.proposals")] == ["open"]
    assert call(world, "di", "ai.proposal_apply", id=made["id"])["state"] == "applied"


def test_an_answer_fills_in_texts_and_leaves_the_rest(world: World, recorder: Recorder) -> None:
    switched_on(world, recorder)
    issue(world)
    value = RAISE["input"] | {"due_date": None, "labels": []}  # type: ignore[operator]  # it is an object
    made = proposed(world, recorder, then={"op": "issues.update", "input": value})
    assert made["input"] == {"key": "WEB-1", "priority": "high", "due_date": None, "labels": []}


def test_an_answer_in_parts_is_one_text(world: World, recorder: Recorder) -> None:
    switched_on(world, recorder)
    parts = [{"type": "text", "text": "One "}, {"type": "refusal"}, {"type": "text", "text": "two"}]
    recorder.acts = [recorder.sends(json.dumps({"choices": [{"message": {"content": parts}}]}).encode())]
    assert complete(world)["text"] == "One two"


@pytest.mark.parametrize(
    "content", [[], [{"type": "image"}], [{"type": "text", "text": 7}], None, "text", [7]]
)
def test_an_answer_without_a_text_is_a_failure(world: World, recorder: Recorder, content: Any) -> None:
    policy(world)
    provider(world, recorder, kind="anthropic")
    recorder.acts = [recorder.sends(json.dumps({"content": content}).encode())]
    with refused("upstream-failed"):
        complete(world)
    assert call(world, "bo", "ai.usage")[0]["errors"] == 1
