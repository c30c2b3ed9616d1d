"""Deleting comments, bringing them back from the trash, and purging them."""

from kbwork.base.errors import Conflict, NotAllowed
from kbwork.base.model import Id, Input
from kbwork.core.operations.declare import destructive
from kbwork.core.things.thing import Trashed
from kbwork.db.tx import Read, Row, Write
from kbwork.modules import trash
from kbwork.modules.comments import access, event_payloads, queries
from kbwork.modules.comments.model import CommentDeleted, CommentId, CommentRestored


class CommentsDelete(Input):
    id: Id
    """Id of the comment."""


@destructive(
    "comments.delete",
    scope="comments:write",
    words="remove my comment, take back what I said, delete a reply",
    emits=[CommentDeleted],
    example={"id": 1},
)
def delete(tx: Write, args: CommentsDelete) -> CommentId:
    """Put a comment into the trash, with its files; trash.restore brings it back.

    Authors delete their own, leads of the project and admins any (403). Replies stay: where the first comment of a
    thread goes, its place is shown without author and body while replies remain.
    """
    row, on = access.comment(tx, args.id)
    if not access.may_delete(tx, row, on):
        raise NotAllowed(
            "Authors delete what they said where they may still comment; leads of the project delete any comment."
        )
    on.require_open()
    tx.update("comment", row["id"], deleted_at=tx.now)
    event_payloads.touch(tx, row, on)
    event_payloads.emit(tx, CommentDeleted, row, on)
    trash.put(tx, f"comment:{row['id']}", queries.title(row), project=on.project)
    return {"id": row["id"]}


def restore(tx: Write, thing: Trashed) -> None:
    """Bring a comment back into its thread. Raises Conflict where what it is on lies in the trash, and `parent` names
    no other, or names one where it cannot stand, or where the caller may not comment there now."""
    row = queries.stored(tx, int(thing.ref))
    on = access.target_of(tx, row)
    columns: Row = {"deleted_at": None}
    if on is None and not thing.parent:
        raise Conflict(
            "What it is on lies in the trash, too: bring that back first, or name another in `parent`."
        )
    if on is None:
        on = access.target(tx, thing.parent or "")
        if not on.takes_notes:
            raise Conflict(
                "It was said on an issue, with its notes and files: name another issue in `parent`."
            )
        columns |= {"subject": on.subject, "parent": None, "external": None}
        for reply in tx.column("select id from comment where parent = :id", id=row["id"]):
            tx.update("comment", reply, parent=None)
    if not on.may_comment():
        raise Conflict("You may not comment there any more.")
    on.require_open()
    tx.update("comment", row["id"], **columns)
    row = queries.stored(tx, row["id"])
    event_payloads.touch(tx, row, on)
    event_payloads.emit(tx, CommentRestored, row, on)


def purge(tx: Write, ref: str) -> bool:
    """Remove a comment for good. The first of a thread with replies leaves its place."""
    row = tx.stored("comment", [int(ref)])
    if row is None:
        return True
    tx.execute("delete from reaction where comment = :id", id=row["id"])
    if _replies(tx, row["id"]):
        tx.execute(
            "update comment set author = '', body = '', body_doc = null, anchor = null, external = null, stub = 1"
            " where id = :id",
            id=row["id"],
        )
        return True
    tx.execute("delete from comment where id = :id", id=row["id"])
    if row["parent"] is not None and not _replies(tx, row["parent"]):
        tx.execute("delete from comment where id = :id and stub = 1", id=row["parent"])
    return True


def _replies(tx: Read, ident: int) -> bool:
    """Whether it has replies, in the trash or not."""
    return tx.value("select 1 from comment where parent = :id limit 1", id=ident) is not None
