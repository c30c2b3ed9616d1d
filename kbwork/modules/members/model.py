"""The words of members."""

from typing import Literal

from typing_extensions import TypedDict

from kbwork.base.events import Event

State = Literal["active", "invited", "deactivated", "erased"]


class Status(TypedDict):
    """What somebody is up to."""

    emoji: str
    text: str
    until: int | None


class Member(TypedDict):
    """A person of the org, or an agent where a list of people may hold one.

    `email` is null where the caller may not see it; `two_factor` is told to admins and oneself only.
    """

    id: str
    name: str
    handle: str
    email: str | None
    avatar: str | None
    role: str
    state: State
    kind: Literal["person", "agent"]
    title: str | None
    zone: str | None
    locale: str | None
    teams: list[int]
    status: Status | None
    two_factor: bool | None
    managed: bool
    guest_until: int | None
    last_seen_at: int | None
    created_at: int


class MemberUpdated(Event):
    kind = "member.updated"


class MemberRoleChanged(Event):
    kind = "member.role_changed"


class MemberDeactivated(Event):
    kind = "member.deactivated"


class MemberReactivated(Event):
    kind = "member.reactivated"


class MemberErased(Event):
    kind = "member.erased"


class MemberTransferred(Event):
    kind = "member.transferred"


class MemberInvited(Event):
    kind = "member.invited"


class MemberJoined(Event):
    kind = "member.joined"
