"""The words of teams."""

from typing import Literal

from typing_extensions import TypedDict

from kbwork.base.events import DomainEvent

ADMINS = 0
"""The id of the team that always exists: owners and admins, `team:admins` where an identity stands."""


class TeamMember(TypedDict):
    who: str
    role: Literal["lead", "member"]


class Team(TypedDict):
    """A group of members. `builtin` is true of the admins alone, who follow the roles."""

    id: int
    name: str
    handle: str
    description: str
    icon: str | None
    parent: int | None
    open: bool
    builtin: bool
    members: list[TeamMember]
    calendar: int | None
    managed: bool


class Level(TypedDict):
    """One level of a rota: its members take turns of so many weeks."""

    members: list[str]
    handover: str
    weeks: int
    hours: str | None


Shift = TypedDict("Shift", {"level": int, "member": str, "from": int, "to": int, "override": bool})
"""Somebody is on call from one moment to another (Unix seconds, the end is exclusive)."""


class Rota(TypedDict):
    """Who of a team is on call. Levels count from 1; a team without a rota has none."""

    team: int
    levels: list[Level]
    shifts: list[Shift]
    escalate_minutes: int | None


class OnCall(TypedDict):
    """Who is on call at a moment, and until when."""

    team: int
    level: int
    member: str
    until: int


class TeamSaved(DomainEvent):
    kind = "team.saved"
    inverse = "team.deleted"


class TeamDeleted(DomainEvent):
    kind = "team.deleted"
    inverse = "team.saved"
    audience = "everyone"


class TeamMembersChanged(DomainEvent):
    kind = "team.members_changed"


class TeamRotaSaved(DomainEvent):
    kind = "team.rota_saved"
