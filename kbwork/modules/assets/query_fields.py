"""The fields of asset types as the query language knows them: one for all types that have it alike."""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from kbwork.base.dataclasses import dataclass
from kbwork.core.access import visibility
from kbwork.core.ports.query_source import OwnQueryField, QueryFrame, Rows, TextColumn, own_field
from kbwork.db.tx import Read, json_array
from kbwork.modules.assets import queries
from kbwork.tql.fields import FieldKind
from kbwork.tql.names import OwnFieldDef

VALUES = "asset_value v join asset a on a.id = v.asset"
_KINDS = {
    "text": (FieldKind.TEXT, "", ""),
    "url": (FieldKind.TEXT, "", ""),
    "number": (FieldKind.NUMBER, "", ""),
    "bool": (FieldKind.BOOL, "", ""),
    "date": (FieldKind.DAY, "", ""),
    "member": (FieldKind.PERSON, "person", "members"),
    "select": (FieldKind.NAME, "option", ""),
    "reference": (FieldKind.KEY, "asset", "assets"),
}
"""Kind of a field -> what the language takes it for, whose names its values are, where a path goes on."""


@dataclass(frozen=True, slots=True)
class QueryAssetField:
    """`name` is what it is called behind `cf.`: its key, or `LAP.<key>` where types have it of several kinds.

    `types` are the keys of the types by id. `several`: other types have a field of the same key, of another kind.
    """

    name: str
    key: str
    title: str
    kind: str
    types: dict[int, str]
    options: tuple[str, ...]
    several: bool

    def rows(self, frame: QueryFrame, row: str) -> Rows:
        """The values of an asset."""
        side = frame.row("v")
        tables, where = f"asset_value {side}", f"{side}.field = {frame.bind(self.key)}"
        if self.several:
            holder = frame.row("a")
            tables += f" join asset {holder} on {holder}.id = {side}.asset"
            where += f" and {frame.among(f'{holder}.type', list(self.types))}"
        expr = f"{side}.target" if self.kind == "reference" else f"{side}.value"
        return Rows(expr, tables, f"{row}.id", f"{side}.asset", where)

    def field(self) -> OwnQueryField:
        kind, domain, to = _KINDS[self.kind]
        domain = f"option:{self.name}" if domain == "option" else domain
        texts: tuple[TextColumn, ...] = ()
        if kind is FieldKind.TEXT:
            where = "v.field = :own and a.type in (select value from json_each(:types))"
            binds = {"own": self.key, "types": json_array(self.types)}
            texts = (TextColumn("a.id", "v.value", VALUES, where, binds=binds),)
        own = OwnFieldDef(
            self.name, self.title, kind, False, domain, to, tuple(self.types.values()), tracked=False
        )
        return own_field(own, sql=self.rows, texts=texts)


def own(tx: Read) -> list[OwnQueryField]:
    """The fields of the types; none for those who see no assets."""
    return [field.field() for field in fields(tx)]


def options(tx: Read, name: str) -> tuple[str, ...]:
    """The choices of a field by its name, in their order."""
    return next((field.options for field in fields(tx) if field.name == name), ())


def fields(tx: Read) -> list[QueryAssetField]:
    found: list[QueryAssetField] = tx.memoized("tql asset fields", lambda: list(_read(tx)))
    return found


def _read(tx: Read) -> Iterator[QueryAssetField]:
    if not visibility.binds(tx)["kb_assets"]:
        return
    by_key: dict[str, dict[str, list[tuple[Any, Any]]]] = defaultdict(lambda: defaultdict(list))
    for row in queries.types(tx):
        for field in row["fields"]:
            by_key[field["key"]][field["kind"]].append((row, field))
    for key, by_kind in by_key.items():
        several = len(by_kind) > 1
        for kind, held in by_kind.items():
            for group in [[one] for one in held] if several else [held]:
                name = f"{group[0][0]['key']}.{key}" if several else key
                types = {row["id"]: row["key"] for row, _ in group}
                options = tuple(dict.fromkeys(option for _, field in group for option in field["options"]))
                yield QueryAssetField(name, key, group[0][1]["name"], kind, types, options, several)
