"""Patterns of `matches`: a subset that Python and JavaScript read alike, parsed here and printed for google-re2.

Every class of characters, `\\s` and `.` too, becomes explicit ranges of code points, so that no engine's own idea of
them counts. There are no flags, no look-around and no references back.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any, Final

LONGEST: Final = 512
READ: Final = 4096
"""So many code points of a text are looked at."""
MOST_REPEATS: Final = 1000
_MOST_DEEP: Final = 50
"""So many groups may stand in each other."""

Ranges = tuple[tuple[int, int], ...]

_LAST = 0x10FFFF
_NO_EDGE = "\\B"
_DIGIT: Ranges = ((0x30, 0x39),)
_WORD: Ranges = ((0x30, 0x39), (0x41, 0x5A), (0x5F, 0x5F), (0x61, 0x7A))
_SPACE: Ranges = (
    (0x09, 0x0D),
    (0x20, 0x20),
    (0xA0, 0xA0),
    (0x1680, 0x1680),
    (0x2000, 0x200A),
    (0x2028, 0x2029),
    (0x202F, 0x202F),
    (0x205F, 0x205F),
    (0x3000, 0x3000),
    (0xFEFF, 0xFEFF),
)
_LINE_ENDS: Ranges = ((0x0A, 0x0A), (0x0D, 0x0D), (0x2028, 0x2029))
_CLASSES = {"d": _DIGIT, "w": _WORD, "s": _SPACE}
_CONTROLS = {"t": "\t", "n": "\n", "r": "\r", "f": "\f", "v": "\v"}
_PUNCTUATION = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")
_SPECIAL = frozenset("*+?{}])")
"""Have to be escaped where they stand for themselves."""


class BadPattern(ValueError):
    """The pattern is outside the subset; the text says where and why."""


@dataclass(frozen=True, slots=True)
class _Piece:
    """A part of a pattern as printed, with what decides whether it may be repeated."""

    text: str
    repeats: int = 1
    """The product of the counts nested in it."""
    unbounded: bool = False
    assertion: bool = False


def check(pattern: str) -> None:
    """Raises BadPattern where the pattern may not be stored."""
    searcher(pattern)


def matches(pattern: str, text: str) -> bool:
    """Whether the pattern is found anywhere in the text. Raises BadPattern."""
    return searcher(pattern)(text[:READ]) is not None


def printed(pattern: str) -> str:
    """The pattern as google-re2 takes it. Raises BadPattern."""
    return _Parser(pattern).printed()


def found_in(pattern: str) -> Callable[[str], bool] | None:
    """A test of whether the pattern is anywhere in a text; None where it is outside the subset."""
    try:
        search = searcher(pattern)
    except BadPattern:
        return None
    return lambda text: search(text[:READ]) is not None


@lru_cache(maxsize=1024)
def searcher(pattern: str) -> Callable[[str], Any]:
    """The search of the compiled pattern: None where it is not in a text. Raises BadPattern."""
    import re2  # noqa: PLC0415 - 2 ms that a start can do without

    text = printed(pattern)
    try:
        if _NO_EDGE in text:
            return partial(_between_characters, compiled(text.encode()))
        search: Callable[[str], Any] = compiled(text).search
    except re2.error as error:
        raise BadPattern(f"the pattern is too large to be matched safely: {error}") from None
    return search


@lru_cache(maxsize=256)
def compiled(text: str | bytes) -> Any:
    """What google-re2 makes of a pattern in its own words, without a word in the log. Raises re2.error."""
    import re2  # noqa: PLC0415 - likewise

    options = re2.Options()
    options.log_errors = False
    return re2.compile(text, options)


def _between_characters(compiled: Any, text: str) -> Any:
    """google-re2 goes byte by byte, and finds `\\B` inside a character of several bytes: that is no place."""
    data, at = text.encode(), 0
    while (found := compiled.search(data, at)) is not None:
        begins: int = found.start()
        if found.end() > begins or begins == len(data) or data[begins] & 0xC0 != 0x80:
            break
        at = begins + 1
    return found


class _Parser:
    """Reads one pattern from left to right."""

    def __init__(self, pattern: str) -> None:
        if len(pattern) > LONGEST:
            raise BadPattern(f"a pattern has at most {LONGEST} characters")
        self._text = pattern
        self._at = 0
        self._deep = 0

    def printed(self) -> str:
        """The pattern as google-re2 takes it."""
        whole = self._choice()
        if self._at < len(self._text):
            raise self._wrong("nothing is open that this ) would close")
        return whole.text

    def _choice(self) -> _Piece:
        options = [self._sequence()]
        while self._take("|"):
            options.append(self._sequence())
        return _Piece(
            "|".join(option.text for option in options),
            max(option.repeats for option in options),
            any(option.unbounded for option in options),
        )

    def _sequence(self) -> _Piece:
        pieces = [_Piece("")]
        while self._at < len(self._text) and self._next() not in "|)":
            pieces.append(self._repeated(self._atom()))
        return _Piece(
            "".join(piece.text for piece in pieces),
            max(piece.repeats for piece in pieces),
            any(piece.unbounded for piece in pieces),
        )

    def _atom(self) -> _Piece:
        char = self._next()
        if char == "(":
            return self._group()
        if char == "[":
            return _Piece(_class(self._set()))
        if char in _SPECIAL:
            raise self._wrong(f"{char} has nothing to belong to; write \\{char} for the character itself")
        self._at += 1
        if char == "^":
            return _Piece(r"\A", assertion=True)
        if char == "$":
            return _Piece(r"\z", assertion=True)
        if char == ".":
            return _Piece(_class(_negated(_LINE_ENDS)))
        return self._escaped() if char == "\\" else _Piece(_class(_one(char)))

    def _group(self) -> _Piece:
        opened = self._at
        self._at += 1
        self._deep += 1
        if self._deep > _MOST_DEEP:
            raise self._wrong(f"more than {_MOST_DEEP} groups stand in each other", at=opened)
        if self._take("?") and not self._take(":"):
            raise self._wrong("of the groups that begin with (? only (?: is known", at=opened)
        inner = self._choice()
        self._deep -= 1
        if not self._take(")"):
            raise self._wrong("this group is not closed", at=opened)
        return _Piece(f"(?:{inner.text})", inner.repeats, inner.unbounded)

    def _escaped(self) -> _Piece:
        char = self._next(default="")
        if char in ("b", "B"):
            self._at += 1
            return _Piece(f"\\{char}", assertion=True)
        return _Piece(_class(self._escape()))

    def _escape(self) -> Ranges:
        """What stands behind a backslash, in a class or outside."""
        at = self._at - 1
        char = self._next(default="")
        self._at += 1
        if char.lower() in _CLASSES and char:
            found = _CLASSES[char.lower()]
            return found if char.islower() else _negated(found)
        if char in _CONTROLS:
            return _one(_CONTROLS[char])
        if char == "x":
            return self._code(2, at)
        if char == "u":
            return self._code(4, at)
        if char in _PUNCTUATION:
            return _one(char)
        raise self._wrong(f"\\{char} is not known here", at=at)

    def _code(self, digits: int, at: int) -> Ranges:
        code = self._hex(digits, at)
        if 0xD800 <= code < 0xDC00 and self._text.startswith("\\u", self._at):
            self._at += 2
            low = self._hex(4, at)
            if 0xDC00 <= low < 0xE000:
                code = 0x10000 + ((code - 0xD800) << 10) + low - 0xDC00
        if 0xD800 <= code < 0xE000:
            raise self._wrong("half of a surrogate pair is no character", at=at)
        return ((code, code),)

    def _hex(self, digits: int, at: int) -> int:
        text = self._text[self._at : self._at + digits]
        if len(text) < digits or not all(char in "0123456789abcdefABCDEF" for char in text):
            raise self._wrong(f"{digits} hexadecimal digits should follow", at=at)
        self._at += digits
        return int(text, 16)

    def _set(self) -> Ranges:
        """A class in brackets."""
        opened = self._at
        self._at += 1
        negated = self._take("^")
        found: list[tuple[int, int]] = []
        while not self._take("]"):
            if self._at >= len(self._text):
                raise self._wrong("this class is not closed", at=opened)
            found.extend(self._member())
        if not found:
            raise self._wrong("an empty class matches nothing", at=opened)
        joined = _joined(found)
        return _negated(joined) if negated else joined

    def _member(self) -> Ranges:
        """A character, an escape or a range."""
        at = self._at
        first = self._single()
        if not self._text.startswith("-", self._at) or self._text.startswith("-]", self._at):
            return first
        self._at += 1
        if self._at >= len(self._text):
            raise self._wrong("this range has no end", at=at)
        last = self._single()
        if _count(first) != 1 or _count(last) != 1:
            raise self._wrong("a range goes from one character to another", at=at)
        if first[0][0] > last[0][0]:
            raise self._wrong("this range ends before it begins", at=at)
        return ((first[0][0], last[0][0]),)

    def _single(self) -> Ranges:
        char = self._next()
        if char == "[":
            raise self._wrong("write \\[ in a class")
        self._at += 1
        return self._escape() if char == "\\" else _one(char)

    def _repeated(self, piece: _Piece) -> _Piece:
        """A piece with what says how often."""
        at = self._at
        bounds = self._bounds()
        if bounds is None:
            return piece
        if piece.assertion:
            raise self._wrong("a place in the text cannot be repeated", at=at)
        low, high = bounds
        printed = self._text[at : self._at]
        lazy = "?" if self._take("?") else ""
        if self._next(default="") in ("*", "+", "?", "{"):
            raise self._wrong("this repeats what is repeated already")
        if high is None and piece.unbounded:
            raise self._wrong("a repeat without end inside another can take for ever", at=at)
        counted = piece.repeats * max(1, low if high is None else high)
        if counted > MOST_REPEATS:
            raise self._wrong(f"this counts up to {counted}, and {MOST_REPEATS} is the most", at=at)
        return _Piece(piece.text + printed + lazy, counted, piece.unbounded or high is None)

    def _bounds(self) -> tuple[int, int | None] | None:
        """(least, most or None for no end) where a repeat follows."""
        for char, bounds in (("*", (0, None)), ("+", (1, None)), ("?", (0, 1))):
            if self._take(char):
                return bounds
        at = self._at
        if not self._take("{"):
            return None
        low = self._digits(at)
        high: int | None = low
        if self._take(","):
            high = None if self._next(default="") == "}" else self._digits(at)
        if not self._take("}"):
            raise self._wrong("a count is written {n}, {n,} or {n,m}", at=at)
        if high is not None and high < low:
            raise self._wrong("this count ends before it begins", at=at)
        return low, high

    def _digits(self, at: int) -> int:
        begin = self._at
        while self._next(default="x") in "0123456789":
            self._at += 1
        text = self._text[begin : self._at]
        if not text:
            raise self._wrong("a count is written {n}, {n,} or {n,m}; write \\{ for the character", at=at)
        if len(text.lstrip("0")) > len(str(MOST_REPEATS)) or int(text) > MOST_REPEATS:
            raise self._wrong(f"a count is at most {MOST_REPEATS}", at=at)
        return int(text)

    def _next(self, *, default: str | None = None) -> str:
        if self._at < len(self._text):
            return self._text[self._at]
        if default is None:
            raise self._wrong("the pattern ends too early")
        return default

    def _take(self, char: str) -> bool:
        taken = self._text.startswith(char, self._at)
        self._at += taken
        return taken

    def _wrong(self, why: str, *, at: int | None = None) -> BadPattern:
        return BadPattern(f"at character {(self._at if at is None else at) + 1}: {why}")


def _one(char: str) -> Ranges:
    return ((ord(char), ord(char)),)


def _count(ranges: Ranges) -> int:
    return sum(last - first + 1 for first, last in ranges)


def _joined(ranges: list[tuple[int, int]]) -> Ranges:
    """The same characters in order, none twice."""
    found: list[tuple[int, int]] = []
    for first, last in sorted(ranges):
        if found and first <= found[-1][1] + 1:
            found[-1] = (found[-1][0], max(last, found[-1][1]))
        else:
            found.append((first, last))
    return tuple(found)


def _negated(ranges: Ranges) -> Ranges:
    """All other characters."""
    found, begin = [], 0
    for first, last in ranges:
        if begin < first:
            found.append((begin, first - 1))
        begin = last + 1
    if begin <= _LAST:
        found.append((begin, _LAST))
    return tuple(found)


def _class(ranges: Ranges) -> str:
    """Printed for google-re2; no characters at all is a class that nothing is in."""
    if not ranges:
        return rf"[^\x00-\x{{{_LAST:x}}}]"
    if _count(ranges) == 1:
        return rf"\x{{{ranges[0][0]:x}}}"
    return "[" + "".join(rf"\x{{{first:x}}}-\x{{{last:x}}}" for first, last in ranges) + "]"
