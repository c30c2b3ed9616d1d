"""Spaces as the query language names them, and what a path to one leads to."""

from collections.abc import Iterator

from kbwork.core.access import visibility
from kbwork.core.ports.query_source import QueryDomain, QueryField, QuerySource, TableNames
from kbwork.db.tx import Read
from kbwork.modules.spaces import access
from kbwork.tql.fields import FieldDef, FieldKind
from kbwork.tql.names import NamedThing
from kbwork.tql.sources import person

SPACES = QuerySource(
    home=__name__,
    name="spaces",
    table="space",
    row="s",
    seen=access.SEEN,
    scope="pages:read",
    module="spaces",
    asked=False,
    subject="space:key",
    flags={"archived": "{row}.archived_at is not null"},
    fields=(
        QueryField(field=FieldDef("name", FieldKind.TEXT), sql="{row}.name"),
        QueryField(field=FieldDef("key", FieldKind.NAME), sql="{row}.key", certain=True),
        QueryField(
            field=FieldDef(
                "kind", FieldKind.NAME, domain="space_kind", choices=("team", "project", "personal", "kb")
            ),
            sql="{row}.kind",
            certain=True,
        ),
        QueryField(field=person("owner"), sql="{row}.owner"),
        QueryField(field=FieldDef("created", FieldKind.TIME), sql="{row}.created_at"),
    ),
)


def _spaces(tx: Read, _rest: str) -> Iterator[NamedThing]:
    if not visibility.reads(tx, "space"):
        return
    for row in tx.all(
        f"select s.id, s.key, s.name from space s where {access.SEEN} order by lower(s.name), s.id",
        **visibility.binds(tx),
    ):
        yield NamedThing(str(row["id"]), row["name"], key=row["key"])


_KEYS = TableNames("space", "key")
SPACE = QueryDomain(
    home=__name__,
    name="space",
    some=_spaces,
    scopes=frozenset({"pages:read"}),
    shown=_KEYS.shown,
    ranks=_KEYS.ranks,
)
