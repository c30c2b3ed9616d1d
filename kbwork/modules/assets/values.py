"""What a field of an asset may hold, and how it is stored."""

import math
from collections.abc import Callable, Mapping
from typing import Any, NoReturn
from urllib.parse import urlsplit

from pydantic import ConfigDict, TypeAdapter, ValidationError

from kbwork.base.dataclasses import dataclass
from kbwork.base.errors import Conflict, InvalidInput
from kbwork.base.model import Day, Text
from kbwork.base.text import cleaned, did_you_mean, folded
from kbwork.db.tx import Read, Write
from kbwork.modules import members
from kbwork.modules.assets import queries

_MOST_CHARS = 10_000
_LATER = ConfigDict(defer_build=True)
_DAY: TypeAdapter[str] = TypeAdapter(Day, config=_LATER)
_TEXT: TypeAdapter[str] = TypeAdapter(Text, config=_LATER)


@dataclass(frozen=True, slots=True)
class StoredAssetValue:
    """A value as its row holds it; `target` is the id of the asset that a reference names."""

    value: Any
    target: int | None = None


@dataclass(frozen=True, slots=True)
class _Slot:
    """The place of a value: raising names it."""

    tx: Read
    field: dict[str, Any]

    def wrong(self, text: str, allowed: list[Any] | None = None) -> NoReturn:
        raise InvalidInput(
            f"{self.field['name']} {text}", field=f"values.{self.field['key']}", allowed=allowed
        )


def parsed(
    tx: Read, fields: list[dict[str, Any]], given: dict[str, Any]
) -> dict[str, StoredAssetValue | None]:
    """The values by field key; None clears. Raises InvalidInput that names every one that does not fit."""
    known = {field["key"]: field for field in fields}
    found: dict[str, StoredAssetValue | None] = {}
    wrong: list[InvalidInput] = []
    for key, value in given.items():
        try:
            found[key] = _one(tx, known, key, value)
        except InvalidInput as problem:
            wrong.append(problem)
    if wrong:
        raise InvalidInput(wrong[0].detail, errors=[each for one in wrong for each in one.extra["errors"]])
    return found


def require_all(fields: list[dict[str, Any]], held: set[str]) -> None:
    """Raises InvalidInput naming each required field without a value."""
    missing = [field for field in fields if field["required"] and field["key"] not in held]
    if missing:
        told = [
            {"path": f"values.{field['key']}", "message": f"{field['name']} is required."}
            for field in missing
        ]
        raise InvalidInput(str(told[0]["message"]), errors=told)


def write(
    tx: Write,
    asset: Mapping[str, Any],
    fields: list[dict[str, Any]],
    wanted: dict[str, StoredAssetValue | None],
) -> None:
    """Store values; fields that are not named stay. Raises Conflict where a unique one is taken."""
    unique = {field["key"]: field["name"] for field in fields if field["unique"]}
    for key, value in wanted.items():
        held = tx.stored("asset_value", [asset["id"], key])
        if value is None:
            if held is not None:
                tx.delete("asset_value", (asset["id"], key))
            continue
        if key in unique:
            require_unique(tx, asset, key, unique[key], value.value)
        if held is None:
            tx.insert("asset_value", asset=asset["id"], field=key, value=value.value, target=value.target)
        else:
            tx.update("asset_value", (asset["id"], key), value=value.value, target=value.target)


def require_unique(tx: Read, asset: Mapping[str, Any], key: str, name: str, value: Any) -> None:
    """Raises Conflict naming the other asset of the type that has it."""
    taken = tx.value(
        "select a.key from asset_value v join asset a on a.id = v.asset"
        " where v.field = :key and v.value = :value and a.type = :type and a.id <> :id limit 1",
        key=key,
        value=value,
        type=asset["type"],
        id=asset["id"],
    )
    if taken is not None:
        raise Conflict(f"{taken} has this {name} already, and no two have the same.")


def _one(tx: Read, known: dict[str, dict[str, Any]], key: str, value: Any) -> StoredAssetValue | None:
    field = known.get(key)
    if field is None:
        text = f"The type has no field {key[:100]!r}.{did_you_mean(key, known, repr)}"
        raise InvalidInput(text, field=f"values.{key[:100]}", allowed=list(known))
    if value is None or (isinstance(value, str) and not value.strip()):
        return None
    return _READERS[field["kind"]](_Slot(tx, field), value)


def _text(slot: _Slot, value: Any) -> StoredAssetValue:
    if not isinstance(value, str) or len(value) > _MOST_CHARS or "\0" in value:
        slot.wrong(f"should be a text of at most {_MOST_CHARS:,} characters")
    return StoredAssetValue(cleaned(value).strip())


def _number(slot: _Slot, value: Any) -> StoredAssetValue:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        slot.wrong("should be a number")
    if abs(value) > 1e15:
        slot.wrong("should lie between -1e15 and 1e15")
    return StoredAssetValue(int(value) if value == int(value) else value)


def _day(slot: _Slot, value: Any) -> StoredAssetValue:
    try:
        return StoredAssetValue(_DAY.validate_python(value, strict=True))
    except ValidationError:
        slot.wrong("should be a day as YYYY-MM-DD")


def _bool(slot: _Slot, value: Any) -> StoredAssetValue:
    if not isinstance(value, bool):
        slot.wrong("should be true or false")
    return StoredAssetValue(int(value))


def _select(slot: _Slot, value: Any) -> StoredAssetValue:
    options = {folded(option): option for option in slot.field["options"]}
    found = options.get(folded(value.strip())) if isinstance(value, str) else None
    if found is None:
        slot.wrong("should be one of its options", allowed=slot.field["options"])
    return StoredAssetValue(found)


def _member(slot: _Slot, value: Any) -> StoredAssetValue:
    try:
        row = members.find(slot.tx, _TEXT.validate_python(value, strict=True))
    except ValidationError:
        row = None
    if row is None or row["state"] != "active":
        slot.wrong("names no active member that you can see")
    return StoredAssetValue(row["id"])


def _reference(slot: _Slot, value: Any) -> StoredAssetValue:
    row = queries.find(slot.tx, value) if isinstance(value, str) else None
    target = slot.field["target"]
    if row is None or queries.type_of(slot.tx, row["type"])["key"] != target:
        slot.wrong(f"should be the key of an asset of the type {target}")
    return StoredAssetValue(row["id"], row["id"])


def _url(slot: _Slot, value: Any) -> StoredAssetValue:
    text = value.strip() if isinstance(value, str) else ""
    try:
        parts = urlsplit(text)
        good = parts.scheme.lower() in ("http", "https") and bool(parts.hostname)
    except ValueError:
        good = False
    if not good or len(text) > 2000 or any(sign.isspace() for sign in text):
        slot.wrong("should be an address that starts with http:// or https://")
    return StoredAssetValue(text)


_READERS: dict[str, Callable[[_Slot, Any], StoredAssetValue]] = {
    "text": _text,
    "number": _number,
    "date": _day,
    "bool": _bool,
    "select": _select,
    "member": _member,
    "reference": _reference,
    "url": _url,
}
"""How each kind of field reads a value."""
