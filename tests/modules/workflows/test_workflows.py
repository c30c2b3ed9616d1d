"""Workflows: the graphs that issues move along, as everybody sees them."""

from typing import Any

from tests.conftest import NOW, World
from tests.modules.calls import refused

LANES = ["backlog", "todo", "in_progress", "in_review", "done", "cancelled", "duplicate"]
NAMES = ["Backlog", "To do", "In progress", "In review", "Done", "Cancelled", "Duplicate"]
TYPES = ["task", "epic", "story", "bug", "subtask"]


def road(key: str, name: str) -> dict[str, Any]:
    return {
        "key": f"to_{key}",
        "name": name,
        "from": ["*"],
        "to": key,
        "who": [],
        "if": [],
        "check": [],
        "ask": [],
        "approvers": [],
        "needed": 0,
        "self_approval": False,
        "watch": [],
        "then": [],
        "auto_when": None,
    }


def test_a_new_org_has_one_workflow_with_every_lane(world: World) -> None:
    cy = world.key("cy")
    standard: dict[str, Any] = cy.call("workflows.get", {"id": 1})
    lanes = standard.pop("lanes")
    assert lanes == cy.lanes.list()
    assert standard == {
        "id": 1,
        "name": "Standard",
        "start": "todo",
        "transitions": [road(key, name) for key, name in zip(LANES, NAMES, strict=True)],
        "used_by": [{"project": "SEC", "types": TYPES}, {"project": "WEB", "types": TYPES}],
        "draft": False,
        "updated_at": NOW,
    }


def test_a_list_holds_those_that_one_sees(world: World) -> None:
    def second(tx: Any) -> None:
        row = tx.one("select * from workflow where id = 1")
        tx.insert("workflow", **row | {"id": 2, "name": "Alone", "name_key": "alone", "builtin": 0})
        tx.update("project_type", (3, 1), workflow=2)

    world.database.write_now(second)
    names = {who: [flow["name"] for flow in world.key(who).workflows.list()] for who in world.people}
    assert names == {who: [] if who == "gus" else ["Alone", "Standard"] for who in world.people}
    used = {who: world.key(who).workflows.get(id=2)["used_by"] for who in ("ana", "cy", "di")}
    assert used == {"ana": [], "cy": [], "di": [{"project": "PRV", "types": ["epic"]}]}
    assert [flow["id"] for flow in world.key("di").workflows.list(project="prv")] == [2, 1]
    assert [flow["id"] for flow in world.key("di").workflows.list(project="WEB")] == [1]


def test_what_is_not_there_or_not_seen_is_not_found(world: World) -> None:
    for who, asked in (("cy", {"id": 9}), ("gus", {"id": 1})):
        with refused("not-found"):
            world.key(who).call("workflows.get", asked)
    for who in ("cy", "gus"):
        with refused("not-found"):
            world.key(who).workflows.list(project="PRV")
    with refused("invalid-input"):
        world.key("cy").call("workflows.get", {"id": "1"})


def test_a_guest_sees_the_workflow_of_their_projects(world: World) -> None:
    world.session("bo").projects.member_set(key="WEB", who="@gus", role="viewer")
    found = world.key("gus").workflows.get(id=1)
    assert found["used_by"] == [{"project": "WEB", "types": TYPES}]
    assert [flow["id"] for flow in world.key("gus").workflows.list()] == [1]
