"""The words of comments."""

from typing_extensions import TypedDict

from kbwork.base.events import Event


class Reaction(TypedDict):
    emoji: str
    count: int
    mine: bool
    who: list[str]


class Comment(TypedDict):
    """A comment. `parent` is the starter of its thread; a starter that is gone while replies remain has no body."""

    id: int
    author: str
    body: str
    body_doc: str | None
    created_at: int
    edited_at: int | None
    internal: bool
    parent: int | None
    anchor: str | None
    reactions: list[Reaction]
    resolved_at: int | None
    resolved_by: str | None


class CommentId(TypedDict):
    id: int


class CommentCreated(Event):
    kind = "comment.created"
    inverse = "comment.deleted"


class CommentDeleted(Event):
    kind = "comment.deleted"
    inverse = "comment.restored"


class CommentRestored(Event):
    kind = "comment.restored"
    inverse = "comment.deleted"
