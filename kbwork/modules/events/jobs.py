"""Laying days as files, some seconds of work a step, and having it done each day."""

import logging
from typing import Any

from kbwork.base.dataclasses import asdict
from kbwork.base.errors import Conflict, Problem, UpstreamFailed
from kbwork.core import org_settings
from kbwork.core.jobs.kinds import JobKind, Next, RunningJob, Schedule, enqueue
from kbwork.core.operations.external import External
from kbwork.db.tx import Read, Write
from kbwork.modules.events import days
from kbwork.modules.events.model import EventsExported

log = logging.getLogger("kbwork.events")
KIND = "events.export"
EXPORTED = "events.exported"
"""How the last export ended: `at`, `until` which day all is there, `ok` and `detail`."""
_STEP_S = 10
_LOOK_BACK_S = 7 * days.DAY_S
"""So far back a day may have got more since it was laid: an import writes events of the past."""


def is_under_way(tx: Read) -> bool:
    return (
        tx.value("select 1 from job where kind = :kind and state in ('queued', 'running')", kind=KIND)
        is not None
    )


def begin(tx: Write, since: int, until: int, *, again: bool = False) -> int:
    """Queue it; answers the job's id."""
    args = {"from": since, "since": since, "until": until, "again": again, "days": 0, "events": 0}
    return enqueue(tx, KIND, args, message="Events are being laid")


async def _export(out: External, job: RunningJob) -> Next:
    args, places = job.args, await out.read(lambda tx: tx.places)
    if places.export is None:
        raise Conflict("The settings name no place for events any more.")
    try:
        found = await out.file_work(
            "export_days",
            file=str(places.file),
            at=asdict(places.export),
            span={"since": args["since"], "until": args["until"], "again": args["again"], "seconds": _STEP_S},
        )
    except Problem as problem:
        detail = problem.detail
        log.warning("events cannot be laid: %s", detail)
        await out.write(lambda tx: _note(tx, ok=False, detail=detail))
        raise UpstreamFailed(detail) from None  # it is tried again
    args = {**args, "days": args["days"] + found["days"], "events": args["events"] + found["events"]}
    if found["next"] is not None:
        done = (found["next"] - args["from"]) / (args["until"] - args["from"])
        message = f"Events are there until {days.name(found['next'] - 1)}"
        return Next(args={**args, "since": found["next"]}, progress=done, message=message)
    await out.write(lambda tx: _done(tx, args))
    return Next(
        result={"days": args["days"], "events": args["events"]},
        message=f"{args['events']:,} events of {args['days']:,} days were laid",
    )


def _done(tx: Write, args: dict[str, Any]) -> None:
    told = {"from": days.name(args["from"]), "to": days.name(args["until"] - 1)}
    told |= {name: args[name] for name in ("days", "events")}
    _note(tx, ok=True, detail=f"{args['events']:,} events of {args['days']:,} days", until=args["until"])
    tx.emit(EventsExported(subject="org:1", payload=told))


def _note(tx: Write, *, ok: bool, detail: str, until: int = 0) -> None:
    before = org_settings.get(tx, EXPORTED) or {"until": 0}
    until = max(until, before["until"])
    org_settings.put(tx, EXPORTED, {"at": tx.now, "ok": ok, "detail": detail, "until": until})


def _is_missing(tx: Read) -> bool:
    """Whether a day is over that is not there."""
    if tx.places.export is None or not org_settings.get(tx, "org.created_at"):
        return False
    if is_under_way(tx) or org_settings.module_off(tx, "events"):
        return False
    return _until(tx) < days.today(tx)


def _until(tx: Read) -> int:
    """Which day is there; a clock that ran ahead may have said one that is not over."""
    found, today = org_settings.get(tx, EXPORTED), days.today(tx)
    until = int(found["until"]) if found else 0
    return until if until <= today else today - days.DAY_S


def _begin(tx: Write) -> None:
    since = max(days.first(tx), _until(tx) - _LOOK_BACK_S)
    if since < days.today(tx):
        begin(tx, since, days.today(tx))


EXPORT = JobKind(kind=KIND, home=__name__, wait=_export, emits=(EventsExported,))
DAILY = Schedule(name="events.daily", home=__name__, every_s=3600, run=_begin, due=_is_missing, on_time=True)
