"""What modules keep in memory of the data, to answer sooner."""

from collections.abc import Callable

from kbwork.base.dataclasses import dataclass
from kbwork.core.ports.extension import Extension
from kbwork.db.tx import Read


@dataclass(frozen=True, kw_only=True)
class KeptInMemory(Extension):
    """It is taken from the data a piece at a time, on a thread: when the server has started, and when other data are
    there. Until then the module answers without it."""

    name: str
    take: Callable[[Read], bool]
    """Takes the next piece; whether there are more."""
