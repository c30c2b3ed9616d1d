"""Workflows as subjects, and what must hold when undo sets back what says along which one issues move."""

from typing import Any

from kbwork.base.errors import Conflict
from kbwork.base.text import whole_number
from kbwork.core.things.synced import SyncedKind
from kbwork.core.things.thing import Revertible, Subject, Thing
from kbwork.db.rows import WorkflowRow
from kbwork.db.tx import Read
from kbwork.modules.projects import access
from kbwork.modules.workflows import graphs, lanes, shapes
from kbwork.modules.workflows.assignment import places

_USED = (
    "exists (select 1 from workflow w join project p join project_type pt on pt.project = p.id"
    f" join issue_type t on t.id = pt.type where w.id = cast(:ref as integer) and {access.SEEN}"
    " and coalesce(pt.workflow, t.workflow, p.workflow) = w.id)"
)


def _find(tx: Read, ref: str) -> Subject | None:
    row = tx.stored("workflow", [whole_number(ref)])
    if row is None or not shapes.sees(tx, row):
        return None
    state = "draft" if row["draft"] else None
    return Subject(f"workflow:{row['id']}", "workflow", row["name"], f"/workflows/{row['id']}", state)


def _check(tx: Read, place: list[Any]) -> None:
    """Everything that moves along it stands in one of its lanes."""
    row = tx.stored("workflow", place)
    if row is not None and not row["draft"]:
        _require_standing(tx, places.of(tx, row["id"]))


def _check_place(tx: Read, place: list[Any]) -> None:
    if tx.stored("project_type", place) is not None:
        _require_standing(tx, [(place[0], place[1])])


def _check_project(tx: Read, place: list[Any]) -> None:
    rows = tx.all("select project, type from project_type where project = :project", project=place[0])
    _require_standing(tx, [(row["project"], row["type"]) for row in rows])


def _check_type(tx: Read, place: list[Any]) -> None:
    rows = tx.all("select project, type from project_type where type = :type", type=place[0])
    _require_standing(tx, [(row["project"], row["type"]) for row in rows])


def _require_standing(tx: Read, where: list[tuple[int, int]]) -> None:
    for project, type_ in where:
        graph = graphs.of_issue_type(tx, project, type_)
        for lane in places.held(tx, graph, [(project, type_)]):
            name = lanes.one(tx, lane)["name"]
            raise Conflict(
                f"Issues stand in {name}, a lane that {graph.name} would not have: move them first."
            )


WORKFLOW = Thing(
    name="workflow",
    scope="projects:read",
    home=__name__,
    seen="exists (select 1 from workflow w where w.id = cast(:ref as integer)"
    f" and (case when w.draft then :kb_admin else not :kb_guest or {_USED} end))",
    find=_find,
    undo=Revertible(
        checks={
            "workflow": _check,
            "project": _check_project,
            "project_type": _check_place,
            "issue_type": _check_type,
        },
    ),
)


def _all(tx: Read) -> list[dict[str, Any]]:
    """With the keys of their lanes: what these are stands beside."""
    rows = tx.all("select * from workflow order by id", WorkflowRow)
    return [{**flow, "lanes": [lane["key"] for lane in flow["lanes"]]} for flow in shapes.several(tx, rows)]


WORKFLOWS = SyncedKind(
    home=__name__,
    kind="workflow",
    scope="projects:read",
    columns=("id", "name", "start", "lanes", "transitions", "used_by", "draft"),
    rows=_all,
)
