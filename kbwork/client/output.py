"""How answers and refusals look on a terminal, in a file and in a pipe."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import unicodedata
from typing import Any, NamedTuple

from kbwork.client.argv import UsageError
from kbwork.client.columns import cell, cell_of_kind, chosen_columns, is_empty
from kbwork.client.suggest import nearest
from kbwork.client.things import known_of, naming_of, texts_of

_HIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
"""What would move the cursor, change colours or turn the order of what follows."""
NAMED_BY = ("key", "id", "name", "slug", "token", "seq", "subject", "who")
"""The field whose value `-o ids` prints: the first of them that is there."""
_CELL = 48
_ONE_LINE = {ord("\n"): " ", ord("\t"): " "}


class QueryTable(NamedTuple):
    """The rows of a query, each a list of cells under `titles`; `kinds` say what the cells of a column hold."""

    titles: list[str]
    kinds: list[str]
    rows: list[list[Any]]
    subjects: list[str] | None
    """What each row is; None where rows are groups."""

    def cells(self) -> list[list[str]]:
        """The rows as texts."""
        return [[cell_of_kind(self.kinds[at], value) for at, value in enumerate(row)] for row in self.rows]

    def names(self) -> list[str]:
        """What names each row: its subject, of a group what stands first in it."""
        return [row[0] for row in self.cells()] if self.subjects is None else self.subjects


def show_answer(
    value: Any, style: str, width: int | None, *, colours: bool = False, columns: list[str] | None = None
) -> str:
    """The text for an answer, with its line end. `width` in columns; None: nothing is cut.

    `columns`: those of a table that were chosen, and are all shown.
    """
    if style == "json":
        return _shown_json(json.dumps(value, ensure_ascii=False, indent=2)) + "\n"
    asked = query_table(value)
    if asked is not None:
        return _query_answer(asked, style, width, colours=colours)
    if style not in ("ids", "csv") and (board := _board_columns(value)) is not None:
        return _board(board, width, colours=colours)
    rows = rows_of(value)
    if style in ("ids", "csv"):
        return _csv(rows) if style == "csv" else _lines([_name(row) for row in rows])
    if isinstance(value, dict) and rows[0:1] == [value]:
        return _thing(value, width, colours=colours)
    return _table(rows, width, colours=colours, columns=columns)


def show_things(things: list[dict[str, Any]], addresses: list[str], outcome: str = "") -> str:
    """A line for each: what came of it where that is said, what names it, and its address."""
    lines = [(outcome, _title(thing), addresses[at]) for at, thing in enumerate(things)]
    return _lines(["  ".join(part for part in line if part) for line in lines])


def _title(thing: dict[str, Any]) -> str:
    """What names a thing, in one line."""
    return "  ".join(cell(name, thing[name]) for name in naming_of(thing) or ()).translate(_ONE_LINE)


def _thing(thing: dict[str, Any], width: int | None, *, colours: bool) -> str:
    """What names it, what is known of it, and its text; all that it holds, where it has no name."""
    if naming_of(thing) is None:
        return _pairs(thing, width, colours=colours)
    parts = [f"{bold(plain(_title(thing)), colours)}\n{_pairs(known_of(thing), width, colours=colours)}"]
    return "\n".join([*parts, *(f"{plain(text)}\n" for text in texts_of(thing))])


def rows_of(value: Any) -> list[Any]:
    """A list, a page's items, or the one answer."""
    if isinstance(value, list):
        return value
    if isinstance(value, dict) and isinstance(value.get("items"), list) and "next" in value:
        found: list[Any] = value["items"]
        return found
    board = _board_columns(value)
    return [value] if board is None else [issue for column in board for issue in column["issues"]]


def _board_columns(value: Any) -> list[dict[str, Any]] | None:
    """The columns of what is on a board; None for an answer of any other shape."""
    if not isinstance(value, dict) or value.keys() != {"columns", "swimlanes"}:
        return None
    found: list[dict[str, Any]] = value["columns"]
    return found


def _board(board: list[dict[str, Any]], width: int | None, *, colours: bool) -> str:
    """A table of each column below its name, its number of issues, and the sum of their estimates."""
    return "\n".join(_board_column(column, width, colours=colours) for column in board)


