"""Groups and aggregates over many rows: the columns that they need, straight from the tables."""

import itertools
import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from kbwork.base.dataclasses import dataclass, replace
from kbwork.base.errors import TqlTooSlow
from kbwork.core.ports.query_source import Rows
from kbwork.db.deadline import within_deadline
from kbwork.db.tx import Read
from kbwork.modules.tql.compile.frame import NotCompilable
from kbwork.modules.tql.compile.query import TOP, Compiled
from kbwork.modules.tql.compile.terms import TermCompiler
from kbwork.modules.tql.compile.values import NOBODY, fixed
from kbwork.modules.tql.execute import time_limit
from kbwork.modules.tql.items.world import DbWorld, world
from kbwork.modules.tql.query_parser import nodes
from kbwork.tql import tree as t
from kbwork.tql.calendar import Calendar, Stretch
from kbwork.tql.checker.values import UNIT_WORDS
from kbwork.tql.evaluator.aggregates import gathered
from kbwork.tql.evaluator.conditions import Evaluator
from kbwork.tql.evaluator.rows import in_order, sort_key
from kbwork.tql.fields import NAMED, FieldKind
from kbwork.tql.items import Item
from kbwork.tql.kinds import kind_of

MOST = 500_000
_QUARTER_S = 900
_ROUNDED = frozenset({"day", "week", "month", "quarter", "year"})
Reader = Callable[[Any], Any]
"""Makes a value as the evaluator has it of what the tables hold."""


@dataclass(frozen=True, slots=True)
class _Column:
    """`several`: the statement gives a JSON array."""

    sql: str
    read: Reader
    several: bool = False

    def values(self, raw: Any) -> tuple[Any, ...]:
        if raw is None:
            return ()
        if self.several:
            return tuple(self.read(one) for one in json.loads(raw) if one is not None)
        return (self.read(raw),)


class _Known(Evaluator):
    """Knows the values of a group's columns; all else follows from them."""

    def __init__(self, world: DbWorld, known: dict[t.Value, tuple[Any, ...]]) -> None:
        super().__init__(world)
        self._known = known

    def values(self, value: t.Value, item: Item) -> tuple[Any, ...]:
        found = self._known.get(value)
        if found is not None:
            return found
        if isinstance(value, t.ColumnNode):
            raise NotCompilable  # neither grouped by nor gathered
        return super().values(value, item)


def gathered_rows(tx: Read, plan: Compiled, query: t.QueryNode) -> list[tuple[Any, ...]] | None:
    """The rows of a query that groups; None where the columns cannot be had without asking each row."""
    if plan.rest:
        return None
    kept = dict(plan.frame.binds)
    try:
        return _Gathering(tx, plan, query).rows()
    except NotCompilable:
        plan.frame.binds.clear()
        plan.frame.binds.update(kept)
        return None


class _Group:
    """One row of the result."""

    def __init__(self, world: DbWorld, query: t.QueryNode, known: dict[t.Value, tuple[Any, ...]]) -> None:
        self._world = world
        self._query = query
        self._evaluator = _Known(world, known)
        self._evaluator.named = {
            item.name.lower(): self._evaluator.values(item.value, NOBODY)
            for item in query.select
            if item.name
        }

    def matches(self, expr: t.Expr | None) -> bool:
        return self._evaluator.matches(expr, NOBODY)

    def sort_key(self, value: t.Value) -> Any:
        return sort_key(self._world, value, self._evaluator.values(value, NOBODY))

    def row(self) -> tuple[Any, ...]:
        selected = [item.value for item in self._query.select if item.value not in self._query.group]
        columns = [*self._query.group, *selected]
        return tuple(self._evaluator.plain(self._evaluator.values(column, NOBODY)) for column in columns)


