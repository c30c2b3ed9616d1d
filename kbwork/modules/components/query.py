"""Components of issues as the query language asks for them."""

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
from kbwork.modules.projects import access
from kbwork.tql.fields import FieldDef, FieldKind
from kbwork.tql.names import NamedThing


def _components(frame: QueryFrame, row: str) -> Rows:
    side = frame.row("u")
    order = f"(select name_key from component where id = {side}.component), {side}.component"
    return Rows(f"{side}.component", f"issue_component {side}", f"{row}.id", f"{side}.issue", order=order)


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
            sql=_components,
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
    return (NamedThing(str(row["id"]), row["name"], places=(row["key"],)) for row in rows)


def _names(tx: Read) -> dict[str, str]:
    known: dict[str, str] = tx.memoized(
        "tql component names",
        lambda: {str(row["id"]): row["name"] for row in tx.all("select id, name from component")},
    )
    return known


def _shown(tx: Read, _rest: str, ident: str) -> str | None:
    return _names(tx).get(ident)


def _ranks(tx: Read, _rest: str) -> dict[str, tuple[int, float, str]]:
    return by_name(_names(tx))


COMPONENT = QueryDomain(home=__name__, name="component", some=_by_place, shown=_shown, ranks=_ranks)
