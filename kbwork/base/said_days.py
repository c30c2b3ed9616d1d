"""Days as people say them: `next fri`, `in 2w`, `5 dec`, `eom`."""

import calendar
import datetime
from collections.abc import Callable, Sequence
from typing import Final

from kbwork.base.dataclasses import dataclass
from kbwork.base.day_words import BY_LANGUAGE, ENGLISH, MONTH_FIRST, DayWords
from kbwork.base.patterns import pattern
from kbwork.base.text import folded

MOST_WORDS: Final = 4
_FAR: Final = 3
_ENDS: Final = {"eow": "week", "eom": "month", "eoq": "quarter", "eoy": "year"}
_NUMBERED: Final = pattern(r"(\d{1,2})(?:st|nd|rd|th|\.)?")
_YEAR: Final = pattern(r"20\d\d")
_AHEAD: Final = pattern(r"\+?(\d{1,3})([a-z])")
_PARTED: Final = pattern(r"(\d{1,2})([/.])(\d{1,2})(?:[/.](20\d\d)?)?")
_ISO: Final = pattern(r"\d{4}-\d\d-\d\d")
_FRIDAY: Final = 4

Day = datetime.date


def said(
    words: Sequence[str], today: Day, *, locale: str = "en", week_start: int = 1
) -> tuple[int, Day] | None:
    """How many of the words name a day, as many as do, and which; None: the first one begins no day.

    A day without a year is the next one, and a weekday is never today. `locale`: whose words are known beside English
    ones, and whether 5/12 is in May. `week_start`: first day of the week, 0 for Sunday, 1 for Monday.
    """
    reader = _Reader(today, _languages(locale), _month_first(locale), (week_start - 1) % 7)
    plain = [folded(word).rstrip(",;") for word in words[:MOST_WORDS]]
    for count in range(len(plain), 0, -1):
        day = reader.read(plain[:count])
        if day is not None:
            return count, day
    return None


def _languages(locale: str) -> tuple[DayWords, ...]:
    own = BY_LANGUAGE.get(locale.partition("-")[0].lower())
    return (ENGLISH,) if own is None else (own, ENGLISH)


def _month_first(locale: str) -> bool | None:
    """None where a locale does not say it: English without a region is of both."""
    language, *rest = locale.split("-")
    region = next((part.upper() for part in rest if len(part) == 2), None)
    if region is None:
        return None if language.lower() == "en" else False
    return region in MONTH_FIRST


