"""What a checked value is for one item: always a tuple, empty when the value is missing.

Times come out as stretches, days as the stretch of that day, lengths as seconds.
"""

from collections.abc import Callable, Iterable, Sequence
from datetime import date
from functools import singledispatchmethod
from typing import Any

from kbwork.base.text import fold
from kbwork.tql import tree as t
from kbwork.tql.calendar import Calendar, Stretch
from kbwork.tql.checker.values import UNIT_WORDS
from kbwork.tql.evaluator.aggregates import gathered
from kbwork.tql.evaluator.history import values_at
from kbwork.tql.fields import PRIORITIES, FieldKind
from kbwork.tql.items import Item, World
from kbwork.tql.time_literals import seconds
from kbwork.tql.words import FLAGS

Values = tuple[Any, ...]
_BOUNDS: dict[str, dict[str, tuple[str, ...]]] = {
    "sprints": {"startOf": ("started", "start"), "endOf": ("completed", "end")},
    "releases": {"startOf": ("start",), "endOf": ("released", "due")},
    "milestones": {"startOf": ("start",), "endOf": ("reached", "due")},
}
"""Where a thing's start and end stand: first what happened, then what was planned."""


class ValueEvaluator:
    """Reads values off items, now or as they were at `as_of` (Unix seconds). What conditions mean is said above it."""

    def __init__(self, world: World, as_of: int | None = None, rows: Sequence[Item] | None = None) -> None:
        self.world = world
        self.as_of = as_of
        self.rows = rows
        """What aggregates gather; None: the children of the item."""
        self.named: dict[str, Values] = {}
        """Columns of the row by the names that `select` gave them, without case."""

    def matches(self, expr: t.Expr | None, item: Item) -> bool:
        raise NotImplementedError

    def flag(self, name: str, item: Item) -> bool:
        raise NotImplementedError

    def clock(self, item: Item) -> Calendar:
        """The clock with the working days of the item's project."""
        return Calendar(self.world.now, self.world.zone, lambda day: self.world.works(day, item))

    def plain(self, values: Values) -> Any:
        """Values as the shapes hold them: None, one or a tuple; times as Unix seconds, periods as their first day."""
        clock = Calendar(self.world.now, self.world.zone)
        plain = tuple(
            one if not isinstance(one, Stretch) else one.begin if one.instant else clock.day_of(one.begin)
            for one in values
        )
        return plain[0] if len(plain) == 1 else plain or None

    def field(self, item: Item, name: str, *, tracked: bool = True) -> Values:
        """The raw values of a field; as of another time, of a tracked field those that it had then."""
        if self.as_of is not None and tracked and item.dated:
            return values_at(item.spells(name), self.as_of)
        value = item.get(name)
        if value is None:
            return ()
        return tuple(value) if isinstance(value, tuple | list | set | frozenset) else (value,)

    @singledispatchmethod
    def values(self, value: t.Value, item: Item) -> Values:
        raise TypeError(f"{type(value).__name__} was not checked")

    @values.register
    def _column_values(self, value: t.ColumnNode, item: Item) -> Values:
        items = reached(value.steps, item)
        if value.kind is FieldKind.BOOL and value.name in FLAGS:
            return tuple(self.flag(value.name, each) for each in items)
        clock = self.clock(item)
        return tuple(
            read(value.kind, raw, clock)
            for each in items
            for raw in self.field(each, value.name, tracked=value.tracked)
        )

    @values.register
    def _formula_values(self, value: t.FormulaNode, item: Item) -> Values:
        """Of one thing, whatever rows are gathered around it."""
        items = reached(value.steps, item)
        rows, self.rows = self.rows, None
        try:
            return tuple(
                one
                for each in items
                if all(
                    not set(ids).isdisjoint(self.field(each, name, tracked=False)) for name, ids in value.only
                )
                for one in self.values(value.inside, each)
            )
        finally:
            self.rows = rows

    @values.register
    def _ref_values(self, value: t.RefNode, _item: Item) -> Values:
        return value.ids

    @values.register
    def _string_values(self, value: t.StringNode, _item: Item) -> Values:
        return (value.text,)

    @values.register
    def _number_values(self, value: t.NumberNode, _item: Item) -> Values:
        return (value.value,)

    @values.register
    def _duration_values(self, value: t.DurationNode, _item: Item) -> Values:
        return (seconds(value.parts),)

    @values.register
    def _boolean_values(self, value: t.BooleanNode, _item: Item) -> Values:
        return (value.value,)

    @values.register
    def _subject_values(self, value: t.SubjectNode, _item: Item) -> Values:
        return (f"{value.kind}:{value.id}",)

    @values.register
    def _nothing_values(self, _value: t.NothingNode, _item: Item) -> Values:
        return ()

    @values.register
    def _relative_values(self, value: t.RelativeNode, item: Item) -> Values:
        return (Stretch.at(self.clock(item).step(self.world.now, value.parts, -1 if value.back else 1)),)

    @values.register
    def _moment_values(self, value: t.MomentNode, item: Item) -> Values:
        return (self.clock(item).read(value.text),)

    @values.register
    def _arithmetic_values(self, value: t.ArithmeticNode, item: Item) -> Values:
        left, right = self.values(value.left, item), self.values(value.right, item)
        if not left or not right:
            return ()
        if isinstance(left[0], Stretch) or isinstance(right[0], Stretch):
            return self._moved(value, left[0], right[0], item)
        try:
            return (_ARITHMETIC[value.op](left[0], right[0]),)
        except (ZeroDivisionError, OverflowError):  # what has no result is missing
            return ()

    @values.register
    def _alias_values(self, value: t.AliasNode, _item: Item) -> Values:
        return self.named[value.name.lower()]

    @values.register
    def _aggregate_values(self, value: t.AggregateNode, item: Item) -> Values:
        rows = list(item.parts("children")) if self.rows is None else self.rows
        if value.share is not None:
            return (sum(self.matches(value.share, row) for row in rows) / len(rows),) if rows else ()
        if value.of is None:
            return (len(rows),)
        return gathered(value.name, [one for row in rows for one in self.values(value.of, row)], value.most)

    @values.register
    def _call_values(self, value: t.CallNode, item: Item) -> Values:
        if value.name in {"startOf", "endOf"}:
            return self._edge(value, item)
        if value.name == "workingDays":
            begin, end = (self.values(arg, item) for arg in value.args)
            return (self.clock(item).working_days(begin[0].begin, end[0].begin),) if begin and end else ()
        if value.name.lower() in _BUILT_IN:
            return _BUILT_IN[value.name.lower()](self, value, item)
        args = tuple(self._argument(arg, item) for arg in value.args)
        return tuple(
            read(_GIVEN.get(value.name), raw, self.clock(item)) for raw in self.world.call(value.name, args)
        )

    def _argument(self, value: t.Value, item: Item) -> Any:
        found = self.values(value, item)
        return found[0] if len(found) == 1 else found

    def _edge(self, value: t.CallNode, item: Item) -> Values:
        unit, *rest = value.args
        if isinstance(unit, t.ColumnNode):
            times = self._edge_of_thing(value.name, unit, item)
        else:
            assert isinstance(unit, t.WordNode)
            offset = int(rest[0].value) if rest and isinstance(rest[0], t.NumberNode) else 0
            clock, short = self.clock(item), UNIT_WORDS[unit.text]
            times = (
                Stretch.at((clock.start_of if value.name == "startOf" else clock.end_of)(short, offset)),
            )
        moved = [arg for arg in rest if isinstance(arg, t.DurationNode | t.RelativeNode)]
        for arg in moved:
            sign = -1 if isinstance(arg, t.RelativeNode) and arg.back else 1
            times = tuple(Stretch.at(self.clock(item).step(time.begin, arg.parts, sign)) for time in times)
        return times

    def _edge_of_thing(self, name: str, column: t.ColumnNode, item: Item) -> tuple[Stretch, ...]:
        things = reached((*column.steps, column.name), item)
        clock = self.clock(item)
        found = []
        for thing in things:
            for field in _BOUNDS[column.to][name]:
                raw = self.field(thing, field, tracked=False)
                if raw:
                    time = _time(raw[0], clock)
                    found.append(Stretch.at(time.begin if name == "startOf" else time.last))
                    break
        return tuple(found)

    def _moved(self, value: t.ArithmeticNode, left: Any, right: Any, item: Item) -> Values:
        """Two times have a distance; a time and a length give a time."""
        if isinstance(left, Stretch) and isinstance(right, Stretch):
            return (left.begin - right.begin,)
        time, length, source = (
            (left, right, value.right) if isinstance(left, Stretch) else (right, left, value.left)
        )
        parts = source.parts if isinstance(source, t.DurationNode) else ()
        clock, sign = self.clock(item), -1 if value.op == "-" else 1
        if parts:
            return (clock.shifted(time, parts, sign),)
        return (Stretch.at(time.begin + sign * int(length)),)


