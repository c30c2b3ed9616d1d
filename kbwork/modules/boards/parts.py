"""What the columns and the quick filters of a board share: ids that stay, and how a list of them is kept."""

import json
from collections.abc import Mapping
from typing import Any, Literal

from kbwork.base.errors import InvalidInput
from kbwork.db.rows import BoardRow
from kbwork.db.tx import Read, Write
from kbwork.modules.boards import access, queries, validation
from kbwork.modules.boards.model import Board, BoardSaved, told
from kbwork.modules.projects import placement


def tell(tx: Write, row: Mapping[str, Any], changes: dict[str, Any]) -> None:
    """`board.saved`."""
    payload = told(row, placement.key_of(tx, row["project"]))
    tx.emit(BoardSaved(subject=f"board:{row['id']}", payload=payload, changes=changes))


def fields(row: Mapping[str, Any]) -> list[str]:
    """The texts of fields that a board has."""
    cards = json.loads(row.get("card_fields", "[]"))
    return [one for one in (*cards, row.get("swimlanes"), row.get("color_by")) if one]


def texts(row: BoardRow) -> list[str]:
    """The texts that it has beside its quick filters."""
    return [row["tql"], *fields(row)]


def kept(tx: Read, ident: int) -> BoardRow:
    """A board that the caller may change."""
    row = access.board(tx, ident)
    access.require_keeper(tx, row)
    return row


class PartIds:
    """The ids of one list of a board: those that are there, and new ones, which no part of it ever had."""

    def __init__(self, row: BoardRow, column: Literal["columns", "filters"], what: str) -> None:
        self.column = column
        self.before: list[Any] = json.loads(row[column])
        self.made = row["parts"]
        self._known = [one["id"] for one in self.before]
        self._what = what

    def of(self, ident: str | None, place: str) -> str:
        """The id that is named, or a new one. Raises InvalidInput."""
        if ident is not None:
            return validation.part(self._known, ident, self._what, place)
        self.made += 1
        return f"{self.column[0]}{self.made}"


def put(tx: Write, row: BoardRow, ids: PartIds, made: Any, names: str | None = None) -> Board:
    """Keep the list, and tell of it where it is another one. `names`: what those of the board's texts mean then."""
    names = row["names"] if names is None else names
    if made != ids.before or names != row["names"]:
        tx.update("board", row["id"], parts=ids.made, names=names, **{ids.column: queries.stored(made)})
        name = {"columns": "columns", "filters": "quick_filters"}[ids.column]
        tell(tx, row, {name: (ids.before, made)})
    return queries.one(tx, row["id"])


def require_apart(found: list[str], what: str, field: str) -> None:
    """Raises InvalidInput where an id is named twice."""
    twice = next((one for at, one in enumerate(found) if one in found[:at]), None)
    if twice is not None:
        raise InvalidInput(f"The {what} {twice!r} is named twice.", field=field)
