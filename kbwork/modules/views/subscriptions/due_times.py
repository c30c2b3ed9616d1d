"""When a subscription is due next, by the clock of who gets it."""

import datetime
import zoneinfo
from collections.abc import Iterable

CHANGE_S = 15 * 60
"""So often at most is looked whether a result changed, and told that it did."""
DAYS = tuple(range(1, 8))


def following(after: int, minute: int, days: Iterable[int], zone: zoneinfo.ZoneInfo) -> int:
    """The first moment behind `after` at this minute of one of these days (1 is Monday), once for each day.

    A time that the clocks leap over comes as much later as they leap; one that they show twice comes the first time.
    """
    wanted = frozenset(days)
    day = datetime.datetime.fromtimestamp(after, zone).date()
    while True:
        moment = datetime.datetime.combine(day, datetime.time(minute // 60, minute % 60), zone)
        if day.isoweekday() in wanted and moment.timestamp() > after:
            return int(moment.timestamp())
        day += datetime.timedelta(days=1)
