"""The words of search."""

from typing import Literal, NotRequired

from typing_extensions import TypedDict

Why = Literal["text", "title", "key", "semantic", "recent"]


class SearchHit(TypedDict):
    """Something that was found. In `excerpt` the words stand between `<mark>` and `</mark>`, all else is escaped."""

    subject: str
    """What was found, such as `issue:12`."""
    kind: str
    """Sort of thing, such as `issue`, `comment` or `project`."""
    title: str
    """Its title."""
    excerpt: str
    """The text around the words, as HTML with `<mark>` around them."""
    path: str
    """Path of its page on this server."""
    project: str | None
    """Key of its project; null: none."""
    space: str | None
    """Key of its space of pages; null: none."""
    within: str | None
    """Title of what it belongs to: of a file what it hangs on, of a page the one above it, else its space; null: of
    nothing that tells it from others of its name."""
    status: str | None
    """Name of its lane; null: it has none."""
    score: float
    """How well it fits; greater is better, within one answer."""
    updated_at: int
    """When it last changed, in Unix seconds."""
    why: Why
    """What it was found by."""


class Suggestion(TypedDict):
    """A line of the palette. `hint` says where it is."""

    kind: str
    """Sort of thing, such as `issue`, `project`, `member` or `command`."""
    id: str
    """What to name it by, such as the key."""
    title: str
    """What people read."""
    hint: str
    """Where it is, such as its key or handle."""
    shortcut: NotRequired[str]
    """Keys that do the same."""
