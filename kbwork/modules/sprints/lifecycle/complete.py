"""Completing a sprint, and where what is unfinished goes."""

import json
from typing import Any, Literal

from kbwork.base.errors import Conflict, InvalidInput
from kbwork.base.model import Id, Input, Text
from kbwork.core.operations.declare import write
from kbwork.db.rows import SprintRow
from kbwork.db.tx import Read, Write
from kbwork.modules.sprints import access, ops, report, scope
from kbwork.modules.sprints.model import SprintCompleted, SprintReport, SprintScopeChanged


class SprintsComplete(Input):
    id: Id
    """Id of the sprint."""
    unfinished: Literal["next", "backlog", "sprint"]
    """Where issues go that are not done: to the `next` planned one of its team or projects, to the `backlog`, or to the
    `sprint` that is named."""
    sprint: Id | None = None
    """Id of the sprint that they go to, with `sprint`."""
    note: Text | None = None
    """What there is to say of it; it stands in the event."""


@write(
    "sprints.complete",
    scope="sprints:write",
    words="finish the sprint, end the iteration, close the sprint, carry over, sprint report, what got done",
    emits=[SprintCompleted, SprintScopeChanged],
    example={"id": 2, "unfinished": "backlog", "note": "Vouchers stay for next week"},
)
def complete(tx: Write, args: SprintsComplete) -> SprintReport:
    """Complete an active sprint and answer what came of it. All its unfinished issues go on, seen by you or not.

    What is done stays in it; what goes on has it among its `past_sprints`. Without a planned sprint `next` is 409. One
    that is not active is 409.
    """
    row = access.kept(tx, args.id)
    if (args.sprint is None) == (args.unfinished == "sprint"):
        raise InvalidInput("Name `sprint` where `unfinished` is `sprint`, and only there.", field="sprint")
    access.require_state(row, "active", "completed")
    target = _target(tx, row, args)
    _require_fits(tx, row, target)
    end(tx, row, target, {"note": args.note} if args.note else {})
    return report.of(tx, row["id"])


def end(tx: Write, row: SprintRow, target: SprintRow | None, said: dict[str, Any]) -> None:
    """Make an active sprint done; what is not goes to the target, or to none."""
    held = ops.issues_in(tx, row["id"])
    left = [issue for issue in held if issue["category"] != "done"]
    result = [[issue["id"], int(issue["category"] == "done"), issue["estimate"]] for issue in held]
    to = target["id"] if target is not None else None
    tx.update("sprint", row["id"], state="done", completed_at=tx.now, result=json.dumps(result), carried=to)
    ops.let_go(tx, row["id"], "category <> 'done' and (deleted_at is not null or archived_at is not null)")
    scope.put(tx, [issue for issue in left if issue["archived_at"] is None], to)
    payload = ops.told(row) | {"state": "done", "unfinished": [issue["id"] for issue in left], **said}
    sides = {"state": ("active", "done")}
    tx.emit(SprintCompleted(subject=f"sprint:{row['id']}", payload=payload, changes=sides))


def next_planned(tx: Read, row: SprintRow) -> SprintRow | None:
    """The planned sprint of the same team or projects that comes first and takes issues of all its projects."""
    own = set(access.projects_of(tx, row["id"]))
    found = sorted(
        access.rivals(tx, row, "planned"), key=lambda one: (one["start_date"] or "9999", one["id"])
    )
    for one in found:
        held = set(access.projects_of(tx, one["id"]))
        if not held or (own and own <= held):
            return one
    return None


def _target(tx: Read, row: SprintRow, args: SprintsComplete) -> SprintRow | None:
    """Where unfinished issues go; None: to the backlog. Raises Conflict or InvalidInput."""
    if args.unfinished == "backlog":
        return None
    if args.unfinished == "next":
        found = next_planned(tx, row)
        if found is None:
            raise Conflict(
                "There is no planned sprint that takes its issues: make one with sprints.create, or say `backlog`."
            )
        return found
    assert args.sprint is not None
    target = access.get(tx, args.sprint, field="sprint")
    if target["id"] == row["id"]:
        raise InvalidInput("They cannot stay in the sprint that is completed: name another.", field="sprint")
    access.require_keeper(tx, target)
    for project in dict.fromkeys(issue["project"] for issue in ops.issues_in(tx, row["id"])):
        scope.require_takes(tx, target, project, "sprint")
    return target


def _require_fits(tx: Read, row: SprintRow, target: SprintRow | None) -> None:
    """Raises Conflict where what is unfinished has no room there."""
    if target is not None:
        scope.require_fits(tx, target, sum(one["category"] != "done" for one in ops.issues_in(tx, row["id"])))
