"""Who sees a sprint, and who keeps it.

One on projects is seen by whoever sees one of them. One of a team alone is seen by the team, by whoever made it and by
admins. It is kept by the members and leads of its projects and by the leads of its team.
"""

from typing import Any

from kbwork.base.errors import Conflict, NotAllowed
from kbwork.core import named
from kbwork.core.access import visibility
from kbwork.db.rows import SprintRow
from kbwork.db.tx import Read
from kbwork.modules import teams
from kbwork.modules.projects import ISSUE_SEEN
from kbwork.modules.projects import access as projects

_ON = (
    "exists (select 1 from sprint_project so where so.sprint = s.id"
    " and so.project in (select value from json_each(:kb_projects)))"
)
_OWN = (
    ":kb_wide and not exists (select 1 from sprint_project so where so.sprint = s.id)"
    " and (:kb_admin or s.created_by = :kb_me or 'team:' || s.team in (select value from json_each(:kb_teams)))"
)
EVER_SEEN = f"({_ON} or {_OWN})"
"""The condition on `sprint s`: the caller sees it, or saw it before it was deleted."""
SEEN = f"s.deleted_at is null and {EVER_SEEN}"
"""The condition on `sprint s`: the caller sees it."""

_RIVALS = """
select s.* from sprint s where s.id <> :id and s.state = :state and s.deleted_at is null and iif(:team is null,
  s.team is null and exists (select 1 from sprint_project sp join sprint_project mine on mine.project = sp.project
    where sp.sprint = s.id and mine.sprint = :id), s.team = :team)
"""
"""Sprints in a state of the same team; of one without a team, those without one that share a project with it."""


def binds(tx: Read) -> dict[str, Any]:
    """What these conditions bind beside what those on projects do."""
    return {"kb_wide": int(tx.caller.projects is None)}


def find(tx: Read, ident: int) -> SprintRow | None:
    """The stored sprint; None where the caller sees none."""
    if not visibility.reads(tx, "sprint"):
        return None
    return tx.one(
        f"select s.* from sprint s where s.id = :id and {SEEN}", SprintRow, id=ident, **visibility.binds(tx)
    )


def get(tx: Read, ident: int, *, field: str = "") -> SprintRow:
    """As `find`. Raises NotFound, or InvalidInput at the field that names it."""
    return named.seen(find(tx, ident), "sprint", ident, "sprints.list", field=field)


def kept(tx: Read, ident: int) -> SprintRow:
    """The sprint, where the caller keeps it. Raises NotFound, NotAllowed or Conflict."""
    row = get(tx, ident)
    require_keeper(tx, row)
    return row


def keeps(tx: Read, row: SprintRow) -> bool:
    """Whether the caller may change it, as far as who they are goes."""
    if tx.caller.guest:
        return False
    if any(projects.at_least(tx, project, "member") for project in projects_of(tx, row["id"])):
        return True
    return row["team"] is not None and tx.caller.projects is None and teams.leads(tx, row["team"])


def require_keeper(tx: Read, row: SprintRow) -> None:
    """Raises NotAllowed where others keep it, Conflict where all its projects are archived."""
    if not keeps(tx, row):
        raise NotAllowed(
            "A sprint is kept by the members and leads of its projects, and by the leads of its team: ask one of them."
        )
    if why := closed(tx, row):
        raise Conflict(why)


def closed(tx: Read, row: SprintRow) -> str | None:
    """Why nothing about it may be changed now."""
    held = [tx.stored("project", [project]) for project in projects_of(tx, row["id"])]
    if not held or any(one is not None and one["archived_at"] is None for one in held):
        return None
    return "All projects of the sprint are archived: bring one back before changing anything about it."


def issue_seen(tx: Read) -> str:
    """The condition on `issue i` that the caller sees it and may read issues at all."""
    return ISSUE_SEEN if visibility.reads(tx, "issue") else "0"


def projects_of(tx: Read, sprint: int) -> list[int]:
    """The internal numbers of its projects."""
    return tx.column("select project from sprint_project where sprint = :id order by project", id=sprint)


def rivals(tx: Read, row: SprintRow, state: str) -> list[SprintRow]:
    """Others in this state that are of the same team; of one without a team, those that share a project with it."""
    return tx.all(_RIVALS, SprintRow, id=row["id"], team=row["team"], state=state)


def called(tx: Read, row: SprintRow) -> str:
    """Its name, where the caller sees it."""
    return row["name"] if find(tx, row["id"]) is not None else "Another sprint"


def require_state(row: SprintRow, wanted: str, what: str) -> None:
    """Raises Conflict where it is in another state."""
    if row["state"] != wanted:
        raise Conflict(f"{row['name']} is {row['state']}: only a sprint that is {wanted} is {what}.")


def require_alone(tx: Read, row: SprintRow) -> None:
    """Raises Conflict where another one is active that it would be active beside."""
    if others := rivals(tx, row, "active"):
        raise Conflict(f"{called(tx, others[0])} is active: complete it first with sprints.complete.")
