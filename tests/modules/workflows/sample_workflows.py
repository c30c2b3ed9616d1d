"""Workflows for tests: three lanes in a row, and what changes one transition of them."""

from typing import Any

from tests.conftest import World

LANES = ["todo", "in_progress", "done"]


def flow(name: str = "Short", **start: Any) -> dict[str, Any]:
    """An input of workflows.save: todo -> in_progress -> done -> todo. `start` is said of the first transition."""
    return {
        "name": name,
        "start": "todo",
        "lanes": LANES,
        "transitions": [
            {"name": "Start work", "from": ["todo"], "to": "in_progress"} | start,
            {"name": "Finish", "from": ["in_progress"], "to": "done"},
            {"name": "Take up again", "from": ["done"], "to": "todo"},
        ],
    }


def kept(key: str, name: str, leaves: list[str], to: str, **more: Any) -> dict[str, Any]:
    """A transition as it is answered."""
    return {
        "key": key,
        "name": name,
        "from": leaves,
        "to": to,
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
    } | more


def in_force(world: World, project: str = "WEB", /, **start: Any) -> int:
    """A workflow along which the project moves from now on; its id."""
    bo = world.key("bo")
    made = bo.call("workflows.save", flow(**start))
    bo.call("workflows.assign", {"id": made["id"], "project": project})
    return int(made["id"])
