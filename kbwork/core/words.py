"""Small courtesies: the nearest known word to a mistyped one."""

import difflib
from collections.abc import Iterable


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known word that looks most like this one, or None."""
    lower = {k.lower(): k for k in known}
    found = difflib.get_close_matches(word.lower(), lower, n=1, cutoff=0.6)
    return lower[found[0]] if found else None
