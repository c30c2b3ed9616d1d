"""Days as the caller counts them: in their zone, else the org's."""

import datetime
import zoneinfo
from collections.abc import Iterable

from kbwork.core import org_settings
from kbwork.db.tx import Read


def of_caller(tx: Read) -> zoneinfo.ZoneInfo:
    """The zone of the caller's profile, else of the org."""

    def find() -> zoneinfo.ZoneInfo:
        own = tx.value("select zone from member where id = :id", id=tx.caller.member or "")
        return zoneinfo.ZoneInfo(own or org_settings.get(tx, "org.zone") or "UTC")

    found: zoneinfo.ZoneInfo = tx.memoized("zone", find)
    return found


def of_org(tx: Read) -> zoneinfo.ZoneInfo:
    """The zone of the org."""
    return zoneinfo.ZoneInfo(org_settings.get(tx, "org.zone") or "UTC")


def today(tx: Read) -> datetime.date:
    """The present day where the caller is."""
    return datetime.datetime.fromtimestamp(tx.now, of_caller(tx)).date()


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
