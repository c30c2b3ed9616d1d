"""People who are a name only, such as imported authors."""

from kbwork.base.text import fold
from kbwork.core.access import visibility
from kbwork.db.tx import Read
from kbwork.modules.projects import ISSUE_SEEN
from kbwork.tql.names import NamedThing

_BARE_NAMES = """
with recursive told (name) as (
  select min(reporter) from issue where reporter > ''
  union all
  select (select min(i.reporter) from issue i where i.reporter > told.name) from told where told.name is not null
), written (name) as (
  select min(author) from comment where author > ''
  union all
  select (select min(c.author) from comment c where c.author > written.name) from written where written.name is not null
)
select name from told where name is not null union select name from written where name is not null limit 20000
"""
"""Walks the two indexes from name to name, so that it reads as many rows as there are names."""
_MOST_BARE = 20


def known_by_name(tx: Read, form: str) -> list[NamedThing]:
    """People who are a name only, such as imported authors, on issues and comments that the caller sees."""
    names: list[str] = tx.memoized("tql bare names", lambda: tx.column(_BARE_NAMES))
    near = [
        name
        for name in names
        if not name.startswith(("m_", "agent:", "key:")) and fold(name).startswith(form)
    ]
    found = []
    for name in near[:_MOST_BARE]:
        seen = tx.value(
            f"select exists (select 1 from issue i where i.reporter = :name and {ISSUE_SEEN})"
            " or exists (select 1 from comment c join issue i on i.id = cast(substr(c.subject, 7) as integer)"
            " where c.author = :name and c.internal = 0 and c.deleted_at is null"
            f" and substr(c.subject, 1, 6) = 'issue:' and {ISSUE_SEEN})",
            name=name,
            **visibility.binds(tx),
        )
        if seen:
            found.append(NamedThing(name, name))
    return found
