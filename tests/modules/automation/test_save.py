"""What is saved is checked, and rules by hand, by times and by states run as those by events."""

from typing import Any

import pytest

from kbwork.base.errors import NotAllowed
from kbwork.db.tx import Write
from kbwork.modules.automation.engine import states
from tests.conftest import World
from tests.modules.automation.rules import CREATED, RAISE, field, issue, log, one, rule, said, work
from tests.modules.automation.test_ingest import key_of
from tests.modules.calls import call, eventually, refused
from tests.modules.grants import ConnectedClient

SAY = {"op": "comments.create", "input": {"subject": "{{issue}}", "body": "Still?"}}


@pytest.mark.parametrize(
    ("more", "place", "text"),
    [
        ({"actions": [{"op": "issues.updat"}]}, "actions[0].op", "issues.update"),
        ({"actions": [{"op": "approvals.decide", "input": {"id": 1}}]}, "actions[0].op", "people"),
        ({"actions": [{"op": "automation.run", "input": {"id": 1}}]}, "actions[0].op", "rules"),
        ({"actions": [RAISE | {"apply": True}]}, "actions[0].apply", "AI"),
        ({"actions": [{"op": "issues.update", "input": {"key": "{{kee}}"}}]}, "actions[0].input", "{{key}}"),
        ({"actions": [RAISE | {"each": "parent = {{title}}"}]}, "actions[0].each", "{{key}}"),
        ({"actions": [{"op": "issues.update", "input": {"priority": 7}}]}, "actions[0].input", "priority"),
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


@pytest.mark.parametrize("missing", ["name", "trigger", "actions"])
def test_a_new_rule_has_a_name_a_trigger_and_actions(world: World, missing: str) -> None:
    value = {"name": "Raise", "trigger": CREATED, "actions": [RAISE]}
    with refused("invalid-input") as told:
        call(
            world,
            "bo",
            "automation.save",
            **{name: given for name, given in value.items() if name != missing},
        )
    assert [error["path"] for error in told.value.errors] == [missing]


def test_an_org_has_so_many_rules_at_most(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kbwork.modules.automation.ops.MOST", 1)
    made = rule(world)
    with refused("conflict"):
        rule(world)
    assert call(world, "bo", "automation.save", id=made["id"], name="Other")["name"] == "Other"


def test_what_is_saved_and_deleted_is_told_to_admins_by_its_name(world: World) -> None:
    seq = world.database.seq
    made = rule(world)
    subject = f"rule:{made['id']}"
    call(world, "bo", "automation.save", id=made["id"], name="Raise", actions=[RAISE])  # it is so already
    call(world, "bo", "automation.save", id=made["id"], name="Lift", enabled=False)
    call(world, "ana", "automation.delete", id=made["id"])
    told = call(world, "ana", "api.changes", since=seq)["events"]
    assert [(one["kind"], one["subject"], one["payload"]) for one in told] == [
        ("rule.saved", subject, {"name": "Raise"}),
        ("rule.saved", subject, {"name": "Lift", "changed": ["enabled", "name"]}),
        ("rule.deleted", subject, {"name": "Lift"}),
    ]
    assert call(world, "cy", "api.changes", since=seq)["events"] == []


def test_a_rule_that_is_not_there_is_not_found(world: World) -> None:
    for op in ("save", "delete", "run", "log"):
        with refused("not-found"):
            call(world, "bo", f"automation.{op}", **{"rule" if op == "log" else "id": 7})


@pytest.mark.parametrize("who", ["cy", "gus"])
def test_admins_alone_keep_and_run_rules(world: World, who: str) -> None:
    made = rule(world)
    for op in ("save", "delete", "run"):
        with refused("insufficient-scope"):
            call(world, who, f"automation.{op}", id=made["id"])
    assert one(world, made["id"])["enabled"]
    for op in ("list", "log"):
        with refused("insufficient-scope"):
            call(world, "gus", f"automation.{op}")


def test_who_sees_less_than_their_member_keeps_and_runs_none(world: World) -> None:
    """A rule would do more than they may."""
    made = rule(world, trigger={"kind": "button", "label": "Go", "tql": "project = WEB"})
    client = ConnectedClient(world, "bo", ["automation", "issues"])
    with key_of(world, "bo", scopes=["admin", "automation:read", "issues:write"], projects="[1]") as key:
        for op in ("save", "delete", "run"):
            with pytest.raises(NotAllowed):
                client.call(f"automation.{op}", id=made["id"])
            with refused("not-allowed"):
                key.call(f"automation.{op}", {"id": made["id"]})
    assert one(world, made["id"])["runs"] == 0


def test_one_by_hand_is_refused_where_it_is_off_ran_often_or_lost_its_author(world: World) -> None:
    key = issue(world)
    go = {"op": "issues.update", "input": {"key": key, "priority": "high"}}
    made = rule(world, trigger={"kind": "button", "label": "Go"}, actions=[go])
    for _ in range(10):
        call(world, "ana", "automation.run", id=made["id"])
    with refused("conflict"):
        call(world, "ana", "automation.run", id=made["id"])
    world.advance(61)
    call(world, "ana", "automation.run", id=made["id"])
    call(world, "bo", "automation.save", id=made["id"], enabled=False)
    with refused("conflict"):
        call(world, "ana", "automation.run", id=made["id"])
    lost = rule(world, trigger={"kind": "button", "label": "Go"}, actions=[go])
    with world.at_rest():
        call(world, "ana", "members.update", id=world.people["bo"].id, role="member")
        with refused("conflict") as told:
            call(world, "ana", "automation.run", id=lost["id"])
    assert "admin" in told.value.detail
