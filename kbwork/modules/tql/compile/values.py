"""Values as SQL (columns, formulas, what children come to), and the conditions that compare them.

What does not rest on a row is worked out before.
"""

from collections.abc import Iterable
from functools import singledispatchmethod
from typing import Any

from kbwork.base.text import whole_number
from kbwork.core.ports.query_source import Rows
from kbwork.modules.tql.compile import full_text
from kbwork.modules.tql.compile.context import CompileContext, Const
from kbwork.modules.tql.compile.field_history import is_word
from kbwork.modules.tql.compile.frame import NotCompilable, Scope, Test, column, flag
from kbwork.modules.tql.compile.paths import path
from kbwork.modules.tql.names.db_names import ident_of
from kbwork.tql import tree as t
from kbwork.tql.calendar import Calendar, Stretch
from kbwork.tql.fields import NAMED, PRIORITIES, FieldKind
from kbwork.tql.items import Record
from kbwork.tql.kinds import kind_of
from kbwork.tql.words import FLAGS

NOBODY = Record("")
_GATHERED = {
    "count": "count(*)",
    "sum": "coalesce(sum({0}), 0)",
    "avg": "avg({0})",
    "min": "min({0})",
    "max": "max({0})",
}
"""Aggregates that SQL has as well."""
_TIMES = frozenset({FieldKind.TIME, FieldKind.DAY})
_LITERALS = (
    t.RefNode,
    t.StringNode,
    t.NumberNode,
    t.DurationNode,
    t.RelativeNode,
    t.MomentNode,
    t.BooleanNode,
    t.NothingNode,
    t.SubjectNode,
)


