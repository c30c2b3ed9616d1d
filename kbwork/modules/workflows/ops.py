"""Look at workflows."""

from kbwork.base.model import Id, Input, Text
from kbwork.core.operations.declare import read
from kbwork.db.rows import WorkflowRow
from kbwork.db.tx import Read
from kbwork.modules.projects import access
from kbwork.modules.workflows import shapes
from kbwork.modules.workflows.model import Workflow


class WorkflowsGet(Input):
    id: Id
    """Id of the workflow or draft."""


@read(
    "workflows.get",
    scope="projects:read",
    words="show the workflow, steps of the process, rules of moves, process of a project",
    example={"id": 1},
)
def get(tx: Read, args: WorkflowsGet) -> Workflow:
    """Look at a workflow: its lanes, the transitions between them and who uses it. Drafts are for admins."""
    return shapes.one(tx, shapes.row(tx, args.id))


class WorkflowsList(Input):
    project: Text | None = None
    """Those that issues of this project move along."""


@read("workflows.list", scope="projects:read", words="which workflows exist, processes", example={})
def list_(tx: Read, args: WorkflowsList) -> list[Workflow]:
    """List the workflows, those of one project where it is named. Guests see those that their projects use.

    Admins see drafts too, each behind the workflow that it is to become.
    """
    rows = tx.all("select * from workflow order by name_key, id", WorkflowRow)
    if args.project:
        project = access.project(tx, args.project)["id"]
        used = set(tx.column(_USED, project=project))
        rows = [row for row in rows if row["id"] in used]
    return shapes.several(tx, rows)


_USED = (
    "select coalesce(pt.workflow, t.workflow, p.workflow) from project p join project_type pt on pt.project = p.id"
    " join issue_type t on t.id = pt.type where p.id = :project"
)
