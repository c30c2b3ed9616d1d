"""People are searched: by their names, their handles and what they say of themselves."""

from kbwork.core.ports.search import Searchable
from kbwork.modules.members.queries import MEMBER_SEEN

_BODY = "'@' || m.handle || coalesce(char(10) || m.title, '') || coalesce(char(10) || m.about, '')"

_THERE = "m.state in ('active', 'deactivated')"

SEARCHABLE = Searchable(
    texts=f"select m.id as ref, m.name as title, {_BODY} as body from member m where {_THERE}",
    rows="member m",
    ref="m.id",
    seen=f"{_THERE} and {MEMBER_SEEN}",
    title="m.name",
    body=_BODY,
    path="'/members/' || m.handle",
    at="m.created_at",
    author="null",
    heading="m.name",
    archived="m.state = 'deactivated'",
)