def reached(steps: Iterable[str], item: Item) -> Iterable[Item]:
    """The items to which steps lead, such as `parent`, one behind the other."""
    items: Iterable[Item] = (item,)
    for step in steps:
        items = [far for near in items for far in near.follow(step)]
    return items


def _rounded(valuer: ValueEvaluator, value: t.CallNode, item: Item) -> Values:
    """`day(field)`, `week(field)`, ...: the first day of it, so that equal groups are equal values."""
    clock = valuer.clock(item)
    found = valuer.values(value.args[0], item)
    unit = UNIT_WORDS[value.name.lower()]
    return tuple(clock.day(Calendar(time.begin, clock.zone).first_day(unit)) for time in found)


def _bucket(valuer: ValueEvaluator, value: t.CallNode, item: Item) -> Values:
    """The greatest bound that is not above the value; below all of them there is no bucket."""
    bounds = sorted(bound for arg in value.args[1:] for bound in valuer.values(arg, item))
    found = valuer.values(value.args[0], item)
    return tuple(max(bound for bound in bounds if bound <= one) for one in found if one >= bounds[0])


_BUILT_IN: dict[str, Callable[[ValueEvaluator, t.CallNode, Item], Values]] = {
    "me": lambda valuer, _value, _item: (valuer.world.me,) if valuer.world.me else (),
    "now": lambda valuer, _value, _item: (Stretch.at(valuer.world.now),),
    "today": lambda valuer, _value, item: (valuer.clock(item).read("today"),),
    "bucket": _bucket,
    **dict.fromkeys(("day", "week", "month", "quarter", "year"), _rounded),
}
_WEIGHTS = {name: weight for weight, name in enumerate(PRIORITIES)}
_GIVEN = {"lastVisit": FieldKind.TIME}
_ARITHMETIC: dict[str, Callable[[Any, Any], Any]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b,
}


