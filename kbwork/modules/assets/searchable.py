"""Assets are searched: by their keys, their names, and those of their values that are texts."""

from kbwork.core.ports.search import Searchable
from kbwork.modules.assets.queries import SEEN

_TITLE = "a.key || ' ' || a.name"
_BODY = (
    "coalesce((select group_concat(value, char(10)) from (select v.value from asset_value v"
    " join asset_type y on y.id = a.type join json_each(y.fields) f on f.value ->> 'key' = v.field"
    " where v.asset = a.id and f.value ->> 'kind' in ('text', 'select', 'url') order by v.field)), '')"
)
SEARCHABLE = Searchable(
    texts=f"select a.key as ref, {_TITLE} as title, {_BODY} as body from asset a",
    rows="asset a",
    ref="a.key",
    seen=SEEN,
    title=_TITLE,
    body=_BODY,
    path="'/assets/' || a.key",
    at="a.updated_at",
    author="a.created_by",
    heading=_TITLE,
    own="a.owner is :kb_me",
    status="a.status",
    archived="a.status = 'retired'",
    states={"mine": "a.owner = :kb_me"},
)
