"""What somebody typed into search: words, phrases, words that must not be there, and filters."""

import re

from kbwork.base.dataclasses import dataclass, field
from kbwork.base.text import folded

FILTERS = ("kind", "in", "by", "is")
STATES = ("open", "done", "mine", "unassigned", "archived")
_PART = re.compile(r'(-?)(?:(\w+):)?("[^"]*"|\S+)')
_WORD = re.compile(r"\w+")
MOST_WORDS = 30


@dataclass(slots=True)
class SearchTerms:
    """Groups of words that must stand one behind the other; one word is a group of its own."""

    phrases: list[list[str]] = field(default_factory=list)
    without: list[list[str]] = field(default_factory=list)
    filters: dict[str, list[str]] = field(default_factory=dict)
    open_end: bool = True
    """The last word may be the beginning of one: it was still being typed."""

    @property
    def words(self) -> list[str]:
        return [word for phrase in self.phrases for word in phrase]


def read(text: str) -> SearchTerms:
    """Read what was typed. A filter that is not known is words, too."""
    found = SearchTerms()
    for minus, name, value in _PART.findall(text):
        plain = value.strip('"')
        if name.lower() in FILTERS and plain and not minus:
            known = name.lower() != "is" or plain.lower() in STATES
            if known:
                found.filters.setdefault(name.lower(), []).append(plain)
                continue
        words = _WORD.findall(folded(f"{name} {plain}" if name else plain))
        if not words:
            continue
        groups = [words] if value.startswith('"') else [[word] for word in words]
        (found.without if minus else found.phrases).extend(groups)
        found.open_end = not value.endswith('"') and not minus
    if text.endswith(" "):
        found.open_end = False
    del found.phrases[MOST_WORDS:], found.without[MOST_WORDS:]
    return found


def matching(asked: SearchTerms, *, column: str = "") -> str:
    """The text for the index: every group must occur, the last word as a beginning. Empty where nothing is asked."""
    parts = [_group(phrase) for phrase in asked.phrases]
    if not parts:
        return ""
    if asked.open_end:
        parts[-1] += " *"
    found = " AND ".join(f"{column}{part}" for part in parts)
    for phrase in asked.without:
        found = f"({found}) NOT {_group(phrase)}"
    return found


def matching_any(asked: SearchTerms, last: list[str], *, column: str = "") -> str:
    """The same where the last word is any of these."""
    parts = [f"{column}{_group(phrase)}" for phrase in asked.phrases[:-1]]
    found = " AND ".join([*parts, f"{column}({any_of(last)})"])
    for phrase in asked.without:
        found = f"({found}) NOT {_group(phrase)}"
    return found


def nearly(groups: list[list[str]]) -> str:
    """The text for the index where each word may be any of some: those near what was typed."""
    return " AND ".join("(" + any_of(words) + ")" for words in groups)


def any_of(words: list[str]) -> str:
    """The text for the index that any of these words fits."""
    return " OR ".join(_group([word]) for word in dict.fromkeys(words))


def _group(words: list[str]) -> str:
    return '"' + " ".join(words).replace('"', "") + '"'
