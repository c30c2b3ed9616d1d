"""Components of issues as the query language asks for them."""

from collections.abc import Iterator

from kbwork.core.access import visibility
from kbwork.core.ports.query_source import (
    QueryDomain,
    QueryField,
    QueryFields,
    TableNames,
    listed_by_name,
)
from kbwork.core.things.former_names import former_names
from kbwork.db.tx import Read
from kbwork.modules.projects import access
from kbwork.tql.fields import FieldDef, FieldKind
from kbwork.tql.names import NamedThing

OF_ISSUES = QueryFields(
    home=__name__,
    source="issues",
    fields=(
        QueryField(
            field=FieldDef(
                "component",
                FieldKind.NAME,
                many=True,
                domain="component",
                aliases=("components",),
                tracked=True,
                module="components",
            ),
            sql=listed_by_name("component"),
            history="component",
            counted="select coalesce(sum(issues), 0) from component_count where component = :id",
        ),
    ),
)


def _by_place(tx: Read, _rest: str) -> Iterator[NamedThing]:
    """Those in use before the archived ones."""
    rows = tx.all(
        "select c.id, c.name, p.key from component c join project p on p.id = c.project"
        f" where {access.SEEN} order by c.archived, c.name_key, c.id",
        **visibility.binds(tx),
    )
    former = former_names(tx, "component")
    for row in rows:
        yield NamedThing(str(row["id"]), row["name"], former=former.get(row["id"], ()), places=(row["key"],))


_NAMES = TableNames("component")
COMPONENT = QueryDomain(
    home=__name__, name="component", some=_by_place, shown=_NAMES.shown, ranks=_NAMES.ranks
)