class ValueCompiler:
    """Makes SQL of values for the row at hand."""

    def __init__(self, frame: CompileContext, scope: Scope) -> None:
        self.frame = frame
        self.scope = scope

    def value(self, value: t.Value) -> Rows | Const:
        """The values. Raises NotCompilable where SQL has no word for them."""
        if fixed(value):
            return Const(self.frame.evaluator.values(value, NOBODY))
        return self._moving(value)

    @singledispatchmethod
    def _moving(self, value: t.Value) -> Rows:
        raise NotCompilable

    @_moving.register
    def _column(self, value: t.ColumnNode) -> Rows:
        frame, scope, around = self.frame, self.scope, None
        if value.steps:
            around, scope = path(frame, scope, value.steps)
        if value.kind is FieldKind.BOOL and value.name in FLAGS:
            found = Rows(f"coalesce(({flag(frame, scope, value.name)}), 0)")
        else:
            found = column(frame, scope, value.name, tracked=value.tracked)
        return found if around is None else _within(around, found)

    @_moving.register
    def _formula(self, value: t.FormulaNode) -> Rows:
        """What a computed field comes to, for the rows that have it."""
        scope, around = self.scope, None
        if value.steps:
            around, scope = path(self.frame, scope, value.steps)
        found = type(self)(self.frame, scope).value(value.inside)
        if not isinstance(found, Rows):
            raise NotCompilable
        if value.only:
            found = self._limited(scope, value.only, found)
        return found if around is None else _within(around, found)

    def _limited(self, scope: Scope, only: tuple[tuple[str, tuple[str, ...]], ...], found: Rows) -> Rows:
        if found.tables:
            raise NotCompilable
        here = [
            self.frame.among(column(self.frame, scope, name).expr, [int(one) for one in ids])
            for name, ids in only
        ]
        return Rows(f"iif({' and '.join(here)}, {found.expr}, null)")

    @_moving.register
    def _aggregate(self, value: t.AggregateNode) -> Rows:
        """Over the children that are seen, as a roll-up has it."""
        counts = value.name == "count"
        if self.scope.source != "issues" or value.share is not None or counts != (value.of is None):
            raise NotCompilable
        below = Scope("issues", self.frame.row("n"))
        of = Rows("1") if value.of is None else type(self)(self.frame, below).value(value.of)
        gather = _GATHERED.get(value.name)
        if not isinstance(of, Rows) or of.tables or gather is None:
            raise NotCompilable
        return Rows(
            f"(select {gather.format(of.expr)} from issue {below.row}"
            f" where {below.row}.parent = {self.scope.row}.id and {self.frame.seen('issues', below.row)})"
        )

    @_moving.register
    def _arithmetic(self, value: t.ArithmeticNode) -> Rows:
        """Numbers and lengths of the row itself. Moving a time goes along the calendar, which SQL does not know."""
        if kind_of(value).kind not in (FieldKind.NUMBER, FieldKind.DURATION):
            raise NotCompilable
        if value.op == "-" and kind_of(value.left).kind in _TIMES:
            return self._distance(value)
        left, right = self._number(value.left), self._number(value.right)
        if value.op == "/":
            return Rows(f"(cast({left} as real) / nullif({right}, 0))")
        return Rows(f"({left} {value.op} {right})")

    def _number(self, value: t.Value) -> str:
        found = self.value(value)
        if isinstance(found, Rows):
            if found.tables:
                return self.single(found)
            return found.expr
        return self.frame.bind(found.values[0]) if found.values else "null"

    def _distance(self, value: t.ArithmeticNode) -> Rows:
        """Seconds between two instants."""
        sides = []
        for side in (value.left, value.right):
            found = self.value(side)
            if isinstance(found, Const):
                sides.append(self.frame.bind(found.values[0].begin) if found.values else "null")
            elif kind_of(side).kind is FieldKind.TIME:
                sides.append(found.expr if not found.tables else self.single(found))
            else:
                raise NotCompilable
        return Rows(f"({sides[0]} - {sides[1]})")

    def single(self, rows: Rows) -> str:
        """The first value as an expression; there is one at most, or which one does not matter."""
        return f"(select {rows.expr} from {rows.tables} where {rows.inner} = {rows.outer} and {rows.where} limit 1)"

    # -- tests against values that are known -----------------------------------------------------------

    def equal(self, target: t.ColumnNode, values: Iterable[Any]) -> Test:
        """Whether an expression of this kind is one of the values."""
        values = list(values)
        frame = self.frame
        if target.kind in _TIMES:
            return lambda expr: _either(self._in_stretch(target, expr, one) for one in values)
        if self._spelled(target):
            raise NotCompilable
        known = [one for value in values if (one := self.stored(target, value)) is not None]
        return lambda expr: frame.among(expr, known)

    def more_or_less(self, target: t.ColumnNode, op: t.Op, values: Iterable[Any]) -> Test:
        """Whether an expression is less or more than one of the values."""
        values = list(values)
        if not values:
            return lambda _expr: "0"
        if target.domain == "priority":
            return self._weighed(op, values)
        if target.kind in _TIMES:
            return self._earlier_or_later(target, op, values)
        far = self.frame.bind(max(values) if op in ("<", "<=") else min(values))
        return lambda expr: f"{expr} {op} {far}"

    def stored(self, target: t.ColumnNode, value: Any) -> Any:
        """A value as the tables hold it; None for what they cannot hold."""
        if target.kind is FieldKind.KEY or (target.kind is FieldKind.SUBJECT and "-" in str(value)):
            return ident_of(self.frame.tx, target.domain or "issue", str(value))
        if target.kind in NAMED and not is_word(target):
            return whole_number(str(value))
        return value

    def _spelled(self, target: t.ColumnNode) -> bool:
        """Texts and words without a list are equal whatever their case and accents."""
        return target.kind is FieldKind.TEXT or (target.kind in NAMED and not target.domain)

    def _weighed(self, op: t.Op, values: list[Any]) -> Test:
        weights = [PRIORITIES.index(value) for value in values if value in PRIORITIES]
        if not weights:
            return lambda _expr: "0"
        far = max(weights) if op in ("<", "<=") else min(weights)
        tests = {"<": range(far), "<=": range(far + 1), ">": range(far + 1, 9), ">=": range(far, 9)}
        fit = [name for weight, name in enumerate(PRIORITIES) if weight in tests[op]]
        return lambda expr: self.frame.among(expr, fit)

    def _in_stretch(self, target: t.ColumnNode, expr: str, time: Stretch) -> str:
        low, high = self._edges(target, time)
        if low == high:
            return f"{expr} = {self.frame.bind(low)}"
        return f"{expr} between {self.frame.bind(low)} and {self.frame.bind(high)}"

    def _earlier_or_later(self, target: t.ColumnNode, op: t.Op, values: list[Any]) -> Test:
        edges = [self._edges(target, time) for time in values]
        far = {
            "<": max(low for low, _ in edges),
            "<=": max(high for _, high in edges),
            ">": min(high for _, high in edges),
            ">=": min(low for low, _ in edges),
        }[op]
        bound = self.frame.bind(far)
        return lambda expr: f"{expr} {op} {bound}"

    def _edges(self, target: t.ColumnNode, time: Stretch) -> tuple[Any, Any]:
        """The first and last moment of a stretch as the tables write this kind of time."""
        if target.kind is FieldKind.TIME:
            return time.begin, time.last
        clock = Calendar(self.frame.tx.now, self.frame.world.zone)
        return clock.day_of(time.begin).isoformat(), clock.day_of(time.last).isoformat()

    # -- texts -------------------------------------------------------------------------------------------

    def held_by_text(self, left: t.Value, pattern: str, *, exact: bool) -> str:
        """Whether a text matches a pattern, or is exactly it. Raises NotCompilable for what is no text of a thing."""
        if not isinstance(left, t.ColumnNode) or self.frame.lone:
            raise NotCompilable
        if left.tracked and self.frame.as_of is not None:  # words are looked for in the texts of today
            raise NotCompilable
        frame, scope, around = self.frame, self.scope, None
        if left.steps:
            around, scope = path(frame, scope, left.steps)
        field = self._texts_of(scope, left.name)
        find = full_text.same if exact else full_text.matching
        found = find(frame.tx, field, pattern)
        here = frame.among(f"{scope.row}.id", sorted(found))
        return here if around is None else frame.some(_within(around, Rows("1")), lambda _expr: here)

    def _texts_of(self, scope: Scope, name: str) -> full_text.TextField:
        source = self.frame.sources[scope.source]
        field = source.field(self.frame.tx, name)
        if field is None or not source.texts(field):
            raise NotCompilable
        return full_text.TextField(scope.source, name)


def fixed(value: t.Value) -> bool:
    """Whether a value is the same for all rows."""
    if isinstance(value, t.ArithmeticNode):
        return fixed(value.left) and fixed(value.right)
    if isinstance(value, t.CallNode):
        return all(fixed(arg) or isinstance(arg, t.WordNode) for arg in value.args)
    return isinstance(value, _LITERALS)


def _within(around: Rows, found: Rows) -> Rows:
    """A field of the rows that a path leads to."""
    if not found.tables:
        return Rows(found.expr, around.tables, around.outer, around.inner, around.where)
    where = f"{around.where} and {found.inner} = {found.outer} and {found.where}"
    tables = f"{around.tables} join {found.tables}"
    return Rows(found.expr, tables, around.outer, around.inner, where, found.order)


def _either(conditions: Iterable[str]) -> str:
    found = list(conditions)
    return f"({' or '.join(found)})" if found else "0"
