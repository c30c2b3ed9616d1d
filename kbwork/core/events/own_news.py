"""What is somebody's own and changes without an event: streams tell them that it did, so that each tab looks again."""

from collections.abc import Callable, Iterator
from typing import Any

from kbwork.base.caller import Caller
from kbwork.base.dataclasses import dataclass
from kbwork.core import org_settings
from kbwork.core.events.feed import EventFilter, kind_fits
from kbwork.core.ports.extension import Extension
from kbwork.db.database import Database
from kbwork.db.tx import Read
from kbwork.db.writer import Group

Numbers = dict[str, int]
"""Kind of news -> a number that is another one when it changed."""


@dataclass(frozen=True, kw_only=True)
class OwnNews(Extension):
    """One sort of it, such as the inbox."""

    kind: str
    """What the message of a stream is called."""
    scope: str
    """What a caller must hold to be told."""
    table: str
    """Nothing is looked up while no commit writes it."""
    number: Callable[[Read], int]
    """Another one than before where the caller's changed."""


class NewsBoard:
    """Counts the commits after which somebody's own may have changed."""

    def __init__(self, database: Database, registry: Any) -> None:
        self._kinds: list[OwnNews] = registry.of(OwnNews)
        self._tables = frozenset(one.table for one in self._kinds)
        self.number = 0
        database.listen(self._heard)

    def _heard(self, group: Group) -> None:
        if not self._tables.isdisjoint(group.tables):
            self.number += 1

    def asked_for(self, wanted: EventFilter, caller: Caller) -> list[OwnNews]:
        """What a stream tells of: all that its caller may look at, unless it names kinds of events."""
        return [
            one
            for one in self._kinds
            if one.scope in caller.scopes
            and (not wanted.kinds or any(kind_fits(one.kind, kind) for kind in wanted.kinds))
        ]

    def numbers(self, tx: Read, wanted: EventFilter) -> Numbers:
        """As they are now."""
        return {
            one.kind: one.number(tx)
            for one in self.asked_for(wanted, tx.caller)
            if not org_settings.home_off(tx, one.home)
        }


def moved(before: Numbers, now: Numbers) -> Iterator[tuple[str, int]]:
    """The kinds of which something changed."""
    return ((kind, number) for kind, number in now.items() if before.get(kind) != number)
