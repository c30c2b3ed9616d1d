"""What other modules keep beside issues and issues show or begin, as those modules declare it."""

from collections.abc import Callable
from typing import Any

from kbwork.base.dataclasses import dataclass
from kbwork.base.errors import Conflict
from kbwork.core.ports.extension import Extension
from kbwork.db.rows import IssueRow
from kbwork.db.tx import Read, Write
from kbwork.modules.issues.model import IssueFlag


@dataclass(frozen=True, kw_only=True)
class Checklists(Extension):
    """Declared by the module that keeps checklists."""

    shown: Callable[[Read, IssueRow], Any]
    """The checklist of an issue that the caller sees, in its shape."""
    missing: Callable[[Read, list[int]], int | None]
    """The first of these templates that is not there for the caller."""
    begin: Callable[[Write, int, list[int]], None]
    """A new issue gets what these templates say, and those that apply to its type by themselves."""


@dataclass(frozen=True, kw_only=True)
class Flags(Extension):
    """Declared by the module that keeps feature flags."""

    shown: Callable[[Read, IssueRow], list[IssueFlag]]
    """The flags that belong to an issue, as far as the caller sees them."""


@dataclass(frozen=True, kw_only=True)
class IssueRemarks(Extension):
    """Declared by the module that keeps what is said on issues."""

    say: Callable[[Write, str, str], None]
    """The caller says a text on this subject. Raises a Problem with `comment: ` before what it says."""


def say(tx: Write, issue: int, text: str) -> None:
    """Comment on an issue, as the caller. Raises Conflict where nothing takes comments."""
    found: list[IssueRemarks] = tx.registry.of(IssueRemarks)
    if not found:
        raise Conflict("There are no comments in this org.")
    found[0].say(tx, f"issue:{issue}", text)
