"""Lanes: the statuses of the org, their order, and what becomes of issues when one goes."""

from collections.abc import Iterable, Mapping
from typing import Any

import pytest

from kbwork.contract.kbwork_client import KbworkProblem
from tests.conftest import World
from tests.modules.calls import refused
from tests.modules.together import slugs, together

FIRST = ["backlog", "todo", "in_progress", "in_review", "done", "cancelled", "duplicate"]


def keys(rows: Iterable[Mapping[str, Any]]) -> list[str]:
    return [row["key"] for row in rows]


def counts(world: World, who: str) -> dict[str, int]:
    return {row["key"]: row["issues"] for row in world.key(who).lanes.list() if row["issues"]}


def test_the_lanes_of_a_new_org(world: World) -> None:
    rows = world.key("cy").lanes.list()
    assert [(row["key"], row["name"], row["category"], row["outcome"]) for row in rows] == [
        ("backlog", "Backlog", "todo", None),
        ("todo", "To do", "todo", None),
        ("in_progress", "In progress", "in_progress", None),
        ("in_review", "In review", "in_progress", None),
        ("done", "Done", "done", "completed"),
        ("cancelled", "Cancelled", "done", "cancelled"),
        ("duplicate", "Duplicate", "done", "duplicate"),
    ]
    assert rows[0] == {
        "key": "backlog",
        "name": "Backlog",
        "category": "todo",
        "color": "#8b93a1",
        "outcome": None,
        "wip": None,
        "stops_sla": False,
        "position": 1.0,
        "issues": 0,
        "description": "",
    }


def test_counts_are_of_the_issues_that_one_sees(world: World) -> None:
    cy, di = world.key("cy"), world.key("di")
    cy.issues.create(project="SEC", title="Cy's")
    own = di.issues.create(project="SEC", title="Di's")["key"]
    cy.issues.transition(key=own, to_status="done")
    cy.issues.create(project="WEB", title="Everybody's", status="done")
    cy.issues.create(project="WEB", title="Between Cy and the leads", level="private", status="done")
    di.issues.create(project="PRV", title="Di's alone", status="done")
    cy.issues.create(project="SEC", title="For all to read", level="public", status="backlog")
    assert {who: counts(world, who) for who in world.people} == {
        "ana": {"backlog": 1, "todo": 1, "done": 3},
        "bo": {"backlog": 1, "todo": 1, "done": 3},
        "cy": {"backlog": 1, "todo": 1, "done": 3},
        "di": {"backlog": 1, "done": 3},
        "gus": {},
    }


def test_one_who_sees_none_of_a_lanes_issues_counts_none(world: World) -> None:
    world.key("cy").issues.create(project="SEC", title="Cy's")
    assert {row["issues"] for row in world.key("di").lanes.list()} == {0}


def test_lanes_of_a_project_or_type_are_those_of_its_workflow_in_its_order(world: World) -> None:
    def second(tx: Any) -> None:
        row = tx.one("select * from workflow where id = 1")
        tx.insert(
            "workflow",
            **row | {"id": 2, "name": "Short", "name_key": "short", "builtin": 0, "lanes": "[5, 2]"},
        )
        tx.update("project_type", (1, 4), workflow=2)

    world.database.write_now(second)
    cy = world.key("cy")
    assert keys(cy.lanes.list(project="WEB")) == FIRST
    assert keys(cy.lanes.list(project="WEB", type="Bug")) == ["done", "todo"]
    assert keys(cy.lanes.list(type="bug")) == FIRST
    for asked in ({"type": "bgu"}, {"project": "WEB", "type": "idea"}):
        with refused("invalid-input"):
            cy.lanes.list(**asked)
    with refused("not-found"):
        cy.lanes.list(project="PRV")


def test_guests_see_the_lanes_of_their_projects(world: World) -> None:
    assert world.key("gus").lanes.list() == []
    with refused("not-found"):
        world.key("gus").lanes.list(project="WEB")
    world.session("bo").projects.member_set(key="WEB", who="@gus", role="viewer")
    assert keys(world.key("gus").lanes.list()) == FIRST


