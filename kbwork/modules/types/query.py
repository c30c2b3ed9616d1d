"""Types of issues as the query language names them."""

from collections.abc import Iterator

from kbwork.core.access import visibility
from kbwork.core.ports.query_source import QueryDomain, TableNames
from kbwork.core.things.former_names import former_names
from kbwork.db.tx import Read
from kbwork.tql.names import NamedThing


def _types(tx: Read, _rest: str) -> Iterator[NamedThing]:
    """All types for members of the org; for guests those of their projects."""
    rows = tx.all(
        "select t.id, t.key, t.name from issue_type t where not :kb_guest or exists (select 1 from project_type pt"
        " where pt.type = t.id and pt.project in (select value from json_each(:kb_projects)))"
        " order by t.level desc, t.id",
        **visibility.binds(tx),
    )
    former = former_names(tx, "issue_type")
    for row in rows:
        yield NamedThing(str(row["id"]), row["name"], key=row["key"], former=former.get(row["id"], ()))


_KEYS = TableNames("issue_type", "key")
TYPE = QueryDomain(
    home=__name__, name="type", some=_types, seldom=True, same=True, shown=_KEYS.shown, ranks=_KEYS.ranks
)
