"""What was looked for, found again in a text: how much of it is there, and a piece of the text around it."""

import re
from collections.abc import Iterator, Sequence

from kbwork.base.text import fold

LOOKED_AT = 20_000
"""So many characters of a text are looked through."""
_ABOUT = 160
_PIECE = 1000
_WORD = re.compile(r"\w+")
_OFTEN = 40
"""Whoever looks for the same words more often than this gains more by an expression of them than it takes to make."""


class SearchedWords:
    """Words that are looked for: of each group any one, the last group perhaps as beginnings."""

    def __init__(self, groups: Sequence[Sequence[str]], *, open_end: bool = False) -> None:
        self._groups = [frozenset(map(fold, group)) for group in groups]
        self._words = frozenset().union(*self._groups)
        self._beginnings = tuple(self._groups[-1]) if open_end and self._groups else ()
        self._pattern: re.Pattern[str] | None = None
        self._asked = 0

    def share(self, text: str) -> float:
        """How many of the groups are there: 1.0 for all."""
        form = fold(text)
        # of most titles there is nothing: the body was found, or a comment
        if not any(word in form for word in self._words):
            return 0.0
        words = set(_WORD.findall(form))
        held = sum(not group.isdisjoint(words) for group in self._groups)
        if self._beginnings and self._groups[-1].isdisjoint(words):
            held += any(word.startswith(self._beginnings) for word in words)
        return held / len(self._groups)

    def within(self, text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
        """Where in a stretch of the text words that are looked for begin and end."""
        stretch = text[start:end]
        folded_once = stretch.isascii()  # then each sign stands where it stood
        self._asked += 1
        if folded_once and self._asked > _OFTEN:
            for found in self._matcher().finditer(stretch.lower()):
                yield start + found.start(), start + found.end()
            return
        for found in _WORD.finditer(stretch.lower() if folded_once else stretch):
            word = found[0] if folded_once else fold(found[0])
            if word in self._words or word.startswith(self._beginnings):
                yield start + found.start(), start + found.end()

    def first(self, text: str, start: int, end: int) -> int | None:
        """Where in a stretch of the text the first of the words begins; its start where that cannot be told."""
        found = next(self.within(text, start, end), None)
        if found is not None:
            return found[0]
        stretch = text[start:end]
        return start if not stretch.isascii() and self.share(stretch) else None

    def _matcher(self) -> re.Pattern[str]:
        """Finds the words in folded text; made when it is first asked for."""
        if self._pattern is None:
            words = "|".join(map(re.escape, filter(_WORD.fullmatch, self._words))) or "(?!)"
            beginnings = "|".join(map(re.escape, filter(_WORD.fullmatch, self._beginnings))) or "(?!)"
            self._pattern = re.compile(rf"\b(?:(?:{words})\b|(?:{beginnings})\w*)")
        return self._pattern


def excerpt(text: str, wanted: SearchedWords) -> str:
    """About 160 characters around the first of the words, all of them marked, everything else escaped.

    Where none is among the first 20,000 characters the text is told from its beginning.
    """
    from html import escape  # noqa: PLC0415 - 2 ms that the first search waits for, and no start

    first = _first(text, wanted)
    start = max(0, first - _ABOUT // 3)
    if start:
        start = text.rfind(" ", 0, start) + 1
    end = min(len(text), start + _ABOUT)
    parts, at = ["..." if start else ""], start
    for begin, behind in wanted.within(text, start, end):
        parts += [escape(text[at:begin]), f"<mark>{escape(text[begin:behind])}</mark>"]
        at = behind
    parts += [escape(text[at:end]), "..." if end < len(text) else ""]
    return " ".join("".join(parts).split())


def _first(text: str, wanted: SearchedWords) -> int:
    """Where the first of the words stands; 0 where none does."""
    start, last = 0, min(len(text), LOOKED_AT)
    while start < last:
        end = text.find(" ", start + _PIECE, last)
        end = last if end < 0 else end
        found = wanted.first(text, start, end)
        if found is not None:
            return found
        start = end
    return 0
