"""What stands in the Markdown of a page: its headings, its sections, and what it names.

It is read line by line with patterns that no text makes slow: a page may hold a million characters.
"""

import bisect
import re
from collections.abc import Iterator
from typing import Literal

from typing_extensions import TypedDict

from kbwork.base.dataclasses import dataclass
from kbwork.base.patterns import pattern
from kbwork.base.text import fold

_FENCE = pattern(r" {0,3}(`{3,}|~{3,})")
_HEADING = pattern(r" {0,3}(#{1,6})(?:[ \t]+([^\n]*))?$")
_ITEM = pattern(r"\s*(?:[-*+]|\d{1,9}[.)])\s")
_INDENTED = pattern(r"(?: {4}|\t)")
CODE = pattern(r"(?<!`)(`{1,10})(?!`)[^`]+\1(?!`)")
"""Code within a line."""
_TICKS = pattern(r"`+")
_NAMED = pattern(
    r"\\[\\`\[@A-Z]"
    r"|(?P<code>`+)"
    r"|\[\[(?P<page>[^\[\]\n]{1,600})\]\]"
    r"|!?\[[^\[\]\n]{0,1000}\]\([^()\s]{0,2000}\)"
    r"|https?://[^\s<>]{1,2000}"
    r"|(?<![\w@/.+-])@(?P<handle>[a-zA-Z0-9][a-zA-Z0-9._-]{0,38})(?![\w@-])"
    r"|(?<![\w-])(?P<issue>[A-Z][A-Z0-9]{1,9}-[0-9]{1,9})(?![\w-])"
)
_SLUG_CHARS = 80
_MOST_NAMED = 500
"""Things that one text names; what comes behind is named by nobody."""


class Heading(TypedDict):
    """A heading of a page."""

    level: int
    """1 to 6."""
    text: str
    """Its words."""
    anchor: str
    """By what a link leads to it."""


@dataclass(frozen=True, slots=True)
class TextName:
    """Something that a text names: a page by its title or `space/slug`, an issue by its key, somebody by a handle."""

    kind: Literal["page", "issue", "mention"]
    words: str


def slug(title: str) -> str:
    """A title as it stands in addresses."""
    words = re.sub(r"[\W_]+", "-", fold(title)).strip("-")
    return words[:_SLUG_CHARS].strip("-") or "page"


def headings(body: str) -> list[Heading]:
    """Its headings, in order."""
    found: list[Heading] = []
    taken: dict[str, int] = {}
    for _, level, text in _headings(body):
        name = slug(text)
        number = taken.get(name, 0)
        taken[name] = number + 1
        found.append(Heading(level=level, text=text, anchor=f"{name}-{number}" if number else name))
    return found


def section(body: str, wanted: str) -> tuple[int, int] | None:
    """The lines, from and to, of the section with this heading, by its words without case or its anchor."""
    found = list(_headings(body))
    keys = {wanted.strip(), wanted.strip().lstrip("#").strip()}
    for number, (line, level, text) in enumerate(found):
        if fold(text) in map(fold, keys) or slug(text) in keys:
            behind = (other for other, depth, _ in found[number + 1 :] if depth <= level)
            return line, next(behind, body.count("\n") + 1)
    return None


def appended(body: str, text: str, lines: tuple[int, int] | None = None) -> str:
    """The body with a text at its end, or at the end of these lines, a blank line apart."""
    rows = body.split("\n")
    first, last = (0, len(rows)) if lines is None else lines
    head, tail = rows[:last], rows[last:]
    while len(head) > first and not head[-1].strip():
        head.pop()
    added = text.strip("\n").split("\n")
    made = [*head, *([""] if head else []), *added]
    return "\n".join([*made, "", *tail] if tail else made)


def named(body: str) -> list[TextName]:
    """What a text names outside code and links, once each, in order."""
    found: dict[TextName, None] = {}
    for line, _ in prose(body):
        for one in named_in(line):
            found[one] = None
            if len(found) >= _MOST_NAMED:
                return list(found)
    return list(found)


def named_in(line: str) -> Iterator[TextName]:
    """What one line names outside code and links, in order."""
    if not any(sign in line for sign in "[@-"):
        return
    closers: dict[int, list[int]] = {}
    for ticks in _TICKS.finditer(line):
        closers.setdefault(len(ticks[0]), []).append(ticks.start())
    behind = 0
    for match in _NAMED.finditer(line):
        if match.start() < behind:
            continue
        if match["code"]:
            places = closers.get(len(match["code"]), [])
            after = bisect.bisect_right(places, match.start())
            if after < len(places):
                behind = places[after] + len(match["code"])
        elif match["page"]:
            yield TextName("page", " ".join(match["page"].split()))
        elif match["handle"]:
            yield TextName("mention", match["handle"].lower().rstrip("._-"))
        elif match["issue"]:
            yield TextName("issue", match["issue"])


def _headings(body: str) -> Iterator[tuple[int, int, str]]:
    """(number of the line, level, words)."""
    for line, number in prose(body):
        match = _HEADING.match(line)
        if match is not None:
            text = re.sub(r"(?:^|[ \t]+)#+[ \t]*$", "", match[2] or "").strip()
            if text:
                yield number, len(match[1]), text


def prose(body: str) -> Iterator[tuple[str, int]]:
    """Its lines, but for code that stands in lines of its own, with their numbers."""
    fence, blank, listed = "", True, False
    for number, line in enumerate(body.split("\n")):
        opened = _FENCE.match(line)
        if fence:
            closes = opened is not None and opened[1].startswith(fence) and not line[opened.end() :].strip()
            fence = "" if closes else fence
        elif opened is not None and not (opened[1][0] == "`" and "`" in line[opened.end() :]):
            fence = opened[1]
        elif not (blank and not listed and _INDENTED.match(line)):
            yield line, number
            listed = _ITEM.match(line) is not None or (listed and (not line.strip() or line[:1].isspace()))
            blank = not line.strip()
