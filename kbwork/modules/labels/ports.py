"""What other modules put labels on beside issues, as they declare it."""

from collections.abc import Callable

from kbwork.base.dataclasses import dataclass
from kbwork.core.ports.extension import Extension
from kbwork.db.tx import Read


@dataclass(frozen=True, kw_only=True)
class LabelledPages(Extension):
    """Declared by the module that keeps pages."""

    counts: Callable[[Read, int | None], dict[int, int]]
    """How many pages that the caller sees carry each label, or this one."""


def pages(tx: Read, label: int | None = None) -> dict[int, int]:
    """The same, of all that declare it."""
    found: dict[int, int] = {}
    for one in tx.registry.of(LabelledPages):
        found |= one.counts(tx, label)
    return found
