"""Reads values: literals, names, functions, arithmetic, and sets of them."""

from collections.abc import Callable

from kbwork.tql import time_literals
from kbwork.tql.errors import TextSpan
from kbwork.tql.parser.cursor import NESTED, OPERATIONS, Cursor
from kbwork.tql.parser.tokens import Token, TokenKind
from kbwork.tql.tree import (
    AggregateNode,
    ArithmeticNode,
    ArithmeticOp,
    BooleanNode,
    CallNode,
    DurationNode,
    Expr,
    FieldNode,
    HandleNode,
    KeyNode,
    LabelNode,
    ListedNode,
    MomentNode,
    NestedNode,
    NothingNode,
    NumberNode,
    QueryNode,
    RangeNode,
    RelativeNode,
    Set,
    StringNode,
    SubjectNode,
    Value,
    WordNode,
)
from kbwork.tql.words import AGGREGATES, FUNCTIONS, NAMED_PERIODS, OPERATORS, RESERVED, SUBJECTS

_ARITHMETIC: dict[str, ArithmeticOp] = {"+": "+", "-": "-", "*": "*", "/": "/"}
_LITERALS: dict[TokenKind, type[StringNode | NumberNode | KeyNode | HandleNode | LabelNode | WordNode]] = {
    TokenKind.STRING: StringNode,
    TokenKind.NUMBER: NumberNode,
    TokenKind.KEY: KeyNode,
    TokenKind.HANDLE: HandleNode,
    TokenKind.LABEL: LabelNode,
}
_LITERAL = (
    TokenKind.STRING,
    TokenKind.NUMBER,
    TokenKind.DURATION,
    TokenKind.MOMENT,
    TokenKind.KEY,
    TokenKind.HANDLE,
    TokenKind.LABEL,
    TokenKind.LOOSE,
)