class _Gathering:
    """One query that groups."""

    def __init__(self, tx: Read, plan: Compiled, query: t.QueryNode) -> None:
        self._tx = tx
        self._plan = plan
        self._query = query
        self._world = world(tx)
        self._clock = Calendar(tx.now, self._world.zone)
        self._terms = TermCompiler(plan.frame, plan.scope)
        asked = (*query.select, *query.order, *((query.having,) if query.having is not None else ()))
        self._aggregates = list(
            dict.fromkeys(
                one
                for part in asked
                for one in nodes(part, computed=False)
                if isinstance(one, t.AggregateNode)
            )
        )

    def rows(self) -> list[tuple[Any, ...]]:
        """Grouped, filtered, ordered and cut. Raises NotCompilable."""
        groups = [_Group(self._world, self._query, known) for known in self._known()]
        kept = [group for group in groups if group.matches(self._query.having)]
        for order in reversed(self._query.order):
            kept = in_order(kept, order)
        return [group.row() for group in kept[: self._query.limit]]

    def _known(self) -> list[dict[t.Value, tuple[Any, ...]]]:
        """The values of each group's columns and aggregates."""
        by = [self._column(value) for value in self._query.group]
        of = [self._gathered(value) for value in self._aggregates]
        found: dict[tuple[Any, ...], list[list[Any]]] = {}
        if not by:
            found[()] = [[] for _ in (0, *of)]
        width = len(by)
        for raw in within_deadline(self._tx, self._raw([*by, *(one for one in of if one is not None)])):
            keys = [column.values(cell) or (None,) for column, cell in zip(by, raw[:width], strict=True)]
            rest = iter(raw[width:])
            values = [() if column is None else column.values(next(rest)) for column in of]
            for key in dict.fromkeys(itertools.product(*keys)):
                group = found.setdefault(key, [[] for _ in (0, *of)])
                group[0].append(1)
                for many, few in zip(group[1:], values, strict=True):
                    many.extend(few)
        return [self._summed(key, group) for key, group in found.items()]

    def _summed(self, key: tuple[Any, ...], group: Sequence[list[Any]]) -> dict[t.Value, tuple[Any, ...]]:
        number, known = len(group[0]), {}
        for by, one in zip(self._query.group, key, strict=True):
            known[by] = () if one is None else (one,)
        for value, found in zip(self._aggregates, group[1:], strict=True):
            if value.share is not None:
                known[value] = (sum(found) / number,) if number else ()
            elif value.of is None:
                known[value] = (number,)
            else:
                known[value] = gathered(value.name, found, value.most)
        return known

    def _raw(self, columns: list[_Column]) -> Iterable[tuple[Any, ...]]:
        plan = self._plan
        said = ", ".join(f"{column.sql} as c{at}" for at, column in enumerate(columns)) or "1 as c0"
        sql = f"select {said} from {plan.table} where {plan.where} order by {TOP}.id limit :tql_most"
        rows = self._tx.all(sql, tql_most=MOST + 1, **plan.frame.all_binds)
        if len(rows) > MOST:
            raise TqlTooSlow(f"More than {MOST:,} rows come together here. {time_limit.told(self._query)}")
        width = len(columns)
        return (tuple(row.values())[:width] for row in rows)

    def _gathered(self, value: t.AggregateNode) -> _Column | None:
        if value.share is not None:
            return _Column(f"(({self._terms.condition(value.share)}) is true)", int)
        return None if value.of is None else self._column(value.of)

    def _column(self, value: t.Value) -> _Column:
        """A value of each row as the statement gives it. Raises NotCompilable."""
        if isinstance(value, t.CallNode):
            return self._rounded(value)
        if (
            isinstance(value, t.ColumnNode)
            and value.kind is FieldKind.TEXT
            and value.name in ("text", "comment")
        ):
            raise NotCompilable
        rows = self._terms.value(value)
        if not isinstance(rows, Rows):
            raise NotCompilable
        target = kind_of(value)
        if target.kind is FieldKind.KEY:
            rows = replace(rows, expr=self._key(target.domain, rows.expr))
        return self._of_rows(rows, self._reader(target))

    def _key(self, domain: str, expr: str) -> str:
        """The key of the thing with this number."""
        keyed = self._plan.frame.sources.keyed(domain)
        if keyed is None:
            raise NotCompilable
        row = self._plan.frame.row("y")
        key = keyed.declared.key.format(row=row)
        return f"(select {key} from {keyed.declared.table} {row} where {row}.id = {expr})"

    def _of_rows(self, rows: Rows, read: Reader) -> _Column:
        expr = rows.expr
        if not rows.tables:
            return _Column(expr, read)
        order = f" order by {rows.order}" if rows.order else ""
        sql = (
            f"(select json_group_array({expr}{order}) from {rows.tables}"
            f" where {rows.inner} = {rows.outer} and {rows.where})"
        )
        return _Column(sql, read, several=True)

    def _reader(self, target: t.ColumnNode) -> Reader:
        if target.kind is FieldKind.TIME:
            return Stretch.at
        if target.kind is FieldKind.DAY:
            return _remembering(self._clock.read)
        if target.kind is FieldKind.BOOL:
            return bool
        numbered = target.kind in NAMED and bool(target.domain)
        return str if numbered else _itself

    def _rounded(self, value: t.CallNode) -> _Column:
        """`week(closed)` as the first day of that week, `bucket(estimate, 1, 5)` as its bound."""
        inner = value.args[0] if value.args else None
        if inner is None or fixed(value):
            raise NotCompilable
        rows, kind = self._terms.value(inner), kind_of(inner).kind
        if not isinstance(rows, Rows):
            raise NotCompilable
        if value.name == "bucket":
            bounds = self._bounds(value)
            least = self._plan.frame.bind(min(bounds, default=0))
            return _bucket(self._of_rows(rows, _itself), bounds, least)
        if value.name not in _ROUNDED:
            raise NotCompilable
        unit = UNIT_WORDS[value.name]

        def first(begin: int) -> Stretch:
            return self._clock.day(Calendar(begin, self._world.zone).first_day(unit))

        if (
            kind is FieldKind.TIME
        ):  # zones differ by whole quarters of an hour, so that all in one have one day
            known = _remembering(lambda quarter: first(quarter * _QUARTER_S))
            return self._of_rows(rows, lambda raw: known(raw // _QUARTER_S))
        return self._of_rows(rows, _remembering(lambda raw: first(self._clock.read(raw).begin)))

    def _bounds(self, value: t.CallNode) -> list[Any]:
        if not all(fixed(arg) for arg in value.args[1:]):
            raise NotCompilable
        return sorted(
            bound for arg in value.args[1:] for bound in self._plan.frame.evaluator.values(arg, NOBODY)
        )


def _bucket(column: _Column, bounds: list[Any], least: str) -> _Column:
    """Below the least bound there is none."""
    if column.several or not bounds:
        raise NotCompilable
    there = f"iif({column.sql} >= {least}, {column.sql}, null)"
    return replace(column, sql=there, read=lambda raw: max(bound for bound in bounds if bound <= raw))


def _remembering(make: Reader) -> Reader:
    known: dict[Any, Any] = {}

    def read(raw: Any) -> Any:
        if raw not in known:
            known[raw] = make(raw)
        return known[raw]

    return read


def _itself(raw: Any) -> Any:
    return raw
