"""Boards are searched: by their names and the words of their queries."""

from kbwork.core.ports.search import Searchable
from kbwork.modules.boards.access import SEEN

SEARCHABLE = Searchable(
    texts="select id as ref, name as title, tql as body from board where deleted_at is null",
    rows="board b left join project p on p.id = b.project",
    ref="b.id",
    seen=SEEN,
    title="b.name",
    body="b.tql",
    path="'/boards/' || b.id",
    at="b.created_at",
    author="b.owner",
    heading="b.name",
    own="b.owner is :kb_me",
    project="b.project",
    project_key="p.key",
    archived="p.archived_at is not null",
    states={"mine": "b.owner = :kb_me"},
)
