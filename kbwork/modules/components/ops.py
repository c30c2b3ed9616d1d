"""Look at the components of a project, make and change one, take one away."""

from typing import Any, Literal

from kbwork.base.errors import Conflict, InUse, InvalidInput
from kbwork.base.model import Id, Input, Name, Text
from kbwork.base.text import folded
from kbwork.core import named
from kbwork.core.operations.declare import destructive, read, write
from kbwork.core.references import ProjectRef
from kbwork.db.rows import ProjectRow
from kbwork.db.tx import Read, Row, Write
from kbwork.modules import members
from kbwork.modules.components import queries
from kbwork.modules.components.model import Assign, Component, ComponentDeleted, ComponentSaved
from kbwork.modules.projects import access

MOST = 500


class ComponentsList(Input):
    project: ProjectRef


@read(
    "components.list",
    scope="projects:read",
    words=(
        "which components exist, parts of the product, areas, modules of a project, "
        "who is responsible for a component, component owner"
    ),
    example={"project": "WEB"},
)
def list_(tx: Read, args: ComponentsList) -> list[Component]:
    """List the components of a project by name, the archived ones last."""
    return queries.shown(tx, access.project(tx, args.project))


class ComponentsSave(Input):
    id: Id | None = None
    """The component to change; left out: make one."""
    project: Text
    """A component stays in the project that it was made for."""
    name: Name
    """What it is called, unique in the project without case."""
    description: Text | None = None
    """What belongs to it."""
    lead: Text | Literal[""] | None = None
    """A member; an empty text takes the lead off."""
    assign: Assign | None = None
    """Who gets a new issue that nobody was named for: its `lead`, as the `project` says, or `nobody`."""
    archived: bool | None = None
    """An archived one stays on its issues and goes on no other."""


@write(
    "components.save",
    scope="projects:write",
    words=("new component, add an area, component lead, rename a component, default assignee of a component"),
    emits=[ComponentSaved],
    example={"project": "WEB", "name": "Checkout", "assign": "lead"},
)
def save(tx: Write, args: ComponentsSave) -> Component:
    """Make a component, or change one: fields that are not named stay.

    Leads of the project and admins do. A name is unique in its project without case (409); its lead is an active
    member who sees the project (422). A new one with a lead gives new issues to them unless `assign` says otherwise.
    """
    project = _kept(tx, args.project)
    row = None
    if args.id is not None:
        row = named.seen(queries.row(tx, args.id), "component", args.id, "components.list")
        if row["project"] != project["id"]:
            raise InvalidInput("A component stays in its project.", field="project")
    columns = _columns(tx, args, project, row)
    if taken := named.taken(tx, "component", args.name, args.id, "project = :id", id=project["id"]):
        raise Conflict(f"{project['key']} has a component {taken['name']!r}; names are unique without case.")
    if row is None:
        ident = _make(tx, project, columns)
    else:
        ident = row["id"]
        _change(tx, project, row, columns)
    return _one(tx, project, ident)


class ComponentsDelete(Input):
    id: Id
    """Id of the component, from `components.list`."""
    move_to: Id | None = None
    """The component of the same project that its issues get."""


@destructive(
    "components.delete",
    scope="projects:write",
    words="remove a component, drop an area",
    emits=[ComponentDeleted],
    example={"id": 1, "move_to": 2},
)
def delete(tx: Write, args: ComponentsDelete) -> list[Component]:
    """Take a component away; answers those that the project has left.

    One that issues have needs `move_to` (409 `in-use` with `uses`).
    """
    row = named.seen(queries.row(tx, args.id), "component", args.id, "components.list")
    project = _kept(tx, row["project_key"])
    issues = tx.column("select issue from issue_component where component = :id order by issue", id=row["id"])
    target = _target(tx, row, args.move_to)
    if issues and target is None:
        raise InUse(
            f"{len(issues)} issues have the component {row['name']}: name another in move_to.",
            uses=len(issues),
        )
    for issue in issues:
        tx.delete("issue_component", (issue, row["id"]))
        if target is not None and tx.stored("issue_component", [issue, target["id"]]) is None:
            tx.insert("issue_component", issue=issue, component=target["id"])
    tx.delete("component", row["id"])
    payload = _about(project, row) | {"issues": len(issues), "into": target["id"] if target else None}
    tx.emit(ComponentDeleted(subject=f"project:{project['key']}", payload=payload))
    return queries.shown(tx, project)


def _kept(tx: Read, key: str) -> ProjectRow:
    """The project, whose components the caller keeps. Raises NotFound, NotAllowed or Conflict."""
    project = access.project(tx, key)
    access.require_lead(tx, project)
    access.require_open(project)
    return project


def _columns(tx: Read, args: ComponentsSave, project: ProjectRow, row: Row | None) -> dict[str, Any]:
    had = row or {"description": "", "lead": None, "assign": None, "archived": 0}
    lead = had["lead"] if args.lead is None else _lead(tx, project, args.lead) if args.lead else None
    return {
        "name": args.name,
        "name_key": folded(args.name),
        "description": had["description"] if args.description is None else args.description,
        "lead": lead,
        "assign": args.assign or had["assign"] or ("lead" if lead else "project"),
        "archived": had["archived"] if args.archived is None else int(args.archived),
    }


def _lead(tx: Read, project: ProjectRow, ref: str) -> str:
    row = members.by_ref(tx, ref, field="lead")
    if row["state"] != "active":
        raise InvalidInput(f"{row['name']} is no active member.", field="lead")
    if access.role_of(tx, project["id"], row["id"]) is None:
        raise InvalidInput(
            f"{row['name']} does not see {project['key']}: add them to it first.", field="lead"
        )
    return str(row["id"])


def _make(tx: Write, project: ProjectRow, columns: dict[str, Any]) -> int:
    if tx.value("select count(*) from component where project = :id", id=project["id"]) >= MOST:
        raise Conflict(f"A project has {MOST} components at most.")
    ident = tx.insert("component", project=project["id"], **columns)
    payload = _about(project, columns | {"id": ident})
    tx.emit(ComponentSaved(subject=f"project:{project['key']}", payload=payload))
    return ident


def _change(tx: Write, project: ProjectRow, row: Row, columns: dict[str, Any]) -> None:
    if changes := named.changes(row, columns, archived=bool):
        tx.update("component", row["id"], **columns)
        payload = _about(project, row | columns)
        tx.emit(ComponentSaved(subject=f"project:{project['key']}", payload=payload, changes=changes))


def _target(tx: Read, row: Row, move_to: int | None) -> Row | None:
    if move_to is None:
        return None
    target = queries.row(tx, move_to)
    if target is None or target["project"] != row["project"] or target["id"] == row["id"]:
        raise InvalidInput("Name another component of the same project.", field="move_to")
    return target


def _one(tx: Read, project: ProjectRow, ident: int) -> Component:
    return next(found for found in queries.shown(tx, project) if found["id"] == ident)


def _about(project: ProjectRow, row: Row) -> dict[str, Any]:
    return {"component": row["id"], "name": row["name"], "project": project["key"]}
