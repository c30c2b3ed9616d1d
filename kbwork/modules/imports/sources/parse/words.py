"""What the usual words for statuses and resolutions mean."""

import re

from kbwork.modules.imports.records import Outcome

_MEANING: dict[Outcome, str] = {
    "completed": """done closed resolved complete completed fixed finished released shipped deployed merged delivered
        accepted verified implemented""",
    "cancelled": """cancelled canceled rejected declined abandoned invalid obsolete wontfix wontdo willnotfix notplanned
        worksforme cannotreproduce incomplete discarded dropped archived notabug notreproducible""",
    "duplicate": "duplicate duplicated",
}
_MEANS = {word: meaning for meaning, words in _MEANING.items() for word in words.split()}


def outcome(*words: str | None) -> Outcome | None:
    """How something ended by the first word that says so: a resolution before a status; None while it is open."""
    for word in words:
        plain = re.sub(r"[^a-z]", "", (word or "").lower())
        if plain in _MEANS:
            return _MEANS[plain]
    return None


def milestone(name: str) -> str:
    """The label of a milestone, or of a version that work is meant for: there are no milestones here."""
    return f"milestone:{name}"


def file_named(name: str, size: int | None, about: str | None) -> str:
    """What a comment says of a file that was attached, and whose bytes are elsewhere."""
    told = f"`{name}`" + (f" ({size:,} bytes)" if size else "")
    return f"Attached {told}" + (f": {about}" if about and about.strip() else "")
