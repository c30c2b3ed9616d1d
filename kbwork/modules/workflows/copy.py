"""Make a workflow like another one."""

from kbwork.base.model import Id, Input, Name
from kbwork.base.text import folded
from kbwork.core.operations.declare import write
from kbwork.db.tx import Write
from kbwork.modules.workflows.model import Workflow, WorkflowSaved
from kbwork.modules.workflows.save import insert_workflow, require_name_free, workflow_row


class WorkflowsCopy(Input):
    id: Id
    """Id of the workflow or draft."""
    name: Name
    """Of the copy."""


@write(
    "workflows.copy",
    scope="admin",
    words="duplicate a workflow",
    emits=[WorkflowSaved],
    example={"id": 1, "name": "Another"},
)
def copy(tx: Write, args: WorkflowsCopy) -> Workflow:
    """Make a workflow like another one, or like a draft. Nothing moves along it until workflows.assign says so."""
    source = workflow_row(tx, args.id)
    require_name_free(tx, args.name, None)
    same = {name: source[name] for name in ("start", "lanes", "transitions", "names")}
    named = {"name": args.name, "name_key": folded(args.name)}
    return insert_workflow(tx, same | named | {"draft": 0, "draft_of": None})
