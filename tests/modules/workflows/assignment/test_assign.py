"""Which workflow a project moves along, trying a way out, and how often the ways are taken."""

from typing import Any

import pytest

from kbwork.contract.kbwork_client import KbworkProblem
from tests.conftest import World
from tests.modules.calls import refused
from tests.modules.workflows.sample_workflows import flow, in_force


def used_by(world: World, workflow: int, who: str = "bo") -> dict[str, list[str]]:
    found = world.key(who).call("workflows.get", {"id": workflow})["used_by"]
    return {use["project"]: use["types"] for use in found}


def test_a_project_moves_along_another_workflow(world: World) -> None:
    bo, cy = world.key("bo"), world.key("cy")
    bo.call("workflows.save", flow())
    cy.issues.create(project="WEB", title="One", status="in_review")
    cy.issues.create(project="WEB", title="Two", status="in_review", type="bug")
    asked: dict[str, Any] = {"id": 2, "project": "web", "types": ["Bug", "bug"]}
    with pytest.raises(KbworkProblem) as refusal:
        bo.call("workflows.assign", asked)
    assert (refusal.value.slug, refusal.value.extra["statuses"]) == ("conflict", ["in_review"])
    asked["statuses"] = {"in_review": "done"}
    answer = {
        "moved": {"in_review": {"to": "done", "issues": 1}},
        "warnings": ["1 issues in In review (in_progress) come to stand in Done (done)."],
    }
    seq = world.database.seq
    assert bo.call("workflows.assign", asked | {"dry_run": True}) == answer
    assert (world.events_since(seq), used_by(world, 2)) == ([], {})
    assert bo.call("workflows.assign", asked) == answer
    assert world.events_since(seq) == [
        ("workflow.assigned", "project:WEB"),
        ("issue.updated", "issue:2"),
        ("issue.transitioned", "issue:2"),
    ]
    event = cy.api.changes(since=seq)["events"][0]
    assert event["payload"] == {
        "id": 2,
        "name": "Short",
        "project": "WEB",
        "types": ["bug"],
        "changes": {"workflow": {"from": {"bug": "Standard"}, "to": {"bug": "Short"}}},
    }
    assert (used_by(world, 2), [i["lane"] for i in cy.issues.list(project="WEB")["items"]]) == (
        {"WEB": ["bug"]},
        ["in_review", "done"],
    )
    bo.undo.apply(seq=seq + 1)
    assert (used_by(world, 2), [i["lane"] for i in cy.issues.list(project="WEB")["items"]]) == (
        {},
        ["in_review", "in_review"],
    )


def test_without_types_all_follow_and_those_that_come_later_too(world: World) -> None:
    bo = world.key("bo")
    bo.call("types.save", {"key": "bug", "name": "Bug", "workflow": 1})
    in_force(world)
    bo.call("types.save", {"key": "idea", "name": "Idea"})
    bo.call("types.projects_set", {"project": "WEB", "types": ["task", "bug", "idea"]})
    assert used_by(world, 2) == {"WEB": ["task", "bug", "idea"]}
    assert bo.call("workflows.assign", {"id": 2, "project": "WEB"}) == {
        "moved": {},
        "warnings": [f"{name} moves along Short already." for name in ("Task", "Bug", "Idea")],
    }
    seq = world.database.seq
    bo.call("workflows.assign", {"id": 2, "project": "WEB"})
    assert world.events_since(seq) == []


def test_what_cannot_be_assigned_is_refused(world: World) -> None:
    bo = world.key("bo")
    for project in ("NONE", "PRV"):
        with refused("not-found"):
            bo.call("workflows.assign", {"id": 1, "project": project})
    for wrong in ({"types": ["ideas"]}, {"statuses": {"nowhere": "done"}}, {"statuses": {"todo": "done"}}):
        with refused("invalid-input"):
            bo.call("workflows.assign", {"id": 1, "project": "WEB", **wrong})
    world.database.write_now(lambda tx: tx.update("project", 2, archived_at=5))
    with refused("conflict"):
        bo.call("workflows.assign", {"id": 1, "project": "SEC"})


@pytest.mark.parametrize("some", [{"types": ["task"]}, {}])
def test_undo_does_not_leave_issues_outside_their_workflow(world: World, some: dict[str, Any]) -> None:
    bo, cy = world.key("bo"), world.key("cy")
    asked = flow() | {"lanes": ["todo", "in_progress", "done", "extra"]}
    bo.call("lanes.save", {"key": "extra", "name": "Extra", "category": "in_progress"})
    asked["transitions"] += [
        {"name": "More", "from": ["todo"], "to": "extra"},
        {"name": "Enough", "from": ["extra"], "to": "done"},
    ]
    bo.call("workflows.save", asked)
    seq = world.database.seq
    bo.call("workflows.assign", {"id": 2, "project": "WEB", **some})
    cy.issues.create(project="WEB", title="One", status="extra")
    with refused("conflict"):
        bo.undo.apply(seq=seq + 1)


