"""Forms of a text: without case and accents, to compare by likeness, safe to show in one line, and as a key."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from itertools import count

BODY_CHARS = 1_000_000
"""How long a text of Markdown may be."""
_CONTROL = re.compile("[\x01-\x08\x0b-\x1f\x7f-\x9f]")
_PLAIN = re.compile(r"[\t\n -~]*\Z")  # most texts: nothing to normalise, nothing to cut
_DIGITS = 15
_IN_KEYS = re.compile("[A-Z0-9]+")
_LONGEST = 60  # comparing likeness takes the product of two lengths; no name is mistyped at greater length


def cleaned(text: str) -> str:
    """A text as it is kept: NFC, without control characters but tab and line feed.

    Raises ValueError for one with NUL.
    """
    if _PLAIN.match(text):
        return text
    if "\0" in text:
        raise ValueError("a text cannot hold the character U+0000")
    text = text.replace("\r\n", "\n")
    return _CONTROL.sub("", unicodedata.normalize("NFC", text))


def fold(text: str) -> str:
    """One form for texts that differ in case and accents alone."""
    if text.isascii():
        return text.lower()
    apart = unicodedata.normalize("NFKD", text.casefold())
    return unicodedata.normalize("NFC", "".join(sign for sign in apart if not unicodedata.combining(sign)))


def folded(text: str) -> str:
    """One form for texts that differ in case alone, in any script: for names that are unique without case."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFKC", text).casefold())


def nearest_words(word: str, known: Iterable[str], most: int = 3) -> tuple[str, ...]:
    """The known words that look most like this one, best first."""
    import difflib  # noqa: PLC0415 - a start finds no word that is mistyped

    by_form = {fold(name): name for name in known if len(name) <= _LONGEST}
    found = difflib.get_close_matches(fold(word[:_LONGEST]), by_form, n=most, cutoff=0.6)
    return tuple(by_form[form] for form in found)


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known word that looks most like this one, or None."""
    return next(iter(nearest_words(word, known, 1)), None)


def did_you_mean(word: str, known: Iterable[str], spelt: Callable[[str], str] = str) -> str:
    """How a sentence ends that refuses a word: with the known one that looks most like it, or with nothing."""
    close = nearest(word, known)
    return f" Did you mean {spelt(close)}?" if close else ""


def no_field(name: str, known: list[str]) -> str:
    """What refuses a field that is not there: with the nearest one, or with all that there are."""
    hint = did_you_mean(name, known, repr) or f" Known: {', '.join(known) or 'none'}."
    return f"There is no field {name!r} here.{hint}"


def whole_number(text: str) -> int | None:
    """The number that a text spells in digits, None for any other text. No row's number has more than 15 of them."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= _DIGITS else None


def printable(text: str) -> str:
    """One line that is safe to show, whatever a file calls its flags."""
    return "".join(char if char.isprintable() else repr(char)[1:-1] for char in text)


def project_key(name: str) -> str:
    """A key to begin with, read off a name: the first letters of its words, of one word its beginning.

    `WORK` for a name of which no two letters or digits can stand in a key.
    """
    words = _IN_KEYS.findall(fold(name).upper())
    letters, most = (words[0], 3) if len(words) == 1 else ("".join(word[0] for word in words), 5)
    key = letters.lstrip("0123456789")[:most]
    return key if len(key) > 1 else "WORK"


def numbered(text: str, most: int, between: str = "") -> Iterator[str]:
    """The text, then with 2, 3, ... behind it, within so many characters; without end."""
    yield text[:most]
    for number in count(2):
        end = f"{between}{number}"
        yield text[: most - len(end)] + end
