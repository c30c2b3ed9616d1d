"""Take issue types away; what is of one becomes of another."""

from kbwork.base.errors import Conflict, InUse, InvalidInput, NotFound
from kbwork.base.model import Input, Text
from kbwork.core.operations.declare import destructive
from kbwork.db.rows import IssueTypeRow, ProjectTypeRow
from kbwork.db.tx import Read, Write
from kbwork.modules.projects import ISSUE_SEEN
from kbwork.modules.types import queries
from kbwork.modules.types.model import IssueType, TypeDeleted
from kbwork.modules.types.ops import shown
from kbwork.modules.types.ports import TypeReferences
from kbwork.modules.types.replacement import TYPES


class TypesDelete(Input):
    key: Text
    """Key or name of the type."""
    move_to: Text | None = None
    """The type that its issues have from then on, with its level, workflow and fields."""


@destructive(
    "types.delete",
    scope="admin",
    words="remove an issue type",
    emits=[TypeDeleted],
    example={"key": "story", "move_to": "task"},
)
def delete(tx: Write, args: TypesDelete) -> list[IssueType]:
    """Take an issue type away. Answers those that are left.

    One that issues, templates or fields of it alone name, or that is the only one of a project, needs `move_to` (409
    `in-use`; `uses` are those that you see): the other type takes its place in projects, and its issues become of that
    one with history. Parents and children must fit the other level (409). A lane that the workflow there does not have
    becomes its first one of the same category, else its start; values that the other type does not have go. More than
    200 issues become of the other type by a job, in steps of 200: the type is out of lists and projects at once. Called
    again it goes on with what a cancelled job left.
    """
    known = queries.every(tx)
    row: IssueTypeRow = TYPES.going(tx, args.key) or _named(known, args.key)
    target = queries.by_name(known, args.move_to, field="move_to") if args.move_to else None
    if target is not None and target["id"] == row["id"]:
        raise InvalidInput("A type cannot stand for itself.", field="move_to")
    if len(known) == 1:
        raise Conflict(f"{row['name']} is the only type: make another one first.")
    uses = _uses(tx, row)
    if uses and target is None:
        uses -= TYPES.seen(tx, row, f"not ({ISSUE_SEEN})")
        raise InUse(
            f"Things are of the type {row['name']}, {uses} of which you see: name another in move_to.",
            uses=uses,
        )
    issues = TYPES.held(tx, row)
    payload = {"key": row["key"], "name": row["name"]}
    if target is not None:
        _require_level(tx, row, target)
        payload |= {"move_to": target["key"]}
    tx.emit(TypeDeleted(subject="org:1", payload=payload))
    _hand_over(tx, row, target)
    tx.memo.clear()
    TYPES.run(tx, row, target, issues)
    return shown(tx, queries.every(tx))


def _named(known: list[IssueTypeRow], name: str) -> IssueTypeRow:
    try:
        return queries.by_name(known, name, field="key")
    except InvalidInput as problem:
        raise NotFound(problem.detail) from None


def _uses(tx: Read, row: IssueTypeRow) -> int:
    """What names it, and the projects that would have no type without it."""
    alone = tx.value(
        "select count(*) from project_type one where type = :id"
        " and not exists (select 1 from project_type o where o.project = one.project and o.type <> one.type)",
        id=row["id"],
    )
    bearers: list[TypeReferences] = tx.registry.of(TypeReferences)
    return int(alone) + sum(bearer.uses(tx, row) for bearer in bearers if bearer.uses is not None)


def _require_level(tx: Read, row: IssueTypeRow, target: IssueTypeRow) -> None:
    """Every parent and child of what becomes of the other type still fits."""
    bad = tx.value(queries.UNFIT, id=row["id"], level=target["level"])
    if bad:
        raise Conflict(
            f"{bad} parents or children of {row['name']} would not fit the level of {target['name']}: move them first."
        )


def _hand_over(tx: Write, row: IssueTypeRow, target: IssueTypeRow | None) -> None:
    """All but the issues."""
    bearers = tx.registry.of(TypeReferences)
    places = tx.all(
        "select * from project_type where type = :id order by project", ProjectTypeRow, id=row["id"]
    )
    for place in places:
        _leave_project(tx, place, target)
    _forget_defaults(tx, row, target)
    tx.memo.clear()
    for bearer in bearers:
        if bearer.adopt is not None and target is not None:
            bearer.adopt(tx, row, target)
    for bearer in bearers:
        if bearer.leave is not None:
            bearer.leave(tx, row)


def _forget_defaults(tx: Write, row: IssueTypeRow, target: IssueTypeRow | None) -> None:
    """Projects that were purged keep a row, whose default is of no use but has to be some type."""
    other = target["id"] if target is not None else None
    if other is None:
        other = tx.value("select min(id) from issue_type where id <> :id and heir is null", id=row["id"])
    tx.execute("update project set default_type = :other where default_type = :id", other=other, id=row["id"])


def _leave_project(tx: Write, place: ProjectTypeRow, target: IssueTypeRow | None) -> None:
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
