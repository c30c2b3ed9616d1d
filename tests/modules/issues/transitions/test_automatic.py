"""Transitions that ask in the query language, and those that run by themselves."""

from typing import Any

import pytest

from kbwork.contract.kbwork_client import KbworkProblem
from tests.conftest import World
from tests.modules.calls import refused
from tests.modules.test_replacement import crowd
from tests.modules.workflows.sample_workflows import flow, in_force


def made(world: World, who: str = "cy", **more: Any) -> str:
    return str(world.key(who).call("issues.create", {"project": "WEB", "title": "One", **more})["key"])


def lane(world: World, key: str = "WEB-1") -> str:
    return str(world.key("cy").issues.get(key=key)["lane"])


def save(world: World, *transitions: dict[str, Any]) -> None:
    """A workflow of these transitions beside those of `flow`, along which WEB moves."""
    asked = flow()
    asked["transitions"] += [
        {"name": f"By itself {number}"} | each for number, each in enumerate(transitions)
    ]
    world.key("bo").call("workflows.save", asked)
    world.key("bo").call("workflows.assign", {"id": 2, "project": "WEB"})


def test_a_condition_may_be_a_query(world: World) -> None:
    cy = world.key("cy")
    in_force(
        world,
        **{"if": [{"tql": "type = bug"}]},
        check=[{"any": [{"tql": "estimate > 2"}, {"role": "lead"}], "message": "Too small"}],
    )
    made(world)
    assert cy.call("issues.transitions", {"key": "WEB-1"}) == []
    made(world, type="bug", estimate=1)
    (way,) = cy.call("issues.transitions", {"key": "WEB-2"})
    assert (way["allowed"], way["why"]) == (False, "Too small ((estimate > 2 or you are lead))")
    with refused("workflow-refused"):
        cy.issues.transition(key="WEB-2", to_status="in_progress")
    assert world.key("bo").issues.transition(key="WEB-2", to_status="in_progress")["lane"] == "in_progress"
    made(world, type="bug", estimate=3, status="in_progress")
    answer = cy.call("workflows.simulate", {"id": 2, "key": "WEB-1", "to_status": "in_progress"})
    assert answer["allowed"] is False


@pytest.mark.parametrize(
    ("start", "slug"),
    [
        ({"auto_when": "type ="}, "tql-syntax"),
        ({"if": [{"tql": "type = nothing"}]}, "tql-name"),
        ({"check": [{"tql": ""}]}, "invalid-input"),
        (
            {"then": [{"op": "issues.vote", "input": {"key": "{{key}}", "on": True}, "each": "nothing = 1"}]},
            "tql-name",
        ),
        (
            {
                "then": [
                    {
                        "op": "issues.vote",
                        "input": {"key": "{{key}}", "on": True},
                        "each": "title ~ '{{title}}'",
                    }
                ]
            },
            "invalid-input",
        ),
    ],
)
def test_a_query_that_cannot_be_asked_is_refused(world: World, start: dict[str, Any], slug: str) -> None:
    with refused(slug):
        world.key("bo").call("workflows.save", flow(**start))


def test_an_edit_that_makes_it_true_moves_the_issue_by_itself(world: World) -> None:
    cy = world.key("cy")
    save(world, {"from": ["todo"], "to": "in_progress", "auto_when": "estimate > 2"})
    made(world)
    seq = world.database.seq
    cy.issues.update(key="WEB-1", estimate=1)
    assert (lane(world), len(world.events_since(seq))) == ("todo", 1)
    seq = world.database.seq
    moved = cy.issues.update(key="WEB-1", estimate=3)
    assert (moved["lane"], moved["estimate"]) == ("in_progress", 3)
    events = cy.api.changes(since=seq)["events"]
    assert [event["kind"] for event in events] == ["issue.updated", "issue.updated", "issue.transitioned"]
    told = events[-1]
    assert (told["actor"], told["payload"]["auto"], told["payload"]["transition"]) == (
        world.people["cy"].id,
        True,
        "by_itself_0",
    )
    cy.undo.apply(seq=seq + 1)
    back = cy.issues.get(key="WEB-1")
    assert (back["lane"], back["estimate"]) == ("todo", 1)


def test_what_was_true_before_moves_nothing(world: World) -> None:
    cy = world.key("cy")
    save(world, {"from": ["todo"], "to": "in_progress", "auto_when": "estimate > 2"})
    made(world)
    cy.issues.update(key="WEB-1", estimate=3)
    for to in ("done", "todo"):
        cy.issues.transition(key="WEB-1", to_status=to)
    assert lane(world) == "todo"
    cy.issues.update(key="WEB-1", title="Two")
    assert lane(world) == "todo"
    cy.issues.update(key="WEB-1", estimate=None)
    cy.issues.update(key="WEB-1", estimate=8)
    assert lane(world) == "in_progress"


def test_making_assigning_and_moving_move_it_on_too(world: World) -> None:
    cy = world.key("cy")
    save(
        world,
        {"from": ["todo"], "to": "in_progress", "auto_when": "assignee = me()"},
        {"from": ["in_progress"], "to": "done", "auto_when": "status = 'In progress' and priority = low"},
    )
    made(world, assignees=["me"])
    assert lane(world) == "in_progress"
    made(world)
    cy.issues.assign(key="WEB-2", assignees=["me"])
    assert lane(world, "WEB-2") == "in_progress"
    made(world, priority="low")
    cy.issues.transition(key="WEB-3", to_status="in_progress")
    assert lane(world, "WEB-3") == "done"


