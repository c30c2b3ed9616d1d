"""The run of an import: a job that brings the records in, a slice at a time, and goes on where it was cut."""

import json
from collections import Counter
from functools import partial
from pathlib import Path
from typing import Any

from kbwork.base.clock import monotonic
from kbwork.base.errors import Conflict, Internal, NotAllowed
from kbwork.base.model import Id, Input, Started, When
from kbwork.core.access import impersonate
from kbwork.core.jobs.kinds import JobKind, Next, RunningJob, enqueue
from kbwork.core.operations.declare import write
from kbwork.core.operations.dispatch import run_as_operation
from kbwork.core.operations.external import External
from kbwork.core.things.undo import new_token
from kbwork.db.tx import Read, Write
from kbwork.modules import attachments, uploads
from kbwork.modules.imports import kept_records, queries, records
from kbwork.modules.imports.kbz import zip_reader
from kbwork.modules.imports.load.dry_run import DryRunLoader
from kbwork.modules.imports.load.loader import RecordLoader
from kbwork.modules.imports.model import NOT_UNDONE, ImportFinished, ImportStarted
from kbwork.modules.imports.queries import ImportJobRow

SLICE_S = 0.012
"""How long others may wait for one slice."""
_AT_ONCE = 200
_AT_ONCE_BYTES = 2 * 1024 * 1024
_TELL_S = 0.5
_MADE = ("projects", "issues", "comments", "attachments")
Records = list[tuple[int, records.Record, bytes | None]]
"""Each with the byte behind it, and a file with its bytes."""


class ImportsRun(Input):
    id: Id
    """Id of the import."""
    dry_run: bool | None = None
    """Count what would come in, and write nothing."""
    since: When | None = None
    """Only issues and comments that changed after this time: for a move in stages."""


@write(
    "imports.run",
    scope="admin",
    words="start the import, run the migration, do the import now",
    emits=[ImportStarted, ImportFinished],
    undo=NOT_UNDONE,
    example={"id": 1, "dry_run": True},
)
def run(tx: Write, args: ImportsRun) -> Started:
    """Bring in what was probed; answers the job, whose result has the figures.

    Projects, types, labels and components that are missing are made. What came in before changes where it changed at
    the source and nobody edited it here since. What is refused is logged with its place and left out. Numbers, authors
    and times are the source's; nobody is notified, and no rule starts. An import at work is 409, as is one whose file
    was not read, or is gone: it is kept for a day. While another one is being taken back that is 409 too.
    """
    row = queries.get(tx, args.id)
    queries.require(row, "probed", "mapped", "done", "failed", "cancelled")
    queries.require_read(row)
    if not kept_records.records(tx, args.id).is_file():
        raise Conflict(
            f"What was read for import {args.id} is not kept any more: send the file and open it anew."
        )
    asked = {"import": args.id, "who": impersonate.caller_args(tx.caller), "since": args.since}
    if args.dry_run:
        return Started(job=_enqueue(tx, row, TRY, asked, "Looking at what would come in"))
    queries.require_alone(tx, args.id, queries.UNDOING)
    job = _enqueue(tx, row, RUN, asked, "Bringing it in")
    queries.put(tx, args.id, state="running", cursor=0, tally={}, ended_at=None)
    tx.emit(ImportStarted(subject=f"import:{args.id}", payload={"source": row["source"], "job": job}))
    return Started(job=job)


def _enqueue(tx: Write, row: ImportJobRow, kind: JobKind, args: dict[str, Any], message: str) -> int:
    job = enqueue(tx, kind.kind, args, message=message)
    queries.put(tx, row["id"], job=job)
    return job


async def go_on(out: External, job: RunningJob) -> Next:
    """Some slices, each of which writes down how far it came.

    Of the job's arguments it takes `import`, `who` and `since`, and hands all of them on.
    """
    row, path, upload = await out.read(partial(_at, ident=job.args["import"]))
    ends = monotonic() + _TELL_S
    waiting: Records = []
    at = row["cursor"]
    while monotonic() < ends:
        waiting = waiting or await out.thread(taken, path, at, upload)
        if not waiting:
            return Next(result=await out.write(partial(_finish, job=job)), message="Brought in")
        await _lay(out, waiting[-1])
        done = await out.write(partial(bring, job=job, waiting=waiting))
        if not done:
            break
        at = waiting[done - 1][0]
        waiting = waiting[done:]
    size = max(1, path.stat().st_size)
    tally = await out.read(lambda tx: json.loads(queries.get(tx, job.args["import"])["tally"]))
    return Next(args=job.args, progress=min(1.0, at / size), message=told(tally))


async def _lay(out: External, last: tuple[int, records.Record, bytes | None]) -> None:
    """Behind a large file nothing more is taken; its bytes are written before, some at a time."""
    _, record, content = last
    if record["kind"] == "attachment" and content is not None:
        await attachments.lay(out, bytes.fromhex(record["sha256"]), content)


def _at(tx: Read, ident: int) -> tuple[ImportJobRow, Path, Path]:
    row = queries.get(tx, ident)
    return row, kept_records.records(tx, ident), uploads.path(tx, row["upload"])


