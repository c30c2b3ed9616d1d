"""A project out of a backup, brought back beside what is there, under a key that nobody had."""

from typing import Any

from kbwork.base.dataclasses import replace
from kbwork.base.errors import InvalidInput
from kbwork.core.access import impersonate
from kbwork.core.jobs.kinds import JobKind, Next, RunningJob, enqueue
from kbwork.core.operations.external import External
from kbwork.db.tx import Write
from kbwork.modules.backups import restore_source
from kbwork.modules.backups.model import BackupRestored
from kbwork.modules.imports import restore_project

_PREFIX = "project:"


def key_of(scope: str) -> str | None:
    """The key of `project:<key>`; None for another scope. Raises InvalidInput for what is no key."""
    if not scope.startswith(_PREFIX):
        return None
    key = scope.removeprefix(_PREFIX).strip().upper()
    if not (key.isascii() and key.isalnum() and 2 <= len(key) <= 10):
        raise InvalidInput(f"{key[:100]!r} is no key of a project.", field="scope")
    return key


async def begin(out: External, source: restore_source.RestoreSource, key: str) -> int:
    """Start the job; answers its id. What is wrong with the archive at first sight is refused at once (409)."""
    places = await out.read(lambda tx: tx.places)
    async with restore_source.at_hand(out, places, source) as archive:
        with restore_source.called(source, archive):
            await restore_source.require_room_for_part(out, places, archive)

    def start(tx: Write) -> dict[str, int]:
        args = {
            "step": "write",
            "source": {"id": source.id, "upload": source.upload},
            "key": key,
            "who": impersonate.caller_args(tx.caller),
            "since": None,
        }
        return {"job": enqueue(tx, PART.kind, args, message=f"Looking for {key}")}

    return (await out.conclude(start))["job"]


async def _part(out: External, job: RunningJob) -> Next:
    """Write the project to a file; make it here, behind its people; bring the rest in, slice by slice; tell of it."""
    args = job.args
    if args["step"] == "write":
        return Next(args={**args, "step": "make", "import": await _written(out, args)}, message="Read")
    if args["step"] == "make":
        key = await restore_project.begun(out, job)
        if key is None:
            return Next(args=args, message="Looking for its people")
        return Next(
            args={**args, "step": "bring", "new_key": key}, message=f"{args['key']} comes in as {key}"
        )
    left = await restore_project.go_on(out, job)
    if left.args is not None:
        return left
    result = {"key": args["new_key"], "was": args["key"], **left.result}
    await out.write(lambda tx: _tell(tx, args))
    return replace(left, result=result, message=f"{args['key']} is back as {args['new_key']}")


async def _written(out: External, args: dict[str, Any]) -> int:
    places = await out.read(lambda tx: tx.places)
    source = restore_source.RestoreSource(**args["source"])
    async with restore_source.at_hand(out, places, source) as archive:
        with restore_source.called(source, archive):
            await restore_source.require_room_for_part(out, places, archive)
            return await restore_project.written(out, archive, args["key"], args["who"])


def _tell(tx: Write, args: dict[str, Any]) -> None:
    told = {"scope": f"{_PREFIX}{args['key']}", "key": args["new_key"], "import": args["import"]}
    with impersonate.on_behalf_of(tx, args["who"]):
        tx.emit(BackupRestored(subject="org:1", payload=told))


PART = JobKind(kind="backups.part", home=__name__, wait=_part, emits=(*restore_project.EMITS, BackupRestored))
