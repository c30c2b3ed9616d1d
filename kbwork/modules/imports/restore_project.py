"""A project out of a backup, brought in beside what is there: written to a kbz file, looked at, and imported."""

import hashlib
import json
from functools import partial
from pathlib import Path
from typing import Any

from kbwork.base import ids
from kbwork.base.errors import Conflict, StorageFull
from kbwork.core.access import impersonate
from kbwork.core.jobs.kinds import Next, RunningJob
from kbwork.core.operations.external import External
from kbwork.core.ports.uploads import UploadedFile
from kbwork.db.tx import Read, Write
from kbwork.modules.imports import probe, queries, uploads
from kbwork.modules.imports.load import run
from kbwork.modules.imports.mapping import proposal
from kbwork.modules.imports.model import ImportFinished, ImportStarted
from kbwork.modules.imports.records import ReaderAnswer

EMITS = (ImportStarted, ImportFinished)
_WRITER = "kbwork.modules.imports.kbz.write"


async def written(out: External, archive: Path, key: str, who: dict[str, Any]) -> int:
    """Write the project of a backup to a file, and look at it; answers the import that it is for.

    Raises Conflict for an archive that cannot be read, or holds no such project; nothing is left then.
    """
    folder = await out.read(uploads.folder)
    upload = "u_" + ids.short(22)
    wish = {
        "archive": str(archive),
        "aside": str(folder / f"{upload}.aside"),
        "projects": [key],
        "to": str(folder / upload),
        "erased": await out.read(lambda tx: tx.column("select id from member where state = 'erased'")),
    }
    await out.thread(_prepared, folder)
    answer = await out.process(_WRITER, given=json.dumps(wish).encode())
    if "refused" in answer:
        raise (StorageFull if answer["full"] else Conflict)(answer["refused"])
    file = await out.thread(_arrived, folder / upload, f"{key}.kbz")
    ident = await out.write(partial(_begin, who=who, file=file))
    await _look(out, ident, who)
    return int(ident)


def _prepared(folder: Path) -> None:
    folder.mkdir(mode=0o700, exist_ok=True)


def _arrived(path: Path, name: str) -> UploadedFile:
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return UploadedFile(path.name, name, path.stat().st_size, digest)


def _begin(tx: Write, who: dict[str, Any], file: UploadedFile) -> int:
    with impersonate.as_starter(tx, who):
        uploads.arrived(tx, file)
        return queries.begin(tx, "kbz", file.id, None)


async def _look(out: External, ident: int, who: dict[str, Any]) -> None:
    args = probe.ImportsProbe(id=ident)

    def ask(tx: Read) -> Any:
        return probe.asked_of(tx.as_caller(impersonate.restore_caller(tx, who)), args)

    def keep(tx: Write, answer: ReaderAnswer) -> None:
        with impersonate.as_starter(tx, who):
            probe.keep(tx, args, answer)

    row, asked = await out.read(ask)
    answer = await probe.answered(out, row, asked)
    if "refused" in answer:
        raise (StorageFull if answer["full"] else Conflict)(answer["refused"])
    await out.write(partial(keep, answer=answer))


async def begun(out: External, job: RunningJob) -> str:
    """Make the project of an import under a key that nobody had; answers the key. The job's arguments are as for
    `running.go_on`."""
    path = await out.read(partial(uploads.records, ident=job.args["import"]))
    waiting = await out.thread(run.taken, path, 0)
    return await out.write(partial(_make, job=job, waiting=waiting[:1]))


def _make(tx: Write, job: RunningJob, waiting: run.Records) -> str:
    ident = job.args["import"]
    row = queries.get(tx, ident)
    if row["job"] == job.id and row["project"] is not None:
        return str(row["project"])  # it was made, and the server was stopped before the job knew
    found = json.loads(row["found"])["projects"][0]
    key = proposal.free_key(tx, found["key"] or "PROJECT")
    plan = proposal.merged(queries.mapping_of(row), {"projects": {found["id"]: key}})
    queries.put(tx, ident, project=key, mapping=dict(plan))
    run.first(tx, job, waiting)
    return key


async def go_on(out: External, job: RunningJob) -> Next:
    """Bring some of the rest in; a result at the end. The arguments are as for `running.go_on`."""
    return await run.go_on(out, job)
