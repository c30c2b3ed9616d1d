"""Text to tree, by recursive descent. The grammar is that of the manual, production by production.

Beyond it, since people write them: `==` and `<>`, `&&` and `||`, brackets and arithmetic in values on either side of a
comparison, a function on its left, `!= a..b`, and `2h 30min` in two parts.
"""

from collections.abc import Callable, Collection
from typing import TypeVar

from kbwork.tql.errors import Fault
from kbwork.tql.parser.cursor import UnreadableTerm
from kbwork.tql.parser.terms import TermReader
from kbwork.tql.parser.tokens import TokenKind
from kbwork.tql.tree import Expr, ItemNode, OrderNode, QueryNode, SourceNode, Value

T = TypeVar("T")


def parse(text: str, sources: Collection[str]) -> QueryNode:
    """A whole query, which may be about one of these sources. Raises TqlError with up to five faults."""
    reader = _QueryReader(text, sources)
    query = reader.query()
    reader.end()
    return query


def parse_expr(text: str, sources: Collection[str]) -> Expr | None:
    """A condition without clauses; None for an empty text, which asks for nothing. Raises TqlError."""
    reader = _QueryReader(text, sources)
    expr = reader.condition() if reader.here.kind is not TokenKind.END else None
    reader.end()
    return expr


def parse_value(text: str, sources: Collection[str]) -> Value:
    """A value, as formulas are. Raises TqlError."""
    reader = _QueryReader(text, sources)
    value = reader.lone_value()
    reader.end()
    return value


class _QueryReader(TermReader):
    """Reads a query: source, condition, then clauses in any order."""

    def __init__(self, text: str, sources: Collection[str]) -> None:
        super().__init__(text)
        self._sources = sources

    def query(self) -> QueryNode:
        start, self.text_may_stand = self.start, True
        source = self._source() if self.accept_word("from") else None
        self.accept_word("where")
        bare = self.here.kind is TokenKind.END or self.at_clause() or self.here.is_sign(")")
        clauses = _Clauses()
        clauses.where = None if bare else self.condition()
        while self.at_clause():
            self._clause(clauses)
        self.text_may_stand = False
        return QueryNode(
            source,
            clauses.where,
            tuple(clauses.select),
            tuple(clauses.group),
            clauses.having,
            tuple(clauses.order),
            clauses.limit,
            clauses.as_of,
            span=self.since(start),
        )

    def end(self) -> None:
        """Nothing may be left. Raises TqlError for all that was wrong."""
        if self.here.kind is not TokenKind.END and not self.faulty:
            message = f"{self.here.text} cannot stand here."
            if self.here.is_sign(")"):
                message = "This bracket was not opened."
            self.note(Fault(self.here.span, message))
        self.finish()

    def lone_value(self) -> Value:
        try:
            return self.value()
        except UnreadableTerm:
            self.finish()
            raise

    def _source(self) -> SourceNode | None:
        start, name = self.start, self.here.value.lower()
        try:
            if name not in self._sources:
                self.expect(*self._sources)
                raise self.stumble()
            self.take()
            table = None
            if name == "table":
                opened = self.open()
                table = self.value()
                self.close(opened)
            return SourceNode(name, table, span=self.since(start))
        except UnreadableTerm:
            if self.here.kind is TokenKind.WORD:
                self.take()
            return None

    def _clause(self, clauses: "_Clauses") -> None:
        token, level = self.take(), self.level
        word = token.value.lower()
        if word in {"group", "order", "as"}:
            self.take()
        if word in clauses.seen:
            self.note(Fault(token.span, f"`{word}` stands twice."))
        clauses.seen.add(word)
        try:
            self._read_clause(word, clauses)
        except UnreadableTerm:
            self.skip_clause(level)
            return
        if not (self.at_clause() or self.here.kind is TokenKind.END or self.here.is_sign(")")):
            self.note(Fault(self.here.span, f"{self.here.text} cannot stand here, but a clause."))
            self.skip_clause(level)

    def _read_clause(self, word: str, clauses: "_Clauses") -> None:
        match word:
            case "select":
                clauses.select = self._listed(self._item)
            case "group":
                clauses.group = self._listed(self.value)
            case "having":
                clauses.having = self.condition()
            case "order":
                clauses.order = self._listed(self._order)
            case "limit":
                clauses.limit = self.integer()
            case "as":
                clauses.as_of = self.value()

    def _listed(self, read: Callable[[], T]) -> list[T]:
        found = [read()]
        while self.accept_sign(","):
            found.append(read())
        return found

    def _item(self) -> ItemNode:
        start, value, name = self.start, self.value(), ""
        if self.here.is_word("as") and not self.ahead().is_word("of"):
            self.take()
            name = self.need(TokenKind.WORD).text
        return ItemNode(value, name, span=self.since(start))

    def _order(self) -> OrderNode:
        start, value = self.start, self.value()
        descending = self.accept_word("asc", "desc") == "desc"
        empty_first = bool(self.accept_word("empty")) and self.need_word("first", "last") == "first"
        return OrderNode(value, descending, empty_first, span=self.since(start))


class _Clauses:
    """What the clauses have said so far."""

    def __init__(self) -> None:
        self.seen: set[str] = set()
        self.where: Expr | None = None
        self.select: list[ItemNode] = []
        self.group: list[Value] = []
        self.having: Expr | None = None
        self.order: list[OrderNode] = []
        self.limit: int | None = None
        self.as_of: Value | None = None
