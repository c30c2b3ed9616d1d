"""What members hold in other modules, as those declare it."""

import datetime
from collections.abc import Callable, Sequence

from kbwork.base.dataclasses import dataclass
from kbwork.core.ports.extension import Extension
from kbwork.db.rows import MemberRow
from kbwork.db.tx import Read, Write
from kbwork.modules.members.model import ChatAccount


@dataclass(frozen=True, kw_only=True)
class Holding(Extension):
    """Things that one member can hand to another. `name` is one of those that members.transfer takes."""

    name: str
    hand: Callable[[Write, MemberRow, str, int], int]
    """Gives what the first, a stored member, holds to the second; so many at most, and answers how many."""


@dataclass(frozen=True, kw_only=True)
class ChatAccounts(Extension):
    """What accounts elsewhere are a member's, and how one becomes theirs."""

    of_member: Callable[[Read, str], list[ChatAccount]]
    link: Callable[[Write, str], None]
    """By a code that was handed out there. Raises InvalidInput."""
    unlink: Callable[[Write, int], None]
    """One of the caller's. Raises NotFound."""


@dataclass(frozen=True, slots=True)
class PlannedIssue:
    """An open issue that is somebody's, and the days on which it is worked on."""

    member: str
    key: str
    span: tuple[datetime.date, datetime.date]
    """The first and the last."""
    estimate: float | None


@dataclass(frozen=True, slots=True)
class Capacity:
    """How much somebody can get done in some days."""

    member: str
    span: tuple[datetime.date, datetime.date]
    """The first and the last."""
    amount: float


@dataclass(frozen=True, kw_only=True)
class WorkPlan(Extension):
    """What these members have before them between two days and the caller sees, and what they can."""

    issues: Callable[[Read, Sequence[str], tuple[datetime.date, datetime.date]], list[PlannedIssue]]
    capacities: Callable[[Read, Sequence[str], tuple[datetime.date, datetime.date]], list[Capacity]]
