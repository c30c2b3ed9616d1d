"""The words of notifications."""

from typing import Annotated, Literal, get_args

from pydantic import Field, StringConstraints
from typing_extensions import TypedDict

from kbwork.base.model import Int

Reason = Literal[
    "approval",
    "assigned",
    "mentioned",
    "replied",
    "invited",
    "shared",
    "agent",
    "due",
    "sla",
    "rule",
    "report",
    "watching",
]
REASONS: tuple[Reason, ...] = get_args(Reason)
"""The one that asks most of its reader first: an entry has the first of those of its events."""
Channel = Literal["inbox", "mail", "push", "chat"]
CHANNELS: tuple[Channel, ...] = get_args(Channel)
State = Literal["unread", "read", "snoozed", "archived"]
Digest = Literal["off", "daily", "weekly"]
ClockTime = Annotated[str, StringConstraints(pattern=r"^([01][0-9]|2[0-3]):[0-5][0-9]$")]
DayOfWeek = Annotated[Int, Field(ge=1, le=7)]


class NotificationEvent(TypedDict):
    """Something that happened to the subject of an entry."""

    seq: int | None
    """Sequence number of the event; null where a day came and nothing was done."""
    kind: str
    """What happened, such as `comment.created`; `issue.due` for a day that came."""
    actor: str
    """Who did it, such as a member's id; `system` for a day that came."""
    at: int
    """When it happened, in Unix seconds."""
    summary: str
    """What happened in a few words, to be read behind the name of who did it."""


class Notification(TypedDict):
    """An entry of the inbox: what came of one subject since its receiver last had it read."""

    id: int
    """Id of the entry; a subject has one in each inbox."""
    subject: str
    """What it is about, such as `issue:12`."""
    title: str
    """What that is called now."""
    reason: Reason
    """Why it came: of several reasons the one that asks most of its reader."""
    events: list[NotificationEvent]
    """What happened, newest first, the last 20 at most; without what the caller may not hear of any more."""
    state: State
    """`snoozed` is unread again when its time comes."""
    snoozed_until: int | None
    """Until when it sleeps, in Unix seconds; null: it is awake."""
    at: int
    """When the newest of it happened, in Unix seconds."""
    path: str
    """Where the web app shows the subject."""


class NotificationCount(TypedDict):
    """How much is unread and awake."""

    unread: int
    """Entries that are unread, as far as the caller sees what they are about."""
    by_reason: dict[Reason, int]
    """How many of them there are for each reason that has some."""


class Unread(TypedDict):
    unread: int
    """Entries that are unread then."""


class Mute(TypedDict):
    """What the caller does not hear of."""

    subject: str
    """An issue or project, such as `issue:12`."""
    until: int | None
    """Until when, in Unix seconds; null: for good."""


class Muted(TypedDict):
    muted: list[Mute]
    """All that the caller muted, as far as they see it."""


class PushDevice(TypedDict):
    """A browser that is pushed to."""

    device: str
    """What its owner calls it."""
    added_at: int
    """Since when, in Unix seconds."""


class NotificationSettings(TypedDict):
    """How somebody wants to hear of things."""

    channels: dict[Reason, list[Channel]]
    """By which ways each reason is told; empty: not at all."""
    digest: Digest
    """`daily` and `weekly`: one letter with all that would have been mailed, on Mondays for `weekly`."""
    digest_at: str
    """When the digest comes, and dates that are near, as `08:00` in the zone of the profile."""
    quiet: dict[str, str | list[int]] | None
    """`from`, `to` and `days`: when no mail and no push comes; null: they always may."""
    due_before_days: list[int]
    """So many days before an assigned issue is due one is told, and the day after; empty: never."""
    own_projects: list[str]
    """Keys of projects of which one hears as if one watched each issue, new ones too."""
    delay_minutes: int
    """So long a letter waits: what is read meanwhile is not mailed, and what else comes goes with it."""
    muted: list[Mute]
    """What one does not hear of."""
    devices: list[PushDevice]
    """Browsers that are pushed to."""
    push_key: str | None
    """The server's public key for subscribing a browser (VAPID, base64url); null: ask again in a moment."""


class Tested(TypedDict):
    ok: bool
    """Whether it went out."""
    detail: str
    """Where to, or what to mend."""
