"""A project out of a backup, brought in beside what is there: written to a kbz file, looked at, and imported."""

import hashlib
import json
from functools import partial
from itertools import takewhile
from pathlib import Path
from typing import Any

from kbwork.base import ids
from kbwork.base.errors import Conflict, StorageFull
from kbwork.core.access import impersonate
from kbwork.core.jobs.kinds import Next, RunningJob
from kbwork.core.operations.external import External
from kbwork.core.ports.uploads import UploadedFile
from kbwork.db.tx import Read, Write
from kbwork.modules import uploads
from kbwork.modules.imports import kept_records, probe, queries
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
        uploads.remember(tx, file)
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


async def begun(out: External, job: RunningJob) -> str | None:
    """Bring in some of the people, or behind them make the project of an import under a key that nobody had; answers
    the key, None as long as there are people left. The job's arguments are as for `run.go_on`."""
    path, at = await out.read(partial(_place, job=job))
    waiting = await out.thread(run.taken, path, at)
    return await out.write(partial(_begin_with, job=job, waiting=waiting))


def _place(tx: Read, job: RunningJob) -> tuple[Path, int]:
    """The file of records, and how far this job came in it."""
    row = queries.get(tx, job.args["import"])
    return kept_records.records(tx, row["id"]), row["cursor"] if row["job"] == job.id else 0


def _begin_with(tx: Write, job: RunningJob, waiting: run.Records) -> str | None:
    row = queries.get(tx, job.args["import"])
    if row["job"] != job.id:
        run.begin(tx, job)
    elif row["project"] is not None:
        return str(row["project"])  # it was made, and the server was stopped before the job knew
    people = [*takewhile(lambda one: one[1]["kind"] == "person", waiting)]
    key = None if people else _take_key(tx, row)
    run.bring(tx, job, people or waiting[:1])
    return key


def _take_key(tx: Write, row: queries.ImportJobRow) -> str:
    """The key under which the project of an import comes in from now on: one that nobody had."""
    found = json.loads(row["found"])["projects"][0]
    key = proposal.free_key(tx, found["key"] or "PROJECT")
    plan = proposal.merged(queries.mapping_of(row), {"projects": {found["id"]: key}})
    queries.put(tx, row["id"], project=key, mapping=dict(plan))
    return key


async def go_on(out: External, job: RunningJob) -> Next:
    """Bring some of the rest in; a result at the end. The arguments are as for `run.go_on`."""
    return await run.go_on(out, job)
