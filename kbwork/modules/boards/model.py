"""The words of boards."""

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field
from typing_extensions import TypedDict

from kbwork.base.events import DomainEvent
from kbwork.modules.issues import Issue
from kbwork.tql.parser.tokens import LONGEST

Kind = Literal["kanban", "sprint"]
Tql = Annotated[str, Field(max_length=LONGEST)]
PartId = Annotated[str, Field(min_length=1, max_length=40)]
"""Id of a column or quick filter: it stays for as long as that is there."""


class BoardColumn(TypedDict):
    """One column of a board."""

    id: str
    """Its id, which stays."""
    name: str
    """What stands above it."""
    lanes: list[str]
    """Keys of the lanes whose issues it holds; a card that is dropped goes to the first that it may enter."""
    limit: int | None
    """How many issues it should hold at most; null: any number."""
    hard: bool
    """Whether a drop beyond the limit is refused."""


class QuickFilter(TypedDict):
    """A condition that narrows a board at a touch."""

    id: str
    """Its id, which stays."""
    name: str
    """What stands on its button."""
    tql: str
    """The condition, with present names."""


class Board(TypedDict):
    """A board: which issues it shows, and in which columns."""

    id: int
    """Id of the board."""
    name: str
    """What people choose it by."""
    project: str | None
    """Key of the project that it is on; null: none, so that it is its owner's alone."""
    tql: str
    """The condition on the issues that it shows, with present names."""
    kind: Kind
    """Whether it shows a flow or a sprint."""
    columns: list[BoardColumn]
    """Its columns, from left to right."""
    swimlanes: str | None
    """The field by whose values its rows are; null: none."""
    quick_filters: list[QuickFilter]
    """Conditions that narrow it at a touch, in order."""
    card_fields: list[str]
    """Fields that its cards show; empty: the usual ones."""
    color_by: str | None
    """The field that colours its cards; null: none."""
    owner: str
    """Id of the member who made it."""
    can_edit: bool
    """Whether the caller may change it."""
    notices: list[str]
    """What one should know of its conditions, such as that something which they name was renamed or deleted."""


class ColumnPage(TypedDict):
    """A column with its first issues, or with those behind a cursor."""

    id: str
    """Id of the column."""
    name: str
    """What stands above it."""
    count: int
    """How many issues of it you see, with the filters that are asked for."""
    estimate: float
    """The sum of their estimates."""
    over_limit: bool
    """Whether they are more than its limit."""
    issues: list[Issue]
    """Some of them, project by project in the order in which those were made, each by rank."""
    next: str | None
    """Pass it as `cursor` for those behind; null: there are no more."""


class SwimlaneCell(TypedDict):
    """Where a row and a column meet."""

    id: str
    """Id of the column."""
    count: int
    """How many issues stand there."""
    estimate: float
    """The sum of their estimates."""
    keys: list[str]
    """Those of them that are among the issues of the columns here."""


class Swimlane(TypedDict):
    """One row of a board."""

    value: Any
    """Any JSON value: that of the field that its issues have; null: none. One with several stands in a row for each."""
    count: int
    """How many issues stand in it."""
    estimate: float
    """The sum of their estimates."""
    columns: list[SwimlaneCell]
    """What of it stands in each column."""


class BoardView(TypedDict):
    """What a board shows now."""

    columns: list[ColumnPage]
    """All columns from left to right; with `cursor` the one that goes on."""
    swimlanes: list[Swimlane]
    """The rows of a board that has some, in the order of the field's values; with `cursor` none."""


class BoardMove(TypedDict):
    """Where a drop leads."""

    issue: Issue
    """The issue as it is now, or with `dry_run` would be."""
    blocked: str | None
    """Why it could not be dropped there; null: it can. Only a dry run answers it, else the drop is refused so."""


class _BoardEvent(DomainEvent):
    names: ClassVar[dict[str, str]] = {"project": "project"}


class BoardSaved(_BoardEvent):
    kind = "board.saved"
    inverse = "board.deleted"


class BoardDeleted(_BoardEvent):
    kind = "board.deleted"
    inverse = "board.restored"


class BoardRestored(_BoardEvent):
    kind = "board.restored"
    inverse = "board.deleted"


class BoardPurged(DomainEvent):
    kind = "board.purged"


def told(row: Mapping[str, Any], project: str | None) -> dict[str, Any]:
    """What events say of a board."""
    return {"name": row["name"], "project": project}
