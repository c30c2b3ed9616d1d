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
    text names what is gone or what the caller does not see (tql.check says what), or counting took too long.
    """

    id: int
    name: str
    tql: str
    layout: Layout
    columns: list[str]
    group_by: str | None
    sort: str | None
    project: str | None
    owner: str
    shared: bool
    icon: str | None
    external: str | None
    subscribed: Literal["change", "daily", "weekly"] | None
    count: int


class Subscription(TypedDict):
    """Who gets a view by mail, how often, and at what time of their day."""

    who: str
    every: Literal["change", "daily", "weekly"]
    at: str | None


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
