"""On what rights are given: each kind of subject says who has which by itself, and who may give more."""

from collections.abc import Callable
from typing import Literal

from kbwork.base.dataclasses import dataclass, field
from kbwork.db.tx import Read

Level = Literal["view", "comment", "edit", "manage"]
LEVELS: tuple[Level, ...] = ("view", "comment", "edit", "manage")
"""Each holds those before it."""


def wider(one: Level | None, other: Level | None) -> Level | None:
    """The wider of two rights; None is none at all."""
    if one is None or other is None:
        return one or other
    return max(one, other, key=LEVELS.index)


def at_least(held: Level | None, wanted: Level) -> bool:
    """Whether a right holds another."""
    return held is not None and LEVELS.index(held) >= LEVELS.index(wanted)


@dataclass(frozen=True, slots=True)
class InheritedGrant:
    """A right on a thing that comes from elsewhere: its space, its project, the org."""

    who: str
    level: Level
    source: Literal["space", "project", "org"]
    granted_by: str
    granted_at: int
    expires_at: int | None = None


@dataclass(frozen=True, slots=True)
class GrantTarget:
    """A thing on which rights are given, as its caller sees it."""

    subject: str
    """`space:HAND`: where its grants and their events stand."""
    level: Level | None
    """What the caller may do there, all in all."""
    inherited: tuple[InheritedGrant, ...] = field(default=())
    closed: str | None = None
    """Why nothing is given here, such as on a space that is its owner's alone."""
    keeps_manager: bool = True
    """Whether somebody has to manage it by a grant of its own."""


@dataclass(frozen=True, kw_only=True)
class Grantable:
    """How rights are given on the subjects of a kind."""

    target: Callable[[Read, str], GrantTarget | None]
    """The thing with this reference, where the caller sees it."""
