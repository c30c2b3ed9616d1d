"""The answers of a form as a browser sends them, and back into its fields."""

import datetime
import json
import math
from collections.abc import Callable
from typing import Any

from kbwork.api.pages.request import Form

Question = dict[str, Any]


def read(form: Form, fields: list[Question]) -> dict[str, Any]:
    """The values of the questions that were on the page, those left out where nothing was said."""
    asked = set(form.all("asked"))
    found = {}
    for one in fields:
        if one["key"] in asked:
            value = _value(form, one, f"v.{one['key']}")
            if value is not None:
                found[one["key"]] = value
    return found


def _value(form: Form, one: Question, name: str) -> Any:
    kind, text = one["kind"], form.text(name).strip()
    if kind == "multi_select":
        return form.all(name) or None
    if kind == "bool":
        return text == "on"
    if text and kind == "money":
        return {"amount": _number(text), "currency": form.text(f"{name}.currency").strip().upper()}
    return _READERS.get(kind, str)(text) if text else None


def _number(text: str) -> int | float | str:
    """What is none is sent as it is: the server says what would fit."""
    try:
        found = float(text.replace(",", "."))
    except ValueError:
        return text
    if not math.isfinite(found):
        return text
    return int(found) if found.is_integer() and abs(found) < 2**53 else found


def _moment(text: str) -> int | str:
    """In UTC, as the page says."""
    try:
        return int(datetime.datetime.fromisoformat(text).replace(tzinfo=datetime.UTC).timestamp())
    except ValueError:
        return text


def _path(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


_READERS: dict[str, Callable[[str], Any]] = {
    "number": _number,
    "duration": _number,
    "rating": _number,
    "datetime": _moment,
    "cascade": _path,
}
