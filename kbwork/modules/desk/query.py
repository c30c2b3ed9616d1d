"""Requests as the query language asks for them: what an issue has beside that it is one."""

from collections.abc import Iterator

from kbwork.core.access import visibility
from kbwork.core.ports.query_source import (
    QueryDomain,
    QueryField,
    QueryFields,
    QueryFrame,
    Rows,
    TableNames,
)
from kbwork.db.tx import Read
from kbwork.modules.desk.access import CUSTOMER_SEEN
from kbwork.modules.projects import access as projects
from kbwork.tql.fields import FieldDef, FieldKind
from kbwork.tql.names import NamedThing

_OF_REQUEST = "(select {{row}}q.{} from customer_request {{row}}q where {{row}}q.issue = {{row}}.id)"


def _participants(frame: QueryFrame, row: str) -> Rows:
    side = frame.row("u")
    return Rows(
        f"{side}.customer", f"request_customer {side}", f"{row}.id", f"{side}.issue", order=f"{side}.customer"
    )


def _name(name: str, *, many: bool = False, domain: str = "", choices: tuple[str, ...] = ()) -> FieldDef:
    return FieldDef(name, FieldKind.NAME, many, domain, choices=choices, module="desk")


OF_ISSUES = QueryFields(
    home=__name__,
    source="issues",
    fields=(
        QueryField(
            field=_name("channel", domain="channel", choices=("portal", "mail", "chat", "phone", "walk_in")),
            sql=_OF_REQUEST.format("channel"),
        ),
        QueryField(field=_name("request_type", domain="request_type"), sql=_OF_REQUEST.format("type")),
        QueryField(field=_name("customer", domain="customer"), sql=_OF_REQUEST.format("customer")),
        QueryField(field=_name("participant", many=True, domain="customer"), sql=_participants),
    ),
)


def _types(tx: Read, _rest: str) -> Iterator[NamedThing]:
    rows = tx.all(
        "select t.id, t.name, p.key from request_type t join project p on p.id = t.project"
        f" where {projects.SEEN} order by t.name_key, t.id",
        **visibility.binds(tx),
    )
    for row in rows:
        yield NamedThing(str(row["id"]), row["name"], places=(row["key"],))


def _customers(tx: Read, _rest: str) -> Iterator[NamedThing]:
    for row in tx.all(
        f"select c.id, c.name, c.email from customer c where {CUSTOMER_SEEN} order by lower(c.name), c.id",
        **visibility.binds(tx),
    ):
        yield NamedThing(str(row["id"]), row["name"], mail=row["email"])


def _shown_customer(tx: Read, _rest: str, ident: str) -> str:
    """The name, for whoever sees the customer."""
    found = tx.value(
        f"select c.name from customer c where c.id = cast(:id as integer) and {CUSTOMER_SEEN}",
        id=ident,
        **visibility.binds(tx),
    )
    return found or f"customer:{ident}"


_TYPE_NAMES = TableNames("request_type")
REQUEST_TYPE = QueryDomain(
    home=__name__, name="request_type", some=_types, shown=_TYPE_NAMES.shown, ranks=_TYPE_NAMES.ranks
)
CUSTOMERS = QueryDomain(home=__name__, name="customer", some=_customers, shown=_shown_customer)
