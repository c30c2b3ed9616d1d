"""The logo of the org."""

from typing import Annotated

from pydantic import Field

from kbwork.base.model import Input
from kbwork.core import org_settings
from kbwork.core.operations.declare import write
from kbwork.db.tx import Write
from kbwork.modules import members
from kbwork.modules.org import queries
from kbwork.modules.org.model import Org, OrgUpdated


class OrgLogoSet(Input):
    data: Annotated[str, Field(max_length=members.MOST_CHARS)] | None = None
    """A PNG, JPEG, GIF or WebP as base64, at most 1 MB; null takes it away."""
    dark: bool | None = None
    """The one for dark screens."""
    portal: bool | None = None
    """The one of the customer portal."""


@write(
    "org.logo_set",
    scope="admin",
    words="company logo, branding, icon of the org",
    emits=[OrgUpdated],
    undo="a picture is set anew",
    example={"data": "iVBORw0KGgo=", "dark": True},
)
def logo_set(tx: Write, args: OrgLogoSet) -> Org:
    """Set or take away a picture of the org: of the app, for dark screens, or of the portal. For admins.

    Where one is missing the app's stands in. What is no picture, an SVG or above 1 MB is 422.
    """
    place = ("portal" if args.portal else "app") + ("-dark" if args.dark else "")
    before = tx.value("select digest from logo where place = :place", place=place)
    if args.data:
        found = members.picture(args.data)
        tx.execute(
            "insert into logo values (:place, :type, :digest, :data)"
            " on conflict do update set type = excluded.type, digest = excluded.digest, data = excluded.data",
            place=place,
            type=found.type,
            digest=found.digest,
            data=found.data,
        )
        after: str | None = found.digest
    elif args.given("data"):
        tx.execute("delete from logo where place = :place", place=place)
        after = None
    else:
        return queries.shown(tx)
    if before != after:
        if place == "app":
            org_settings.put(tx, "org.logo", after)
        tx.emit(OrgUpdated(subject="org:1", payload={"fields": ["logo"], "place": place}))
    return queries.shown(tx)
