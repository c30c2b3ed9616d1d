"""The words of drafts."""

from typing import Any

from typing_extensions import TypedDict

from kbwork.base.events import DomainEvent


class Draft(TypedDict):
    """An unsent text. One that is not shared is its owner's alone."""

    subject: str
    """What it is on, such as `issue:12`, or `issue:new`."""
    body: str
    """The text so far, Markdown."""
    data: dict[str, Any]
    """What else the form holds, as whoever saved it wrote it."""
    owner: str
    """Id of the member whose draft it is."""
    shared: bool
    """Whether others may finish it."""
    updated_at: int
    """When it was saved last, in Unix seconds."""
    seq: int
    """Number of this text: saving makes another."""


class DraftShared(DomainEvent):
    kind = "draft.shared"
    audience = "team"
