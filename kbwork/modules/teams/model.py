"""The words of teams."""

from typing import Annotated, Literal

from pydantic import Field
from typing_extensions import TypedDict

from kbwork.base.events import DomainEvent

ADMINS = 0
"""The id of the team that always exists: owners and admins, `team:admins` where an identity stands."""


class TeamMember(TypedDict):
    who: str
    """Id of the member."""
    role: Literal["lead", "member"]
    """Whether they lead it."""


class Team(TypedDict):
    """A group of members. `builtin` is true of the admins alone, who follow the roles."""

    id: int
    """Id of the team; 0 is the admins'."""
    name: str
    """What people read."""
    handle: str
    """What `@` names it by, without the sign."""
    description: str
    """What it is for, in Markdown; empty: nothing said."""
    icon: str | None
    """Name of its icon; null: none."""
    parent: int | None
    """Id of the team above; null: none."""
    open: bool
    """Whether members come and go by themselves."""
    builtin: bool
    """Whether it is the admins' team, which follows the roles."""
    members: list[TeamMember]
    """Who is in it, as far as the caller sees them."""
    calendar: int | None
    """Id of the calendar of working days; null: the org's."""
    managed: bool
    """Whether a directory keeps it."""


class Level(TypedDict):
    """One level of a rota: its members take turns of so many weeks."""

    members: list[str]
    """Ids of those who take turns, in this order."""
    handover: str
    """Weekday and time at which turns change, such as `mon 09:00`."""
    weeks: int
    """Weeks that a turn lasts."""
    hours: str | None
    """The hours of each day, such as `09:00-17:00`; null: all day."""


Shift = TypedDict(
    "Shift",
    {
        "level": Annotated[int, Field(description="Level of the rota, from 1.")],
        "member": Annotated[str, Field(description="Id of the member who is on call.")],
        "from": Annotated[int, Field(description="First second, in Unix seconds.")],
        "to": Annotated[int, Field(description="The second at which it is over, in Unix seconds.")],
        "override": Annotated[bool, Field(description="Whether they stand in for somebody.")],
    },
)
"""Somebody is on call from one moment to another (Unix seconds, the end is exclusive)."""


class Rota(TypedDict):
    """Who of a team is on call. Levels count from 1; a team without a rota has none."""

    team: int
    """Id of the team."""
    levels: list[Level]
    """Who is asked first, second, and so on; empty: no rota."""
    shifts: list[Shift]
    """Who is on call when, in the days that were asked."""
    escalate_minutes: int | None
    """Minutes after which the next level is asked; null: never by itself."""


class OnCall(TypedDict):
    """Who is on call at a moment, and until when."""

    team: int
    """Id of the team."""
    level: int
    """Level of the rota, from 1."""
    member: str
    """Id of the member who is on call."""
    until: int
    """When the shift is over, in Unix seconds."""


class TeamSaved(DomainEvent):
    kind = "team.saved"
    inverse = "team.deleted"


class TeamDeleted(DomainEvent):
    kind = "team.deleted"
    inverse = "team.saved"
    audience = "everyone"


class TeamMembersChanged(DomainEvent):
    kind = "team.members_changed"
    part = "who"


class TeamRotaSaved(DomainEvent):
    kind = "team.rota_saved"
