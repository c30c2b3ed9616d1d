"""The words of the trash."""

from typing_extensions import TypedDict


class TrashEntry(TypedDict):
    """A deleted thing. `items` counts it and what went with it; at `purge_at` it goes for good, null: never."""

    id: int
    """Id of the entry."""
    subject: str
    """What was deleted, such as `issue:12`."""
    kind: str
    """Sort of thing, such as `issue`."""
    title: str
    """Its title."""
    deleted_at: int
    """When it was deleted, in Unix seconds."""
    deleted_by: str
    """Who deleted it: a member's id or `agent:<name>`."""
    purge_at: int | None
    """When it goes for good, in Unix seconds; null: never by itself."""
    items: int
    """Things in it: itself and what went with it."""
    can_restore: bool
    """Whether the caller may bring it back."""
