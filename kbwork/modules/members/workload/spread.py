"""What lies between two days, laid out over those on which people work: Monday to Friday. Pure."""

import datetime

Day = datetime.date
_ONE = datetime.timedelta(days=1)
_WORKING = 5
_WEEK = 7


def works(day: Day) -> bool:
    """Whether people work on it."""
    return day.weekday() < _WORKING


def working_days(first: Day, last: Day) -> int:
    """How many there are from the first to the last of these, both counted."""
    weeks, rest = divmod((last - first).days + 1, _WEEK)
    return weeks * _WORKING + sum((first.weekday() + n) % _WEEK < _WORKING for n in range(rest))


def shares(amount: float, span: tuple[Day, Day], window: tuple[Day, Day]) -> dict[Day, float]:
    """Of an amount that is spread evenly over a span, what falls on each day of a window.

    It falls on working days; on all days of a span that has none.
    """
    count = working_days(*span)
    each = amount / (count or (span[1] - span[0]).days + 1)
    return {
        day: each
        for day in between(max(span[0], window[0]), min(span[1], window[1]))
        if works(day) or not count
    }


def between(first: Day, last: Day) -> list[Day]:
    """The days from the first to the last, both counted; none where the last is before the first."""
    return [first + _ONE * n for n in range((last - first).days + 1)]
