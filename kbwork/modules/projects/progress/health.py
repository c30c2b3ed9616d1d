"""How a project stands, in numbers."""

from typing_extensions import TypedDict

from kbwork.base.model import Input
from kbwork.core import zones
from kbwork.core.access import visibility
from kbwork.core.operations.declare import read
from kbwork.core.references import ProjectRef
from kbwork.db.tx import Read
from kbwork.modules.projects import access, queries
from kbwork.modules.projects.issue_access import ISSUE_SEEN
from kbwork.modules.projects.model import Budget, ProjectStatus

STALE_S = 30 * 86400
_COUNTS = f"""
select count(*) filter (where i.category <> 'done') as open,
  count(*) filter (where i.category = 'done') as done,
  count(*) filter (where i.category <> 'done' and i.due_date < :today) as late,
  count(*) filter (where i.category <> 'done' and i.blockers > 0) as blocked,
  count(*) filter (where i.category <> 'done'
    and not exists (select 1 from issue_assignee a where a.issue = i.id)) as unassigned,
  count(*) filter (where i.category <> 'done' and i.updated_at < :stale) as stale
  from issue i where i.project = :project and i.archived_at is null and {ISSUE_SEEN}
"""


_SPRINT = (
    "select s.id from sprint_project sp join sprint s on s.id = sp.sprint where sp.project = :project"
    " and s.state = 'active' and s.deleted_at is null order by s.started_at desc, s.id desc limit 1"
)


class ProjectHealth(TypedDict):
    """Issues that the caller sees and that are not archived. `stale`: open, and nothing changed for 30 days."""

    open: int
    """Issues that are not done."""
    done: int
    """Issues that are done."""
    late: int
    """Open issues whose due date is over."""
    blocked: int
    """Open issues that an open one blocks."""
    unassigned: int
    """Open issues that nobody has."""
    stale: int
    """Open issues that did not change for 30 days."""
    sprint: int | None
    """Id of the active sprint that is of it, the latest started; null: none."""
    next_milestone: None
    """Always null: this version has no milestones."""
    spent: int | None
    """Seconds of work on it; null: not known."""
    budget: Budget | None
    """What may be spent; null: no limit."""
    last_status: ProjectStatus | None
    """What was said last of how it goes; null: nothing yet."""


class ProjectsHealth(Input):
    key: ProjectRef


@read(
    "projects.health",
    scope="projects:read",
    words=(
        "how is the project doing, on track, progress of a project, overview, dashboard, late, "
        "burndown, at risk, behind schedule, how many open, numbers"
    ),
    threaded=True,
    example={"key": "WEB"},
)
def health(tx: Read, args: ProjectsHealth) -> ProjectHealth:
    """Look at how a project stands: open, done, late, blocked, unassigned and stale issues, and what was said last."""
    project = access.project(tx, args.key)
    found = counts(tx, project["id"])
    return ProjectHealth(
        open=found["open"],
        done=found["done"],
        late=found["late"],
        blocked=found["blocked"],
        unassigned=found["unassigned"],
        stale=found["stale"],
        sprint=tx.value(_SPRINT, project=project["id"]),
        next_milestone=None,
        spent=None,
        budget=queries.shown(tx, [project])[0]["budget"],
        last_status=queries.last_status(tx, project["id"]),
    )


def counts(tx: Read, project: int) -> dict[str, int]:
    """The figures of a project by name."""
    found = tx.one(_COUNTS, project=project, today=today(tx), stale=tx.now - STALE_S, **visibility.binds(tx))
    assert found is not None
    return found


def today(tx: Read) -> str:
    """The present day where the caller is."""
    return zones.today(tx).isoformat()