def _board_column(column: dict[str, Any], width: int | None, *, colours: bool) -> str:
    said = [f"{column['count']} issue{'' if column['count'] == 1 else 's'}"]
    said += [f"estimate {column['estimate']:g}"] if column["estimate"] else []
    said += ["over the limit"] if column["over_limit"] else []
    head = f"{bold(plain(column['name']), colours)}  {', '.join(said)}\n"
    more = column["count"] - len(column["issues"])
    rest = f"{more} more: --cursor {column['next']}\n" if column["next"] else ""
    table = _table(column["issues"], width, colours=colours) if column["issues"] else ""
    return head + table + rest


def joined(pages: list[Any]) -> Any:
    """One answer of several pages: their rows in order, and where to go on as the last says."""
    if len(pages) == 1:
        return pages[0]
    whole = {**pages[0], "next": pages[-1]["next"]}
    for name in {"items", "rows", "subjects"} & whole.keys():
        if isinstance(whole[name], list):
            whole[name] = [row for page in pages for row in page[name]]
    return whole


def narrowed(value: Any, columns: list[str]) -> Any:
    """The answer with these fields alone, in this order. Raises UsageError for one that no row has."""
    if query_table(value) is not None:
        raise UsageError("A query names its columns itself: select key, title")
    rows = [row for row in rows_of(value) if isinstance(row, dict)]
    known = sorted({name for row in rows for name in row})
    if wrong := [name for name in columns if rows and name not in known]:
        meant = nearest(wrong[0], known) or f" There are {', '.join(known)}."
        raise UsageError(f"--columns: there is no {wrong[0]!r}.{meant}")
    kept = [{name: row.get(name) for name in columns} for row in rows]
    if isinstance(value, list) or _board_columns(value) is not None:
        return kept
    return kept[0] if rows == [value] else {**value, "items": kept}


def query_table(value: Any) -> QueryTable | None:
    """What a query found; None for an answer of any other shape."""
    if not isinstance(value, dict) or not {"columns", "rows", "subjects"} <= value.keys():
        return None
    columns = value["columns"]
    titles, kinds = [one["title"] for one in columns], [one["kind"] for one in columns]
    return QueryTable(titles, kinds, value["rows"], value["subjects"])


def remarks_of(value: Any) -> list[str]:
    """What is to be known beside the rows, as sentences: what a query says of them, and where the next page is."""
    if not isinstance(value, dict):
        return []
    asked = query_table(value) is not None
    said = _query_remarks(value) if asked else []
    following = value.get("next") if asked or "items" in value else None
    return [*said, f"There is more: --cursor {following}"] if following else said


def show_refusal(
    title: str,
    detail: str,
    errors: list[dict[str, Any]],
    *,
    colours: bool = False,
    sent: dict[str, Any] | None = None,
) -> str:
    """What a person reads of a problem: its title, what to mend, and each field that does not fit; all once.

    Where a fault has a place in a text that was `sent`, its line is shown with the place marked below.
    """
    fields = [(f"{error.get('path') or 'input'}: {error.get('message')}", error) for error in errors]
    lines = [bold(plain(title), colours, "1;31")]
    if detail and not any(detail in (text, error.get("message")) for text, error in fields):
        lines.append(plain(detail))
    for text, error in fields:
        lines.append(plain(f"  {text}"))
        lines += _marked((sent or {}).get(str(error.get("path"))), error)
        allowed = [str(each) for each in error.get("allowed") or () if str(each) not in text]
        if allowed:
            lines.append(plain(f"    allowed: {', '.join(map(str, error['allowed']))}"))
    return "\n".join(lines) + "\n"


def _marked(text: Any, error: dict[str, Any]) -> list[str]:
    """The line of a text that a fault is in, a mark under its place, and what to write there instead."""
    place: list[Any] = [error.get(name) for name in ("line", "column", "length")]
    if not (isinstance(text, str) and all(isinstance(number, int) for number in place)):
        return []
    line, column, length = place
    shown = [*text.split("\n"), ""][line - 1 :][:1] or [""]
    whole = plain(shown[0].translate(_ONE_LINE))
    before, word = whole[: column - 1], whole[column - 1 : column - 1 + length]
    fixes = [plain(f"    write: {one['with']}") for one in error.get("suggestions") or () if one.get("with")]
    return [f"    {whole}", "    " + " " * _wide(before) + "^" * max(1, _wide(word)), *fixes]


def bold(text: str, colours: bool, code: str = "1") -> str:
    return f"\x1b[{code}m{text}\x1b[0m" if colours else text


def coloured(tty: bool) -> bool:
    """Whether colours are wanted: on a terminal, unless NO_COLOR says otherwise."""
    return tty and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def plain(text: str) -> str:
    """Without characters that a terminal would obey."""
    return _HIDDEN.sub("\N{REPLACEMENT CHARACTER}", text)


