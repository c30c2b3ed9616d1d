"""Reads predicates: a left side, an operator, and what that operator wants."""

from collections.abc import Callable
from typing import cast

from kbwork.tql.errors import TextSpan
from kbwork.tql.parser.history import HistoryReader
from kbwork.tql.parser.tokens import TokenKind
from kbwork.tql.tree import (
    CompareNode,
    EmptyNode,
    Expr,
    HasNode,
    MatchNode,
    MemberNode,
    Mode,
    NothingNode,
    Op,
    RangeNode,
    Value,
    WithinNode,
)
from kbwork.tql.words import OPERATORS

IN_TEXT = (TokenKind.WORD, TokenKind.NUMBER, TokenKind.LOOSE, TokenKind.DURATION, TokenKind.MOMENT)
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
        if self.here.kind is TokenKind.WORD and word in readers:
            return readers[word](left)
        if self.here.is_sign("~", "!~"):
            return self._match(left)
        return self._compare(left)

    def _is(self, left: Value) -> EmptyNode:
        self.need_word("is")
        negated = self.accept_word("not") is not None
        if self.here.is_word("null", "none", "missing"):
            raise self.stumble("A missing value is called `empty`.", instead="empty")
        self.need_word("empty")
        return EmptyNode(left, negated, span=self.since(left.span.start))

    def _in(self, left: Value) -> Expr:
        negated = self.accept_word("not") is not None
        if self.accept_word("between"):
            low = self.value()
            self.need_word("and")
            high = self.value()
            bounds = RangeNode(low, high, span=TextSpan(low.span.start, high.span.end))
            return WithinNode(left, bounds, negated, span=self.since(left.span.start))
        self.need_word("in")
        values = self.set()
        return MemberNode(left, values, negated, span=self.since(left.span.start))

    def _has(self, left: Value) -> HasNode:
        self.need_word("has")
        mode = self.need_word("all", "any", "none")
        values = self.set()
        return HasNode(left, cast("Mode", mode), values, span=self.since(left.span.start))

    def _match(self, left: Value) -> MatchNode:
        sign = self.take()
        token = self.here
        if token.kind not in {TokenKind.STRING, *IN_TEXT, TokenKind.KEY}:
            self.expect("a text in quotes")
            raise self.stumble()
        self.take()
        prefix = self.take().text if self.here.is_sign("*") and self.here.glued else ""
        return MatchNode(
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
            return WithinNode(left, bounds, op == "!=", span=self.since(left.span.start))
        if right is None:
            raise self.stumble("A range stands behind `=` or `!=` only.")
        if isinstance(right, NothingNode) and op in {"=", "!="}:
            return EmptyNode(left, op == "!=", span=span)
        return CompareNode(left, op, right, span=span, sign=sign.span)
