"""What fields were, as SQL over their spells."""

from collections.abc import Callable
from typing import Any

from kbwork.core.ports.query_source import Rows
from kbwork.modules.tql.compile.context import CompileContext
from kbwork.modules.tql.compile.field_history import FieldHistory, past_of
from kbwork.modules.tql.compile.frame import NotCompilable, Scope, opposite, written
from kbwork.modules.tql.compile.values import NOBODY, ValueCompiler, fixed
from kbwork.modules.workflows import lanes
from kbwork.tql import tree as t
from kbwork.tql.calendar import Stretch
from kbwork.tql.fields import FieldKind
from kbwork.tql.time_literals import seconds

_SIGNS = frozenset({"=", "!=", "<", "<=", ">", ">="})
_LATER = (
    "({b}.from_at, {b}.to_at is null, coalesce({b}.to_at, 0), {b}.id)"
    " > ({a}.from_at, {a}.to_at is null, coalesce({a}.to_at, 0), {a}.id)"
)
"""The spell `b` comes behind the spell `a`."""
# A view of two tables is looked into by their indexes where SQLite can put them in its place: not under an aggregate,
# nor where an order is by what is not selected. A select with a limit stays what it is.


class HistoryCompiler(ValueCompiler):
    """Makes SQL of `was`, `changed` and `unchanged`."""

    def __init__(self, frame: CompileContext, scope: Scope) -> None:
        super().__init__(frame, scope)
        self._now = frame.tx.now

    def was(self, term: t.WasNode) -> str:
        """A spell of one of these values with all these properties."""
        left = _column(term.left)
        values = list(term.values.values) if isinstance(term.values, t.ListedNode) else [term.values]
        self._need_plain(left, [*term.when, *term.held, *term.by])
        found = []
        if empties := [value for value in values if isinstance(value, t.NothingNode)]:
            found.append(self._in_gap(term, left))
        if len(empties) < len(values):
            found.append(self._in_spell(term, left, [v for v in values if not isinstance(v, t.NothingNode)]))
        whole = f"({' or '.join(found)})"
        return opposite(whole) if term.negated else whole

    def changed(self, term: t.ChangedNode) -> str:
        left = _column(term.left)
        if left.name == "category":
            raise NotCompilable
        if not term.times:
            found = [self.frame.some(turn, lambda _expr: "1") for turn in self._turns(term, left)]
            return f"({' or '.join(found)})" if found else "0"
        with self.frame.testing_each():
            turns = self._turns(term, left)
        counts = [
            f"(select count(*) from"
            f" (select 1 from {turn.tables} where {turn.inner} = {turn.outer} and {turn.where} limit -1))"
            for turn in turns
        ]
        total = f"({' + '.join(counts) or '0'})"
        return " and ".join(f"{total} {_sign(op)} {self.frame.bind(number)}" for op, number in term.times)

    def unchanged(self, term: t.UnchangedNode) -> str:
        left = _column(term.left)
        if left.name == "category" or any(unit == "wd" for _, unit in term.length.parts):
            raise NotCompilable
        latest = self.frame.bind(self._now - seconds(term.length.parts))
        side, field = self.frame.row("s"), self._field(left)
        last = (
            f"(select max({side}.from_at, coalesce({side}.to_at, 0)) from spell {side}"
            f" where {side}.subject = 'issue:' || {self.scope.row}.id and +{side}.field = {field}"
            " order by 1 desc limit 1)"
        )
        exact = f"coalesce({last}, {self.scope.row}.created_at) <= {latest}"
        if left.name == "status":  # a lane's spell never begins before the issue says that it stands there
            return f"({self.scope.row}.status_at <= {latest} and {exact})"
        return exact

    # -- spells ------------------------------------------------------------------------------------------

    def _in_spell(self, term: t.WasNode, left: t.ColumnNode, values: list[Any]) -> str:
        side = self.frame.row("s")
        test = self._held(left, values)
        where = [self._of_field(side, left), test(f"{side}.value")]
        where += self._when(term, f"{side}.from_at", f"{side}.to_at")
        where += self._by(term.by, f"{side}.by")
        return self.frame.some(self._of_span(side, f"spell {side}", where), lambda _expr: "1")

    def _in_gap(self, term: t.WasNode, left: t.ColumnNode) -> str:
        """A time in which there was no value: from when it was made, or from the end of a spell, to the next."""
        if left.kind is FieldKind.KEY:  # an issue that the caller does not see reads as none
            raise NotCompilable
        if term.by:
            return "0"
        row, field = self.scope.row, self._field(left)
        gap, end, cover, behind = (self.frame.row(letter) for letter in "gsss")
        own = f"subject = 'issue:' || {row}.id and +{{0}}.field = {field}"
        ended = f"{end}.{own.format(end)} and {end}.to_at is not null"
        begins = (
            f"(select {row}.created_at as begin union all"
            f" select max({end}.to_at, {row}.created_at) from spell {end} where {ended})"
        )
        ends = (
            f"(select {behind}.from_at from spell {behind}"
            f" where {behind}.{own.format(behind)} and {behind}.from_at > {gap}.begin order by 1 limit 1)"
        )
        covered = (
            f"{cover}.{own.format(cover)} and {cover}.from_at <= {gap}.begin"
            f" and ({cover}.to_at is null or {cover}.to_at > {gap}.begin)"
        )
        where = [f"not exists (select 1 from spell {cover} where {covered})"]
        where += self._when(term, f"{gap}.begin", ends)
        return f"exists (select 1 from {begins} {gap} where {' and '.join(where)})"

    def _when(self, term: t.WasNode, begin: str, end: str) -> list[str]:
        """What the times and lengths of the text ask of a spell from `begin` to `end`, which is null while it lasts."""
        low, high, asked = [begin], [f"coalesce({end}, {self.frame.bind(self._now)})"], []
        for when in term.when:
            time = self._stretch(when.at)
            if time is None:
                return ["0"]
            asked.append(self._met(when.word, time, begin, end))
            more_low, more_high = _clip(when.word, time)
            low += [self.frame.bind(at) for at in more_low]
            high += [self.frame.bind(at) for at in more_high]
        length = f"({_extreme('min', high)} - {_extreme('max', low)})"
        asked += [
            f"{length} {_sign(held.op)} {self.frame.bind(seconds(held.length.parts))}" for held in term.held
        ]
        return asked

    def _met(self, word: str, time: Stretch, begin: str, end: str) -> str:
        bind = self.frame.bind
        behind = time.begin if time.instant else time.last + 1
        tests: dict[str, Callable[[], str]] = {
            "before": lambda: f"{begin} < {bind(time.begin)}",
            "after": lambda: f"({end} is null or {end} > {bind(behind)})",
            "since": lambda: f"({end} is null or {end} > {bind(time.begin)})",
            "at": lambda: f"({begin} <= {bind(time.last)} and ({end} is null or {end} > {bind(time.last)}))",
        }
        if word in tests:
            return tests[word]()
        return f"({begin} <= {bind(time.last)} and ({end} is null or {end} > {bind(time.begin)}))"

    # -- changes -----------------------------------------------------------------------------------------

    def _turns(self, term: t.ChangedNode, left: t.ColumnNode) -> list[Rows]:
        """The changes that fit: those into a value, and those into nothing."""
        self._need_plain(left, [*term.when, *term.by, *(v for v in (term.old, term.new) if v is not None)])
        found = []
        if not isinstance(term.new, t.NothingNode):
            into = self._comings(term, left) if left.many else self._successions(term, left)
            found += [] if into is None else [into]
        if term.new is None or isinstance(term.new, t.NothingNode):
            found += self._goings(term, left)
        return found

    def _comings(self, term: t.ChangedNode, left: t.ColumnNode) -> Rows | None:
        """Of a field with many values: one came, behind the first ones or behind the beginning."""
        if term.old is not None and not isinstance(term.old, t.NothingNode):
            return None
        side, first = self.frame.row("s"), self.frame.row("s")
        where = [self._of_field(side, left), *self._new(term, left, side)]
        where.append(
            f"exists (select 1 from spell {first} where {first}.subject = {side}.subject"
            f" and +{first}.field in ({side}.field, {self._standing()}) and {first}.from_at < {side}.from_at)"
        )
        return self._of_span(side, f"spell {side}", where)

    def _successions(self, term: t.ChangedNode, left: t.ColumnNode) -> Rows:
        """Of a field with one value: a spell that is not the first, or that begins behind the beginning."""
        side, before = self.frame.row("s"), self.frame.row("s")
        earlier = (
            f"spell {before} where {before}.subject = {side}.subject and +{before}.field = {side}.field"
            f" and {before}.from_at <= {side}.from_at and {_LATER.format(a=before, b=side)}"
        )
        where = [self._of_field(side, left), *self._new(term, left, side)]
        where.append(f"(exists (select 1 from {earlier}) or {self._set_later(side)})")
        if term.old is not None:
            old = (
                f"(select held from (select iif({before}.to_at = {side}.from_at, {before}.value, null) as held,"
                f" {before}.from_at, {before}.to_at is null, {before}.to_at, {before}.id from {earlier}"
                " order by 2 desc, 3 desc, 4 desc, 5 desc limit 1))"
            )
            wanted = term.old
            empty = isinstance(wanted, t.NothingNode)
            where.append(f"{old} is null" if empty else self._held(left, [wanted])(old))
        return self._of_span(side, f"spell {side}", where)

    def _set_later(self, side: str) -> str:
        """Whether a spell begins behind the first status, with which a past begins."""
        begun = self.frame.row("s")
        return (
            f"exists (select 1 from spell {begun} where {begun}.subject = {side}.subject"
            f" and +{begun}.field = {self._standing()} and {begun}.from_at < {side}.from_at)"
        )

    def _standing(self) -> str:
        past = past_of(self.frame.tx, "status")
        assert past is not None
        return self.frame.bind(past.name)

    def _goings(self, term: t.ChangedNode, left: t.ColumnNode) -> list[Rows]:
        """A value went, and for a field with one value none took its place."""
        if isinstance(term.old, t.NothingNode) or term.by:
            return []
        side, behind = self.frame.row("s"), self.frame.row("s")
        where = [self._of_field(side, left), f"{side}.to_at is not null"]
        if term.old is not None:
            where.append(self._held(left, [term.old])(f"{side}.value"))
        if not left.many:
            where.append(
                f"not exists (select 1 from spell {behind} where {behind}.subject = {side}.subject"
                f" and +{behind}.field = {side}.field and {behind}.from_at <= {side}.to_at"
                f" and {_LATER.format(a=side, b=behind)})"
            )
        where += self._happened(term.when, f"{side}.to_at")
        return [self._of_span(side, f"spell {side}", where)]

    def _new(self, term: t.ChangedNode, left: t.ColumnNode, side: str) -> list[str]:
        found = [] if term.new is None else [self._held(left, [term.new])(f"{side}.value")]
        return [*found, *self._happened(term.when, f"{side}.from_at"), *self._by(term.by, f"{side}.by")]

    def _happened(self, whens: tuple[t.WhenNode, ...], at: str) -> list[str]:
        found = []
        for when in whens:
            time = self._stretch(when.at)
            found.append("0" if time is None else self._stood(when.word, at, time))
        return found

    def _stood(self, word: str, at: str, time: Stretch) -> str:
        """How a change stands to a time."""
        sign, edge = {
            "before": ("<", time.begin),
            "after": (">", time.last),
            "since": (">=", time.begin),
        }.get(word, ("", 0))
        if sign:
            return f"{at} {sign} {self.frame.bind(edge)}"
        return f"{at} between {self.frame.bind(time.begin)} and {self.frame.bind(time.last)}"

    # -- what spells are compared with -------------------------------------------------------------------

    def _held(self, left: t.ColumnNode, values: list[Any]) -> Callable[[str], str]:
        """Whether what is written in a history is one of these values."""
        known = [one for value in values for one in self._known(value)]
        if left.name == "category":
            ids = [str(lane["id"]) for lane in lanes.rows(self.frame.tx) if lane["category"] in known]
            return lambda expr: self.frame.among(expr, ids)
        test = self.equal(left, known)
        words = self._words(left, known)
        if words is not None:
            return lambda expr: self.frame.among(expr, words)
        field = self._past(left).field
        return lambda expr: test(written(field, expr, self.frame))

    def _words(self, left: t.ColumnNode, known: list[Any]) -> list[str] | None:
        """The values as a history writes them, where each is written in one way: then an index finds them."""
        keyed = left.domain in self.frame.sources.language.keyed and left.domain != "issue"
        stored = known if keyed else [self.stored(left, one) for one in known]
        if all(isinstance(one, str) or type(one) is int for one in stored):
            plain = left.domain or left.kind.name in {"PERSON", "KEY"}
            return [str(one) for one in stored] if plain else None
        return None

    def _known(self, value: t.Value | t.Set) -> tuple[Any, ...]:
        if isinstance(value, t.NestedNode):
            raise NotCompilable
        if isinstance(value, t.ListedNode):
            return tuple(one for each in value.values for one in self._known(each))
        if not fixed(value):
            raise NotCompilable
        return self.frame.evaluator.values(value, NOBODY)

    def _by(self, groups: tuple[Any, ...], by: str) -> list[str]:
        return [self.frame.among(by, list(self._known(who))) for who in groups]

    def _stretch(self, at: t.Value | t.RangeNode) -> Stretch | None:
        """The time that is meant, None where it is missing."""
        if not isinstance(at, t.RangeNode):
            found = self._known(at)
            return found[0] if found else None
        low = self._known(at.low) if at.low else (Stretch.at(0),)
        high = self._known(at.high) if at.high else (Stretch.at(self._now),)
        return Stretch(low[0].begin, high[0].last) if low and high else None

    def _field(self, left: t.ColumnNode) -> str:
        return self.frame.bind(self._past(left).name)

    def _past(self, left: t.ColumnNode) -> FieldHistory:
        past = past_of(self.frame.tx, left.name) if self.scope.source == "issues" else None
        if past is None:
            raise NotCompilable
        return past

    def _of_field(self, side: str, left: t.ColumnNode) -> str:
        """Which history. Of one candidate the subject finds the few spells, and the plus leaves it to that."""
        return f"{'' if self.frame.aside else '+'}{side}.field = {self._field(left)}"

    def _need_plain(self, left: t.ColumnNode, parts: list[Any]) -> None:
        """Spells of a category are those of its lanes joined: SQL tells single properties of them, not several."""
        if left.name == "category" and parts and not (len(parts) == 1 and isinstance(parts[0], t.WhenNode)):
            raise NotCompilable

    def _of_span(self, side: str, tables: str, where: list[str]) -> Rows:
        if self.frame.aside:
            where = [*where, f"{side}.subject >= 'issue:' and {side}.subject < 'issue;'"]
            inner = f"cast(substr({side}.subject, 7) as integer)"
            return Rows("1", tables, f"{self.scope.row}.id", inner, " and ".join(where))
        outer = f"'issue:' || {self.scope.row}.id"
        return Rows("1", tables, outer, f"{side}.subject", " and ".join(where))


def _column(value: t.Value) -> t.ColumnNode:
    assert isinstance(value, t.ColumnNode), "history is kept of fields; the check has seen to it"
    return value


def _sign(op: str) -> str:
    assert op in _SIGNS
    return op


def _extreme(name: str, parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{name}({', '.join(parts)})"


def _clip(word: str, time: Stretch) -> tuple[list[int], list[int]]:
    """The part of a spell that counts for its length: not before these, not behind those."""
    if word in {"during", "on"}:
        return [time.begin], [time.last + 1]
    if word == "after":
        return [time.last + (not time.instant)], []
    return ([time.begin], []) if word == "since" else ([], [])