def test_a_new_lane_stands_behind_its_category_and_the_members_hear_of_it(world: World) -> None:
    bo = world.key("bo")
    seq = world.database.seq
    lane = bo.lanes.save(
        key="blocked", name=" Blocked ", category="in_progress", wip=3, stops_sla=True, description="D"
    )
    assert lane == {
        "key": "blocked",
        "name": "Blocked",
        "category": "in_progress",
        "color": "#2f7fd1",
        "outcome": None,
        "wip": 3,
        "stops_sla": True,
        "position": 5.0,
        "issues": 0,
        "description": "D",
    }
    assert keys(bo.lanes.list()) == [*FIRST[:4], "blocked", *FIRST[4:]]
    assert "blocked" not in keys(bo.lanes.list(project="WEB"))
    assert world.events_since(seq) == [("lane.saved", "org:1")]
    (event,) = world.key("cy").api.changes(since=seq)["events"]
    assert event["payload"] == {"key": "blocked", "name": "Blocked"}
    assert world.key("gus").api.changes(since=seq)["events"] == []
    assert bo.lanes.save(key="shipped", name="Shipped", category="done")["outcome"] == "completed"


def test_fields_that_are_not_named_stay_and_the_same_is_no_event(world: World) -> None:
    bo = world.key("bo")
    bo.lanes.save(key="todo", name="To do", category="todo", wip=5)
    seq = world.database.seq
    changed = bo.lanes.save(key="todo", name="Next", category="todo", color="#ABCDEF")
    assert (changed["name"], changed["wip"], changed["color"]) == ("Next", 5, "#abcdef")
    (event,) = bo.api.changes(since=seq)["events"]
    assert event["payload"]["changes"] == {
        "name": {"from": "To do", "to": "Next"},
        "color": {"from": "#6b7280", "to": "#abcdef"},
    }
    seq = world.database.seq
    bo.lanes.save(key="todo", name="Next", category="todo")
    assert world.events_since(seq) == []
    cleared = bo.call("lanes.save", {"key": "todo", "name": "Next", "category": "todo", "wip": None})
    assert cleared["wip"] is None


@pytest.mark.parametrize(
    ("asked", "slug"),
    [
        ({"name": "DONE"}, "conflict"),
        ({"outcome": "completed"}, "invalid-input"),
        ({"key": "Blocked"}, "invalid-input"),
        ({"key": "a-b"}, "invalid-input"),
        ({"category": "waiting"}, "invalid-input"),
        ({"color": "red"}, "invalid-input"),
        ({"wip": 0}, "invalid-input"),
        ({"colour": "#fff"}, "unknown-field"),
    ],
)
def test_what_does_not_fit_a_lane_is_refused(world: World, asked: dict[str, Any], slug: str) -> None:
    seq = world.database.seq
    with refused(slug):
        world.key("bo").call("lanes.save", {"key": "blocked", "name": "Blocked", "category": "todo"} | asked)
    assert world.events_since(seq) == []


def test_lanes_are_kept_by_admins(world: World) -> None:
    calls: list[tuple[str, dict[str, Any]]] = [
        ("lanes.save", {"key": "x", "name": "X", "category": "todo"}),
        ("lanes.reorder", {"keys": ["done"]}),
        ("lanes.delete", {"key": "backlog"}),
    ]
    for op, asked in calls:
        for who in ("cy", "gus"):
            with refused("insufficient-scope"):
                world.key(who).call(op, asked)


def test_the_category_of_a_lane_that_holds_issues_stays(world: World) -> None:
    bo = world.key("bo")
    bo.issues.create(project="WEB", title="One", status="backlog")
    with refused("conflict"):
        bo.lanes.save(key="backlog", name="Backlog", category="done")
    moved = bo.lanes.save(key="in_review", name="In review", category="done")
    assert (moved["category"], moved["outcome"]) == ("done", "completed")


