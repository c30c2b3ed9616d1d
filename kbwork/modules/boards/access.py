"""Who sees a board, and who keeps it.

One on a project is seen by whoever sees the project and kept by its members and leads. Any other is its owner's alone.
A key that is limited to projects has the boards of those alone.
"""

from collections.abc import Mapping
from typing import Any

from kbwork.base.errors import NotAllowed
from kbwork.core import named
from kbwork.core.access import visibility
from kbwork.db.rows import BoardRow
from kbwork.db.tx import Read
from kbwork.modules.projects import placement

_OWN = "b.project is null and :kb_wide and b.owner = :kb_me"
SEEN = f"b.deleted_at is null and (b.project in (select value from json_each(:kb_projects)) or {_OWN})"
"""The condition on `board b`: the caller sees it."""

RESTORABLE = f"b.deleted_at is not null and (b.project in (select value from json_each(:kb_work)) or {_OWN})"
"""The condition on `board b`: it is in the trash, and the caller could have put it there and may bring it back."""

ALL_SEEN = (
    "select b.id from json_each(:kb_projects) k join board b on b.project = k.value where b.deleted_at is null"
    f" union select b.id from board b where {_OWN} and b.deleted_at is null"
)
"""The ids of all that the caller sees, by the indexes."""


def binds(tx: Read) -> dict[str, Any]:
    """What these conditions bind beside what those on projects do."""
    return {"kb_wide": int(tx.caller.projects is None)}


def board(tx: Read, ident: int) -> BoardRow:
    """The stored board. Raises NotFound where the caller sees none."""
    return named.seen(find(tx, ident), "board", ident, "boards.list")


def find(tx: Read, ident: int) -> BoardRow | None:
    """As `board`, or None. Whoever may not read boards sees none."""
    if not visibility.reads(tx, "board"):
        return None
    return tx.one(
        f"select b.* from board b where b.id = :id and {SEEN}", BoardRow, id=ident, **visibility.binds(tx)
    )


def keeps(tx: Read, row: Mapping[str, Any]) -> bool:
    """Whether the caller may change it, as it is or was."""
    return placement.is_kept(tx, row, lambda: row["owner"] == tx.caller.member)


def edits(tx: Read, row: Mapping[str, Any]) -> bool:
    """Whether the caller may change it now: its project is at work."""
    return keeps(tx, row) and placement.is_open(tx, row)


def require_keeper(tx: Read, row: Mapping[str, Any]) -> None:
    """Raises NotAllowed where others keep it, Conflict where its project is archived."""
    if not keeps(tx, row):
        raise NotAllowed(_why_not(tx, row))
    placement.require_open(tx, row)


def _why_not(tx: Read, row: Mapping[str, Any]) -> str:
    if row["project"] is not None:
        return "The boards of a project are kept by its members and leads; boards.copy makes one of your own."
    return "A key that is limited to projects keeps boards of these projects alone: name one in `project`."
