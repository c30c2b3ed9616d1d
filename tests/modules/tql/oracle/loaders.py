"""Things out of the tables for the evaluator: read many at a time, and each side of them when it is asked for."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from kbwork.core.access import visibility
from kbwork.db.tx import Read, Row, json_array
from kbwork.tql.items import Item, Spell

Loader = Callable[["ItemLoader", list[Any]], dict[Any, Any]]
Getter = Callable[["LoadedItem"], Any]


class ItemLoader:
    """The things of one source that were looked at, which are all seen by the caller."""

    sql = ""
    """Rows by `:ids`, seen by the caller, with a column `id`."""
    every = ""
    """The ids of all that the caller sees."""
    name_of: Callable[[Row], str] = staticmethod(lambda row: str(row["id"]))
    dated = False
    """Whether a past is kept of its things."""
    loaders: dict[str, Loader] = {}  # noqa: RUF012 - a table of the class, which nobody changes
    getters: dict[str, Getter] = {}  # noqa: RUF012 - likewise
    followers: dict[str, tuple[str, Getter]] = {}  # noqa: RUF012 - likewise
    """Field -> the source that it leads to, and the ids there."""

    def __init__(self, library: "ItemLoaders") -> None:
        self.library = library
        self.tx = library.tx
        self._things: dict[Any, LoadedItem | None] = {}
        self._sides: dict[str, dict[Any, Any]] = {}

    def take(self, ids: Iterable[Any]) -> list["LoadedItem"]:
        """The things of these ids, in this order, without those that the caller does not see."""
        wanted = list(dict.fromkeys(ids))
        missing = [one for one in wanted if one not in self._things]
        if missing:
            rows = {row["id"]: row for row in self.rows(self.sql, ids=json_array(missing))}
            self._things |= {
                one: LoadedItem(self, rows[one], self.name_of(rows[one])) if one in rows else None
                for one in missing
            }
        return [thing for one in wanted if (thing := self._things[one]) is not None]

    def all(self) -> list["LoadedItem"]:
        """Everything that the caller sees."""
        return self.take(self.tx.column(self.every, **self.binds()))

    def rows(self, sql: str, **binds: Any) -> list[Row]:
        return self.tx.all(sql, **binds, **self.binds())

    def binds(self) -> dict[str, Any]:
        return visibility.binds(self.tx)

    def side(self, name: str, id: Any) -> Any:
        """What stands beside a thing, read for all things on the shelf at once."""
        known = self._sides.setdefault(name, {})
        if id not in known:
            missing = [one for one, thing in self._things.items() if thing is not None and one not in known]
            found = self.loader(name)(self, missing)
            known |= {one: found.get(one) for one in missing}
        return known[id]

    def loader(self, name: str) -> Loader:
        return self.loaders[name]

    def getter(self, name: str) -> Getter | None:
        return self.getters.get(name)

    def spells(self, _thing: "LoadedItem", _name: str) -> Sequence[Spell]:
        return ()

    def related(self, _thing: "LoadedItem", _relation: str, _kind: str) -> Iterable[Item]:
        return ()

    def parts(self, _thing: "LoadedItem", _collection: str) -> Iterable[Item]:
        return ()

    def way(self, name: str) -> tuple[str, Getter] | None:
        """Where a field leads."""
        return self.followers.get(name)


class LoadedItem:
    """One thing on a shelf: what the evaluator calls an item. `at` is its internal id."""

    __slots__ = ("at", "id", "row", "shelf")

    def __init__(self, shelf: ItemLoader, row: Row, id: str) -> None:
        self.shelf = shelf
        self.row = row
        self.at = row["id"]
        self.id = id

    @property
    def dated(self) -> bool:
        return self.shelf.dated

    def get(self, name: str) -> Any:
        getter = self.shelf.getter(name)
        return None if getter is None else getter(self)

    def side(self, name: str) -> Any:
        return self.shelf.side(name, self.at)

    def follow(self, name: str) -> Iterable[Item]:
        way = self.shelf.way(name)
        if way is None:
            return ()
        source, ids = way
        found = ids(self)
        found = found if isinstance(found, tuple | list) else (found,)
        return self.shelf.library.shelf(source).take(one for one in found if one is not None)

    def spells(self, name: str) -> Sequence[Spell]:
        return self.shelf.spells(self, name)

    def related(self, relation: str, kind: str) -> Iterable[Item]:
        return self.shelf.related(self, relation, kind)

    def parts(self, collection: str) -> Iterable[Item]:
        return self.shelf.parts(self, collection)


class ItemLoaders:
    """All shelves of one call."""

    def __init__(self, tx: Read, kinds: Mapping[str, type[ItemLoader]]) -> None:
        self.tx = tx
        self._kinds = kinds
        self._shelves: dict[str, ItemLoader] = {}

    def shelf(self, source: str) -> ItemLoader:
        source = {"requests": "issues"}.get(source, source)
        if source not in self._shelves:
            self._shelves[source] = self._kinds[source](self)
        return self._shelves[source]


def column(name: str) -> Getter:
    """A field that is a column of the row."""
    return lambda thing: thing.row[name]


def beside(name: str) -> Getter:
    """A field that stands beside the row."""
    return lambda thing: thing.side(name)


def lists(rows: Iterable[Row], key: str = "id", value: str = "value") -> dict[Any, tuple[Any, ...]]:
    """Rows of (id, value) as a tuple for each id, in their order."""
    found: dict[Any, list[Any]] = {}
    for row in rows:
        found.setdefault(row[key], []).append(row[value])
    return {one: tuple(values) for one, values in found.items()}