@dataclass(frozen=True, slots=True)
class _Reader:
    today: Day
    languages: tuple[DayWords, ...]
    month_first: bool | None
    first_weekday: int

    def read(self, words: list[str]) -> Day | None:
        """The day that all of these words name together."""
        readers: tuple[Callable[[list[str]], Day | None], ...] = (
            self._single,
            self._ahead,
            self._end,
            self._dated,
        )
        try:
            return next((day for one in readers if (day := one(words)) is not None), None) or self._next(
                words
            )
        except (ValueError, OverflowError):  # the thirtieth of February
            return None

    def _single(self, words: list[str]) -> Day | None:
        if len(words) != 1:
            return None
        (word,) = words
        if _ISO.fullmatch(word):
            return Day.fromisoformat(word)
        if (parts := _PARTED.fullmatch(word)) is not None:
            return self._parted(int(parts[1]), parts[2], int(parts[3]), parts[4])
        for language in self.languages:
            if word in (language.today, language.tomorrow):
                return self.today + datetime.timedelta(days=word == language.tomorrow)
            if (weekday := _place(word, language.weekdays, language.least)) is not None:
                return self.today + datetime.timedelta(days=(weekday - self.today.weekday() - 1) % 7 + 1)
        return None

    def _ahead(self, words: list[str]) -> Day | None:
        """`2w`, `in 2w`, `in 2 weeks`, `in a month`."""
        for language in self.languages:
            rest = words[1:] if words[0] in language.ahead else words
            if len(rest) == 1 and (short := _AHEAD.fullmatch(rest[0])) is not None:
                rest = [short[1], short[2]]
            if len(rest) != 2:
                continue
            count = 1 if rest[0] in language.one else int(rest[0]) if rest[0].isdecimal() else 0
            for days, units in zip((1, 7, 0, 0), language.units, strict=True):
                if rest[1] in units and 0 < count < 1000:
                    months = {2: 1, 3: 12}.get(language.units.index(units), 0) * count
                    return self._months_on(months) + datetime.timedelta(days=days * count)
        return None

    def _end(self, words: list[str]) -> Day | None:
        """`eom`, `end of month`."""
        span = _ENDS.get(words[0]) if len(words) == 1 else None
        if len(words) == _FAR and words[:2] == ["end", "of"]:
            span = words[2] if words[2] in _ENDS.values() else None
        if span is None:
            return None
        if span == "week":
            return self.today + datetime.timedelta(days=(_FRIDAY - self.today.weekday()) % 7)
        month = {"month": self.today.month, "quarter": (self.today.month + 2) // 3 * 3, "year": 12}[span]
        return Day(self.today.year, month, calendar.monthrange(self.today.year, month)[1])

    def _next(self, words: list[str]) -> Day | None:
        """`next fri`, `next week`, `next month`; before or behind it, as the language has it."""
        if len(words) != 2:
            return None
        week = self.today + datetime.timedelta(days=7 - (self.today.weekday() - self.first_weekday) % 7)
        for language in self.languages:
            for one, other in (words, words[::-1]):
                if one not in language.next:
                    continue
                if (weekday := _place(other, language.weekdays, language.least)) is not None:
                    return week + datetime.timedelta(days=(weekday - self.first_weekday) % 7)
                if other in language.units[1]:
                    return week
                if other in language.units[2]:
                    return self._months_on(1).replace(day=1)
        return None

    def _dated(self, words: list[str]) -> Day | None:
        """`5 dec`, `dec 5`, either with a year."""
        year = int(words[-1]) if len(words) > 2 and _YEAR.fullmatch(words[-1]) else None
        pair = words[:-1] if year is not None else words
        if len(pair) != 2:
            return None
        for language in self.languages:
            for number, name in (pair, pair[::-1]):
                month = _place(name.rstrip("."), language.months)
                if month is not None and (day := _NUMBERED.fullmatch(number)) is not None:
                    return self._dated_on(int(day[1]), month + 1, year)
        return None

    def _parted(self, one: int, sign: str, other: int, year: str | None) -> Day | None:
        """`5/12` and `5.12.`: with dots the day is first, with a stroke it is as the locale has it."""
        month_first = self.month_first if sign == "/" else False
        if month_first is None:
            if max(one, other) <= 12 and one != other:
                return None
            month_first = other > 12
        day, month = (other, one) if month_first else (one, other)
        return self._dated_on(day, month, int(year) if year else None)

    def _dated_on(self, day: int, month: int, year: int | None) -> Day:
        if year is not None:
            return Day(year, month, day)
        for ahead in range(9):  # a 29th of February is up to eight years away
            with_day = calendar.monthrange(self.today.year + ahead, month)[1] >= day
            if with_day and (found := Day(self.today.year + ahead, month, day)) >= self.today:
                return found
        raise ValueError(f"no month {month} has a day {day}")

    def _months_on(self, months: int) -> Day:
        """The same day so many months on, or the last one of a month that is shorter."""
        ahead, month = divmod(self.today.month - 1 + months, 12)
        year = self.today.year + ahead
        return Day(year, month + 1, min(self.today.day, calendar.monthrange(year, month + 1)[1]))


def _place(word: str, names: tuple[str, ...], least: int = 3) -> int | None:
    """Where a name stands in its list, whole or cut."""
    found = [
        at for at, name in enumerate(names) if name == word or (len(word) >= least and name.startswith(word))
    ]
    return found[0] if len(found) == 1 or (found and names[found[0]] == word) else None
