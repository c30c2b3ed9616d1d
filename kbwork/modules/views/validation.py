"""What a view may say: a query that can be asked, and columns, group and order that it has."""

from kbwork.base.errors import InvalidInput, Problem, TqlName, TqlSyntax
from kbwork.db.tx import Read
from kbwork.modules.tql import query_parser
from kbwork.tql import tree as t
from kbwork.tql.normal_form import normal


def source(tx: Read, text: str) -> str:
    """The source of a query that the caller can ask. Raises TqlSyntax, TqlName or InsufficientScope."""
    return query_parser.query(tx, text).source


def columns(tx: Read, asked: list[str], source: str, field: str = "columns") -> list[str]:
    """The columns as they were written, each once. Raises InvalidInput naming the first that is none."""
    found: dict[str, str] = {}
    for at, text in enumerate(asked):
        value = _value(tx, text, source, f"{field}[{at}]")
        found.setdefault(normal(value), text.strip())
    return list(found.values())


def sort(tx: Read, text: str, source: str) -> str:
    """One field, with `-` in front for descending. Raises InvalidInput."""
    _require_field(tx, text.strip().removeprefix("-"), source, "sort")
    return text.strip()


def group(tx: Read, text: str, source: str, field: str = "group_by") -> str:
    """One field. Raises InvalidInput."""
    _require_field(tx, text, source, field)
    return text.strip()


def sorted_text(text: str, order: str | None, query: t.QueryNode) -> str:
    """A query in the order of its view, where it says none itself."""
    if not order or query.order:
        return text
    field = order.removeprefix("-").strip()
    return f"{text}\norder by {field} {'desc' if order.startswith('-') else 'asc'}"


def _require_field(tx: Read, text: str, source: str, place: str) -> None:
    if not isinstance(_value(tx, text, source, place), t.ColumnNode | t.FormulaNode):
        raise InvalidInput(f"`{text.strip()}` is no field: name one, as tql.fields lists them.", field=place)


def _value(tx: Read, text: str, source: str, place: str) -> t.Value:
    try:
        value = query_parser.value(tx, text, source)
    except (TqlSyntax, TqlName) as wrong:
        raise InvalidInput(_reason(wrong), field=place) from None
    if any(isinstance(node, t.AggregateNode) for node in query_parser.nodes(value, computed=False)):
        raise InvalidInput(f"`{text.strip()}` counts rows: write it in the query's `select`.", field=place)
    return value


def _reason(wrong: Problem) -> str:
    near = ", ".join(f"`{one['with']}`" for one in wrong.extra.get("suggestions", ()))
    return wrong.detail + (f" Perhaps {near}." if near and "did you mean" not in wrong.detail else "")
