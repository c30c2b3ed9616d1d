"""Transitions that obey their workflow: who may go, what hides one, what refuses it, and what it asks for."""

from typing import Any

import pytest

from kbwork.contract.kbwork_client import KbworkProblem
from tests.conftest import NOW, World
from tests.modules.calls import refused
from tests.modules.together import slugs, together
from tests.modules.workflows.sample_workflows import flow, in_force


def go(world: World, who: str, key: str = "WEB-1", to: str = "in_progress", **more: Any) -> Any:
    return world.key(who).call("issues.transition", {"key": key, "to_status": to, **more})


def ways(world: World, who: str, key: str = "WEB-1") -> dict[str, str | None]:
    """Lane -> why the way there is closed, None where it is open."""
    found = world.key(who).call("issues.transitions", {"key": key})
    assert world.key(who).issues.get(key=key, with_=["transitions"])["transitions"] == found
    return {way["to_status"]: way["why"] for way in found}


def made(world: World, who: str = "cy", **more: Any) -> str:
    return str(world.key(who).call("issues.create", {"project": "WEB", "title": "One", **more})["key"])


def refusal_of(world: World, who: str, **more: Any) -> KbworkProblem:
    with pytest.raises(KbworkProblem) as refusal:
        go(world, who, **more)
    return refusal.value


@pytest.mark.parametrize(
    ("who", "may"),
    [
        (["lead"], {"ana", "bo"}),
        (["admin"], {"ana", "bo"}),
        (["owner"], {"ana"}),
        (["member"], {"ana", "bo", "cy", "di"}),
        (["reporter"], {"cy"}),
        (["assignee"], {"di"}),
        (["reporter", "owner"], {"ana", "cy"}),
        (["team:1"], {"bo", "di"}),
        (["team:admins"], {"ana", "bo"}),
        (["guest"], set()),
        ([], {"ana", "bo", "cy", "di"}),
    ],
)
def test_who_goes_a_way_is_said_by_role_team_and_part_in_the_issue(
    world: World, who: list[str], may: set[str]
) -> None:
    world.key("bo").call("teams.save", {"name": "Shop"})
    world.key("bo").call("teams.member_set", {"id": 1, "who": "@di", "role": "member"})
    in_force(world, who=who)
    made(world, assignees=["@di"])
    people = ("ana", "bo", "cy", "di")
    assert {each for each in people if ways(world, each)["in_progress"] is None} == may
    seq = world.database.seq
    for each in people:
        if each not in may:
            refusal = refusal_of(world, each)
            assert (refusal.slug, refusal.extra["rule"]) == ("workflow-refused", "who")
    assert world.events_since(seq) == []
    for each in may:
        go(world, each)


def test_who_narrows_and_never_widens(world: World) -> None:
    in_force(world, "SEC", who=["assignee"])
    world.key("cy").call("issues.create", {"project": "SEC", "title": "One", "assignees": ["@di"]})
    with refused("not-allowed"):
        go(world, "di", "SEC-1")
    assert list(ways(world, "di", "SEC-1").values()) == [
        "this needs the role member in the project, and an issue that is not archived"
    ]


def test_a_condition_that_fails_hides_the_transition(world: World) -> None:
    in_force(world, **{"if": [{"field": "priority", "op": "in", "value": ["high", "urgent"]}]})
    made(world)
    assert ways(world, "cy") == {}
    refusal = refusal_of(world, "cy")
    assert (refusal.slug, refusal.extra["rule"]) == ("workflow-refused", "no-transition")
    world.key("cy").issues.update(key="WEB-1", priority="high")
    assert ways(world, "cy") == {"in_progress": None}
    assert go(world, "cy")["lane"] == "in_progress"


