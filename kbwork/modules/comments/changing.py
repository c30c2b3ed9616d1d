"""Change what was said, react to it, close a thread and open it again."""

from typing import Annotated, Any

from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError

from kbwork.base.errors import Conflict, InvalidInput, NotAllowed
from kbwork.base.model import Body, Id, Input, cleaned
from kbwork.core.dispatch import run_part
from kbwork.core.operation import write
from kbwork.db.tx import Row, Write
from kbwork.modules import issues
from kbwork.modules.comments import access, mentions, queries, telling
from kbwork.modules.comments.model import (
    CommentId,
    CommentReacted,
    CommentReopened,
    CommentResolved,
    CommentUpdated,
)
from kbwork.modules.comments.ops import require_said

MOST_EMOJI_BYTES = 16
MOST_EMOJI = 50
"""Different ones on one comment."""


class CommentsUpdate(Input):
    id: Id
    body: Body
    """Markdown."""
    body_doc: Body | None = None
    """The same text as a rich document; without it the comment has none any more."""


@write(
    "comments.update",
    scope="comments:write",
    emits=[CommentUpdated],
    example={"id": 1, "body": "I can see it too, since Monday."},
)
def update(tx: Write, args: CommentsUpdate) -> CommentId:
    """Change what you said. Authors change their own, and what their agents said; nobody else does (403).

    You can comment there still: what is archived or locked is for its leads (403). Whether it is internal stays as it
    is. Only who was not mentioned before is told of a mention. The same text again is no change.
    """
    row, on = access.comment(tx, args.id)
    if row["author"] not in access.voices(tx):
        raise NotAllowed("Only who said it may change it.")
    access.require_comment(on)
    require_said(args.body)
    columns = {"body": args.body, "body_doc": issues.document(args.body, args.body_doc)}
    changes = {name: _sizes(row[name], value) for name, value in columns.items() if row[name] != value}
    if not changes:
        return {"id": row["id"]}
    tx.update("comment", row["id"], **columns, edited_at=tx.now)
    telling.touch(tx, row, on)
    mentioned = mentions.mentioned(tx, args.body, on, internal=bool(row["internal"]), before=row["body"])
    more: dict[str, Any] = {"mentions": mentioned} if mentioned else {}
    telling.tell(tx, CommentUpdated, row, on, changes=changes, **more)
    return {"id": row["id"]}


def reword(tx: Write, comment: int, body: str, at: int | None) -> None:
    """Put the text of an imported comment as its source says it now; mentions and notifies nobody."""
    row = queries.stored(tx, comment)
    on = access.venue(tx, row["subject"])

    def run(inner: Write) -> None:
        changes = {"body": _sizes(row["body"], body)}
        edited_at = at if at is not None else inner.now
        inner.update("comment", comment, body=body, body_doc=None, edited_at=edited_at)
        telling.tell(inner, CommentUpdated, row, on, changes=changes)

    run_part(tx, tx.registry.require("comments.update"), run, "")


def _emoji(text: str) -> str:
    found = cleaned(text)
    if not found or any(sign.isspace() for sign in found) or len(found.encode()) > MOST_EMOJI_BYTES:
        raise PydanticCustomError(
            "emoji", "should be one emoji or short code of 1 to 16 bytes, without blanks"
        )
    return found


class CommentsReact(Input):
    id: Id
    emoji: Annotated[str, Field(max_length=100), AfterValidator(_emoji)]
    """One emoji or short code, at most 16 bytes."""
    on: bool
    """False takes it back."""


@write(
    "comments.react",
    scope="comments:write",
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
    telling.tell(tx, CommentReacted, row, on, emoji=args.emoji, on=args.on)
    return {"id": row["id"]}


class CommentsResolve(Input):
    id: Id
    """The thread's first comment."""
    resolved: bool
    """False opens the thread again."""


@write(
    "comments.resolve",
    scope="comments:write",
    emits=[CommentResolved, CommentReopened],
    example={"id": 1, "resolved": True},
)
def resolve(tx: Write, args: CommentsResolve) -> CommentId:
    """Mark a thread as resolved, or open it again. Twice is no change.

    Its author does, and whoever may change what it is on (403); a reply is 422. A thread whose first comment was
    deleted is resolved by that one's id, too.
    """
    row, on = access.comment(tx, args.id, stubs=True)
    if row["author"] not in access.voices(tx) and not on.may_edit():
        raise NotAllowed("Its author and those who may change what it is on resolve a thread.")
    access.require_comment(on)
    if row["parent"] is not None:
        raise InvalidInput(
            f"{row['id']} is a reply: its thread begins with {row['parent']}.",
            field="id",
            allowed=[row["parent"]],
        )
    if (row["resolved_at"] is not None) == args.resolved:
        return {"id": row["id"]}
    at, by = (tx.now, access.speaker(tx)) if args.resolved else (None, None)
    tx.update("comment", row["id"], resolved_at=at, resolved_by=by)
    telling.touch(tx, row, on)
    telling.tell(tx, CommentResolved if args.resolved else CommentReopened, row, on)
    return {"id": row["id"]}


def _sizes(before: str | None, after: str | None) -> dict[str, int | None]:
    """What an event says of a long text; comments keep no revisions."""
    return {"from_size": len(before or ""), "to_size": len(after or ""), "revision": None}


def _require_room(tx: Write, row: Row, emoji: str) -> None:
    held = tx.column("select distinct emoji from reaction where comment = :id", id=row["id"])
    if emoji not in held and len(held) >= MOST_EMOJI:
        raise Conflict(f"A comment has at most {MOST_EMOJI} different reactions.")
