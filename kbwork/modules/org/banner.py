"""The banner that everybody in the org sees."""

from typing import Annotated, Literal

from pydantic import Field

from kbwork.base.errors import InvalidInput
from kbwork.base.model import Input, Text, When
from kbwork.core import org_settings
from kbwork.core.operations.declare import write
from kbwork.db.tx import Write
from kbwork.modules.org import queries
from kbwork.modules.org.model import Banner, Org, OrgBannerSet


class OrgBannerSetInput(Input):
    text: Annotated[Text, Field(max_length=2000)] | None = None
    """Markdown; empty takes the banner away, left out: the text stays."""
    level: Literal["info", "warning"] | None = None
    """`info` unless given."""
    until: When | None = None
    """Unix seconds at which it goes by itself; null: it stays."""


@write(
    "org.banner_set",
    scope="admin",
    words=(
        "announcement, maintenance notice, tell everybody, message to all, warn everybody, "
        "downtime, broadcast, notice at the top"
    ),
    emits=[OrgBannerSet],
    example={"text": "We move the server on Sunday.", "level": "info"},
)
def banner_set(tx: Write, args: OrgBannerSetInput) -> Org:
    """Show a banner to everybody in the org, change it or take it away. For admins. `until` lies ahead (422)."""
    before: Banner | None = org_settings.get(tx, "org.banner")
    if args.until is not None and args.until <= tx.now:
        raise InvalidInput("`until` lies ahead.", field="until")
    if args.text is None and before is None:
        raise InvalidInput("There is no banner yet: give it a `text`.", field="text")
    after: Banner | None = None
    text = args.text if args.text is not None else before["text"] if before else ""
    if text.strip():
        after = Banner(
            text=text,
            level=args.level or (before["level"] if before else "info"),
            until=args.until if args.given("until") or before is None else before["until"],
        )
    if before != after:
        org_settings.put(tx, "org.banner", after)
        shown = after is not None
        level = after["level"] if after is not None else None
        tx.emit(OrgBannerSet(subject="org:1", payload={"shown": shown, "level": level}))
    return queries.shown(tx)
