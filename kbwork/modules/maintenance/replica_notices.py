"""What admins are told of the replica: that it is behind, and that a trial of it failed."""

from collections.abc import Iterator
from typing import Any, Literal

from kbwork.base.events import DomainEvent
from kbwork.core.events.hearers import EventHearers, PossibleHearer
from kbwork.db.tx import Read, Row, Write

_ADMINS = "select id from member where role in ('owner', 'admin') and state = 'active'"


class ReplicaFailed(DomainEvent):
    """It is behind (`what` is `late`), or a trial of it failed (`drill`): `error` says why."""

    kind = "replica.failed"
    audience = "admin"


def failed(tx: Write, *, what: Literal["late", "drill"], error: str) -> None:
    """Tell of it."""
    tx.emit(ReplicaFailed(subject="org:1", payload={"what": what, "error": error}))


def _admins(tx: Read, _: Row, __: dict[str, Any]) -> Iterator[PossibleHearer]:
    yield from ((who, "watching") for who in tx.column(_ADMINS))


HEARERS = EventHearers(
    home=__name__,
    thing="org",
    hearers={"replica.failed": _admins},
    said={"replica.failed": "found the replica of the data behind or unfit: see the audit log"},
    watchers=lambda tx, ref: iter(()),
)
