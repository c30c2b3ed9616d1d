"""What the worker does again and again for a module: it looks on a reader, and writes down what came of it in one step.

Nothing is written while there is nothing to do, and who only looks holds up no write. A chore keeps where it stands in
the data, in the transaction of what it does: whoever dies in between finds it as it was, and does it once.
"""

from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from kbwork.base.dataclasses import dataclass
from kbwork.core.ports.extension import Extension
from kbwork.db.tx import Read, Write

T = TypeVar("T")


@dataclass(frozen=True, kw_only=True)
class Chore(Extension):
    """Each runs beside the others, and never twice at once."""

    name: str
    look: Callable[[Read], Any]
    """What there is to do, of which one step takes some milliseconds; None where there is nothing."""
    write: Callable[[Write, Any], None]
    """Does it, as far as it still holds: something may have been written since the look."""
    wait: Callable[[Any, Any], Awaitable[Any]] | None = None
    """Between the two: calls the outside, by an `External`, with what was found; answers what is to be written."""
    can_wait: Callable[[Any], bool] = lambda _: False
    """Whether what was found is no more than a note that it was looked: a server that sleeps need not wake for it."""


@dataclass(slots=True)
class _LastLook:
    """When was looked last: the data have no need of it."""

    at: int | None = None


def paced(name: str, every_s: int, look: Callable[[Read], T | None]) -> Callable[[Read], T | None]:
    """A look that is dear, so often at most; a clock that was set back holds it up no longer than that."""

    def look_now_and_then(tx: Read) -> T | None:
        last: _LastLook = tx.beside(name, _LastLook)
        if last.at is not None and last.at <= tx.now < last.at + every_s:
            return None
        found = look(tx)
        last.at = tx.now  # last: a look that takes long is stopped, and begins anew on a thread
        return found

    return look_now_and_then


@dataclass(frozen=True, kw_only=True)
class Errand(Extension):
    """What is done for several at once, each by its number and in its own time: who takes long holds up no other.

    For one number it is as a chore: it looks, waits and writes until there is nothing to do, and never twice at once.
    """

    name: str
    most: int
    """So many are under way at once."""
    due: Callable[[Read], list[int]]
    """For whom there is something to do now."""
    look: Callable[[Read, int], Any]
    wait: Callable[[Any, Any], Awaitable[Any]]
    write: Callable[[Write, Any], None]
