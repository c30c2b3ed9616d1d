"""Take backups, look at them, check one, fetch one, take one away, and say when they are taken by themselves."""

from typing import Annotated

from pydantic import Field, StringConstraints

from kbwork.base.errors import Problem
from kbwork.base.model import Empty, Input, Text
from kbwork.core.operations.declare import destructive, write
from kbwork.core.operations.external import External
from kbwork.db.rows import BackupScheduleRow
from kbwork.db.tx import Read, Write
from kbwork.modules.backups import creation, links, store
from kbwork.modules.backups.model import (
    Backup,
    BackupCreated,
    BackupFailed,
    Backups,
    BackupSchedule,
    Every,
    Fetched,
    Verified,
)

NOT_UNDONE = "a backup is a copy beside the data"


@write(
    "backups.list",
    scope="admin",
    words="which backups exist, when was the last backup, latest snapshot, backup schedule",
    undo=NOT_UNDONE,
    example={},
)
async def list_(out: External, args: Empty) -> Backups:
    """List the backups in all places, the latest first, and the schedule."""
    places = await out.read(lambda tx: tx.places)
    return Backups(items=await store.every(out, places), schedule=await out.read(_schedule))


class BackupsCreate(Input):
    note: Annotated[str, StringConstraints(strip_whitespace=True, max_length=500)] | None = None
    """What to note of it, such as `before the move`."""
    attachments: bool | None = None
    """false leaves out the bytes of files; their names stay. True unless given."""


@write(
    "backups.create",
    scope="admin",
    words="back up now, take a snapshot, save all data, make a backup, dump",
    emits=[BackupCreated, BackupFailed],
    undo=NOT_UNDONE,
    example={"note": "Before the big clean-up"},
)
async def create(out: External, args: BackupsCreate) -> Backup:
    """Take a backup of the whole org while people work: the state of one moment, in one archive, checked.

    It holds all data but the key that seals secrets. One is taken at a time (409).
    """
    try:
        backup = await creation.take(
            out, "manual", store.HOME, note=args.note or "", attachments=args.attachments is not False
        )
    except Problem as problem:
        why = problem.detail
        await out.write(lambda tx: creation.failed(tx, "manual", why))
        raise
    return await out.conclude(lambda tx: creation.told(tx, backup))


class BackupsOne(Input):
    id: Text
    """Id of the backup, from `backups.list`."""


@write(
    "backups.verify",
    scope="admin",
    words="is the backup good, check a backup, test the archive, integrity, corrupt",
    undo=NOT_UNDONE,
    example={"id": "20260301T030000Z-manual-k3f9"},
)
async def verify(out: External, args: BackupsOne) -> Verified:
    """Open a backup in a process of its own and check it: checksums, schema, integrity, rows, and each file's bytes.

    `origin` says whether this server made it. One made elsewhere, or unsigned as those of earlier versions are, passes.
    """
    places = await out.read(lambda tx: tx.places)
    backup = await store.one(out, places, args.id)
    async with store.at_hand(out, places, backup) as path:
        key = await store.signing_key(out)
        checks = await out.file_work("verify", archive=str(path), sha256=backup["sha256"], key=key)
    found = Verified(ok=all(check["ok"] for check in checks), checks=checks)
    if found["ok"]:
        now = await out.read(lambda tx: tx.now)
        await out.thread(store.keep, places, Backup(**{**backup, "verified_at": now}))
    return found


@write(
    "backups.fetch",
    scope="admin",
    words="download a backup, get the archive, copy a backup elsewhere",
    people="people",
    elevated=True,
    undo=NOT_UNDONE,
    example={"id": "20260301T030000Z-manual-k3f9"},
)
async def fetch(out: External, args: BackupsOne) -> Fetched:
    """Get a link to a backup, good for five minutes and for nobody who is no admin then.

    One that lies in an S3-compatible store is fetched from there, by a link that the store gives.
    """
    places = await out.read(lambda tx: tx.places)
    backup = await store.one(out, places, args.id)
    if backup["place"] in places.buckets:
        place = store.bucket_of(places, backup["place"])
        url = str(await out.file_work("bucket_link", place=place, ident=backup["id"]))
    else:
        url = await out.read(lambda tx: links.link(tx, backup))
    return Fetched(name=f"kbwork-{backup['id']}.zip", url=url, size=backup["bytes"], sha256=backup["sha256"])


@destructive(
    "backups.delete",
    scope="admin",
    words="remove an old backup, free space of backups",
    undo="an archive that is gone is gone",
    example={"id": "20260301T030000Z-manual-k3f9"},
)
async def delete(out: External, args: BackupsOne) -> list[Backup]:
    """Take a backup away for good; answers those that are left."""
    places = await out.read(lambda tx: tx.places)
    await store.remove(out, places, await store.one(out, places, args.id))
    return await store.every(out, places)


class BackupsScheduleSet(Input):
    every: Every
    """How often: each hour, day or week, or not at all."""
    keep: Annotated[int, Field(ge=1, le=365)]
    """So many of the schedule's own stay in their place; older ones go."""
    target: Text | None = None
    """A place that the operator named in `kbwork.toml`: a folder or a store; null is `backups` beside the data."""


@write(
    "backups.schedule_set",
    scope="admin",
    words=(
        "back up every night, nightly backup, automatic backups, daily, weekly, hourly, how often to back up"
    ),
    undo="a schedule is set anew",
    example={"every": "daily", "keep": 14, "target": None},
)
async def schedule_set(out: External, args: BackupsScheduleSet) -> BackupSchedule:
    """Say when backups are taken by themselves: hourly, or at three in the morning where the org is, weekly on Monday.

    What the operator did not name in the settings is no place (422), and a store that cannot be used is none yet (409).
    """
    places = await out.read(lambda tx: tx.places)
    if (place := store.require_place(places, args.target)) in places.buckets:
        await out.file_work("bucket_listed", place=store.bucket_of(places, place), known=[])

    def change(tx: Write) -> BackupSchedule:
        tx.execute(
            "update backup_schedule set every = :every, keep = :keep, target = :target, next_at = :next_at",
            every=args.every,
            keep=args.keep,
            target=args.target,
            next_at=creation.next_at(tx, args.every),
        )
        return _schedule(tx)

    return await out.conclude(change)


def _schedule(tx: Read) -> BackupSchedule:
    row = tx.one("select * from backup_schedule", BackupScheduleRow)
    assert row is not None
    return BackupSchedule(
        every=row["every"],
        keep=row["keep"],
        target=row["target"],
        targets=tx.places.names,
        next_at=row["next_at"],
        last_error=row["last_error"],
    )
