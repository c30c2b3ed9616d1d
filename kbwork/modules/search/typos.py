"""Words that nobody wrote: the nearest that somebody did."""

from kbwork.base.text import fold
from kbwork.db.deadline import within_deadline
from kbwork.db.tx import Read

_MOST_WORDS = 8
"""So many words of a search are taken for mistyped ones; those behind them must be there as they are."""
_MOST_LOOKED_AT = 50_000
_MOST = 100


def groups(tx: Read, words: list[str]) -> list[list[str]]:
    """For each word those near it, for the first few; a word that nothing is near stands for itself."""
    return [near(tx, word) or [word] for word in words[:_MOST_WORDS]] + [
        [word] for word in words[_MOST_WORDS:]
    ]


def near(tx: Read, word: str) -> list[str]:
    """Words of the index that are one letter away, two for long words, with the same first letter; the nearest first.

    They may be of things that the caller does not see: to search for them all finds what they do see. Of a letter's
    words the first 50,000 are looked at, and of those the few that have nearly the same letters are compared.
    """
    plain = fold(word)
    if len(plain) < 3:
        return []
    most = 1 if len(plain) < 6 else 2
    terms = tx.column(
        "select term from (select term from search_word where term >= :first and term < :first || char(1114111)"
        " limit :looked_at) where length(term) between :shortest and :longest",
        first=plain[0],
        looked_at=_MOST_LOOKED_AT,
        shortest=len(plain) - most,
        longest=len(plain) + most,
    )
    letters = frozenset(plain)
    found = [
        (away, term)
        for term in within_deadline(tx, terms)
        if len(letters.symmetric_difference(term)) <= 2 * most
        and (away := distance(plain, term, most)) <= most
    ]
    return [term for _, term in sorted(found)[:_MOST]]


def distance(one: str, other: str, most: int) -> int:
    """How many letters must be put in, taken out, changed or swapped with their neighbour; more than `most` is told as
    `most` + 1."""
    before: list[int] = []
    row = list(range(len(other) + 1))
    for number, letter in enumerate(one, 1):
        last, before, row = before, row, [number]
        for at, wanted in enumerate(other, 1):
            cost = min(before[at] + 1, row[at - 1] + 1, before[at - 1] + (letter != wanted))
            if number > 1 and at > 1 and letter == other[at - 2] and one[number - 2] == wanted:
                cost = min(cost, last[at - 2] + 1)
            row.append(cost)
        if min(row) > most:
            return most + 1
    return min(row[-1], most + 1)
