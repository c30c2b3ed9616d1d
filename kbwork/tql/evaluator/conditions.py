"""Whether a checked condition holds for an item, in plain Python: for workflows, automation, formulas and explain, and
as the measure that the compiler is held against.

There are two truth values. A comparison with a missing value is false and its negation true, so that `not (x)` is
always the complement of `x`.
"""

from collections.abc import Callable, Iterable
from functools import singledispatchmethod
from typing import Any

from kbwork.base.dataclasses import replace
from kbwork.tql import tree as t
from kbwork.tql.calendar import Stretch
from kbwork.tql.evaluator import history, text_match
from kbwork.tql.evaluator.values import ValueEvaluator, Values, number_compares, ordered, reached, read, same
from kbwork.tql.fields import FieldKind
from kbwork.tql.items import Item, Spell
from kbwork.tql.kinds import kind_of
from kbwork.tql.time_literals import seconds

_MINE = ("assignee", "owner", "author", "member", "lead")


class Evaluator(ValueEvaluator):
    """Answers for one asker at one moment. `as_of` (Unix seconds) reads tracked fields as they were then."""

    def matches(self, expr: t.Expr | None, item: Item) -> bool:
        """Whether the condition holds; no condition always does."""
        return expr is None or self._holds(expr, item)

    def value(self, value: t.Value, item: Item) -> Any:
        """A formula's result: None, one value or a tuple; times as Unix seconds, days as `date`."""
        return self.plain(self.values(value, item))

    @singledispatchmethod
    def _holds(self, expr: t.Expr, item: Item) -> bool:
        raise TypeError(f"{type(expr).__name__} was not checked")

    @_holds.register
    def _and_holds(self, expr: t.AndNode, item: Item) -> bool:
        return all(self._holds(term, item) for term in expr.terms)

    @_holds.register
    def _or_holds(self, expr: t.OrNode, item: Item) -> bool:
        return any(self._holds(term, item) for term in expr.terms)

    @_holds.register
    def _not_holds(self, expr: t.NotNode, item: Item) -> bool:
        return not self._holds(expr.term, item)

    @_holds.register
    def _view_holds(self, expr: t.ViewNode, item: Item) -> bool:
        return self._holds(expr.term, item)

    @_holds.register
    def _decided_holds(self, expr: t.DecidedNode, _item: Item) -> bool:
        return expr.holds

    @_holds.register
    def _compare_holds(self, expr: t.CompareNode, item: Item) -> bool:
        left, right = self.values(expr.left, item), self.values(expr.right, item)
        target = kind_of(expr.left)
        if expr.op in {"=", "!="}:
            return self._among(target, left, right, item) == (expr.op == "=")
        clock = self.clock(item)
        return any(ordered(expr.op, target, a, b, clock) for a in left for b in right)

    @_holds.register
    def _within_holds(self, expr: t.WithinNode, item: Item) -> bool:
        target, clock = kind_of(expr.left), self.clock(item)
        low, high = (
            None if end is None else self.values(end, item) for end in (expr.range.low, expr.range.high)
        )

        def inside(one: Any) -> bool:
            above = low is None or any(ordered(">=", target, one, end, clock) for end in low)
            return above and (high is None or any(ordered("<=", target, one, end, clock) for end in high))

        return any(inside(one) for one in self.values(expr.left, item)) != expr.negated

    @_holds.register
    def _match_holds(self, expr: t.MatchNode, item: Item) -> bool:
        """The texts of one thing together hold the pattern, or those of one of several things that a path leads to."""
        left = expr.left
        items: Iterable[Item] = (item,)
        if isinstance(left, t.ColumnNode) and left.steps:
            left, items = replace(left, steps=()), reached(left.steps, item)
        texts = (self.values(left, each) for each in items)
        return any(found and text_match.matches(expr.pattern, found) for found in texts) != expr.negated

    @_holds.register
    def _text_holds(self, expr: t.TextNode, item: Item) -> bool:
        return text_match.matches(expr.pattern, self.field(item, "text", tracked=False))

    @_holds.register
    def _empty_holds(self, expr: t.EmptyNode, item: Item) -> bool:
        return bool(self.values(expr.left, item)) == expr.negated

    @_holds.register
    def _member_holds(self, expr: t.MemberNode, item: Item) -> bool:
        left = self.values(expr.left, item)
        return self._in_set(kind_of(expr.left), left, expr.set, item) != expr.negated

    @_holds.register
    def _has_holds(self, expr: t.HasNode, item: Item) -> bool:
        target, left = kind_of(expr.left), self.values(expr.left, item)
        if expr.mode != "all":
            return self._in_set(target, left, expr.set, item) == (expr.mode == "any")
        if isinstance(expr.set, t.ListedNode):
            return all(self._equals(target, left, value, item) for value in expr.set.values)
        return all(self._among(target, left, (one,), item) for one in self._set(expr.set, item))

    @_holds.register
    def _flag_holds(self, expr: t.FlagNode, item: Item) -> bool:
        return self.flag(expr.name, item)

    @_holds.register
    def _call_holds(self, expr: t.CallNode, item: Item) -> bool:
        return item.id in self.values(expr, item)

    @_holds.register
    def _related_holds(self, expr: t.RelatedNode, item: Item) -> bool:
        ends = item.related(expr.relation, expr.kind)
        if expr.to is None:
            return any(True for _ in ends) != expr.negated
        if isinstance(expr.to, t.NestedNode):
            where = expr.to.query.where
            return any(self.matches(where, end) for end in ends)
        named = {one for value in expr.to.values for one in self.values(value, item)}
        return any(end.id in named for end in ends)

    @_holds.register
    def _parts_holds(self, expr: t.PartsNode, item: Item) -> bool:
        where = expr.query.where if expr.query else None
        held = [self.matches(where, part) for part in item.parts(expr.collection)]
        if expr.op is not None:
            return number_compares(expr.op, sum(held), expr.number)
        return {"any": any(held), "all": all(held), "none": not any(held)}[expr.quantifier]

    @_holds.register
    def _was_holds(self, expr: t.WasNode, item: Item) -> bool:
        return any(self._was(expr, spell, item) for spell in self._spells(expr, item)) != expr.negated

    @_holds.register
    def _changed_holds(self, expr: t.ChangedNode, item: Item) -> bool:
        left = _column(expr.left)
        found = history.changes(item.spells(left.name), self._begun(item), many=left.many)
        number = sum(self._changed(expr, change, item) for change in found)
        return all(number_compares(op, number, times) for op, times in expr.times or ((">=", 1),))

    @_holds.register
    def _unchanged_holds(self, expr: t.UnchangedNode, item: Item) -> bool:
        left = _column(expr.left)
        began = history.since(item.spells(left.name), self._made(item))
        if any(unit == "wd" for _, unit in expr.length.parts):
            return began <= self.clock(item).step(self.world.now, expr.length.parts, -1)
        return self.world.now - began >= seconds(expr.length.parts)

    def _among(self, target: t.ColumnNode, left: Values, right: Iterable[Any], item: Item) -> bool:
        clock = self.clock(item)
        return any(same(target, a, b, clock) for b in right for a in left)

    def _equals(self, target: t.ColumnNode, left: Values, value: t.Value, item: Item) -> bool:
        """One value of a list; `empty` in it means that there is none."""
        if isinstance(value, t.NothingNode):
            return not left
        return self._among(target, left, self.values(value, item), item)

    def _in_set(self, target: t.ColumnNode, left: Values, values: t.Set, item: Item) -> bool:
        if isinstance(values, t.ListedNode):
            return any(self._equals(target, left, value, item) for value in values.values)
        return self._among(target, left, self._set(values, item), item)

    def _set(self, values: t.CallNode | t.NestedNode, item: Item) -> Values:
        """What a function or a query gives: its one selected column, or the things themselves."""
        if isinstance(values, t.CallNode):
            return self.values(values, item)
        query = values.query
        assert query.source is not None
        found = [one for one in self.world.all(query.source.name) if self.matches(query.where, one)]
        if not query.select:
            return tuple(one.id for one in found)
        return tuple(value for one in found for value in self.values(query.select[0].value, one))

    def flag(self, name: str, item: Item) -> bool:
        """What follows from other fields is read off them, so that it holds at any time; the rest the item says."""
        category = self.field(item, "category")
        done = "done" in category if category else bool(item.get("done"))
        derived: dict[str, Callable[[], bool]] = {
            "open": lambda: not done,
            "done": lambda: done,
            "unassigned": lambda: not self.field(item, "assignee"),
            "mine": lambda: any(
                one == self.world.me != "" for name in _MINE for one in self.field(item, name)
            ),
            "overdue": lambda: not done and self._late(item),
        }
        return derived[name]() if name in derived else bool(item.get(name))

    def _late(self, item: Item) -> bool:
        due = t.ColumnNode("due", FieldKind.DAY)
        return self._holds(t.CompareNode(due, "<", t.MomentNode("today")), item)

    def _made(self, item: Item) -> int:
        """When the item was made; what does not say so was always there."""
        created = self.field(item, "created", tracked=False)
        return int(created[0]) if created else 0

    def _begun(self, item: Item) -> int | None:
        """When its past begins, with the first status that it had here: what was imported is older than that."""
        return min((spell.begin for spell in item.spells("status")), default=None)

    def _spells(self, expr: t.WasNode, item: Item) -> list[Spell]:
        left = _column(expr.left)
        spells = item.spells(left.name)
        values = expr.values.values if isinstance(expr.values, t.ListedNode) else (expr.values,)
        found = [
            spell for spell in spells if any(self._fits(left, spell.value, value, item) for value in values)
        ]
        if any(isinstance(value, t.NothingNode) for value in values):
            found += history.gaps(spells, self._made(item))
        return found

    def _was(self, expr: t.WasNode, spell: Spell, item: Item) -> bool:
        begin, end = spell.begin, self.world.now if spell.end is None else spell.end
        for when in expr.when:
            time = self._stretch(when.at, item)
            if time is None or not history.met(when.word, spell, time):
                return False
            low, high = history.clipped(when.word, spell, time, self.world.now)
            begin, end = max(begin, low), min(end, high)
        held = all(number_compares(held.op, end - begin, seconds(held.length.parts)) for held in expr.held)
        return held and all(self._by(who, spell.by, item) for who in expr.by)

    def _changed(self, expr: t.ChangedNode, change: history.ValueChange, item: Item) -> bool:
        left = _column(expr.left)
        sides = ((expr.old, change.old), (expr.new, change.new))
        if not all(wanted is None or self._fits(left, had, wanted, item) for wanted, had in sides):
            return False
        for when in expr.when:
            time = self._stretch(when.at, item)
            if time is None or not history.happened(when.word, change.at, time):
                return False
        return all(self._by(who, change.by, item) for who in expr.by)

    def _fits(self, left: t.ColumnNode, had: Any, wanted: t.Value | t.Set, item: Item) -> bool:
        """Whether a value of the past is the wanted one; None was empty."""
        if isinstance(wanted, t.NothingNode):
            return had is None
        if had is None:
            return False
        past = (read(left.kind, had, self.clock(item)),)
        values = self._set(wanted, item) if isinstance(wanted, t.NestedNode) else self._of(wanted, item)
        return self._among(left, past, values, item)

    def _of(self, value: t.Value | t.ListedNode, item: Item) -> Values:
        if isinstance(value, t.ListedNode):
            return tuple(one for each in value.values for one in self.values(each, item))
        return self.values(value, item)

    def _by(self, who: t.Value | t.Set, by: str, item: Item) -> bool:
        return by in (self._set(who, item) if isinstance(who, t.NestedNode) else self._of(who, item))

    def _stretch(self, at: t.Value | t.RangeNode, item: Item) -> Stretch | None:
        """The time or period that is meant, None where it is missing."""
        if not isinstance(at, t.RangeNode):
            found = self.values(at, item)
            return found[0] if found else None
        low = self.values(at.low, item) if at.low else (Stretch.at(0),)
        high = self.values(at.high, item) if at.high else (Stretch.at(self.world.now),)
        return Stretch(low[0].begin, high[0].last) if low and high else None


def _column(value: t.Value) -> t.ColumnNode:
    assert isinstance(value, t.ColumnNode), "history is kept of fields; the check has seen to it"
    return value