def test_conditions_ask_roles_own_fields_and_several_things_at_once(world: World) -> None:
    bo, cy = world.key("bo"), world.key("cy")
    bo.call("fields.save", {"key": "severity", "name": "Severity", "kind": "select"})
    bo.call("fields.options_set", {"key": "severity", "options": [{"name": "High"}, {"name": "Low"}]})
    condition = {
        "all": [
            {"any": [{"role": "lead"}, {"field": "title", "op": "~", "value": "two"}]},
            {"field": "severity", "op": "=", "value": "High"},
        ]
    }
    in_force(world, **{"if": [condition]})
    assert bo.call("workflows.get", {"id": 2})["transitions"][0]["if"] == [condition]
    made(world, values={"severity": "Low"})
    assert ways(world, "bo") == {}
    cy.issues.update(key="WEB-1", values={"severity": "High"})
    assert (ways(world, "cy"), ways(world, "bo")) == ({}, {"in_progress": None})
    cy.issues.update(key="WEB-1", title="Two", values={"severity": "Low"})
    assert ways(world, "cy") == {}
    bo.call("fields.delete", {"key": "severity"})
    assert bo.call("workflows.get", {"id": 2})["transitions"][0]["if"][0]["all"][1]["field"] is None
    assert go(world, "di")["lane"] == "in_progress"
    made(world)
    assert ways(world, "di", "WEB-2") == {}


def test_a_check_that_fails_refuses_with_its_message_and_the_rule(world: World) -> None:
    in_force(
        world,
        check=[
            {"field": "estimate", "op": ">", "value": 2, "message": "Say how large it is"},
            {"field": "assignee", "op": "not_empty"},
        ],
    )
    made(world, estimate=1)
    assert ways(world, "cy") == {"in_progress": "Say how large it is (estimate > 2)"}
    refusal = refusal_of(world, "cy")
    assert (refusal.slug, refusal.detail, refusal.extra["rule"]) == (
        "workflow-refused",
        "Say how large it is (estimate > 2)",
        "check",
    )
    world.key("cy").issues.update(key="WEB-1", estimate=3)
    assert refusal_of(world, "cy").detail == "It asks that assignee is not empty"
    world.key("cy").issues.assign(key="WEB-1", assignees=["me"])
    assert go(world, "cy")["lane"] == "in_progress"


def test_of_several_ways_to_one_lane_the_first_open_one_counts(world: World) -> None:
    asked = flow(who=["owner"])
    asked["transitions"].append(
        {"name": "Just begin", "from": ["*"], "to": "in_progress", "who": ["reporter"]}
    )
    world.key("bo").call("workflows.save", asked)
    world.key("bo").call("workflows.assign", {"id": 2, "project": "WEB"})
    made(world)
    seq = world.database.seq
    go(world, "cy")
    event = world.key("cy").api.changes(since=seq)["events"][-1]
    assert event["payload"]["transition"] == "just_begin"
    made(world)
    assert refusal_of(world, "di", key="WEB-2").detail == "Start work is for owner."


ASKED: list[tuple[str, Any, str, Any]] = [
    ("title", "Two", "title", "Two"),
    ("body", "Words", "body", "Words"),
    ("assignee", ["@di"], "assignees", ["di"]),
    ("assignees", "@di", "assignees", ["di"]),
    ("priority", "high", "priority", "high"),
    ("labels", ["bug"], "labels", ["bug"]),
    ("component", "Cart", "components", ["Cart"]),
    ("estimate", 3, "estimate", 3.0),
    ("start", "2027-01-01", "start_date", "2027-01-01"),
    ("due_date", "2027-01-02", "due_date", "2027-01-02"),
    ("parent", "WEB-2", "parent", "WEB-2"),
    ("severity", "High", "values", {"severity": "High"}),
]


