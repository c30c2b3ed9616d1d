"""Purging: what lies in the trash goes for good, and what is said of it elsewhere with it."""

import json

from kbwork.core import orgsettings, visibility
from kbwork.core.jobs import Job, JobKind, Next, Schedule, enqueue
from kbwork.core.subjects import ref_of
from kbwork.db.tx import Read, Row, Write

_SLICE = 20
_DAY_S = 86400


def begin(tx: Write, row: Row) -> None:
    """Purge an entry: at once where that is quick, else its next steps are a job's."""
    tx.execute("update trash set purging = 1 where id = :id", id=row["id"])
    kind = visibility.kinds(tx)[row["kind"]]
    assert kind.purged is not None, f"{kind.name} lies in the trash and cannot be purged"
    tx.emit(kind.purged(subject=row["subject"]))
    if not _step(tx, row):
        enqueue(tx, PURGE.kind, {"entry": row["id"]}, message="Purging")


def _step(tx: Write, row: Row) -> bool:
    """Some of it; True when nothing is left."""
    return all(purge(tx, subject) for subject in (*json.loads(row["items"]), row["subject"]))


def purge(tx: Write, subject: str) -> bool:
    """Remove a subject, what hangs on it and what was said of it; False where there is more to remove."""
    name, ref = ref_of(subject)
    kind = visibility.kinds(tx)[name]
    assert kind.purge is not None, f"{name} cannot be purged"
    if kind.emptied is not None and not kind.emptied(tx, ref):
        return False
    for part in tx.registry.parts:
        part.purge(tx, subject)
    if not kind.purge(tx, ref):
        return False
    for known in visibility.known_as(tx, subject):
        forget(tx, known)
    tx.execute("delete from trash where subject = :subject", subject=subject)
    return True


def forget(tx: Write, subject: str) -> None:
    """What was said of a subject: payloads of its events, its history, records for undo."""
    tx.execute(
        "delete from undo where seq in (select u.seq from events e join undo u"
        " on u.seq = (select max(seq) from undo where seq <= e.seq) and u.last_seq >= e.seq"
        " where e.subject = :subject)",
        subject=subject,
    )
    tx.execute(
        "update events set payload = jsonb('{}') where subject = :subject and payload <> jsonb('{}')",
        subject=subject,
    )
    tx.execute("delete from span where subject = :subject", subject=subject)


def _go_on(tx: Write, job: Job) -> Next:
    row = tx.one("select * from trash where id = :id", id=job.args["entry"])
    if row is None or _step(tx, row):
        return Next(message="Purged")
    return Next(args=job.args, message="Purging")


PURGE = JobKind(kind="trash.purge", home=__name__, step=_go_on)


def _empty(tx: Write, job: Job) -> Next:
    kinds = job.args["kinds"]
    rows = tx.all(
        "select * from trash where purging = 0 and deleted_at < :before"
        " and (:kinds is null or kind in (select value from json_each(:kinds))) order by deleted_at, id limit :most",
        before=job.args["before"],
        kinds=json.dumps(kinds) if kinds is not None else None,
        most=_SLICE,
    )
    for row in rows:
        begin(tx, row)
    done = job.args["purged"] + len(rows)
    if len(rows) < _SLICE:
        return Next(result={"purged": done}, message=f"Purged {done}")
    return Next(args=job.args | {"purged": done}, message=f"Purged {done} so far")


EMPTY = JobKind(kind="trash.empty", home=__name__, step=_empty)


def _over(tx: Read) -> int | None:
    """Entries that were deleted before this time have lain there for long enough."""
    days = orgsettings.get(tx, "org.retention")["trash_days"]
    return None if days is None else tx.now - days * _DAY_S


def _due(tx: Read) -> bool:
    before = _over(tx)
    return before is not None and bool(
        tx.value("select 1 from trash where purging = 0 and deleted_at < :before limit 1", before=before)
    )


def _sweep(tx: Write) -> None:
    rows = tx.all(
        "select * from trash where purging = 0 and deleted_at < :before order by deleted_at, id limit :most",
        before=_over(tx),
        most=_SLICE,
    )
    for row in rows:
        begin(tx, row)


SWEEP = Schedule(name="trash.sweep", home=__name__, every_s=60, run=_sweep, due=_due)
