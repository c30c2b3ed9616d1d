"""What times mean in a zone: periods as stretches, steps along the calendar, working days."""

import calendar
from collections.abc import Callable
from dataclasses import dataclass
from datetime import MAXYEAR, MINYEAR, UTC, date, datetime, timedelta, tzinfo

from kbwork.tql.time_literals import Parts, seconds

Works = Callable[[date], bool]

_FIRST, _LAST = date(MINYEAR, 1, 3), date(MAXYEAR, 12, 29)
"""The days that every zone can tell: times beyond stop there."""
_EARLIEST = int(datetime(_FIRST.year, _FIRST.month, _FIRST.day, tzinfo=UTC).timestamp())
_LATEST = int(datetime(_LAST.year, _LAST.month, _LAST.day, tzinfo=UTC).timestamp())
_MONTHS = {"mo": 1, "q": 3, "y": 12}
_DAYS = {"d": 1, "w": 7}
_FARTHEST_WORK = 4_000
"""Days that are looked along for working days: a calendar without any must not hang."""


@dataclass(frozen=True, slots=True, order=True)
class Stretch:
    """From the second `begin` to the second `last`, both in it. An instant has one second."""

    begin: int
    last: int

    @classmethod
    def at(cls, instant: int) -> "Stretch":
        return cls(instant, instant)

    @property
    def instant(self) -> bool:
        return self.begin == self.last


@dataclass(frozen=True, slots=True)
class Calendar:
    """One moment and zone, and which days are worked."""

    now: int
    zone: tzinfo
    works: Works = lambda day: day.weekday() < 5

    def local(self, instant: int) -> datetime:
        return datetime.fromtimestamp(min(max(instant, _EARLIEST), _LATEST), self.zone)

    def day_of(self, instant: int) -> date:
        return self.local(instant).date()

    def midnight(self, day: date) -> int:
        day = min(max(day, _FIRST), _LAST)
        return int(datetime(day.year, day.month, day.day, tzinfo=self.zone).timestamp())

    def days(self, first: date, behind: date) -> Stretch:
        """From the start of one day to before the start of the other."""
        return Stretch(self.midnight(first), self.midnight(behind) - 1)

    def day(self, day: date) -> Stretch:
        return self.days(day, _days_on(day, 1))

    def whole_days(self, time: Stretch) -> Stretch:
        """The days that a stretch touches: what a field without a clock is compared with."""
        first, last = self.day_of(time.begin), self.day_of(time.last)
        return self.days(first, _days_on(last, 1))

    def read(self, text: str) -> Stretch:
        """A moment as it is written: a day and a period are stretches, a date with a clock is an instant."""
        if text in _NAMED:
            return self.day(_days_on(self.day_of(self.now), _NAMED[text]))
        if "T" in text:
            found = datetime.fromisoformat(text)
            return Stretch.at(int((found if found.tzinfo else found.replace(tzinfo=self.zone)).timestamp()))
        year = int(text[:4])
        if "W" in text:
            first = date.fromisocalendar(year, int(text[6:]), 1)
            return self.days(first, _days_on(first, 7))
        if "Q" in text:
            first = date(year, int(text[6:]) * 3 - 2, 1)
            return self.days(first, _months_on(first, 3))
        if len(text) == 10:
            return self.day(date.fromisoformat(text))
        first = date(year, int(text[5:7] or 1), 1)
        return self.days(first, _months_on(first, 12 if len(text) == 4 else 1))

    def step(self, instant: int, parts: Parts, sign: int) -> int:
        """So far on: hours and minutes as such, all else along the calendar at the same time of day."""
        for count, unit in parts:
            instant = self._one_step(instant, sign * count, unit)
        return instant

    def shifted(self, time: Stretch, parts: Parts, sign: int) -> Stretch:
        """A period stays one when it is moved by days; by hours, its begin moves."""
        begin = self.step(time.begin, parts, sign)
        if time.instant or any(unit in {"h", "min"} for _, unit in parts):
            return Stretch.at(begin)
        return Stretch(begin, max(begin, self.step(time.last + 1, parts, sign) - 1))

    def start_of(self, unit: str, offset: int) -> int:
        """The start of the hour, day, week, ... that is now, or so many later."""
        if unit in {"h", "min"}:
            length = seconds(((1, unit),))
            return self.now - self.now % length + offset * length
        return self.step(self.midnight(self.first_day(unit)), ((abs(offset), unit),), 1 if offset > 0 else -1)

    def first_day(self, unit: str) -> date:
        """The first day of the week, month, ... that is now."""
        return _FIRST_DAYS[unit](self.local(self.now).date())

    def end_of(self, unit: str, offset: int) -> int:
        """The last second of it."""
        return self.start_of(unit, offset + 1) - 1

    def working_days(self, begin: int, end: int) -> int:
        """How many working days lie behind the day of one up to the day of the other; below 0 when it is before."""
        first, last = self.day_of(begin), self.day_of(end)
        if last < first:
            return -self.working_days(end, begin)
        return sum(
            self.works(_days_on(first, n + 1)) for n in range(min((last - first).days, _FARTHEST_WORK))
        )

    def _one_step(self, instant: int, count: int, unit: str) -> int:
        if unit in {"h", "min"}:
            return min(max(instant + count * seconds(((1, unit),)), _EARLIEST), _LATEST)
        local = self.local(instant)
        if unit == "wd":
            day = self._worked(local.date(), count)
        elif unit in _DAYS:
            day = _days_on(local.date(), count * _DAYS[unit])
        else:
            day = _months_on(local.date(), count * _MONTHS[unit])
        day = min(max(day, _FIRST), _LAST)
        return int(datetime.combine(day, local.time(), self.zone).timestamp())

    def _worked(self, day: date, count: int) -> date:
        left, step = abs(count), 1 if count > 0 else -1
        for _ in range(_FARTHEST_WORK):
            if not left:
                break
            day = _days_on(day, step)
            left -= self.works(day)
        return day


_NAMED = {"today": 0, "yesterday": -1, "tomorrow": 1}
_FIRST_DAYS: dict[str, Callable[[date], date]] = {
    "d": lambda day: day,
    "wd": lambda day: day,
    "w": lambda day: day - timedelta(days=day.weekday()),
    "mo": lambda day: day.replace(day=1),
    "q": lambda day: day.replace(day=1, month=(day.month - 1) // 3 * 3 + 1),
    "y": lambda day: day.replace(day=1, month=1),
}


def _days_on(day: date, days: int) -> date:
    """So many days later, at most the calendar's end."""
    try:
        return day + timedelta(days=days)
    except OverflowError:
        return date.max if days > 0 else date.min


def _months_on(day: date, months: int) -> date:
    """So many months later, at the month's last day where it is shorter, at most the calendar's end."""
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    if not MINYEAR <= year <= MAXYEAR:
        return date.max if months > 0 else date.min
    return date(year, month + 1, min(day.day, calendar.monthrange(year, month + 1)[1]))
