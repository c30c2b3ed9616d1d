"""The words of chats."""

from typing import Any, Literal

from typing_extensions import TypedDict

from kbwork.base.events import DomainEvent

Provider = Literal["slack", "teams", "discord"]
PostedKind = Literal["issue.created", "issue.updated", "issue.assigned", "issue.deleted", "comment.created"]


class ChatConnection(TypedDict):
    """A workspace, team or server of a chat platform that kbwork takes commands from and posts to."""

    id: int
    """Id of the connection."""
    name: str
    """What it is called."""
    provider: Provider
    """Which platform it is on."""
    project: str
    """Key of the project of issues that are made there, `(gone)` where the caller does not see it."""
    hook_path: str
    """Path of this site that the platform is to post to."""
    has_bot_token: bool
    """With Slack: whether a bot token is kept, which links are shown and mentions answered with."""
    linked: int
    """Accounts there that are linked to members."""
    requests: int
    """Requests that came for it, refused ones too."""
    last_event_at: int | None
    """When the latest came that was not refused, in Unix seconds; null: never."""
    last_error: str | None
    """What went wrong last; null: nothing since it last went well."""
    created_at: int
    """When it was made, in Unix seconds."""
    created_by: str
    """Who made it."""


class ChatSubscription(TypedDict):
    """Which events of issues a channel hears of."""

    id: int
    """Id of the subscription."""
    name: str
    """What it is called."""
    connection: int
    """Id of its connection."""
    events: list[PostedKind]
    """Kinds of events that are posted."""
    tql: str
    """Only of issues that fit this query; empty: of every issue."""
    sent: int
    """Posts that the channel took."""
    last_sent_at: int | None
    """When it took the latest, in Unix seconds; null: never."""
    created_at: int
    """When it was made, in Unix seconds."""
    created_by: str
    """Who made it."""


class BotToken(TypedDict):
    token: str
    """The bot token, opened."""


class ChatIngested(TypedDict):
    reply: Any
    """Any JSON: what the platform is answered with; null: nothing."""
    result: Literal["accepted", "refused"]
    """`refused`: nothing proves that the platform sent it, or it came before."""


class ChatSubscriptionGone(TypedDict):
    id: int
    """Id of the subscription that was deleted."""


class ChatSubscriptionTested(TypedDict):
    id: int
    """Id of the subscription whose channel took a post."""


class ChatConnectionSaved(DomainEvent):
    kind = "chat.connection_saved"
    audience = "admin"


class ChatConnectionDeleted(DomainEvent):
    kind = "chat.connection_deleted"
    audience = "admin"


class ChatSubscriptionSaved(DomainEvent):
    kind = "chat.subscription_saved"
    audience = "admin"


class ChatSubscriptionDeleted(DomainEvent):
    kind = "chat.subscription_deleted"
    audience = "admin"


class ChatLinked(DomainEvent):
    """An account of a chat is somebody's, or is so no more (`on` false)."""

    kind = "chat.linked"
    audience = "admin"


class ChatPosted(DomainEvent):
    """A channel took a post about `event`."""

    kind = "chat.posted"
    audience = "admin"


class ChatFailed(DomainEvent):
    """A post that is not tried again: `error` says why."""

    kind = "chat.failed"
    audience = "admin"