def _query_remarks(value: dict[str, Any]) -> list[str]:
    notes = [f"{one['title']}: {one['note']}" for one in value["columns"] if one.get("note")]
    hidden = [f"{value['hidden']} more fit that you do not see."] if value.get("hidden") else []
    return [*value.get("notices", ()), *notes, *hidden]


def _query_answer(asked: QueryTable, style: str, width: int | None, *, colours: bool) -> str:
    """All columns, in the order in which they were asked for, whatever they hold."""
    if style == "ids":
        return _lines(asked.names())
    if style == "csv":
        return _csv_text(asked.titles, asked.rows)
    return _aligned(asked.titles, asked.cells(), width, colours=colours)


def _shown_json(text: str) -> str:
    return _HIDDEN.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def _name(row: Any) -> str:
    if not isinstance(row, dict):
        return cell("", row)
    return next((str(row[name]) for name in NAMED_BY if row.get(name) is not None), json.dumps(row))


def _lines(texts: list[str]) -> str:
    return "".join(f"{plain(text)}\n" for text in texts)


def _csv(rows: list[Any]) -> str:
    table = [row if isinstance(row, dict) else {"value": row} for row in rows]
    columns = list(dict.fromkeys(name for row in table for name in row))
    return _csv_text(columns, [[row.get(name) for name in columns] for row in table])


def _csv_text(columns: list[str], rows: list[list[Any]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    if columns:
        writer.writerow(columns)
    writer.writerows([_csv_cell(value) for value in row] for row in rows)
    return text.getvalue()


def _csv_cell(value: Any) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _pairs(value: dict[str, Any], width: int | None, *, colours: bool) -> str:
    """A line a field that holds something; a list of objects is a table below."""
    below = {name: inner for name, inner in value.items() if _is_table(inner)}
    texts = {
        name: cell(name, inner) for name, inner in value.items() if not is_empty(inner) and name not in below
    }
    widest = max((len(name) for name, text in texts.items() if text), default=0)
    lines = []
    for name, text in texts.items():
        if text:
            label = bold(plain(name), colours) + " " * (widest - len(name))
            indented = text.replace("\n", "\n" + " " * (widest + 2))
            lines.append(f"{label}  {plain(indented)}".rstrip())
    parts = ["".join(f"{line}\n" for line in lines)] if lines else []
    parts += [
        f"{bold(plain(name), colours)}\n{_table(inner, width, colours=colours)}"
        for name, inner in below.items()
    ]
    return "\n".join(parts)


def _is_table(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(each, dict) for each in value)


def _table(rows: list[Any], width: int | None, *, colours: bool, columns: list[str] | None = None) -> str:
    table = [row if isinstance(row, dict) else {"": row} for row in rows]
    columns = columns or chosen_columns(table)
    texts = [[cell(name, row.get(name)) for name in columns] for row in table]
    return _aligned(columns, texts, width, colours=colours)


def _aligned(heads: list[str], texts: list[list[str]], width: int | None, *, colours: bool) -> str:
    """Columns side by side under their heads, as many as fit; no line of heads where they say nothing."""
    grid = [[plain(text.translate(_ONE_LINE)) for text in row] for row in [heads, *texts]]
    if width is not None:
        grid = [[_cut(text, _CELL) for text in row] for row in grid]
    wide = [max(_wide(row[at]) for row in grid) for at in range(len(heads))]
    fit = _fitting(wide, width)
    lines = ["  ".join(_padded(row[at], wide[at]) for at in range(fit)).rstrip() for row in grid]
    lines[0] = bold(lines[0], colours)
    if heads in ([], [""]):
        lines = lines[1:]
    return "".join(f"{line}\n" for line in lines)


def _fitting(wide: list[int], width: int | None) -> int:
    """How many columns stand side by side: one at least."""
    total = 0
    for at, each in enumerate(wide):
        total += each + (2 if at else 0)
        if width is not None and total > width and at:
            return at
    return len(wide)


def _wide(text: str) -> int:
    """Columns on a terminal: East Asian characters take two, combining ones none."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(sign) else 2 if unicodedata.east_asian_width(sign) in "WF" else 1
        for sign in text
    )


def _cut(text: str, most: int) -> str:
    if _wide(text) <= most:
        return text
    while _wide(text) >= most:
        text = text[:-1]
    return text + "…"


def _padded(text: str, wide: int) -> str:
    return text + " " * (wide - _wide(text))
