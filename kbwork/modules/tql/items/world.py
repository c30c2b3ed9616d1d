"""Who asks, when and where: the world that the evaluator looks into."""

import datetime
from collections.abc import Iterable, Sequence
from typing import Any

from kbwork.base.model import folded
from kbwork.core import zones
from kbwork.db.tx import Read
from kbwork.modules.fields import seen_fields
from kbwork.modules.tql.items import functions
from kbwork.modules.tql.items.assets import AssetLoader
from kbwork.modules.tql.items.issues import IssueLoader
from kbwork.modules.tql.items.loaders import ItemLoader, ItemLoaders
from kbwork.modules.tql.items.other_sources import (
    AttachmentLoader,
    CheckLoader,
    CommentLoader,
    MemberLoader,
    ProjectLoader,
    TeamLoader,
    VersionLoader,
)
from kbwork.modules.tql.names import lookup
from kbwork.modules.tql.names.asset_fields import asset_fields
from kbwork.modules.workflows import lanes
from kbwork.tql.items import Item

_SHELVES: dict[str, type[ItemLoader]] = {
    "assets": AssetLoader,
    "attachments": AttachmentLoader,
    "checks": CheckLoader,
    "comments": CommentLoader,
    "issues": IssueLoader,
    "members": MemberLoader,
    "projects": ProjectLoader,
    "teams": TeamLoader,
    "versions": VersionLoader,
}


class DbWorld:
    """The world as the caller of a transaction sees it now."""

    def __init__(self, tx: Read) -> None:
        self.tx = tx
        self.now = tx.now
        self.zone: datetime.tzinfo = zones.of_caller(tx)
        self.me = tx.caller.member or ""
        self.library = ItemLoaders(tx, _SHELVES)

    def call(self, name: str, args: tuple[Any, ...]) -> Sequence[Any]:
        found: Sequence[Any] = self.tx.memoized(
            ("tql call", name, args), lambda: functions.FUNCTIONS[name](self.tx, *args)
        )
        return found

    def all(self, source: str) -> Iterable[Item]:
        return self.library.shelf(source).all()

    def works(self, day: datetime.date, item: Item) -> bool:
        return day.weekday() < 5

    def rank(self, domain: str, id: str) -> Any:
        """Lanes by their place, options by theirs, all others by name."""
        places: dict[str, Any] = self.tx.memoized(("tql places", domain), lambda: _places(self.tx, domain))
        return places.get(id, (1, 0, folded(id)))


def _places(tx: Read, domain: str) -> dict[str, Any]:
    if domain == "status":
        return {str(row["id"]): (0, at, "") for at, row in enumerate(lanes.rows(tx))}
    if domain.startswith(("field:", "option:")):
        return {option: (0, at, "") for option, at in _options(tx, domain)}
    if domain == "person":
        rows = tx.all("select id, name from member")
        return {row["id"]: (0, 0, folded(row["name"])) for row in rows}
    if domain == "project":
        return {str(row["id"]): (0, 0, folded(row["key"])) for row in tx.all("select id, key from project")}
    if domain in {"type", "label", "component", "team", "asset_type"}:
        return {str(one): (0, 0, folded(name)) for one, name in lookup.names(tx, domain).items()}
    return {}


def _options(tx: Read, domain: str) -> list[tuple[str, float]]:
    """The choices of an own field, each with its place."""
    sort, _, key = domain.partition(":")
    if sort == "option":
        held = asset_fields(tx).get(f"cf.{key}")
        return [(option, at) for at, option in enumerate(held.options if held is not None else ())]
    return [
        (str(option.id), option.place) for own in seen_fields(tx) if own.key == key for option in own.options
    ]


def world(tx: Read) -> DbWorld:
    """The world of this call."""
    found: DbWorld = tx.memoized("tql world", lambda: DbWorld(tx))
    return found
