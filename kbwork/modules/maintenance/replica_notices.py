"""What admins are told of the replica: that it is behind, and that a trial of it failed."""

from collections.abc import Iterator
from typing import Literal

from kbwork.base.events import DomainEvent
from kbwork.core import org_settings
from kbwork.core.data_check import DataCheck, Finding, shown
from kbwork.db.tx import Read, Write
from kbwork.modules.maintenance.admin_hearers import told_to_admins

_DRILL = "replica.drill"


class ReplicaFailed(DomainEvent):
    """It is behind (`what` is `late`), or a trial of it failed (`drill`): `error` says why."""

    kind = "replica.failed"
    audience = "admin"


def failed(tx: Write, *, what: Literal["late", "drill"], error: str) -> None:
    """Tell of it."""
    tx.emit(ReplicaFailed(subject="org:1", payload={"what": what, "error": error}))


def tried(tx: Write, *, ok: bool, detail: str) -> None:
    """Note how a trial ended, and tell of one that failed."""
    org_settings.put(tx, _DRILL, {"at": tx.now, "ok": ok, "detail": detail})
    if not ok:
        failed(tx, what="drill", error=detail)


def last_trial(tx: Read) -> tuple[int, bool]:
    """(when it ended, in Unix seconds, 0: there was none; whether the replica was fit)."""
    found = org_settings.get(tx, _DRILL)
    return (found["at"], found["ok"]) if found else (0, True)


def _look(tx: Read) -> Iterator[Finding]:
    found = org_settings.get(tx, _DRILL)
    if found:
        ended = "was sound" if found["ok"] else "was not fit"
        said = f"the replica was tried at {shown(found['at'])} and {ended}: {found['detail']}"
        yield Finding("replica-drill", found["ok"], said)


HEARERS = told_to_admins(
    __name__, "replica.failed", "found the replica of the data behind or unfit: see the audit log"
)
DRILLED = DataCheck(home=__name__, look=_look)
