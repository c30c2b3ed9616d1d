"""Times and days in the forms in which tools write them."""

import re
from datetime import UTC, date, datetime, timedelta, timezone

from kbwork.base.dataclasses import dataclass
from kbwork.base.patterns import pattern
from kbwork.modules.imports.records import MAX_TIME

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_CLOCK = r"(?:[T ,]+(?:at +)?(?P<h>\d{1,2}):(?P<i>\d\d)(?::(?P<s>\d\d)(?:[.,]\d{1,9})?)? *(?P<ap>[AaPp]\.?[Mm]\.?)?)?"
_ZONE = r" *(?P<zone>Z|z|UTC|GMT|(?:UTC|GMT)? *[+-]\d\d(?::?\d\d)?)?(?: *\([^()]{0,60}\))?"
_WEEKDAY = r"(?:[A-Za-z]{3,9},? +)?"
_FORMS = tuple(
    pattern(f"{day}{_CLOCK}{_ZONE}\\Z")
    for day in (
        r"(?P<y>\d{4})-(?P<m>\d{1,2})-(?P<d>\d{1,2})",
        r"(?P<y>\d{4})[/.](?P<m>\d{1,2})[/.](?P<d>\d{1,2})",
        r"(?P<d>\d{1,2})\.(?P<m>\d{1,2})\.(?P<y>\d{4}|\d\d)",
        r"(?P<a>\d{1,2})[/-](?P<b>\d{1,2})[/-](?P<y>\d{4}|\d\d)",
        rf"{_WEEKDAY}(?P<d>\d{{1,2}})[/ -](?P<mon>[A-Za-z]{{3,9}})\.?,?[/ -](?P<y>\d{{4}}|\d\d)",
        rf"{_WEEKDAY}(?P<mon>[A-Za-z]{{3,9}})\.? +(?P<d>\d{{1,2}}),? +(?P<y>\d{{4}})",
    )
)
_UNIX = pattern(r"\d{9,10}\Z|\d{13}\Z")
_LONGEST = 100


@dataclass(frozen=True, slots=True)
class SourceTime:
    """A time as it was written. `day` is the one of its own zone; `at` reads a time without zone as UTC."""

    at: int
    day: str
    zoned: bool


def moment(text: str) -> int | None:
    """Unix seconds of a text of ISO 8601; None for what is no time from 1970 to 9999."""
    try:
        found = datetime.fromisoformat(text.strip())
        at = int((found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp())
    except (ValueError, OverflowError):
        return None
    return at if 0 <= at <= MAX_TIME else None


def order(text: str) -> str | None:
    """Of a day in slashes: `d/m` or `m/d` where only one can be, `?` where both can, None for other texts."""
    found = _FORMS[3].match(text.strip()) if len(text) <= _LONGEST else None
    if found is None:
        return None
    first, second = int(found["a"]), int(found["b"])
    if first == second:
        return None
    if first > 12:
        return "d/m"
    return "m/d" if second > 12 else "?"


def read(text: str, order: str = "m/d") -> SourceTime | None:
    """Any usual form; `order` is for days in slashes. None for what is no time from 1970 to 9999."""
    text = text.strip()
    if len(text) > _LONGEST:
        return None
    if _UNIX.match(text):
        return _moment(datetime.fromtimestamp(int(text) // (1000 if len(text) == 13 else 1), UTC), zoned=True)
    for form in _FORMS:
        if found := form.match(text):
            try:
                return _read(found, order)
            except (ValueError, OverflowError):
                return None
    return None


def _read(found: re.Match[str], order: str) -> SourceTime:
    parts = found.groupdict()
    day = _day(parts, order)
    hour = int(parts["h"] or 0)
    if parts["ap"]:
        if not 1 <= hour <= 12:
            raise ValueError("no such hour")
        hour = hour % 12 + (12 if parts["ap"][0] in "pP" else 0)
    zone = _zone(parts["zone"])
    at = datetime(
        *(day.year, day.month, day.day, hour, int(parts["i"] or 0), int(parts["s"] or 0)), tzinfo=zone or UTC
    )
    return _moment(at, zoned=zone is not None or parts["h"] is None)


def _day(parts: dict[str, str | None], order: str) -> date:
    year = int(parts["y"] or "")
    if year < 100:
        year += 2000 if year < 70 else 1900
    if parts.get("a"):
        first, second = int(parts["a"] or ""), int(parts["b"] or "")
        day, month = (first, second) if order == "d/m" else (second, first)
        return date(year, month, day)
    named = parts.get("mon")
    month = _MONTHS.index(named[:3].lower()) + 1 if named else int(parts["m"] or "")
    return date(year, month, int(parts["d"] or ""))


def _zone(text: str | None) -> timezone | None:
    if not text:
        return None
    shift = re.search(r"([+-])(\d\d):?(\d\d)?\Z", text)
    if shift is None:
        return UTC
    away = timedelta(hours=int(shift[2]), minutes=int(shift[3] or 0))
    return timezone(-away if shift[1] == "-" else away)


def _moment(found: datetime, *, zoned: bool) -> SourceTime:
    at = int(found.timestamp())
    if not 0 <= at <= MAX_TIME:
        raise ValueError("out of range")
    return SourceTime(at, found.date().isoformat(), zoned)
