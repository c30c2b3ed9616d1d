"""Walks along the tokens of a text: what stands here, what could, and where to go on after a fault."""

from kbwork.base.text import fold, nearest_words
from kbwork.tql.errors import MOST, Fault, SuggestedFix, TextSpan, TqlError
from kbwork.tql.parser.tokens import Token, TokenKind, tokens
from kbwork.tql.words import FOREIGN, RESERVED

PREDICATES = 40
NESTED = 5
LEVELS = 12
OPERATIONS = 40
"""What one text may hold: predicates, queries in brackets, brackets within brackets, signs of arithmetic."""

CONDITION = "a condition"
"""Is expected where a term may begin."""


class UnreadableTerm(Exception):
    """A term cannot be read; its fault is noted. Whoever reads terms goes on behind it."""


class Cursor:
    """One reading of one text. Faults gather in it; `finish` raises them."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._tokens, self._faults = tokens(text)
        self._at = 0
        self._expected: dict[str, None] = {}
        self._level = 0
        self._counts = {"predicates": 0, "nested queries": 0, "signs of arithmetic": 0}

    @property
    def here(self) -> Token:
        return self._tokens[self._at]

    @property
    def start(self) -> int:
        return self.here.span.start

    def ahead(self, steps: int = 1) -> Token:
        return self._tokens[min(self._at + steps, len(self._tokens) - 1)]

    def since(self, start: int) -> TextSpan:
        """From there to the end of the last token that was taken."""
        return TextSpan(start, max(start, self._tokens[self._at - 1].span.end if self._at else start))

    def take(self) -> Token:
        token = self.here
        if token.kind is not TokenKind.END:
            self._at += 1
        self._expected.clear()
        return token

    def accept_word(self, *words: str) -> str | None:
        """Take one of these words and tell which, or note that they could stand here."""
        if self.here.is_word(*words):
            return self.take().value.lower()
        self._expected.update(dict.fromkeys(words))
        return None

    def accept_sign(self, *signs: str) -> str | None:
        if self.here.is_sign(*signs):
            return self.take().text
        self._expected.update(dict.fromkeys(signs))
        return None

    def accept(self, kind: TokenKind) -> Token | None:
        if self.here.kind is kind:
            return self.take()
        self._expected[kind.value] = None
        return None

    def need_word(self, *words: str) -> str:
        found = self.accept_word(*words)
        if found is None:
            raise self.stumble()
        return found

    def need_sign(self, *signs: str) -> str:
        found = self.accept_sign(*signs)
        if found is None:
            raise self.stumble()
        return found

    def need(self, kind: TokenKind) -> Token:
        found = self.accept(kind)
        if found is None:
            raise self.stumble()
        return found

    def expect(self, *names: str) -> None:
        """Note what could stand here, in words for people."""
        self._expected.update(dict.fromkeys(names))

    def open(self) -> int:
        """Take an opening bracket; its place is what `close` wants. Brackets are bounded, so is the recursion."""
        start = self.start
        if self._level == LEVELS:
            self.fail(f"Brackets stand at most {LEVELS} deep.", self.here.span)
        self.need_sign("(")
        self._level += 1
        return start

    def close(self, start: int) -> None:
        """Take the closing bracket. Where it is missing, the text's end or the next fault tells so."""
        if self.here.kind is TokenKind.END:
            fault = Fault(self.here.span, f"A bracket opened at {start} is not closed.", expected=(")",))
            self.note(fault)
            self.leave()
            return
        if not self.accept_sign(")"):
            raise self.stumble()
        self.leave()

    def leave(self) -> None:
        self._level -= 1

    @property
    def level(self) -> int:
        return self._level

    def count(self, what: str, most: int, span: TextSpan) -> None:
        """One more of these; too many end the reading."""
        self._counts[what] += 1
        if self._counts[what] > most:
            self.fail(f"A text has at most {most} {what}.", span)

    def note(self, fault: Fault) -> None:
        """Keep a fault; one for each place, and the fifth ends the reading."""
        if not any(known.span.start == fault.span.start for known in self._faults):
            self._faults.append(fault)
        if len(self._faults) >= MOST:
            self.finish()

    def stumble(self, message: str = "", span: TextSpan | None = None, instead: str = "") -> UnreadableTerm:
        """Note that what stands here cannot be read; the answer is raised to leave the term.

        Without a message it is told from what was expected.
        """
        if message:
            place = span or self.here.span
            said = self.text[place.start : place.end]
            suggestions = (SuggestedFix(said, instead),) if instead else ()
            self.note(Fault(place, message, tuple(self._expected), suggestions))
        else:
            self.note(self._unexpected())
        return UnreadableTerm()

    def fail(self, message: str, span: TextSpan) -> None:
        """End the reading at once: nothing behind this place is worth a word."""
        self._faults.append(Fault(span, message))
        self.finish()

    def finish(self) -> None:
        """Raises TqlError if anything was wrong."""
        if self._faults:
            raise TqlError(self.text, self._faults)

    @property
    def faulty(self) -> bool:
        return bool(self._faults)

    def skip_clause(self, level: int) -> None:
        """After a fault in a clause: on to the next clause or the closing bracket of this level."""
        self.skip(level)
        while self.here.is_word("and", "or"):
            self._at += 1
            self.skip(level)

    def skip(self, level: int) -> None:
        """After a fault: on to the next and, or, clause or closing bracket of this level."""
        depth = self._level - level
        self._level = level
        self._expected.clear()
        while self.here.kind is not TokenKind.END:
            if self.here.is_sign(")"):
                if depth <= 0:
                    return
                depth -= 1
            elif self.here.is_sign("("):
                depth += 1
            elif depth <= 0 and (self.here.is_word("and", "or") or self.at_clause()):
                return
            self._at += 1

    def at_clause(self) -> bool:
        """Whether a clause begins here, which ends any condition."""
        token, behind = self.here, self.ahead()
        if token.is_word("select", "having", "limit"):
            return True
        return (token.is_word("group", "order") and behind.is_word("by")) or (
            token.is_word("as") and behind.is_word("of")
        )

    def _unexpected(self) -> Fault:
        token, expected = self.here, tuple(self._expected)
        if token.kind is TokenKind.END:
            return Fault(token.span, f"Something is missing at the end: {_either(expected)}.", expected)
        if token.kind is TokenKind.WORD and not token.is_word(*RESERVED):
            return self._unknown(token, expected)
        message = f"{token.text} cannot stand here, but {_either(expected)}."
        if token.is_word(*RESERVED):
            message = f"The word {token.text} cannot stand here; to mean it as a name, put it in quotes."
        return Fault(token.span, message, expected)

    def _unknown(self, token: Token, expected: tuple[str, ...]) -> Fault:
        foreign = FOREIGN.get(fold(token.value))
        near = nearest_words(token.value, [name for name in expected if name.replace(" ", "").isalpha()])
        suggestions = [SuggestedFix(token.text, *foreign)] if foreign else []
        suggestions += [SuggestedFix(token.text, name) for name in near]
        meant = f"Unknown word `{token.text}`; `{suggestions[0].instead}`?" if suggestions else ""
        if CONDITION in expected:
            suggestions.append(SuggestedFix(token.text, f'"{token.value}"', "searches for the word"))
            meant = meant or f"Unknown word `{token.text}`; to search for it, put it in quotes."
        if not meant:
            meant = f"`{token.text}` cannot stand here, but {_either(expected)}."
        return Fault(token.span, meant, expected, tuple(suggestions))


def _either(expected: tuple[str, ...]) -> str:
    return " or ".join((", ".join(expected[:-1]), expected[-1])) if len(expected) > 1 else "".join(expected)