def test_five_at_most_run_in_a_row(world: World) -> None:
    cy = world.key("cy")
    save(
        world,
        {"from": ["todo"], "to": "in_progress", "auto_when": "priority = high"},
        {"from": ["in_progress"], "to": "done", "auto_when": "priority = high"},
        {"from": ["done"], "to": "todo", "auto_when": "priority = high"},
    )
    made(world)
    seq = world.database.seq
    cy.issues.update(key="WEB-1", priority="high")
    kinds = [kind for kind, _ in world.events_since(seq)]
    assert (kinds.count("issue.transitioned"), lane(world)) == (5, "done")
    cy.undo.apply(seq=seq + 1)
    assert lane(world) == "todo"


def test_one_that_a_rule_refuses_leaves_the_edit(world: World) -> None:
    cy = world.key("cy")
    rules: list[dict[str, Any]] = [
        {"check": [{"field": "due", "op": "not_empty"}]},
        {"ask": [{"field": "due", "required": True}]},
        {"approvers": ["@ana"]},
        {"then": [{"op": "issues.lock", "input": {"key": "{{key}}", "on": True}}]},
    ]
    auto = {"from": ["todo"], "to": "in_progress", "auto_when": "estimate > 2"}
    save(world, auto)
    for number, rule in enumerate(rules, 1):
        asked = flow()
        asked["transitions"].append({"name": "By itself", **auto, **rule})
        world.key("bo").call("workflows.save", asked | {"id": 2})
        made(world)
        seq = world.database.seq
        cy.issues.update(key=f"WEB-{number}", estimate=3)
        assert ([kind for kind, _ in world.events_since(seq)], lane(world, f"WEB-{number}")) == (
            ["issue.updated"],
            "todo",
        )


def test_where_one_is_refused_the_next_may_run(world: World) -> None:
    auto = {"from": ["todo"], "auto_when": "estimate > 2"}
    save(world, auto | {"to": "in_progress", "approvers": ["@ana"]}, auto | {"to": "done"})
    made(world)
    assert world.key("cy").issues.update(key="WEB-1", estimate=3)["lane"] == "done"


def test_who_is_not_asked_where_nobody_moves_it(world: World) -> None:
    save(world, {"from": ["todo"], "to": "in_progress", "auto_when": "estimate > 2", "who": ["owner"]})
    made(world)
    assert world.key("cy").issues.update(key="WEB-1", estimate=3)["lane"] == "in_progress"


@pytest.mark.parametrize(
    ("then", "told"),
    [
        ([], {"estimate", "title", "status"}),
        ([{"op": "issues.lock", "input": {"key": "{{key}}", "on": True}}], {"estimate", "title"}),
    ],
)
def test_a_bulk_change_tells_once_what_it_set_going(
    world: World, then: list[dict[str, Any]], told: set[str]
) -> None:
    save(world, {"from": ["todo"], "to": "in_progress"})
    asked = flow()
    auto = {"name": "By itself", "from": ["todo"], "to": "in_progress", "auto_when": "estimate > 2"}
    asked["transitions"].append({**auto, "then": then})
    world.key("bo").call("workflows.save", asked | {"id": 2})
    made(world)
    seq = world.database.seq
    world.key("cy").issues.bulk(keys=["WEB-1"], changes={"estimate": 3, "title": "Other"})
    events = world.key("ana").api.changes(since=seq)["events"]
    updated = [event["payload"]["changes"] for event in events if event["kind"] == "issue.updated"]
    assert [set(changed) for changed in updated] == [told]


def test_an_action_runs_for_each_issue_that_fits(world: World) -> None:
    cy = world.key("cy")
    action = {
        "op": "comments.create",
        "input": {"subject": "{{issue}}", "body": "{{trigger.key}} began before {{key}}"},
        "each": "parent = {{key}}",
    }
    in_force(world, then=[action])
    assert (
        world.key("bo").call("workflows.get", {"id": 2})["transitions"][0]["then"][0]["each"]
        == "parent = {{key}}"
    )
    epic = made(world, type="epic")
    for _ in range(2):
        made(world, parent=epic)
    made(world)
    cy.issues.transition(key=epic, to_status="in_progress")
    found = {
        key: [each["body"] for each in cy.comments.list(subject=key)] for key in ("WEB-2", "WEB-3", "WEB-4")
    }
    assert found == {
        "WEB-2": ["WEB-1 began before WEB-2"],
        "WEB-3": ["WEB-1 began before WEB-3"],
        "WEB-4": [],
    }


def test_what_one_move_sets_going_has_a_bound(world: World) -> None:
    made(world, "bo")
    crowd(world, 120)
    act = {"op": "issues.vote", "input": {"key": "{{key}}", "on": True}, "each": "project = WEB"}
    in_force(world, then=[act] * 9)
    seq = world.database.seq
    with pytest.raises(KbworkProblem) as refusal:
        world.key("cy").issues.transition(key="WEB-1", to_status="in_progress")
    assert (refusal.value.slug, refusal.value.extra["rule"]) == ("workflow-refused", "then")
    assert (world.events_since(seq), lane(world)) == ([], "todo")
