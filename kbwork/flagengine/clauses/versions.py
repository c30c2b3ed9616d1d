"""Semantic versions, with missing parts read as 0; keys that compare as the versions do."""

import re
from typing import Any

Key = tuple[Any, ...]

_NUMBER = r"(?:0|[1-9][0-9]*)"
_PRE = rf"(?:{_NUMBER}|[0-9]*[A-Za-z-][0-9A-Za-z-]*)"
_BUILD = r"[0-9A-Za-z-]+"
_TEXT = re.compile(
    rf"({_NUMBER})(?:\.({_NUMBER})(?:\.({_NUMBER}))?)?"
    rf"(?:-({_PRE}(?:\.{_PRE})*))?(?:\+{_BUILD}(?:\.{_BUILD})*)?"
)


def version(value: Any) -> Key | None:
    """A key by which versions compare; None where it is no version. Numbers have no limit of size."""
    found = _TEXT.fullmatch(value) if type(value) is str else None
    if found is None:
        return None
    numbers = tuple(_number(part or "0") for part in found.groups()[:3])
    if found[4] is None:
        return (*numbers, 1)
    return (*numbers, 0, tuple(_part(part) for part in found[4].split(".")))


def _number(digits: str) -> tuple[int, str]:
    """Without leading zeros the longer is the larger: nothing is turned into an int, which may be too long for one."""
    return len(digits), digits


def _part(text: str) -> tuple[int, tuple[int, str] | str]:
    return (0, _number(text)) if text.isdigit() else (1, text)
