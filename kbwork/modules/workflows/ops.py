"""Look at workflows."""

from kbwork.base.errors import NotFound
from kbwork.base.model import Id, Input, Text
from kbwork.core import visibility
from kbwork.core.operation import read
from kbwork.db.tx import Read, Row, marks
from kbwork.modules.projects import access
from kbwork.modules.workflows import lanes, queries
from kbwork.modules.workflows.model import Lane, UsedBy, Workflow


class WorkflowsGet(Input):
    id: Id


@read("workflows.get", scope="projects:read", example={"id": 1})
def get(tx: Read, args: WorkflowsGet) -> Workflow:
    """Look at a workflow: its lanes, the transitions between them and who uses it."""
    row = tx.one("select * from workflow where id = :id", id=args.id)
    if row is None or not _seen(tx, row):
        raise NotFound(f"There is no workflow {args.id} that you can see; workflows.list shows them.")
    return _shown(tx, row, lane_shapes(tx))


class WorkflowsList(Input):
    project: Text | None = None
    """Those that issues of this project move along."""


@read("workflows.list", scope="projects:read", example={})
def list_(tx: Read, args: WorkflowsList) -> list[Workflow]:
    """List the workflows, those of one project where it is named. Guests see those that their projects use."""
    rows = tx.all("select * from workflow order by lower(name), id")
    if args.project:
        project = access.project(tx, args.project)["id"]
        used = set(tx.column(_USED, project=project))
        rows = [row for row in rows if row["id"] in used]
    shapes = lane_shapes(tx)
    return [_shown(tx, row, shapes) for row in rows if _seen(tx, row)]


_USED = (
    "select coalesce(pt.workflow, t.workflow, p.workflow) from project p join project_type pt on pt.project = p.id"
    " join issue_type t on t.id = pt.type where p.id = :project"
)
_COUNTS = access.counted("i.lane", "project_count")


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
        projects=marks(access.roles(tx)),
    )
    found: dict[str, list[str]] = {}
    for row in rows:
        found.setdefault(row["key"], []).append(row["type"])
    return [UsedBy(project=key, types=types) for key, types in found.items()]


def _seen(tx: Read, row: Row) -> bool:
    return not tx.caller.guest or bool(used_by(tx, row["id"]))


def _shown(tx: Read, row: Row, shapes: dict[int, Lane]) -> Workflow:
    graph = queries.graph(tx, row["id"])
    return Workflow(
        id=row["id"],
        name=row["name"],
        start=graph.start["key"],
        lanes=[shapes[lane["id"]] for lane in graph.lanes],
        transitions=list(graph.transitions),
        used_by=used_by(tx, row["id"]),
        draft=False,
        updated_at=row["updated_at"],
    )
