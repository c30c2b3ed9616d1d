"""The words of views."""

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field, StringConstraints
from typing_extensions import TypedDict

from kbwork.base.events import DomainEvent
from kbwork.base.model import Int
from kbwork.tql.parser.tokens import LONGEST

Layout = Literal["list", "board", "table", "calendar", "timeline"]
Every = Literal["off", "change", "daily", "weekly"]
Tql = Annotated[str, Field(max_length=LONGEST)]
Column = Annotated[str, Field(max_length=2000)]
Icon = Annotated[str, Field(max_length=64)]
External = Annotated[str, Field(min_length=1, max_length=200)]
TimeOfDay = Annotated[str, StringConstraints(pattern=r"^([01][0-9]|2[0-3]):[0-5][0-9]$")]
Weekday = Annotated[Int, Field(ge=1, le=7)]
UNKNOWN = -1
"""Stands for a count that is not known."""


class View(TypedDict):
    """A saved query. `subscribed` says how often the caller gets it by mail.

    `count` is how many rows the caller sees now, or groups where the text groups. It is -1 where that is not known: the
    text names what the caller does not see (tql.check says what), or counting took too long.
    """

    id: int
    """Id of the view."""
    name: str
    """What people choose it by."""
    tql: str
    """The query, with present names."""
    layout: Layout
    """How its rows are shown."""
    columns: list[str]
    """Fields that it shows, or what is computed from them; empty: the usual ones."""
    group_by: str | None
    """Field that rows are grouped by; null: none."""
    subgroup_by: str | None
    """Field that the rows of each group are grouped by in turn; null: none."""
    sort: str | None
    """Field that rows are sorted by, with `-` in front for descending; null: as the query says."""
    project: str | None
    """Key of the project that it is on; null: none."""
    owner: str
    """Id of the member who made it."""
    shared: bool
    """Whether everybody sees it."""
    icon: str | None
    """Name of its icon; null: none."""
    external: str | None
    """Its id at the sender; null: none."""
    subscribed: Literal["change", "daily", "weekly"] | None
    """How often the caller gets it by mail; null: never."""
    count: int
    """Rows that the caller sees now, or groups; -1: not known."""
    notices: list[str]
    """What one should know of its query, such as that something which it names was renamed or deleted."""


class Subscription(TypedDict):
    """Who gets a view by mail, how often, and at what time of their day."""

    who: str
    """Id of the member who gets it."""
    every: Literal["change", "daily", "weekly"]
    """When: on a change, each day or each week."""
    at: str | None
    """Time of their day, `HH:MM`; null: on a change."""


class _ViewEvent(DomainEvent):
    names: ClassVar[dict[str, str]] = {"project": "project"}


class ViewSaved(_ViewEvent):
    kind = "view.saved"
    inverse = "view.deleted"


class ViewDeleted(_ViewEvent):
    kind = "view.deleted"
    inverse = "view.restored"


class ViewRestored(_ViewEvent):
    kind = "view.restored"
    inverse = "view.deleted"


class ViewPurged(DomainEvent):
    kind = "view.purged"


def told(row: Mapping[str, Any], project: str | None) -> dict[str, Any]:
    """What events say of a view."""
    return {"name": row["name"], "project": project}
