"""What a letter says itself, without what it answers to."""

import re

from kbwork.base.patterns import pattern

MOST_CHARS = 100_000
"""Of one letter; the rest is cut."""
_LINE_CHARS = 1000
_LEADS = pattern(
    r"(on .* wrote|am .* schrieb .*|le .* a écrit|el .* escribió|il .* ha scritto|op .* schreef .*)\s?:?\s?\Z",
    re.IGNORECASE,
)
"""What mail programs put before what they quote; it may run over two lines."""
_RULES = pattern(
    r"\s*(-{2,}\s*(original message|ursprüngliche nachricht|message d'origine|forwarded message)\s*-{2,}|_{20,})\s*\Z",
    re.IGNORECASE,
)
_HEAD = pattern(r"(from|von|de):\s.+", re.IGNORECASE)
_HEAD_GOES_ON = pattern(r"(sent|date|to|subject|gesendet|datum|an|betreff|envoyé|à|objet):\s", re.IGNORECASE)
_SUBJECT = pattern(r"\s*(re|fwd?|aw|wg|antw|sv|tr)(\[\d+\])?:\s*", re.IGNORECASE)
_WHITE = pattern(r"\s+")


def own_text(text: str) -> str:
    """The text without the letter below it and without a signature; all of it where nothing else is left."""
    lines = text[:MOST_CHARS].replace("\r\n", "\n").split("\n")
    kept = lines[: _end(lines)]
    while kept and (not kept[-1].strip() or kept[-1].lstrip().startswith(">")):
        kept.pop()
    found = "\n".join(kept).strip()
    return found or text[:MOST_CHARS].strip()


def whole_text(text: str) -> str:
    """The text of a letter that answers to none."""
    return text[:MOST_CHARS].replace("\r\n", "\n").strip()


def title(subject: str) -> str:
    """What it is about, without the signs of answers."""
    found = _WHITE.sub(" ", subject[:_LINE_CHARS]).strip()
    while (sign := _SUBJECT.match(found)) is not None:
        found = found[sign.end() :]
    return found.strip()[:500] or "(no subject)"


def _end(lines: list[str]) -> int:
    """The line at which what it answers to begins."""
    for at, line in enumerate(lines):
        cut = line[:_LINE_CHARS].strip()
        if cut == "--" or _RULES.match(cut):
            return at
        both = f"{cut} {lines[at + 1][:_LINE_CHARS].strip()}" if at + 1 < len(lines) else cut
        if _quoted_below(lines, at) and (_LEADS.match(cut) or _LEADS.match(both)):
            return at
        if _HEAD.match(cut) and any(_HEAD_GOES_ON.match(one.strip()) for one in lines[at + 1 : at + 4]):
            return at
    return len(lines)


def _quoted_below(lines: list[str], at: int) -> bool:
    """Whether what follows is quoted, or all there is to come."""
    below = [line for line in lines[at + 1 : at + 5] if line.strip()]
    return not below or any(line.lstrip().startswith(">") for line in below)
