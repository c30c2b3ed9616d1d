"""Lines that stand in what AI never reads as well: they are left out of material, and refused in prompts.

A line is looked up in the index of search, among what the caller sees: to others it would tell whether it is there.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from kbwork.base.clock import monotonic
from kbwork.base.errors import AiExcluded
from kbwork.core.access import visibility
from kbwork.db.tx import Read
from kbwork.modules import search
from kbwork.modules.ai.context import exclusion

LEFT_OUT = "[a line that is excluded from AI]"
_WORD = re.compile(r"\w+")
_FEWEST = 5
_FEWEST_LETTERS = 20
"""Words, or letters where a script has no blanks, of a line that is somebody's; shorter ones stand everywhere."""
_MOST_WORDS = 24
_LOOK_S = 3.0
"""So long lines are looked up; the others are taken for quotes, since nobody knows."""
_MOST_HITS = 30
_UNKNOWN = "perhaps something"
_COMMON = 3
"""A line that so many other open things have is nobody's own, as the headings of templates are."""


def require_none(tx: Read, texts: Iterable[str]) -> None:
    """Raises AiExcluded where one of these texts quotes an excluded subject."""
    if not exclusion.any_excluded(tx):
        return
    found = next(iter(_quoted(tx, texts).values()), None)
    if found is not None:
        raise AiExcluded(f"The prompt quotes {found}, which is excluded from AI: ai.policy.")


def left_out(tx: Read, found: dict[str, Any]) -> dict[str, Any]:
    """The same material without lines of excluded subjects."""
    if not exclusion.any_excluded(tx):
        return found
    quoted = _quoted(tx, _texts(found))
    answer: dict[str, Any] = _without(found, quoted) if quoted else found
    return answer


def _quoted(tx: Read, texts: Iterable[str]) -> dict[str, str]:
    """Line -> the excluded subject that has it, each line once; of what was not looked up something that may be it."""
    long = (line for text in texts for line in text.split("\n") if _is_long(_WORD.findall(line)))
    ends = monotonic() + _LOOK_S
    found: dict[str, str] = {}
    for line in dict.fromkeys(long):
        subject = _source(tx, line) if monotonic() < ends else _UNKNOWN
        if subject is not None:
            found[line] = subject
    return found


def _is_long(words: list[str]) -> bool:
    return len(words) >= _FEWEST or sum(map(len, words)) >= _FEWEST_LETTERS


def _source(tx: Read, line: str) -> str | None:
    """The excluded subject that the caller sees and that has this line."""
    hits = search.having(tx, _WORD.findall(line)[:_MOST_WORDS], _MOST_HITS)
    seen = [subject for subject in hits if visibility.find(tx, subject) is not None]
    closed = [subject for subject in seen if exclusion.excludes(tx, subject)]
    return closed[0] if closed and len(seen) - len(closed) <= _COMMON else None


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | dict):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _texts(item)


def _without(value: Any, quoted: Mapping[str, str]) -> Any:
    if isinstance(value, str):
        return "\n".join(LEFT_OUT if line in quoted else line for line in value.split("\n"))
    if isinstance(value, list):
        return [_without(item, quoted) for item in value]
    if isinstance(value, dict):
        return {name: _without(item, quoted) for name, item in value.items()}
    return value
