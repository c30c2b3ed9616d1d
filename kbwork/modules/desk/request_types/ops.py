"""What may be asked for at a desk: list it, make and change a type, take one away."""

import json
from typing import Annotated, Any

from pydantic import Field

from kbwork.base.errors import Conflict, InUse, InvalidInput
from kbwork.base.model import Body, Id, Input, Name, Number, Text
from kbwork.base.text import folded
from kbwork.core import named
from kbwork.core.operations.declare import destructive, read, write
from kbwork.core.references import ProjectRef
from kbwork.db.rows import ProjectRow, RequestTypeRow
from kbwork.db.tx import Read, Row, Write
from kbwork.modules import types
from kbwork.modules.desk import access
from kbwork.modules.desk.model import RequestType, RequestTypeDeleted, RequestTypeSaved
from kbwork.modules.desk.request_types import definitions
from kbwork.modules.projects import access as projects

MOST = 200
MOST_QUESTIONS = 50


class DeskRequestTypes(Input):
    project: ProjectRef


@read(
    "desk.request_types",
    scope="issues:read",
    words="what can customers ask for, request forms, service catalogue, types of tickets of a desk",
    example={"project": "WEB"},
)
def request_types(tx: Read, args: DeskRequestTypes) -> list[RequestType]:
    """List what may be asked for at a desk, in order, with the forms; hidden ones too."""
    project, _ = access.desk(tx, args.project)
    return definitions.shown(tx, project)


class FormQuestion(Input):
    field: Text
    """Key or name of an own field, or `description`, `priority` or `due_date`."""
    label: Annotated[Text, Field(max_length=500)] | None = None
    """What the customer reads; the field's own name unless given."""
    help: Text | None = None
    """What to fill in; the field's own description unless given."""
    required: bool
    """Whether it must be answered where it is shown."""
    show_if: dict[str, Any] | None = None
    """Condition on what is answered before it: {`field`, `op`, `value`}, {`all`} or {`any`}; null: always shown."""


class DeskRequestTypeSave(Input):
    id: Id | None = None
    """The request type to change; left out: make one."""
    project: ProjectRef
    name: Name
    """What customers choose it by, unique at the desk without case."""
    description: Body | None = None
    """What it is for."""
    icon: Annotated[Text, Field(max_length=64)] | None = None
    """Name of its picture."""
    group: Annotated[Text, Field(max_length=200)] | None = None
    """Heading that it stands under; an empty text: none."""
    issue_type: Text
    """Key or name of the issue type that a request becomes: one of the project's."""
    fields: Annotated[list[FormQuestion], Field(max_length=MOST_QUESTIONS)]
    """The form, in order; empty: it asks for a description."""
    approvers: Annotated[list[Text], Field(max_length=definitions.MOST_APPROVERS)] | None = None
    """Who has to agree before it goes on: members, `team:<id>` and `customer:<id>`. They are asked together with those
    whom the first way from the start of the workflow names that asks anybody (422 where none does)."""
    template: Id | None = None
    """Id of an issue template that fills in what the form does not ask; null: none."""
    position: Number | None = None
    """Its place; a new one comes last."""
    hidden: bool | None = None
    """True hides it from customers."""


@write(
    "desk.request_type_save",
    scope="admin",
    words=(
        "new request form, add a request type, what customers can ask for, service catalogue item, "
        "portal form, dynamic form, ask customers for more"
    ),
    emits=[RequestTypeSaved],
    example={
        "project": "WEB",
        "name": "Something is broken",
        "issue_type": "bug",
        "fields": [{"field": "description", "label": "What happened?", "required": True}],
    },
)
def request_type_save(tx: Write, args: DeskRequestTypeSave) -> list[RequestType]:
    """Make a request type, or change one: what is optional and not named stays. For admins who lead the project.

    Questions stand for fields that issues of the type have in the project, but not for those that name people, teams or
    other things, nor computed ones (422); `show_if` asks for what stands before it on the form. What the layout of
    such issues asks for is asked behind the form. Answers the desk's request types.
    """
    project, _ = access.desk(tx, args.project)
    access.require_keeper(tx, project)
    row = _row(tx, args.id, project) if args.id is not None else None
    columns = _columns(tx, args, project, row)
    if taken := named.taken(tx, "request_type", args.name, args.id, "project = :home", home=project["id"]):
        raise Conflict(f"The desk has a type {taken['name']!r} already; names are unique without case.")
    if row is None:
        _make(tx, project, columns)
    elif named.diff(row, columns):
        tx.update("request_type", row["id"], updated_at=tx.now, **columns)
        changes = named.changes(row, columns, ("name", "hidden", "position"), hidden=bool)
        payload = _about(project, row["id"], args.name)
        tx.emit(RequestTypeSaved(subject=f"project:{project['key']}", payload=payload, changes=changes))
    return definitions.shown(tx, project)


