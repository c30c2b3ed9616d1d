"""The queue of jobs as rows: leased, carried on step by step, tried again, given up."""

import json
from collections.abc import Callable, Collection, Iterable

from kbwork.base.caller import Caller
from kbwork.base.events import DomainEvent
from kbwork.core.jobs.kinds import JobKind, Next, RunningJob, Schedule
from kbwork.db.rows import JobRow
from kbwork.db.tx import Read, Write, json_array

LEASE_S = 60
TRIES = 12
KEPT_S = 30 * 86400


class JobFinished(DomainEvent):
    kind = "job.finished"
    audience = "starter"
    scope = "api:read"


class JobFailed(DomainEvent):
    kind = "job.failed"
    audience = "starter"
    scope = "api:read"


LONGEST_WAIT_S = 2 * 3600
"""No job rests for longer, whatever it asks for: what is to go on later than that was written by a clock that has been
set back since, and goes on by the clock as it is now. So does what was to begin at once when it was made."""
_WAITS = f"run_at <= :now or run_at > :now + {LONGEST_WAIT_S} or (run_at = created_at and created_at > :now)"
_LOST = f"lease_until <= :now or lease_until > :now + {LEASE_S}"
_DUE = (
    f"state in ('queued', 'running') and case state when 'queued' then {_WAITS} else {_LOST} end"
    " and id not in (select value from json_each(:mine))"
)
"""The first in these words: the index of jobs that wait is of these two states."""


def is_due(tx: Read, mine: Collection[int] = ()) -> bool:
    """Whether some job waits to be run, or lost its worker; `mine` are those that whoever asks is running."""
    found = tx.value(
        f"select 1 from job where {_DUE} limit 1",
        now=tx.now,
        mine=json_array(mine),
    )
    return found is not None


def figures(tx: Read) -> dict[str, int]:
    """How many jobs are queued, running and failed; failed ones are kept for 30 days."""
    found = tx.all("select state, count(*) as count from job group by state")
    counted = {row["state"]: row["count"] for row in found}
    return {state: counted.get(state, 0) for state in ("queued", "running", "failed")}


def lease(tx: Write, mine: Collection[int] = ()) -> RunningJob | None:
    """Take the job that waits longest; a lease that ran out is taken over, but of none that whoever asks runs."""
    row = tx.one(
        f"select * from job where {_DUE} order by run_at, id limit 1",
        JobRow,
        now=tx.now,
        mine=json_array(mine),
    )
    if row is None:
        return None
    tx.execute(
        "update job set state = 'running', lease_until = :until, tries = tries + 1 where id = :id",
        until=tx.now + LEASE_S,
        id=row["id"],
    )
    return RunningJob(row["id"], row["kind"], json.loads(row["args"]), row["tries"] + 1)


def keep_lease(tx: Write, job: RunningJob) -> None:
    tx.execute(
        "update job set lease_until = :until where id = :id and state = 'running'",
        until=tx.now + LEASE_S,
        id=job.id,
    )


def advance(tx: Write, job: RunningJob, step: Callable[[], Next], kind: JobKind) -> RunningJob | None:
    """Run a step and write where the job stands; None when it ended or was cancelled meanwhile."""
    row = _running(tx, job)
    if row is None:
        return None
    tx.op = f"job.{kind.kind}"
    left = step()
    if left.args is None:
        tx.execute(
            "update job set state = 'done', progress = 1, message = :message, result = :result, ended_at = :now,"
            " lease_until = null where id = :id",
            message=left.message or "done",
            result=json.dumps(left.result, ensure_ascii=False),
            now=tx.now,
            id=job.id,
        )
        _tell(tx, JobFinished, row, {})
        return None
    if left.wait_s:
        tx.execute(
            "update job set state = 'queued', args = :args, progress = :progress, message = :message, run_at = :at,"
            " lease_until = null, tries = 0 where id = :id",
            args=json.dumps(left.args, ensure_ascii=False),
            progress=left.progress,
            message=left.message,
            at=tx.now + min(left.wait_s, LONGEST_WAIT_S),
            id=job.id,
        )
        return None
    tx.execute(
        "update job set args = :args, progress = :progress, message = :message, lease_until = :until, tries = 1"
        " where id = :id",
        args=json.dumps(left.args, ensure_ascii=False),
        progress=left.progress,
        message=left.message,
        until=tx.now + LEASE_S,
        id=job.id,
    )
    return RunningJob(job.id, job.kind, left.args, 1)


