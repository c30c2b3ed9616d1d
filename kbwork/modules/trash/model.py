"""The words of the trash."""

from typing_extensions import TypedDict


class TrashEntry(TypedDict):
    """A deleted thing. `items` counts it and what went with it; at `purge_at` it goes for good, null: never."""

    id: int
    subject: str
    kind: str
    title: str
    deleted_at: int
    deleted_by: str
    purge_at: int | None
    items: int
    can_restore: bool
