"""What is saved is checked, and rules by hand, by times and by states run as those by events."""

from typing import Any

import pytest

from kbwork.db.tx import Write
from kbwork.modules.automation.engine import states
from tests.conftest import World
from tests.modules.automation.rules import CREATED, RAISE, field, issue, log, one, rule, said, work
from tests.modules.calls import call, eventually, refused

SAY = {"op": "comments.create", "input": {"subject": "{{issue}}", "body": "Still?"}}


@pytest.mark.parametrize(
    ("more", "place", "text"),
    [
        ({"actions": [{"op": "issues.updat"}]}, "actions[0].op", "issues.update"),
        ({"actions": [{"op": "approvals.decide", "input": {"id": 1}}]}, "actions[0].op", "people"),
        ({"actions": [{"op": "automation.run", "input": {"id": 1}}]}, "actions[0].op", "rules"),
        ({"actions": [RAISE | {"apply": True}]}, "actions[0].apply", "AI"),
        ({"actions": [{"op": "issues.update", "input": {"key": "{{kee}}"}}]}, "actions[0].input", "{{key}}"),
        ({"conditions": [{"field": "priorty", "op": "empty"}]}, "conditions[0].field", "priority"),
        ({"trigger": {"kind": "event", "event": "issue.creatd"}}, "trigger.event", "issue.created"),
        ({"trigger": {"kind": "event", "event": "rule.ran"}}, "trigger.event", "no rule"),
        ({"trigger": {"kind": "schedule", "every": "0 25 * * *"}}, "trigger.every", "hour"),
        ({"trigger": {"kind": "schedule", "every": "0 0 30 feb *"}}, "trigger.every", "never"),
    ],
)
def test_what_cannot_run_is_refused_with_its_place(
    world: World, more: dict[str, Any], place: str, text: str
) -> None:
    with refused("invalid-input") as problem:
        rule(world, **more)
    assert place in str(vars(problem.value))
    assert text in str(vars(problem.value))


def test_admins_keep_rules_and_others_read_neither_queries_nor_inputs(world: World) -> None:
    made = rule(world, trigger=CREATED)
    with refused("insufficient-scope"):
        rule(world, "cy")
    seen = one(world, made["id"], "cy")
    assert (seen["actions"][0]["op"], seen["actions"][0]["input"]) == ("issues.update", None)
    assert one(world, made["id"])["actions"][0]["input"] == RAISE["input"]


def test_a_button_is_run_by_hand(world: World) -> None:
    key = issue(world)
    say = {"op": "issues.update", "input": {"key": key, "priority": "high"}}
    made = rule(world, trigger={"kind": "button", "label": "Raise"}, actions=[say])
    entry = call(world, "ana", "automation.run", id=made["id"])["log"]
    assert (log(world)[-1]["id"], field(world, key)) == (entry, "high")


def test_times_come_once_each(world: World) -> None:
    key = issue(world)
    made = rule(world, trigger={"kind": "schedule", "every": "* * * * *", "tql": "project = WEB"})
    assert made["next_run_at"] > world.clock.now()
    world.advance(60)
    eventually(lambda: field(world, key) == "high")
    assert [(ok, label) for ok, label, _ in said(world)] == [(True, key)]


def test_a_state_runs_once_when_it_was_so_for_long(world: World) -> None:
    rule(world, trigger={"kind": "state", "tql": "project = WEB", "minutes": 30}, actions=[SAY])

    def look(tx: Write) -> None:
        if found := states.changes(tx):
            states.write(tx, found)

    key = issue(world)
    world.database.write_now(look)
    work(world)
    assert log(world) == []
    for _ in range(2):
        world.clock.advance(31 * 60)
        world.database.write_now(look)
        work(world)
    assert said(world) == [(True, key, "Ran 1 operation.")]


def test_the_rest_of_a_rule_waits(world: World) -> None:
    rule(world, actions=[SAY, RAISE | {"delay_minutes": 10}])
    key = issue(world)
    assert said(world) == [(True, key, "Ran 1 operation. The rest waits 10 minutes.")]
    assert field(world, key) == "none"
    world.clock.advance(601)
    work(world)
    assert field(world, key) == "high"


def test_how_often_it_would_have_run(world: World) -> None:
    keys = [issue(world) for _ in range(3)]
    made = rule(world)
    call(world, "bo", "automation.run", id=made["id"])
    assert "Would have run 3 times" in log(world)[-1]["message"]
    assert [field(world, key) for key in keys] == ["none"] * 3


def test_a_deleted_rule_takes_its_log_along(world: World) -> None:
    made = rule(world)
    issue(world)
    assert len(log(world)) == 1
    assert call(world, "bo", "automation.delete", id=made["id"]) == {"id": made["id"], "deleted": True}
    assert (log(world), call(world, "bo", "automation.list")) == ([], [])
    with refused("not-found"):
        call(world, "bo", "automation.log", rule=made["id"])


def test_the_catalogue_names_what_may_be_and_its_presets_can_be_saved(world: World) -> None:
    found = call(world, "cy", "automation.catalog")
    assert {"issues.update", "comments.create"} <= set(found["ops"])
    assert not {"approvals.decide", "automation.save", "issues.bulk"} & set(found["ops"])
    for preset in found["general"]:
        assert rule(world, actions=preset["actions"])["enabled"]
    with refused("insufficient-scope"):
        call(world, "gus", "automation.catalog")
