"""A piece of a text around what was looked for."""

import html
import re
import unicodedata

_ABOUT = 160
_WORD = re.compile(r"\w+")


def bare(word: str) -> str:
    """Without case and accents, as the index knows words."""
    parts = unicodedata.normalize("NFKD", word.casefold())
    return "".join(sign for sign in parts if not unicodedata.combining(sign))


def excerpt(text: str, words: list[str]) -> str:
    """About 160 characters around the first of the words, all of them marked, everything else escaped."""
    wanted = [bare(word) for word in words]
    hits = [found for found in _WORD.finditer(text[:100_000]) if _fits(found[0], wanted)]
    start = max(0, hits[0].start() - _ABOUT // 3) if hits else 0
    if start:
        start = text.rfind(" ", 0, start) + 1
    end = min(len(text), start + _ABOUT)
    parts, at = ["..." if start else ""], start
    for hit in hits:
        if hit.start() < at or hit.end() > end:
            continue
        parts += [html.escape(text[at : hit.start()]), f"<mark>{html.escape(hit[0])}</mark>"]
        at = hit.end()
    parts += [html.escape(text[at:end]), "..." if end < len(text) else ""]
    return " ".join("".join(parts).split())


def _fits(word: str, wanted: list[str]) -> bool:
    found = bare(word)
    return any(found == one for one in wanted[:-1]) or bool(wanted and found.startswith(wanted[-1]))
