"""Close a thread and open it again."""

from kbwork.base.errors import InvalidInput, NotAllowed
from kbwork.base.model import Id, Input
from kbwork.core.operations.declare import write
from kbwork.db.tx import Write
from kbwork.modules.comments import access, event_payloads
from kbwork.modules.comments.model import CommentId, CommentReopened, CommentResolved


class CommentsResolve(Input):
    id: Id
    """The thread's first comment."""
    resolved: bool
    """False opens the thread again."""


@write(
    "comments.resolve",
    scope="comments:write",
    words=(
        "mark the thread as solved, settle a discussion, close the thread, reopen the thread, "
        "resolve a conversation"
    ),
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
    event_payloads.touch(tx, row, on)
    event_payloads.emit(tx, CommentResolved if args.resolved else CommentReopened, row, on)
    return {"id": row["id"]}
