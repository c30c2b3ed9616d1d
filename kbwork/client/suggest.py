"""What somebody may have meant by a word that is not known."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def nearest(word: str, known: Iterable[str]) -> str:
    """A question that names the nearest known word; nothing where none is near. Dashes in front count for nothing."""
    bare = {each.lstrip("-"): each for each in known}
    found = difflib.get_close_matches(word.lower().lstrip("-"), list(bare), n=1, cutoff=0.6)
    return f" Did you mean {bare[found[0]]}?" if found else ""
