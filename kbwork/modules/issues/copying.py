"""Issues made of others: copies, parts that stand alone, and texts that become issues."""

from typing import Annotated, Any, Literal, cast

from pydantic import Field

from kbwork.base.errors import InvalidInput
from kbwork.base.model import Id, Input, Name, Text
from kbwork.core import inside, visibility
from kbwork.core.operation import write
from kbwork.core.subjects import ref_of
from kbwork.db.tx import Read, Row, Write
from kbwork.modules import fields
from kbwork.modules.issues import access, making, opening, queries, relation_kinds, relations, telling
from kbwork.modules.issues.events import (
    IssueAssigned,
    IssueBlocked,
    IssueCreated,
    IssueRelated,
    IssueSplit,
    IssueUnblocked,
)
from kbwork.modules.issues.model import Issue
from kbwork.modules.projects import access as projects

MOST = 200
MADE = (IssueCreated, IssueAssigned, IssueRelated, IssueBlocked, IssueUnblocked)
_SAME = ("priority", "estimate", "start_date", "due_date")
With = Literal["checklists", "attachments", "relations", "comments", "values"]


class IssuesCopy(Input):
    key: Text
    project: Text | None = None
    """Where the copy goes; its own project unless given."""
    title: Name | None = None
    children: bool | None = None
    """Whether all issues below are copied, too."""
    with_: Annotated[list[With], Field(max_length=5)] | None = Field(None, alias="with")
    """What else the copy gets: nothing of it unless named."""


@write(
    "issues.copy",
    scope="issues:write",
    emits=list(MADE),
    example={"key": "WEB-1", "title": "The same for the app", "with": ["relations"]},
)
def copy(tx: Write, args: IssuesCopy) -> Issue:
    """Make an issue like another one, which `clones` it. It begins anew: reported by you, in the start lane.

    Title, text, type, priority, labels, components, assignees, estimate, days and parent are the same, as far as the
    project knows them; comments, files and relations come along where `with` names them, as far as you see them. With
    `children` all below that you see is copied likewise, 200 issues at most (422).
    """
    row = access.issue(tx, args.key)
    project = projects.project(tx, args.project) if args.project else _project(tx, row)
    rows = [row, *_below(tx, row)] if args.children else [row]
    if len(rows) > MOST:
        raise InvalidInput(f"More than {MOST} issues stand under it.", field="children")
    made: dict[int, int] = {}
    for one in rows:
        given = _texts(one) | ({"title": args.title} if args.title and one is row else {})
        if "values" in (args.with_ or ()):
            given["values"] = _values(tx, one, project)
        made[one["id"]] = _copy(tx, one, project, made, given)
        _bring(tx, one["id"], made[one["id"]], args.with_ or [])
    clones, _ = relation_kinds.by_name(tx, "clones")
    relations.add(tx, clones, queries.stored(tx, made[row["id"]]), row)
    return queries.one(tx, made[row["id"]])


class IssuePart(Input):
    title: Name
    comments: Annotated[list[Id], Field(max_length=1000)] | None = None
    """Comments that go along, with the replies in their threads."""
    checks: Annotated[list[Id], Field(max_length=1000)] | None = None
    """Items of its checklist that go along."""


class IssuesSplit(Input):
    key: Text
    parts: Annotated[list[IssuePart], Field(min_length=1, max_length=50)]


@write(
    "issues.split",
    scope="issues:write",
    emits=[*MADE, IssueSplit],
    example={"key": "WEB-1", "parts": [{"title": "The other half"}]},
)
def split(tx: Write, args: IssuesSplit) -> list[Issue]:
    """Make parts of an issue issues of their own; answers the new ones.

    Each has the type, priority, labels, components, own fields and parent of the issue, is related to it, and gets the
    comments and check items named, which leave it. The first comment of a thread takes its replies along.
    """
    row = opening.changeable(tx, args.key)
    project = _project(tx, row)
    made = []
    for part in args.parts:
        ident = _copy(tx, row, project, {}, {"title": part.title, "values": _values(tx, row, project)})
        _relate(tx, "relates", queries.stored(tx, ident), row)
        if part.comments:
            _part(tx, "comments").move(tx, f"issue:{row['id']}", f"issue:{ident}", part.comments)
        if part.checks:
            _part(tx, "checklists").move(tx, f"issue:{row['id']}", f"issue:{ident}", part.checks)
        made.append(ident)
    payload = telling.common(tx, row) | {
        "parts": [queries.key_of(tx, queries.stored(tx, ident)) for ident in made]
    }
    tx.emit(IssueSplit(subject=f"issue:{row['id']}", payload=payload))
    making.touch(tx, row["id"])
    return queries.shown(tx, [queries.stored(tx, ident) for ident in made])


class IssuesPromote(Input):
    from_: Text = Field(alias="from")
    """`comment:<id>` or `check:<id>`, and stickies and pages where their modules are there."""
    title: Name | None = None
    """The first words of the text unless given."""
    project: Text | None = None
    """The project of what it hangs on unless given."""
    type: Text | None = None
    link: Text | None = None
    """The relation to the issue that it hangs on; `relates` unless given."""