@pytest.mark.parametrize(("name", "value", "member", "held"), ASKED)
def test_a_transition_asks_for_fields_on_the_way(
    world: World, name: str, value: Any, member: str, held: Any
) -> None:
    bo = world.key("bo")
    bo.call("labels.save", {"name": "bug"})
    bo.call("components.save", {"project": "WEB", "name": "Cart"})
    bo.call("fields.save", {"key": "severity", "name": "Severity", "kind": "select"})
    bo.call("fields.options_set", {"key": "severity", "options": [{"name": "High"}]})
    in_force(world, ask=[{"field": name, "required": True}])
    made(world)
    made(world, type="epic")
    (way,) = world.key("cy").call("issues.transitions", {"key": "WEB-1"})
    (field,) = way["fields"]
    assert (way["allowed"], field["required"], set(field)) == (
        True,
        True,
        {"field", "name", "kind", "required"},
    )
    canonical = field["field"]
    if canonical != "title":
        refusal = refusal_of(world, "cy")
        assert (refusal.slug, refusal.extra["errors"][0]["path"]) == ("invalid-input", f"values.{canonical}")
        assert refusal_of(world, "cy", values={name: None}).slug == "invalid-input"
    moved = go(world, "cy", values={name: value})
    people = [world.people["di"].id] if held == ["di"] else held
    assert (moved["lane"], moved[member]) == ("in_progress", people)


def test_what_is_held_already_need_not_be_given_and_the_rest_may(world: World) -> None:
    in_force(world, ask=[{"field": "estimate", "required": True}, {"field": "due"}])
    made(world, estimate=2)
    made(world, estimate=2)
    assert go(world, "cy")["lane"] == "in_progress"
    refusal = refusal_of(world, "cy", key="WEB-2", values={"estimate": None})
    assert refusal.extra["errors"] == [{"path": "values.estimate", "message": "Estimate is required here"}]
    moved = go(world, "cy", "WEB-2", values={"due": "2027-01-01"})
    assert (moved["due_date"], moved["estimate"]) == ("2027-01-01", 2)


def test_values_and_move_are_told_and_taken_back_as_one(world: World) -> None:
    cy = world.key("cy")
    in_force(
        world, ask=[{"field": "estimate"}, {"field": "assignee"}, {"field": "comment", "required": True}]
    )
    made(world)
    before = cy.issues.get(key="WEB-1")
    seq = world.database.seq
    go(world, "cy", values={"estimate": 3, "assignee": ["@di"], "comment": "Off it goes"})
    assert world.events_since(seq) == [
        ("issue.updated", "issue:1"),
        ("issue.updated", "issue:1"),
        ("issue.assigned", "issue:1"),
        ("issue.updated", "issue:1"),
        ("issue.transitioned", "issue:1"),
        ("comment.created", "issue:1"),
    ]
    cy.undo.apply(seq=seq + 1)
    after = cy.issues.get(key="WEB-1")
    assert {n: after[n] for n in ("lane", "estimate", "assignees")} == {
        n: before[n] for n in ("lane", "estimate", "assignees")
    }


@pytest.mark.parametrize(
    ("values", "path"),
    [
        ({"estmate": 3}, "values.estmate"),
        ({"title": "T"}, "values.title"),
        ({"estimate": "large"}, "values.estimate"),
        ({"due": "soon"}, "values.due"),
        ({"assignee": ["@nobody"]}, "values.assignee"),
        ({"label": ["none"]}, "values.label"),
        ({"points": "x"}, "values.points"),
    ],
)
def test_a_value_that_does_not_fit_is_refused_and_nothing_happens(
    world: World, values: dict[str, Any], path: str
) -> None:
    world.key("bo").call("fields.save", {"key": "points", "name": "Points", "kind": "number"})
    in_force(world, ask=[{"field": name} for name in ("estimate", "due", "assignee", "label", "Points")])
    made(world)
    seq = world.database.seq
    refusal = refusal_of(world, "cy", values={"estimate": 1} | values)
    assert (refusal.slug, refusal.extra["errors"][0]["path"]) == ("invalid-input", path)
    assert (world.events_since(seq), world.key("cy").issues.get(key="WEB-1")["estimate"]) == ([], None)


