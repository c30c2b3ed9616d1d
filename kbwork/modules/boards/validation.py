"""What a board may say: conditions on issues, columns of lanes, and fields of issues."""

from collections.abc import Iterable

from kbwork.base.errors import InvalidInput, TqlName, TqlSyntax
from kbwork.base.text import did_you_mean
from kbwork.db.tx import Read
from kbwork.modules.tql import RunnableQuery, query_parser
from kbwork.modules.views import validation as fields_of_views
from kbwork.tql.names import AS_WRITTEN, MeantNames

SOURCE = "issues"


def condition(tx: Read, text: str, field: str = "tql", meant: MeantNames = AS_WRITTEN) -> RunnableQuery:
    """A condition on issues that the caller can ask. Raises TqlSyntax, TqlName, InsufficientScope or InvalidInput."""
    try:
        asked = query_parser.query(tx, text, meant=meant)
    except (TqlSyntax, TqlName) as wrong:
        if field != "tql":
            wrong.detail = f"{field}: {wrong.detail}"
        raise
    query = asked.query
    if query.source is not None or asked.source != SOURCE:
        raise InvalidInput("A board shows issues: leave `from` away.", field=field)
    more = (query.select, query.group, query.having, query.order, query.limit, query.as_of)
    if any(part not in (None, ()) for part in more):
        raise InvalidInput(
            "A board takes a condition alone: its columns and the order of ranks say the rest.", field=field
        )
    return asked


def card_fields(tx: Read, asked: list[str]) -> list[str]:
    """Fields of issues, each once. Raises InvalidInput naming the first that is none."""
    return fields_of_views.columns(tx, asked, SOURCE, field="card_fields")


def field(tx: Read, text: str, place: str) -> str:
    """One field of issues. Raises InvalidInput."""
    return fields_of_views.group(tx, text, SOURCE, field=place)


def part(known: Iterable[str], ident: str, what: str, place: str) -> str:
    """The id of a column or filter that the board has. Raises InvalidInput."""
    names = list(known)
    if ident not in names:
        raise InvalidInput(
            f"The board has no {what} {ident!r}.{did_you_mean(ident, names)}", field=place, allowed=names
        )
    return ident
