"""Things out of the tables for the evaluator: read many at a time, and each side of them when it is asked for.

Their fields are read by the same SQL that conditions are made of.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from kbwork.core.access import visibility
from kbwork.core.ports.query_source import QueryField, Rows
from kbwork.db.tx import Read, Row, json_array
from kbwork.modules.tql.compile.frame import Scope, SqlFrame, flag, made
from kbwork.modules.tql.compile.full_text import TextField, texts
from kbwork.modules.tql.items import issue_history, mentions, relations
from kbwork.modules.tql.sources import DeclaredSource, QuerySources, plain_column, sources
from kbwork.tql.fields import FieldDef, FieldKind
from kbwork.tql.items import Item, Spell

Loader = Callable[[list[Any]], dict[Any, Any]]
_ROW = "n0"
_AMONG = "(select value from json_each(:ids))"


class ItemLoader:
    """The things of one source that were looked at, which are all seen by the caller."""

    def __init__(self, library: "ItemLoaders", source: DeclaredSource) -> None:
        self.library = library
        self.tx = library.tx
        self.source = source
        self.ident, self.key = (
            said.format(row=_ROW) for said in (source.declared.ident, source.declared.key)
        )
        self._things: dict[Any, LoadedItem | None] = {}
        self._sides: dict[str, dict[Any, Any]] = {}

    def take(self, ids: Iterable[Any]) -> list["LoadedItem"]:
        """The things of these ids, in this order, without those that the caller does not see."""
        wanted = list(dict.fromkeys(ids))
        missing = [one for one in wanted if one not in self._things]
        if missing:
            found = {row["kb_ident"]: LoadedItem(self, row) for row in self._read(missing)}
            self._things |= {one: found.get(one) for one in missing}
        return [thing for one in wanted if (thing := self._things[one]) is not None]

    def all(self) -> list["LoadedItem"]:
        """Everything that the caller sees."""
        sql = f"select {self.ident} from {self._table} where {self.source.seen(self.tx, _ROW)} order by {self.ident}"
        return self.take(self.tx.column(sql, **visibility.binds(self.tx)))

    def _read(self, ids: list[Any]) -> list[Row]:
        declared = self.source.declared
        rows = declared.found.format(row=_ROW) or self._table
        among = "" if declared.found else f"{self.ident} in {_AMONG} and "
        return self.tx.all(
            f"select {_ROW}.*, {self.ident} as kb_ident, {self.key} as kb_key from {rows}"
            f" where {among}{self.source.seen(self.tx, _ROW)}",
            ids=json_array(ids),
            **visibility.binds(self.tx),
        )

    @property
    def _table(self) -> str:
        return f"{self.source.declared.table} {_ROW}"

    def raw(self, thing: "LoadedItem", field: QueryField) -> Any:
        """What the tables hold: one value, or a tuple where there may be several."""
        column = plain_column(field)
        if column is not None:
            return thing.row[column]
        return self.side(field.name, thing, lambda ids: self._values(field, ids))

    def side(self, name: str, thing: "LoadedItem", load: Loader) -> Any:
        """What stands beside a thing, read for all things that were looked at."""
        known = self._sides.setdefault(name, {})
        if thing.at not in known:
            there = [one for one, other in self._things.items() if other is not None and one not in known]
            found = load(there)
            known |= {one: found.get(one) for one in there}
        return known[thing.at]

    def _values(self, field: QueryField, ids: list[Any]) -> dict[Any, Any]:
        frame = SqlFrame(self.tx)
        rows = made(frame, _ROW, field)
        found = self._select(frame, rows, ids)
        return _lists(found) if rows.tables else {row["id"]: row["value"] for row in found}

    def flags(self, name: str, ids: list[Any]) -> dict[Any, bool]:
        frame = SqlFrame(self.tx, aside=False)
        said = flag(frame, Scope(self.source.name, _ROW), name)
        rows = self._select(frame, Rows(f"(({said}) is true)"), ids)
        return {row["id"]: bool(row["value"]) for row in rows}

    def ends(self, relation: str, ids: list[Any]) -> dict[Any, Any]:
        """The far ends of a relation that the source declares."""
        frame = SqlFrame(self.tx)
        return _lists(self._select(frame, self.source.declared.relations[relation](frame, _ROW), ids))

    def parts(self, collection: str, ids: list[Any]) -> dict[Any, Any]:
        """The parts of a collection."""
        said = self.library.sources.collections[collection]
        part = self.library.sources[said.source].declared.ident.format(row="part")
        rows = self.tx.all(
            f"select {self.ident} as id, {part} as value from {self._table} join {said.tables.format(part='part')}"
            f" where {said.link.format(row=_ROW, part='part')} and {self.ident} in {_AMONG}"
            f" order by {said.order.format(part='part')}",
            ids=json_array(ids),
        )
        return _lists(rows)

    def _select(self, frame: SqlFrame, rows: Rows, ids: list[Any]) -> list[Row]:
        tables, where, order = self._table, f"{self.ident} in {_AMONG}", ""
        if rows.tables:
            tables += f" join {rows.tables}"
            where += f" and {rows.inner} = {rows.outer} and {rows.where}"
            order = f" order by {rows.order}" if rows.order else ""
        return self.tx.all(
            f"select {self.ident} as id, {rows.expr} as value from {tables} where {where}{order}",
            ids=json_array(ids),
            **frame.all_binds,
        )


class LoadedItem:
    """One thing: what the evaluator calls an item. `at` is its internal id."""

    __slots__ = ("at", "id", "loader", "row")

    def __init__(self, loader: ItemLoader, row: Row) -> None:
        self.loader = loader
        self.row = row
        self.at = row["kb_ident"]
        self.id = str(row["kb_key"])

    @property
    def dated(self) -> bool:
        return self.loader.source.name == "issues"

    @property
    def subject(self) -> str:
        """What it is called as a subject."""
        kind, _, column = self.loader.source.declared.subject.partition(":")
        return f"{kind}:{self.row[column]}"

    def get(self, name: str) -> Any:
        loader = self.loader
        field = loader.source.field(loader.tx, name)
        if field is not None and field.sql is not None:
            return loader.library.valued(field.field, loader.raw(self, field))
        if field is not None and field.texts:
            place = TextField(loader.source.name, name)
            return loader.side(name, self, lambda ids: texts(loader.tx, place, ids))
        if name in loader.source.declared.flags:
            return loader.side(f"flag {name}", self, lambda ids: loader.flags(name, ids))
        return None

    def follow(self, name: str) -> Iterable[Item]:
        loader = self.loader
        field = loader.source.field(loader.tx, name)
        if field is None or field.field.to not in loader.library.sources:
            return ()
        found = loader.raw(self, field)
        found = found if isinstance(found, tuple) else (found,)
        return loader.library.of(field.field.to).take(one for one in found if one is not None)

    def spells(self, name: str) -> Sequence[Spell]:
        if not self.dated:
            return ()
        loader = self.loader
        found: Sequence[Spell] = (
            loader.side(f"past {name}", self, lambda ids: issue_history.spells(loader, name, ids)) or ()
        )
        return found

    def related(self, relation: str, kind: str) -> Iterable[Item]:
        loader = self.loader
        if relation in mentions.RELATIONS:
            return self._mentions(relation, kind)
        if relation in ("under", "above") and loader.source.declared.depth:
            found = loader.side(
                f"tree {relation}",
                self,
                lambda ids: relations.walked(loader.tx, loader.source, ids, relation),
            )
            return loader.take(found or ())
        if loader.source.name == "issues":
            return loader.take(relations.ends(loader.tx, self.at, relation, kind))
        if relation not in loader.source.declared.relations:
            return ()
        return loader.take(
            loader.side(f"ends {relation}", self, lambda ids: loader.ends(relation, ids)) or ()
        )

    def _mentions(self, relation: str, other: str) -> Iterable[Item]:
        loader, found = self.loader, list[Item]()
        for name in mentions.others(loader.tx, "issues" if other == "requests" else other):

            def load(ids: list[Any], name: str = name) -> dict[Any, Any]:
                return mentions.ends(loader.tx, relation, loader.source.name, name, ids)

            found += loader.library.of(name).take(loader.side(f"{relation} {name}", self, load) or ())
        return found

    def parts(self, collection: str) -> Iterable[Item]:
        loader, library = self.loader, self.loader.library
        found = loader.side(f"parts {collection}", self, lambda ids: loader.parts(collection, ids)) or ()
        return library.of(library.sources.collections[collection].source).take(found)


class ItemLoaders:
    """All things that one call looks at."""

    def __init__(self, tx: Read) -> None:
        self.tx = tx
        self.sources: QuerySources = sources(tx)
        self._loaders: dict[str, ItemLoader] = {}

    def of(self, source: str) -> ItemLoader:
        source = "issues" if source == "requests" else source
        if source not in self._loaders:
            self._loaders[source] = ItemLoader(self, self.sources[source])
        return self._loaders[source]

    def valued(self, field: FieldDef, raw: Any) -> Any:
        """What the tables hold of a field, as the evaluator compares it."""
        if raw is None:
            return None
        several = raw if isinstance(raw, tuple) else (raw,)
        if (
            field.kind is FieldKind.SUBJECT and not field.domain
        ):  # an issue by its number, other things as they are
            keyed = self.sources.keyed("issue") if isinstance(raw, int) else None
        else:
            keyed = self.sources.keyed(field.domain)
        if keyed is not None:
            found: tuple[Any, ...] = tuple(one.id for one in self.of(keyed.name).take(several))
        elif field.kind is FieldKind.BOOL:
            found = tuple(map(bool, several))
        elif field.domain:
            found = tuple(map(str, several))
        else:
            found = several
        return found if isinstance(raw, tuple) else next(iter(found), None)


def _lists(rows: Iterable[Row]) -> dict[Any, tuple[Any, ...]]:
    """Rows of (id, value) as a tuple for each id, in their order."""
    found: dict[Any, list[Any]] = {}
    for row in rows:
        if row["value"] is not None:
            found.setdefault(row["id"], []).append(row["value"])
    return {one: tuple(values) for one, values in found.items()}
