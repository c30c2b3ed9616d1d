"""Spaces are searched: by their keys, their names and what is said of them."""

from kbwork.core.ports.search import Searchable
from kbwork.modules.spaces import access

_TITLE = "s.key || ' ' || s.name"

SEARCHABLE = Searchable(
    texts=f"select s.key as ref, {_TITLE} as title, s.description as body from space s where s.deleted_at is null",
    rows="space s left join project p on p.id = s.project",
    ref="s.key",
    seen=access.SEEN,
    title="s.name",
    body="s.description",
    path="'/spaces/' || s.key",
    at="s.created_at",
    author="s.owner",
    heading=_TITLE,
    own="s.owner is :kb_me",
    project="s.project",
    project_key="p.key",
    space_key="s.key",
    archived="s.archived_at is not null",
    states={"mine": "s.owner = :kb_me"},
)
