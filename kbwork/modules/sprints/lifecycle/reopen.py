"""Opening a done sprint anew."""

import json

from kbwork.base.errors import Conflict
from kbwork.base.model import Id, Input
from kbwork.core.operations.declare import write
from kbwork.db.rows import IssueRow, SprintRow
from kbwork.db.tx import Read, Write, json_array
from kbwork.modules.sprints import access, ops, queries, scope
from kbwork.modules.sprints.model import Sprint, SprintReopened, SprintScopeChanged

REOPEN_DAYS = 14
_DAY_S = 86_400


class SprintsReopen(Input):
    id: Id
    """Id of the sprint."""


@write(
    "sprints.reopen",
    scope="sprints:write",
    words="reopen a sprint, completed too early, sprint is not over yet",
    emits=[SprintReopened, SprintScopeChanged],
    example={"id": 1},
)
def reopen(tx: Write, args: SprintsReopen) -> Sprint:
    """Open a done sprint anew: the latest of its team, or of its projects, in the 14 days after it was completed.

    Unfinished issues come back from where completing it put them, if they are still there. While another one of the
    team is active it is 409.
    """
    row = access.kept(tx, args.id)
    access.require_state(row, "done", "reopened")
    assert row["completed_at"] is not None
    if tx.now - row["completed_at"] > REOPEN_DAYS * _DAY_S:
        raise Conflict(
            f"{row['name']} was completed more than {REOPEN_DAYS} days ago: make another with sprints.create."
        )
    later = next(
        (
            one
            for one in access.rivals(tx, row, "done")
            if (one["completed_at"], one["id"]) > (row["completed_at"], row["id"])
        ),
        None,
    )
    if later is not None:
        raise Conflict(
            f"{access.called(tx, later)} was completed after it: only the latest one is opened anew."
        )
    access.require_alone(tx, row)
    back = _left_behind(tx, row)
    scope.put(tx, back, row["id"])
    tx.update("sprint", row["id"], state="active", completed_at=None, result=None, carried=None)
    payload = ops.told(row) | {"state": "active"}
    tx.emit(
        SprintReopened(subject=f"sprint:{row['id']}", payload=payload, changes={"state": ("done", "active")})
    )
    return queries.one(tx, row["id"])


def _left_behind(tx: Read, row: SprintRow) -> list[IssueRow]:
    """Issues that went on unfinished when it was completed and are still where they went then."""
    went = [issue for issue, done, _ in json.loads(row["result"] or "[]") if not done]
    return tx.all(
        "select * from issue where id in (select value from json_each(:ids)) and sprint is :carried"
        " and category <> 'done' and deleted_at is null and archived_at is null order by project, rank, id",
        IssueRow,
        ids=json_array(went),
        carried=row["carried"],
    )
