"""The words of the audit log."""

from typing import Any, Literal

from typing_extensions import TypedDict

from kbwork.base.events import DomainEvent


class AuditEntry(TypedDict):
    """One entry; `id` is the event's sequence number, `details` its payload.

    Where it is `veiled` the caller may know that it happened, when and by whom: `details` is empty.
    """

    id: int
    at: int
    kind: str
    subject: str
    actor: str
    actor_kind: Literal["human", "key", "agent", "system", "automation"]
    via: str | None
    address: str | None
    details: Any
    veiled: bool
    op: str | None
    request: str | None


class AuditExported(DomainEvent):
    kind = "audit.exported"
    audience = "admin"


class AuditTrimmed(DomainEvent):
    kind = "audit.trimmed"
    audience = "admin"
