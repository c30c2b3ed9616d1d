"""What other modules keep beside issues and issues show or begin, as those modules declare it."""

import contextlib
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import Any

from kbwork.base.dataclasses import dataclass
from kbwork.base.errors import Conflict, InvalidInput
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


@dataclass(frozen=True, kw_only=True)
class Sprints(Extension):
    """Declared by the module that keeps sprints."""

    require: Callable[[Read, int, int], None]
    """Issues of this project may go into this sprint now. Raises InvalidInput or Conflict."""
    dropped: Callable[[Read, int, int], str | None]
    """What the sprint is called that an issue leaves which goes to this project; None where it stays in it."""
    fits: Callable[[Read, IssueRow], None]
    """The issue may be in its sprint after undo put it there. Raises Conflict."""
    moved: Callable[[Write, int, int | None, int | None], None]
    """The issue left a sprint, if the first is one, and came into another, if the second is one."""


def require_sprint(tx: Read, sprint: int, project: int) -> None:
    """Raises InvalidInput or Conflict where an issue of this project cannot be put into the sprint."""
    found: list[Sprints] = tx.registry.of(Sprints)
    if not found:
        raise InvalidInput(f"There is no sprint {sprint}.", field="sprint")
    for one in found:
        one.require(tx, sprint, project)


def sprint_dropped(tx: Read, sprint: int | None, project: int) -> str | None:
    """What the sprint is called that an issue leaves which goes to this project; None where there is none."""
    if sprint is None:
        return None
    found: list[Sprints] = tx.registry.of(Sprints)
    return next((name for one in found if (name := one.dropped(tx, sprint, project)) is not None), None)


def require_sprint_fits(tx: Read, row: IssueRow) -> None:
    """Raises Conflict where the issue cannot be in its sprint any more."""
    found: list[Sprints] = tx.registry.of(Sprints)
    for one in found:
        one.fits(tx, row)


def sprint_changed(tx: Write, issue: int, before: int | None, after: int | None) -> None:
    """The issue is in another sprint than before, or in none."""
    found: list[Sprints] = tx.registry.of(Sprints) if before != after else []
    for one in found:
        one.moved(tx, issue, before, after)


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
