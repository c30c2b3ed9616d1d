"""Purging: what lies in the trash goes for good, and what is said of it elsewhere with it."""

import json
from itertools import islice

from kbwork.core import org_settings
from kbwork.core.access import impersonate, visibility
from kbwork.core.jobs.kinds import JobKind, Next, RunningJob, Schedule, enqueue
from kbwork.core.things.cascade import purge_parts
from kbwork.core.things.thing import ref_of
from kbwork.db.rows import TrashRow
from kbwork.db.tx import Read, Write
from kbwork.modules.trash import entries
from kbwork.modules.trash.erasure import forget

_SLICE = 20
_DAY_S = 86400


def begin(tx: Write, rows: list[TrashRow]) -> None:
    """Purge entries: as much at once as is quick, the rest by a job."""
    for row in rows:
        tx.execute("update trash set purging = 1 where id = :id", id=row["id"])
        tx.emit(entries.trashable(tx, row["subject"]).purged(subject=row["subject"]))
    if left := _go_through(tx, [row["id"] for row in rows]):
        enqueue(tx, PURGE.kind, {"entries": left}, message="Purging")


def _go_through(tx: Write, idents: list[int]) -> list[int]:
    """Purge some subjects of these entries; answers the entries that are not done."""
    room = _SLICE
    for number, ident in enumerate(idents):
        row = tx.one("select * from trash where id = :id", TrashRow, id=ident)
        if row is None:
            continue
        items = json.loads(row["items"])
        subjects = [*items, row["subject"]]
        done = 0
        while done < min(room, len(subjects)) and purge(tx, subjects[done]):
            done += 1
        if done < len(subjects):
            tx.execute(
                "update trash set items = :items where id = :id", items=json.dumps(items[done:]), id=ident
            )
            return idents[number:]
        room -= done
    return []


def purge(tx: Write, subject: str) -> bool:
    """Remove a subject, what hangs on it and what was said of it, in steps; False where there is more to remove."""
    tx.shred()
    ref = ref_of(subject)[1]
    kind = entries.trashable(tx, subject)
    if kind.emptied is not None and not kind.emptied(tx, ref):
        return False
    if not purge_parts(tx, subject):
        return False
    if not kind.purge(tx, ref):
        return False
    if not all(forget(tx, known) for known in visibility.known_as(tx, subject)):
        return False
    tx.execute("delete from trash where subject = :subject", subject=subject)
    return True


def _go_on(tx: Write, job: RunningJob) -> Next:
    left = _go_through(tx, job.args["entries"])
    if not left:
        return Next(message="Purged")
    return Next(args={"entries": left}, message=f"Purging {len(left)}")


PURGE = JobKind(kind="trash.purge", home=__name__, step=_go_on)


def _empty(tx: Write, job: RunningJob) -> Next:
    """Some of what whoever asked may bring back now, in their name."""
    kinds = job.args["kinds"]
    with impersonate.as_starter(tx, job.args["who"]):
        where = (
            "t.deleted_at < :before and (:kinds is null or t.kind in (select value from json_each(:kinds)))"
        )
        binds = {"before": job.args["before"], "kinds": json.dumps(kinds) if kinds is not None else None}
        rows = list(islice(entries.walk(tx, where, binds, newest_first=False, some=_SLICE), _SLICE))
        begin(tx, rows)
    done = job.args["purged"] + len(rows)
    if len(rows) < _SLICE:
        return Next(result={"purged": done}, message=f"Purged {done}")
    return Next(args=job.args | {"purged": done}, message=f"Purged {done} so far")


EMPTY = JobKind(kind="trash.empty", home=__name__, step=_empty)


def _over(tx: Read) -> int | None:
    """Entries that were deleted before this time have lain there for long enough."""
    days = org_settings.get(tx, "org.retention")["trash_days"]
    return None if days is None else tx.now - days * _DAY_S


def _due(tx: Read) -> bool:
    before = _over(tx)
    return before is not None and bool(
        tx.value("select 1 from trash where purging = 0 and deleted_at < :before limit 1", before=before)
    )


def _sweep(tx: Write) -> None:
    rows = tx.all(
        "select * from trash where purging = 0 and deleted_at < :before order by deleted_at, id limit :most",
        TrashRow,
        before=_over(tx),
        most=_SLICE,
    )
    begin(tx, rows)


SWEEP = Schedule(name="trash.sweep", home=__name__, every_s=60, run=_sweep, due=_due)
