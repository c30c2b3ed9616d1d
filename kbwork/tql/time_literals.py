"""How times are written: dates, clocks, periods and lengths. What they mean in a zone is in `times`."""

import re
from datetime import date, datetime

from kbwork.base.patterns import pattern

Parts = tuple[tuple[int, str], ...]

_PART = pattern(r"([0-9]+)([a-z]+)")
_DAY_S = 86_400
_UNIT_S = {
    "min": 60,
    "h": 3_600,
    "d": _DAY_S,
    "wd": _DAY_S,
    "w": 7 * _DAY_S,
    "mo": 30 * _DAY_S,
    "q": 91 * _DAY_S,
    "y": 365 * _DAY_S,
}
LONGEST_S = 200 * 365 * _DAY_S
_WRITTEN = pattern(
    r"\d{4}-(\d\d(-\d\d(T\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:\d\d)?)?)?|W\d\d|Q\d)", re.ASCII | re.IGNORECASE
)
_OTHER_ORDER = pattern(r"(?P<day>\d{1,2})[./-](?P<month>\d{1,2})[./-](?P<year>\d{4})")
_BIG_FIRST = pattern(r"(?P<year>\d{4})[./-](?P<month>\d{1,2})[./-](?P<day>\d{1,2})")


def parts(text: str) -> Parts:
    """`2h30min` as ((2, h), (30, min))."""
    return tuple((int(count), unit) for count, unit in _PART.findall(text.lower()))


def seconds(length: Parts) -> int:
    """A length as such, away from any calendar: a month has 30 days, a quarter 91, a year 365."""
    return sum(count * _UNIT_S[unit] for count, unit in length)


def read(text: str) -> bool:
    """Whether this is written as a time is."""
    return _WRITTEN.fullmatch(text) is not None and wrong(text) is None


def year(text: str) -> bool:
    """Whether a number may be meant as a year."""
    return len(text) == 4 and text.isdecimal() and text > "0000"


def wrong(text: str) -> str | None:
    """Why this is no time although it looks like one, or None."""
    upper = text.upper()
    try:
        if "W" in upper:
            date.fromisocalendar(int(text[:4]), int(upper.split("W")[1]), 1)
        elif "Q" in upper:
            date(int(text[:4]), int(upper.split("Q")[1]) * 3, 1)
        elif len(text) == 7:
            date.fromisoformat(f"{text}-01")
        else:
            datetime.fromisoformat(upper)
    except ValueError:
        return f"There is no such time: {text}."
    return None


def rewritten(text: str) -> str | None:
    """A date in another writing (`31.12.2026`, `2026/1/5`) as it is written here, or None."""
    match = _OTHER_ORDER.fullmatch(text) or _BIG_FIRST.fullmatch(text)
    if match is None:
        return None
    day, month, year = (int(match[name]) for name in ("day", "month", "year"))
    if month > 12 and "/" in text:
        day, month = month, day
    try:
        return date(year, month, day).isoformat()
    except ValueError:
        return None
