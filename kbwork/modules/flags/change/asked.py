"""Who is asked to approve a change: those who look after the flag, else the leads of its project, else admins."""

from collections.abc import Iterable

from kbwork.core.access import visibility
from kbwork.db.rows import FlagChangeRow
from kbwork.db.tx import Read
from kbwork.modules.flags import access
from kbwork.modules.flags.access import ProjectEnvironment
from kbwork.modules.flags.change import approvals
from kbwork.modules.flags.definition.content import meta_of

_LEADS = """
select pm.who from project_member pm where pm.project = :project and pm.role = 'lead' and pm.who not glob 'team:*'
union
select t.member from project_member pm join team_member t on 'team:' || t.team = pm.who
  where pm.project = :project and pm.role = 'lead'
"""
_ADMINS = "select id from member where role in ('owner', 'admin') and state = 'active'"


def asked_for_approval(tx: Read, change: int) -> list[str]:
    """Ids of members who may approve it now, of the first of these groups in which there is one."""
    row = tx.stored("flag_change", [change])
    project = tx.stored("flag_project", [row["project"]]) if row is not None else None
    environment = tx.stored("flag_environment", [row["environment"]]) if row is not None else None
    if row is None or project is None or environment is None:
        return []
    place = ProjectEnvironment(project, environment)
    for group in _groups(tx, place, row):
        found = [who for who in group if _may_approve(tx, place, row, who)]
        if found:
            return found
    return []


def _groups(tx: Read, place: ProjectEnvironment, change: FlagChangeRow) -> Iterable[list[str]]:
    if change["kind"] == "flag":
        flag = tx.one(
            "select * from flag where project = :project and key = :key",
            project=place.project["id"],
            key=change["target"],
        )
        yield list(meta_of(flag)["maintainers"]) if flag is not None else []
    if place.project["work_project"] is not None:
        yield tx.column(_LEADS, project=place.project["work_project"])
    yield tx.column(_ADMINS)


def _may_approve(tx: Read, place: ProjectEnvironment, change: FlagChangeRow, who: str) -> bool:
    return approvals.may_approve(place.environment, change, who) and access.may_change(
        visibility.as_member(tx, who), place.project
    )