def taken(path: Path, at: int, upload: Path | None = None) -> Records:
    """The next records; the bytes of files are read from the upload."""
    taken: Records = []
    size = 0
    try:
        for end, record in records.read(path, at):
            content = _content(upload, record) if upload is not None else None
            taken.append((end, record, content))
            size += len(content or b"")
            if len(taken) >= _AT_ONCE or end - at + size >= _AT_ONCE_BYTES:
                break
    except (OSError, records.BadRecord) as error:
        raise Internal("What was read from the file cannot be read back.", internal=str(error)) from None
    return taken


def _content(upload: Path, record: records.Record) -> bytes | None:
    if record["kind"] != "attachment" or not record["there"] or not upload.is_file():
        return None
    return zip_reader.content(upload, record["sha256"], record["size"])


def bring(tx: Write, job: RunningJob, waiting: Records) -> int:
    """Bring in as many as fit into a slice, in the name of whoever started it; answers how many.

    That is none where the job was stopped meanwhile. Raises NotAllowed where they are no admin any more.
    """
    ident = job.args["import"]
    row = queries.get(tx, ident)
    if row["job"] != job.id or row["job_state"] != "running" or row["state"] != "running":
        return 0
    done = 0

    def work(inner: Write) -> None:
        nonlocal done
        bringing = RecordLoader(inner, row, job.args["since"])
        ends = monotonic() + SLICE_S
        for _, record, content in waiting:
            bringing.record(record, content)
            done += 1
            if monotonic() > ends:
                break
        _write_down(inner, row, bringing, waiting[done - 1][0])

    with impersonate.as_starter(tx, job.args["who"]):
        _require_admin(tx)
        tx.brought_by = ident
        try:
            run_as_operation(tx, tx.registry.require("imports.run"), work, new_token(tx))
        finally:
            tx.brought_by = None
    return done


def _require_admin(tx: Read) -> None:
    """Raises NotAllowed where whoever started it is no admin any more."""
    if not tx.caller.admin or "admin" not in tx.caller.scopes:
        raise NotAllowed("Whoever started this import is no admin any more.")


def _write_down(tx: Write, row: ImportJobRow, bringing: RecordLoader, cursor: int) -> None:
    tally = Counter(json.loads(row["tally"])) + bringing.tally
    done: dict[str, int] = json.loads(row["done"])
    for name in _MADE:
        done[name] = done.get(name, 0) + bringing.tally[name]
    done["members"] = done.get("members", 0) + bringing.tally["members"]
    learned = {"mapping": bringing.mapping} if bringing.learned else {}
    queries.put(tx, row["id"], cursor=cursor, tally=dict(tally), done=done, **learned)


def _finish(tx: Write, job: RunningJob) -> dict[str, Any]:
    ident = job.args["import"]
    row = queries.get(tx, ident)
    tally: dict[str, int] = json.loads(row["tally"])
    if row["state"] == "running" and row["job"] == job.id and row["job_state"] == "running":
        queries.put(tx, ident, state="done", ended_at=tx.now, secret=None)
        with impersonate.on_behalf_of(tx, job.args["who"]):
            tx.emit(
                ImportFinished(subject=f"import:{ident}", payload={"source": row["source"], **figures(tally)})
            )
    return {"import": ident, "dry_run": False, **figures(tally)}


def begin(tx: Write, job: RunningJob) -> None:
    """Say that the import is at work by this job, from its first record on."""
    ident = job.args["import"]
    row = queries.get(tx, ident)
    queries.put(tx, ident, job=job.id, state="running", cursor=0, tally={}, ended_at=None)
    with impersonate.on_behalf_of(tx, job.args["who"]):
        tx.emit(ImportStarted(subject=f"import:{ident}", payload={"source": row["source"], "job": job.id}))


async def _try(out: External, job: RunningJob) -> Next:
    """Look at every record, and write nothing; cut, it begins anew."""
    path = await out.read(lambda tx: kept_records.records(tx, job.args["import"]))
    at, tally, left = 0, Counter[str](), set[str]()
    while waiting := await out.thread(taken, path, at):
        tally += await out.read(partial(_looked_at, job=job, waiting=waiting, left=left))
        at = waiting[-1][0]
    result = {"import": job.args["import"], "dry_run": True, **figures(tally)}
    return Next(result=result, message="Looked at; nothing was written")


def _looked_at(tx: Read, job: RunningJob, waiting: Records, left: set[str]) -> Counter[str]:
    mine = tx.as_caller(impersonate.restore_caller(tx, job.args["who"]))
    trying = DryRunLoader(mine, queries.get(tx, job.args["import"]), job.args["since"], left)
    for _, record, _ in waiting:
        trying.record(record)
    return trying.tally


def figures(tally: dict[str, int]) -> dict[str, Any]:
    """What a run counted, in words: `types` are the issues that were made, by the source's word."""
    names = ("projects", "types", "labels", "components", "issues", "comments", "relations", "attachments")
    others = ("members", "changed", "same", "kept", "skipped", "errors")
    made = {name: tally.get(name, 0) for name in names}
    types = {name.partition(":")[2]: count for name, count in tally.items() if name.startswith("type:")}
    return {"made": made, "types": types, **{name: tally.get(name, 0) for name in others}}


def told(tally: dict[str, int]) -> str:
    """How far it is, as a line."""
    issues, comments = tally.get("issues", 0), tally.get("comments", 0)
    return f"{issues:,} issues and {comments:,} comments"


RUN = JobKind(kind=queries.RUNNING, home=__name__, wait=go_on, emits=(ImportFinished,))
TRY = JobKind(kind="imports.try", home=__name__, wait=_try)
