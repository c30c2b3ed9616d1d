"""Patterns that are compiled for the first text."""

import re
from typing import Any

_ASKED = ("match", "fullmatch", "search", "sub", "subn", "split", "findall", "finditer", "pattern")


class _Pattern:
    """What is asked of it first is asked of the pattern, and of that alone from then on."""

    def __init__(self, text: str, flags: int) -> None:
        self._said = text, flags

    def __getattr__(self, name: str) -> Any:
        made = re.compile(*self._said)
        for each in _ASKED:
            setattr(self, each, getattr(made, each))
        return getattr(made, name)


def pattern(text: str, flags: int = 0) -> re.Pattern[str]:
    """As `re.compile`, which takes 0.1 ms for one that is not simple: no server has a text for it when it starts."""
    return _Pattern(text, flags)  # type: ignore[return-value]  # it answers as one does
