"""Reads what a field was: `was`, `changed`, `unchanged`, with their times, people and lengths."""

from typing import cast

from kbwork.tql.parser.values import ValueReader
from kbwork.tql.tree import ChangedNode, HeldNode, Op, Set, UnchangedNode, Value, WasNode, WhenNode, WhenWord
from kbwork.tql.words import WHEN

_COMPARING = ("=", "<", "<=", ">", ">=")


class HistoryReader(ValueReader):
    """Reads behind a field; `left` is the field."""

    def was(self, left: Value) -> WasNode:
        self.need_word("was")
        negated = self.accept_word("not") is not None
        values: Value | Set = self.set() if self.accept_word("in") else self.value()
        when: list[WhenNode] = []
        by: list[Value | Set] = []
        held: list[HeldNode] = []
        while True:
            if self.here.is_word(*WHEN):
                when.append(self._when())
            elif self.accept_word("by"):
                by.append(self._actor())
            elif self.accept_word("for"):
                held.append(HeldNode(self._comparing(">="), self.duration()))
            else:
                break
        self.expect(*WHEN)
        span = self.since(left.span.start)
        return WasNode(left, values, negated, tuple(when), tuple(by), tuple(held), span=span)

    def changed(self, left: Value) -> ChangedNode:
        self.need_word("changed")
        old: Value | None = None
        new: Value | None = None
        when: list[WhenNode] = []
        by: list[Value | Set] = []
        times: list[tuple[Op, int]] = []
        while True:
            if old is None and self.accept_word("from"):
                old = self.value()
            elif new is None and self.accept_word("to"):
                new = self.value()
            elif self.here.is_word(*WHEN):
                when.append(self._when())
            elif self.accept_word("by"):
                by.append(self._actor())
            elif self.here.is_sign(*_COMPARING):
                times.append(self._times())
            else:
                break
        self.expect(*WHEN)
        span = self.since(left.span.start)
        return ChangedNode(left, old, new, tuple(when), tuple(by), tuple(times), span=span)

    def unchanged(self, left: Value) -> UnchangedNode:
        self.need_word("unchanged")
        self.need_word("for")
        return UnchangedNode(left, self.duration(), span=self.since(left.span.start))

    def _when(self) -> WhenNode:
        start, word = self.start, cast("WhenWord", self.need_word(*WHEN))
        ranged = word == "during"
        low: Value | None = None
        if not (ranged and self.here.is_sign("..")):
            self.expect("a time, such as -7d or 2026-10-01")
            low = self.value()
        at = low if low and not (ranged and self.here.is_sign("..")) else self.range_from(low)
        return WhenNode(word, at, span=self.since(start))

    def _actor(self) -> Value | Set:
        return self.set() if self.here.is_sign("(") else self.value()

    def _times(self) -> tuple[Op, int]:
        op = self._comparing("=")
        number = self.integer()
        self.need_word("times")
        return op, number

    def _comparing(self, default: Op) -> Op:
        return cast("Op", self.accept_sign(*_COMPARING) or default)

    def count_comparing(self) -> tuple[Op, int]:
        """`>= 3`."""
        return cast("Op", self.need_sign(*_COMPARING)), self.integer()
