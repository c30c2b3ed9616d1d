"""The words of workflows."""

from typing import Annotated, Any, Literal

from pydantic import Field
from typing_extensions import TypedDict

from kbwork.base.events import DomainEvent

Category = Literal["todo", "in_progress", "done"]
Outcome = Literal["completed", "cancelled", "duplicate"]


class Lane(TypedDict):
    """A status that issues stand in. `issues` counts those that the caller sees."""

    key: str
    """Key of the lane."""
    name: str
    """What people read, and queries name."""
    category: Category
    """Whether issues in it are not begun, in work or done."""
    color: str
    """Colour as `#rrggbb`."""
    outcome: Outcome | None
    """How issues end that come there; null: it is no done lane."""
    wip: int | None
    """How many issues should stand in it at most; null: no limit."""
    stops_sla: bool
    """Whether the clock of service levels stands still in it."""
    position: float
    """Lanes are listed by it, the smallest first."""
    issues: int
    """Issues in it that the caller sees."""
    description: str
    """When issues stand in it; empty: nothing said."""


class Asked(TypedDict):
    """A field that is asked for on the way."""

    field: str
    """Name of the field: an own one's key, or `assignee`, `due` and the like."""
    required: bool
    """Whether it must hold something."""


class UsedBy(TypedDict):
    """A project and its types that move along a workflow."""

    project: str
    """Key of the project."""
    types: list[str]
    """Keys of its types that move along it."""


Transition = TypedDict(
    "Transition",
    {
        "key": Annotated[str, Field(description="Key of the transition, unique in its workflow.")],
        "name": Annotated[str, Field(description="What people read.")],
        "from": Annotated[list[str], Field(description="Keys of the lanes it leaves; `*`: any.")],
        "to": Annotated[str, Field(description="Key of the lane it leads to.")],
        "who": Annotated[
            list[str],
            Field(description="Roles, `team:<id>`, `reporter` or `assignee` who may go; empty: members."),
        ],
        "if": Annotated[
            list[dict[str, Any]],
            Field(description="Conditions; where one fails it is as if it were not there."),
        ],
        "check": Annotated[
            list[dict[str, Any]],
            Field(description="Conditions, each with a `message`; one that fails refuses the move."),
        ],
        "ask": Annotated[list[Asked], Field(description="Fields to fill in on the way.")],
        "approvers": Annotated[
            list[str],
            Field(description="Who has to agree: members, `team:<id>` or `field:<key>`; empty: nobody."),
        ],
        "needed": Annotated[int, Field(description="How many of them have to agree.")],
        "self_approval": Annotated[
            bool, Field(description="Whether one who asks for approval may be one of them.")
        ],
        "watch": Annotated[list[str], Field(description="Fields whose edit cancels an open request.")],
        "then": Annotated[list[dict[str, Any]], Field(description="Operations that run behind the move.")],
        "auto_when": Annotated[
            str | None,
            Field(
                description="Query: once an edit makes it true of an issue, the transition runs by itself; null: never."
            ),
        ],
    },
)
"""A road from lanes to a lane; `*` stands for any lane."""
Kept = dict[str, Any]
"""A transition as it is stored: with the members of Transition, own fields by id, options and people by id."""


class Workflow(TypedDict):
    """A graph of lanes and the transitions between them. A draft is not in force, and for admins alone."""

    id: int
    """Id of the workflow."""
    name: str
    """What people read."""
    start: str
    """Key of the lane in which issues begin."""
    lanes: list[Lane]
    """Its lanes, in the order in which people see them."""
    transitions: list[Transition]
    """Ways between them, in order."""
    used_by: list[UsedBy]
    """Projects and types that move along it, as far as the caller sees them."""
    draft: bool
    """Whether it is not in force yet."""
    updated_at: int
    """When it was last changed, in Unix seconds."""


class Moved(TypedDict):
    """Where what stands in a lane goes, and how many issues that are."""

    to: str
    """Key of the lane where they go."""
    issues: int
    """How many issues go there."""


class Assigned(TypedDict):
    """What assigning a workflow moves, by lane; and what one should know of it."""

    moved: dict[str, Moved]
    """By key of the lane that the workflow lacks: where its issues go."""
    warnings: list[str]
    """What else is to be known, in words."""


class Judged(TypedDict):
    """One rule on a way, and whether it lets the issue pass."""

    rule: str
    """Which rule was asked."""
    passed: bool
    """Whether it lets the issue pass."""
    detail: str
    """What was found, in words."""


class Simulated(TypedDict):
    """Whether an issue could go that way now, and every rule that was asked."""

    allowed: bool
    """Whether the issue could go now."""
    steps: list[Judged]
    """Every rule that was asked, in order."""


Road = TypedDict(
    "Road",
    {
        "from": Annotated[str, Field(description="Key of the lane they left.")],
        "to": Annotated[str, Field(description="Key of the lane they came to.")],
        "count": Annotated[int, Field(description="How often issues went so.")],
        "median_hours": Annotated[
            float | None,
            Field(
                description="Median of the hours that they stood in the lane before; null: nobody went so."
            ),
        ],
    },
)
"""How often a way was taken, and how long issues stood in the lane before; null where nobody took it."""


class WorkflowSaved(DomainEvent):
    kind = "workflow.saved"
    part = "id"
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
    part = "types"
    scope = "projects:read"
