"""Deleting a board, bringing it back from the trash, and purging it."""

from typing import Any

from kbwork.base.errors import Conflict
from kbwork.base.model import Id, Input
from kbwork.core.operations.declare import destructive
from kbwork.core.things.thing import Trashed
from kbwork.db.rows import BoardRow
from kbwork.db.tx import Read, Row, Write
from kbwork.modules import trash
from kbwork.modules.boards import access, queries
from kbwork.modules.boards.model import Board, BoardDeleted, BoardRestored, told
from kbwork.modules.projects import placement


class BoardsDelete(Input):
    id: Id
    """Id of the board."""


@destructive(
    "boards.delete",
    scope="boards:write",
    words="remove a board, delete a kanban board",
    emits=[BoardDeleted],
    example={"id": 1},
)
def delete(tx: Write, args: BoardsDelete) -> list[Board]:
    """Put a board into the trash; trash.restore brings it back. Answers those left. Its issues stay as they are.

    Who may change it may delete it (403).
    """
    row = access.board(tx, args.id)
    access.require_keeper(tx, row)
    tx.update("board", row["id"], deleted_at=tx.now)
    tx.emit(BoardDeleted(subject=f"board:{row['id']}", payload=_told(tx, row)))
    trash.put(tx, f"board:{row['id']}", row["name"], project=row["project"])
    return [queries.shown(tx, left) for left in queries.rows(tx)]


def restore(tx: Write, thing: Trashed) -> None:
    """Bring a board back. Raises Conflict where its project is archived."""
    row = tx.stored("board", [int(thing.ref)])
    assert row is not None
    access.require_keeper(tx, row)
    tx.update("board", row["id"], deleted_at=None)
    tx.emit(BoardRestored(subject=f"board:{row['id']}", payload=_told(tx, row)))


def fits(tx: Read, ref: str, before: Row) -> None:
    """After undo: what the rules want of it. Raises Conflict."""
    row = tx.stored("board", [int(ref)])
    if row is not None and row["deleted_at"] is None and not access.keeps(tx, row):
        raise Conflict("You do not keep it as it was.")


def purge(tx: Write, ref: str) -> bool:
    """Remove a board for good."""
    tx.execute("delete from board where id = :id", id=int(ref))
    return True


def _told(tx: Read, row: BoardRow) -> dict[str, Any]:
    return told(row, placement.key_of(tx, row["project"]))
