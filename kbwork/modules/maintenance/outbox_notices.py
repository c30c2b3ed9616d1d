"""What admins are told of the outbox: that it is behind, and that its stream was emptied."""

from typing import Literal

from kbwork.base.events import DomainEvent
from kbwork.db.tx import Write
from kbwork.modules.maintenance.admin_hearers import told_to_admins

OutboxTrouble = Literal["late", "emptied"]


class OutboxFailed(DomainEvent):
    """It is behind (`what` is `late`), or its stream was emptied or deleted (`emptied`): `error` says why."""

    kind = "outbox.failed"
    audience = "admin"


def failed(tx: Write, *, what: OutboxTrouble, error: str) -> None:
    """Tell of it."""
    tx.emit(OutboxFailed(subject="org:1", payload={"what": what, "error": error}))


HEARERS = told_to_admins(
    __name__, "outbox.failed", "found the outbox of events behind or its stream emptied: see the audit log"
)
