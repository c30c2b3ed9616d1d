"""Look at the types of assets, make and change one, take one away."""

import json
from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field

from kbwork.base.errors import Conflict, InUse, InvalidInput
from kbwork.base.model import Empty, Id, Input, Name, Number, Text
from kbwork.base.text import folded
from kbwork.core import named
from kbwork.core.operations.declare import destructive, read, write
from kbwork.db.rows import AssetTypeRow
from kbwork.db.tx import Read, Write
from kbwork.modules.assets import queries, type_fields
from kbwork.modules.assets.model import AssetType, AssetTypeDeleted, AssetTypeSaved, FieldInput, TypeKey

MOST = 200


@read(
    "assets.types",
    scope="assets:read",
    words="kinds of assets, which asset types exist, inventory categories",
    example={},
)
def types(tx: Read, args: Empty) -> list[AssetType]:
    """List the types of assets in their order, with their fields and how many assets each has."""
    return queries.shown_types(tx)


class AssetsTypeSave(Input):
    id: Id | None = None
    """The type to change; left out: make one."""
    key: TypeKey | None = None
    """Set when it is made, and the same ever after: `LAP` makes assets `LAP-1`, `LAP-2`."""
    name: Name
    """What people call it, unique without case."""
    description: Text | None = None
    """What it is for."""
    icon: Text | None = None
    """Name of its icon."""
    position: Number | None = None
    """Types are listed by it; a new one comes last."""
    fields: Annotated[list[FieldInput], Field(max_length=type_fields.MOST_FIELDS)] | None = None
    """All of its fields, in order."""


@write(
    "assets.type_save",
    scope="admin",
    words="new kind of asset, define fields of devices, inventory category",
    emits=[AssetTypeSaved],
    example={
        "key": "MON",
        "name": "Monitor",
        "icon": "monitor",
        "fields": [
            {"key": "serial", "name": "Serial number", "kind": "text", "required": True, "unique": True},
            {"key": "bought", "name": "Bought on", "kind": "date"},
        ],
    },
)
def type_save(tx: Write, args: AssetsTypeSave) -> list[AssetType]:
    """Make a type of assets, or change one: what is not named stays. Answers all types.

    Keys and names are unique without case (409). A field that assets have a value of cannot go (409 `in-use` with
    `uses`); its kind, options and target change only where every value still fits, and it becomes unique only where no
    two are the same (409). A field that becomes required binds whoever makes an asset from then on.
    """
    row = _stored(tx, args.id) if args.id is not None else None
    key = _key(args, row)
    _require_free(tx, args, key, row)
    if row is None:
        _make(tx, args, key)
    else:
        _change(tx, args, row)
    return queries.shown_types(tx)


class AssetsTypeDelete(Input):
    id: Id
    """Id of the type, from `assets.types`."""


@destructive(
    "assets.type_delete",
    scope="admin",
    words="remove an asset type, kind of device",
    emits=[AssetTypeDeleted],
    example={"id": 2},
)
def type_delete(tx: Write, args: AssetsTypeDelete) -> list[AssetType]:
    """Take a type away; answers those that are left.

    One that has assets stays (409 `in-use` with `uses`), and one that a reference of another type leads to (409).
    """
    row = _stored(tx, args.id)
    uses = tx.value("select count(*) from asset where type = :id", id=row["id"])
    if uses:
        raise InUse(f"There are {uses} assets of the type {row['name']}: delete those first.", uses=uses)
    for other in queries.types(tx):
        if other["id"] != row["id"] and row["key"] in [field["target"] for field in other["fields"]]:
            raise Conflict(f"A field of {other['name']} leads to {row['name']}: take that off first.")
    tx.delete("asset_type", row["id"])
    tx.emit(AssetTypeDeleted(subject="org:1", payload=_about(row)))
    return queries.shown_types(tx)


def _stored(tx: Read, ident: int) -> AssetTypeRow:
    return named.known(tx.stored("asset_type", [ident]), "asset type", ident, "assets.types")


def _key(args: AssetsTypeSave, row: AssetTypeRow | None) -> str:
    given = args.key.upper() if args.key else None
    if row is None:
        if given is None:
            raise InvalidInput("A new type needs a key, such as LAP.", field="key")
        return given
    if given not in (None, row["key"]):
        raise InvalidInput(f"The key stays {row['key']}: keys of assets start with it.", field="key")
    return str(row["key"])


def _require_free(tx: Read, args: AssetsTypeSave, key: str, row: AssetTypeRow | None) -> None:
    taken = tx.one(
        "select key, name from asset_type where (key = :key or name_key = :name) and id is not :but",
        key=key,
        name=folded(args.name),
        but=row["id"] if row else None,
    )
    if taken is not None:
        raise Conflict(
            f"There is a type {taken['key']}, {taken['name']}; keys and names are unique without case."
        )


def _make(tx: Write, args: AssetsTypeSave, key: str) -> None:
    if tx.value("select count(*) from asset_type") >= MOST:
        raise Conflict(f"There are {MOST} types of assets at most.")
    last = tx.value("select coalesce(max(position), 0) from asset_type")
    columns = {
        "key": key,
        "name": args.name,
        "name_key": folded(args.name),
        "description": args.description or "",
        "icon": args.icon or "",
        "position": last + 1 if args.position is None else args.position,
        "fields": type_fields.stored(type_fields.read(tx, key, args.fields or [])),
        "numbers": 0,
    }
    tx.insert("asset_type", **columns)
    tx.emit(AssetTypeSaved(subject="org:1", payload=_about(columns)))


def _change(tx: Write, args: AssetsTypeSave, row: AssetTypeRow) -> None:
    columns = {"name_key": folded(args.name)} | args.filled("name", "description", "icon", "position")
    if args.fields is not None:
        fields = type_fields.read(tx, row["key"], args.fields)
        type_fields.require_fit(tx, row, fields)
        columns["fields"] = type_fields.stored(fields)
    if changes := named.changes(row, columns, fields=json.loads):
        tx.update("asset_type", row["id"], **columns)
        tx.emit(AssetTypeSaved(subject="org:1", payload=_about(row | columns), changes=changes))


def _about(row: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": row["key"], "name": row["name"]}
