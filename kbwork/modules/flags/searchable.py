"""Flags are searched: by their keys, their names, their descriptions and their tags."""

from kbwork.core.ports.search import Searchable
from kbwork.modules.flags.access import SEEN

_REF = "fp.key || '/' || f.first_key"
_TITLE = "f.key || ' ' || (f.meta ->> 'name')"
_TAGS = "coalesce((select group_concat(value, ' ') from json_each(f.meta, '$.tags')), '')"
_BODY = f"(f.meta ->> 'description') || char(10) || {_TAGS}"
_ROWS = "flag f join flag_project fp on fp.id = f.project"

SEARCHABLE = Searchable(
    texts=f"select {_REF} as ref, {_TITLE} as title, {_BODY} as body from {_ROWS}",
    rows=_ROWS,
    ref=_REF,
    seen=SEEN,
    title="f.meta ->> 'name'",
    body=_BODY,
    path="'/flags/' || fp.key || '/' || f.key",
    at="f.created_at",
    author="null",
    heading=_TITLE,
    project="fp.work_project",
    archived="f.archived",
)
