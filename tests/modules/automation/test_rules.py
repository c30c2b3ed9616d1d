"""Rules run operations when something happens: once for each event, in the name of their author."""

from typing import Any

import pytest

from kbwork.core.access import visibility
from kbwork.core.operations import nested
from kbwork.db.tx import Read, Write
from kbwork.modules.automation.engine import runner
from kbwork.modules.automation.rule import conditions
from tests.conftest import World
from tests.modules.automation.rules import (
    CREATED,
    RAISE,
    field,
    follow,
    issue,
    log,
    one,
    rule,
    said,
    work,
)
from tests.modules.calls import call, eventually
from tests.modules.notifications.inboxes import told


def test_a_rule_does_what_it_says_to_what_fits(world: World) -> None:
    made = rule(
        world,
        trigger=CREATED | {"tql": "project = WEB"},
        conditions=[{"field": "title", "op": "~", "value": "cart"}],
        actions=[
            RAISE,
            {
                "op": "comments.create",
                "input": {"subject": "{{issue}}", "body": "{{actor.name}} made {{key}}"},
            },
        ],
    )
    before = world.database.seq
    with world.at_rest():
        first, other = issue(world), issue(world, title="Stock")
    work(world)
    assert (field(world, first), field(world, other)) == ("high", "none")
    (comment,) = call(world, "ana", "comments.list", subject=f"issue:{first}")
    assert comment["body"] == "Ana Lund made WEB-1"
    assert said(world) == [(True, "WEB-1", "Ran 2 operations.")]
    assert one(world, made["id"])["runs"] == 1
    assert [kind for kind, _ in world.events_since(before)] == [
        "issue.created",
        "issue.created",
        "issue.updated",
        "comment.created",
        "rule.ran",
    ]


def test_what_a_rule_does_is_its_authors_act_and_says_which_rule(world: World) -> None:
    made = rule(world)
    issue(world)
    work(world)
    events = call(world, "ana", "api.changes", since=0)["events"]
    changed = next(event for event in events if event["kind"] == "issue.updated")
    assert (changed["actor"], changed["actor_kind"], changed["via"]) == (
        world.people["bo"].id,
        "automation",
        None,
    )
    assert changed["payload"]["rule"] == made["id"]


def test_it_comes_by_itself_within_a_moment(world: World) -> None:
    rule(world)
    key = issue(world)
    world.advance(1)
    eventually(lambda: field(world, key) == "high")


def test_what_fails_takes_back_its_own_run_and_says_why(world: World) -> None:
    broken = rule(
        world,
        name="Broken",
        actions=[
            RAISE,
            {"op": "issues.transition", "input": {"key": "{{key}}", "to_status": "nowhere-{{key}}"}},
        ],
    )
    rule(world, name="Whole", actions=[{"op": "issues.update", "input": {"key": "{{key}}", "title": "Kept"}}])
    key = issue(world)
    (bad, good) = log(world)
    assert (bad["ok"], good["ok"], bad["rule"]) == (False, True, broken["id"])
    assert "nowhere-WEB-1" in bad["message"]
    assert (field(world, key), field(world, key, "title")) == ("none", "Kept")


def test_an_action_may_be_left_out(world: World) -> None:
    wrong = {
        "op": "issues.assign",
        "input": {"key": "{{key}}", "assignees": ["@nobody-{{key}}"]},
        "on_error": "go_on",
    }
    rule(world, actions=[wrong, RAISE])
    key = issue(world)
    ((ok, _, message),) = said(world)
    assert ok
    assert message.startswith("Ran 1 operation. 1 left out, the first: ")
    assert field(world, key) == "high"


def test_an_action_for_each_issue_that_fits(world: World) -> None:
    parent = issue(world, type="epic")
    children = [issue(world, parent=parent) for _ in range(3)]
    rule(
        world,
        trigger={"kind": "event", "event": "issue.updated", "tql": "type = epic"},
        conditions=[{"field": "priority", "op": "changed"}],
        actions=[
            {
                "op": "issues.update",
                "input": {
                    "key": "{{key}}",
                    "priority": "{{changes.priority.to}}",
                    "title": "{{key}} of {{trigger.key}}",
                },
                "each": "parent = {{key}}",
            }
        ],
    )
    call(world, "ana", "issues.update", key=parent, title="Other")
    work(world)
    assert log(world) == []
    call(world, "ana", "issues.update", key=parent, priority="low")
    work(world)
    assert [field(world, child) for child in children] == ["low"] * 3
    assert field(world, children[0], "title") == f"{children[0]} of {parent}"


def test_more_than_may_be_is_refused_whole(world: World) -> None:
    rule(world, actions=[RAISE | {"each": "project = WEB"}])

    with world.at_rest():
        for number in range(201):
            issue(world, title=f"Of many {number}")
    last = log(world)[-1]
    assert (last["ok"], "More than 200 issues fit" in last["message"]) == (False, True)
    assert one(world, last["rule"])["enabled"] is False


def test_who_acts_is_asked_by_role(world: World) -> None:
    rule(world, conditions=[{"role": "owner"}])
    by_ana, by_cy = issue(world, "ana"), issue(world, "cy")
    work(world)
    assert (field(world, by_ana), field(world, by_cy)) == ("high", "none")


