"""The words of search."""

from typing import Literal, NotRequired

from typing_extensions import TypedDict

Why = Literal["text", "title", "key", "semantic", "recent"]


class SearchHit(TypedDict):
    """Something that was found. In `excerpt` the words stand between `<mark>` and `</mark>`, all else is escaped."""

    subject: str
    kind: str
    title: str
    excerpt: str
    path: str
    project: str | None
    space: str | None
    status: str | None
    score: float
    updated_at: int
    why: Why


class Suggestion(TypedDict):
    """A line of the palette. `hint` says where it is."""

    kind: str
    id: str
    title: str
    hint: str
    shortcut: NotRequired[str]