def test_a_required_outcome_or_comment_is_said_in_the_call(world: World) -> None:
    asked = flow()
    asked["transitions"][1]["ask"] = [
        {"field": "outcome", "required": True},
        {"field": "comment", "required": True},
    ]
    world.key("bo").call("workflows.save", asked)
    world.key("bo").call("workflows.assign", {"id": 2, "project": "WEB"})
    made(world, status="in_progress")
    refusal = refusal_of(world, "cy", to="done")
    assert [error["path"] for error in refusal.extra["errors"]] == ["values.outcome", "values.comment"]
    for outcome in ("wrong", 5):
        refusal = refusal_of(world, "cy", to="done", values={"outcome": outcome, "comment": "C"})
        assert refusal.extra["errors"][0]["path"] == "values.outcome"
    refusal = refusal_of(world, "cy", to="done", outcome="cancelled", values={"comment": 5})
    assert refusal.extra["errors"][0]["path"] == "values.comment"
    moved = go(world, "cy", to="done", outcome="cancelled", comment="No more")
    assert (moved["outcome"], moved["counts"]["comments"]) == ("cancelled", 1)


def test_a_field_that_the_issue_cannot_have_is_not_asked_for(world: World) -> None:
    bo = world.key("bo")
    bo.call("fields.save", {"key": "points", "name": "Points", "kind": "number", "types": ["bug"]})
    in_force(world, ask=[{"field": "points", "required": True}])
    made(world)
    assert world.key("cy").call("issues.transitions", {"key": "WEB-1"})[0]["fields"] == []
    assert go(world, "cy")["lane"] == "in_progress"
    made(world, type="bug")
    assert refusal_of(world, "cy", key="WEB-2").slug == "invalid-input"
    bo.call("fields.delete", {"key": "points"})
    assert bo.call("workflows.get", {"id": 2})["transitions"][0]["ask"] == []
    assert go(world, "cy", "WEB-2")["lane"] == "in_progress"


def test_checks_are_asked_of_what_the_values_make_of_it(world: World) -> None:
    in_force(
        world,
        ask=[{"field": "estimate"}],
        check=[
            {"field": "estimate", "op": ">", "value": 2},
            {"field": "estimate", "op": "changed", "message": "Estimate it anew"},
        ],
    )
    made(world, estimate=5)
    assert ways(world, "cy") == {"in_progress": None}
    assert refusal_of(world, "cy").detail == "Estimate it anew (estimate has changed)"
    assert refusal_of(world, "cy", values={"estimate": 1}).extra["rule"] == "check"
    assert world.key("cy").issues.get(key="WEB-1")["estimate"] == 5
    assert go(world, "cy", values={"estimate": 8})["estimate"] == 8


def test_approvers_are_shown_and_asked_first(world: World) -> None:
    bo = world.key("bo")
    bo.call("fields.save", {"key": "owner", "name": "Owner", "kind": "member"})
    in_force(
        world,
        approvers=["@ana", "team:admins", "field:Owner"],
        needed=2,
        self_approval=True,
        watch=["due", "Owner"],
    )
    transition = bo.call("workflows.get", {"id": 2})["transitions"][0]
    kept = {name: transition[name] for name in ("approvers", "needed", "self_approval", "watch")}
    approvers = [world.people["ana"].id, "team:admins", "field:owner"]
    assert kept == {"approvers": approvers, "needed": 2, "self_approval": True, "watch": ["due", "owner"]}
    made(world)
    (way,) = world.key("cy").call("issues.transitions", {"key": "WEB-1"})
    assert (way["allowed"], way["why"], way["approvers"]) == (False, "somebody has to approve it", approvers)
    assert refusal_of(world, "cy").slug == "approval-needed"
    with refused("approval-needed"):
        made(world, status="in_progress")


