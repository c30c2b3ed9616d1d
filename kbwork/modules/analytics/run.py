"""Run a report: its query is asked beside the server, and what it found is noted and told."""

import json

from kbwork.base.dataclasses import dataclass
from kbwork.base.errors import Conflict, InvalidInput, QueryTooSlow
from kbwork.base.model import Id, Input
from kbwork.core.operations.declare import write
from kbwork.core.operations.external import External
from kbwork.db.rows import ReportRow
from kbwork.db.tx import Write
from kbwork.modules.analytics import access, queries, sandbox
from kbwork.modules.analytics.model import QueryResult, Report, ReportRan

MOST_KEPT = 20
_MOST_KEPT_CHARS = 100_000


class AnalyticsReportRun(Input):
    id: Id
    """Id of the report, from `analytics.reports`."""


@write(
    "analytics.report_run",
    scope="admin",
    words="run a report now, refresh a report, send the report, update the numbers",
    undo="whoever was told was told",
    emits=[ReportRan],
    example={"id": 1},
)
async def report_run(out: External, args: AnalyticsReportRun) -> Report:
    """Run a report now, whatever its schedule, and tell its recipients.

    Where its query cannot run, or takes too long, `last_error` says why, what it found before stays, and nobody is
    told. A report that is changed while it runs is 409.
    """
    access.require_whole(out.caller)
    row = await out.read(lambda tx: queries.stored(tx, args.id))
    outcome = await asked(out, row)

    def conclude(tx: Write) -> Report:
        note(tx, queries.stored(tx, row["id"]), outcome)
        return queries.shown(tx, queries.stored(tx, row["id"]))

    return await out.conclude(conclude)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run came to: a result, or why there is none."""

    sql: str
    result: QueryResult | None = None
    error: str | None = None


async def asked(out: External, row: ReportRow) -> Outcome:
    """Raises Busy where too many queries wait."""
    try:
        return Outcome(row["sql"], result=await sandbox.ask(out, row["sql"]))
    except (InvalidInput, QueryTooSlow) as refused:
        return Outcome(row["sql"], error=refused.detail)


def note(tx: Write, row: ReportRow, outcome: Outcome) -> None:
    """Keep what it found and tell of it. Raises Conflict where the report asks something else by now."""
    if row["sql"] != outcome.sql:
        raise Conflict("The report was changed while it ran: run it again.")
    columns = {"last_run_at": tx.now, "last_error": outcome.error}
    if outcome.result is not None:
        columns |= {"last_rows": len(outcome.result["rows"]), "last_result": _kept(outcome.result)}
    assignments = ", ".join(f"{name} = :{name}" for name in columns)
    tx.execute(f"update report set {assignments} where id = :id", id=row["id"], **columns)
    told = {"report": row["id"], "name": row["name"]}
    if outcome.error is None:
        tx.emit(ReportRan(subject=f"report:{row['id']}", payload=told))
    else:
        failed = told | {"error": outcome.error}
        tx.emit(ReportRan(subject=f"report:{row['id']}", payload=failed, heard_by="admin"))


def _kept(result: QueryResult) -> str:
    """The first rows, as many as are short together."""
    rows, size = [], 0
    for row in result["rows"][:MOST_KEPT]:
        size += len(json.dumps(row, ensure_ascii=False))
        if size > _MOST_KEPT_CHARS:
            break
        rows.append(row)
    return json.dumps({"columns": result["columns"], "rows": rows}, ensure_ascii=False)
