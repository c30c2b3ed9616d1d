"""Issues are searched."""

from kbwork.core.ports.search import Searchable, Suggested
from kbwork.modules.projects import ISSUE_SEEN, issue_access

_KEY = "p.key || '-' || i.number"
_MINE = "exists (select 1 from issue_assignee x where x.issue = i.id and x.who = :kb_me)"
_PLACE = "join project p on p.id = i.project join lane l on l.id = i.lane"

SEARCHABLE = Searchable(
    texts="select id as ref, title, body from issue where deleted_at is null",
    rows=f"issue i {_PLACE}",
    ref="i.id",
    seen=ISSUE_SEEN,
    title=f"{_KEY} || ' ' || i.title",
    body="i.body",
    path=f"'/issues/' || {_KEY}",
    at="i.updated_at",
    author="i.reporter",
    heading="i.title",
    own=f"i.reporter = :kb_me or {_MINE}",
    project="i.project",
    project_key="p.key",
    status="l.name",
    category="i.category",
    archived="i.archived_at is not null",
    states={
        "open": "i.category <> 'done'",
        "done": "i.category = 'done'",
        "mine": _MINE,
        "unassigned": "not exists (select 1 from issue_assignee x where x.issue = i.id)",
    },
    suggested=Suggested(id=_KEY, hint=f"{_KEY} || ' - ' || l.name", few=issue_access.few),
)
