"""Projects are searched: by their keys, their names and what is said of them."""

from kbwork.core.ports.search import Searchable
from kbwork.modules.projects import access

_TITLE = "p.key || ' ' || p.name"

SEARCHABLE = Searchable(
    texts=f"select p.key as ref, {_TITLE} as title, p.description as body from project p where p.deleted_at is null",
    rows="project p",
    ref="p.key",
    seen=access.SEEN,
    title="p.name",
    body="p.description",
    path="'/projects/' || p.key",
    at="p.created_at",
    author="p.lead",
    heading=_TITLE,
    own="p.lead is :kb_me",
    project="p.id",
    project_key="p.key",
    archived="p.archived_at is not null",
    states={"mine": "p.lead = :kb_me"},
)