def test_an_issue_is_made_in_a_lane_only_where_the_way_there_is_open(world: World) -> None:
    in_force(
        world,
        who=["reporter"],
        ask=[{"field": "estimate", "required": True}],
        check=[{"field": "priority", "op": "=", "value": "high"}],
        **{"if": [{"field": "title", "op": "~", "value": "one"}]},
    )
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"title": "Two"}, "workflow-refused"),
        ({"priority": "low"}, "workflow-refused"),
        ({"estimate": None}, "invalid-input"),
        ({"status": "done"}, "workflow-refused"),
        ({"status": "in_review"}, "workflow-refused"),
    ]
    seq = world.database.seq
    for asked, slug in wrong:
        with refused(slug):
            made(world, "cy", **{"status": "in_progress", "priority": "high", "estimate": 1} | asked)
    assert world.events_since(seq) == []
    made(world, status="in_progress", priority="high", estimate=1)
    assert made(world) == "WEB-2"


def test_open_blockers_close_the_way_to_done_where_the_project_says_so(world: World) -> None:
    bo, cy = world.key("bo"), world.key("cy")
    made(world)
    made(world)
    cy.issues.relation_add(key="WEB-1", kind="blocks", to=["WEB-2"])
    bo.projects.update(key="WEB", blockers="refuse")
    closed = ways(world, "cy", "WEB-2")
    assert (closed["in_progress"], closed["done"]) == (
        None,
        "Open issues block WEB-2: WEB-1. Close them first, or take the relation away.",
    )
    assert refusal_of(world, "cy", key="WEB-2", to="done").extra["rule"] == "open-blockers"


def test_of_two_at_once_the_workflow_lets_one_through(world: World) -> None:
    asked = flow()
    asked["transitions"].append({"name": "Drop", "from": ["todo"], "to": "done"})
    asked["transitions"][1]["who"] = ["owner"]
    world.key("bo").call("workflows.save", asked)
    world.key("bo").call("workflows.assign", {"id": 2, "project": "WEB"})
    for number in range(4):
        key = made(world)
        answers = together(
            world,
            "cy",
            [("issues.transition", {"key": key, "to_status": lane}) for lane in ("in_progress", "done")],
        )
        assert slugs(answers) == ["workflow-refused"], number
    key, seq = made(world), world.database.seq
    answers = together(world, "cy", [("issues.transition", {"key": key, "to_status": "in_progress"})] * 3)
    assert slugs(answers) == []
    assert [kind for kind, _ in world.events_since(seq)] == ["issue.updated", "issue.transitioned"]


def test_a_stale_move_is_refused_with_what_is_there(world: World) -> None:
    in_force(world)
    key = made(world)
    seq = world.key("cy").issues.get(key=key)["seq"]
    go(world, "di", key)
    with refused("stale"):
        go(world, "cy", key, if_seq=seq)


