"""Copies of issues."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import Field

from kbwork.base.errors import InvalidInput
from kbwork.base.model import Input, Name, Text
from kbwork.core.operations.declare import write
from kbwork.core.references import IssueRef
from kbwork.db.rows import IssueRow
from kbwork.db.tx import Read, Write
from kbwork.modules.issues import access, queries
from kbwork.modules.issues.events import CREATION_EVENTS
from kbwork.modules.issues.model import Issue
from kbwork.modules.issues.relations import relation_kinds, relations
from kbwork.modules.issues.structure.clone import make_copy, own_values, project_of
from kbwork.modules.projects import access as projects

MOST = 200
With = Literal["checklists", "attachments", "relations", "comments", "values"]


class IssuesCopy(Input):
    key: IssueRef
    project: Text | None = None
    """Where the copy goes; its own project unless given."""
    title: Name | None = None
    """Title of the copy; that of the issue unless given."""
    children: bool | None = None
    """Whether all issues below are copied, too."""
    with_: Annotated[list[With], Field(max_length=5)] | None = Field(None, alias="with")
    """What else the copy gets: nothing of it unless named."""


@write(
    "issues.copy",
    scope="issues:write",
    words="duplicate an issue, clone a ticket, same ticket again, make a copy",
    emits=list(CREATION_EVENTS),
    example={"key": "WEB-1", "title": "The same for the app", "with": ["relations"]},
)
def copy(tx: Write, args: IssuesCopy) -> Issue:
    """Make an issue like another one, which `clones` it. It begins anew: reported by you, in the start lane.

    Title, text, type, priority, labels, components, assignees, estimate, days and parent are the same, as far as the
    project knows them; comments, files and relations come along where `with` names them, as far as you see them. With
    `children` all below that you see is copied likewise, 200 issues at most (422); where both ends of a relation are
    copied, the copies are related.
    """
    row = access.get(tx, args.key)
    project = projects.project(tx, args.project) if args.project else project_of(tx, row)
    rows = [row, *_below(tx, row)] if args.children else [row]
    if len(rows) > MOST:
        raise InvalidInput(f"More than {MOST} issues stand under it.", field="children")
    made: dict[int | None, int] = {}
    for one in rows:
        given = _texts(one) | ({"title": args.title} if args.title and one is row else {})
        if "values" in (args.with_ or ()):
            given["values"] = own_values(tx, one, project)
        made[one["id"]] = make_copy(tx, one, project, made, given)
        _bring(tx, one["id"], made[one["id"]], args.with_ or [])
    if "relations" in (args.with_ or ()):
        for one in rows:
            _relate(tx, one["id"], made)
    clones, _ = relation_kinds.by_name(tx, "clones")
    relations.add(tx, clones, queries.stored(tx, made[row["id"]]), row)
    return queries.one(tx, made[row["id"]])


def _below(tx: Read, row: IssueRow) -> list[IssueRow]:
    """All issues below that the caller sees, each behind its parent."""
    found: list[IssueRow] = []
    waiting = [row["id"]]
    while waiting and len(found) <= MOST:
        rows = [child for parent in waiting for child in queries.child_rows(tx, parent)]
        found += rows
        waiting = [child["id"] for child in rows]
    return found


def _texts(row: IssueRow) -> dict[str, Any]:
    found = {"title": row["title"], "body": row["body"]}
    return found | ({"body_doc": row["body_doc"]} if row["body_doc"] else {})


def _relate(tx: Write, issue: int, made: Mapping[int | None, int]) -> None:
    """Relate a copy as its original is: to the copy of the other end where there is one, else to that itself."""
    for relation in relations.of_issue(tx, issue):
        kind, _ = relation_kinds.by_name(tx, relation["kind"])
        other = access.find(tx, relation["issue"]["key"])
        if other is not None:
            ends = [queries.stored(tx, made[issue]), queries.stored(tx, made.get(other["id"], other["id"]))]
            if relation["direction"] == "in":
                ends.reverse()
            relations.add(tx, kind, *ends, lag_days=relation["lag_days"])


def _bring(tx: Write, issue: int, copied: int, named: list[With]) -> None:
    """What else the copy gets, but for relations."""
    for part in tx.registry.cascades:
        if part.name in named and part.copy is not None and tx.caller.holds(part.module):
            part.copy(tx, f"issue:{issue}", f"issue:{copied}")
