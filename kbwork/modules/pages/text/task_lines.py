"""Lines of a Markdown text with a box to tick: `- [ ] Ask for a key @bo due:2026-12-01`."""

import datetime
from collections.abc import Iterator
from typing import NamedTuple

from kbwork.base.patterns import pattern
from kbwork.pagefiles import markdown

MOST = 1000
"""Tasks of one page; what comes behind is a list in a text."""
TEXT_CHARS = 2000
_TASK = pattern(r"[> \t]{0,200}(?:[-*+]|\d{1,9}[.)])[ \t]{1,4}\[([ \txX])\][ \t]+(\S[^\n]*)")
_DUE = pattern(r"(?<![^\s(,;])due:(\d{4}-\d{2}-\d{2})(?![\w-])")


class TaskLine(NamedTuple):
    """One of them, as it is written."""

    line: int
    """Its number, the first of the text is 1."""
    text: str
    """What stands behind the box, without the day."""
    handle: str | None
    """The first that it mentions."""
    due_date: str | None
    done: bool


def task_lines(body: str) -> Iterator[TaskLine]:
    """Those of a text, but for code, in order."""
    if "[" not in body:
        return
    number = 0
    for line, at in markdown.prose(body):
        match = _TASK.match(line) if "[" in line else None
        if match is None:
            continue
        said = match[2][:TEXT_CHARS]
        day, text = _due(said)
        yield TaskLine(at + 1, text, _handle(said), day, match[1] in "xX")
        number += 1
        if number >= MOST:
            return


def _due(said: str) -> tuple[str | None, str]:
    """(the first day by which it is to be done, the text without it)."""
    bare = markdown.CODE.sub(lambda code: " " * len(code[0]), said)
    for match in _DUE.finditer(bare):
        try:
            datetime.date.fromisoformat(match[1])
        except ValueError:
            continue
        rest = (said[: match.start()].rstrip() + said[match.end() :]).strip()
        return match[1], rest or said.strip()
    return None, said.strip()


def _handle(said: str) -> str | None:
    return next((one.words for one in markdown.named_in(said) if one.kind == "mention"), None)
