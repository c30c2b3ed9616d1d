"""Who asks, when and where: the world that the evaluator looks into."""

import datetime
from collections.abc import Iterable, Sequence
from typing import Any

from kbwork.core import zones
from kbwork.db.tx import Read
from kbwork.modules.tql.items.loaders import ItemLoaders
from kbwork.modules.tql.names import domains
from kbwork.modules.tql.sources import sources
from kbwork.tql.items import Item


class DbWorld:
    """The world as the caller of a transaction sees it now."""

    def __init__(self, tx: Read) -> None:
        self.tx = tx
        self.now = tx.now
        self.zone: datetime.tzinfo = zones.of_caller(tx)
        self.me = tx.caller.member or ""
        self.items = ItemLoaders(tx)

    def call(self, name: str, args: tuple[Any, ...]) -> Sequence[Any]:
        found: Sequence[Any] = self.tx.memoized(
            ("tql call", name, args), lambda: sources(self.tx).functions[name].call(self.tx, *args)
        )
        return found

    def all(self, source: str) -> Iterable[Item]:
        return self.items.of(source).all()

    def works(self, day: datetime.date, item: Item) -> bool:
        return day.weekday() < 5

    def rank(self, domain: str, id: str) -> Any:
        return domains.rank(self.tx, domain, id)


def world(tx: Read) -> DbWorld:
    """The world of this call."""
    found: DbWorld = tx.memoized("tql world", lambda: DbWorld(tx))
    return found
