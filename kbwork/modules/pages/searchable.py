"""Pages are searched: by their titles and their published texts."""

from kbwork.core.ports.search import Searchable, Suggested
from kbwork.modules.pages import access

_ABOVE = (
    "(select p.title from (select p.parent as id) kb_up cross join page p"
    f" where p.id = kb_up.id and {access.SEEN})"
)

SEARCHABLE = Searchable(
    texts="select id as ref, title, body from page where deleted_at is null",
    rows="page p join space s on s.id = p.space left join project j on j.id = s.project",
    ref="p.id",
    seen=access.SEEN,
    title="p.title",
    body="p.body",
    path="'/pages/' || p.id",
    at="p.updated_at",
    author="p.created_by",
    heading="p.title",
    own="p.owner = :kb_me or p.created_by = :kb_me",
    project="s.project",
    project_key="j.key",
    space_key="s.key",
    within=f"coalesce({_ABOVE}, s.name)",
    status="iif(p.state = 'draft', 'draft', null)",
    archived="(p.archived_at is not null or s.archived_at is not null)",
    states={"mine": "(p.owner = :kb_me or p.created_by = :kb_me)"},
    suggested=Suggested(id="p.id", hint="s.name"),
)
