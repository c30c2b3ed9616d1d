"""Say along which workflow the issues of a project move."""

from typing import Annotated, Any

from pydantic import Field

from kbwork.base.errors import Conflict
from kbwork.base.model import Id, Input, Text
from kbwork.core.operations.declare import write
from kbwork.core.references import ProjectRef
from kbwork.db.rows import IssueTypeRow, ProjectRow, WorkflowRow
from kbwork.db.tx import DryRun, Read, Write
from kbwork.modules import types
from kbwork.modules.projects import access
from kbwork.modules.workflows import graphs, ports, shapes
from kbwork.modules.workflows.assignment import lane_moves, places
from kbwork.modules.workflows.assignment.places import LaneMovePlan
from kbwork.modules.workflows.model import Assigned, WorkflowAssigned


class WorkflowsAssign(Input):
    id: Id
    """Id of the workflow, from `workflows.list`."""
    project: ProjectRef
    types: Annotated[list[Text], Field(max_length=100)] | None = None
    """Of the project, by key or name; none: all of them, and those that it will have."""
    statuses: Annotated[dict[str, Text], Field(max_length=200)] | None = None
    """Lane that the workflow lacks -> lane of it that takes its issues."""
    dry_run: bool | None = None
    """Say what would move and change nothing."""


@write(
    "workflows.assign",
    scope="admin",
    words="use another workflow, give a project a workflow, switch the workflow of a project",
    emits=[WorkflowAssigned],
    example={"id": 1, "project": "WEB", "types": ["bug"], "dry_run": True},
)
def assign(tx: Write, args: WorkflowsAssign) -> Assigned:
    """Let the issues of a project, or of some of its types, move along a workflow from now on.

    Lanes that it lacks and that hold issues need an entry in `statuses` (409 naming them); the issues move with
    history. `moved` says for each such lane where they go and how many they are; `warnings` what else is to be known.
    More than 200 issues move by a job, in steps of 200; until then each stands in its old lane, from which only
    transitions from any lane lead on. A draft cannot be assigned (409). With `dry_run` nothing happens.
    """
    workflow = shapes.row(tx, args.id)
    if workflow["draft"]:
        raise Conflict(f"{workflow['name']} is a draft: save it with `draft` false first.")
    project = access.project(tx, args.project)
    access.require_open(project)
    had = types.of_project(tx, project["id"])
    named = [types.by_name(had, name, field=f"types[{n}]") for n, name in enumerate(args.types or [])]
    wanted = list({row["id"]: row for row in named}.values()) or had
    before = {row["key"]: _name(tx, project["id"], row["id"]) for row in wanted}
    changed = [row for row in wanted if _graph(tx, project["id"], row["id"]) != workflow["id"]]
    graph = graphs.graph(tx, workflow["id"])
    plan = places.plan(tx, graph, [(project["id"], row["id"]) for row in changed], args.statuses)
    answer = Assigned(moved=plan.moved, warnings=_warnings(tx, workflow, wanted, changed, plan))
    if args.dry_run:
        raise DryRun(answer)
    _write(tx, project, workflow["id"], wanted if named else None)
    after = {row["key"]: _name(tx, project["id"], row["id"]) for row in wanted}
    if before != after or changed:
        payload: dict[str, Any] = {"id": workflow["id"], "name": workflow["name"], "project": project["key"]}
        payload["types"] = [row["key"] for row in wanted]
        tx.emit(
            WorkflowAssigned(
                subject=f"project:{project['key']}", payload=payload, changes={"workflow": (before, after)}
            )
        )
    ports.rerouted(tx)
    lane_moves.run(tx, plan)
    return answer


def _graph(tx: Read, project: int, type_: int) -> int:
    return graphs.of_issue_type(tx, project, type_).id


def _name(tx: Read, project: int, type_: int) -> str:
    return graphs.of_issue_type(tx, project, type_).name


def _write(tx: Write, project: ProjectRow, workflow: int, some: list[IssueTypeRow] | None) -> None:
    """For some types by themselves; for all, the project says it and types that say otherwise are told."""
    rows = types.of_project(tx, project["id"]) if some is None else some
    if some is None:
        tx.update("project", project["id"], workflow=workflow)
    for row in rows:
        own = workflow if some is not None or row["workflow"] is not None else None
        tx.update("project_type", (project["id"], row["id"]), workflow=own)
    tx.memo.clear()


def _warnings(
    tx: Read,
    workflow: WorkflowRow,
    wanted: list[IssueTypeRow],
    changed: list[IssueTypeRow],
    plan: LaneMovePlan,
) -> list[str]:
    found = [f"{row['name']} moves along {workflow['name']} already." for row in wanted if row not in changed]
    for lane, target, issues, _ in plan.steps:
        if lane["category"] != target["category"]:
            found.append(
                f"{issues} issues in {lane['name']} ({lane['category']}) come to stand in {target['name']}"
                f" ({target['category']})."
            )
        if target["wip"] is not None:
            found.append(f"{target['name']} should hold at most {target['wip']} issues.")
    return found
