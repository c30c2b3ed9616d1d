"""The words of webhooks."""

from typing import ClassVar, Literal

from typing_extensions import TypedDict

from kbwork.base.events import DomainEvent

State = Literal["ok", "failing", "disabled"]
DeliveryState = Literal["queued", "sent", "failed", "dropped"]


class Webhook(TypedDict):
    """Where events are sent, and which."""

    id: int
    """Id of the webhook."""
    name: str
    """What it is called."""
    url: str
    """The address that events are posted to."""
    events: list[str]
    """Kinds of events, such as `issue.created` or `issue.*`."""
    project: str | None
    """Key of the project whose events alone it hears, `(gone)` where the caller knows nothing of that; null: those of
    all that its author sees."""
    tql: str
    """Only events of issues that fit this condition; empty: all events."""
    headers: dict[str, None]
    """Names of headers that go along; their values are never shown."""
    fields: list[str]
    """What of the subject goes along as `data`; empty: nothing."""
    enabled: bool
    """Whether it is on."""
    batch_seconds: int
    """So long events are gathered into one request; 0: each goes by itself."""
    state: State
    """`failing`: the latest try was not taken; `disabled`: it is off."""
    last_at: int | None
    """When it was last tried, in Unix seconds; null: never."""
    last_status: int | None
    """What the receiver answered then; null: nothing."""
    failures: int
    """Tries since the last one that was taken."""
    author: str
    """Whoever saved it last: it hears what they may hear of."""


class SavedWebhook(Webhook):
    """`secret` is null for one that was there before."""

    secret: str | None
    """What signs its requests, shown this once; null: it has one already."""


class RotatedSecret(TypedDict):
    secret: str
    """What signs its requests from now on, shown this once."""


class Delivery(TypedDict):
    """One request of a webhook, until it is taken or given up."""

    id: int
    """Its id, which the request has as `X-Kb-Delivery`."""
    webhook: int
    """Id of the webhook."""
    event: str
    """Kind of its event; `batch` for several, `message` for what `webhooks.send` sent."""
    seq: int
    """Highest sequence number inside; of a message that of the event before it; 0 for a test."""
    state: DeliveryState
    """`failed`: given up after its last try; `dropped`: not to be sent any more."""
    tries: int
    """How often it was tried."""
    status: int | None
    """What the receiver answered to the latest try; null: nothing."""
    ms: int | None
    """How long that took, in milliseconds."""
    error: str | None
    """Why it was not taken; null: it was, or was not tried yet."""
    request: str
    """The body, as the webhook's author reads it; empty before the first try, and for others. Of a message, as whoever
    sent it reads it until it was taken."""
    response: str | None
    """The first 4 KB of the answer, likewise."""
    at: int
    """When it was queued, in Unix seconds."""
    next_at: int | None
    """When it is tried next; null: no more."""


class Redelivered(TypedDict):
    queued: int
    """Deliveries that are sent again."""


class WebhookSaved(DomainEvent):
    kind = "webhook.saved"
    audience = "admin"
    names: ClassVar[dict[str, str]] = {"project": "project"}


class WebhookDeleted(DomainEvent):
    kind = "webhook.deleted"
    audience = "admin"


class WebhookDisabled(DomainEvent):
    """It was switched off by the server: `error` says why."""

    kind = "webhook.disabled"
    audience = "admin"
