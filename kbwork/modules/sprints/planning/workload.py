"""What people have before them: their issues, on the days that these or their sprints say, and what they can."""

import datetime
import json
from collections.abc import Sequence

from kbwork.core import org_settings
from kbwork.core.access import visibility
from kbwork.db.tx import Read, Row, json_array
from kbwork.modules.members import Capacity, PlannedIssue, WorkPlan
from kbwork.modules.sprints import access

_FIRST = (
    "coalesce(i.start_date, min(s.start_date, coalesce(i.due_date, s.start_date)), i.due_date, s.end_date)"
)
_LAST = "coalesce(i.due_date, s.end_date, i.start_date, s.start_date)"
_ISSUES = f"""
select a.who, p.key || '-' || i.number as key, i.estimate, {_FIRST} as first, {_LAST} as last
  from issue_assignee a
  join issue i on i.id = a.issue
  join project p on p.id = i.project
  left join sprint s on s.id = i.sprint and s.state <> 'done' and :sprints and {{sprint_seen}}
  where a.who in (select value from json_each(:members))
    and not exists (select 1 from issue_assignee o
      where o.issue = a.issue and (o.position, o.who) < (a.position, a.who))
    and i.category <> 'done' and i.archived_at is null and {{seen}}
    and {_FIRST} <= :to and max({_FIRST}, {_LAST}) >= :from
  order by first, last, i.id
"""
"""Those whose days touch these. One that would end before it begins stands on the day on which it begins, but for one
that is due before its sprint is: that stands on the day on which it is due. A sprint that is not seen says no date."""
_CAPACITIES = f"""
select s.start_date, s.end_date, s.capacity from sprint s
  where s.state <> 'done' and s.start_date <= :to and s.end_date >= :from and {access.SEEN} order by s.id
"""


def _issues(
    tx: Read, members: Sequence[str], window: tuple[datetime.date, datetime.date]
) -> list[PlannedIssue]:
    rows = tx.all(
        _ISSUES.format(seen=access.issue_seen(tx), sprint_seen=access.SEEN),
        members=json_array(members),
        sprints=int(_on(tx)),
        **_days(window),
        **visibility.binds(tx),
    )
    return [
        PlannedIssue(row["who"], row["key"], _span(row["first"], row["last"]), row["estimate"])
        for row in rows
    ]


def _capacities(
    tx: Read, members: Sequence[str], window: tuple[datetime.date, datetime.date]
) -> list[Capacity]:
    if not _on(tx):
        return []
    asked = set(members)
    rows: list[Row] = tx.all(_CAPACITIES, **_days(window), **visibility.binds(tx))
    return [
        Capacity(who, _span(row["start_date"], row["end_date"]), amount)
        for row in rows
        for who, amount in json.loads(row["capacity"]).items()
        if who in asked
    ]


def _on(tx: Read) -> bool:
    """Whether sprints are something that the caller is told of."""
    return visibility.reads(tx, "sprint") and not org_settings.home_off(tx, __name__)


def _days(window: tuple[datetime.date, datetime.date]) -> dict[str, str]:
    return {"from": window[0].isoformat(), "to": window[1].isoformat()}


def _span(first: str, last: str) -> tuple[datetime.date, datetime.date]:
    begin = datetime.date.fromisoformat(first)
    return begin, max(begin, datetime.date.fromisoformat(last))


WORK_PLAN = WorkPlan(home=__name__, issues=_issues, capacities=_capacities)
