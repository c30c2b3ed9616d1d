"""The words of members."""

from typing import Any, Literal

from typing_extensions import TypedDict

from kbwork.base.events import DomainEvent

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


class SignedIn(TypedDict):
    """A session was opened. `token` is empty where the browser got it as a cookie."""

    token: str
    member: Member


class Mentionable(TypedDict):
    """Somebody who fits a mention; `can_see` says whether they see what they would be mentioned on."""

    kind: Literal["member", "team", "agent", "customer"]
    id: str
    name: str
    can_see: bool


class Preferences(TypedDict):
    """How somebody likes the app; null: as the org has it, or the app's own choice."""

    locale: str | None
    zone: str | None
    theme: Any
    week_start: Any
    start_page: Any
    shortcuts: Any
    editor: Any
    density: Any


class Changed(TypedDict):
    """How many things went to somebody else."""

    changed: int


class JobStarted(TypedDict):
    """Work that goes on; `jobs.get` says how far it is."""

    job: int


class MemberUpdated(DomainEvent):
    kind = "member.updated"


class MemberRoleChanged(DomainEvent):
    kind = "member.role_changed"


class MemberDeactivated(DomainEvent):
    kind = "member.deactivated"


class MemberReactivated(DomainEvent):
    kind = "member.reactivated"


class MemberErased(DomainEvent):
    kind = "member.erased"


class MemberTransferred(DomainEvent):
    kind = "member.transferred"


class MemberInvited(DomainEvent):
    kind = "member.invited"


class MemberJoined(DomainEvent):
    kind = "member.joined"
