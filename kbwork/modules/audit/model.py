"""The words of the audit log."""

from typing import Any, Literal

from typing_extensions import TypedDict

from kbwork.base.events import DomainEvent


class AuditEntry(TypedDict):
    """One entry; `id` is the event's sequence number, `details` its payload.

    Where it is `veiled` the caller may know that it happened, when and by whom: `details` is empty.
    """

    id: int
    """Sequence number of the event."""
    at: int
    """When it happened, in Unix seconds."""
    kind: str
    """What happened, such as `auth.failed`."""
    subject: str
    """What it happened to, such as `issue:WEB-1` or `org:1`."""
    actor: str
    """Who did it: a member's id, `agent:<name>`, `system`, `anonymous` or the like."""
    actor_kind: Literal["human", "key", "agent", "system", "automation"]
    """Sort of actor: a person, a key or agent acting for one, an automation or the server itself."""
    via: str | None
    """Key or agent that did it in a person's name; null: none."""
    address: str | None
    """Network address of the call; null where there was none."""
    details: Any
    """The event's payload, any JSON; empty where the entry is veiled."""
    veiled: bool
    """Whether the details are kept from the caller."""
    op: str | None
    """Operation that did it, such as `issues.create`; null: none."""
    request: str | None
    """Id of the request; null where there was none."""


class AuditExported(DomainEvent):
    kind = "audit.exported"
    audience = "admin"


class AuditTrimmed(DomainEvent):
    kind = "audit.trimmed"
    audience = "admin"
