"""Taking a backup, by hand or by the schedule, which keeps so many of its own, and sending it to S3."""

import contextlib
import datetime
from collections.abc import Iterator
from typing import Any, cast

from kbwork.base.errors import Busy, Conflict, NotFound, Problem
from kbwork.core import zones
from kbwork.core.figures import DataFigures
from kbwork.core.jobs.kinds import JobKind, Next, RunningJob, Schedule, enqueue
from kbwork.core.operations.external import External
from kbwork.db.archives.backup import name as backup_name
from kbwork.db.folder import Places
from kbwork.db.rows import BackupScheduleRow
from kbwork.db.tx import Read, Write
from kbwork.modules.backups import store
from kbwork.modules.backups.model import Backup, BackupCreated, BackupFailed, BackupKind

DOING = "a backup is being taken"
_AT_HOUR = 3
"""When daily and weekly ones are taken, where the org is; weekly ones on Mondays."""


async def take(
    out: External, kind: BackupKind, place: str, *, note: str = "", attachments: bool = True
) -> Backup:
    """One archive more, checked. Raises Conflict while another is being taken, or where the disk refuses."""
    with out.alone(DOING):
        return await _taken(out, kind, place, note, attachments=attachments)


@contextlib.contextmanager
def alone_or_later(out: External) -> Iterator[None]:
    """Raises Busy, for a job to be tried again, while a backup is being taken."""
    with contextlib.ExitStack() as stack:
        try:
            stack.enter_context(out.alone(DOING))
        except Conflict as problem:
            raise Busy(problem.detail) from None
        yield


async def _taken(out: External, kind: BackupKind, place: str, note: str, *, attachments: bool) -> Backup:
    places = await out.read(lambda tx: tx.places)
    now = await out.read(lambda tx: tx.now)
    folder = store.folder_of(places, place)
    ident = backup_name(now, kind)
    await out.thread(store.prepared, folder)
    told: dict[str, Any] = await out.file_work(
        "take",
        file=str(places.file),
        to=str(folder / f"{ident}.zip"),
        label={"at": now, "kind": kind, "note": note, "attachments": attachments},
        key=await store.signing_key(out),
    )
    backup = store.shown(ident, place, told)
    await out.thread(store.keep, places, backup)
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


async def _take(out: External, job: RunningJob) -> Next:
    """One of the schedule. What it made before and what is more than it is to keep goes.

    One for a store is taken at home first and sent from there; while that fails it stays home and is sent again later.
    """
    row = await out.read(lambda tx: tx.one("select * from backup_schedule", BackupScheduleRow))
    assert row is not None
    places = await out.read(lambda tx: tx.places)
    target = row["target"] if row["target"] in places.names else store.HOME
    try:
        backup = await _made(out, job, places, target)
        if target in places.buckets and job.args.get("taken") is None:
            return Next(args={"taken": backup}, progress=0.5, message=f"Sending it to {target}")
        if backup["place"] != target and target in places.buckets:
            backup = await store.sent(out, places, backup, target)
    except Busy:
        raise  # nothing went wrong: it is tried again
    except Problem as problem:
        why = problem.detail
        await out.write(lambda tx: _write_down(tx, why))
        if job.args.get("taken") is not None:
            await _rotate(out, places, store.HOME, row["keep"])
            raise Busy(why) from None  # the archive is at home: it is sent again
        raise
    await out.write(lambda tx: _write_down(tx, None))
    await out.write(lambda tx: told(tx, backup))
    await _rotate(out, places, backup["place"], row["keep"])
    return Next(result={"backup": backup["id"]}, message="Taken")


async def _made(out: External, job: RunningJob, places: Places, target: str) -> Backup:
    """The one that is being sent, or was when this was cut off, or a new one."""
    taken = cast("Backup | None", job.args.get("taken"))
    if taken is None:
        with alone_or_later(out):
            home = store.HOME if target in places.buckets else target
            return await _taken(out, "scheduled", home, "", attachments=True)
    if await out.thread(store.archive_of(places, taken).is_file):
        return taken
    there = await store.noted(out, places, taken, target)
    if there is None:
        raise NotFound("The archive that was to be sent was taken away.")
    return there


async def _rotate(out: External, places: Places, place: str, most: int) -> None:
    mine = [
        one for one in await store.every(out, places) if one["kind"] == "scheduled" and one["place"] == place
    ]
    for old in mine[most:]:
        await store.remove(out, places, old)


def _write_down(tx: Write, why: str | None) -> None:
    """What went wrong with the last one; it is told of once."""
    before = tx.value("select last_error from backup_schedule")
    tx.execute("update backup_schedule set last_error = :why", why=why)
    if why is not None and why != before:
        failed(tx, "scheduled", why)


def last_success(tx: Read) -> int:
    """When the last one was taken, in Unix seconds; 0 where none was."""
    return (
        tx.value(
            "select at from events where subject = 'org:1' and kind = 'backup.created' order by seq desc limit 1"
        )
        or 0
    )


def _figures(tx: Read) -> dict[str, float]:
    return {"last_success_seconds": float(last_success(tx))}


FIGURES = DataFigures(home=__name__, prefix="kbwork_backup", about="Backups", read=_figures)
SCHEDULED = JobKind(kind="backups.take", home=__name__, wait=_take, emits=(BackupCreated, BackupFailed))
TAKE = Schedule(name="backups.start", home=__name__, every_s=10, run=_start, due=_is_due, on_time=True)
