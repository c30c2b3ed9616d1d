"""Ask of a workflow whether an issue could go a way, rule by rule."""

from pydantic import Field

from kbwork.base.errors import InvalidInput, NotAllowed, NotFound
from kbwork.base.model import Id, Input, Text
from kbwork.core.access import visibility
from kbwork.core.operations.declare import read
from kbwork.db.rows import LaneRow
from kbwork.db.tx import Read
from kbwork.modules import members
from kbwork.modules.workflows import graphs, shapes
from kbwork.modules.workflows.graphs import TransitionStep, WorkflowGraph
from kbwork.modules.workflows.model import Judged, Simulated
from kbwork.modules.workflows.ports import LaneOccupants, WorkflowPosition
from kbwork.modules.workflows.transitions import definitions, evaluation


class WorkflowsSimulate(Input):
    id: Id
    """Id of the workflow or draft."""
    key: Text | None = None
    """An issue; left out: one that begins in the workflow's start, of which the graph alone is asked."""
    to_status: Text
    """Lane to go to, by key or name."""
    as_: Text | None = Field(None, alias="as")
    """A member; for admins."""


@read(
    "workflows.simulate",
    scope="projects:read",
    words="test a workflow, may this ticket go to done, why can it not move, try a workflow",
    example={"id": 1, "to_status": "done"},
)
def simulate(tx: Read, args: WorkflowsSimulate) -> Simulated:
    """Ask whether an issue could go to a lane along a workflow, be it a draft or one that it does not move along.

    Every rule is a step: that a transition leads there, who may go, each condition and check, what is asked for, open
    blockers, who has to agree. Where several transitions lead there the first that is open counts, else the first.
    Admins ask it for somebody else too; what those do not see they cannot move.
    """
    row = shapes.row(tx, args.id)
    graph = graphs.graph(tx, row["id"])
    eyes = _eyes(tx, args.as_) if args.as_ is not None else tx
    target = definitions.lane_of(graph.lanes, args.to_status, "to_status")
    standing = None
    if args.key is not None:
        _standing(tx, args.key)  # whoever asks sees the issue
        try:
            standing = _standing(eyes, args.key)
        except NotFound:
            return Simulated(allowed=False, steps=[_step("see", False, "they do not see the issue")])
    return _answer(graph, standing.lane if standing is not None else graph.start, target, standing)


def _eyes(tx: Read, ref: str) -> Read:
    if not tx.caller.admin:
        raise NotAllowed("Only admins ask what somebody else could do: leave `as` out.")
    row = members.by_ref(tx, ref, field="as")
    if row["state"] != "active":
        raise InvalidInput(f"{row['name']} is no active member.", field="as")
    return visibility.as_member(tx, row["id"])


def _standing(tx: Read, key: str) -> WorkflowPosition:
    (traveller,) = tx.registry.of(LaneOccupants)
    found: WorkflowPosition = traveller.standing(tx, key)
    return found


def _answer(
    graph: WorkflowGraph, lane: LaneRow, target: LaneRow, standing: WorkflowPosition | None
) -> Simulated:
    if lane["id"] == target["id"]:
        detail = f"it stands in {lane['name']} already, which is no change"
        return Simulated(allowed=True, steps=[_step("transition", True, detail)])
    ways = [step for step in graph.steps(lane["key"]) if step.to["id"] == target["id"]]
    if not ways:
        detail = f"no transition of {graph.name} leads from {lane['name']} to {target['name']}"
        return Simulated(allowed=False, steps=[_step("transition", False, detail)])
    answers = [_along(step, lane, standing) for step in ways]
    return next((answer for answer in answers if answer["allowed"]), answers[0])


def _along(step: TransitionStep, lane: LaneRow, standing: WorkflowPosition | None) -> Simulated:
    detail = f"{step.transition['name']} leads from {lane['name']} to {step.to['name']}"
    steps = [_step("transition", True, detail)]
    if standing is not None:
        steps += evaluation.judged(step, standing)
    return Simulated(allowed=all(one["passed"] for one in steps), steps=steps)


def _step(rule: str, passed: bool, detail: str) -> Judged:
    return Judged(rule=rule, passed=passed, detail=detail)
