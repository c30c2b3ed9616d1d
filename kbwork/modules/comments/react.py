"""React to a comment."""

from typing import Annotated

from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError

from kbwork.base.errors import Conflict
from kbwork.base.model import Id, Input
from kbwork.base.text import cleaned
from kbwork.core.operations.declare import write
from kbwork.db.rows import CommentRow
from kbwork.db.tx import Write
from kbwork.modules.comments import access, event_payloads
from kbwork.modules.comments.model import CommentId, CommentReacted

MOST_EMOJI_BYTES = 16


MOST_EMOJI = 50
"""Different ones on one comment."""


def _emoji(text: str) -> str:
    found = cleaned(text)
    if not found or any(sign.isspace() for sign in found) or len(found.encode()) > MOST_EMOJI_BYTES:
        raise PydanticCustomError(
            "emoji", "should be one emoji or short code of 1 to 16 bytes, without blanks"
        )
    return found


class CommentsReact(Input):
    id: Id
    """Id of the comment."""
    emoji: Annotated[str, Field(max_length=100), AfterValidator(_emoji)]
    """One emoji or short code, at most 16 bytes."""
    on: bool
    """False takes it back."""


@write(
    "comments.react",
    scope="comments:write",
    words="thumbs up, emoji, like a comment, reaction, heart, agree",
    emits=[CommentReacted],
    example={"id": 1, "emoji": "👍", "on": True},
)
def react(tx: Write, args: CommentsReact) -> CommentId:
    """React to a comment with an emoji or short code, or take that back. Twice counts once.

    Whoever may comment there reacts; whoever sees it takes back their own. A comment has at most 50 different ones
    (409).
    """
    row, on = access.comment(tx, args.id)
    place = (row["id"], args.emoji, access.speaker(tx))
    if args.on:
        access.require_comment(on)
    else:
        on.require_open()
    held = tx.stored("reaction", list(place)) is not None
    if held == args.on:
        return {"id": row["id"]}
    if args.on:
        _require_room(tx, row, args.emoji)
        tx.insert("reaction", comment=row["id"], emoji=args.emoji, who=place[2], at=tx.now)
    else:
        tx.delete("reaction", place)
    event_payloads.emit(tx, CommentReacted, row, on, emoji=args.emoji, on=args.on)
    return {"id": row["id"]}


def _require_room(tx: Write, row: CommentRow, emoji: str) -> None:
    held = tx.column("select distinct emoji from reaction where comment = :id", id=row["id"])
    if emoji not in held and len(held) >= MOST_EMOJI:
        raise Conflict(f"A comment has at most {MOST_EMOJI} different reactions.")