def test_what_is_undone_sets_nothing_off(world: World) -> None:
    keys = [issue(world) for _ in range(3)]
    rule(
        world,
        trigger={"kind": "event", "event": "issue.updated"},
        actions=[_comment("{{changes.priority.to}}")],
    )
    done = call(world, "ana", "issues.bulk", keys=keys, changes={"priority": "low"})
    assert [message for _, _, message in said(world)] == ["Ran 1 operation."] * 3
    call(world, "ana", "undo.apply", token=done["undo"])
    assert len(said(world)) == 3


def test_what_is_brought_in_sets_nothing_off(world: World) -> None:
    rule(world, trigger={"kind": "event", "event": "issue.*"})
    key = issue(world)

    def as_brought_in(tx: Write) -> None:
        tx.brought_by = 1
        tx.caller = visibility.as_member(tx, world.people["ana"].id).caller
        nested.run(tx, "issues.update", {"key": key, "title": "Brought in"})

    work(world)
    before = len(log(world))
    world.database.write_now(as_brought_in)
    assert len(log(world)) == before


def _comment(body: str) -> dict[str, Any]:
    return {"op": "comments.create", "input": {"subject": "{{issue}}", "body": body}}


def test_a_chain_stops_behind_five(world: World) -> None:
    """Each comment makes the next one."""
    rule(
        world,
        trigger={"kind": "event", "event": "comment.created"},
        actions=[_comment("Again, by {{rule}}")],
    )
    key = issue(world)
    call(world, "ana", "comments.create", subject=f"issue:{key}", body="First")
    work(world)
    assert len(call(world, "ana", "comments.list", subject=f"issue:{key}")) == 1 + 5
    assert said(world)[-1] == (False, key, "Not run: 5 rules set each other going before it.")
    assert [ok for ok, _, _ in said(world)] == [True] * 5 + [False]


def test_the_same_rule_runs_for_the_same_thing_ten_times_a_minute(world: World) -> None:
    key, other = issue(world), issue(world)
    made = rule(world, trigger={"kind": "event", "event": "comment.created"}, actions=[RAISE])
    for number in range(13):
        call(world, "ana", "comments.create", subject=f"issue:{key}", body=f"Say {number}")
    call(world, "ana", "comments.create", subject=f"issue:{other}", body="Say")
    found = said(world)
    assert found.count((True, key, "Ran 1 operation.")) == runner.MOST_A_MINUTE
    assert found.count((False, key, "Not run: it ran 10 times for this within a minute.")) == 1
    assert found[-1] == (True, other, "Ran 1 operation.")
    world.advance(61)
    call(world, "ana", "comments.create", subject=f"issue:{key}", body="Later")
    assert said(world)[-1] == (True, key, "Ran 1 operation.")
    assert one(world, made["id"])["enabled"]


def test_five_failures_in_a_row_switch_it_off_and_its_author_is_told(world: World) -> None:
    nowhere = {"op": "issues.transition", "input": {"key": "{{key}}", "to_status": "no-{{type}}"}}
    made = rule(world, trigger=CREATED, actions=[nowhere])
    keys = [issue(world) for _ in range(7)]
    assert [(ok, label) for ok, label, _ in said(world)] == [(False, key) for key in keys[:5]]
    assert one(world, made["id"])["enabled"] is False
    assert told(world, "bo") == [(f"rule:{made['id']}", "rule", ["rule.disabled"])]
    assert told(world, "ana") == []
    again = call(world, "bo", "automation.save", id=made["id"], enabled=True, actions=[RAISE])
    assert (again["enabled"], field(world, keys[6])) == (True, "none")
    key = issue(world)
    work(world)
    assert field(world, key) == "high"


def test_it_stops_when_its_author_is_no_admin_any_more(world: World) -> None:
    made = rule(world)
    call(world, "ana", "members.update", id=world.people["bo"].id, role="member")
    key = issue(world)
    work(world)
    assert field(world, key) == "none"
    assert one(world, made["id"], "ana")["enabled"] is False


def test_it_knows_nothing_of_what_its_author_does_not_see(world: World) -> None:
    rule(world, trigger={"kind": "event", "event": "issue.*"})
    call(world, "di", "issues.create", project="PRV", title="Hidden")
    assert log(world, "ana") == []
    assert log(world, "di") == []


def test_what_many_events_are_about_is_asked_together(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    fitting = conditions.fitting

    def counted(seen: Read, text: str, names: str, issues: list[int]) -> set[int]:
        asked.append(len(issues))
        return fitting(seen, text, names, issues)

    rule(world, trigger=CREATED | {"tql": 'title ~ "cart"'})
    rule(world, name="Never", trigger=CREATED | {"tql": "priority = urgent"})
    monkeypatch.setattr(conditions, "fitting", counted)
    with world.at_rest():
        keys = [issue(world, title="Stock" if number % 3 else f"Cart {number}") for number in range(130)]
        follow(world)
    assert asked == [100, 100, 30, 30]
    monkeypatch.undo()
    work(world)
    assert [field(world, key) for key in keys[:4]] == ["high", "none", "none", "high"]
