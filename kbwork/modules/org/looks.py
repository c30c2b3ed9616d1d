"""What everybody sees of the org: its banner, its logo, and which modules there are."""

from typing import Annotated, Any, Literal

from pydantic import Field

from kbwork.base.errors import InvalidInput
from kbwork.base.model import Input, Text, When
from kbwork.core import orgsettings
from kbwork.core.operation import write
from kbwork.core.words import nearest
from kbwork.db.tx import Read, Write
from kbwork.modules import members
from kbwork.modules.org import queries
from kbwork.modules.org.model import ALWAYS_ON, Banner, Org, OrgBannerSet, OrgModulesChanged, OrgUpdated

Names = Annotated[list[Text], Field(max_length=100)]


class OrgModulesSet(Input):
    on: Names | None = None
    off: Names | None = None


@write("org.modules_set", scope="admin", emits=[OrgModulesChanged], example={"off": ["comments"]})
def modules_set(tx: Write, args: OrgModulesSet) -> Org:
    """Switch modules on and off. For admins.

    A module that is off hides its operations (404); nothing of it is lost. Those that others rest on, such as issues
    and members, cannot be off (422); an unknown name, or one in both lists, is 422.
    """
    wanted: dict[str, bool] = {}
    for field, on in (("on", True), ("off", False)):
        for number, name in enumerate(getattr(args, field) or []):
            _require_switch(tx, name, on=on, field=f"{field}[{number}]")
            if wanted.setdefault(name, on) != on:
                raise InvalidInput(f"{name} cannot be on and off at once.", field=f"off[{number}]")
    changes: dict[str, Any] = {}
    for name, on in wanted.items():
        before = not orgsettings.module_off(tx, name)
        if before != on:
            orgsettings.put(tx, f"module.{name}", on)
            changes[name] = (before, on)
    if changes:
        tx.emit(OrgModulesChanged(subject="org:1", changes=changes))
    return queries.shown(tx)


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
    emits=[OrgBannerSet],
    example={"text": "We move the server on Sunday.", "level": "info"},
)
def banner_set(tx: Write, args: OrgBannerSetInput) -> Org:
    """Show a banner to everybody in the org, change it or take it away. For admins. `until` lies ahead (422)."""
    before: Banner | None = orgsettings.get(tx, "org.banner")
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
        orgsettings.put(tx, "org.banner", after)
        shown = after is not None
        level = after["level"] if after is not None else None
        tx.emit(OrgBannerSet(subject="org:1", payload={"shown": shown, "level": level}))
    return queries.shown(tx)


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
            orgsettings.put(tx, "org.logo", after)
        tx.emit(OrgUpdated(subject="org:1", payload={"fields": ["logo"], "place": place}))
    return queries.shown(tx)


def _require_switch(tx: Read, name: str, *, on: bool, field: str) -> None:
    """Raises InvalidInput for a module that is not there, or that cannot be off."""
    known = tx.registry.modules
    if name not in known:
        close = nearest(name, known)
        hint = f" Did you mean {close}?" if close else ""
        switches = sorted(set(known) - ALWAYS_ON)
        raise InvalidInput(
            f"There is no module {name!r} in this version.{hint}", field=field, allowed=switches
        )
    if name in ALWAYS_ON and not on:
        raise InvalidInput(
            f"The module {name} cannot be off: others rest on it.",
            field=field,
            allowed=sorted(set(known) - ALWAYS_ON),
        )
