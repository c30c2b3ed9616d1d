"""Views are searched: by their names and the words of their queries."""

from kbwork.core.ports.search import Searchable
from kbwork.modules.views.access import SEEN

SEARCHABLE = Searchable(
    texts="select id as ref, name as title, tql as body from view where deleted_at is null",
    rows="view v left join project p on p.id = v.project",
    ref="v.id",
    seen=SEEN,
    title="v.name",
    body="v.tql",
    path="'/views/' || v.id",
    at="v.created_at",
    author="v.owner",
    heading="v.name",
    own="v.owner is :kb_me",
    project="v.project",
    project_key="p.key",
    archived="p.archived_at is not null",
    states={"mine": "v.owner = :kb_me"},
)
