"""Where workflows are in force, and what becomes of what stands in lanes that a workflow has not, or no more."""

from collections.abc import Mapping, Sequence

from kbwork.base.dataclasses import dataclass, field
from kbwork.base.errors import Conflict, InvalidInput
from kbwork.db.rows import LaneRow
from kbwork.db.tx import Read, Write
from kbwork.modules.workflows import lanes
from kbwork.modules.workflows.graphs import WorkflowGraph
from kbwork.modules.workflows.model import Moved
from kbwork.modules.workflows.ports import Place
from kbwork.modules.workflows.transitions import definitions

_OF = (
    "select pt.project, pt.type from project p join project_type pt on pt.project = p.id"
    " join issue_type t on t.id = pt.type where coalesce(pt.workflow, t.workflow, p.workflow) = :id"
)
_HELD = "select i.lane, count(*) as issues from issue i where i.project = :project and i.type = :type group by i.lane"


def of(tx: Read, workflow: int) -> list[Place]:
    """The projects and types that move along it, whoever sees them, in the trash too."""
    return [(row["project"], row["type"]) for row in tx.all(_OF, id=workflow)]


@dataclass(slots=True)
class LaneMovePlan:
    """Which lanes are left, and for which: (lane, its successor, how many issues, where they stand)."""

    steps: list[tuple[LaneRow, LaneRow, int, list[Place]]] = field(default_factory=list)

    @property
    def moved(self) -> dict[str, Moved]:
        return {lane["key"]: Moved(to=target["key"], issues=issues) for lane, target, issues, _ in self.steps}

    @property
    def issues(self) -> int:
        """How many have to move."""
        return sum(issues for _, _, issues, _ in self.steps)


def plan(
    tx: Read, graph: WorkflowGraph, places: Sequence[Place], statuses: Mapping[str, str] | None
) -> LaneMovePlan:
    """What has to move so that everything in these places stands in a lane of the graph.

    `statuses` maps lanes that the graph lacks to ones that it has. Raises Conflict naming the lanes that hold issues
    and are mapped to none, and InvalidInput for what `statuses` cannot mean.
    """
    mapped = _mapped(tx, graph, statuses or {})
    standing = held(tx, graph, places)
    missing = [lane for lane in standing if lane not in mapped]
    if missing:
        rows = [lanes.one(tx, lane) for lane in missing]
        named = ", ".join(f"{row['name']} ({standing[row['id']][0]})" for row in rows)
        raise Conflict(
            f"Issues stand in lanes that {graph.name} has not: {named}. Say in `statuses` where each goes.",
            statuses=[row["key"] for row in rows],
            lanes=[row["key"] for row in graph.lanes],
        )
    return LaneMovePlan([(lanes.one(tx, lane), mapped[lane], *standing[lane]) for lane in standing])


def nearest_plan(tx: Read, graph: WorkflowGraph, places: Sequence[Place]) -> LaneMovePlan:
    """As `plan`, each lane followed by the graph's first one of its category, else by the start."""
    steps = []
    for lane, (issues, where) in held(tx, graph, places).items():
        row = lanes.one(tx, lane)
        steps.append((row, nearest(graph, row), issues, where))
    return LaneMovePlan(steps)


def nearest(graph: WorkflowGraph, lane: LaneRow) -> LaneRow:
    """The lane of a graph that stands for one which it may not have."""
    if graph.has(lane["id"]):
        return lane
    return next((one for one in graph.lanes if one["category"] == lane["category"]), graph.start)


def _mapped(tx: Read, graph: WorkflowGraph, statuses: Mapping[str, str]) -> dict[int, LaneRow]:
    found: dict[int, LaneRow] = {}
    for old, new in statuses.items():
        lane = lanes.by_name(tx, old, field="statuses")
        if graph.has(lane["id"]):
            raise InvalidInput(
                f"{graph.name} has the lane {lane['name']}: what stands in it stays.",
                field=f"statuses.{old[:100]}",
            )
        found[lane["id"]] = definitions.lane_of(graph.lanes, new, f"statuses.{old[:100]}")
    return found


def held(tx: Read, graph: WorkflowGraph, places: Sequence[Place]) -> dict[int, tuple[int, list[Place]]]:
    """Lanes that the graph has not, by id: how many issues stand in them in these places, and in which."""
    found: dict[int, tuple[int, list[Place]]] = {}
    for project, type_ in places:
        for row in tx.all(_HELD, project=project, type=type_):
            if not graph.has(row["lane"]):
                issues, where = found.get(row["lane"], (0, []))
                found[row["lane"]] = (issues + row["issues"], [*where, (project, type_)])
    order = [lane["id"] for lane in lanes.rows(tx)]
    return {lane: found[lane] for lane in order if lane in found}


def uses(tx: Read, workflow: int) -> int:
    """How many projects and types name it."""
    return int(
        tx.value(
            "select (select count(*) from project where workflow = :id)"
            " + (select count(*) from project_type where workflow = :id)"
            " + (select count(*) from issue_type where workflow = :id)",
            id=workflow,
        )
    )


def take(tx: Write, workflow: int, other: int) -> None:
    """Whatever names a workflow names the other one from now on."""
    for table in ("project", "issue_type"):
        for ident in tx.column(f"select id from {table} where workflow = :id", id=workflow):
            tx.update(table, ident, workflow=other)
    for row in tx.all("select project, type from project_type where workflow = :id", id=workflow):
        tx.update("project_type", (row["project"], row["type"]), workflow=other)
    tx.memo.clear()
