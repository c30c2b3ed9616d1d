"""The words of workflows."""

from typing import Any, Literal

from typing_extensions import TypedDict

Category = Literal["todo", "in_progress", "done"]
Outcome = Literal["completed", "cancelled", "duplicate"]


class Lane(TypedDict):
    """A status that issues stand in. `issues` counts those that the caller sees."""

    key: str
    name: str
    category: Category
    color: str
    outcome: Outcome | None
    wip: int | None
    stops_sla: bool
    position: float
    issues: int
    description: str


class Asked(TypedDict):
    """A field that is asked for on the way."""

    field: str
    required: bool


class UsedBy(TypedDict):
    """A project and its types that move along a workflow."""

    project: str
    types: list[str]


Transition = TypedDict(
    "Transition",
    {
        "key": str,
        "name": str,
        "from": list[str],
        "to": str,
        "who": list[str],
        "if": list[dict[str, Any]],
        "check": list[dict[str, Any]],
        "ask": list[Asked],
        "approvers": list[str],
        "needed": int,
        "self_approval": bool,
        "watch": list[str],
        "then": list[dict[str, Any]],
        "auto_when": str | None,
    },
)
"""A road from lanes to a lane; `*` stands for any lane."""


class Workflow(TypedDict):
    """A graph of lanes and the transitions between them."""

    id: int
    name: str
    start: str
    lanes: list[Lane]
    transitions: list[Transition]
    used_by: list[UsedBy]
    draft: bool
    updated_at: int
