"""Boards as rows and as answers."""

import json
from collections.abc import Mapping
from typing import Any

from kbwork.base.text import folded
from kbwork.core.access import visibility
from kbwork.db.tx import Read, Row
from kbwork.modules.boards import access
from kbwork.modules.boards.model import Board, BoardColumn, QuickFilter
from kbwork.modules.boards.validation import SOURCE
from kbwork.modules.tql import kept_names, query_parser
from kbwork.modules.workflows import lanes
from kbwork.tql import tree as t

_SHOWN = "select b.*, p.key as project_key from board b left join project p on p.id = b.project"


def rows(tx: Read, *, project: int | None = None, q: str = "") -> list[Row]:
    """The boards that the caller sees, by name; each word of `q` stands in the name."""
    found = tx.all(
        f"{_SHOWN} where b.id in ({access.ALL_SEEN}) and (:project is null or b.project = :project)"
        " order by b.name_key, b.id",
        project=project,
        **visibility.binds(tx),
    )
    words = folded(q).split()
    return [row for row in found if all(word in row["name_key"] for word in words)]


def one(tx: Read, ident: int) -> Board:
    """One that is there, as an answer."""
    row = tx.one(f"{_SHOWN} where b.id = :id", id=ident)
    assert row is not None
    return shown(tx, row)


def shown(tx: Read, row: Row) -> Board:
    """A row of these as an answer."""
    tql, notices = present(tx, row, row["tql"])
    filters: list[QuickFilter] = []
    kept: list[QuickFilter] = json.loads(row["filters"])
    for one in kept:
        text, told = present(tx, row, one["tql"])
        filters.append({**one, "tql": text})
        notices += told
    return Board(
        id=row["id"],
        name=row["name"],
        project=row["project_key"],
        tql=tql,
        kind=row["kind"],
        columns=columns(tx, row["columns"]),
        swimlanes=row["swimlanes"] and field(tx, row, row["swimlanes"]),
        quick_filters=filters,
        card_fields=[field(tx, row, one) for one in json.loads(row["card_fields"])],
        color_by=row["color_by"] and field(tx, row, row["color_by"]),
        owner=row["owner"],
        can_edit=access.edits(tx, row),
        notices=list(dict.fromkeys(notices)),
    )


def columns(tx: Read, text: str) -> list[BoardColumn]:
    """The columns as they are kept, with the lanes that are there."""
    known = {lane["key"] for lane in lanes.staying(tx)}
    found: list[BoardColumn] = json.loads(text)
    return [{**one, "lanes": [lane for lane in one["lanes"] if lane in known]} for one in found]


def present(tx: Read, row: Row, text: str) -> tuple[str, tuple[str, ...]]:
    """A condition of the board with present names, and what to know of it."""
    return query_parser.present(tx, text, kept_names.of(row["names"], text))


def field(tx: Read, row: Row, text: str) -> str:
    """A field that the board names, by its present name."""
    return query_parser.present_value(tx, text, SOURCE, kept_names.of(row["names"], text))


def value(tx: Read, row: Mapping[str, Any], text: str) -> t.Value:
    """A field that the board names. Raises TqlName where it is gone, or not the caller's to see."""
    return query_parser.value(tx, text, SOURCE, kept_names.of(row["names"], text))


def stored(value: Any) -> str:
    """JSON as it is kept."""
    return json.dumps(value, ensure_ascii=False)
