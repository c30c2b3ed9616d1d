"""Who is to hear of what happened to things of a kind, as the module that keeps them declares it."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from kbwork.base.dataclasses import dataclass
from kbwork.core.ports.extension import Extension
from kbwork.db.tx import Read, Row

PossibleHearer = tuple[str, str]
"""A member's id, `team:<id>` or `agent:<name>`, and the reason, such as `mentioned`."""


@dataclass(frozen=True, kw_only=True)
class EventHearers(Extension):
    """Whether they see it is asked elsewhere, as are those who want to hear nothing."""

    thing: str
    """The kind of things that are watched."""
    hearers: Mapping[str, Callable[[Read, Row, dict[str, Any]], Iterator[PossibleHearer]]]
    """By kind of event: given its row and its payload."""
    said: Mapping[str, str]
    """What each of these events says in an inbox, to be read behind the name of who did it."""
    watchers: Callable[[Read, str], Iterator[str]]
    """Who watches one such thing, by what stands behind its colon."""
