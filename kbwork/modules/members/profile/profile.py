"""What somebody says of themselves."""

import json
from typing import Annotated, Any, Literal

from pydantic import Field

from kbwork.base.errors import InvalidInput
from kbwork.base.model import Body, Id, Input, Name, Text, When
from kbwork.core import named
from kbwork.core.operations.declare import write
from kbwork.db.rows import MemberRow
from kbwork.db.tx import Read, Write
from kbwork.modules.members import input_types, queries
from kbwork.modules.members.input_types import Handle, Zone
from kbwork.modules.members.model import Member, MemberUpdated

_TOLD = ("name", "handle")
"""The fields whose values stand in events; of the others, which are personal, only the names do."""


class StatusInput(Input):
    emoji: Annotated[str, Field(max_length=40)] | None = None
    """An emoji for it."""
    text: Annotated[Text, Field(max_length=200)] | None = None
    """What you are up to."""
    until: When | None = None
    """Unix seconds at which it goes by itself."""


class MembersProfileSet(Input):
    name: Name | None = None
    """Your name as people read it."""
    handle: Handle | None = None
    """What `@` names you by, without the sign; unique."""
    title: Text | None = None
    """What you do, such as `Designer`."""
    pronouns: Text | None = None
    """How to speak of you, such as `she/her`."""
    about: Body | None = None
    """Some words about you, in Markdown."""
    zone: Zone | Literal[""] | None = None
    """Your time zone by name, such as `Europe/Berlin`; an empty text: the org's."""
    working_calendar: Id | None = None
    """The calendar of your working days; null: the org's."""
    status: StatusInput | None = None
    """What you are up to; null: nothing to say."""


@write(
    "members.profile_set",
    scope="members:write",
    words=(
        "my status, out of office, on vacation, change my name, away, job title, time zone, "
        "about me, my handle, do not disturb, pronouns, set my name"
    ),
    emits=[MemberUpdated],
    undo="a profile is set anew",
    example={"title": "Designer", "status": {"emoji": "palm", "text": "Back on Monday"}},
)
def profile_set(tx: Write, args: MembersProfileSet) -> Member:
    """Change your own profile: fields that are not named stay, an empty text clears.

    A handle that a member, team or agent has is 409; one that is kept back, such as `me`, is 422. `until` of a status
    lies ahead (422). A key or agent changes its owner's profile.
    """
    row = tx.one("select * from member where id = :id", MemberRow, id=tx.caller.me())
    assert row is not None
    cleared = args.filled("title", "pronouns", "about", "zone")
    changes = args.filled(*_TOLD) | {name: value or None for name, value in cleared.items()}
    if args.handle is not None and args.handle != row["handle"]:
        input_types.require_handle_free(tx, args.handle, but=row["id"])
    if args.working_calendar is not None:
        raise InvalidInput(
            f"There is no calendar {args.working_calendar}.", field="working_calendar", allowed=[]
        )
    if args.given("status"):
        changes["status"] = _status(tx, args.status)
    change(tx, row, changes)
    return queries.one(tx, row["id"])


def change(tx: Write, row: MemberRow, columns: dict[str, Any], *, alone: bool = False) -> None:
    """Change a member's columns and tell of it; nothing is told where nothing changed.

    `alone`: only the member and admins hear of it.
    """
    changed = named.diff(row, columns)
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
            changes=named.changes(row, changed, _TOLD),
            heard_by="starter" if alone else None,
        )
    )


def _status(tx: Read, status: StatusInput | None) -> str | None:
    if status is None or not (status.emoji or status.text):
        return None
    if status.until is not None and status.until <= tx.now:
        raise InvalidInput("`until` of a status lies ahead.", field="status.until")
    shown = {"emoji": status.emoji or "", "text": status.text or "", "until": status.until}
    return json.dumps(shown, ensure_ascii=False)
