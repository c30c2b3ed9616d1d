"""Workflows and lanes as the caller sees them."""

from kbwork.base.errors import NotFound
from kbwork.core.access import visibility
from kbwork.db.rows import WorkflowRow
from kbwork.db.tx import Read, json_array
from kbwork.modules import fields
from kbwork.modules.projects import access, issue_access
from kbwork.modules.workflows import graphs, lanes
from kbwork.modules.workflows.model import Lane, UsedBy, Workflow
from kbwork.modules.workflows.transitions import definitions

_COUNTS = issue_access.counted("i.lane", "project_count")


def lane_shapes(tx: Read) -> dict[int, Lane]:
    """Every lane in its shape, in the org's order, with how many issues the caller sees in it."""
    counts = {row["what"]: row["issues"] for row in tx.all(_COUNTS, **visibility.binds(tx))}
    return {
        row["id"]: Lane(
            key=row["key"],
            name=row["name"],
            category=row["category"],
            color=row["color"],
            outcome=row["outcome"],
            wip=row["wip"],
            stops_sla=bool(row["stops_sla"]),
            position=row["position"],
            issues=counts.get(row["id"], 0),
            description=row["description"],
        )
        for row in lanes.rows(tx)
    }


def used_by(tx: Read, workflow: int) -> list[UsedBy]:
    """The projects that the caller sees and whose types move along it."""
    rows = tx.all(
        "select p.key, t.key as type from project p join project_type pt on pt.project = p.id"
        " join issue_type t on t.id = pt.type where coalesce(pt.workflow, t.workflow, p.workflow) = :id"
        " and p.id in (select value from json_each(:projects)) and p.deleted_at is null order by p.key, pt.position",
        id=workflow,
        projects=json_array(access.roles(tx)),
    )
    found: dict[str, list[str]] = {}
    for row in rows:
        found.setdefault(row["key"], []).append(row["type"])
    return [UsedBy(project=key, types=types) for key, types in found.items()]


def row(tx: Read, workflow: int) -> WorkflowRow:
    """A workflow that the caller sees. Raises NotFound."""
    found = tx.one("select * from workflow where id = :id", WorkflowRow, id=workflow)
    if found is None or not sees(tx, found):
        raise NotFound(f"There is no workflow {workflow} that you can see; workflows.list shows them.")
    return found


def one(tx: Read, stored: WorkflowRow) -> Workflow:
    """A stored workflow in its shape."""
    return _shown(tx, stored, lane_shapes(tx))


def several(tx: Read, rows: list[WorkflowRow]) -> list[Workflow]:
    """Those of the stored ones that the caller sees."""
    shapes = lane_shapes(tx)
    return [_shown(tx, stored, shapes) for stored in rows if sees(tx, stored)]


def sees(tx: Read, stored: WorkflowRow) -> bool:
    if stored["draft"]:
        return tx.caller.admin
    return not tx.caller.guest or bool(used_by(tx, stored["id"]))


def _shown(tx: Read, stored: WorkflowRow, shapes: dict[int, Lane]) -> Workflow:
    graph = graphs.graph(tx, stored["id"])
    known, present = fields.catalogue(tx), fields.conditions.presented(tx, stored["names"])
    return Workflow(
        id=stored["id"],
        name=stored["name"],
        start=graph.start["key"],
        lanes=[shapes[lane["id"]] for lane in graph.lanes],
        transitions=[definitions.shown(transition, known, present) for transition in graph.transitions],
        used_by=used_by(tx, stored["id"]),
        draft=bool(stored["draft"]),
        updated_at=stored["updated_at"],
    )
