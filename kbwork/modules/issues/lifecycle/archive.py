"""Putting issues aside without deleting them."""

from typing import Annotated

from pydantic import Field

from kbwork.base.errors import Conflict
from kbwork.base.model import Input, Text
from kbwork.core.operations.declare import write
from kbwork.db.rows import IssueRow
from kbwork.db.tx import Write
from kbwork.modules.issues import access, event_payloads, queries
from kbwork.modules.issues.events import IssueArchived, IssueUnarchived, IssueUpdated
from kbwork.modules.issues.model import Issue


class IssuesArchive(Input):
    keys: Annotated[list[Text], Field(min_length=1, max_length=1000)]
    """Issues by key."""
    on: bool
    """false brings them back."""


@write(
    "issues.archive",
    scope="issues:write",
    words=(
        "put a ticket aside, archive old tickets, hide finished tickets, unarchive, "
        "clean up the board, old issues"
    ),
    emits=[IssueUpdated, IssueArchived, IssueUnarchived],
    example={"keys": ["WEB-1"], "on": True},
)
def archive(tx: Write, args: IssuesArchive) -> list[Issue]:
    """Put issues aside, or bring them back. An archived one takes no change and is left out of lists.

    All of them or none; one that is as it is to be already is no change. Children and parents stay as they are. In an
    archived project it is 409.
    """
    rows = list({row["id"]: row for row in (access.get(tx, key) for key in args.keys)}.values())
    for row in rows:
        key = queries.key_of(tx, row)
        access.require_move(tx, row, key)
        if tx.value("select archived_at from project where id = :id", id=row["project"]) is not None:
            raise Conflict(f"The project of {key} is archived: bring it back first.")
        if (row["archived_at"] is not None) == args.on:
            continue
        set_archived(tx, row, on=args.on)
    return queries.shown(tx, [queries.stored(tx, row["id"]) for row in rows])


def set_archived(tx: Write, row: IssueRow, *, on: bool, auto: bool = False) -> None:
    """Archive an issue, or bring it back, and tell of it; `auto`: it happened by itself."""
    after = tx.now if on else None
    tx.update("issue", row["id"], archived_at=after)
    event_payloads.updated(tx, row, {"archived_at": (row["archived_at"], after)})
    kind = IssueArchived if on else IssueUnarchived
    payload = event_payloads.common_payload(tx, row) | {"title": row["title"], "children": 0}
    tx.emit(kind(subject=f"issue:{row['id']}", payload=payload | ({"auto": True} if auto else {})))
