"""Orders as SQL, and the place behind a row."""

from dataclasses import dataclass
from typing import Any

from kbwork.modules.tql.compile.context import NotCompilable, Rows
from kbwork.modules.tql.compile.query import TOP, Compiled
from kbwork.modules.tql.compile.values import ValueCompiler
from kbwork.tql import tree as t
from kbwork.tql.fields import NAMED, FieldKind
from kbwork.tql.kinds import kind_of

_PRIORITY = (
    "case {0} when 'none' then 0 when 'low' then 1 when 'medium' then 2 when 'high' then 3"
    " when 'urgent' then 4 end"
)
_BY_DOMAIN = {
    "status": "(select l.position from lane l where l.id = {0})",
    "type": "(select folded(y.name) from issue_type y where y.id = {0})",
    "project": "(select y.key from project y where y.id = {0})",
    "person": "coalesce((select folded(y.name) from member y where y.id = {0}), folded({0}))",
    "priority": _PRIORITY,
    "asset_type": "(select folded(y.key) from asset_type y where y.id = {0})",
    "asset_status": "{0}",
}
_ALWAYS = frozenset(
    """
    created updated status_since rank number id votes status type project priority key title level_no age reporter
    creator
    """.split()  # noqa: SIM905 - a text reads better
)
"""Fields of issues that are never missing."""


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
    plain = isinstance(value, t.ColumnNode | t.FormulaNode) and not value.steps
    if not plain or target.many or target.domain in ("issue", "asset"):
        return _odd_keys(order)
    rows = ValueCompiler(compiled.frame, compiled.scope).value(value)
    if not isinstance(rows, Rows) or rows.tables:
        raise NotCompilable
    if target.kind in NAMED and target.domain not in _BY_DOMAIN:
        raise NotCompilable
    expr = _BY_DOMAIN.get(target.domain, "{0}").format(rows.expr)
    if target.kind is FieldKind.TEXT and target.name != "rank":
        expr = f"folded({expr})"
    certain = compiled.scope.source == "issues" and target.name in _ALWAYS
    if certain:
        return [SortKey(expr, order.descending)]
    missing = SortKey(f"({expr} is null)", order.empty_first)
    return [missing, SortKey(expr, order.descending, certain=False)]


def _odd_keys(order: t.OrderNode) -> list[SortKey]:
    """Keys sort by project or type, then number."""
    value = order.value
    if (
        isinstance(value, t.ColumnNode)
        and value.name == "key"
        and value.domain == "issue"
        and not value.steps
    ):
        project = f"(select y.key from project y where y.id = {TOP}.project)"
        return [SortKey(project, order.descending), SortKey(f"{TOP}.number", order.descending)]
    if (
        isinstance(value, t.ColumnNode)
        and value.name == "key"
        and value.domain == "asset"
        and not value.steps
    ):
        dash = f"instr({TOP}.key, '-')"
        number = f"cast(substr({TOP}.key, {dash} + 1) as integer)"
        return [
            SortKey(f"substr({TOP}.key, 1, {dash} - 1)", order.descending),
            SortKey(number, order.descending),
        ]
    raise NotCompilable
