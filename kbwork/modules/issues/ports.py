"""What other modules keep beside issues and issues show or begin, as those modules declare it."""

import contextlib
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import Any

from kbwork.base.dataclasses import dataclass
from kbwork.base.errors import Conflict
from kbwork.core.ports.extension import Extension
from kbwork.db.rows import IssueRow
from kbwork.db.tx import Read, Write
from kbwork.modules.issues.model import IssueFlag
from kbwork.modules.workflows import TransitionStep


@dataclass(frozen=True, slots=True)
class IssueMention:
    """A thing that names an issue."""

    subject: str
    title: str
    excerpt: str


@dataclass(frozen=True, kw_only=True)
class Approvals(Extension):
    """Declared by the module that keeps requests for approval."""

    approved: Callable[[Read, IssueRow], frozenset[str]]
    """Keys of the transitions that those who have to agree let the caller go with the issue now."""
    spending: Callable[[Write, IssueRow, TransitionStep], AbstractContextManager[None]]
    """The issue goes such a way inside, and it is approved no more."""
    reconsider: Callable[[Write, int], None]
    """An issue changed: what was asked of it may be over."""
    reconsider_all: Callable[[Write], None]
    """Workflows changed: what was asked for ways that are gone is over."""


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


@dataclass(frozen=True, kw_only=True)
class IssueMentions(Extension):
    """Declared by a module whose things name issues in their texts."""

    of: Callable[[Read, int, int], list[IssueMention]]
    """Those things that name an issue, by its number, and that the caller sees; the latest changed first, so many at
    most."""


def say(tx: Write, issue: int, text: str) -> None:
    """Comment on an issue, as the caller. Raises Conflict where nothing takes comments."""
    found: list[IssueRemarks] = tx.registry.of(IssueRemarks)
    if not found:
        raise Conflict("There are no comments in this org.")
    found[0].say(tx, f"issue:{issue}", text)


def approved(tx: Read, row: IssueRow) -> frozenset[str]:
    """Keys of the transitions that the caller may go with this issue since others agreed."""
    found: list[Approvals] = tx.registry.of(Approvals)
    return frozenset().union(*(one.approved(tx, row) for one in found))


@contextlib.contextmanager
def spending_approval(tx: Write, row: IssueRow, step: TransitionStep) -> Iterator[None]:
    """The issue goes this way inside; what others agreed to is used up by it."""
    with contextlib.ExitStack() as open_:
        if step.transition["approvers"]:
            found: list[Approvals] = tx.registry.of(Approvals)
            for one in found:
                open_.enter_context(one.spending(tx, row, step))
        yield


def reconsider_approvals(tx: Write, issue: int) -> None:
    """The issue changed, moved or went: what waits for others to agree may be over."""
    found: list[Approvals] = tx.registry.of(Approvals)
    for one in found:
        one.reconsider(tx, issue)
