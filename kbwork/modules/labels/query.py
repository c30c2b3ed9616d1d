"""Labels of issues as the query language asks for them."""

from collections.abc import Iterator

from kbwork.core.access import visibility
from kbwork.core.ports.query_source import (
    QueryDomain,
    QueryField,
    QueryFields,
    QueryFrame,
    Rows,
    by_name,
)
from kbwork.db.tx import Read
from kbwork.modules.labels.queries import LABEL_SEEN
from kbwork.tql.fields import FieldDef, FieldKind
from kbwork.tql.names import NamedThing


def _labels(frame: QueryFrame, row: str) -> Rows:
    side = frame.row("u")
    order = f"(select name_key from label where id = {side}.label), {side}.label"
    return Rows(f"{side}.label", f"issue_label {side}", f"{row}.id", f"{side}.issue", order=order)


OF_ISSUES = QueryFields(
    home=__name__,
    source="issues",
    fields=(
        QueryField(
            field=FieldDef(
                "label", FieldKind.NAME, many=True, domain="label", aliases=("labels",), tracked=True
            ),
            sql=_labels,
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
    return (
        NamedThing(str(row["id"]), row["name"], places=(row["key"],) if row["key"] else ()) for row in rows
    )


def _names(tx: Read) -> dict[str, str]:
    known: dict[str, str] = tx.memoized(
        "tql label names",
        lambda: {str(row["id"]): row["name"] for row in tx.all("select id, name from label")},
    )
    return known


def _shown(tx: Read, _rest: str, ident: str) -> str | None:
    return _names(tx).get(ident)


def _ranks(tx: Read, _rest: str) -> dict[str, tuple[int, float, str]]:
    return by_name(_names(tx))


LABEL = QueryDomain(home=__name__, name="label", some=_by_use, shown=_shown, ranks=_ranks)
