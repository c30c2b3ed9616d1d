"""Take workflows and drafts away."""

from kbwork.base.errors import Conflict, InUse, InvalidInput, NotFound
from kbwork.base.model import Id, Input
from kbwork.core.operations.declare import destructive
from kbwork.db.rows import WorkflowRow
from kbwork.db.tx import Read, Write
from kbwork.modules.workflows import graphs, ports, shapes
from kbwork.modules.workflows.assignment import lane_moves, places
from kbwork.modules.workflows.model import Workflow, WorkflowDeleted


class WorkflowsDelete(Input):
    id: Id
    """Id of the workflow or draft."""
    move_to: Id | None = None
    """The workflow along which its issues move from then on."""


@destructive(
    "workflows.delete",
    scope="admin",
    words="remove a workflow",
    emits=[WorkflowDeleted],
    example={"id": 2, "move_to": 1},
)
def delete(tx: Write, args: WorkflowsDelete) -> list[Workflow]:
    """Take a workflow away, with its draft; or a draft alone. Answers those that are left.

    The one that a new org has stays (409). One that projects or types use needs `move_to` (409 `in-use` with `uses`):
    issues in lanes that the other workflow lacks go to its first lane of the same category, else to its start, with
    history; more than 200 by a job, in steps of 200.
    """
    row = shapes.row(tx, args.id)
    if row["builtin"]:
        raise Conflict(f"{row['name']} stays: new projects begin with it.")
    other = _other(tx, row, args.move_to) if args.move_to is not None else None
    uses = places.uses(tx, row["id"])
    if uses and other is None:
        raise InUse(
            f"{uses} projects and types use {row['name']}: name another workflow in move_to.", uses=uses
        )
    used = places.of(tx, row["id"])
    if other is not None:
        places.take(tx, row["id"], other["id"])
    for draft in tx.column("select id from workflow where draft_of = :id", id=row["id"]):
        tx.delete("workflow", draft)
    tx.delete("workflow", row["id"])
    tx.memo.clear()
    payload = {"id": row["id"], "name": row["name"]}
    if other is not None:
        payload |= {"move_to": other["id"]}
    tx.emit(WorkflowDeleted(subject="org:1", payload=payload, heard_by="admin" if row["draft"] else None))
    if other is not None:
        ports.rerouted(tx)
        lane_moves.run(tx, places.nearest_plan(tx, graphs.graph(tx, other["id"]), used))
    return shapes.several(tx, tx.all("select * from workflow order by name_key, id", WorkflowRow))


def _other(tx: Read, row: WorkflowRow, wanted: int) -> WorkflowRow:
    try:
        other = shapes.row(tx, wanted)
    except NotFound as problem:
        raise InvalidInput(problem.detail, field="move_to") from None
    if other["id"] == row["id"]:
        raise InvalidInput("A workflow cannot stand for itself.", field="move_to")
    if other["draft"]:
        raise InvalidInput(f"{other['name']} is a draft: it is not in force.", field="move_to")
    return other
