"""Patterns that fields hold texts against: a subset of regular expressions that means the same in every engine.

Literals, `.`, classes, `\\d \\w \\s \\b` and their opposites, groups, `|`, repeats up to 1,000 and their lazy forms,
`^` and `$` as the very start and end. A pattern is read by the parser below and printed anew for google-re2, with
everything written out on which engines differ; google-re2 answers in linear time whatever the pattern and the text.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import re2

MOST_CHARS = 512
LOOKED_AT_CHARS = 4096
"""A longer text is looked at as far as this."""
MOST_REPEATS = 1000
_MOST_GROUPS_DEEP = 50

Ranges = tuple[tuple[int, int], ...]
"""Code points from one to another, both included, in order."""

_SETS: dict[str, Ranges] = {
    "d": ((0x30, 0x39),),
    "w": ((0x30, 0x39), (0x41, 0x5A), (0x5F, 0x5F), (0x61, 0x7A)),
    "s": (
        (0x9, 0xD),
        (0x20, 0x20),
        (0xA0, 0xA0),
        (0x1680, 0x1680),
        (0x2000, 0x200A),
        (0x2028, 0x2029),
        (0x202F, 0x202F),
        (0x205F, 0x205F),
        (0x3000, 0x3000),
        (0xFEFF, 0xFEFF),
    ),
}
_SIGNS = {"t": "\t", "n": "\n", "r": "\r", "f": "\f", "v": "\v"}
_ANY = r"[^\n\r\x{2028}\x{2029}]"
_SYNTAX = frozenset("^$\\.*+?()[]{}|/-")
_COUNT = re.compile(r"\{(\d{1,4})(,(\d{1,4})?)?\}")


class BadPattern(ValueError):
    """A pattern outside the subset; the text says where and why."""


@dataclass(frozen=True, slots=True)
class _Part:
    """A printed piece. `loops`: it holds a repeat without an end. `copies`: what its counts come to."""

    text: str
    loops: bool = False
    copies: int = 1
    repeatable: bool = True


def found_in(pattern: str, text: str) -> bool:
    """Whether the pattern is found anywhere in the text. Raises BadPattern."""
    return _compiled(pattern).search(text[:LOOKED_AT_CHARS]) is not None


def require_pattern(pattern: str) -> None:
    """Raises BadPattern where the pattern is outside the subset, or too large for the engine."""
    _compiled(pattern)


@lru_cache(maxsize=256)
def _compiled(pattern: str) -> Any:
    options = re2.Options()
    options.log_errors = False
    try:
        return re2.compile(printed(pattern), options)
    except re2.error:
        raise BadPattern("the pattern is too large") from None


def printed(pattern: str) -> str:
    """The pattern as google-re2 reads it. Raises BadPattern."""
    if len(pattern) > MOST_CHARS:
        raise BadPattern(f"a pattern holds at most {MOST_CHARS} characters")
    return _Reader(pattern).whole().text


class _Reader:
    """Reads a pattern from left to right, each sign once."""

    def __init__(self, pattern: str) -> None:
        self._pattern = pattern
        self._at = 0
        self._deep = 0

    def whole(self) -> _Part:
        part = self._choice()
        if self._at < len(self._pattern):
            raise self._bad("there is a `)` too many")
        return part

    def _bad(self, why: str) -> BadPattern:
        return BadPattern(f"at position {self._at}: {why}")

    def _next(self) -> str:
        return self._pattern[self._at : self._at + 1]

    def _take(self, text: str) -> bool:
        if not self._pattern.startswith(text, self._at):
            return False
        self._at += len(text)
        return True

    def _choice(self) -> _Part:
        parts = [self._sequence()]
        while self._take("|"):
            parts.append(self._sequence())
        return _joined(parts, "|")

    def _sequence(self) -> _Part:
        parts = []
        while self._next() not in ("", "|", ")"):
            parts.append(self._repeated(self._atom()))
        return _joined(parts, "")

    def _atom(self) -> _Part:
        sign = self._next()
        if sign == "(":
            return self._group()
        if sign == "[":
            return _Part(self._class())
        if sign == "\\":
            return self._escaped()
        if sign in "*+?":
            raise self._bad(f"there is nothing before `{sign}` to repeat")
        if sign in "{}]":
            raise self._bad(f"write `\\{sign}` for the sign itself")
        self._at += 1
        if sign in "^$":
            return _Part(r"\A" if sign == "^" else r"\z", repeatable=False)
        return _Part(_ANY if sign == "." else _literal(sign))

    def _group(self) -> _Part:
        self._at += 1
        if self._next() == "?" and not self._take("?:"):
            raise self._bad("of the groups with `?`, `(?: )` alone is known: no look-around, names or flags")
        self._deep += 1
        if self._deep > _MOST_GROUPS_DEEP:
            raise self._bad(f"groups stand in each other at most {_MOST_GROUPS_DEEP} deep")
        inner = self._choice()
        self._deep -= 1
        if not self._take(")"):
            raise self._bad("a group is not closed")
        return _Part(f"(?:{inner.text})", inner.loops, inner.copies)

    def _repeated(self, part: _Part) -> _Part:
        sign, most = self._count()
        if not sign:
            return part
        if not part.repeatable:
            raise self._bad("a place, such as `^` or `\\b`, cannot be repeated")
        if most is None and part.loops:
            raise self._bad("a repeat without an end cannot stand in another one")
        copies = part.copies * (most or 1)
        if copies > MOST_REPEATS:
            raise self._bad(f"repeats add up to more than {MOST_REPEATS}")
        lazy = "?" if self._take("?") else ""
        if self._next() in ("*", "+", "?") or _COUNT.match(self._pattern, self._at):
            raise self._bad("a repeat cannot follow a repeat")
        return _Part(part.text + sign + lazy, part.loops or most is None, copies)

    def _count(self) -> tuple[str, int | None]:
        """(the sign of a repeat or nothing, how often at most or None for without an end)."""
        for sign, most in (("*", None), ("+", None), ("?", 1)):
            if self._take(sign):
                return sign, most
        if self._next() != "{":
            return "", 1
        found = _COUNT.match(self._pattern, self._at)
        if found is None:
            raise self._bad("a count is `{n}`, `{n,}` or `{n,m}`; write `\\{` for the sign itself")
        low = int(found[1])
        most = low if found[2] is None else int(found[3]) if found[3] is not None else None
        if max(low, most or 0) > MOST_REPEATS or (most is not None and most < low):
            raise self._bad(f"counts go from 0 to {MOST_REPEATS}, the lower first")
        self._at = found.end()
        return found[0], most

    def _escaped(self) -> _Part:
        letter = self._pattern[self._at + 1 : self._at + 2]
        if letter in ("b", "B"):
            self._at += 2
            return _Part(f"\\{letter}", repeatable=False)
        found = self._escape()
        return _Part(_literal(found) if isinstance(found, str) else f"[{_inside(found)}]")

    def _escape(self) -> str | Ranges:
        """One sign, or the signs of a set; the reader stands behind it."""
        letter = self._pattern[self._at + 1 : self._at + 2]
        if letter.lower() in _SETS:
            self._at += 2
            return _SETS[letter] if letter in _SETS else _others(_SETS[letter.lower()])
        if letter in _SIGNS:
            self._at += 2
            return _SIGNS[letter]
        if letter in ("x", "u"):
            return self._by_number(2 if letter == "x" else 4)
        if letter == "" or letter not in _SYNTAX:
            raise self._bad(f"`\\{letter}` is not known")
        self._at += 2
        return letter

    def _by_number(self, digits: int) -> str:
        text = self._pattern[self._at + 2 : self._at + 2 + digits]
        if len(text) < digits or any(sign not in "0123456789abcdefABCDEF" for sign in text):
            raise self._bad(f"`\\{self._pattern[self._at + 1]}` takes {digits} hexadecimal digits")
        if 0xD800 <= (number := int(text, 16)) <= 0xDFFF:
            raise self._bad("half of a surrogate pair is no sign")
        self._at += 2 + digits
        return chr(number)

    def _class(self) -> str:
        self._at += 1
        inner = "[^" if self._take("^") else "["
        empty = len(inner)
        while not self._take("]"):
            inner += self._member()
        if len(inner) == empty:
            raise self._bad("a class holds at least one sign")
        return inner + "]"

    def _member(self) -> str:
        """A sign, a range or a set inside a class."""
        low = self._sign()
        if self._next() != "-" or self._pattern[self._at + 1 : self._at + 2] in ("]", ""):
            return _literal(low) if isinstance(low, str) else _inside(low)
        self._at += 1
        high = self._sign()
        if not (isinstance(low, str) and isinstance(high, str)):
            raise self._bad("a set such as `\\d` is no end of a range; write `\\-` for the sign itself")
        if low > high:
            raise self._bad("a range goes from the lower to the higher sign")
        return f"{_literal(low)}-{_literal(high)}"

    def _sign(self) -> str | Ranges:
        sign = self._next()
        if sign in ("", "["):
            raise self._bad("write `\\[` for the sign itself" if sign else "a class is not closed")
        if sign == "\\":
            if self._pattern[self._at + 1 : self._at + 2] in ("b", "B"):
                raise self._bad("`\\b` is a place and cannot stand in a class")
            return self._escape()
        self._at += 1
        return sign


def _joined(parts: list[_Part], between: str) -> _Part:
    return _Part(
        between.join(part.text for part in parts),
        any(part.loops for part in parts),
        max((part.copies for part in parts), default=1),
    )


def _literal(sign: str) -> str:
    """A sign that stands for itself, inside a class and outside."""
    return sign if sign.isascii() and sign.isalnum() else f"\\x{{{ord(sign):x}}}"


def _others(ranges: Ranges) -> Ranges:
    """Every code point that is not among these."""
    ends = [-1, *(high for _, high in ranges)]
    starts = [*(low for low, _ in ranges), 0x110000]
    return tuple((end + 1, start - 1) for end, start in zip(ends, starts, strict=True) if end + 1 < start)


def _inside(ranges: Ranges) -> str:
    """The ranges as they stand in a class."""
    return "".join(f"\\x{{{low:x}}}-\\x{{{high:x}}}" for low, high in ranges)
