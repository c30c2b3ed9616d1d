"""Projects as rows, and as the caller sees them."""

import datetime
import json
from typing import Any, cast

from kbwork.core.access import visibility
from kbwork.db.rows import ProjectRow
from kbwork.db.tx import Read, Row, json_array, with_columns
from kbwork.modules.projects import access
from kbwork.modules.projects.issue_access import ISSUE_SEEN
from kbwork.modules.projects.model import Project, ProjectCounts, ProjectStatus
from kbwork.modules.projects.ports import OfferedViews

LAST_NUMBER = "max(p.numbers, coalesce((select max(number) from issue where project = p.id), 0))"
"""Of `project p`: the highest number that an issue of it has, or had before it went."""
_COUNTS = f"""
with special (project, category, issues) as (
  select i.project, i.category, ({ISSUE_SEEN}) - (i.project in (select value from json_each(:kb_full)))
    from issue i where i.project in (select value from json_each(:ids)) and i.level is not null and i.deleted_at is null
  union all
  select i.project, i.category, ({ISSUE_SEEN})
    from issue i where i.project in (select value from json_each(:ids)) and i.level is null and i.deleted_at is null
    and i.project in (select value from json_each(:kb_own))
), uses (project, category, issues) as (
  select project, category, issues from special
  union all
  select c.project, l.category, c.issues from project_count c join lane l on l.id = c.lane
    where c.project in (select value from json_each(:ids)) and c.project in (select value from json_each(:kb_full))
)
select project, category = 'done' as done, sum(issues) as issues from uses group by 1, 2
"""
_DUE = (
    "i.due_date < :today and i.category <> 'done' and i.archived_at is null and i.deleted_at is null"
    " and i.project in (select value from json_each(:ids))"
)
# What everybody sees who sees the project is counted in the index: a project may have a hundred thousand of these.
_LATE = f"""
with late (project, issues) as (
  select i.project, count(*) from issue i indexed by issue_late
    where {_DUE} and i.level is null and i.project in (select value from json_each(:kb_full)) group by 1
  union all
  select i.project, sum({ISSUE_SEEN}) from issue i indexed by issue_level
    where {_DUE} and i.level is not null group by 1
  union all
  select i.project, sum({ISSUE_SEEN}) from issue i indexed by issue_late
    where {_DUE} and i.level is null and i.project in (select value from json_each(:kb_own)) group by 1
)
select project, sum(issues) as issues from late group by 1
"""


def today(tx: Read) -> str:
    """The present day in UTC, `YYYY-MM-DD`."""
    return datetime.datetime.fromtimestamp(tx.now, datetime.UTC).date().isoformat()


def counts(tx: Read, ids: list[int]) -> dict[int, ProjectCounts]:
    """Open, done and late issues of projects, as far as the caller sees them."""
    binds = visibility.binds(tx) | {"ids": json_array(ids)}
    found = {project: ProjectCounts(open=0, done=0, late=0) for project in ids}
    for row in tx.all(_COUNTS, **binds):
        found[row["project"]]["done" if row["done"] else "open"] += row["issues"]
    for row in tx.all(_LATE, today=today(tx), **binds):
        found[row["project"]]["late"] = row["issues"]
    return found


def shown(tx: Read, rows: list[ProjectRow]) -> list[Project]:
    """Projects as the caller may see them: of a private one that is not theirs, admins see key, name and people."""
    ids = [row["id"] for row in rows]
    roles = access.roles(tx)
    counted = counts(tx, [project for project in ids if project in roles])
    keys: dict[int, list[str]] = {}
    for old in tx.all(
        "select project, key from project_key where project in (select value from json_each(:i))",
        i=json_array(ids),
    ):
        keys.setdefault(old["project"], []).append(old["key"])
    said = {
        row["project"]: row["health"]
        for row in tx.all(
            "select project, health from project_status where id in (select max(id) from project_status"
            " where project in (select value from json_each(:ids)) group by project)",
            ids=json_array(project for project in ids if project in roles),
        )
    }
    types = dict.fromkeys(row["default_type"] for row in rows)
    names = {
        row["id"]: row["key"]
        for row in tx.all(
            "select id, key from issue_type where id in (select value from json_each(:t))",
            t=json_array(types),
        )
    }
    views = default_views(tx, {row["id"]: row["default_view"] for row in rows if row["id"] in roles})
    answer = []
    for row in rows:
        if row["id"] not in roles:
            row = with_columns(row, _HIDDEN)  # noqa: PLW2901 - the same row with its inside left out
        former = sorted(key for key in keys.get(row["id"], []) if key != row["key"])
        none = ProjectCounts(open=0, done=0, late=0)
        shown_as = _shown(row, roles, (counted.get(row["id"], none), names[row["default_type"]], former))
        answer.append(shown_as | {"health": said.get(row["id"]), "default_view": views.get(row["id"])})
    return answer


def default_views(tx: Read, named: dict[int, int | None]) -> dict[int, int]:
    """Of views by the projects that name them, those that these open with for the caller."""
    views = {project: view for project, view in named.items() if view is not None}
    offered: list[OfferedViews] = tx.registry.of(OfferedViews)
    return offered[0].seen(tx, views) if views else {}


_HIDDEN: dict[str, Any] = {
    "description": "",
    "icon": None,
    "color": None,
    "budget": None,
    "start_date": None,
    "due_date": None,
    "labels": "[]",
}


def _shown(
    row: ProjectRow, roles: dict[int, access.Role], beside: tuple[ProjectCounts, str, list[str]]
) -> Project:
    counted, default_type, former = beside
    return Project(
        key=row["key"],
        name=row["name"],
        description=row["description"],
        kind=row["kind"],
        icon=row["icon"],
        color=row["color"],
        lead=row["lead"],
        visibility=row["visibility"],
        modules=json.loads(row["modules"]),
        default_type=default_type,
        default_assignee=cast("Any", row["default_assignee"]),  # inputs hold other words off, not the table
        estimate_scale=row["estimate_scale"],
        calendar=row["calendar"],
        budget=json.loads(row["budget"]) if row["budget"] else None,
        start_date=row["start_date"],
        due_date=row["due_date"],
        labels=json.loads(row["labels"]),
        triage=bool(row["triage"]),
        reporters_see=row["reporters_see"],
        blockers=row["blockers"],
        auto_archive_days=row["auto_archive_days"],
        auto_close_days=row["auto_close_days"],
        default_view=None,
        former_keys=former,
        health=None,
        my_role=roles.get(row["id"]),
        counts=counted,
        archived_at=row["archived_at"],
        created_at=row["created_at"],
        seq=row["seq"],
    )


def last_status(tx: Read, project: int) -> ProjectStatus | None:
    """What was said last of how it goes."""
    row = tx.one(
        "select s.*, p.key from project_status s join project p on p.id = s.project where s.project = :id"
        " order by s.at desc, s.id desc limit 1",
        id=project,
    )
    return status(row) if row is not None else None


def status(row: Row) -> ProjectStatus:
    """A stored status, with the key of its project, in its shape."""
    return ProjectStatus(
        id=row["id"],
        project=row["key"],
        health=row["health"],
        body=row["body"],
        author=row["author"],
        at=row["at"],
        facts=json.loads(row["facts"]),
    )
