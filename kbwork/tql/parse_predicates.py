"""Reads predicates: a left side, an operator, and what that operator wants."""

from collections.abc import Callable
from typing import cast

from kbwork.tql.errors import Span
from kbwork.tql.parse_history import HistoryReader
from kbwork.tql.tokens import Kind
from kbwork.tql.tree import Compare, Empty, Expr, Has, Match, Member, Mode, Nothing, Op, Range, Value, Within
from kbwork.tql.words import OPERATORS

IN_TEXT = (Kind.WORD, Kind.NUMBER, Kind.LOOSE, Kind.DURATION, Kind.MOMENT)
"""Tokens that may be words of a text without quotes."""


class PredicateReader(HistoryReader):
    """Reads behind the left side of a predicate."""

    def compared(self, left: Value) -> Expr:
        """The predicate whose left side was read."""
        readers: dict[str, Callable[[Value], Expr]] = {
            "was": self.was,
            "changed": self.changed,
            "unchanged": self.unchanged,
            "is": self._is,
            "has": self._has,
            "in": self._in,
            "not": self._in,
            "between": self._in,
        }
        word = self.here.value.lower()
        if self.here.kind is Kind.WORD and word in readers:
            return readers[word](left)
        if self.here.is_sign("~", "!~"):
            return self._match(left)
        return self._compare(left)

    def _is(self, left: Value) -> Empty:
        self.need_word("is")
        negated = self.accept_word("not") is not None
        if self.here.is_word("null", "none", "missing"):
            raise self.stumble("A missing value is called `empty`.", instead="empty")
        self.need_word("empty")
        return Empty(left, negated, span=self.since(left.span.start))

    def _in(self, left: Value) -> Expr:
        negated = self.accept_word("not") is not None
        if self.accept_word("between"):
            low = self.value()
            self.need_word("and")
            high = self.value()
            bounds = Range(low, high, span=Span(low.span.start, high.span.end))
            return Within(left, bounds, negated, span=self.since(left.span.start))
        self.need_word("in")
        values = self.set()
        return Member(left, values, negated, span=self.since(left.span.start))

    def _has(self, left: Value) -> Has:
        self.need_word("has")
        mode = self.need_word("all", "any", "none")
        values = self.set()
        return Has(left, cast("Mode", mode), values, span=self.since(left.span.start))

    def _match(self, left: Value) -> Match:
        sign = self.take()
        token = self.here
        if token.kind not in {Kind.STRING, *IN_TEXT, Kind.KEY}:
            self.expect("a text in quotes")
            raise self.stumble()
        self.take()
        prefix = self.take().text if self.here.is_sign("*") and self.here.glued else ""
        return Match(
            left, token.value + prefix, sign.text == "!~", span=self.since(left.span.start), sign=sign.span
        )

    def _compare(self, left: Value) -> Expr:
        sign = self.here
        text = self.need_sign(*OPERATORS, ":")
        op = cast("Op", "=" if text == ":" else text)
        right = None if self.here.is_sign("..") else self.value()
        span = self.since(left.span.start)
        if self.here.is_sign("..") and op in {"=", "!="}:
            bounds = self.range_from(right)
            return Within(left, bounds, op == "!=", span=self.since(left.span.start))
        if right is None:
            raise self.stumble("A range stands behind `=` or `!=` only.")
        if isinstance(right, Nothing) and op in {"=", "!="}:
            return Empty(left, op == "!=", span=span)
        return Compare(left, op, right, span=span, sign=sign.span)
