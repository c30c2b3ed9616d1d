"""Times as cron writes them: minute, hour, day of the month, month, day of the week."""

import datetime
import zoneinfo
from collections.abc import Iterator

from kbwork.base.dataclasses import dataclass
from kbwork.base.errors import InvalidInput

_DAYS = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_NO_NAMES: dict[str, int] = {}
_PARTS = (
    ("minute", 0, 59, _NO_NAMES),
    ("hour", 0, 23, _NO_NAMES),
    ("day of the month", 1, 31, _NO_NAMES),
    ("month", 1, 12, {name: number + 1 for number, name in enumerate(_MONTHS)}),
    ("day of the week", 0, 7, {name: number for number, name in enumerate(_DAYS)}),
)
_HOURS = 24
_AHEAD_DAYS = 8 * 366 + 1
"""From one 29 February to the next there may be eight years."""


@dataclass(frozen=True, slots=True)
class CronTimes:
    """The times of one text. Where both sorts of days are named, either fits, as cron has it."""

    minutes: frozenset[int]
    hours: frozenset[int]
    days: frozenset[int]
    months: frozenset[int]
    weekdays: frozenset[int]
    either: bool

    def on(self, day: datetime.date) -> bool:
        """Whether this is one of its days."""
        if day.month not in self.months:
            return False
        of_month, of_week = day.day in self.days, day.isoweekday() % 7 in self.weekdays
        return of_month or of_week if self.either else of_month and of_week


def read(text: str, path: str) -> CronTimes:
    """Raises InvalidInput at `path`, saying which part is wrong."""
    words = text.lower().split()
    if len(words) != len(_PARTS):
        raise InvalidInput(
            "Write five parts: minute, hour, day of the month, month, day of the week, as `0 9 * * mon-fri`.",
            field=path,
        )
    sets = [_numbers(word, part, path) for word, part in zip(words, _PARTS, strict=True)]
    weekdays = frozenset(number % 7 for number in sets[4])
    either = not words[2].startswith("*") and not words[4].startswith("*")
    return CronTimes(sets[0], sets[1], sets[2], sets[3], weekdays, either)


def _numbers(word: str, part: tuple[str, int, int, dict[str, int]], path: str) -> frozenset[int]:
    name, low, high, names = part
    found: set[int] = set()
    for piece in word.split(","):
        span, _, step_text = piece.partition("/")
        first_text, dash, last_text = span.partition("-")
        step = _number(step_text, _NO_NAMES) if "/" in piece else 1
        first = low if span == "*" else _number(first_text, names)
        last = _number(last_text, names) if dash else high if span == "*" or "/" in piece else first
        if first is None or last is None or step is None or step < 1 or not low <= first <= last <= high:
            raise InvalidInput(
                f"{piece[:50]!r} is no {name}: write numbers from {low} to {high}, as `5`, `1-5`, `*/15` or `1,15`.",
                field=path,
            )
        found.update(range(first, last + 1, step))
    return frozenset(found)


def _number(text: str, names: dict[str, int]) -> int | None:
    if text in names:
        return names[text]
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 2 else None


def following(times: CronTimes, after: int, zone: zoneinfo.ZoneInfo) -> int | None:
    """The first of these times behind `after`, in Unix seconds; None where none comes.

    A time that the clocks leap over comes as much later as they leap; one that they show twice comes the first time,
    but for times of every hour, which come in both.
    """
    day = datetime.datetime.fromtimestamp(after, zone).date()
    for _ in range(_AHEAD_DAYS):
        if times.on(day):
            later = [moment for moment in _moments(times, day, zone) if moment > after]
            if later:
                return min(later)
        day += datetime.timedelta(days=1)
    return None


def _moments(times: CronTimes, day: datetime.date, zone: zoneinfo.ZoneInfo) -> Iterator[int]:
    """Those of a day that is one of its days, in no order."""
    for hour in times.hours:
        for minute in times.minutes:
            shown = datetime.datetime.combine(day, datetime.time(hour, minute), zone)
            first, again = int(shown.timestamp()), int(shown.replace(fold=1).timestamp())
            yield first
            if again > first and len(times.hours) == _HOURS:
                yield again
