"""The words of members."""

from typing import Any, Literal

from typing_extensions import TypedDict

from kbwork.base.events import DomainEvent

State = Literal["active", "invited", "deactivated", "erased"]


class Status(TypedDict):
    """What somebody is up to."""

    emoji: str
    """An emoji for it; empty: none."""
    text: str
    """What they are up to."""
    until: int | None
    """When it goes by itself, in Unix seconds; null: it stays."""


class Member(TypedDict):
    """A person of the org, or an agent where a list of people may hold one.

    `email` is null where the caller may not see it; `two_factor` is told to admins and oneself only.
    """

    id: str
    """Id of the member, or `agent:<name>`."""
    name: str
    """Name as people read it."""
    handle: str
    """What `@` names them by, without the sign."""
    email: str | None
    """Address; null: none, or the caller may not see it."""
    avatar: str | None
    """Address of their picture; null: none."""
    role: str
    """Their role in the org."""
    state: State
    """Whether they can sign in, are invited yet, or are gone."""
    kind: Literal["person", "agent"]
    """Whether it is a person or an agent."""
    title: str | None
    """What they do; null: not said."""
    zone: str | None
    """Time zone by name; null: the org's."""
    locale: str | None
    """Language tag; null: the org's."""
    teams: list[int]
    """Ids of their teams."""
    status: Status | None
    """What they are up to; null: nothing said."""
    two_factor: bool | None
    """Whether they have a second factor; null: not told."""
    managed: bool
    """Whether a directory keeps them; always false in this version."""
    guest_until: int | None
    """When a guest is deactivated, in Unix seconds; null: they stay."""
    last_seen_at: int | None
    """When they were last here, in Unix seconds; null: never, or not told."""
    created_at: int
    """When they came, in Unix seconds."""


class SignedIn(TypedDict):
    """A session was opened. `token` is empty where the browser got it as a cookie."""

    token: str
    """Secret of the session, for programs; empty where a browser got it as a cookie."""
    member: Member
    """Who is signed in."""


class Mentionable(TypedDict):
    """Somebody who fits a mention; `can_see` says whether they see what they would be mentioned on."""

    kind: Literal["member", "team", "agent", "customer"]
    """Sort of whom it is."""
    id: str
    """A member's id, `team:<id>` or `agent:<name>`."""
    name: str
    """Name as people read it."""
    can_see: bool
    """Whether they see what they would be mentioned on."""


class WorkloadDay(TypedDict):
    """What somebody has before them on a day."""

    date: str
    """The day, as `YYYY-MM-DD`."""
    planned: float
    """In the unit that was asked for, to two digits."""
    capacity: float | None
    """What they can, to two digits; null where nobody said."""


class MemberWorkload(TypedDict):
    """What somebody has before them, day by day."""

    member: str
    """The member's id."""
    days: list[WorkloadDay]
    """Every day that was asked for, in order."""
    over: bool
    """Whether more is planned on some day than they can."""
    issues: list[str]
    """Keys of the issues that stand on these days, in the order of their days."""


class Preferences(TypedDict):
    """How somebody likes the app; null: as the org has it, or the app's own choice."""

    locale: str | None
    """Language tag, such as `de-CH`; null: the org's."""
    zone: str | None
    """Time zone by name; null: the org's."""
    theme: Any
    """Look of the app, any JSON of the app's, such as `dark`; null: its own choice."""
    week_start: Any
    """First day of the week, any JSON of the app's, such as 1 for Monday; null: the org's."""
    start_page: Any
    """Where the app opens, any JSON of the app's; null: its own choice."""
    shortcuts: Any
    """Keys that were changed, any JSON of the app's; null: as they are."""
    editor: Any
    """How texts are written, any JSON of the app's; null: its own choice."""
    density: Any
    """How close lines stand, any JSON of the app's; null: its own choice."""


class Changed(TypedDict):
    """How many things went to somebody else."""

    changed: int
    """Things that went over."""


class JobStarted(TypedDict):
    """Work that goes on; `jobs.get` says how far it is."""

    job: int
    """The job that does it."""


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


class MemberDataExported(DomainEvent):
    """All that is kept of a person is made into a file, for whoever did this."""

    kind = "member.data_exported"
    audience = "admin"


class MemberTransferred(DomainEvent):
    kind = "member.transferred"


class MemberInvited(DomainEvent):
    kind = "member.invited"


class MemberJoined(DomainEvent):
    kind = "member.joined"


class ChatAccount(TypedDict):
    """An account on a chat platform that is a member's."""

    id: int
    """Id of the link."""
    connection: int
    """Id of the connection."""
    chat_user: str
    """The platform's name for the account."""
    name: str
    """What it is called there."""
    linked_at: int
    """When it was linked, in Unix seconds."""
