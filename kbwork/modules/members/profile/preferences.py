"""How somebody likes the app."""

import json
from typing import Annotated, Any

from pydantic import Field, ValidationError

from kbwork.base.errors import InvalidInput
from kbwork.base.model import Empty, Input
from kbwork.base.text import did_you_mean
from kbwork.core.operations.declare import read, write
from kbwork.db.tx import Read, Write
from kbwork.modules.members.input_types import Zone
from kbwork.modules.members.model import MemberUpdated, Preferences
from kbwork.modules.members.profile.profile import change

_KEYS = ("locale", "zone", "theme", "week_start", "start_page", "shortcuts", "editor", "density")


_MOST_CHARS = 20_000


_LOCALE = r"^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$"


@read(
    "members.preferences",
    scope="members:read",
    words="my settings, my notification settings, my theme",
    example={},
)
def preferences(tx: Read, args: Empty) -> Preferences:
    """Look at your own preferences; null stands for the org's setting or the app's own choice."""
    return stored_preferences(tx, tx.caller.me())


class MembersPreferencesSet(Input):
    set: Annotated[dict[str, Any], Field(max_length=20)]
    """`locale`, `zone`, `theme`, `week_start`, `start_page`, `shortcuts`, `editor`, `density`; null resets one."""


@write(
    "members.preferences_set",
    scope="members:write",
    words=(
        "dark mode, theme, my language, mail settings, keyboard shortcuts, turn off mails, "
        "notification settings, change my settings, digest, light theme"
    ),
    emits=[MemberUpdated],
    undo="preferences are set anew",
    example={"set": {"theme": "dark", "week_start": 1}},
)
def preferences_set(tx: Write, args: MembersPreferencesSet) -> Preferences:
    """Change your own preferences: keys that are not named stay, null resets one.

    `locale` and `zone` are those of your profile and are checked; what the others hold is the app's affair, 20 kB in
    all. An unknown key is 422 naming the nearest. The answer has every key.
    """
    for key in args.set:
        if key not in _KEYS:
            text = f"There is no preference {key!r}.{did_you_mean(key, _KEYS)}"
            raise InvalidInput(text, field=f"set.{key}", allowed=list(_KEYS))
    row = tx.stored("member", [tx.caller.me()])
    assert row is not None
    changes: dict[str, Any] = {}
    for name, model in (("zone", _ZoneInput), ("locale", _LocaleInput)):
        if name in args.set:
            changes[name] = _checked(model, name, args.set[name])
    kept = json.loads(row["preferences"]) | {k: v for k, v in args.set.items() if k not in ("zone", "locale")}
    text = json.dumps({k: v for k, v in kept.items() if v is not None}, ensure_ascii=False, sort_keys=True)
    if len(text) > _MOST_CHARS:
        raise InvalidInput("Preferences hold 20 kB in all.", field="set")
    change(tx, row, changes | {"preferences": text}, alone=True)
    return stored_preferences(tx, tx.caller.me())


class _ZoneInput(Input):
    value: Zone


class _LocaleInput(Input):
    value: Annotated[str, Field(pattern=_LOCALE, max_length=35)]


def _checked(model: type[_ZoneInput] | type[_LocaleInput], name: str, value: Any) -> str | None:
    if value is None or value == "":
        return None
    try:
        return model.model_validate({"value": value}).value
    except ValidationError as error:
        raise InvalidInput(f"{name} {error.errors()[0]['msg'].lower()}", field=f"set.{name}") from None


def stored_preferences(tx: Read, member: str) -> Preferences:
    """The preferences of a member who is there."""
    row = tx.one("select preferences, zone, locale from member where id = :id", id=member)
    assert row is not None
    kept = json.loads(row["preferences"])
    return Preferences(
        locale=row["locale"],
        zone=row["zone"],
        theme=kept.get("theme"),
        week_start=kept.get("week_start"),
        start_page=kept.get("start_page"),
        shortcuts=kept.get("shortcuts"),
        editor=kept.get("editor"),
        density=kept.get("density"),
    )
