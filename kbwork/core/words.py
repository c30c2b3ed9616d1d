"""Small courtesies: the nearest known word to a mistyped one."""

from collections.abc import Iterable

from kbwork.base import spelling


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known word that looks most like this one, or None."""
    return next(iter(spelling.nearest(word, known, 1)), None)
