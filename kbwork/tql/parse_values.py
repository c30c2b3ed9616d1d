"""Reads values: literals, names, functions, arithmetic, and sets of them."""

from collections.abc import Callable

from kbwork.tql import moments
from kbwork.tql.cursor import NESTED, OPERATIONS, Cursor
from kbwork.tql.errors import Span
from kbwork.tql.tokens import Kind, Token
from kbwork.tql.tree import (
    Aggregate,
    Arithmetic,
    ArithmeticOp,
    Boolean,
    Call,
    Duration,
    Expr,
    Field,
    Handle,
    Key,
    Label,
    Listed,
    Moment,
    Nested,
    Nothing,
    Number,
    Query,
    Range,
    Relative,
    Set,
    String,
    Subject,
    Value,
    Word,
)
from kbwork.tql.words import AGGREGATES, FUNCTIONS, NAMED_PERIODS, OPERATORS, RESERVED, SUBJECTS

_ARITHMETIC: dict[str, ArithmeticOp] = {"+": "+", "-": "-", "*": "*", "/": "/"}
_LITERALS: dict[Kind, type[String | Number | Key | Handle | Label | Word]] = {
    Kind.STRING: String,
    Kind.NUMBER: Number,
    Kind.KEY: Key,
    Kind.HANDLE: Handle,
    Kind.LABEL: Label,
}
_LITERAL = (
    Kind.STRING,
    Kind.NUMBER,
    Kind.DURATION,
    Kind.MOMENT,
    Kind.KEY,
    Kind.HANDLE,
    Kind.LABEL,
    Kind.LOOSE,
)


