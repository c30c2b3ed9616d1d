"""What `~` means: all words in any order, `"a b"` a phrase, `a*` a prefix, `-a` without, `a OR b` either.

`OR` joins its two neighbours only: `a b OR c` wants a, and b or c. Case and accents do not count. Words are not
stemmed here.
"""

import re
from collections.abc import Iterable, Sequence

from kbwork.base.dataclasses import dataclass
from kbwork.base.text import fold

_PIECE = re.compile(r'(-?)"([^"]*)"?(\*?)|(\S+)')
_WORDS = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Term:
    """Words that stand side by side; of a prefix the last one only begins so."""

    words: tuple[str, ...]
    prefix: bool = False
    without: bool = False


def terms(pattern: str) -> list[list[Term]]:
    """All must hold; of each inner list one."""
    found: list[list[Term]] = []
    either = False
    for match in _PIECE.finditer(pattern):
        if match[0] == "OR" and found:
            either = True
            continue
        term = _term(match)
        if not term.words:
            continue
        if either:
            found[-1].append(term)
        else:
            found.append([term])
        either = False
    return found


def matches(pattern: str, texts: Iterable[str]) -> bool:
    """Whether the texts together hold what the pattern asks for. An empty pattern asks for nothing."""
    words = [_words(text) for text in texts]
    return all(any(_holds(term, words) for term in either) for either in terms(pattern))


def _term(match: re.Match[str]) -> Term:
    if match[4] is None:
        return Term(tuple(_words(match[2])), bool(match[3]), bool(match[1]))
    piece = match[4]
    without = len(piece) > 1 and piece.startswith("-")
    return Term(tuple(_words(piece)), piece.endswith("*"), without)


def _holds(term: Term, texts: Sequence[Sequence[str]]) -> bool:
    return any(_within(term, words) for words in texts) != term.without


def _within(term: Term, words: Sequence[str]) -> bool:
    length = len(term.words)
    *whole, last = term.words
    for at in range(len(words) - length + 1):
        end = words[at + length - 1]
        if (end.startswith(last) if term.prefix else end == last) and list(
            words[at : at + length - 1]
        ) == whole:
            return True
    return False


def _words(text: str) -> list[str]:
    return _WORDS.findall(fold(text))