def _time(raw: Any, clock: Calendar) -> Stretch:
    """A day as all of its seconds, an instant as one."""
    if isinstance(raw, str):
        raw = date.fromisoformat(raw)
    return clock.day(raw) if isinstance(raw, date) else Stretch.at(int(raw))


def read(kind: FieldKind | None, raw: Any, clock: Calendar) -> Any:
    """A raw value of an item as it is compared."""
    return _time(raw, clock) if kind in {FieldKind.TIME, FieldKind.DAY} else raw


def same(target: t.ColumnNode, left: Any, right: Any, clock: Calendar) -> bool:
    """Whether two values of this kind are equal; a time is equal to a period that it lies in."""
    if target.kind in {FieldKind.TIME, FieldKind.DAY}:
        right = clock.whole_days(right) if target.kind is FieldKind.DAY else right
        return bool(right.begin <= left.begin and left.last <= right.last)
    if (
        isinstance(left, str)
        and isinstance(right, str)
        and (target.kind is FieldKind.TEXT or not target.domain)
    ):
        return fold(left) == fold(right)
    return bool(left == right)


def ordered(op: t.Op, target: t.ColumnNode, left: Any, right: Any, clock: Calendar) -> bool:
    """Whether one value is less or more than the other."""
    if target.domain == "priority":
        left, right = _WEIGHTS.get(left, -1), _WEIGHTS.get(right, -1)
    if target.kind not in {FieldKind.TIME, FieldKind.DAY}:
        return bool(_COMPARE[op](left, right))
    if target.kind is FieldKind.DAY:
        right = clock.whole_days(right)
    edges = {
        "<": left.begin < right.begin,
        ">=": left.begin >= right.begin,
        "<=": left.last <= right.last,
        ">": left.last > right.last,
    }
    return bool(edges[op])


_COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
    "=": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
}


def number_compares(op: t.Op, left: float, right: float) -> bool:
    return _COMPARE[op](left, right)
