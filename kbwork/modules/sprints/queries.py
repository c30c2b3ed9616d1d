"""Sprints as rows and as answers."""

import json
from collections.abc import Mapping
from typing import Any

from kbwork.core.access import visibility
from kbwork.db.rows import SprintRow
from kbwork.db.tx import Read, Row, json_array
from kbwork.modules.sprints import access
from kbwork.modules.sprints.model import Sprint, SprintCadence, SprintCounts

_ORDER = (
    "case s.state when 'active' then 0 when 'planned' then 1 else 2 end, s.completed_at desc,"
    " coalesce(s.start_date, '9999'), s.id"
)
_LISTED = (
    f"select s.* from sprint s where {access.SEEN} and (:state is null or s.state = :state)"
    " and (:team is null or s.team = :team) and (:project is null or exists"
    " (select 1 from sprint_project sp where sp.sprint = s.id and sp.project = :project))"
    f" order by {_ORDER}"
)
HELD = """
select s.id as sprint, i.id as issue, i.category = 'done' as done, i.estimate from sprint s
  join issue i on i.sprint = s.id where s.id in (select value from json_each(:ids)) and s.state <> 'done'
    and i.deleted_at is null
union all
select s.id, r.value ->> 0, r.value ->> 1, r.value ->> 2 from sprint s, json_each(s.result) r
  where s.id in (select value from json_each(:ids)) and s.state = 'done'
"""
"""What is in these sprints, or was when they were completed: (sprint, issue, done, estimate)."""
PLANNED = """
select s.id as sprint, p.value ->> 0 as issue, p.value ->> 1 as estimate from sprint s, json_each(s.plan) p
  where s.id in (select value from json_each(:ids))
"""
"""What was in these sprints when they started: (sprint, issue, estimate)."""
_COUNTS = f"""
with held as materialized ({HELD}), planned as materialized ({PLANNED}),
started (id) as (select id from sprint where id in (select value from json_each(:ids)) and plan is not null)
select h.sprint, count(*) as issues, sum(h.done) as done, coalesce(sum(h.estimate), 0) as estimate,
  coalesce(sum(iif(h.done, h.estimate, 0)), 0) as estimate_done,
  sum(h.sprint in (select id from started) and (h.sprint, h.issue) not in (select sprint, issue from planned)) as added,
  0 as removed
  from held h join issue i on i.id = h.issue where {{seen}} group by h.sprint
union all
select p.sprint, 0, 0, 0, 0, 0, count(*) from planned p join issue i on i.id = p.issue
  where (p.sprint, p.issue) not in (select sprint, issue from held) and {{seen}} group by p.sprint
"""
_PROJECTS = (
    "select sp.sprint, p.key from sprint_project sp join project p on p.id = sp.project"
    " where (:ids is null or sp.sprint in (select value from json_each(:ids))) and p.deleted_at is null"
    " and p.id in (select value from json_each(:kb_projects)) order by p.key"
)

_BRIEF = ("id", "name", "team", "state", "goal", "start_date", "end_date")


def rows(
    tx: Read, *, project: int | None = None, team: int | None = None, state: str | None = None
) -> list[SprintRow]:
    """The sprints that the caller sees: the active ones, then the planned ones by their days, then the latest done."""
    return tx.all(_LISTED, SprintRow, project=project, team=team, state=state, **visibility.binds(tx))


def one(tx: Read, ident: int) -> Sprint:
    """One that is there, as an answer."""
    row = tx.stored("sprint", [ident])
    assert row is not None
    return shown(tx, [row])[0]


def shown(tx: Read, found: list[SprintRow]) -> list[Sprint]:
    """Rows of these as answers, with counts of what the caller sees."""
    ids = json_array(row["id"] for row in found)
    sight = visibility.binds(tx)
    keys = _keys(tx, ids)
    counts = _counts(tx, ids, sight)
    cadences = _cadences(tx)
    return [
        Sprint(
            id=row["id"],
            name=row["name"],
            projects=keys.get(row["id"], []),
            team=row["team"],
            state=row["state"],
            goal=row["goal"],
            start_date=row["start_date"],
            end_date=row["end_date"],
            started_at=row["started_at"],
            completed_at=row["completed_at"],
            capacity=json.loads(row["capacity"]),
            counts=counts[row["id"]] if row["id"] in counts else _nothing(),
            retro=row["retro"],
            cadence=cadences.get(row["cadence"]),
        )
        for row in found
    ]


def brief(tx: Read) -> list[Row]:
    """All that the caller sees, without what counts their issues."""
    keys = _keys(tx, None)
    return [{name: row[name] for name in _BRIEF} | {"projects": keys.get(row["id"], [])} for row in rows(tx)]


def _keys(tx: Read, ids: str | None) -> dict[int, list[str]]:
    """The projects of these sprints, or of all, as far as the caller sees them."""
    found: dict[int, list[str]] = {}
    for row in tx.all(_PROJECTS, ids=ids, **visibility.binds(tx)):
        found.setdefault(row["sprint"], []).append(row["key"])
    return found


def _nothing() -> SprintCounts:
    return SprintCounts(issues=0, done=0, estimate=0.0, estimate_done=0.0, added=0, removed=0)


def _counts(tx: Read, ids: str, sight: Mapping[str, Any]) -> dict[int, SprintCounts]:
    found: dict[int, Any] = {}
    for row in tx.all(_COUNTS.format(seen=access.issue_seen(tx)), ids=ids, **sight):
        known = found.setdefault(row["sprint"], _nothing())
        for name in known:
            known[name] += row[name]
    return found


def _cadences(tx: Read) -> dict[int | None, SprintCadence]:
    return {
        row["id"]: SprintCadence(
            weeks=row["weeks"],
            starts_on=row["starts_on"],
            ahead=row["ahead"],
            auto_start=bool(row["auto_start"]),
            auto_complete=bool(row["auto_complete"]),
            carry=row["carry"],
        )
        for row in tx.all("select * from sprint_cadence")
    }
