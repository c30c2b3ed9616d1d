"""Types of issues as the query language names them."""

from collections.abc import Iterator

from kbwork.core.access import visibility
from kbwork.core.ports.query_source import QueryDomain, by_name
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
    for row in rows:
        yield NamedThing(str(row["id"]), row["name"], key=row["key"])


def _keys(tx: Read) -> dict[str, str]:
    known: dict[str, str] = tx.memoized(
        "tql type keys",
        lambda: {str(row["id"]): row["key"] for row in tx.all("select id, key from issue_type")},
    )
    return known


def _shown(tx: Read, _rest: str, ident: str) -> str | None:
    return _keys(tx).get(ident)


def _ranks(tx: Read, _rest: str) -> dict[str, tuple[int, float, str]]:
    return by_name(_keys(tx))


TYPE = QueryDomain(
    home=__name__, name="type", some=_types, seldom=True, same=True, shown=_shown, ranks=_ranks
)