def test_the_same_lane_is_no_move_and_takes_no_values(world: World) -> None:
    in_force(world)
    made(world)
    seq = world.database.seq
    assert go(world, "cy", to="To do")["status_at"] == NOW
    assert world.events_since(seq) == []
    with refused("invalid-input"):
        go(world, "cy", to="todo", values={"estimate": 1})
    with refused("invalid-input"):
        go(world, "cy", to="in_progress", outcome="cancelled")
    with refused("invalid-input"):
        go(world, "cy", to="nowhere")


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"who": ["boss"]}, "who[0]"),
    ({"who": ["team:9"]}, "who[0]"),
    ({"if": [{"field": "nothing", "op": "empty"}]}, "if[0].field"),
    ({"if": [{"field": "due", "op": "like", "value": "x"}]}, "if[0].op"),
    ({"if": [{"field": "due", "op": "changed"}]}, "if[0].op"),
    ({"if": [{"role": "boss"}]}, "if[0].role"),
    ({"if": [{"field": "due", "op": "=", "value": "x", "message": "M"}]}, "if[0]"),
    ({"check": [{"message": "M"}]}, "check[0]"),
    ({"check": [{"field": "due", "op": "empty", "message": 5}]}, "check[0].message"),
    ({"check": [{"all": [{"field": "due"}]}]}, "check[0].all[0]"),
    ({"ask": [{"field": "nothing"}]}, "ask[0].field"),
    ({"ask": [{"field": "due"}, {"field": "due_date"}]}, "ask[1].field"),
    ({"ask": [{"field": "total"}]}, "ask[0].field"),
    ({"approvers": ["@nobody"]}, "approvers[0]"),
    ({"approvers": ["team:9"]}, "approvers[0]"),
    ({"approvers": ["field:points"]}, "approvers[0]"),
    ({"approvers": ["@ana"], "needed": 2}, "needed"),
    ({"needed": 1}, "needed"),
    ({"watch": ["nothing"]}, "watch[0]"),
    ({"then": [{"op": "issues.nothing"}]}, "then[0].op"),
    ({"then": [{"op": "issues.list"}]}, "then[0].op"),
    ({"then": [{"op": "search.reindex"}]}, "then[0].op"),
    ({"then": [{"op": "issues.delete", "input": {"key": "WEB-1"}}]}, "then[0].op"),
    ({"then": [{"op": "issues.bulk", "input": {}}]}, "then[0].op"),
    ({"then": [{"op": "invites.create", "input": {}}]}, "then[0].op"),
    ({"then": [{"op": "keys.create", "input": {}}]}, "then[0].op"),
    ({"then": [{"op": "comments.create", "input": {"subject": "{{issue}}"}}]}, "then[0].input.body"),
    ({"then": [{"op": "comments.create", "input": {"subject": "{{isue}}", "body": "B"}}]}, "then[0].input"),
    (
        {"then": [{"op": "issues.update", "input": {"key": "{{key}}", "priority": "top"}}]},
        "then[0].input.priority",
    ),
    (
        {"then": [{"op": "issues.vote", "input": {"key": "{{key}}", "on": True}, "apply": True}]},
        "then[0].apply",
    ),
    ({"then": [{"op": "issues.vote", "delay_minutes": 5}]}, "then[0].delay_minutes"),
]


@pytest.mark.parametrize(("start", "path"), WRONG)
def test_a_rule_that_cannot_be_asked_is_refused(world: World, start: dict[str, Any], path: str) -> None:
    bo = world.key("bo")
    bo.call("fields.save", {"key": "points", "name": "Points", "kind": "number"})
    bo.call("fields.save", {"key": "total", "name": "Total", "kind": "formula", "formula": "points + 1"})
    with pytest.raises(KbworkProblem) as refusal:
        bo.call("workflows.save", flow(**start))
    assert (refusal.value.slug, refusal.value.extra["errors"][0]["path"]) == (
        "invalid-input",
        f"transitions[0].{path}",
    )


def test_an_unknown_field_of_an_action_names_the_nearest(world: World) -> None:
    action = {"op": "issues.update", "input": {"key": "{{key}}", "prioriti": "high"}}
    with pytest.raises(KbworkProblem) as refusal:
        world.key("bo").call("workflows.save", flow(then=[action]))
    assert (refusal.value.slug, refusal.value.extra["errors"][0]["path"]) == (
        "unknown-field",
        "transitions[0].then[0].input.prioriti",
    )


