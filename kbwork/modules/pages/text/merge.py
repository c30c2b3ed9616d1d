"""Bringing two texts together that were made of one: what the one changed and what the other changed."""

import itertools

from kbwork.base.dataclasses import dataclass
from kbwork.modules.pages.text.line_match import blocks, lines


@dataclass(frozen=True, slots=True)
class Change:
    """Lines of the text that was there, from and to, and what stands in their place."""

    start: int
    end: int
    there: list[str]


def merged(base: str, one: str, other: str) -> str | None:
    """The text with the changes of both; None where they touch and are not the same."""
    if one in (base, other):
        return other
    if other == base:
        return one
    before = lines(base)
    both = _together(changes(before, lines(one)), changes(before, lines(other)))
    return None if both is None else _applied(before, both)


def changes(before: list[str], after: list[str]) -> list[Change]:
    """What was changed, in order."""
    found: list[Change] = []
    start = at = 0
    for low, there, size in [*blocks(before, after), (len(before), len(after), 0)]:
        if low > start or there > at:
            found.append(Change(start, low, after[at:there]))
        start, at = low + size, there + size
    return found


def _together(one: list[Change], other: list[Change]) -> list[Change] | None:
    """The changes of both in order; None where some touch."""
    found: list[Change] = []
    mine, theirs = one[::-1], other[::-1]
    while mine and theirs:
        a, b = mine[-1], theirs[-1]
        if a == b:
            found.append(mine.pop())
            theirs.pop()
        elif a.end < b.start:
            found.append(mine.pop())
        elif b.end < a.start:
            found.append(theirs.pop())
        else:
            return None
    found += mine[::-1] + theirs[::-1]
    touch = any(left.end >= right.start for left, right in itertools.pairwise(found))
    return None if touch else found


def _applied(before: list[str], found: list[Change]) -> str:
    made: list[str] = []
    at = 0
    for change in found:
        made += before[at : change.start]
        made += change.there
        at = change.end
    return "".join(made + before[at:])
