"""Expected files that are here: they hang where they were named, in the name of whoever named them there."""

import itertools
import json
from functools import partial
from pathlib import Path
from typing import Literal

from kbwork.base.dataclasses import replace
from kbwork.base.errors import Conflict, InvalidInput, NotAllowed, NotFound, TooLarge
from kbwork.core import org_settings
from kbwork.core.access import impersonate
from kbwork.core.jobs.chores import Chore, paced
from kbwork.core.jobs.kinds import JobKind, Next, RunningJob, enqueue
from kbwork.core.operations.dispatch import run_as_operation
from kbwork.core.operations.external import External
from kbwork.core.things.undo import new_token
from kbwork.db.rows import ExpectedFileRow, UploadRow
from kbwork.db.tx import Read, Write
from kbwork.modules import uploads
from kbwork.modules.attachments import targets
from kbwork.modules.attachments.add import hang, require_taken
from kbwork.modules.attachments.content import blobs, files, stage
from kbwork.modules.attachments.expected import rows
from kbwork.modules.uploads import UploadWatch

_EVERY_S = 60
_AT_ONCE = 20
_AT_WORK = (
    "exists (select 1 from job j where j.kind = :kind and j.state in ('queued', 'running')"
    " and j.args ->> 'upload' = {upload})"
)
Verdict = Literal["take", "wait", "refuse"]
"""`wait`: what it was named on is not there or closed now, and may come back while the upload is kept."""


def begin(tx: Write, ident: str) -> None:
    """All of it is here: it is taken in beside the requests, since that may be 100 MB."""
    row = rows.of_upload(tx, ident)
    if row is not None:
        who = json.loads(row["who"])["member"]
        enqueue(tx, ARRIVE.kind, {"upload": ident}, by=who, message=f"Taking in {row['name']}")


WATCH = UploadWatch(home=__name__, arrived=begin, ended=rows.give_up)


async def _arrive(out: External, job: RunningJob) -> Next:
    ident: str = job.args["upload"]
    found = await out.read(partial(_here, ident=ident))
    if found is None:
        return Next(message="It is not expected any more")
    row, upload, path = found
    try:
        file = await out.thread(files.sent, path, row["name"], None, upload)
        pieces = None
        if await out.read(partial(_verdict, row=row, file=file)) == "take":
            pieces = await stage.stage(out, path, file.hash, file.size)
    except FileNotFoundError:
        return Next(message="The upload was used meanwhile")
    said = await out.write(partial(_settle, ident=ident, file=replace(file, pieces=pieces)), essential=False)
    if said == "take":
        await out.thread(partial(path.unlink, missing_ok=True))
    return Next(message=_SAID[said])


_SAID: dict[Verdict | None, str] = {
    "take": "It hangs there",
    "wait": "What it was named on takes no files just now",
    "refuse": "It may not be added any more",
    None: "It is not expected any more",
}
ARRIVE = JobKind(kind="attachments.arrive", home=__name__, wait=_arrive)


def _here(tx: Read, ident: str) -> tuple[ExpectedFileRow, UploadRow, Path] | None:
    row, upload = rows.of_upload(tx, ident), uploads.kept_row(tx, ident)
    if row is None or upload is None or upload["arrived"] is not None:
        return None
    return row, upload, uploads.path(tx, ident)


def _verdict(tx: Read, row: ExpectedFileRow, file: files.File | None = None) -> Verdict:
    """Whether it may hang there now; without `file` as far as can be told before it is looked at."""
    if org_settings.home_off(tx, __name__):
        return "wait"
    try:
        caller = impersonate.restore_caller(tx, json.loads(row["who"]))
        theirs = tx.as_caller(caller)
        on = targets.target(theirs, row["subject"])
        targets.require_add(theirs, on)
        if file is not None:
            require_taken(theirs, on, file)
    except (NotFound, Conflict):
        return "wait"
    except (NotAllowed, InvalidInput, TooLarge):
        return "refuse"
    return "take" if "attachments:write" in caller.scopes else "refuse"


def _settle(tx: Write, ident: str, file: files.File) -> Verdict | None:
    """Hang it there, or give it up, or leave it waiting; None where it is not expected any more."""
    here = _here(tx, ident)
    verdict = _verdict(tx, here[0], file) if here is not None else None
    if verdict != "take" and file.pieces is not None:
        blobs.drop(tx, file.pieces)
    if verdict == "refuse":
        rows.give_up(tx, ident, "refused")
    if verdict == "take" and here is not None:
        _hang(tx, here[0], file)
    return verdict


def _hang(tx: Write, row: ExpectedFileRow, file: files.File) -> None:
    def work(inner: Write) -> None:
        rows.end(inner, row["upload"])
        uploads.use_up(inner, row["upload"])
        hang(inner, row["subject"], file, by=row["created_by"], ident=row["attachment"])

    with impersonate.as_starter(tx, json.loads(row["who"])):
        run_as_operation(tx, tx.registry.require("attachments.add"), work, new_token(tx))


def _takable(tx: Read) -> list[str] | None:
    """The uploads that are here and wait, and nobody is at work on them, as many as are begun at once:
    they waited for what they were named on, or what was at work was cut off. None where there are none."""
    waiting = tx.all(
        "select e.* from expected_file e join upload u on u.id = e.upload and u.arrived is null"
        f" where not {_AT_WORK.format(upload='e.upload')} order by e.created_at",
        ExpectedFileRow,
        kind=ARRIVE.kind,
    )
    takable = (row["upload"] for row in waiting if _verdict(tx, row) != "wait")
    return list(itertools.islice(takable, _AT_ONCE)) or None


def _take(tx: Write, found: list[str]) -> None:
    """What begins judges once more. Nobody begins twice."""
    for ident in found:
        if not tx.value(f"select {_AT_WORK.format(upload=':upload')}", kind=ARRIVE.kind, upload=ident):
            begin(tx, ident)


_look = paced("attachments.arrivals", _EVERY_S, _takable)
AGAIN = Chore(name="attachments.arrivals", home=__name__, look=_look, write=_take)
