"""Words that nobody wrote: the nearest that somebody did."""

from kbwork.db.tx import Read
from kbwork.modules.search.excerpts import bare

_MOST_LOOKED_AT = 50_000
_MOST = 100


def near(tx: Read, word: str) -> list[str]:
    """Words of the index that are one letter away, two for long words, with the same first letter; the nearest first.

    They may be of things that the caller does not see: to search for them all finds what they do see.
    """
    plain = bare(word)
    if len(plain) < 3:
        return []
    most = 1 if len(plain) < 6 else 2
    terms = tx.column(
        "select term from search_word where term >= :first and term < :first || char(1114111) limit :most",
        first=plain[0],
        most=_MOST_LOOKED_AT,
    )
    found = [
        (away, term)
        for term in terms
        if abs(len(term) - len(plain)) <= most and (away := distance(plain, term, most)) <= most
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
