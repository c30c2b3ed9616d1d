"""A banner goes by itself when its time is over."""

from kbwork.core import org_settings
from kbwork.core.jobs.kinds import Schedule
from kbwork.db.tx import Read, Write
from kbwork.modules.org.model import OrgBannerSet


def _is_over(tx: Read) -> bool:
    banner = org_settings.get(tx, "org.banner")
    return banner is not None and banner["until"] is not None and banner["until"] <= tx.now


def _take_down(tx: Write) -> None:
    org_settings.put(tx, "org.banner", None)
    tx.emit(OrgBannerSet(subject="org:1", payload={"shown": False, "level": None}))


BANNER = Schedule(name="org.take_banner_down", home=__name__, every_s=1, run=_take_down, due=_is_over)
