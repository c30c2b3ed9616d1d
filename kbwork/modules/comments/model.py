"""The words of comments."""

from typing import Any, ClassVar

from typing_extensions import TypedDict

from kbwork.base.events import DomainEvent


class Reaction(TypedDict):
    emoji: str
    """The emoji or short code."""
    count: int
    """Members who reacted with it."""
    mine: bool
    """Whether the caller is one of them."""
    who: list[str]
    """Who reacted with it: members' ids and `agent:<name>`."""


class Comment(TypedDict):
    """A comment. `parent` is the starter of its thread; a starter that is gone while replies remain has no body."""

    id: int
    """Id of the comment."""
    author: str
    """Who wrote it: a member's id, `agent:<name>` or a bare name; empty for a deleted starter."""
    body: str
    """Text in Markdown; empty for a deleted starter."""
    body_doc: str | None
    """The text as a rich document, ProseMirror JSON; null: Markdown alone."""
    created_at: int
    """When it was written, in Unix seconds."""
    edited_at: int | None
    """When it was last changed, in Unix seconds; null: never."""
    internal: bool
    """Whether guests and customers do not see it."""
    parent: int | None
    """Id of the first comment of its thread; null: it is that one."""
    anchor: str | None
    """JSON {`exact`, `prefix`, `suffix`}: the words it is about; null: the whole."""
    reactions: list[Reaction]
    """Reactions by emoji."""
    resolved_at: int | None
    """When the thread was resolved, in Unix seconds; null: it is open."""
    resolved_by: str | None
    """Who resolved it; null: nobody."""


class CommentId(TypedDict):
    id: int
    """Id of the comment."""


class _CommentEvent(DomainEvent):
    """Something that happened to a comment."""

    about: ClassVar[dict[str, str]] = {"comment": "comment"}
    part = "comment"


class CommentCreated(_CommentEvent):
    kind = "comment.created"
    inverse = "comment.deleted"


class CommentUpdated(_CommentEvent):
    """Another text: the sizes alone are told, and who is mentioned that was not before."""

    kind = "comment.updated"

    @classmethod
    def turned(cls, payload: dict[str, Any], changes: dict[str, Any], ago_s: int) -> dict[str, Any]:
        return {name: value for name, value in payload.items() if name != "mentions"}


class CommentDeleted(_CommentEvent):
    kind = "comment.deleted"
    inverse = "comment.restored"


class CommentRestored(_CommentEvent):
    kind = "comment.restored"
    inverse = "comment.deleted"


class CommentPurged(DomainEvent):
    """It is gone for good."""

    kind = "comment.purged"
    audience = "admin"
    scope = "activity:read"


class CommentReacted(_CommentEvent):
    """Somebody reacted with an emoji, or took that back (`on` false)."""

    kind = "comment.reacted"

    @classmethod
    def turned(cls, payload: dict[str, Any], changes: dict[str, Any], ago_s: int) -> dict[str, Any]:
        return payload | {"on": not payload["on"]}


class CommentResolved(_CommentEvent):
    kind = "comment.resolved"
    inverse = "comment.reopened"


class CommentReopened(_CommentEvent):
    kind = "comment.reopened"
    inverse = "comment.resolved"
