"""What a module declares that waits for files which are on their way."""

from collections.abc import Callable

from kbwork.base.dataclasses import dataclass
from kbwork.core.ports.extension import Extension
from kbwork.db.tx import Write


@dataclass(frozen=True, kw_only=True)
class UploadWatch(Extension):
    """Is told how uploads end, by their ids; in the transaction in which they do."""

    arrived: Callable[[Write, str], None]
    """All of it is here."""
    ended: Callable[[Write, str, str], None]
    """It is about to go: why, in a word (`expired`, `cancelled`, `used`)."""
