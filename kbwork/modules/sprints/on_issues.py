"""What issues ask of sprints: whether one takes an issue, and that its scope is told."""

from kbwork.base.errors import Conflict
from kbwork.db.rows import IssueRow
from kbwork.db.tx import Read, Write
from kbwork.modules.issues import Sprints
from kbwork.modules.sprints import access, scope


def _require(tx: Read, sprint: int, project: int) -> None:
    row = access.get(tx, sprint, field="sprint")
    scope.require_takes(tx, row, project, "sprint")
    scope.require_fits(tx, row, 1)


def _dropped(tx: Read, sprint: int, project: int) -> str | None:
    row = tx.stored("sprint", [sprint])
    if row is not None and row["deleted_at"] is None and scope.takes(tx, row, project):
        return None
    return row["name"] if row is not None else str(sprint)


def _fits(tx: Read, row: IssueRow) -> None:
    sprint = tx.stored("sprint", [row["sprint"]])
    if sprint is None or sprint["deleted_at"] is not None:
        raise Conflict("the sprint that it was in is gone")
    if sprint["state"] == "done" and row["category"] != "done":
        raise Conflict("the sprint that it was in is done")
    if not scope.takes(tx, sprint, row["project"]):
        raise Conflict("the sprint that it was in is not of its project")


def _moved(tx: Write, issue: int, before: int | None, after: int | None) -> None:
    scope.tell(tx, [(issue, before)], after)


ON_ISSUES = Sprints(home=__name__, require=_require, dropped=_dropped, fits=_fits, moved=_moved)