def test_what_is_done_behind_a_move_has_the_rights_of_who_moved_it(world: World) -> None:
    bo, cy = world.key("bo"), world.key("cy")
    then = [
        {
            "op": "comments.create",
            "input": {"subject": "{{issue}}", "body": "{{me.name}}: {{from}} to {{to}}"},
        },
        {"op": "issues.update", "input": {"key": "{{key}}", "due_date": "{{today+7d}}"}},
        {"op": "issues.assign", "input": {"key": "{{key}}", "assignees": ["{{reporter}}"]}},
    ]
    in_force(world, then=then)
    shown = bo.call("workflows.get", {"id": 2})["transitions"][0]["then"]
    assert shown == [
        one | {"each": None, "apply": False, "on_error": "stop", "delay_minutes": 0} for one in then
    ]
    made(world)
    seq = world.database.seq
    moved = go(world, "cy")
    assert (moved["due_date"], moved["assignees"]) == ("2027-01-22", [world.people["cy"].id])
    assert [each["body"] for each in cy.comments.list(subject="issue:1")] == ["Cy Moss: To do to In progress"]
    assert [kind for kind, _ in world.events_since(seq)] == [
        "issue.updated",
        "issue.transitioned",
        "comment.created",
        "issue.updated",
        "issue.updated",
        "issue.assigned",
    ]
    cy.undo.apply(seq=seq + 1)
    back = cy.issues.get(key="WEB-1")
    assert (back["lane"], back["due_date"], back["assignees"], back["counts"]["comments"]) == (
        "todo",
        None,
        [],
        0,
    )


def test_what_is_refused_behind_a_move_refuses_it_unless_it_may_be(world: World) -> None:
    lock = {"op": "issues.lock", "input": {"key": "{{key}}", "on": True}}
    vote = {"op": "issues.vote", "input": {"key": "{{key}}", "on": True}}
    in_force(world, then=[vote, lock])
    made(world)
    seq = world.database.seq
    assert refusal_of(world, "cy").slug == "not-allowed"
    assert (world.events_since(seq), world.key("cy").issues.get(key="WEB-1")["lane"]) == ([], "todo")
    assert go(world, "bo")["locked"] is True
    world.key("bo").call("workflows.save", flow(then=[lock | {"on_error": "go_on"}, vote]) | {"id": 2})
    made(world)
    moved = go(world, "cy", "WEB-2")
    assert (moved["lane"], moved["locked"], moved["counts"]["votes"]) == ("in_progress", False, 1)


def test_transitions_that_run_each_other_end(world: World) -> None:
    asked = flow(then=[{"op": "issues.transition", "input": {"key": "{{key}}", "to_status": "done"}}])
    asked["transitions"][1]["then"] = [
        {"op": "issues.transition", "input": {"key": "{{key}}", "to_status": "todo"}}
    ]
    asked["transitions"][2]["then"] = [
        {"op": "issues.transition", "input": {"key": "{{key}}", "to_status": "in_progress"}}
    ]
    world.key("bo").call("workflows.save", asked)
    world.key("bo").call("workflows.assign", {"id": 2, "project": "WEB"})
    made(world)
    refusal = refusal_of(world, "cy")
    assert (refusal.slug, refusal.extra["rule"]) == ("workflow-refused", "transitions-in-transitions")
    asked["transitions"][2]["then"] = []
    world.key("bo").call("workflows.save", asked | {"id": 2})
    assert go(world, "cy")["lane"] == "todo"


def test_bulk_moves_skip_what_the_workflow_refuses(world: World) -> None:
    in_force(world, check=[{"field": "estimate", "op": "not_empty", "message": "Estimate it"}])
    made(world, estimate=1)
    made(world)
    done = world.key("cy").call(
        "issues.bulk", {"keys": ["WEB-1", "WEB-2"], "changes": {"to_status": "in_progress"}}
    )
    assert (done["changed"], done["skipped"]) == (
        1,
        [{"key": "WEB-2", "reason": "Estimate it (estimate is not empty)"}],
    )


def test_somebody_elses_issue_is_not_found(world: World) -> None:
    world.key("cy").issues.create(project="SEC", title="Cy's")
    for who in ("di", "gus"):
        for op, more in (("issues.transition", {"to_status": "done"}), ("issues.transitions", {})):
            with refused("not-found"):
                world.key(who).call(op, {"key": "SEC-1", **more})