class ValueReader(Cursor):
    """The lowest reader. Conditions and queries inside values are read by the classes above."""

    def query(self) -> Query:
        raise NotImplementedError

    def condition(self) -> Expr:
        raise NotImplementedError

    def value(self, first: Value | None = None) -> Value:
        """A sum of products; `first` is an operand that was read already."""
        left = self._product(first)
        while self.here.is_sign("+", "-"):
            left = self._joined(left, self._product)
        return left

    def _product(self, first: Value | None = None) -> Value:
        left = first or self.operand()
        while self.here.is_sign("*", "/"):
            left = self._joined(left, self.operand)
        return left

    def _joined(self, left: Value, read: Callable[[], Value]) -> Value:
        sign = self.take()
        self.count("signs of arithmetic", OPERATIONS, sign.span)
        right = read()
        span = Span(left.span.start, right.span.end)
        return Arithmetic(_ARITHMETIC[sign.text], left, right, span=span)

    def operand(self) -> Value:
        """One value without arithmetic, or any in brackets."""
        token = self.here
        if token.is_sign("("):
            opened = self.open()
            inside = self.value()
            self.close(opened)
            return inside
        if token.is_sign("+", "-") and self.ahead().glued:
            return self._signed()
        if token.kind in _LITERAL:
            return self._literal()
        if token.kind is Kind.WORD:
            return self._word()
        self.expect("a value")
        raise self.stumble()

    def _signed(self) -> Value:
        sign, start = self.take().text, self.ahead(-1).span.start
        if self.here.kind is Kind.DURATION:
            return Relative(sign == "-", self.duration().parts, span=self.since(start))
        number = self.need(Kind.NUMBER)
        return Number(number.text if sign == "+" else f"-{number.text}", span=self.since(start))

    def _literal(self) -> Value:
        token = self.here
        if token.kind is Kind.DURATION:
            return self.duration()
        self.take()
        if token.kind is Kind.MOMENT:
            return self._moment(token)
        return _LITERALS.get(token.kind, Word)(token.value, span=token.span)

    def _moment(self, token: Token) -> Moment:
        wrong = moments.wrong(token.text)
        if wrong:
            raise self.stumble(wrong, token.span)
        return Moment(token.text.upper(), span=token.span)

    def duration(self) -> Duration:
        """One length of time; its parts may stand apart: `2h 30min`."""
        start = self.start
        parts = moments.parts(self.need(Kind.DURATION).text)
        while self.here.kind is Kind.DURATION:
            parts += moments.parts(self.take().text)
        span = self.since(start)
        if moments.seconds(parts) > moments.LONGEST_S:
            raise self.stumble("This is longer than 200 years.", span)
        return Duration(parts, span=span)

    def _word(self) -> Value:
        token = self.here
        simple = _constant(token)
        if simple is not None:
            self.take()
            return simple
        if token.is_word(*RESERVED) or self.at_clause():
            self.expect("a value")
            raise self.stumble()
        if self.ahead().is_sign("("):
            return self.call()
        if token.is_word("cf") and self.ahead().is_sign("["):
            return self.field()
        if self.ahead().is_sign(".") and self.ahead().glued:
            return self._dotted()
        if self.ahead().is_sign(":") and self.ahead().glued and self.ahead(2).glued:
            return self.subject()
        self.take()
        return Word(token.text, span=token.span)

    def _dotted(self) -> Value:
        """A path (`parent.status`) or, where a step is no name, a bare word with dots (`v1.2`)."""
        start, path, names = self.start, [self.take().text], True
        while self.here.is_sign(".") and self.here.glued and self.ahead().glued:
            behind = self.ahead()
            if behind.is_word("cf") and self.ahead(2).is_sign("["):
                self.take()
                return Field((*path, *self.field().path), span=self.since(start))
            if behind.kind not in {Kind.WORD, Kind.STRING, Kind.NUMBER, Kind.LOOSE, Kind.KEY}:
                break
            self.take()
            path.append(self.take().value)
            names &= behind.kind in {Kind.WORD, Kind.STRING}
        span = self.since(start)
        return Field(tuple(path), span=span) if names else Word(".".join(path), span=span)

    def field(self) -> Field:
        """A name where nothing but a field can stand."""
        start = self.start
        if self.here.kind is Kind.STRING:
            path = [self.take().value]
        elif self.here.is_word("cf") and self.ahead().is_sign("["):
            path = self._own()
        else:
            if self.here.kind is not Kind.WORD or self.here.is_word(*RESERVED):
                self.expect("a field")
                raise self.stumble()
            path = [self.take().text]
        while self.here.is_sign(".") and self.here.glued:
            self.take()
            path += self._step()
        return Field(tuple(path), span=self.since(start))

    def _step(self) -> list[str]:
        if self.here.is_word("cf") and self.ahead().is_sign("["):
            return self._own()
        if self.here.kind in {Kind.WORD, Kind.STRING}:
            return [self.take().value]
        self.expect("a field")
        raise self.stumble()

    def _own(self) -> list[str]:
        self.need_word("cf")
        self.need_sign("[")
        name = self.need(Kind.STRING).value
        self.need_sign("]")
        return ["cf", name]

    def subject(self) -> Subject:
        """`page:abc`."""
        start, kind = self.start, self.take().text.lower()
        self.need_sign(":")
        if self.here.kind not in {Kind.WORD, Kind.NUMBER, Kind.KEY, Kind.LOOSE, Kind.STRING}:
            self.expect("an id")
            raise self.stumble()
        return Subject(kind, self.take().value, span=self.since(start))

    def call(self) -> Call | Aggregate:
        """A function with its arguments; those that gather many rows have a shape of their own."""
        start, name = self.start, self.take().text
        opened = self.open()
        if name.lower() in AGGREGATES:
            aggregate = self._aggregate(name.lower())
            self.close(opened)
            return Aggregate(*aggregate, span=self.since(start))
        args = self._values()
        self.close(opened)
        known = FUNCTIONS.get(name.lower())
        return Call(known.name if known else name, args, span=self.since(start))

    def _aggregate(self, name: str) -> tuple[str, Value | None, Expr | None, bool, int | None]:
        if name == "share":
            return name, None, self.condition(), False, None
        if name == "count":
            distinct = self.accept_word("distinct") is not None
            return name, self.value() if distinct else None, None, distinct, None
        of = self.value()
        most = self.integer() if name == "list" and self.accept_sign(",") else None
        return name, of, None, False, most

    def integer(self) -> int:
        """A whole number without a sign."""
        token = self.need(Kind.NUMBER)
        if "." in token.text:
            raise self.stumble("A whole number stands here.", token.span)
        return int(token.text)

    def range_from(self, low: Value | None) -> Range:
        """What begins with `..`: its end must touch the dots, else the range stands open."""
        dots = self.take()
        start = low.span.start if low else dots.span.start
        high = self.value() if self.here.glued and self._begins_value() else None
        if low is None and high is None:
            self.expect("a value that touches the dots")
            raise self.stumble()
        return Range(low, high, span=self.since(start))

    def _begins_value(self) -> bool:
        return self.here.kind in {*_LITERAL, Kind.WORD} or self.here.is_sign("+", "-", "(")

    def set(self) -> Set:
        """What stands behind `in`: values, a query, or a function that gives several."""
        if self.here.kind is Kind.WORD and self.ahead().is_sign("("):
            called = self.call()
            if isinstance(called, Call):
                return called
            raise self.stumble(
                "A set is a list, a query in brackets or a function that gives several.", called.span
            )
        if not self.here.is_sign("("):
            self.expect("(", "a function")
            raise self.stumble()
        return self.listed() if self.at_list() else self.nested()

    def at_list(self) -> bool:
        """Whether the bracket here holds values: no operator and no two words side by side before the first comma."""
        depth, steps, before = 1, 1, self.here
        while depth:
            token = self.ahead(steps)
            depth += token.is_sign("(") - token.is_sign(")")
            if token.kind is Kind.END or (depth == 1 and token.is_sign(",")):
                return True
            operates = token.is_sign(*OPERATORS, "!") or (
                token.is_sign(":") and not before.is_word(*SUBJECTS)
            )
            if depth == 1 and (operates or _side_by_side(before, token)):
                return False
            before, steps = token, steps + 1
        return True

    def listed(self) -> Listed:
        start = self.open()
        values = self._values()
        self.close(start)
        return Listed(values, span=self.since(start))

    def _values(self) -> tuple[Value, ...]:
        """What stands between two brackets, perhaps nothing."""
        if self.here.is_sign(")"):
            return ()
        values = [self.value()]
        while self.accept_sign(","):
            values.append(self.value())
        return tuple(values)

    def nested(self) -> Nested:
        """A query in brackets."""
        start = self.open()
        self.count("nested queries", NESTED, Span(start, start + 1))
        query = self.query()
        self.close(start)
        return Nested(query, span=self.since(start))


def _constant(token: Token) -> Value | None:
    """Words that are values by themselves."""
    word = token.value.lower()
    if word in {"true", "false"}:
        return Boolean(word == "true", span=token.span)
    if word == "empty":
        return Nothing(span=token.span)
    if word in NAMED_PERIODS:
        return Moment(word, span=token.span)
    return None


def _side_by_side(before: Token, token: Token) -> bool:
    """Two operands with nothing between: a value never holds that, but for a length in two parts."""
    operands = before.kind not in {Kind.SIGN, Kind.END} and token.kind not in {Kind.SIGN, Kind.END}
    return operands and not (before.kind is token.kind is Kind.DURATION)
