"""Take issue types away; what is of one becomes of another."""

from kbwork.base.errors import Conflict, InUse, InvalidInput, NotFound
from kbwork.base.model import Input, Text
from kbwork.core.operation import destructive
from kbwork.db.tx import Read, Row, Write
from kbwork.modules.types import queries
from kbwork.modules.types.bearing import Bearer
from kbwork.modules.types.model import IssueType, TypeDeleted
from kbwork.modules.types.ops import shown


class TypesDelete(Input):
    key: Text
    move_to: Text | None = None
    """The type that its issues have from then on, with its level, workflow and fields."""


@destructive("types.delete", scope="admin", emits=[TypeDeleted], example={"key": "story", "move_to": "task"})
def delete(tx: Write, args: TypesDelete) -> list[IssueType]:
    """Take an issue type away. Answers those that are left.

    One that issues, templates or fields of it alone name, or that is the only one of a project, needs `move_to` (409
    `in-use` with `uses`): the other type takes its place in projects, and its issues become of that one with history.
    Parents and children must fit the other level (409). A lane that the workflow there does not have becomes its first
    one of the same category, else its start; values that the other type does not have go.
    """
    known = queries.every(tx)
    row = _named(known, args.key)
    target = queries.by_name(known, args.move_to, field="move_to") if args.move_to else None
    if target is not None and target["id"] == row["id"]:
        raise InvalidInput("A type cannot stand for itself.", field="move_to")
    if len(known) == 1:
        raise Conflict(f"{row['name']} is the only type: make another one first.")
    uses = _uses(tx, row)
    if uses and target is None:
        raise InUse(f"{uses} things are of the type {row['name']}: name another in move_to.", uses=uses)
    issues = tx.value("select count(*) from issue where type = :id", id=row["id"])
    payload = {"key": row["key"], "name": row["name"], "issues": issues}
    if target is not None:
        _require_level(tx, row, target)
        payload |= {"move_to": target["key"]}
    tx.emit(TypeDeleted(subject="org:1", payload=payload))
    _hand_over(tx, row, target)
    tx.delete("issue_type", row["id"])
    tx.memo.clear()
    return shown(tx, queries.every(tx))


def _named(known: list[Row], name: str) -> Row:
    try:
        return queries.by_name(known, name, field="key")
    except InvalidInput as problem:
        raise NotFound(problem.detail) from None


def _uses(tx: Read, row: Row) -> int:
    """What names it, and the projects that would have no type without it."""
    alone = tx.value(
        "select count(*) from project_type one where type = :id"
        " and not exists (select 1 from project_type o where o.project = one.project and o.type <> one.type)",
        id=row["id"],
    )
    bearers: list[Bearer] = tx.registry.of(Bearer)
    return int(alone) + sum(bearer.uses(tx, row) for bearer in bearers if bearer.uses is not None)


def _require_level(tx: Read, row: Row, target: Row) -> None:
    """Every parent and child of what becomes of the other type still fits."""
    bad = tx.value(queries.UNFIT, id=row["id"], level=target["level"])
    if bad:
        raise Conflict(
            f"{bad} parents or children of {row['name']} would not fit the level of {target['name']}: move them first."
        )


def _hand_over(tx: Write, row: Row, target: Row | None) -> None:
    bearers = tx.registry.of(Bearer)
    for place in tx.all("select * from project_type where type = :id order by project", id=row["id"]):
        _leave_project(tx, place, target)
    tx.memo.clear()
    if target is not None:
        for bearer in bearers:
            if bearer.adopt is not None:
                bearer.adopt(tx, row, target)
        for bearer in bearers:
            if bearer.convert is not None:
                bearer.convert(tx, row, target)
    for bearer in bearers:
        if bearer.leave is not None:
            bearer.leave(tx, row)


def _leave_project(tx: Write, place: Row, target: Row | None) -> None:
    """The other type stands where it stood, and it is nobody's default any more."""
    project = place["project"]
    tx.delete("project_type", (project, place["type"]))
    if target is not None and tx.stored("project_type", [project, target["id"]]) is None:
        tx.insert("project_type", **place | {"type": target["id"], "workflow": None})
    default = target["id"] if target is not None else None
    if default is None:
        default = tx.value(
            "select type from project_type where project = :project order by position, type limit 1",
            project=project,
        )
    if tx.value("select default_type from project where id = :id", id=project) == place["type"]:
        tx.update("project", project, default_type=default)
