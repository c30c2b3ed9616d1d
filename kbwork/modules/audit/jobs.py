"""Retention: events older than the org keeps them go, a slice at a time, and leave an entry."""

from kbwork.core import org_settings
from kbwork.core.jobs import queue
from kbwork.core.jobs.kinds import Schedule
from kbwork.core.operations import idempotency
from kbwork.core.things import undo
from kbwork.db.tx import Read, Write
from kbwork.modules.audit.model import AuditTrimmed

_SLICE = 5000
_DAY_S = 86400


def _kept_days(tx: Read) -> int | None:
    """An event is kept as long as the audit log or the feed asks, whichever is longer; None: for ever."""
    retention = org_settings.get(tx, "org.retention")
    days = (retention["audit_days"], retention["events_days"])
    return None if None in days else max(int(day) for day in days)


def _too_old(tx: Read) -> bool:
    days = _kept_days(tx)
    if days is None:
        return False
    return tx.value("select at from events order by seq limit 1") is not None and bool(
        tx.value("select at < :before from events order by seq limit 1", before=tx.now - days * _DAY_S)
    )


def _trim(tx: Write) -> None:
    """Events by which records for undo are found stay as long as those, though an import says that they are older."""
    days = _kept_days(tx)
    if days is None:
        return
    undo.sweep(tx)
    gone = tx.execute(
        "delete from events where seq in (select seq from events where at < :before"
        " and seq < coalesce((select min(seq) from undo), :seq + 1) order by seq limit :most)",
        before=tx.now - days * _DAY_S,
        seq=tx.seq,
        most=_SLICE,
    )
    if gone:
        tx.emit(AuditTrimmed(subject="org:1", payload={"entries": gone, "days": days}))


TRIM = Schedule(name="audit.trim", home=__name__, every_s=60, run=_trim, due=_too_old)


def _sweep(tx: Write) -> None:
    idempotency.sweep(tx)
    undo.sweep(tx)
    queue.sweep(tx)


SWEEP = Schedule(name="kept.sweep", home=__name__, every_s=600, run=_sweep)