def test_the_workflow_of_a_type_changes_only_where_its_lanes_hold(world: World) -> None:
    bo, cy = world.key("bo"), world.key("cy")
    bo.call("workflows.save", flow())
    cy.issues.create(project="WEB", title="One", status="in_review", type="bug")
    with refused("conflict"):
        bo.call("types.save", {"key": "bug", "name": "Bug", "workflow": 2})
    cy.issues.transition(key="WEB-1", to_status="done")
    bo.call("types.save", {"key": "bug", "name": "Bug", "workflow": 2})
    assert used_by(world, 2) == {"SEC": ["bug"], "WEB": ["bug"]}


def rules(answer: dict[str, Any]) -> dict[str, bool]:
    return {step["rule"]: step["passed"] for step in answer["steps"]}


def test_a_way_can_be_tried_rule_by_rule(world: World) -> None:
    bo, cy = world.key("bo"), world.key("cy")
    in_force(
        world,
        **{
            "if": [{"field": "priority", "op": "=", "value": "high"}],
            "who": ["lead"],
            "check": [{"field": "estimate", "op": "not_empty", "message": "Estimate it"}],
            "ask": [{"field": "due", "required": True}],
            "approvers": ["@ana"],
        },
    )
    cy.issues.create(project="WEB", title="One", priority="high")
    asked = {"id": 2, "key": "WEB-1", "to_status": "in_progress"}
    passed = {"transition", "edit", "if", "ask", "blockers"}
    answer = cy.call("workflows.simulate", asked)
    assert answer["allowed"] is False
    assert rules(answer) == {
        name: name in passed
        for name in ("transition", "edit", "if", "who", "ask", "check", "blockers", "approvers")
    }
    assert {"rule": "check", "passed": False, "detail": "Estimate it (estimate is not empty)"} in answer[
        "steps"
    ]
    assert rules(bo.call("workflows.simulate", asked))["who"] is True
    assert rules(bo.call("workflows.simulate", asked | {"as": "@cy"}))["who"] is False
    assert cy.call("workflows.simulate", {"id": 1, "key": "WEB-1", "to_status": "done"})["allowed"] is True
    assert cy.call("workflows.simulate", asked | {"to_status": "To do"}) == {
        "allowed": True,
        "steps": [
            {"rule": "transition", "passed": True, "detail": "it stands in To do already, which is no change"}
        ],
    }
    assert cy.call("workflows.simulate", asked | {"to_status": "done"}) == {
        "allowed": False,
        "steps": [
            {
                "rule": "transition",
                "passed": False,
                "detail": "no transition of Short leads from To do to Done",
            }
        ],
    }
    assert cy.call("workflows.simulate", {"id": 2, "to_status": "in_progress"})["allowed"] is True


def test_trying_a_way_is_for_who_sees_the_issue_and_as_somebody_for_admins(world: World) -> None:
    bo, cy = world.key("bo"), world.key("cy")
    cy.issues.create(project="SEC", title="Cy's")
    asked = {"id": 1, "key": "SEC-1", "to_status": "done"}
    with refused("not-found"):
        world.key("di").call("workflows.simulate", asked)
    with refused("not-allowed"):
        cy.call("workflows.simulate", asked | {"as": "@di"})
    answer = bo.call("workflows.simulate", asked | {"as": "@di"})
    assert (answer["allowed"], rules(answer)) == (False, {"see": False})
    for wrong in ({"as": "@nobody"}, {"to_status": "nowhere"}):
        with refused("invalid-input"):
            bo.call("workflows.simulate", asked | wrong)
    with refused("not-found"):
        bo.call("workflows.simulate", asked | {"id": 9})


def test_stats_count_the_ways_that_one_sees(world: World) -> None:
    cy = world.key("cy")
    in_force(world)
    for number in (1, 2, 3):
        cy.issues.create(project="WEB", title=f"{number}", level="private" if number == 3 else None)
        world.clock.advance(3600 * number)
        cy.issues.transition(key=f"WEB-{number}", to_status="in_progress")
    cy.issues.transition(key="WEB-1", to_status="done")
    assert cy.call("workflows.stats", {"id": 2}) == [
        {"from": "todo", "to": "in_progress", "count": 3, "median_hours": 2.0},
        {"from": "in_progress", "to": "done", "count": 1, "median_hours": 5.0},
        {"from": "done", "to": "todo", "count": 0, "median_hours": None},
    ]
    assert world.key("di").call("workflows.stats", {"id": 2})[0] == {
        "from": "todo",
        "to": "in_progress",
        "count": 2,
        "median_hours": 1.5,
    }
    world.clock.advance(3 * 24 * 3600)
    assert [way["count"] for way in cy.call("workflows.stats", {"id": 2, "days": 2})] == [0, 0, 0]
    with refused("not-found"):
        world.key("gus").call("workflows.stats", {"id": 2})
