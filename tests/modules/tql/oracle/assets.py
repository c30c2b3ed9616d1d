"""Assets for the evaluator."""

from collections.abc import Iterable
from typing import Any

from kbwork.db.tx import json_array
from kbwork.modules import assets
from kbwork.tql.items import Item
from tests.modules.tql.oracle.loaders import Getter, ItemLoader, LoadedItem, Loader, beside, column, lists
from tests.modules.tql.oracle.own_fields import LEADS_TO, asset_fields

_IN = "in (select value from json_each(:ids))"


class AssetLoader(ItemLoader):
    """The assets of the org, for those who see them."""

    sql = f"select a.* from asset a where a.id {_IN} and {assets.SEEN}"
    every = f"select a.id from asset a where {assets.SEEN} order by a.id"
    name_of = staticmethod(lambda row: str(row["key"]))
    getters = {  # noqa: RUF012 - a table of the class, which nobody changes
        "key": lambda one: one.id,
        "type": lambda one: str(one.row["type"]),
        **{name: column(name) for name in ("name", "status", "owner")},
        "created": column("created_at"),
        "updated": column("updated_at"),
        "archived": lambda one: one.row["status"] == "retired",
        "text": lambda one: (one.row["name"], one.id, *(one.side("texts") or ())),
    }
    followers = {"owner": ("members", column("owner"))}  # noqa: RUF012 - likewise
    loaders = {  # noqa: RUF012 - likewise
        "texts": lambda shelf, ids: lists(
            shelf.rows(
                "select v.asset as id, v.value from asset_value v join asset a on a.id = v.asset"
                " join asset_type y on y.id = a.type join json_each(y.fields) f on f.value ->> 'key' = v.field"
                f" where v.asset {_IN} and f.value ->> 'kind' in ('text', 'select', 'url')",
                ids=json_array(ids),
            )
        ),
        "refers to": lambda shelf, ids: lists(
            shelf.rows(
                "select v.asset as id, v.target as value from asset_value v"
                f" where v.asset {_IN} and v.target is not null order by v.asset, v.target",
                ids=json_array(ids),
            )
        ),
        "referred by": lambda shelf, ids: lists(
            shelf.rows(
                "select v.target as id, v.asset as value from asset_value v"
                f" where v.target {_IN} order by v.target, v.asset",
                ids=json_array(ids),
            )
        ),
    }

    def loader(self, name: str) -> Loader:
        return (
            (lambda shelf, ids: _held(shelf, name, ids)) if name.startswith("cf.") else super().loader(name)
        )

    def getter(self, name: str) -> Getter | None:
        if not name.startswith("cf."):
            return super().getter(name)
        field = asset_fields(self.tx).get(name)
        if field is None:
            return None
        if field.kind == "bool":
            return lambda one: None if (held := one.side(name)) is None else bool(held)
        if field.kind == "reference":
            return lambda one: [far.id for far in self.take([one.side(name)])]
        return beside(name)

    def way(self, name: str) -> tuple[str, Getter] | None:
        field = asset_fields(self.tx).get(name)
        return super().way(name) if field is None else (LEADS_TO[field.kind], beside(name))

    def related(self, thing: LoadedItem, relation: str, _kind: str) -> Iterable[Item]:
        return self.take(thing.side(relation) or ())


def _held(shelf: ItemLoader, name: str, ids: list[Any]) -> dict[Any, Any]:
    """The values of a field of types as they are kept; of a reference the asset's number."""
    field = asset_fields(shelf.tx).get(name)
    if field is None:
        return {}
    rows = shelf.rows(
        "select v.asset as id, coalesce(v.target, v.value) as value from asset_value v join asset a on a.id = v.asset"
        f" where v.asset {_IN} and v.field = :field and a.type in (select value from json_each(:types))",
        ids=json_array(ids),
        field=field.key,
        types=json_array(field.types),
    )
    return {row["id"]: row["value"] for row in rows}
