"""The words of workflows."""

from typing import Any, Literal

from typing_extensions import TypedDict

from kbwork.base.events import DomainEvent

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
Kept = dict[str, Any]
"""A transition as it is stored: with the members of Transition, own fields by id, options and people by id."""


class Workflow(TypedDict):
    """A graph of lanes and the transitions between them. A draft is not in force, and for admins alone."""

    id: int
    name: str
    start: str
    lanes: list[Lane]
    transitions: list[Transition]
    used_by: list[UsedBy]
    draft: bool
    updated_at: int


class Moved(TypedDict):
    """Where what stands in a lane goes, and how many issues that are."""

    to: str
    issues: int


class Assigned(TypedDict):
    """What assigning a workflow moves, by lane; and what one should know of it."""

    moved: dict[str, Moved]
    warnings: list[str]


class Judged(TypedDict):
    """One rule on a way, and whether it lets the issue pass."""

    rule: str
    passed: bool
    detail: str


class Simulated(TypedDict):
    """Whether an issue could go that way now, and every rule that was asked."""

    allowed: bool
    steps: list[Judged]


Road = TypedDict("Road", {"from": str, "to": str, "count": int, "median_hours": float | None})
"""How often a way was taken, and how long issues stood in the lane before; null where nobody took it."""


class WorkflowSaved(DomainEvent):
    kind = "workflow.saved"
    inverse = "workflow.deleted"
    audience = "members"
    scope = "projects:read"


class WorkflowDeleted(DomainEvent):
    kind = "workflow.deleted"
    inverse = "workflow.saved"
    audience = "members"
    scope = "projects:read"


class WorkflowAssigned(DomainEvent):
    """A project, or some of its types, moves along another workflow."""

    kind = "workflow.assigned"
    scope = "projects:read"
