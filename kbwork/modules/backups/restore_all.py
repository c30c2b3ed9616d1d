"""Putting a whole backup in the place of the data while the server runs.

Two steps of one job. `lay`: a process of its own unpacks, checks and migrates the archive beside the data, while people
work; then calls are refused, what was acknowledged is written out, the sessions and keys that were shut out are read
off the old data and shut out of the new ones, and the files change places; that takes a fraction of a second, however
large they are. `keep`: the old file, which lies beside the new one since, is packed as the safety copy.

So the safety copy is the old file itself: it holds every write that was acknowledged, nobody waits for it, and it is
there before the new file is. Copied beforehand it would lack what was written meanwhile; copied while calls are
refused, a gigabyte would keep people out for half a minute.
"""

import json
import shutil
from functools import partial
from pathlib import Path
from typing import Any

from kbwork.base.clock import FixedClock
from kbwork.base.errors import Conflict, Problem, StorageFull
from kbwork.core.jobs.kinds import JobKind, Next, RunningJob
from kbwork.core.operations.external import External
from kbwork.db.archives.backup import name as backup_name
from kbwork.db.folder import Folder, Places
from kbwork.db.rows import JobRow
from kbwork.db.swap import ASIDE, kept_as
from kbwork.db.tx import Read
from kbwork.modules.backups import carry_over, creation, restore_source, stage, store
from kbwork.modules.backups.model import Backup, BackupCreated, BackupRestored

NOTE = "before a restore"


async def _restore(out: External, job: RunningJob) -> Next:
    """One step. Until the exchange whatever goes wrong ends the job, and the data stay as they are."""
    places = await out.read(lambda tx: tx.places)
    if job.args["step"] == "keep":
        with creation.alone_or_later(out):
            return await _keep(out, places, job.args)
    try:
        _require_unbroken(job)
        with out.alone(creation.DOING):
            return await _exchange(out, places, job, await _lay(out, places, job))
    except BaseException as error:
        shutil.rmtree(_aside(places), ignore_errors=True)
        if isinstance(error, Problem):
            raise Conflict(error.detail) from None  # it is not tried again: who asked decides
        raise


def _require_unbroken(job: RunningJob) -> None:
    if job.tries > 1:
        raise Conflict(
            "The server was stopped while the data were made ready: nothing was changed. Restore again."
        )


async def _lay(out: External, places: Places, job: RunningJob) -> dict[str, Any]:
    """Make the data ready; answers what the event says of it. Raises Conflict where the job was cancelled meanwhile."""
    source = restore_source.RestoreSource(**job.args["source"])
    async with restore_source.at_hand(out, places, source) as archive:
        with restore_source.called(source, archive):
            await restore_source.require_room_for_all(out, places, archive)
            key = await store.signing_key(out)
            manifest = await out.file_work("lay", archive=str(archive), aside=str(_aside(places)), key=key)
    await out.read(lambda tx: _running(tx, job))  # before anybody is refused for it
    return stage.told_of(manifest)


def _running(tx: Read, job: RunningJob) -> JobRow:
    row = tx.stored("job", [job.id])
    if row is None or row["state"] != "running":
        raise Conflict("The restore was cancelled; nothing was changed.")
    return row


async def _exchange(out: External, places: Places, job: RunningJob, told: dict[str, Any]) -> Next:
    """What the job is to go on with is written into the new data: whoever starts there packs the old ones, under the
    name that was chosen once."""
    now = await out.read(lambda tx: tx.now)
    kept = kept_as(places.file, now)
    safety = backup_name(now, "safety")
    left = Next(
        args={**job.args, "step": "keep", "told": told, "kept": kept.name, "at": now, "safety": safety},
        progress=0.8,
        message="The data are restored; what was there is being packed",
    )

    def last(tx: Read) -> carry_over.CarriedOver:
        row = _running(tx, job)
        row |= {"args": json.dumps(left.args), "progress": left.progress, "message": left.message, "tries": 1}
        return carry_over.since(tx, row)

    def lay(held: carry_over.CarriedOver) -> Path:
        place = Folder(places.file.parent)
        return stage.settled(_aside(places), place, held, told, FixedClock(now))

    await out.swap(last, lay, kept)
    await out.thread(shutil.rmtree, _aside(places), True)
    return left


async def _keep(out: External, places: Places, args: dict[str, Any]) -> Next:
    """Pack what was there. Where that cannot be, it stays as it lies, and the job says where.

    The old file goes last, when all else is done and written: as long as it lies there this can be done again.
    """
    kept = places.file.parent / args["kept"]
    archive = store.path_of(places, store.HOME, args["safety"])
    if await out.thread(kept.exists):
        backup = await _packed(out, places, kept, archive, args["at"])
        await out.write(lambda tx: creation.told(tx, backup))
        await out.thread(partial(kept.unlink, missing_ok=True))
    elif not await out.thread(archive.exists):
        raise Conflict(f"The data are restored; what was there was taken away: {kept.name} is gone.")
    return Next(result={**args["told"], "safety": args["safety"]}, message="Restored")


async def _packed(out: External, places: Places, kept: Path, archive: Path, at: int) -> Backup:
    """The safety copy, which is there whole already where this was cut off behind the packing."""
    label = {"at": at, "kind": "safety", "note": NOTE}
    try:
        await out.thread(store.prepared, places.home)
        if await out.thread(archive.exists):
            told = await out.file_work("describe", archive=str(archive))
        else:
            key = await store.signing_key(out)
            told = await out.file_work("take", file=str(kept), to=str(archive), label=label, key=key)
        backup = store.shown(archive.stem, store.HOME, told)
        await out.thread(store.keep, places, backup)
    except Problem as problem:
        text = f"The data are restored; what was there could not be packed and lies in {kept.name}: {problem.detail}"
        raise (StorageFull if isinstance(problem, StorageFull) else Conflict)(text) from None
    return backup


def _aside(places: Places) -> Path:
    return places.file.parent / ASIDE


RESTORE = JobKind(
    kind=carry_over.RESTORE, home=__name__, wait=_restore, emits=(BackupRestored, BackupCreated)
)
