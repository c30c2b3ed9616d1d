"""Moving what stands in lanes that its workflow has no more: little at once, much by a job, step by step."""

from typing import Any

from kbwork.core.access import impersonate
from kbwork.core.jobs.kinds import JobKind, Next, RunningJob, enqueue
from kbwork.core.operations.dispatch import run_as_operation
from kbwork.core.things import undo
from kbwork.db.rows import LaneRow
from kbwork.db.tx import Write
from kbwork.modules.workflows import graphs, lanes
from kbwork.modules.workflows.assignment import places
from kbwork.modules.workflows.assignment.places import LaneMovePlan
from kbwork.modules.workflows.ports import LaneOccupants, Place

AT_ONCE = 200


def run(tx: Write, plan: LaneMovePlan) -> None:
    """Move what is planned: up to 200 issues in this transaction, more by a job in steps of 200.

    Taking the operation back takes back the steps that the job has made, and it stops.
    """
    if not plan.steps:
        return
    left = [[lane["id"], target["id"], where] for lane, target, _, where in plan.steps]
    if plan.issues <= AT_ONCE:
        _move(tx, left)
        return
    args = {
        "who": impersonate.caller_args(tx.caller),
        "op": tx.op,
        "undo": undo.token_of(tx),
        "left": left,
        "issues": plan.issues,
        "moved": 0,
    }
    enqueue(tx, MOVE.kind, args, message=f"Moving {plan.issues} issues")


def _step(tx: Write, job: RunningJob) -> Next:
    """The next 200, as they stand now: the workflow may have changed again since."""
    args = job.args
    with impersonate.on_behalf_of(tx, args["who"]):
        moved = run_as_operation(
            tx, tx.registry.require(args["op"]), lambda inner: _move(inner, args["left"]), args["undo"]
        )
    done = args["moved"] + moved
    message = f"Moved {done} of {args['issues']} issues"
    if moved < AT_ONCE:
        return Next(result={"moved": done}, message=message)
    return Next(args=args | {"moved": done}, progress=min(1.0, done / args["issues"]), message=message)


def _move(tx: Write, left: list[list[Any]]) -> int:
    room = AT_ONCE
    for lane, target, where in left:
        row = tx.stored("lane", [lane])
        if row is not None:  # else it went, with what stood in it
            for project, type_ in where:
                room -= _follow(tx, row, target, (project, type_), room)
    return AT_ONCE - room


def _follow(tx: Write, lane: LaneRow, wanted: int, place: Place, room: int) -> int:
    """Move what stands in a lane of this place, unless its workflow has that lane (again)."""
    if room == 0 or tx.stored("issue_type", [place[1]]) is None:
        return 0
    graph = graphs.of_issue_type(tx, *place)
    if graph.has(lane["id"]):
        return 0
    target = lanes.one(tx, wanted) if graph.has(wanted) else places.nearest(graph, lane)
    return sum(traveller.move(tx, lane, target, place, room) for traveller in tx.registry.of(LaneOccupants))


MOVE = JobKind(kind="workflows.move", home=__name__, step=_step)
