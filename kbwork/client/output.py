"""How answers and refusals look on a terminal, in a file and in a pipe."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import unicodedata
from typing import Any

from kbwork.client.columns import cell, chosen_columns, is_empty

_HIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
"""What would move the cursor, change colours or turn the order of what follows."""
_NAMES = ("key", "id", "name", "slug", "token")
_CELL = 48
_ONE_LINE = {ord("\n"): " ", ord("\t"): " "}


def show_answer(value: Any, style: str, width: int | None, *, colours: bool = False) -> str:
    """The text for an answer, with its line end. `width` in columns; None: nothing is cut."""
    if style == "json":
        return _shown_json(json.dumps(value, ensure_ascii=False, indent=2)) + "\n"
    rows = rows_of(value)
    if style == "ids":
        return "".join(f"{plain(_name(row))}\n" for row in rows)
    if style == "csv":
        return _csv(rows)
    if isinstance(value, dict) and rows[0:1] == [value]:
        return _pairs(value, width, colours=colours)
    return _table(rows, width, colours=colours)


def rows_of(value: Any) -> list[Any]:
    """A list, a page's items, or the one answer."""
    if isinstance(value, list):
        return value
    if isinstance(value, dict) and isinstance(value.get("items"), list) and "next" in value:
        found: list[Any] = value["items"]
        return found
    return [value]


def more_of(value: Any) -> str:
    """Where the next page is, as a sentence; empty where this is all."""
    following = value.get("next") if isinstance(value, dict) and "items" in value else None
    return f"There is more: --cursor {following}" if following else ""


def show_refusal(title: str, detail: str, errors: list[dict[str, Any]], *, colours: bool = False) -> str:
    """What a person reads of a problem: its title, what to mend, and each field that does not fit; all once."""
    fields = [(f"{error.get('path') or 'input'}: {error.get('message')}", error) for error in errors]
    lines = [bold(plain(title), colours, "1;31")]
    if detail and not any(detail in (text, error.get("message")) for text, error in fields):
        lines.append(plain(detail))
    for text, error in fields:
        lines.append(plain(f"  {text}"))
        allowed = [str(each) for each in error.get("allowed") or () if str(each) not in text]
        if allowed:
            lines.append(plain(f"    allowed: {', '.join(map(str, error['allowed']))}"))
    return "\n".join(lines) + "\n"


def bold(text: str, colours: bool, code: str = "1") -> str:
    return f"\x1b[{code}m{text}\x1b[0m" if colours else text


def coloured(tty: bool) -> bool:
    """Whether colours are wanted: on a terminal, unless NO_COLOR says otherwise."""
    return tty and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def plain(text: str) -> str:
    """Without characters that a terminal would obey."""
    return _HIDDEN.sub("\N{REPLACEMENT CHARACTER}", text)


def _shown_json(text: str) -> str:
    return _HIDDEN.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def _name(row: Any) -> str:
    if not isinstance(row, dict):
        return cell("", row)
    return next((str(row[name]) for name in _NAMES if row.get(name) is not None), json.dumps(row))


def _csv(rows: list[Any]) -> str:
    table = [row if isinstance(row, dict) else {"value": row} for row in rows]
    columns = list(dict.fromkeys(name for row in table for name in row))
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    if columns:
        writer.writerow(columns)
    for row in table:
        writer.writerow([_csv_cell(row.get(name)) for name in columns])
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


def _table(rows: list[Any], width: int | None, *, colours: bool) -> str:
    table = [row if isinstance(row, dict) else {"": row} for row in rows]
    columns = chosen_columns(table)
    cells = [[plain(cell(name, row.get(name)).translate(_ONE_LINE)) for name in columns] for row in table]
    if width is not None:
        cells = [[_cut(text, _CELL) for text in row] for row in cells]
    wide = [max([_wide(name)] + [_wide(row[at]) for row in cells]) for at, name in enumerate(columns)]
    fit = _fitting(wide, width)
    lines = [
        bold("  ".join(_padded(name, wide[at]) for at, name in enumerate(columns[:fit])).rstrip(), colours)
    ]
    lines += ["  ".join(_padded(row[at], wide[at]) for at in range(fit)).rstrip() for row in cells]
    if columns in ([], [""]):
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
