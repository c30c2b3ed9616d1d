"""What a type asks of its assets: its fields read, and changes of them held against the values that are there."""

import json
from typing import Any

from kbwork.base.errors import Conflict, InUse, InvalidInput
from kbwork.base.text import folded
from kbwork.db.rows import AssetTypeRow
from kbwork.db.tx import Read, json_array
from kbwork.modules.assets.model import AssetField, FieldInput, FieldKind

MOST_FIELDS = 100
_FORMS: dict[FieldKind, str] = {
    "text": "typeof(v.value) = 'text'",
    "number": "typeof(v.value) in ('integer', 'real') and v.target is null",
    "date": "typeof(v.value) = 'text'",
    "bool": "v.value in (0, 1) and v.target is null",
    "select": "v.value in (select value from json_each(:options))",
    "member": "v.value in (select id from member)",
    "reference": "v.target in (select a.id from asset a join asset_type t on t.id = a.type where t.key = :target)",
    "url": "typeof(v.value) = 'text'",
}
"""How a stored value of each kind looks, as a condition on `asset_value v`."""
_OF_TYPE = "from asset_value v join asset own on own.id = v.asset where own.type = :type and v.field = :key"


def read(tx: Read, own: str, given: list[FieldInput]) -> list[AssetField]:
    """Fields as they are stored. `own` is the key of the type itself. Raises InvalidInput with the place."""
    if len(given) > MOST_FIELDS:
        raise InvalidInput(f"A type has {MOST_FIELDS} fields at most.", field="fields")
    types = {*tx.column("select key from asset_type"), own}
    found: dict[str, AssetField] = {}
    for index, field in enumerate(given):
        place = f"fields[{index}]"
        if field.key in found:
            raise InvalidInput(f"There are two fields {field.key!r}.", field=f"{place}.key")
        found[field.key] = AssetField(
            key=field.key,
            name=field.name,
            kind=field.kind,
            options=_options(field, place),
            target=_target(field, types, place),
            required=bool(field.required),
            unique=_unique(field, place),
        )
    return list(found.values())


def _options(field: FieldInput, place: str) -> list[str]:
    if (field.kind == "select") != bool(field.options):
        text = (
            "A select has options." if field.kind == "select" else "Only a field of kind select has options."
        )
        raise InvalidInput(text, field=f"{place}.options")
    options = {folded(option): option for option in field.options or ()}
    if len(options) < len(field.options or ()):
        raise InvalidInput("Options differ in more than case.", field=f"{place}.options")
    return list(options.values())


def _target(field: FieldInput, types: set[str], place: str) -> str | None:
    target = field.target.upper() if field.target else None
    if (field.kind == "reference") != (target is not None):
        text = (
            "A reference names the type that it leads to."
            if target is None
            else "Only a reference has a target."
        )
        raise InvalidInput(text, field=f"{place}.target")
    if target is not None and target not in types:
        raise InvalidInput(
            f"There is no asset type {target}.", field=f"{place}.target", allowed=sorted(types)[:100]
        )
    return target


def _unique(field: FieldInput, place: str) -> bool:
    if field.unique and field.kind == "bool":
        raise InvalidInput(
            "Of true and false there are but two: it cannot be unique.", field=f"{place}.unique"
        )
    return bool(field.unique)


def require_fit(tx: Read, asset_type: AssetTypeRow, fields: list[AssetField]) -> None:
    """Raises InUse where a field goes that assets have a value of, Conflict where values would not fit any more."""
    known = {field["key"]: field for field in fields}
    for row in tx.all(
        "select v.field, count(*) as uses from asset_value v join asset a on a.id = v.asset where a.type = :type"
        " group by v.field",
        type=asset_type["id"],
    ):
        field = known.get(row["field"])
        if field is None:
            raise InUse(
                f"{row['uses']} assets have a value of {row['field']}: clear those first.", uses=row["uses"]
            )
        _require_form(tx, asset_type, field)
        if field["unique"]:
            _require_unique(tx, asset_type, field)


def _require_form(tx: Read, asset_type: AssetTypeRow, field: AssetField) -> None:
    bad = tx.value(
        f"select own.key {_OF_TYPE} and ({_FORMS[field['kind']]}) is not 1 limit 1",
        type=asset_type["id"],
        key=field["key"],
        options=json_array(field["options"]),
        target=field["target"],
    )
    if bad is not None:
        raise Conflict(f"{bad} has a value of {field['name']} that would not fit any more: change it first.")


def _require_unique(tx: Read, asset_type: AssetTypeRow, field: AssetField) -> None:
    twice = tx.one(
        f"select min(own.key) as one, max(own.key) as other {_OF_TYPE} group by v.value having count(*) > 1 limit 1",
        type=asset_type["id"],
        key=field["key"],
    )
    if twice is not None:
        raise Conflict(
            f"{twice['one']} and {twice['other']} have the same {field['name']}: change one first."
        )


def stored(fields: list[AssetField]) -> str:
    """Fields as the type's row has them."""
    return json.dumps(fields, ensure_ascii=False)


def after_undo(tx: Read, place: list[Any]) -> None:
    """A type that undo set back fits the values that are there. Raises Conflict."""
    row = tx.stored("asset_type", place)
    if row is None:
        return
    try:
        require_fit(tx, row, json.loads(row["fields"]))
    except InUse as refusal:
        raise Conflict(refusal.detail) from None
