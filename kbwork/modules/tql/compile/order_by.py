"""Orders as SQL, and the place behind a row."""

from typing import Any

from kbwork.base.dataclasses import dataclass
from kbwork.core.ports.query_source import QueryField, Rows
from kbwork.modules.tql.compile.frame import NotCompilable
from kbwork.modules.tql.compile.query import TOP, Compiled
from kbwork.modules.tql.compile.values import ValueCompiler
from kbwork.tql import tree as t
from kbwork.tql.fields import NAMED, FieldKind
from kbwork.tql.kinds import kind_of

_PERSON = "coalesce((select folded(y.name) from member y where y.id = {0}), folded({0}))"


@dataclass(frozen=True, slots=True)
class SortKey:
    """One thing to sort by. `certain`: it is never null."""

    sql: str
    descending: bool
    certain: bool = True

    @property
    def said(self) -> str:
        return f"{self.sql} {'desc' if self.descending else 'asc'}"


def keys(compiled: Compiled, order: tuple[t.OrderNode, ...]) -> list[SortKey]:
    """What rows are sorted by, the id last. Raises NotCompilable."""
    found = [key for one in order for key in _keys(compiled, one)]
    down = found[-1].descending if found else False
    return [*found, SortKey(f"{TOP}.id", down)]


def said(keys: list[SortKey]) -> str:
    return ", ".join(key.said for key in keys)


def behind(compiled: Compiled, keys: list[SortKey], place: list[Any]) -> str:
    """The condition that a row comes behind the one that had these values."""
    frame = compiled.frame
    bound = [frame.bind(value) for value in place]
    if len({key.descending for key in keys}) == 1 and all(key.certain for key in keys):
        sign = "<" if keys[0].descending else ">"
        return f"({', '.join(key.sql for key in keys)}) {sign} ({', '.join(bound)})"
    found = []
    for at, key in enumerate(keys):
        equal = [f"{one.sql} is {name}" for one, name in zip(keys[:at], bound[:at], strict=True)]
        if place[at] is None:
            continue
        further = f"{key.sql} {'<' if key.descending else '>'} {bound[at]}"
        found.append(f"({' and '.join([*equal, further])})")
    return f"({' or '.join(found)})"


def _keys(compiled: Compiled, order: t.OrderNode) -> list[SortKey]:
    value = order.value
    target = kind_of(value)
    if not isinstance(value, t.ColumnNode | t.FormulaNode) or value.steps:
        raise NotCompilable
    field = compiled.frame.sources[compiled.scope.source].field(compiled.frame.tx, value.name)
    if field is not None and field.sorted_by:
        return [SortKey(key.format(row=TOP), order.descending) for key in field.sorted_by]
    if target.many or target.kind is FieldKind.KEY:
        raise NotCompilable
    rows = ValueCompiler(compiled.frame, compiled.scope).value(value)
    if not isinstance(rows, Rows) or rows.tables:
        raise NotCompilable
    expr = _sorted(target, field, rows.expr)
    if field is not None and field.certain:
        return [SortKey(expr, order.descending)]
    missing = SortKey(f"({expr} is null)", order.empty_first)
    return [missing, SortKey(expr, order.descending, certain=False)]


def _sorted(target: t.ColumnNode, field: QueryField | None, expr: str) -> str:
    """What a value sorts by. Raises NotCompilable for names that SQL does not order."""
    if field is not None and field.order:
        return field.order.format(expr)
    if target.kind is FieldKind.PERSON:
        return _PERSON.format(expr)
    if target.kind in NAMED:
        raise NotCompilable
    return f"folded({expr})" if target.kind is FieldKind.TEXT else expr
