"""List reports, make and change one, delete one."""

from typing import Annotated, Any

from pydantic import Field

from kbwork.base.errors import Conflict
from kbwork.base.model import Empty, Id, Input, Name, Text
from kbwork.core import named
from kbwork.core.operations.declare import destructive, write
from kbwork.core.operations.external import External
from kbwork.db.rows import ReportRow
from kbwork.db.tx import Read, Write
from kbwork.modules.analytics import access, due_times, queries, recipients, sandbox
from kbwork.modules.analytics.model import Every, Report, ReportDeleted, ReportSaved, Sql

MOST = 100
"""Reports of one org."""
MOST_RECIPIENTS = 100
_TOLD = ("name", "sql", "every")


@write(
    "analytics.reports",
    scope="admin",
    words="saved queries, list reports, which reports exist, scheduled queries, last result of a report",
    undo="a look changes nothing",
    emits=[],
    example={},
)
def reports(tx: Read, args: Empty) -> list[Report]:
    """List the reports by id, each with what it last found."""
    access.require_whole(tx.caller)
    return [queries.shown(tx, row) for row in queries.every(tx)]


class AnalyticsReportSave(Input):
    id: Id | None = None
    """The report to change; left out: make one."""
    name: Name
    """What it is called. Recipients who are no admins read nothing else."""
    sql: Sql
    """One SELECT over the table `events`, as `analytics.query` takes it."""
    every: Every
    """When it runs by itself: at 08:00 in the org's zone, `weekly` on Mondays, `monthly` on the first."""
    recipients: Annotated[list[Text], Field(max_length=MOST_RECIPIENTS)] | None = None
    """Who is told when it has run: members by id, `me`, `@handle` or address, `team:<id>`, `team:admins`. Left out:
    nobody of a new one, and of one that is there those who are."""


@write(
    "analytics.report_save",
    scope="admin",
    words=(
        "new report, save a query, schedule a query, weekly numbers, monthly statistics, "
        "send a report to the team, change a report, dashboards by sql"
    ),
    undo="a report is saved anew as it is to be; what it said before stands in its events",
    emits=[ReportSaved],
    example={
        "name": "Issues closed each week",
        "sql": "select strftime('%Y-%W', at, 'unixepoch') as week, count(*) as closed from events"
        " where kind = 'issue.transitioned' and payload ->> '$.to' = 'done' group by week",
        "every": "weekly",
        "recipients": ["team:admins"],
    },
)
async def report_save(out: External, args: AnalyticsReportSave) -> Report:
    """Keep a query as a report, or change one: all that it says, with its recipients.

    It runs by itself for as long as whoever saved it last is an admin, and tells its recipients: admins read the first
    rows in their inbox, others its name. A query that cannot run is 422, as is a recipient who is a guest or not here.
    An org has 100 reports at most (409).
    """
    access.require_whole(out.caller)
    await sandbox.ask(out, args.sql, look=False)
    return await out.conclude(lambda tx: _save(tx, args))


class AnalyticsReportDelete(Input):
    id: Id
    """Id of the report, from `analytics.reports`."""


@destructive(
    "analytics.report_delete",
    scope="admin",
    words="remove a report, stop a scheduled query, end a report",
    undo="a deleted report is made anew: its last event has all that it said",
    emits=[ReportDeleted],
    example={"id": 1},
)
def report_delete(tx: Write, args: AnalyticsReportDelete) -> list[Report]:
    """Delete a report with what it found. Answers the others."""
    access.require_whole(tx.caller)
    row = queries.stored(tx, args.id)
    told = {name: row[name] for name in _TOLD} | {"recipients": recipients.of(tx, row["id"])}
    recipients.forget(tx, row["id"])
    tx.delete("report", row["id"])
    tx.emit(ReportDeleted(subject=f"report:{row['id']}", payload=told))
    return [queries.shown(tx, one) for one in queries.every(tx)]


def _save(tx: Write, args: AnalyticsReportSave) -> Report:
    row = queries.stored(tx, args.id) if args.id is not None else None
    before = recipients.of(tx, row["id"]) if row is not None else []
    who = before if args.recipients is None else recipients.checked(tx, args.recipients)
    columns: dict[str, Any] = {
        "name": args.name,
        "sql": args.sql,
        "every": args.every,
        "author": tx.caller.me(),
    }
    ident = _make(tx, columns, who) if row is None else _change(tx, row, columns, (before, who))
    return queries.shown(tx, queries.stored(tx, ident))


def _make(tx: Write, columns: dict[str, Any], who: list[str]) -> int:
    if tx.value("select count(*) from report") >= MOST:
        raise Conflict(f"An org has {MOST} reports at most: delete one first.")
    ident = tx.insert(
        "report",
        **columns,
        created_by=tx.caller.me(),
        next_run_at=due_times.following(tx, columns["every"]),
        created_at=tx.now,
        updated_at=tx.now,
    )
    recipients.put(tx, ident, who)
    told = {name: columns[name] for name in _TOLD} | {"recipients": who}
    tx.emit(ReportSaved(subject=f"report:{ident}", payload=told))
    return int(ident)


def _change(tx: Write, row: ReportRow, columns: dict[str, Any], told: tuple[list[str], list[str]]) -> int:
    """Another query voids what the old one found. One whose schedule stays keeps its time, unless it had stopped."""
    before, who = told
    changes = named.changes(row, columns, among=_TOLD) | ({"recipients": told} if before != who else {})
    if not changes and columns["author"] == row["author"] and queries.has_author(tx, row):
        return row["id"]
    more: dict[str, Any] = {}
    if row["sql"] != columns["sql"]:
        more = dict.fromkeys(("last_run_at", "last_rows", "last_result", "last_error"))
    if row["every"] != columns["every"] or row["next_run_at"] is None:
        more |= {"next_run_at": due_times.following(tx, columns["every"])}
    if row["last_error"] == queries.LOST:
        more |= {"last_error": None}
    tx.update("report", row["id"], **columns, **more, updated_at=tx.now)
    recipients.put(tx, row["id"], who)
    tx.emit(ReportSaved(subject=f"report:{row['id']}", changes=changes, payload={"name": columns["name"]}))
    return row["id"]
