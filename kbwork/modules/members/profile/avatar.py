"""The picture that somebody shows of themselves."""

from typing import Annotated

from pydantic import Field

from kbwork.base.model import Input
from kbwork.core.operations.declare import write
from kbwork.db.rows import MemberRow
from kbwork.db.tx import Write
from kbwork.modules.members import queries
from kbwork.modules.members.model import Member, MemberUpdated
from kbwork.modules.members.profile import pictures
from kbwork.modules.members.profile.profile import change


class MembersAvatarSet(Input):
    data: Annotated[str, Field(max_length=pictures.MOST_CHARS)] | None = None
    """A PNG, JPEG, GIF or WebP as base64, at most 1 MB; null takes the picture away."""


@write(
    "members.avatar_set",
    scope="members:write",
    words="profile picture, photo, my picture, avatar",
    emits=[MemberUpdated],
    undo="a picture is set anew",
    example={"data": "iVBORw0KGgo="},
)
def avatar_set(tx: Write, args: MembersAvatarSet) -> Member:
    """Set or take away your own picture. What is no picture, an SVG or above 1 MB is 422."""
    row = tx.one("select * from member where id = :id", MemberRow, id=tx.caller.me())
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
