"""The rows of a whole query over items at hand: filtered, grouped, ordered, cut."""

import itertools
from collections.abc import Iterable, Sequence
from typing import Any, Protocol, TypeVar

from kbwork.base.text import fold
from kbwork.tql import tree as t
from kbwork.tql.evaluator.conditions import Evaluator
from kbwork.tql.evaluator.values import Values
from kbwork.tql.fields import NAMED, PRIORITIES, FieldKind
from kbwork.tql.items import Item, Record, World
from kbwork.tql.kinds import kind_of

Row = tuple[Any, ...]
_NOBODY = Record("")


def rows(query: t.QueryNode, items: Iterable[Item], world: World) -> list[Row]:
    """One tuple a row: the groups' keys, then what is selected; without either the ids.

    Aggregates without groups give one row. Without `order by` rows come as the items do, groups as they were met.
    """
    evaluator = Evaluator(world, _as_of(query, world))
    found = [
        item for item in items if _was_there(item, evaluator.as_of) and evaluator.matches(query.where, item)
    ]
    bundles = [_Bundle(query, bundle, key, evaluator) for key, bundle in _bundles(query, found, evaluator)]
    kept = [bundle for bundle in bundles if bundle.matches(query.having)]
    for order in reversed(query.order):
        kept = in_order(kept, order)
    return [bundle.row() for bundle in kept[: query.limit]]


class _Bundle:
    """What becomes one row: one item, or all items of a group."""

    def __init__(self, query: t.QueryNode, items: Sequence[Item], key: Row, evaluator: Evaluator) -> None:
        self._query = query
        self._first = items[0] if items else _NOBODY
        self._keys: dict[t.Value, Values] = {
            by: () if one is None else (one,) for by, one in zip(query.group, key, strict=True)
        }
        self._evaluator = Evaluator(evaluator.world, evaluator.as_of, items)
        self._evaluator.named = {
            item.name.lower(): self.values(item.value) for item in query.select if item.name
        }

    def matches(self, expr: t.Expr | None) -> bool:
        return self._evaluator.matches(expr, self._first)

    def values(self, value: t.Value) -> Values:
        """The values of a column; what is grouped by is the group's own."""
        found = self._keys.get(value)
        return self._evaluator.values(value, self._first) if found is None else found

    def row(self) -> Row:
        selected = [item.value for item in self._query.select if item.value not in self._keys]
        columns = [*self._query.group, *selected]
        if not columns:
            return (self._first.id,)
        return tuple(self._evaluator.plain(self.values(column)) for column in columns)

    def sort_key(self, value: t.Value) -> Any:
        """What this row sorts by, None where it is missing; of several values the first."""
        return sort_key(self._evaluator.world, value, self.values(value))


def sort_key(world: World, value: t.Value, found: Values) -> Any:
    """What these values sort by: the first of them; None where there is none."""
    if not found:
        return None
    target, one = kind_of(value), found[0]
    if target.domain == "priority":
        return PRIORITIES.index(one)
    if target.kind is FieldKind.KEY:
        project, _, number = str(one).rpartition("-")
        return project, int(number) if number.isdecimal() else 0
    if target.kind in NAMED:
        return world.rank(target.domain, one)
    return fold(one) if isinstance(one, str) else one


def _as_of(query: t.QueryNode, world: World) -> int | None:
    """The instant that the whole query reads; of a day or period its end."""
    if query.as_of is None:
        return None
    found = Evaluator(world).values(query.as_of, _NOBODY)
    return int(found[0].last) if found else None


def _was_there(item: Item, at: int | None) -> bool:
    created = item.get("created")
    return at is None or created is None or bool(created <= at)


def _bundles(query: t.QueryNode, items: list[Item], evaluator: Evaluator) -> list[tuple[Row, list[Item]]]:
    """Items by the keys of their groups; one with several values stands in several, one without in that of None."""
    if not query.group:
        together = any(_gathers(item.value) for item in query.select)
        return [((), items)] if together else [((), [item]) for item in items]
    groups: dict[Row, list[Item]] = {}
    for item in items:
        keys = [evaluator.values(value, item) or (None,) for value in query.group]
        for key in dict.fromkeys(itertools.product(*keys)):
            groups.setdefault(key, []).append(item)
    return list(groups.items())


def _gathers(value: t.Value) -> bool:
    """Whether a column speaks of many rows."""
    if isinstance(value, t.ArithmeticNode):
        return _gathers(value.left) or _gathers(value.right)
    return isinstance(value, t.AggregateNode)


class Sortable(Protocol):
    """A row that says what it sorts by."""

    def sort_key(self, value: t.Value) -> Any: ...


R = TypeVar("R", bound=Sortable)


def in_order(rows: Sequence[R], order: t.OrderNode) -> list[R]:
    """In this order, equal ones as they were; missing values stand last unless said."""
    keyed = [(row.sort_key(order.value), row) for row in rows]
    there = [pair for pair in keyed if pair[0] is not None]
    there.sort(key=lambda pair: pair[0], reverse=order.descending)
    missing = [row for key, row in keyed if key is None]
    present = [row for _, row in there]
    return missing + present if order.empty_first else present + missing
