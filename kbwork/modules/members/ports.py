"""What members hold in other modules, as those declare it."""

from collections.abc import Callable

from kbwork.base.dataclasses import dataclass
from kbwork.core.ports.extension import Extension
from kbwork.db.rows import MemberRow
from kbwork.db.tx import Write


@dataclass(frozen=True, kw_only=True)
class Holding(Extension):
    """Things that one member can hand to another. `name` is one of those that members.transfer takes."""

    name: str
    hand: Callable[[Write, MemberRow, str, int], int]
    """Gives what the first, a stored member, holds to the second; so many at most, and answers how many."""
