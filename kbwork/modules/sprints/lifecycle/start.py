"""Starting a sprint."""

import json
from typing import Any

from kbwork.base.errors import InvalidInput
from kbwork.base.model import Day, Id, Input, Text
from kbwork.core import named, zones
from kbwork.core.operations.declare import write
from kbwork.db.rows import SprintRow
from kbwork.db.tx import Write
from kbwork.modules.sprints import access, ops, queries
from kbwork.modules.sprints.model import Sprint, SprintStarted


class SprintsStart(Input):
    id: Id
    """Id of the sprint."""
    start_date: Day | None = None
    """First day; that which is set unless given, else today."""
    end_date: Day | None = None
    """Last day; that which is set unless given."""
    goal: Text | None = None
    """What it is for; as it is unless given."""


@write(
    "sprints.start",
    scope="sprints:write",
    words="start the sprint, begin an iteration, kick off, activate a sprint",
    emits=[SprintStarted],
    example={"id": 3, "start_date": "2027-02-15", "end_date": "2027-02-26"},
)
def start(tx: Write, args: SprintsStart) -> Sprint:
    """Start a planned sprint: what is in it now, and how it is estimated, is its plan, and what comes later is scope.

    It needs a last day (422). One of the team is active at a time, and of sprints without a team one in a project: the
    other is named in the 409. So is that it was started or completed already.
    """
    row = access.kept(tx, args.id)
    columns = args.filled("start_date", "end_date", "goal")
    if row["state"] == "planned":
        columns["start_date"] = columns.get("start_date") or row["start_date"] or zones.today(tx).isoformat()
        if (columns.get("end_date") or row["end_date"]) is None:
            raise InvalidInput("Say when it ends: a sprint that starts has a last day.", field="end_date")
    begin(tx, row, columns)
    return queries.one(tx, row["id"])


def begin(tx: Write, row: SprintRow, columns: dict[str, Any]) -> None:
    """Make a planned sprint active. Raises Conflict or InvalidInput."""
    access.require_state(row, "planned", "started")
    after = {**row, **columns}
    ops.require_days_fit(after["start_date"], after["end_date"])
    access.require_alone(tx, row)
    plan = [[issue["id"], issue["estimate"]] for issue in ops.issues_in(tx, row["id"])]
    changed = named.diff(row, columns)
    tx.update("sprint", row["id"], **changed, state="active", started_at=tx.now, plan=json.dumps(plan))
    payload = ops.told(row) | {"state": "active", "goal": after["goal"], "issues": len(plan)}
    sides = {"state": ("planned", "active")} | named.changes(row, changed)
    tx.emit(SprintStarted(subject=f"sprint:{row['id']}", payload=payload, changes=sides))
