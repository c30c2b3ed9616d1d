"""Change what was said, or to whom."""

from typing import Annotated, Any

from pydantic import Field

from kbwork.base.errors import Conflict, NotAllowed
from kbwork.base.model import Body, Id, Input, Text
from kbwork.core.operations.declare import write
from kbwork.core.ports.comments import CommentTarget
from kbwork.core.ports.files import name_uploads
from kbwork.db.tx import Write
from kbwork.modules import issues
from kbwork.modules.comments import access, event_payloads, mentions, queries
from kbwork.modules.comments.model import (
    CommentId,
    CommentUpdated,
)
from kbwork.modules.comments.ops import require_said


class CommentsUpdate(Input):
    id: Id
    """Id of the comment."""
    body: Body
    """What is said, in Markdown."""
    body_doc: Body | None = None
    """The same text as a rich document; without it the comment has none any more."""
    uploads: Annotated[list[Text], Field(max_length=20)] | None = None
    """Ids of more files that you send to `/files/upload`: each hangs on the comment when all of it is here."""


@write(
    "comments.update",
    scope="comments:write",
    words="edit my comment, correct a typo, fix what I wrote, reword",
    emits=[CommentUpdated],
    example={"id": 1, "body": "I can see it too, since Monday."},
)
def update(tx: Write, args: CommentsUpdate) -> CommentId:
    """Change what you said. Authors change their own, and what their agents said; nobody else does (403).

    You can comment there still: what is archived or locked is for its leads (403). Whether it is internal stays as it
    is. Only who was not mentioned before is told of a mention. The same text again is no change. `uploads` are as with
    attachments.expect.
    """
    row, on = access.comment(tx, args.id)
    if row["author"] not in access.voices(tx):
        raise NotAllowed("Only who said it may change it.")
    access.require_comment(on)
    require_said(args.body)
    name_uploads(tx, f"comment:{row['id']}", args.uploads)
    columns = {"body": args.body, "body_doc": issues.document(args.body, args.body_doc)}
    changes = {name: _sizes(row[name], value) for name, value in columns.items() if row[name] != value}
    if not changes:
        return {"id": row["id"]}
    tx.update("comment", row["id"], **columns, edited_at=tx.now)
    event_payloads.touch(tx, row, on)
    mentioned = mentions.mentioned(tx, args.body, on, internal=bool(row["internal"]), before=row["body"])
    more: dict[str, Any] = {"mentions": mentioned} if mentioned else {}
    event_payloads.emit(tx, CommentUpdated, row, on, changes=changes, **more)
    return {"id": row["id"]}


def update_imported(tx: Write, comment: int, body: str, at: int | None) -> None:
    """Put the text of an imported comment as its source says it now; mentions and notifies nobody."""
    row = queries.stored(tx, comment)
    on = access.target(tx, row["subject"])
    tx.update("comment", comment, body=body, body_doc=None, edited_at=at if at is not None else tx.now)
    event_payloads.emit(tx, CommentUpdated, row, on, changes={"body": _sizes(row["body"], body)})


def update_from_outside(tx: Write, on: CommentTarget, ident: int, body: str) -> None:
    """A customer says something else on a thing than what they said there: whoever asks has judged that. As with
    `say_from_outside` it mentions nobody."""
    require_said(body)
    row = queries.stored(tx, ident)
    if row["body"] == body:
        return
    tx.update("comment", ident, body=body, body_doc=None, edited_at=tx.now)
    event_payloads.touch(tx, row, on)
    event_payloads.emit(tx, CommentUpdated, row, on, changes={"body": _sizes(row["body"], body)})


def publish(tx: Write, ident: int) -> None:
    """An internal note of the caller's is said to all who see what it is on, as if it was said now. Notes that reply to
    it stay notes. Mentioned are those who could not read it before.

    Raises NotFound, also where it lies in the trash, NotAllowed and Conflict as saying it would.
    """
    row, on = access.comment(tx, ident)
    if row["author"] not in access.voices(tx):
        raise NotAllowed("Only who said it may publish it.")
    access.require_comment(on)
    if not row["internal"]:
        raise Conflict("It is published already.")
    for reply in tx.column("select id from comment where parent = :id", id=ident):
        tx.update("comment", reply, parent=None)
    tx.update("comment", ident, internal=0, parent=None, created_at=tx.now, edited_at=None)
    row = queries.stored(tx, ident)
    event_payloads.touch(tx, row, on)
    known = mentions.mentioned(tx, row["body"], on, internal=True)
    everybody = mentions.mentioned(tx, row["body"], on, internal=False)
    new = [who for who in everybody if who not in known]
    more: dict[str, Any] = {"mentions": new} if new else {}
    event_payloads.emit(tx, CommentUpdated, row, on, changes={"internal": (True, False)}, **more)
    event_payloads.said(tx, row)


def _sizes(before: str | None, after: str | None) -> dict[str, int | None]:
    """What an event says of a long text; comments keep no revisions."""
    return {"from_size": len(before or ""), "to_size": len(after or ""), "revision": None}
