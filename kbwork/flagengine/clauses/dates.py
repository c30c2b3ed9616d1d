"""Instants: Unix milliseconds, or RFC 3339 text, by integer arithmetic so that every language agrees."""

import re
from typing import Any

from kbwork.flagengine.json_values import is_number

_TEXT = re.compile(
    r"([0-9]{4})-([0-9]{2})-([0-9]{2})[Tt]([0-9]{2}):([0-9]{2}):([0-9]{2})"
    r"(?:\.([0-9]+))?(?:[Zz]|([+-])([0-9]{2}):([0-9]{2}))"
)
_LENGTHS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def instant(value: Any) -> int | float | None:
    """Milliseconds since 1970; None where it is no date."""
    if is_number(value):
        number: int | float = value
        return number
    found = _TEXT.fullmatch(value) if type(value) is str else None
    if found is None:
        return None
    year, month, day, hour, minute, second = (int(part) for part in found.groups()[:6])
    offset_h, offset_m = int(found[9] or 0), int(found[10] or 0)
    if not (1 <= month <= 12 and 1 <= day <= _length(year, month)):
        return None
    if max(hour, offset_h) > 23 or max(minute, second, offset_m) > 59:
        return None
    offset = (offset_h * 60 + offset_m) * (-1 if found[8] == "-" else 1)
    minutes = (_days(year, month, day) * 24 + hour) * 60 + minute - offset
    return (minutes * 60 + second) * 1000 + int((found[7] or "0")[:3].ljust(3, "0"))


def _length(year: int, month: int) -> int:
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return 29 if month == 2 and leap else _LENGTHS[month - 1]


def _days(year: int, month: int, day: int) -> int:
    """Days since 1970-01-01 in the Gregorian calendar, which is taken to have held always.

    The year is counted from March, so that the leap day is its last one, in eras of 400 years.
    """
    counted = year - (month <= 2)
    era, year_of_era = divmod(counted, 400)
    day_of_year = (153 * ((month + 9) % 12) + 2) // 5 + day - 1
    day_of_era = year_of_era * 365 + year_of_era // 4 - year_of_era // 100 + day_of_year
    return era * 146_097 + day_of_era - 719_468
