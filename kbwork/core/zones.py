"""Days as the caller counts them: in their zone, else the org's."""

import datetime
import zoneinfo

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
