"""What a view shows somebody, in words for a mail, and whether that is other than what they were told last."""

import datetime
import hashlib
import json
import zoneinfo
from typing import Any

from kbwork.base.dataclasses import dataclass, field
from kbwork.base.errors import InsufficientScope, Problem
from kbwork.core import zones
from kbwork.core.access import visibility
from kbwork.db.rows import ViewRow
from kbwork.db.tx import Read, json_array
from kbwork.modules.tql import QueryRun, TqlColumn, kept_names, query_parser
from kbwork.modules.views import validation
from kbwork.tql import tree as t
from kbwork.tql.normal_form import normal

MOST_SHOWN = 100
"""Rows of a mail."""
MOST_KEPT = 500
"""Rows of which is remembered that they were told, so that what comes and goes is known."""
_USUAL = ("key", "title", "status", "assignee", "due")
"""Columns of issues where the view names none: what a mail tells, without those that move with every change."""
_CELL_CHARS = 200


@dataclass(frozen=True, slots=True)
class ResultLine:
    """One row: its cells as texts, and the path of its page where it has one."""

    cells: list[str]
    path: str | None


@dataclass(frozen=True, slots=True)
class Result:
    """What one receiver sees. `names` are the titles of the rows that are things, by subject."""

    columns: list[str] = field(default_factory=list)
    lines: list[ResultLine] = field(default_factory=list)
    names: dict[str, str] = field(default_factory=dict)
    total: int | None = 0
    """None for more than are counted."""
    is_whole: bool = True
    """Whether these are all rows: else what came and went is not known, and changes are seen by their number alone."""
    notices: tuple[str, ...] = ()
    """What one should know of its query."""
    fault: str | None = None
    """Why it cannot be asked now."""
    digest: str = ""


def look(tx: Read, view: ViewRow) -> Result:
    """The rows as the caller of this snapshot sees them. A query that cannot be asked is a result as well."""
    try:
        return _found(tx, view)
    except InsufficientScope:
        return Result(digest=_digest([]))
    except Problem as wrong:
        return Result(fault=wrong.detail, digest=_digest(["fault", wrong.detail]))


def _found(tx: Read, view: ViewRow) -> Result:
    meant = kept_names.of(view["names"], view["tql"])
    asked = query_parser.query(tx, view["tql"], meant=meant)
    text = validation.sorted_text(view["tql"], _sort(tx, view, asked.source), asked.query)
    asked = asked if text == view["tql"] else query_parser.query(tx, text, meant=meant)
    page = QueryRun(tx, asked, _columns(tx, view, asked.source)).page(MOST_KEPT, None)
    subjects = page.subjects or []
    things = {one: visibility.find(tx, one) for one in subjects}
    told = _Words(tx, page.columns, page.rows[:MOST_SHOWN])
    paths = [thing.path if (thing := things.get(one)) else None for one in subjects[:MOST_SHOWN]]
    lines = [
        ResultLine(cells, paths[place] if place < len(paths) else None)
        for place, cells in enumerate(told.cells())
    ]
    is_whole = page.total is not None and page.total <= MOST_KEPT
    rows = sorted(_plain(row) for row in page.rows) if is_whole else []
    return Result(
        columns=[column["title"] for column in page.columns],
        lines=lines,
        names={one: thing.title for one, thing in things.items() if thing is not None},
        total=page.total,
        is_whole=is_whole,
        notices=asked.checked.notices,
        digest=_digest([rows, page.total]),
    )


def _columns(tx: Read, view: ViewRow, source: str) -> list[t.Value] | None:
    named = json.loads(view["columns"]) or (_USUAL if source in ("issues", "requests") else ())
    names = view["names"]
    return [query_parser.value(tx, text, source, kept_names.of(names, text)) for text in named] or None


def _sort(tx: Read, view: ViewRow, source: str) -> str | None:
    """The field that is sorted by, in a form that needs no remembered names."""
    if not view["sort"]:
        return None
    field = view["sort"].removeprefix("-")
    value = query_parser.value(tx, field, source, kept_names.of(view["names"], field))
    return f"{'-' if field != view['sort'] else ''}{normal(value)}"


def _digest(value: Any) -> str:
    """Rows are put in it by their own order: what moves up because it was touched is no other result."""
    return hashlib.sha256(_plain(value).encode()).hexdigest()[:32]


def _plain(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


class _Words:
    """Cells as texts: people by name, moments in the receiver's zone."""

    def __init__(self, tx: Read, columns: list[TqlColumn], rows: list[list[Any]]) -> None:
        self._columns = columns
        self._rows = rows
        self._zone: zoneinfo.ZoneInfo = zones.of_caller(tx)
        held = {one for row in rows for cell in row for one in (cell if isinstance(cell, list) else [cell])}
        ids = [one for one in held if isinstance(one, str) and one.startswith("m_")]
        known = tx.all(
            "select id, name from member where id in (select value from json_each(:ids))", ids=json_array(ids)
        )
        self._people = {row["id"]: row["name"] for row in known}

    def cells(self) -> list[list[str]]:
        return [
            [self._text(column["kind"], cell) for column, cell in zip(self._columns, row, strict=True)]
            for row in self._rows
        ]

    def _text(self, kind: str, cell: Any) -> str:
        if isinstance(cell, list):
            return ", ".join(self._text(kind, one) for one in cell)
        if cell is None:
            return ""
        if isinstance(cell, bool):
            return "yes" if cell else "no"
        if kind == "time" and isinstance(cell, int):
            return datetime.datetime.fromtimestamp(cell, self._zone).strftime("%Y-%m-%d %H:%M")
        if kind == "duration" and isinstance(cell, int | float):
            return _long(int(cell))
        text = " ".join(str(self._people.get(cell, cell)).split())
        return text if len(text) <= _CELL_CHARS else text[:_CELL_CHARS] + "…"


def _long(seconds: int) -> str:
    """`3 d 4 h`, `25 min`: the two largest units."""
    parts = []
    for unit, size in (("d", 86400), ("h", 3600), ("min", 60)):
        number, seconds = divmod(seconds, size)
        parts += [f"{number} {unit}"] if number else []
    return " ".join(parts[:2]) or "0 min"
