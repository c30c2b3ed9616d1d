"""`{{...}}` in the texts of templates: what may stand there, and what becomes of it."""

import datetime
import re
from collections.abc import Callable
from typing import Any

from kbwork.base.errors import InvalidInput
from kbwork.base.text import did_you_mean

_PLACE = re.compile(r"\{\{\s*([^{}]{0,100}?)\s*\}\}")
_DAY = re.compile(r"today(?:\s*([+-])\s*(\d{1,4})\s*([dw]))?")
NAMES = ("title", "body", "me", "me.name", "project.key", "project.name", "today")


def rendered(value: Any, known: dict[str, str], today: datetime.date) -> Any:
    """The same value with its placeholders filled in, in texts however deep. Raises InvalidInput for an unknown one."""
    if isinstance(value, str):
        return _PLACE.sub(_filler(known, today), value)
    if isinstance(value, list):
        return [rendered(item, known, today) for item in value]
    if isinstance(value, dict):
        return {name: rendered(item, known, today) for name, item in value.items()}
    return value


def holds(text: Any, name: str) -> bool:
    """Whether a text has this placeholder in it."""
    return isinstance(text, str) and any(place[1] == name for place in _PLACE.finditer(text))


def _filler(known: dict[str, str], today: datetime.date) -> Callable[[re.Match[str]], str]:
    def fill(place: re.Match[str]) -> str:
        name = place[1]
        if name in known:
            return known[name]
        day = _DAY.fullmatch(name)
        if day is None:
            raise InvalidInput(
                f"There is no placeholder {{{{{name}}}}}.{did_you_mean(name, NAMES, '{{{{{}}}}}'.format)}",
                field="input",
                allowed=[f"{{{{{one}}}}}" for one in (*NAMES, "today+7d", "today-2w")],
            )
        return _later(today, day).isoformat()

    return fill


def _later(today: datetime.date, day: re.Match[str]) -> datetime.date:
    if day[1] is None:
        return today
    days = int(day[2]) * (7 if day[3] == "w" else 1)
    return today + datetime.timedelta(days=days if day[1] == "+" else -days)
