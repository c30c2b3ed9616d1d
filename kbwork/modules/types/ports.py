"""What is of a type or for one, as the modules that have it declare it: types know of projects alone."""

from collections.abc import Callable

from kbwork.base.dataclasses import dataclass
from kbwork.core.ports.extension import Extension
from kbwork.db.rows import IssueTypeRow
from kbwork.db.tx import Read, Write


@dataclass(frozen=True, kw_only=True)
class TypeReferences(Extension):
    """Declared by a module whose rows name types. A type goes in three steps, each of all modules before the next.

    Where nothing takes its place there are no uses, and `leave` alone is called.
    """

    uses: Callable[[Read, IssueTypeRow], int] | None = None
    """How many things are of the type, or for it alone."""
    adopt: Callable[[Write, IssueTypeRow, IssueTypeRow], None] | None = None
    """What is for the first type is for the second too."""
    convert: Callable[[Write, IssueTypeRow, IssueTypeRow, int], int] | None = None
    """So much at most of what is of the first type becomes one of the second; answers how much."""
    leave: Callable[[Write, IssueTypeRow], None] | None = None
    """Nothing is for the type any more."""
