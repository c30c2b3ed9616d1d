"""What somebody says of themselves, and how they like the app."""

import json
from typing import Annotated, Any, Literal

from pydantic import Field, ValidationError

from kbwork.base.errors import InvalidInput
from kbwork.base.model import Body, Empty, Id, Input, Name, Text, When
from kbwork.core.operation import read, write
from kbwork.core.words import nearest
from kbwork.db.tx import Read, Row, Write
from kbwork.modules.members import pictures, queries, words
from kbwork.modules.members.model import Member, MemberUpdated, Preferences
from kbwork.modules.members.words import Handle, Zone

_KEYS = ("locale", "zone", "theme", "week_start", "start_page", "shortcuts", "editor", "density")
_MOST_CHARS = 20_000
_LOCALE = r"^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$"
_TOLD = ("name", "handle")
"""The fields whose values stand in events; of the others, which are personal, only the names do."""


class StatusInput(Input):
    emoji: Annotated[str, Field(max_length=40)] | None = None
    text: Annotated[Text, Field(max_length=200)] | None = None
    until: When | None = None
    """Unix seconds at which it goes by itself."""


class MembersProfileSet(Input):
    name: Name | None = None
    handle: Handle | None = None
    title: Text | None = None
    pronouns: Text | None = None
    about: Body | None = None
    """Markdown."""
    zone: Zone | Literal[""] | None = None
    working_calendar: Id | None = None
    """The calendar of your working days; null: the org's."""
    status: StatusInput | None = None
    """What you are up to; null: nothing to say."""


@write(
    "members.profile_set",
    scope="members:write",
    emits=[MemberUpdated],
    undo="a profile is set anew",
    example={"title": "Designer", "status": {"emoji": "palm", "text": "Back on Monday"}},
)
def profile_set(tx: Write, args: MembersProfileSet) -> Member:
    """Change your own profile: fields that are not named stay, an empty text clears.

    A handle that a member, team or agent has is 409; one that is kept back, such as `me`, is 422. `until` of a status
    lies ahead (422). A key or agent changes its owner's profile.
    """
    row = tx.one("select * from member where id = :id", id=tx.caller.me())
    assert row is not None
    changes: dict[str, Any] = {name: value for name in _TOLD if (value := getattr(args, name)) is not None}
    for name in ("title", "pronouns", "about", "zone"):
        if (value := getattr(args, name)) is not None:
            changes[name] = value or None
    if args.handle is not None and args.handle != row["handle"]:
        words.require_handle_free(tx, args.handle, but=row["id"])
    if args.working_calendar is not None:
        raise InvalidInput(
            f"There is no calendar {args.working_calendar}.", field="working_calendar", allowed=[]
        )
    if args.given("status"):
        changes["status"] = _status(tx, args.status)
    change(tx, row, changes)
    return queries.one(tx, row["id"])


class MembersAvatarSet(Input):
    data: Annotated[str, Field(max_length=pictures.MOST_CHARS)] | None = None
    """A PNG, JPEG, GIF or WebP as base64, at most 1 MB; null takes the picture away."""


@write(
    "members.avatar_set",
    scope="members:write",
    emits=[MemberUpdated],
    undo="a picture is set anew",
    example={"data": "iVBORw0KGgo="},
)
def avatar_set(tx: Write, args: MembersAvatarSet) -> Member:
    """Set or take away your own picture. What is no picture, an SVG or above 1 MB is 422."""
    row = tx.one("select * from member where id = :id", id=tx.caller.me())
    assert row is not None
    if args.data:
        found = pictures.picture(args.data)
        tx.execute(
            "insert into avatar values (:member, :type, :data)"
            " on conflict do update set type = excluded.type, data = excluded.data",
            member=row["id"],
            type=found.type,
            data=found.data,
        )
        change(tx, row, {"avatar": found.digest})
    elif args.given("data"):
        tx.execute("delete from avatar where member = :member", member=row["id"])
        change(tx, row, {"avatar": None})
    return queries.one(tx, row["id"])


@read("members.preferences", scope="members:read", example={})
def preferences(tx: Read, args: Empty) -> Preferences:
    """Look at your own preferences; null stands for the org's setting or the app's own choice."""
    return _preferences(tx)


class MembersPreferencesSet(Input):
    set: Annotated[dict[str, Any], Field(max_length=20)]
    """`locale`, `zone`, `theme`, `week_start`, `start_page`, `shortcuts`, `editor`, `density`; null resets one."""


@write(
    "members.preferences_set",
    scope="members:write",
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
            close = nearest(key, _KEYS)
            hint = f" Did you mean {close}?" if close else ""
            raise InvalidInput(
                f"There is no preference {key!r}.{hint}", field=f"set.{key}", allowed=list(_KEYS)
            )
    row = tx.one("select * from member where id = :id", id=tx.caller.me())
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
    return _preferences(tx)


def change(tx: Write, row: Row, columns: dict[str, Any], *, alone: bool = False) -> None:
    """Change a member's columns and tell of it; nothing is told where nothing changed.

    `alone`: only the member and admins hear of it.
    """
    changed = {name: value for name, value in columns.items() if row[name] != value}
    if not changed:
        return
    tx.update("member", row["id"], **changed)
    personal = sorted(
        "working_calendar" if name == "calendar" else name for name in changed if name not in _TOLD
    )
    tx.emit(
        MemberUpdated(
            subject=f"member:{row['id']}",
            payload={"fields": personal} if personal else {},
            changes={name: (row[name], value) for name, value in changed.items() if name in _TOLD},
            heard_by="starter" if alone else None,
        )
    )


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


def _status(tx: Read, status: StatusInput | None) -> str | None:
    if status is None or not (status.emoji or status.text):
        return None
    if status.until is not None and status.until <= tx.now:
        raise InvalidInput("`until` of a status lies ahead.", field="status.until")
    shown = {"emoji": status.emoji or "", "text": status.text or "", "until": status.until}
    return json.dumps(shown, ensure_ascii=False)


def _preferences(tx: Read) -> Preferences:
    row = tx.one("select preferences, zone, locale from member where id = :id", id=tx.caller.me())
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