def test_lanes_are_put_in_order(world: World) -> None:
    bo = world.key("bo")
    seq = world.database.seq
    rows = bo.lanes.reorder(keys=["Done", "todo", "done"])
    after = ["done", "todo", "backlog", "in_progress", "in_review", "cancelled", "duplicate"]
    assert (keys(rows), keys(bo.lanes.list())) == (after, after)
    assert keys(bo.lanes.list(project="WEB")) == FIRST
    (event,) = bo.api.changes(since=seq)["events"]
    assert (event["kind"], event["payload"]) == (
        "lane.saved",
        {"changes": {"order": {"from": FIRST, "to": after}}},
    )
    bo.undo.apply(seq=seq + 1)
    assert keys(bo.lanes.list()) == FIRST
    seq = world.database.seq
    bo.lanes.reorder(keys=FIRST[:2])
    assert world.events_since(seq) == []
    for bad in ([], ["nowhere"]):
        with refused("invalid-input"):
            bo.lanes.reorder(keys=bad)


def test_a_lane_goes_and_its_issues_move_with_history(world: World) -> None:
    bo = world.key("bo")
    one = bo.issues.create(project="WEB", title="One", status="in_progress")["key"]
    two = bo.issues.create(project="WEB", title="Two", status="in_progress")["key"]
    with pytest.raises(KbworkProblem) as refusal:
        bo.lanes.delete(key="in_progress")
    assert (refusal.value.slug, refusal.value.extra["uses"]) == ("in-use", 2)
    world.clock.advance(30)
    seq = world.database.seq
    rows = bo.lanes.delete(key="in_progress", move_to="done")
    assert keys(rows) == [key for key in FIRST if key != "in_progress"]
    assert world.events_since(seq) == [
        ("lane.deleted", "org:1"),
        ("issue.updated", "issue:1"),
        ("issue.transitioned", "issue:1"),
        ("issue.updated", "issue:2"),
        ("issue.transitioned", "issue:2"),
    ]
    deleted = bo.api.changes(since=seq)["events"][0]["payload"]
    assert deleted == {"key": "in_progress", "name": "In progress", "move_to": "done"}
    moved = bo.issues.get(key=one)
    assert (moved["lane"], moved["outcome"], moved["done_at"]) == ("done", "completed", world.clock.now())
    assert bo.issues.history(key=two, field="status")["items"][0]["to"] == "Done"
    flow = bo.workflows.get(id=1)
    assert keys(flow["lanes"]) == keys(rows)
    assert [road["to"] for road in flow["transitions"]] == keys(rows)
    with refused("invalid-input"):
        bo.issues.transition(key=one, to_status="in_progress")
    bo.undo.apply(seq=seq + 1)
    assert keys(bo.lanes.list()) == FIRST
    assert bo.issues.get(key=one)["lane"] == "in_progress"


def test_the_start_of_a_workflow_goes_only_with_another(world: World) -> None:
    bo = world.key("bo")
    with refused("conflict"):
        bo.lanes.delete(key="todo")
    with refused("invalid-input"):
        bo.lanes.delete(key="todo", move_to="To do")
    for asked in ({"key": "nowhere"}, {"key": "todo", "move_to": "nowhere"}):
        with refused("not-found"):
            bo.call("lanes.delete", asked)
    bo.lanes.delete(key="todo", move_to="backlog")
    assert bo.workflows.get(id=1)["start"] == "backlog"
    assert bo.issues.create(project="WEB", title="One")["lane"] == "backlog"


def test_making_a_lane_is_taken_back_and_done_again(world: World) -> None:
    bo = world.key("bo")
    before = keys(bo.lanes.list())
    seq = world.database.seq
    bo.lanes.save(key="blocked", name="Blocked", category="todo")
    bo.undo.apply(seq=seq + 1)
    assert keys(bo.lanes.list()) == before
    assert world.events_since(seq + 1) == [("lane.deleted", "org:1")]
    bo.undo.apply(seq=seq + 2)
    assert keys(bo.lanes.list()) == ["backlog", "todo", "blocked", *FIRST[2:]]


def test_one_of_many_who_make_a_lane_of_one_name_wins(world: World) -> None:
    asked: list[tuple[str, dict[str, Any]]] = [
        ("lanes.save", {"key": f"l{n}", "name": "Same", "category": "todo"}) for n in range(8)
    ]
    assert slugs(together(world, "bo", asked)) == ["conflict"] * 7
