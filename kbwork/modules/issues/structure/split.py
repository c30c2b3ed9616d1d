"""Parts of an issue that become issues of their own."""

from typing import Annotated, Any

from pydantic import Field

from kbwork.base.model import Id, Input, Name
from kbwork.core.operations.declare import write
from kbwork.core.operations.dispatch import require_module
from kbwork.core.references import IssueRef
from kbwork.db.tx import Read, Write
from kbwork.modules.issues import event_payloads, preconditions, queries
from kbwork.modules.issues.events import (
    CREATION_EVENTS,
    IssueSplit,
)
from kbwork.modules.issues.model import Issue
from kbwork.modules.issues.relations.relations import add_by_name
from kbwork.modules.issues.structure.clone import make_copy, own_values, project_of


class IssuePart(Input):
    title: Name
    """Title of the new issue."""
    comments: Annotated[list[Id], Field(max_length=1000)] | None = None
    """Comments that go along, with the replies in their threads."""
    checks: Annotated[list[Id], Field(max_length=1000)] | None = None
    """Items of its checklist that go along."""


class IssuesSplit(Input):
    key: IssueRef
    parts: Annotated[list[IssuePart], Field(min_length=1, max_length=50)]
    """The issues to make of it."""


@write(
    "issues.split",
    scope="issues:write",
    words="break a story into smaller pieces, too big, divide a ticket, cut in two, separate, slice",
    emits=[*CREATION_EVENTS, IssueSplit],
    example={"key": "WEB-1", "parts": [{"title": "The other half"}]},
)
def split(tx: Write, args: IssuesSplit) -> list[Issue]:
    """Make parts of an issue issues of their own; answers the new ones.

    Each has the type, priority, labels, components, own fields and parent of the issue, is related to it, and gets the
    comments and check items named, which leave it. The first comment of a thread takes its replies along.
    """
    row = preconditions.changeable(tx, args.key)
    project = project_of(tx, row)
    made = []
    for part in args.parts:
        ident = make_copy(tx, row, project, {}, {"title": part.title, "values": own_values(tx, row, project)})
        add_by_name(tx, "relates", queries.stored(tx, ident), row)
        if part.comments:
            _part(tx, "comments").move(tx, f"issue:{row['id']}", f"issue:{ident}", part.comments)
        if part.checks:
            _part(tx, "checklists").move(tx, f"issue:{row['id']}", f"issue:{ident}", part.checks)
        made.append(ident)
    payload = event_payloads.common_payload(tx, row) | {
        "parts": [queries.key_of(tx, queries.stored(tx, ident)) for ident in made]
    }
    tx.emit(IssueSplit(subject=f"issue:{row['id']}", payload=payload))
    event_payloads.touch(tx, row["id"])
    return queries.shown(tx, [queries.stored(tx, ident) for ident in made])


def _part(tx: Read, name: str) -> Any:
    """What hangs on issues under this name. Raises NotAllowed for a connected client without its module."""
    found = next(part for part in tx.registry.cascades if part.name == name)
    require_module(found.module, tx.caller)
    return found
