"""The rows of a board: how much of each value of a field stands in each column."""

from typing import Any

from kbwork.base.dataclasses import replace
from kbwork.base.errors import TqlName
from kbwork.db.rows import BoardRow
from kbwork.db.tx import Read
from kbwork.modules.boards import queries, validation
from kbwork.modules.boards.content.page import BoardPage
from kbwork.modules.boards.model import BoardColumn, Swimlane, SwimlaneCell
from kbwork.modules.tql import QueryRun, RunnableQuery, query_parser
from kbwork.modules.workflows import lanes
from kbwork.tql import tree as t

_MOST = 10_000
"""As many groups as a query may have."""
Shown = tuple[list[BoardColumn], dict[int, tuple[str, str]]]
"""Columns, and by their ids the issues that these answer: (the column, the key)."""


def rows(tx: Read, query: RunnableQuery, board: BoardRow, page: BoardPage, shown: Shown) -> list[Swimlane]:
    """The rows in the order of the values of the board's field, none last.

    `shown`: the columns, and the issues that they answer.
    """
    columns, places = shown
    try:
        value = queries.value(tx, board, board["swimlanes"] or "")
    except TqlName:
        return []  # the field is gone, or not the caller's to see
    found: dict[str, Swimlane] = {}
    at = _columns_by_lane(tx, columns)
    for cell, lane, count, estimate in _counted(tx, query, value):
        if (column := at.get(lane)) is not None:
            row = found.setdefault(_mark(cell), _empty(cell, columns))
            _add(row, column, count, estimate or 0.0)
    values = page.run.values(list(places), value)
    place = {column["id"]: number for number, column in enumerate(columns)}
    for issue, (column_id, key) in places.items():
        for cell in values.get(issue) or [None]:
            if (held := found.get(_mark(cell))) is not None:
                held["columns"][place[column_id]]["keys"].append(key)
    return list(found.values())


def _add(row: Swimlane, column: int, count: int, estimate: float) -> None:
    row["count"] += count
    row["estimate"] += estimate
    row["columns"][column]["count"] += count
    row["columns"][column]["estimate"] += estimate


def _counted(tx: Read, query: RunnableQuery, value: t.Value) -> list[list[Any]]:
    """(value, name of the lane, issues, sum of estimates) of each group."""
    status = query_parser.value(tx, "status", validation.SOURCE)
    estimate = query_parser.value(tx, "estimate", validation.SOURCE)
    sums = (t.ItemNode(t.AggregateNode("count")), t.ItemNode(t.AggregateNode("sum", estimate)))
    gathered = replace(query.query, group=(value, status), select=sums, order=(t.OrderNode(value),))
    asked = replace(query, checked=replace(query.checked, query=gathered))
    return QueryRun(tx, asked).page(_MOST, None).rows


def _columns_by_lane(tx: Read, columns: list[BoardColumn]) -> dict[str, int]:
    """The name of a lane -> the place of its column."""
    names = {lane["key"]: lane["name"] for lane in lanes.staying(tx)}
    return {names[lane]: at for at, column in enumerate(columns) for lane in column["lanes"]}


def _mark(cell: Any) -> str:
    return repr(cell)


def _empty(cell: Any, columns: list[BoardColumn]) -> Swimlane:
    cells = [SwimlaneCell(id=column["id"], count=0, estimate=0.0, keys=[]) for column in columns]
    return Swimlane(value=cell, count=0, estimate=0.0, columns=cells)
