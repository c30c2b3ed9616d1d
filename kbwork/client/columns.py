"""What of an answer a person wants to see in a table, and how a value reads in a cell."""

from __future__ import annotations

import json
import time
from collections.abc import Container
from typing import Any

_TITLED = ("key", "title", "status", "assignees", "priority", "updated_at")
"""What tells things apart that have a key and a title."""
_SAID_BY = {"id": ("key", "handle"), "lane": ("status",), "created_by": ("reporter", "author")}
"""Column -> those that say the same for people, where one of them is beside it."""
TEXTS = ("body", "description")
"""What is said at length: at the end of one thing, the last columns of a list."""
_TECHNICAL = frozenset(
    {"body_doc", "can", "seq", "rank", "level_no", "lane", "category", "avatar", "icon", "color", "external"}
    | {"path", "status_at"}
)
"""Of a thing: what the web app and programs ask for, and nobody reads."""
_LISTED = 3
_UNITS = (("d", 86400), ("h", 3600), ("min", 60))
_EMPTY: tuple[Any, ...] = (None, "", [], {})


def chosen_columns(rows: list[dict[str, Any]]) -> list[str]:
    """The columns that are worth their place: those that hold something, and no objects where it can be told."""
    used = [name for name in dict.fromkeys(name for row in rows for name in row) if _used(rows, name)]
    if {"key", "title"} <= set(used):
        return [name for name in _TITLED if name in used]
    simple = [name for name in used if not any(_holds_objects(_told(row.get(name))) for row in rows)]
    known = dict.fromkeys(simple)
    told = [name for name in simple if not is_technical(name, known)]
    return sorted(told or used, key=lambda name: name in TEXTS)


def is_technical(name: str, beside: Container[str]) -> bool:
    """Whether a field says nothing to people, or what another one beside it says better."""
    return name in _TECHNICAL or any(other in beside for other in _SAID_BY.get(name, ()))


def cell(name: str, value: Any) -> str:
    """The text for the value of a field of this name; empty where there is nothing to say."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int) and (name == "at" or name.endswith("_at")):
        return _moment(value)
    if isinstance(value, list):
        return _listed(name, value)
    if isinstance(value, dict):
        return _switches(value) or _object(value)
    return f"@{value}" if name == "handle" and value else str(value)


def cell_of_kind(kind: str, value: Any) -> str:
    """The text for a value of a column that says what its cells hold, such as `time` or `duration` (seconds)."""
    if isinstance(value, list):
        return ", ".join(cell_of_kind(kind, each) for each in value)
    if kind == "time" and isinstance(value, int):
        return _moment(value)
    if kind == "duration" and isinstance(value, (int, float)):
        return _length(int(value))
    return cell("", value)


def is_empty(value: Any) -> bool:
    """Whether there is nothing in it. No and zero are something."""
    return isinstance(value, (str, list, dict, type(None))) and value in _EMPTY


def _used(rows: list[dict[str, Any]], name: str) -> bool:
    return not all(is_empty(row.get(name)) for row in rows)


def _holds_objects(value: Any) -> bool:
    return isinstance(value, dict) or (
        isinstance(value, list) and any(isinstance(each, (dict, list)) for each in value)
    )


def _moment(seconds: int) -> str:
    """`2026-11-20 12:23` of this machine's clock; the number where no calendar has it."""
    try:
        return time.strftime("%Y-%m-%d %H:%M", time.localtime(seconds))
    except (OverflowError, OSError, ValueError):
        return str(seconds)


def _length(seconds: int) -> str:
    """`3 d 4 h`, `25 min`: the two largest units."""
    left = abs(seconds)
    parts = []
    for unit, size in _UNITS:
        count, left = divmod(left, size)
        parts += [f"{count} {unit}"] if count else []
    return ("-" if parts and seconds < 0 else "") + (" ".join(parts[:2]) or "0 min")


def _listed(name: str, entries: list[Any]) -> str:
    if len(entries) > _LISTED:
        return f"{len(entries)} {name}"
    if _holds_objects(entries):
        return json.dumps(entries, ensure_ascii=False)
    return ", ".join(str(each) for each in entries)


def _told(value: Any) -> Any:
    """A text for what reads well in a cell though it holds objects."""
    return (_switches(value) or value) if isinstance(value, dict) else value


def _switches(value: dict[str, Any]) -> str:
    """`test on, production off` for what is on or off in each of several places; else nothing."""
    if not all(isinstance(inner, dict) and isinstance(inner.get("on"), bool) for inner in value.values()):
        return ""
    return ", ".join(f"{name} {'on' if inner['on'] else 'off'}" for name, inner in value.items())


def _object(value: dict[str, Any]) -> str:
    """What holds in it: `watchers 1, open`. What is off, zero or empty says nothing."""
    if any(_holds_objects(inner) for inner in value.values()):
        return json.dumps(value, ensure_ascii=False)
    said = {name: inner for name, inner in value.items() if inner and not is_empty(inner)}
    return ", ".join(name if inner is True else f"{name} {cell(name, inner)}" for name, inner in said.items())
