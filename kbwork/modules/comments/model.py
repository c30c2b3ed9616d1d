"""The words of comments."""

from typing import Any, ClassVar

from typing_extensions import TypedDict

from kbwork.base.events import DomainEvent


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


class _CommentEvent(DomainEvent):
    """Something that happened to a comment."""

    about: ClassVar[dict[str, str]] = {"comment": "comment"}


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
