"""Kinds of events as callers name them: one, or all that begin so."""

from collections.abc import Collection, Iterable

from kbwork.base.text import did_you_mean
from kbwork.core.events import feed
from kbwork.db.tx import Read


def told(tx: Read) -> list[str]:
    """The kinds that anybody hears of: not those for the audit log alone."""
    return [kind for kind, event in tx.registry.events.items() if event.audience != "audit"]


def fits(kind: str, patterns: Iterable[str]) -> bool:
    """Whether one of them names this kind."""
    return any(feed.kind_fits(kind, pattern) for pattern in patterns)


def named(kinds: Iterable[str], pattern: str) -> bool:
    """Whether it names one of these kinds."""
    return any(feed.kind_fits(kind, pattern) for kind in kinds)


def nearest(pattern: str, kinds: Collection[str]) -> str:
    """What may have been meant by one that names none of these kinds, as a sentence; empty: nothing is near."""
    families = sorted({f"{kind.partition('.')[0]}.*" for kind in kinds})
    return did_you_mean(pattern, [*kinds, *families])
