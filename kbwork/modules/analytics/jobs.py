"""Reports that run by themselves: a schedule finds which are due, and a job runs each."""

from kbwork.base.errors import Conflict
from kbwork.core import org_settings
from kbwork.core.jobs.kinds import JobKind, Next, RunningJob, Schedule, enqueue
from kbwork.core.operations.external import External
from kbwork.db.rows import ReportRow
from kbwork.db.tx import Read, Write
from kbwork.modules.analytics import due_times, queries, run
from kbwork.modules.analytics.model import ReportRan

_AT_ONCE = 20
_DUE = "next_run_at <= :now"


def _any_due(tx: Read) -> bool:
    found = tx.value(f"select 1 from report where {_DUE} limit 1", now=tx.now) is not None
    return found and not org_settings.module_off(tx, "analytics")


def _begin(tx: Write) -> None:
    """Hand each that is due to a job, and note when it is due again: a time that nobody was there for comes once."""
    rows = tx.all(
        f"select * from report where {_DUE} order by next_run_at, id limit :most",
        ReportRow,
        now=tx.now,
        most=_AT_ONCE,
    )
    for row in rows:
        there = queries.has_author(tx, row)
        tx.execute(
            "update report set next_run_at = :next, last_error = :error where id = :id",
            next=due_times.following(tx, row["every"]) if there else None,
            error=row["last_error"] if there else queries.LOST,
            id=row["id"],
        )
        if there:
            enqueue(tx, RUN.kind, {"report": row["id"], "since": tx.now}, message=f"Running {row['name']}")


async def _run(out: External, job: RunningJob) -> Next:
    row = await out.read(lambda tx: _look(tx, job))
    if row is None:
        return Next(message="Nothing is left to run")
    outcome = await run.asked(out, row)
    told = await out.write(lambda tx: _note(tx, job, outcome))
    return Next(message=told)


def _look(tx: Read, job: RunningJob) -> ReportRow | None:
    """None for one that is gone, ran since, or whose author is no admin any more."""
    row: ReportRow | None = tx.stored("report", [job.args["report"]])
    if row is None or (row["last_run_at"] or 0) >= job.args["since"] or not queries.has_author(tx, row):
        return None
    return row


def _note(tx: Write, job: RunningJob, outcome: run.Outcome) -> str:
    row = _look(tx, job)
    if row is None:
        return "Nothing is left to run"
    try:
        run.note(tx, row, outcome)
    except Conflict:
        return "It was changed meanwhile"
    return outcome.error or "Ran"


RUN = JobKind(kind="analytics.run", home=__name__, wait=_run, emits=(ReportRan,))
DUE = Schedule(name="analytics.due", home=__name__, every_s=5, run=_begin, due=_any_due, on_time=True)
