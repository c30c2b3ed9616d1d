"""How words are compared: without case and accents, and by likeness where one was mistyped."""

import difflib
import unicodedata
from collections.abc import Iterable

_LONGEST = 60  # comparing likeness takes the product of two lengths; no name is mistyped at greater length


def fold(text: str) -> str:
    """One form for texts that differ in case and accents alone."""
    if text.isascii():
        return text.lower()
    apart = unicodedata.normalize("NFKD", text.casefold())
    return unicodedata.normalize("NFC", "".join(sign for sign in apart if not unicodedata.combining(sign)))


def nearest(word: str, known: Iterable[str], most: int = 3) -> tuple[str, ...]:
    """The known words that look most like this one, best first."""
    by_form = {fold(name): name for name in known if len(name) <= _LONGEST}
    found = difflib.get_close_matches(fold(word[:_LONGEST]), by_form, n=most, cutoff=0.6)
    return tuple(by_form[form] for form in found)
