"""Labels of issues as the query language asks for them."""

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
from kbwork.modules.labels.queries import LABEL_SEEN
from kbwork.tql.fields import FieldDef, FieldKind
from kbwork.tql.names import NamedThing

OF_ISSUES = QueryFields(
    home=__name__,
    source="issues",
    fields=(
        QueryField(
            field=FieldDef(
                "label", FieldKind.NAME, many=True, domain="label", aliases=("labels",), tracked=True
            ),
            sql=listed_by_name("label"),
            history="label",
            counted="select coalesce(sum(issues), 0) from label_count where label = :id",
        ),
    ),
)


def _by_use(tx: Read, _rest: str) -> Iterator[NamedThing]:
    """Those that are used most first."""
    rows = tx.all(
        "select l.id, l.name, p.key from label l left join project p on p.id = l.project"
        " left join (select label, sum(issues) as uses from label_count group by label) u on u.label = l.id"
        f" where {LABEL_SEEN} order by coalesce(u.uses, 0) desc, l.name_key, l.id",
        **visibility.binds(tx),
    )
    former = former_names(tx, "label")
    for row in rows:
        places = (row["key"],) if row["key"] else ()
        yield NamedThing(str(row["id"]), row["name"], former=former.get(row["id"], ()), places=places)


_NAMES = TableNames("label")
LABEL = QueryDomain(home=__name__, name="label", some=_by_use, shown=_NAMES.shown, ranks=_NAMES.ranks)
