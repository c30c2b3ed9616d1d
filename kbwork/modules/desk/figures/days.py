"""Ranges of days as desks count them: in the zone of the org."""

import datetime
from typing import NamedTuple

from kbwork.base.errors import InvalidInput
from kbwork.core import zones
from kbwork.db.tx import Read

MOST_DAYS = 3660
_USUAL_DAYS = 30


class DaySpan(NamedTuple):
    """From the first moment of a day up to the end of another."""

    begin: int
    end: int
    """The first moment behind it."""


def span(tx: Read, from_: str | None, to: str | None) -> DaySpan:
    """The days that are named; the last thirty where none are. Raises InvalidInput."""
    zone = zones.of_org(tx)
    last = datetime.date.fromisoformat(to) if to else datetime.datetime.fromtimestamp(tx.now, zone).date()
    first = (
        datetime.date.fromisoformat(from_)
        if from_
        else last - datetime.timedelta(days=min(_USUAL_DAYS, last.toordinal()) - 1)
    )
    if first > last:
        raise InvalidInput("`from` is not behind `to`.", field="from")
    if (last - first).days >= MOST_DAYS:
        raise InvalidInput(f"Ask for {MOST_DAYS} days at most.", field="from")
    if last == datetime.date.max or first.year < 1970:
        raise InvalidInput("Name a day from 1970 to 9999-12-30.", field="from" if first.year < 1970 else "to")
    behind = last + datetime.timedelta(days=1)
    return DaySpan(
        *(int(datetime.datetime.combine(day, datetime.time(), zone).timestamp()) for day in (first, behind))
    )


def week(at: int, tx: Read) -> str:
    """The Monday of the week that a moment is in."""
    day = datetime.datetime.fromtimestamp(at, zones.of_org(tx)).date()
    return (day - datetime.timedelta(days=day.weekday())).isoformat()
