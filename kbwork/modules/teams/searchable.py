"""Teams are searched: by their names, their handles and what is said of them."""

from kbwork.core.ports.search import Searchable
from kbwork.modules import members

_BODY = "'@' || t.handle || char(10) || t.description"
_MINE = "exists (select 1 from team_member x where x.team = t.id and x.member = :kb_me)"

SEARCHABLE = Searchable(
    texts=f"select t.id as ref, t.name as title, {_BODY} as body from team t",
    rows="team t",
    ref="t.id",
    seen=members.TEAM_SEEN,
    title="t.name",
    body=_BODY,
    path="'/teams/' || t.handle",
    at="t.created_at",
    author="null",
    heading="t.name",
    own=_MINE,
    states={"mine": _MINE},
)
