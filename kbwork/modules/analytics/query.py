"""Ask the events in SQL."""

from kbwork.base.model import Input
from kbwork.core.operations.declare import write
from kbwork.core.operations.external import External
from kbwork.modules.analytics import access, sandbox
from kbwork.modules.analytics.model import QueryResult, Sql


class AnalyticsQuery(Input):
    sql: Sql
    """One SELECT over `events(seq, kind, subject, actor, actor_kind, via, at, payload)`; `at` is Unix seconds,
    `payload` JSON."""


@write(
    "analytics.query",
    scope="admin",
    words=(
        "sql query, ask the database, count events, statistics, numbers over time, custom report, "
        "group by, how many issues were closed, metrics, bi"
    ),
    emits=[],
    undo="a look changes nothing",
    repeatable=True,
    example={"sql": "select kind, count(*) as number from events group by kind order by number desc"},
)
async def query(out: External, args: AnalyticsQuery) -> QueryResult:
    """Ask the events of the org in SQL: one SELECT over the table `events`, whose payload `json_extract` reads.

    It has all events that anybody is told of, those of projects that you do not see too; what stands in the audit log
    alone is not in it. A query works for 2 seconds at most (422 `query-too-slow`) and answers 1,000 rows or 4 MB,
    `truncated` where there are more. Anything but one SELECT is 422, as is a function that does not only compute.
    """
    access.require_whole(out.caller)
    return await sandbox.ask(out, args.sql)