class DeskRequestTypeDelete(Input):
    id: Id
    """Id of the request type."""
    move_to: Id | None = None
    """The type of the same desk that its requests get."""


@destructive(
    "desk.request_type_delete",
    scope="admin",
    words="remove a request form, drop a request type",
    emits=[RequestTypeDeleted],
    example={"id": 2},
)
def request_type_delete(tx: Write, args: DeskRequestTypeDelete) -> list[RequestType]:
    """Take a request type away; answers those that the desk has left.

    One that requests have needs `move_to` (409 `in-use` with `uses`).
    """
    row = tx.stored("request_type", [args.id])
    key = tx.value("select key from project where id = :id", id=row["project"]) if row is not None else ""
    project = projects.project(tx, named.known(row and key, "request type", args.id, "desk.request_types"))
    access.require_keeper(tx, project)
    row = _row(tx, args.id, project)
    used = tx.column("select issue from customer_request where type = :id order by issue", id=args.id)
    target = _target(tx, row, project, args.move_to)
    if used and target is None:
        raise InUse(
            f"{len(used)} requests are of the type {row['name']}: name another in move_to.", uses=len(used)
        )
    for issue in used:
        tx.update("customer_request", issue, type=target)
    tx.delete("request_type", row["id"])
    payload = _about(project, row["id"], row["name"])
    tx.emit(RequestTypeDeleted(subject=f"project:{project['key']}", payload=payload))
    return definitions.shown(tx, project)


def _row(tx: Read, ident: int, project: ProjectRow) -> RequestTypeRow:
    row = named.known(tx.stored("request_type", [ident]), "request type", ident, "desk.request_types")
    if row["project"] != project["id"]:
        raise InvalidInput("A request type stays at its desk.", field="project")
    return row


def _target(tx: Read, row: RequestTypeRow, project: ProjectRow, move_to: int | None) -> int | None:
    if move_to is None:
        return None
    if move_to == row["id"]:
        raise InvalidInput("Its requests go to another type.", field="move_to")
    found = tx.stored("request_type", [move_to])
    if found is None or found["project"] != project["id"]:
        raise InvalidInput(f"The desk has no request type {move_to}.", field="move_to")
    return found["id"]


def _columns(
    tx: Read, args: DeskRequestTypeSave, project: ProjectRow, row: RequestTypeRow | None
) -> dict[str, Any]:
    """What is named, checked, as it is kept."""
    kind = types.by_name(types.of_project(tx, project["id"]), args.issue_type, field="issue_type")
    questions = definitions.FormReader(tx, project["id"], kind["id"]).read(args.fields)
    columns: dict[str, Any] = {
        "name": args.name,
        "name_key": folded(args.name),
        "issue_type": kind["id"],
        "fields": json.dumps(questions, ensure_ascii=False),
    }
    columns |= args.filled("description", "icon", "position", hidden=int)
    if args.group is not None:
        columns["family"] = args.group.strip()
    if args.approvers is not None:
        columns["approvers"] = json.dumps(definitions.approvers(tx, args.approvers))
    if json.loads(columns.get("approvers") or (row["approvers"] if row is not None else "[]")):
        definitions.require_way(tx, project["id"], kind["id"])
    if args.given("template"):
        columns["template"] = _template(tx, args.template, project)
    return columns


def _template(tx: Read, ident: int | None, project: ProjectRow) -> int | None:
    """Raises InvalidInput for one that issues of the project are not made with."""
    if ident is None:
        return None
    found: int | None = tx.value(
        "select id from issue_template where id = :id and (project is null or project = :project)",
        id=ident,
        project=project["id"],
    )
    if found is None:
        raise InvalidInput(f"There is no issue template {ident} for {project['key']}.", field="template")
    return found


def _make(tx: Write, project: ProjectRow, columns: Row) -> None:
    count, last = tx.tuples(
        "select count(*), max(position) from request_type where project = :id", id=project["id"]
    )[0]
    if count >= MOST:
        raise Conflict(f"A desk has {MOST} request types at most.")
    usual = {
        "description": "",
        "icon": "",
        "family": "",
        "approvers": "[]",
        "template": None,
        "position": float((last or 0) + 1),
        "hidden": 0,
    }
    ident = tx.insert("request_type", project=project["id"], updated_at=tx.now, **(usual | columns))
    payload = _about(project, ident, columns["name"])
    tx.emit(RequestTypeSaved(subject=f"project:{project['key']}", payload=payload))


def _about(project: ProjectRow, ident: int, name: str) -> Row:
    return {"project": project["key"], "request_type": ident, "name": name}
