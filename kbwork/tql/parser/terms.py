"""Reads conditions: terms joined by and, or, not."""

from collections.abc import Callable
from typing import cast

from kbwork.tql.errors import Fault
from kbwork.tql.parser.cursor import CONDITION, PREDICATES, UnreadableTerm
from kbwork.tql.parser.predicates import IN_TEXT, PredicateReader
from kbwork.tql.parser.tokens import Token, TokenKind
from kbwork.tql.tree import (
    CallNode,
    Expr,
    FieldNode,
    FlagNode,
    KeyNode,
    ListedNode,
    MatchNode,
    NestedNode,
    Op,
    PartsNode,
    Quantifier,
    RelatedNode,
    SubjectNode,
    TextNode,
    conjunction,
    disjunction,
    negation,
)
from kbwork.tql.words import (
    CLAUSES,
    COLLECTION_STARTS,
    FLAGS,
    OPERATOR_WORDS,
    OPERATORS,
    QUANTIFIERS,
    RELATION_STARTS,
    RELATIONS,
    RESERVED,
)

_STEPS = 8  # of a path that are looked along; the check allows three


class TermReader(PredicateReader):
    """Reads a condition of any depth. Faults are noted term by term."""

    text_may_stand = True
    """A run of bare words is text at the start of a query or bracket only."""

    def condition(self) -> Expr:
        """Terms joined by or."""
        terms = [self._all_of()]
        while self.here.is_word("or"):
            terms.append(self._behind("or", self._all_of))
        return disjunction(terms)

    def _all_of(self) -> Expr:
        """Terms joined by and, or side by side."""
        terms = [self._term()]
        while True:
            if self.here.is_word("and"):
                terms.append(self._behind("and", self._term))
            elif self._ends():
                return conjunction(terms)
            else:
                terms.append(self._term())

    def _behind(self, word: str, read: Callable[[], Expr]) -> Expr:
        self.take()
        if self.here.kind is TokenKind.END:
            self.note(Fault(self.here.span, f"Something must follow `{word}`.", (CONDITION,)))
            return _UNREAD
        self.text_may_stand = False
        return read()

    def _ends(self) -> bool:
        return (
            self.here.kind is TokenKind.END
            or self.here.is_word("or")
            or self.here.is_sign(")")
            or self.at_clause()
        )

    def _term(self) -> Expr:
        """One term. What cannot be read is noted, and reading goes on behind it."""
        level = self.level
        try:
            return self._opposite()
        except UnreadableTerm:
            self.skip(level)
            return _UNREAD

    def _opposite(self) -> Expr:
        start, negated = self.start, False
        while self.here.is_word("not") or self.here.is_sign("!"):
            self.take()
            negated = not negated
        term = self._primary()
        return negation(term, self.since(start)) if negated else term

    def _primary(self) -> Expr:
        token = self.here
        if token.is_sign("("):
            return self._group()
        self.count("predicates", PREDICATES, token.span)
        may, self.text_may_stand = self.text_may_stand, False
        if self._at_field():
            return self.compared(self.value(self.field()))
        if may and self._at_text():
            return self._text()
        if token.kind in {TokenKind.STRING, TokenKind.KEY}:
            self.take()
            self.text_may_stand = may and token.kind is TokenKind.KEY
            return (TextNode if token.kind is TokenKind.STRING else KeyNode)(token.value, span=token.span)
        if token.kind is TokenKind.WORD and not token.is_word(*RESERVED):
            return self._named()
        return self._nothing_known()

    def _group(self) -> Expr:
        start = self.open()
        self.text_may_stand = True
        inside = self.condition()
        self.text_may_stand = False
        self.close(start)
        return inside

    def _nothing_known(self) -> Expr:
        if self.here.kind is TokenKind.END:
            self.expect(CONDITION)
        else:
            self.expect("a field", "a flag", "a key", "not", "(", "a text in quotes")
        raise self.stumble()

    def _named(self) -> Expr:
        """A word that no operator follows: a relation, a collection, a flag or a function, in this order."""
        token, word = self.here, self.here.value.lower()
        if self._relation_at(0):
            return self._relation()
        if word in COLLECTION_STARTS:
            return self._parts()
        if word in FLAGS:
            self.take()
            return FlagNode(word, span=token.span)
        if self.ahead().is_sign("("):
            return self._call()
        self.expect(CONDITION, "and", "or", *CLAUSES, *FLAGS, *RELATIONS, *COLLECTION_STARTS.values())
        raise self.stumble()

    def _call(self) -> Expr:
        called = self.call()
        if isinstance(called, CallNode) and not self._operates(self.here):
            return called
        if self._operates(self.here):
            return self.compared(called)
        self.expect(*OPERATORS)
        raise self.stumble()

    def _text(self) -> MatchNode:
        """A run of bare words is what `text ~` asks for; a minus before one leaves it out."""
        start, words = self.start, []
        while self._at_text():
            sign = self.take().text if self.here.is_sign("-") else ""
            word = self.take().text
            while self.here.glued and not self.here.is_sign(")", "(", "-", "..") and self._in_word():
                word += self.take().text
            words.append(sign + word)
        span = self.since(start)
        return MatchNode(FieldNode(("text",), span=span), " ".join(words), span=span, sign=span)

    def _in_word(self) -> bool:
        """Whether a sign goes on with the word before it: `foo.bar`, `log*`."""
        if self.here.is_sign("*"):
            return True
        return self.here.kind in IN_TEXT or (self.here.is_sign(".") and self.ahead().glued)

    def _at_text(self) -> bool:
        steps = 1 if self.here.is_sign("-") and self.ahead().glued else 0
        token = self.ahead(steps)
        if token.kind not in IN_TEXT:
            return False
        if token.kind is not TokenKind.WORD:
            return True
        if token.is_word(*RESERVED) or self.at_clause() or self._at_field(steps):
            return False
        word = token.value.lower()
        called = self.ahead(steps + 1).is_sign("(")
        named = word in FLAGS or word in COLLECTION_STARTS or self._relation_at(steps)
        return bool(steps) or not (called or named)

    def _relation_at(self, steps: int) -> bool:
        """Whether a relation is named here; of those with two words the first alone may be a flag."""
        token = self.ahead(steps)
        word = token.value.lower()
        name = RELATION_STARTS.get(word)
        if name is None or token.kind is not TokenKind.WORD:
            return False
        second = name.partition(" ")[2]
        return not second or word not in FLAGS or self.ahead(steps + 1).is_word(second)

    def _relation(self) -> RelatedNode:
        start, name, kind = self.start, RELATION_STARTS[self.take().value.lower()], ""
        if " " in name:
            self.need_word(name.split()[1])
        if name == "rel":
            opened = self.open()
            kind = self.need(TokenKind.STRING).value
            self.close(opened)
        to, negated = self._other_end()
        return RelatedNode(name, to, negated, kind, span=self.since(start))

    def _other_end(self) -> tuple[ListedNode | NestedNode | None, bool]:
        quantifier = self.accept_word("any", "none")
        if quantifier:
            return None, quantifier == "none"
        if self.here.is_sign("("):
            return (self.listed() if self._at_keys() else self.nested()), False
        end = self._key()
        return ListedNode((end,), span=end.span), False

    def _at_keys(self) -> bool:
        key = self.ahead().kind is TokenKind.KEY and self.ahead(2).is_sign(",", ")")
        subject = self.ahead(2).is_sign(":") and self.ahead(2).glued and self.ahead(3).glued
        return key or (subject and self.at_list())

    def _key(self) -> KeyNode | SubjectNode:
        token = self.here
        if token.kind is TokenKind.WORD and self.ahead().is_sign(":"):
            return self.subject()
        self.expect("(", "a key")
        return KeyNode(self.need(TokenKind.KEY).text, span=token.span)

    def _parts(self) -> PartsNode:
        start, name = self.start, COLLECTION_STARTS[self.take().value.lower()]
        if " " in name:
            self.need_word(name.split()[1])
        quantifier = self.need_word(*QUANTIFIERS)
        op: Op | None = None
        number = 0
        if quantifier == "count":
            op, number = self.count_comparing()
        query = self.nested().query if self.here.is_sign("(") else None
        if quantifier == "all" and query is None:
            self.expect("(")
            raise self.stumble("`all` wants a condition in brackets.")
        return PartsNode(name, cast("Quantifier", quantifier), query, op, number, span=self.since(start))

    def _at_field(self, steps: int = 0) -> bool:
        """Whether a word, path or text stands here that an operator follows: that is a field."""
        token = self.ahead(steps)
        if token.is_word("cf") and self.ahead(steps + 1).is_sign("["):
            return True
        if self._relation_at(steps) and self.ahead(steps + 1).is_word("in"):
            return False
        if token.kind is not TokenKind.STRING and (
            token.kind is not TokenKind.WORD or token.is_word(*RESERVED)
        ):
            return False
        for _ in range(_STEPS):
            steps += 1
            dot, behind = self.ahead(steps), self.ahead(steps + 1)
            if not (dot.is_sign(".") and dot.glued and behind.glued):
                break
            steps += 1
            if behind.is_word("cf") and self.ahead(steps + 1).is_sign("["):
                return True
        return self._operates(self.ahead(steps), self.ahead(steps + 1))

    def _operates(self, token: Token, behind: Token | None = None) -> bool:
        if token.is_sign(*OPERATORS, ":") or (token.is_word(*OPERATOR_WORDS) and not token.is_word("not")):
            return True
        if behind is None:
            behind = self.ahead()
        if token.is_word("not"):
            return behind.is_word("in", "between")
        return token.is_sign("+", "-", "*", "/") and not token.glued and not behind.glued


_UNREAD = TextNode("")
"""Stands for a term that could not be read; its fault ends the reading, so nobody sees it."""
