"""Taking up an issue to change it: whether the caller may, and whether it is as they last saw it."""

from kbwork.base.errors import Conflict, NotAllowed, Stale
from kbwork.db.rows import IssueRow
from kbwork.db.tx import Read
from kbwork.modules.issues import access, queries
from kbwork.modules.projects import access as projects


def changeable(tx: Read, key: str, if_seq: int | None = None) -> IssueRow:
    """The issue, if the caller may change it now. Raises NotFound, NotAllowed, Conflict or Stale."""
    row = access.get(tx, key)
    shown_key = queries.key_of(tx, row)
    access.require_edit(tx, row, shown_key)
    require_awake(tx, row)
    if if_seq is not None and if_seq != row["seq"]:
        raise Stale(
            f"{shown_key} changed since: its seq is {row['seq']}, not {if_seq}.",
            current=queries.one(tx, row["id"]),
        )
    return row


def movable(tx: Read, key: str) -> IssueRow:
    """The issue, if the caller may change where it is or what becomes of it. Raises as `changeable`."""
    row = changeable(tx, key)
    access.require_move(tx, row, queries.key_of(tx, row))
    return row


def require_awake(tx: Read, row: IssueRow) -> None:
    """Raises Conflict where the issue or its project is archived."""
    shown_key = queries.key_of(tx, row)
    if row["archived_at"] is not None:
        raise Conflict(f"{shown_key} is archived: bring it back before changing it.")
    archived = tx.value("select archived_at from project where id = :id", id=row["project"])
    if archived is not None:
        raise Conflict(
            f"The project of {shown_key} is archived: bring it back before changing anything in it."
        )


def require_lead(tx: Read, row: IssueRow, what: str) -> None:
    if not projects.at_least(tx, row["project"], "lead"):
        raise NotAllowed(f"You may change {queries.key_of(tx, row)}, but only leads of its project {what}.")
