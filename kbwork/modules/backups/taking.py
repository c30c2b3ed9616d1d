"""Taking a backup: by hand, or by the schedule, which keeps so many of its own and no more."""

import datetime
from typing import Any

from kbwork.base.errors import Problem
from kbwork.core import zones
from kbwork.core.jobs import Job, JobKind, Next, Schedule, enqueue
from kbwork.core.outside import Out
from kbwork.db.backup import name as backup_name
from kbwork.db.tx import Read, Write
from kbwork.modules.backups import shelf
from kbwork.modules.backups.model import Backup, BackupCreated, BackupFailed, BackupKind

_AT_HOUR = 3
"""When daily and weekly ones are taken, where the org is; weekly ones on Mondays."""


async def take(out: Out, kind: BackupKind, place: str, *, note: str = "", attachments: bool = True) -> Backup:
    """One archive more, checked. Raises Conflict while another is being taken, or where the disk refuses."""
    places = await out.read(lambda tx: tx.places)
    now = await out.read(lambda tx: tx.now)
    folder = shelf.folder_of(places, place)
    ident = backup_name(now, kind)
    with out.alone("a backup is being taken"):
        await out.thread(shelf.prepared, folder)
        told: dict[str, Any] = await out.apart(
            "take",
            file=str(places.file),
            to=str(folder / f"{ident}.zip"),
            label={"at": now, "kind": kind, "note": note, "attachments": attachments},
        )
        backup = shelf.shown(ident, place, told)
        await out.thread(shelf.keep, places, backup)
    return backup


def told(tx: Write, backup: Backup) -> Backup:
    """Tell of a new one."""
    names = ("kind", "bytes", "seq", "place")
    payload = {"backup": backup["id"]} | {name: value for name, value in backup.items() if name in names}
    tx.emit(BackupCreated(subject="org:1", payload=payload))
    return backup


def failed(tx: Write, kind: BackupKind, why: str) -> None:
    """Tell of one that could not be taken."""
    tx.emit(BackupFailed(subject="org:1", payload={"kind": kind, "error": why}))


def next_at(tx: Read, every: str) -> int | None:
    """When the schedule takes the next one: at the full hour, or at three in the morning where the org is."""
    if every == "off":
        return None
    now = datetime.datetime.fromtimestamp(tx.now, zones.of_org(tx))
    if every == "hourly":
        return tx.now - tx.now % 3600 + 3600
    at = now.replace(hour=_AT_HOUR, minute=0, second=0, microsecond=0)
    while at <= now or (every == "weekly" and at.weekday() != 0):
        at += datetime.timedelta(days=1)
    return int(at.timestamp())


def _is_due(tx: Read) -> bool:
    return tx.value("select 1 from backup_schedule where next_at <= :now", now=tx.now) is not None


def _start(tx: Write) -> None:
    row = tx.stored("backup_schedule", [1])
    assert row is not None
    tx.execute("update backup_schedule set next_at = :at", at=next_at(tx, row["every"]))
    enqueue(tx, SCHEDULED.kind, {}, by="system", message="Taking a backup")


async def _take(out: Out, job: Job) -> Next:
    """One of the schedule. What it made before and what is more than it is to keep goes."""
    row = await out.read(lambda tx: tx.one("select * from backup_schedule"))
    assert row is not None
    places = await out.read(lambda tx: tx.places)
    place = row["target"] if row["target"] in places.named else shelf.HOME
    try:
        backup = await take(out, "scheduled", place)
    except Problem as problem:
        why = problem.detail
        await out.write(lambda tx: _write_down(tx, why))
        raise
    await out.write(lambda tx: _write_down(tx, None))
    await out.write(lambda tx: told(tx, backup))
    mine = [
        one
        for one in await shelf.every(out, places)
        if one["kind"] == "scheduled" and one["place"] == backup["place"]
    ]
    for old in mine[row["keep"] :]:
        await out.thread(shelf.remove, places, old)
    return Next(result={"backup": backup["id"]}, message="Taken")


def _write_down(tx: Write, why: str | None) -> None:
    tx.execute("update backup_schedule set last_error = :why", why=why)
    if why is not None:
        failed(tx, "scheduled", why)


SCHEDULED = JobKind(kind="backups.take", home=__name__, wait=_take, emits=(BackupCreated, BackupFailed))
TAKE = Schedule(name="backups.start", home=__name__, every_s=10, run=_start, due=_is_due)
