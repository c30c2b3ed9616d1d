"""The words of titles, suggested as soon as one was written: what is being typed is opened into what it may become.

They are kept in memory, in the list that the writer tells of each title (`base/word_list.py`).

The index finds beginnings of up to three letters. For a longer one it would gather whatever has a word with it, before
the newest is told: 40 ms among a million issues, where whole words take less than one.
"""

from collections.abc import Callable

from kbwork.base.clock import monotonic
from kbwork.core.ports.memory import KeptInMemory
from kbwork.db.tx import Read
from kbwork.modules.search.search_terms import SearchTerms, matching, matching_any

_PIECE = 32
"""To tell a word that is in everything the index reads all places where it is: a tenth of a second for ten million, and
some seconds from a disk. So words are asked for one by one at first, and more at once while that is quick."""
_QUICK_S = 0.05
_PIECE_S = 0.5
_IN_INDEX = 3
"""Beginnings of so many letters are in the index."""
_MOST = 200


def _take(tx: Read) -> bool:
    words, most, now = tx.title_words, 1, monotonic()
    until = now + _PIECE_S
    while (after := words.taken) is not None and now < until:
        found = tx.column(
            "select term from search_column_word where term > :after and col = 'title' limit :most",
            after=after,
            most=most,
        )
        words.take(found, after=after, last=len(found) < most)
        began, now = now, monotonic()
        most = min(2 * most, _PIECE) if now - began < _QUICK_S else 1
    return words.taken is not None


KEPT = KeptInMemory(home=__name__, name="search.title_words", take=_take)


class Wanted:
    """Words that a title must have, the last one perhaps as a beginning."""

    def __init__(self, split: Callable[[str], list[str]], words: list[str], begun: str | None) -> None:
        self._split, self._words, self._begun = split, words, begun

    def has(self, title: str) -> bool:
        """Whether all of them are there."""
        words = self._split(title)
        whole = all(word in words for word in self._words)
        return whole and (self._begun is None or any(word.startswith(self._begun) for word in words))


def wanted(tx: Read, asked: SearchTerms) -> Wanted | None:
    """The words that are asked for; None where it is not words alone that are asked for."""
    split = tx.title_words.split
    words = [split(" ".join(phrase)) for phrase in asked.phrases]
    if asked.without or not words or any(len(made) != 1 for made in words):
        return None
    plain = [made[0] for made in words]
    return Wanted(split, plain[:-1], plain[-1]) if asked.open_end else Wanted(split, plain, None)


def titled(tx: Read, asked: SearchTerms) -> str:
    """The text for the index that finds what has the words in its title; empty where nothing can have them."""
    known = _opened(tx, asked)
    if known is None:
        return matching(asked, column="title : ")
    return matching_any(asked, known, column="title : ") if known else ""


def _opened(tx: Read, asked: SearchTerms) -> list[str] | None:
    """The words that the last one may become; None where they are not needed, or not known for certain."""
    if not asked.open_end or not asked.phrases:
        return None
    words = tx.title_words
    begun = words.split(" ".join(asked.phrases[-1]))
    if len(begun) != 1 or len(begun[0]) <= _IN_INDEX:
        return None
    found = words.beginning(begun[0], _MOST)
    # a word that the index would take apart anew into another is not found by it
    return found if found is not None and words.split(" ".join(found)) == found else None
