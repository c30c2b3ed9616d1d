"""Issue types as rows, and those that a new org has."""

from kbwork.base.errors import InvalidInput
from kbwork.base.text import did_you_mean, folded
from kbwork.core.access import visibility
from kbwork.db.rows import IssueTypeRow
from kbwork.db.tx import Read, Write

_FIRST = (
    ("epic", "Epic", 1, "layers", "#6a5acd", "A larger aim that several issues serve"),
    ("story", "Story", 0, "bookmark", "#3f9142", "Something a user can do afterwards"),
    ("task", "Task", 0, "check-square", "#2f7fd1", "A piece of work"),
    ("bug", "Bug", 0, "bug", "#d64545", "It does not do what it should"),
    ("subtask", "Sub-task", -1, "corner-down-right", "#5f6b7a", "A step of an issue"),
)


UNFIT = (
    "select count(*) from issue i join issue o on o.id = i.parent or o.parent = i.id where i.type = :id"
    " and ((o.id = i.parent and o.level_no <= :level) or (o.parent = i.id and o.level_no >= :level))"
)
"""How many parents and children of issues of a type would not fit a level."""


def seed(tx: Write) -> None:
    """The types of a new org."""
    for key, name, level, icon, color, description in _FIRST:
        tx.insert(
            "issue_type",
            key=key,
            name=name,
            name_key=folded(name),
            level=level,
            icon=icon,
            color=color,
            description=description,
        )


def of_project(tx: Read, project: int) -> list[IssueTypeRow]:
    """The types that issues of a project may have, in its order."""
    found: list[IssueTypeRow] = tx.cached(
        ("types of", project), lambda: tx.all(_OF_PROJECT, IssueTypeRow, project=project)
    )
    return found


def find(tx: Read, type_: int) -> IssueTypeRow | None:
    """The type with this internal id, if it is there."""
    found: IssueTypeRow | None = tx.cached(("type", type_), lambda: tx.stored("issue_type", [type_]))
    return found


def every(tx: Read) -> list[IssueTypeRow]:
    """The types of the org, but for those that go."""
    return tx.all("select * from issue_type where heir is null order by level desc, id", IssueTypeRow)


def seen(tx: Read) -> list[IssueTypeRow]:
    """The types that the caller sees: guests those that their projects use."""
    if not tx.caller.guest:
        return every(tx)
    return tx.all(
        "select * from issue_type where heir is null and id in (select type from project_type"
        " where project in (select value from json_each(:kb_projects))) order by level desc, id",
        IssueTypeRow,
        **visibility.binds(tx),
    )


_OF_PROJECT = (
    "select t.* from project_type pt join issue_type t on t.id = pt.type"
    " where pt.project = :project order by pt.position, t.id"
)


def by_name(rows: list[IssueTypeRow], name: str, *, field: str = "type") -> IssueTypeRow:
    """A type by key, id or name, without case. Raises InvalidInput naming the nearest."""
    wanted = folded(name.strip())
    for row in rows:
        if wanted in (row["key"].lower(), folded(row["name"]), str(row["id"])):
            return row
    known = [row["key"] for row in rows]
    text = f"There is no type {name!r} here.{did_you_mean(name, known)}"
    raise InvalidInput(text, field=field, allowed=known)
