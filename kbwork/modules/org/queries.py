"""The org as the caller may see it."""

from typing import Literal

from kbwork.core import org_settings
from kbwork.db.tx import Read
from kbwork.modules.org.model import Org

Place = Literal["app", "app-dark", "portal", "portal-dark"]


def shown(tx: Read) -> Org:
    """The org; what guests may not read is empty for them."""
    known = org_settings.every(tx)
    inner = not tx.caller.guest
    off = {
        name.removeprefix("module.")
        for name, value in known.items()
        if name.startswith("module.") and value is False
    }
    return Org(
        **org_settings.summary(tx),
        modules={name: name not in off for name in tx.registry.modules},
        default_role=known["org.default_role"],
        guests=known["org.guests"],
        public_links=known["org.public_links"],
        week_start=known["org.week_start"],
        retention=known["org.retention"] if inner else {},
        issue_defaults=known["org.issue_defaults"],
        allowed_files=known["org.allowed_files"] if inner else [],
        banner=known["org.banner"],
        legal=known["org.legal"] if inner else {},
        created_at=known["org.created_at"],
    )


def logo(tx: Read, place: Place) -> tuple[str, bytes] | None:
    """(media type, bytes) of a picture of the org: that of the place, else the nearest that there is."""
    for name in dict.fromkeys((place, place.removesuffix("-dark"), "app")):
        row = tx.one("select type, data from logo where place = :place", place=name)
        if row is not None:
            return (row["type"], row["data"])
    return None