def rouse(tx: Write, job: int) -> None:
    """Have a job that rests go on now."""
    tx.execute("update job set run_at = :now where id = :id and state = 'queued'", now=tx.now, id=job)
    tx.wake()


def fail(tx: Write, job: RunningJob, error: str, *, final: bool = False) -> None:
    """Try again after 10 s, 20 s, ... at most an hour, twelve times in all; then it stays failed."""
    row = _running(tx, job)
    if row is None:
        return
    if not final and job.tries < TRIES:
        wait_s = min(3600, 10 * 2 ** (job.tries - 1))
        tx.execute(
            "update job set state = 'queued', run_at = :at, error = :error, lease_until = null where id = :id",
            at=tx.now + wait_s,
            error=error,
            id=job.id,
        )
        return
    tx.execute(
        "update job set state = 'failed', error = :error, ended_at = :now, lease_until = null where id = :id",
        error=error,
        now=tx.now,
        id=job.id,
    )
    _tell(tx, JobFailed, row, {"error": error})


def fire(tx: Write, schedule: Schedule, slot: int) -> None:
    """Fire a schedule for a slot of time, unless it did, or what there was to do was done meanwhile."""
    if not is_time(tx, schedule, slot):
        return
    tx.execute("delete from firing where schedule = :schedule", schedule=schedule.name)
    tx.execute("insert into firing values (:schedule, :slot)", schedule=schedule.name, slot=slot)
    tx.op = f"schedule.{schedule.name}"
    schedule.run(tx)


def is_time(tx: Read, schedule: Schedule, slot: int) -> bool:
    """Whether it has not fired for this slot and has anything to do; the time is then that by which it goes."""
    fired_for = tx.value("select time from firing where schedule = :schedule", schedule=schedule.name)
    return not _is_for(schedule, fired_for, slot) and _has_any(tx, schedule)


def due(tx: Read, schedules: Iterable[Schedule]) -> list[tuple[Schedule, int]]:
    """Those that have not fired for the present slot of time and have anything to do, each with its slot."""
    now = tx.now
    fired_for = {row["schedule"]: row["time"] for row in tx.all("select schedule, time from firing")}
    found = []
    for schedule in schedules:
        tx.now, slot = now, now - now % schedule.every_s
        if not _is_for(schedule, fired_for.get(schedule.name), slot) and _has_any(tx, schedule):
            found.append((schedule, slot))
    tx.now = now
    return found


def _is_for(schedule: Schedule, fired_for: int | None, slot: int) -> bool:
    """Whether it fired for this slot or, where the clock was set back a little, for the next one.

    One that lies further ahead says that the clock was set back by more: it goes on by the clock as it is now, or it
    would stand still until that is there again.
    """
    return fired_for is not None and slot <= fired_for <= slot + schedule.every_s


def _has_any(tx: Read, schedule: Schedule) -> bool:
    if not schedule.on_time:
        tx.now = tx.trusted_now
    return schedule.due is None or schedule.due(tx)


def sweep(tx: Write) -> None:
    """Forget jobs that ended more than 30 days ago."""
    tx.execute("delete from job where ended_at <= :before", before=tx.now - KEPT_S)


def _running(tx: Read, job: RunningJob) -> JobRow | None:
    return tx.one("select * from job where id = :id and state = 'running'", JobRow, id=job.id)


def _tell(tx: Write, event: type[DomainEvent], row: JobRow, payload: dict[str, object]) -> None:
    """The event is the starter's: they and admins hear of it."""
    starter = Caller(member=row["by"], role="member", kind="system", scopes=frozenset())
    caller, tx.caller = tx.caller, starter
    try:
        tx.emit(event(subject=f"job:{row['id']}", payload={"kind": row["kind"], **payload}))
    finally:
        tx.caller = caller
