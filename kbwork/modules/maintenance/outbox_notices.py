"""What admins are told of the outbox: that it is behind, and that its stream was emptied."""

from collections.abc import Iterator
from typing import Any, Literal

from kbwork.base.events import DomainEvent
from kbwork.core.events.hearers import EventHearers, PossibleHearer
from kbwork.db.tx import Read, Row, Write

OutboxTrouble = Literal["late", "emptied"]
_ADMINS = "select id from member where role in ('owner', 'admin') and state = 'active'"


class OutboxFailed(DomainEvent):
    """It is behind (`what` is `late`), or its stream was emptied or deleted (`emptied`): `error` says why."""

    kind = "outbox.failed"
    audience = "admin"


def failed(tx: Write, *, what: OutboxTrouble, error: str) -> None:
    """Tell of it."""
    tx.emit(OutboxFailed(subject="org:1", payload={"what": what, "error": error}))


def _admins(tx: Read, _: Row, __: dict[str, Any]) -> Iterator[PossibleHearer]:
    yield from ((who, "watching") for who in tx.column(_ADMINS))


HEARERS = EventHearers(
    home=__name__,
    thing="org",
    hearers={"outbox.failed": _admins},
    said={"outbox.failed": "found the outbox of events behind or its stream emptied: see the audit log"},
    watchers=lambda tx, ref: iter(()),
)