class ValueReader(Cursor):
    """The lowest reader. Conditions and queries inside values are read by the classes above."""

    def query(self) -> QueryNode:
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
        span = TextSpan(left.span.start, right.span.end)
        return ArithmeticNode(_ARITHMETIC[sign.text], left, right, span=span)

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
        if token.kind is TokenKind.WORD:
            return self._word()
        self.expect("a value")
        raise self.stumble()

    def _signed(self) -> Value:
        sign, start = self.take().text, self.ahead(-1).span.start
        if self.here.kind is TokenKind.DURATION:
            return RelativeNode(sign == "-", self.duration().parts, span=self.since(start))
        number = self.need(TokenKind.NUMBER)
        return NumberNode(number.text if sign == "+" else f"-{number.text}", span=self.since(start))

    def _literal(self) -> Value:
        token = self.here
        if token.kind is TokenKind.DURATION:
            return self.duration()
        self.take()
        if token.kind is TokenKind.MOMENT:
            return self._moment(token)
        return _LITERALS.get(token.kind, WordNode)(token.value, span=token.span)

    def _moment(self, token: Token) -> MomentNode:
        wrong = time_literals.wrong(token.text)
        if wrong:
            raise self.stumble(wrong, token.span)
        return MomentNode(token.text.upper(), span=token.span)

    def duration(self) -> DurationNode:
        """One length of time; its parts may stand apart: `2h 30min`."""
        start = self.start
        parts = time_literals.parts(self.need(TokenKind.DURATION).text)
        while self.here.kind is TokenKind.DURATION:
            parts += time_literals.parts(self.take().text)
        span = self.since(start)
        if time_literals.seconds(parts) > time_literals.LONGEST_S:
            raise self.stumble("This is longer than 200 years.", span)
        return DurationNode(parts, span=span)

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
        return WordNode(token.text, span=token.span)

    def _dotted(self) -> Value:
        """A path (`parent.status`) or, where a step is no name, a bare word with dots (`v1.2`)."""
        start, path, names = self.start, [self.take().text], True
        while self.here.is_sign(".") and self.here.glued and self.ahead().glued:
            behind = self.ahead()
            if behind.is_word("cf") and self.ahead(2).is_sign("["):
                self.take()
                return FieldNode((*path, *self.field().path), span=self.since(start))
            if behind.kind not in {
                TokenKind.WORD,
                TokenKind.STRING,
                TokenKind.NUMBER,
                TokenKind.LOOSE,
                TokenKind.KEY,
            }:
                break
            self.take()
            path.append(self.take().value)
            names &= behind.kind in {TokenKind.WORD, TokenKind.STRING}
        span = self.since(start)
        return FieldNode(tuple(path), span=span) if names else WordNode(".".join(path), span=span)

    def field(self) -> FieldNode:
        """A name where nothing but a field can stand."""
        start = self.start
        if self.here.kind is TokenKind.STRING:
            path = [self.take().value]
        elif self.here.is_word("cf") and self.ahead().is_sign("["):
            path = self._own()
        else:
            if self.here.kind is not TokenKind.WORD or self.here.is_word(*RESERVED):
                self.expect("a field")
                raise self.stumble()
            path = [self.take().text]
        while self.here.is_sign(".") and self.here.glued:
            self.take()
            path += self._step()
        return FieldNode(tuple(path), span=self.since(start))

    def _step(self) -> list[str]:
        if self.here.is_word("cf") and self.ahead().is_sign("["):
            return self._own()
        if self.here.kind in {TokenKind.WORD, TokenKind.STRING}:
            return [self.take().value]
        self.expect("a field")
        raise self.stumble()

    def _own(self) -> list[str]:
        self.need_word("cf")
        self.need_sign("[")
        name = self.need(TokenKind.STRING).value
        self.need_sign("]")
        return ["cf", name]

    def subject(self) -> SubjectNode:
        """`page:abc`."""
        start, kind = self.start, self.take().text.lower()
        self.need_sign(":")
        if self.here.kind not in {
            TokenKind.WORD,
            TokenKind.NUMBER,
            TokenKind.KEY,
            TokenKind.LOOSE,
            TokenKind.STRING,
        }:
            self.expect("an id")
            raise self.stumble()
        return SubjectNode(kind, self.take().value, span=self.since(start))

    def call(self) -> CallNode | AggregateNode:
        """A function with its arguments; those that gather many rows have a shape of their own."""
        start, name = self.start, self.take().text
        opened = self.open()
        if name.lower() in AGGREGATES:
            aggregate = self._aggregate(name.lower())
            self.close(opened)
            return AggregateNode(*aggregate, span=self.since(start))
        args = self._values()
        self.close(opened)
        known = FUNCTIONS.get(name.lower())
        return CallNode(known.name if known else name, args, span=self.since(start))

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
        token = self.need(TokenKind.NUMBER)
        if "." in token.text:
            raise self.stumble("A whole number stands here.", token.span)
        return int(token.text)

    def range_from(self, low: Value | None) -> RangeNode:
        """What begins with `..`: its end must touch the dots, else the range stands open."""
        dots = self.take()
        start = low.span.start if low else dots.span.start
        high = self.value() if self.here.glued and self._begins_value() else None
        if low is None and high is None:
            self.expect("a value that touches the dots")
            raise self.stumble()
        return RangeNode(low, high, span=self.since(start))

    def _begins_value(self) -> bool:
        return self.here.kind in {*_LITERAL, TokenKind.WORD} or self.here.is_sign("+", "-", "(")

    def set(self) -> Set:
        """What stands behind `in`: values, a query, or a function that gives several."""
        if self.here.kind is TokenKind.WORD and self.ahead().is_sign("("):
            called = self.call()
            if isinstance(called, CallNode):
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
            if token.kind is TokenKind.END or (depth == 1 and token.is_sign(",")):
                return True
            operates = token.is_sign(*OPERATORS, "!") or (
                token.is_sign(":") and not before.is_word(*SUBJECTS)
            )
            if depth == 1 and (operates or _side_by_side(before, token)):
                return False
            before, steps = token, steps + 1
        return True

    def listed(self) -> ListedNode:
        start = self.open()
        values = self._values()
        self.close(start)
        return ListedNode(values, span=self.since(start))

    def _values(self) -> tuple[Value, ...]:
        """What stands between two brackets, perhaps nothing."""
        if self.here.is_sign(")"):
            return ()
        values = [self.value()]
        while self.accept_sign(","):
            values.append(self.value())
        return tuple(values)

    def nested(self) -> NestedNode:
        """A query in brackets."""
        start = self.open()
        self.count("nested queries", NESTED, TextSpan(start, start + 1))
        query = self.query()
        self.close(start)
        return NestedNode(query, span=self.since(start))


def _constant(token: Token) -> Value | None:
    """Words that are values by themselves."""
    word = token.value.lower()
    if word in {"true", "false"}:
        return BooleanNode(word == "true", span=token.span)
    if word == "empty":
        return NothingNode(span=token.span)
    if word in NAMED_PERIODS:
        return MomentNode(word, span=token.span)
    return None


def _side_by_side(before: Token, token: Token) -> bool:
    """Two operands with nothing between: a value never holds that, but for a length in two parts."""
    operands = before.kind not in {TokenKind.SIGN, TokenKind.END} and token.kind not in {
        TokenKind.SIGN,
        TokenKind.END,
    }
    return operands and not (before.kind is token.kind is TokenKind.DURATION)
