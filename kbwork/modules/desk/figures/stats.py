"""How much came in at a desk and was done, and how long that took."""

from collections import Counter
from typing import NamedTuple

from pydantic import Field

from kbwork.base.model import Day, Input
from kbwork.core.access import visibility
from kbwork.core.operations.declare import read
from kbwork.core.references import ProjectRef
from kbwork.db.tx import Read, Row
from kbwork.modules.desk import access
from kbwork.modules.desk.figures import days
from kbwork.modules.desk.model import DeskStats
from kbwork.modules.projects import ISSUE_SEEN

ASKED = (
    "select r.issue, r.created_at, r.channel, coalesce(t.name, '') as type from customer_request r"
    " join issue i on i.id = r.issue and i.deleted_at is null left join request_type t on t.id = r.type"
    f" where i.project = :project and r.created_at < :end and {ISSUE_SEEN}"
)
_STAYS = (
    "select cast(substr(s.subject, 7) as integer) as issue, s.from_at, s.to_at, l.category = 'done' as done"
    " from spell s join lane l on l.id = cast(s.value as integer) where s.field = 'lane' and s.from_at < :end"
    f" and coalesce(s.to_at, :end) >= :begin and s.subject in (select 'issue:' || issue from ({ASKED}))"
    " order by issue, s.from_at, s.id"
)
"""Where requests stood in these days, and just before them. They are put together in Python: a window over the view of
spans makes SQLite look for each request among all of them."""
_ANSWERED = (
    f"select a.issue, min(c.created_at) - a.created_at as waited from ({ASKED}) a"
    " join request_comment s on s.issue = a.issue join comment c on c.id = s.comment and c.deleted_at is null"
    " and c.internal = 0 and c.author not glob 'customer:*'"
    " where a.created_at >= :begin group by a.issue"
)


class DeskStatsInput(Input):
    project: ProjectRef
    from_: Day = Field(alias="from")
    """First day, in the zone of the org."""
    to: Day
    """Last day."""


@read(
    "desk.stats",
    scope="issues:read",
    words="help desk report, how many tickets, first response time, resolution time, support workload, backlog",
    cached=False,
    threaded=True,
    example={"project": "WEB", "from": "2027-01-01", "to": "2027-01-31"},
)
def stats(tx: Read, args: DeskStatsInput) -> DeskStats:
    """Say how much came in at a desk in some days and was done, of the requests that you see. For members of it.

    `solved` and `reopened` count requests by what happened to them in these days, `backlog` those that were open at
    their end. The medians are in seconds: `first_reply` of those that came in and were answered, `resolution` of those
    that were solved, from when they came. A request that lies in the trash counts for nothing.
    """
    project, _ = access.desk(tx, args.project)
    access.require_member(tx, project["id"])
    span = days.span(tx, args.from_, args.to)
    binds = {"project": project["id"], **span._asdict(), **visibility.binds(tx)}
    asked = tx.all(ASKED, **binds)
    created = [row for row in asked if row["created_at"] >= span.begin]
    moved = _moved(tx, binds, span)
    solved = [
        at - row["created_at"] for row in asked if (at := moved.solved_at.get(row["issue"])) is not None
    ]
    return DeskStats(
        created=len(created),
        solved=len(solved),
        reopened=len(moved.reopened),
        backlog=len(moved.waiting),
        first_reply=_median([row["waited"] for row in tx.all(_ANSWERED, **binds)]),
        resolution=_median(solved),
        by_channel=_counted(created, "channel"),
        by_type=_counted(created, "type"),
    )


class MovedRequests(NamedTuple):
    """What happened to requests in some days."""

    solved_at: dict[int, int]
    """Issue -> when it was closed last."""
    reopened: set[int]
    waiting: set[int]
    """Open at the end."""


def _moved(tx: Read, binds: Row, span: days.DaySpan) -> MovedRequests:
    found = MovedRequests({}, set(), set())
    last, was_done = 0, False
    for issue, from_at, to_at, done in tx.tuples(_STAYS, **binds):
        before = was_done if issue == last else False
        last, was_done = issue, bool(done)
        if from_at >= span.begin and done and not before:
            found.solved_at[issue] = from_at
        elif from_at >= span.begin and before and not done:
            found.reopened.add(issue)
        if not done and (to_at is None or to_at >= span.end):
            found.waiting.add(issue)
    return found


def _median(found: list[int]) -> int | None:
    import statistics  # noqa: PLC0415 - a start needs none

    return round(statistics.median(found)) if found else None


def _counted(found: list[Row], name: str) -> dict[str, int]:
    return dict(sorted(Counter(row[name] for row in found).items()))