@write(
    "issues.promote",
    scope="issues:write",
    emits=list(MADE),
    example={"from": "comment:1", "title": "Say in the manual how vouchers work"},
)
def promote(tx: Write, args: IssuesPromote) -> Issue:
    """Make an issue of a text that is there, such as a comment, and relate it to what the text hangs on."""
    name, ref = ref_of(visibility.canonical(tx, args.from_))
    kind = visibility.kinds(tx).get(name)
    if kind is None or kind.source is None:
        known = sorted(one.name for one in visibility.kinds(tx).values() if one.source is not None)
        raise InvalidInput(
            f"An issue is not made of {args.from_!r}.",
            field="from",
            allowed=[f"{word}:<id>" for word in known],
        )
    source = kind.source(tx, ref) if kind.scope in tx.caller.scopes else None
    if source is None:
        raise InvalidInput(f"There is no {args.from_!r} that you can see.", field="from")
    about = access.find(tx, source.about) if source.about else None
    if args.project is None and about is None:
        raise InvalidInput("Say in which project it is to be made.", field="project")
    project = args.project or _project(tx, cast("Row", about))["key"]
    value: dict[str, Any] = {"project": project, "title": args.title or source.title, "body": source.body}
    made = inside.run(tx, "issues.create", value | ({"type": args.type} if args.type else {}))
    if about is not None:
        _relate(tx, args.link or "relates", queries.stored(tx, made["id"]), about, field="link")
    if kind.promoted is not None:
        kind.promoted(tx, ref, made["id"])
    return queries.one(tx, made["id"])


def _project(tx: Read, row: Row) -> Row:
    found = tx.stored("project", [row["project"]])
    assert found is not None
    return found


def _below(tx: Read, row: Row) -> list[Row]:
    """All issues below that the caller sees, each behind its parent."""
    found: list[Row] = []
    waiting = [row["id"]]
    while waiting and len(found) <= MOST:
        rows = [child for parent in waiting for child in queries.child_rows(tx, parent)]
        found += rows
        waiting = [child["id"] for child in rows]
    return found


def _copy(tx: Write, row: Row, project: Row, made: dict[int, int], given: dict[str, Any]) -> int:
    """One issue like another but for what is given, under the copy of its parent where there is one; answers its
    internal number."""
    same = project["id"] == row["project"]
    value: dict[str, Any] = {name: row[name] for name in _SAME if row[name] is not None}
    value["project"] = project["key"]
    value["type"] = _type(tx, row, project)
    value["labels"] = _labels(tx, row, project)
    if same:
        value["components"] = queries.live_components(tx, row["id"])
    value["assignees"] = [who for who in queries.assignees(tx, row["id"]) if _may_have(tx, project, who)]
    parent = made.get(row["parent"], row["parent"])
    if parent is not None and access.find(tx, f"issue:{parent}") is not None:
        value["parent"] = f"issue:{parent}"
    if row["level"] is not None:
        value["level"] = row["level"]
    return int(inside.run(tx, "issues.create", value | given)["id"])


def _texts(row: Row) -> dict[str, Any]:
    found = {"title": row["title"], "body": row["body"]}
    return found | ({"body_doc": row["body_doc"]} if row["body_doc"] else {})


def _values(tx: Read, row: Row, project: Row) -> dict[str, Any]:
    """What own fields hold, of those that the copy has."""
    wanted = _type(tx, row, project)
    issue_type = row["type"] if wanted is not None else project["default_type"]
    there = {
        field.key
        for field in fields.layout_of(tx, project["id"], issue_type).fields.values()
        if field.fillable
    }
    return {key: value for key, value in fields.values_of(tx, [row["id"]])[row["id"]].items() if key in there}


def _type(tx: Read, row: Row, project: Row) -> str | None:
    """Its type, or null for the project's default where the project does not have it."""
    found: str | None = tx.value(
        "select t.key from project_type pt join issue_type t on t.id = pt.type"
        " where pt.project = :project and pt.type = :type",
        project=project["id"],
        type=row["type"],
    )
    return found


def _labels(tx: Read, row: Row, project: Row) -> list[str]:
    return tx.column(
        "select l.name from issue_label u join label l on l.id = u.label where u.issue = :id"
        " and (l.project is null or l.project = :project) order by l.name_key",
        id=row["id"],
        project=project["id"],
    )


def _may_have(tx: Read, project: Row, who: str) -> bool:
    """Whether somebody may have issues of the project: names of an import may not, outside one."""
    if who.startswith("agent:"):
        return tx.one("select 1 from agent where name = :name", name=who.removeprefix("agent:")) is not None
    return who.startswith("m_") and projects.role_of(tx, project["id"], who) is not None


def _bring(tx: Write, issue: int, copied: int, named: list[With]) -> None:
    """What else the copy gets."""
    if "relations" in named:
        for relation in relations.of_issue(tx, issue):
            kind, _ = relation_kinds.by_name(tx, relation["kind"])
            other = access.find(tx, relation["issue"]["key"])
            if other is None:
                continue
            one = queries.stored(tx, copied)
            relations.add(
                tx,
                kind,
                *((other, one) if relation["direction"] == "in" else (one, other)),
                lag_days=relation["lag_days"],
            )
    for part in tx.registry.parts:
        if part.name in named and part.copy is not None:
            part.copy(tx, f"issue:{issue}", f"issue:{copied}")


def _relate(tx: Write, name: str, row: Row, other: Row, *, field: str = "kind") -> None:
    kind, turned = relation_kinds.by_name(tx, name, field=field)
    relations.add(tx, kind, *((other, row) if turned else (row, other)))


def _part(tx: Read, name: str) -> Any:
    """What hangs on issues under this name."""
    return next(part for part in tx.registry.parts if part.name == name)
