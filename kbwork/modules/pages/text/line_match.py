"""Which lines two texts have in common, in order, found in a time that no text makes long.

Lines that stand once in both are matched first (patience), then what is left between them; few lines are compared one
by one. What is long and all alike counts as changed as a whole.
"""

import bisect
from difflib import SequenceMatcher

Block = tuple[int, int, int]
"""From this line of the one and that of the other on, so many are the same."""
_FEW = 60
_DEEPEST = 8
_Gap = tuple[int, int, int, int, int]
"""Lines of the one, lines of the other, each from and to; how often this was cut up."""


def lines(text: str) -> list[str]:
    """Its lines with their ends, cut at line feeds alone."""
    found = text.split("\n")
    return [f"{line}\n" for line in found[:-1]] + ([found[-1]] if found[-1] else [])


def blocks(one: list[str], other: list[str]) -> list[Block]:
    """What is the same, in order, each as long as can be."""
    found: list[Block] = []
    waiting: list[_Gap] = [(0, len(one), 0, len(other), 0)]
    while waiting:
        found += _within(one, other, waiting.pop(), waiting)
    joined: list[Block] = []
    for start, at, size in sorted(found):
        if joined and (start, at) == (joined[-1][0] + joined[-1][2], joined[-1][1] + joined[-1][2]):
            joined[-1] = (joined[-1][0], joined[-1][1], joined[-1][2] + size)
        elif size:
            joined.append((start, at, size))
    return joined


def _within(one: list[str], other: list[str], gap: _Gap, waiting: list[_Gap]) -> list[Block]:
    """What is the same in a gap for certain; what is left to look at waits."""
    low, high, start, end, depth = gap
    found: list[Block] = []
    head = 0
    while low + head < high and start + head < end and one[low + head] == other[start + head]:
        head += 1
    found.append((low, start, head))
    low, start = low + head, start + head
    tail = 0
    while low < high - tail and start < end - tail and one[high - tail - 1] == other[end - tail - 1]:
        tail += 1
    found.append((high - tail, end - tail, tail))
    high, end = high - tail, end - tail
    if low == high or start == end:
        return found
    anchors = _anchors(one[low:high], other[start:end]) if depth < _DEEPEST else []
    if anchors:
        first, begin = low, start
        for at, there in anchors:
            waiting.append((low, first + at, start, begin + there, depth + 1))
            low, start = first + at, begin + there
        waiting.append((low, high, start, end, depth + 1))
    elif high - low <= _FEW and end - start <= _FEW:
        matcher = SequenceMatcher(None, one[low:high], other[start:end], autojunk=False)
        found += [(low + a, start + b, size) for a, b, size in matcher.get_matching_blocks()]
    return found


def _anchors(one: list[str], other: list[str]) -> list[tuple[int, int]]:
    """Lines that stand once in both, as many as stand in one order."""
    places = _once(one)
    there = _once(other)
    pairs = [(places[line], at) for line, at in there.items() if line in places]
    pairs.sort()
    return _rising(pairs)


def _once(some: list[str]) -> dict[str, int]:
    found: dict[str, int] = {}
    for at, line in enumerate(some):
        found[line] = -1 if line in found else at
    return {line: at for line, at in found.items() if at >= 0}


def _rising(pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The longest row of them whose second numbers rise."""
    ends: list[int] = []
    last: list[int] = []
    before: list[int] = []
    for number, (_, at) in enumerate(pairs):
        place = bisect.bisect_left(ends, at)
        before.append(last[place - 1] if place else -1)
        if place == len(ends):
            ends.append(at)
            last.append(number)
        else:
            ends[place], last[place] = at, number
    found: list[tuple[int, int]] = []
    number = last[-1] if last else -1
    while number >= 0:
        found.append(pairs[number])
        number = before[number]
    return found[::-1]
