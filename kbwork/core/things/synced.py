"""What clients keep of a kind of things that are few enough to be sent whole."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from kbwork.base.dataclasses import dataclass
from kbwork.core.ports.extension import Extension
from kbwork.db.tx import Read


@dataclass(frozen=True, kw_only=True)
class SyncedKind(Extension):
    """All things of a kind that the caller sees, by columns; `sync.snapshot` and `sync.delta` send them together."""

    kind: str
    scope: str
    """What a caller must hold to read them."""
    columns: tuple[str, ...]
    """Members of the rows that are sent; the first names the thing."""
    rows: Callable[[Read], Sequence[Mapping[str, Any]]]
    """In an order that stays."""
