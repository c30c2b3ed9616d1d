"""When who is on call: turns laid out on the calendar of the rota's zone, and cut where somebody stands in. Pure."""

import datetime
import zoneinfo
from collections.abc import Iterable

from kbwork.base.dataclasses import dataclass, replace
from kbwork.base.patterns import pattern

DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
HANDOVER = pattern(r"(mon|tue|wed|thu|fri|sat|sun) ([01][0-9]|2[0-3]):([0-5][0-9])\Z")
HOURS = pattern(r"([01][0-9]|2[0-3]):([0-5][0-9])-([01][0-9]|2[0-3]|24):([0-5][0-9])\Z")


@dataclass(frozen=True, slots=True)
class ShiftSpan:
    """Somebody is on call on a level from one moment to another (Unix seconds, the end is exclusive)."""

    level: int
    member: str
    from_at: int
    to_at: int
    override: bool = False


@dataclass(frozen=True, slots=True)
class Turns:
    """One level: members change every `weeks` weeks at `handover`, the first turn in the week of `since`.

    `hours` (`09:00-17:00`) narrows each day; an end at or before the start lies on the next day.
    """

    level: int
    members: tuple[str, ...]
    handover: str
    weeks: int
    hours: str | None
    since: int
    zone: str


def laid_out(turns: Turns, from_at: int, to_at: int) -> list[ShiftSpan]:
    """The shifts of a level that touch this time, oldest first, cut to it."""
    if not turns.members:
        return []
    zone = zoneinfo.ZoneInfo(turns.zone)
    first = _first(turns, zone)
    length = datetime.timedelta(weeks=turns.weeks)
    number = max(0, (datetime.datetime.fromtimestamp(from_at, zone).date() - first.date()) // length - 1)
    found: list[ShiftSpan] = []
    while (begin := _moment(first + number * length, zone)) < to_at:
        end = _moment(first + (number + 1) * length, zone)
        member = turns.members[number % len(turns.members)]
        found += [ShiftSpan(turns.level, member, a, b) for a, b in _within(turns.hours, begin, end, zone)]
        number += 1
    return _cut(found, from_at, to_at)


def stood_in(spans: Iterable[ShiftSpan], others: Iterable[ShiftSpan]) -> list[ShiftSpan]:
    """Spans after somebody stood in: each of `others` takes its time on its level, a later one wins."""
    answer = list(spans)
    for other in others:
        answer = [piece for span in answer for piece in _around(span, other)] + [other]
    return sorted(answer, key=lambda span: (span.level, span.from_at))


def _first(turns: Turns, zone: zoneinfo.ZoneInfo) -> datetime.datetime:
    """The handover with which the first turn began, as wall time without a zone."""
    match = HANDOVER.match(turns.handover)
    assert match is not None
    since = datetime.datetime.fromtimestamp(turns.since, zone).replace(tzinfo=None)
    monday = since.date() - datetime.timedelta(days=since.weekday())
    day = monday + datetime.timedelta(days=DAYS.index(match[1]))
    at = datetime.datetime.combine(day, datetime.time(int(match[2]), int(match[3])))
    return at if at <= since else at - datetime.timedelta(weeks=1)


def _moment(wall: datetime.datetime, zone: zoneinfo.ZoneInfo) -> int:
    return int(wall.replace(tzinfo=zone).timestamp())


def _within(hours: str | None, begin: int, end: int, zone: zoneinfo.ZoneInfo) -> list[tuple[int, int]]:
    """The hours of each day of a turn; the whole turn where there are none."""
    if hours is None:
        return [(begin, end)]
    match = HOURS.match(hours)
    assert match is not None
    opens = datetime.timedelta(hours=int(match[1]), minutes=int(match[2]))
    closes = datetime.timedelta(hours=int(match[3]), minutes=int(match[4]))
    if closes <= opens:
        closes += datetime.timedelta(days=1)
    day = datetime.datetime.fromtimestamp(begin, zone).date() - datetime.timedelta(days=1)
    found: list[tuple[int, int]] = []
    while True:
        midnight = datetime.datetime.combine(day, datetime.time())
        start = max(begin, _moment(midnight + opens, zone))
        if start >= end:
            return found
        stop = min(end, _moment(midnight + closes, zone))
        if start < stop:
            found.append((start, stop))
        day += datetime.timedelta(days=1)


def _cut(spans: Iterable[ShiftSpan], from_at: int, to_at: int) -> list[ShiftSpan]:
    return [
        replace(span, from_at=max(span.from_at, from_at), to_at=min(span.to_at, to_at))
        for span in spans
        if span.to_at > from_at and span.from_at < to_at
    ]


def _around(span: ShiftSpan, other: ShiftSpan) -> list[ShiftSpan]:
    """What is left of a span beside another of its level."""
    if span.level != other.level or span.to_at <= other.from_at or span.from_at >= other.to_at:
        return [span]
    left = []
    if span.from_at < other.from_at:
        left.append(replace(span, to_at=other.from_at))
    if span.to_at > other.to_at:
        left.append(replace(span, from_at=other.to_at))
    return left
