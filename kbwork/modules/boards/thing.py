"""Boards as subjects, and as clients keep them."""

from kbwork.base.text import whole_number
from kbwork.core.things.synced import SyncedKind
from kbwork.core.things.thing import Revertible, Subject, Thing, Trashable
from kbwork.db.tx import Read, Tracked
from kbwork.modules.boards import access, delete, queries
from kbwork.modules.boards.model import Board, BoardPurged
from kbwork.modules.boards.searchable import SEARCHABLE


def _find(tx: Read, ref: str) -> Subject | None:
    ident = whole_number(ref)
    row = access.find(tx, ident) if ident is not None else None
    return Subject(f"board:{row['id']}", "board", row["name"], f"/boards/{row['id']}") if row else None


def _editable(tx: Read, ref: str) -> bool:
    """Whether the caller keeps it, and they and its project are at work; it may lie in the trash."""
    ident = whole_number(ref)
    row = tx.stored("board", [ident]) if ident is not None else None
    return row is not None and access.edits(tx, row)


BOARD = Thing(
    name="board",
    table="board",
    scope="boards:read",
    home=__name__,
    search=SEARCHABLE,
    seen="exists (select 1 from board b where b.id = cast(:ref as integer)"
    f" and ({access.SEEN} or {access.RESTORABLE}))",
    find=_find,
    binds=access.binds,
    tracked={"board": Tracked("board", "id", {})},
    undo=Revertible(editable=_editable, fits=delete.fits, volatile=frozenset({"parts"})),
    trash=Trashable(
        deletable=_editable,
        tables=frozenset({"board"}),
        restorable=f"exists (select 1 from board b where b.id = cast(:ref as integer) and {access.RESTORABLE})",
        deleted_by="boards.delete",
        restore=delete.restore,
        purge=delete.purge,
        purged=BoardPurged,
    ),
)

BOARDS = SyncedKind(
    home=__name__,
    kind="board",
    scope="boards:read",
    columns=tuple(Board.__annotations__),
    rows=lambda tx: [queries.shown(tx, row) for row in queries.rows(tx)],
)
