"""When a report runs next: in the morning, by the clock of the org."""

import datetime

from kbwork.core import zones
from kbwork.db.tx import Read
from kbwork.modules.analytics.model import Every

_MORNING = 8 * 60
_DAYS = {"daily": range(1, 8), "weekly": (1,), "monthly": range(1, 8)}


def following(tx: Read, every: Every) -> int | None:
    """The first time behind now; None for one that runs by hand."""
    if every == "manual":
        return None
    zone, moment = zones.of_org(tx), tx.now
    while True:
        moment = zones.following(moment, _MORNING, _DAYS[every], zone)
        if every != "monthly" or datetime.datetime.fromtimestamp(moment, zone).day == 1:
            return moment
