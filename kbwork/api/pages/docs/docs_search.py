"""Words looked for in the manual: its paragraphs in memory, weighed by how rare a word is and where it stands."""

import math
import re
from collections import Counter
from functools import cache

from kbwork.api.pages.docs.manual import contents, page_text
from kbwork.base.dataclasses import dataclass, replace
from kbwork.base.text import fold

_WORD = re.compile(r"[a-z0-9_]+")
_FENCE = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)
_TELLING = 3
"""Shorter words are passed over beside others."""
_IN_HEADING = 0.5
"""What a word counts in a heading at least; in the text below it counts up to 1."""


@dataclass(frozen=True, slots=True)
class DocsPassage:
    """A paragraph, row or block of a page, below its heading (empty: the beginning of the page)."""

    page: str
    title: str
    heading: str
    text: str


def find(words: str, most: int = 10) -> list[DocsPassage]:
    """The passages with these words, or with words that begin so, best first; one for each heading,
    with the line that has most of them for its text."""
    asked = list(dict.fromkeys(_words(words)))
    telling = [word for word in asked if len(word) >= _TELLING] or asked
    wanted = [(forms, _rarity(forms)) for word in telling if (forms := _forms(word))]
    scores = [sum(weight * _fit(forms, *counted) for forms, weight in wanted) for counted in _counted()]
    found: dict[tuple[str, str], DocsPassage] = {}
    for score, _, passage in sorted(
        zip(scores, range(len(scores)), _passages(), strict=True), key=_best_first
    ):
        if score > 0:
            found.setdefault((passage.page, passage.heading), passage)
    sought = frozenset[str]().union(*(forms for forms, _ in wanted))
    return [replace(passage, text=_line(passage, sought)) for passage in list(found.values())[:most]]


def _line(passage: DocsPassage, sought: frozenset[str]) -> str:
    """The line that has most of these words, the first of several."""
    return max(passage.text.splitlines(), key=lambda line: len(sought.intersection(_words(line))), default="")


def _best_first(scored: tuple[float, int, DocsPassage]) -> tuple[float, int]:
    return -scored[0], scored[1]


def _fit(forms: frozenset[str], below: Counter[str], above: frozenset[str]) -> float:
    """How well a passage has one of these words: below its heading, the more often the better, and in it, the shorter
    that is."""
    times = sum(below[form] for form in forms)
    return times / (times + 1) + (0.0 if forms.isdisjoint(above) else _IN_HEADING + 1 / len(above))


def _words(text: str) -> list[str]:
    return _WORD.findall(fold(text))


@cache
def _passages() -> list[DocsPassage]:
    """Hand-written pages, and those that are made of lists."""
    return [
        passage
        for group in contents()
        for name, title in group["pages"]
        if (text := page_text(name)) is not None
        for passage in _of_page(name, title, text)
    ]


def _of_page(name: str, title: str, text: str) -> list[DocsPassage]:
    found: list[DocsPassage] = []
    heading = ""
    blocks = _FENCE.findall(text)
    for part in _FENCE.sub("\n\n\0\n\n", text).split("\n\n"):
        if part.startswith("#"):
            heading = "" if part.startswith("# ") else part.lstrip("# ").strip("`")
        elif part.strip() == "\0":
            found.append(DocsPassage(name, title, heading, blocks.pop(0).strip("`").partition("\n")[2]))
        else:
            lines = part.splitlines() if part.startswith("|") else [part]
            found += [DocsPassage(name, title, heading, line) for line in lines if line[:4] != "|---"]
    return found


@cache
def _counted() -> list[tuple[Counter[str], frozenset[str]]]:
    """Of each passage: how often it has a word, and the words of its heading."""
    return [
        (Counter(_words(passage.text)), frozenset(_words(passage.heading or passage.title)))
        for passage in _passages()
    ]


@cache
def _known() -> frozenset[str]:
    return frozenset(word for below, above in _counted() for word in (*below, *above))


def _forms(word: str) -> frozenset[str]:
    """The words of the manual that this one is, or begins."""
    return frozenset(
        known for known in _known() if known == word or (len(word) > 3 and known.startswith(word))
    )


def _rarity(forms: frozenset[str]) -> float:
    holding = sum(not forms.isdisjoint({*below, *above}) for below, above in _counted())
    return math.log(1 + len(_counted()) / holding)
