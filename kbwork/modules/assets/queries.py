"""Assets and their types as rows, and as they are shown."""

import json
from typing import Any

from kbwork.base.errors import InvalidInput
from kbwork.base.text import did_you_mean, whole_number
from kbwork.core import named, org_settings
from kbwork.core.access import visibility
from kbwork.db.rows import AssetRow, AssetTypeRow
from kbwork.db.tx import Read, Row, json_array
from kbwork.modules.assets.model import Asset, AssetType
from kbwork.modules.projects import ISSUE_SEEN

SEEN = ":kb_assets"
"""The condition on assets: they are the org's, for its members. A key that is limited to projects shows none, and
neither does a connected client without their module, nor anybody while that is off."""


def binds(tx: Read) -> dict[str, Any]:
    """What the condition binds."""
    inner = tx.caller.role in ("owner", "admin", "member") and tx.caller.projects is None
    return {"kb_assets": int(inner and not org_settings.home_off(tx, __name__))}


def may_change(tx: Read) -> bool:
    """Whether the caller may change assets: members may, by no key that is limited to projects."""
    return tx.caller.role in ("owner", "admin", "member") and tx.caller.projects is None


def types(tx: Read) -> list[Row]:
    """Every type in its order, `fields` read."""
    rows = tx.all("select * from asset_type order by position, name_key", AssetTypeRow)
    return [{**row, "fields": json.loads(row["fields"])} for row in rows]


def type_by_key(tx: Read, key: str) -> Row:
    """Raises InvalidInput naming the nearest."""
    known = types(tx)
    for row in known:
        if row["key"] == key.strip().upper():
            return row
    keys = [row["key"] for row in known]
    text = f"There is no asset type {key!r}.{did_you_mean(key.upper(), keys)}"
    raise InvalidInput(text, field="type", allowed=keys[:100])


def type_of(tx: Read, ident: int) -> Row:
    """The stored type of an asset."""
    row = tx.stored("asset_type", [ident])
    assert row is not None
    return {**row, "fields": json.loads(row["fields"])}


def shown_types(tx: Read) -> list[AssetType]:
    """All types with how many assets each has."""
    counts = {row["type"]: row["n"] for row in tx.all("select type, count(*) as n from asset group by type")}
    return [
        AssetType(
            id=row["id"],
            key=row["key"],
            name=row["name"],
            description=row["description"],
            icon=row["icon"],
            position=row["position"],
            count=counts.get(row["id"], 0),
            fields=row["fields"],
        )
        for row in types(tx)
    ]


def find(tx: Read, ref: str) -> AssetRow | None:
    """The stored asset by key or id, where the caller sees it."""
    ref = ref.strip().removeprefix("asset:").upper()
    number = whole_number(ref)
    return tx.one(
        f"select * from asset where (key = :key or id = :id) and {SEEN}",
        AssetRow,
        key=ref,
        id=number,
        **visibility.binds(tx),
    )


def get(tx: Read, ref: str) -> AssetRow:
    """Raises NotFound."""
    return named.seen(find(tx, ref), "asset", ref, "assets.list")


def values(tx: Read, assets: list[int]) -> dict[int, dict[str, Any]]:
    """The values of assets by field, references as keys, truth values as such."""
    found: dict[int, dict[str, Any]] = {ident: {} for ident in assets}
    kinds = {row["id"]: {field["key"]: field["kind"] for field in row["fields"]} for row in types(tx)}
    for row in tx.all(
        "select v.asset, v.field, v.value, a.type, t.key as target from asset_value v join asset a on a.id = v.asset"
        " left join asset t on t.id = v.target where v.asset in (select value from json_each(:ids))",
        ids=json_array(assets),
    ):
        kind = kinds[row["type"]][row["field"]]
        value = bool(row["value"]) if kind == "bool" else row["target"] or row["value"]
        found[row["asset"]][row["field"]] = value
    return found


def shown(tx: Read, rows: list[AssetRow]) -> list[Asset]:
    """Assets with their values and the issues of each that the caller sees."""
    idents = [row["id"] for row in rows]
    held = values(tx, idents)
    keys = {row["id"]: row["key"] for row in tx.all("select id, key from asset_type")}
    issues: dict[int, list[str]] = {}
    for row in tx.all(
        "select l.asset, p.key || '-' || i.number as key from asset_issue l join issue i on i.id = l.issue"
        " join project p on p.id = i.project where l.asset in (select value from json_each(:ids))"
        f" and {ISSUE_SEEN} order by l.asset, l.created_at, i.id",
        ids=json_array(idents),
        **visibility.binds(tx),
    ):
        issues.setdefault(row["asset"], []).append(row["key"])
    return [
        Asset(
            id=row["id"],
            key=row["key"],
            name=row["name"],
            type=keys[row["type"]],
            owner=row["owner"],
            status=row["status"],
            values=held[row["id"]],
            issues=issues.get(row["id"], []),
            created_at=row["created_at"],
            updated_at=row["updated_at"],
            created_by=row["created_by"],
        )
        for row in rows
    ]


def one(tx: Read, ident: int) -> Asset:
    """A stored asset as it is shown."""
    row = tx.stored("asset", [ident])
    assert row is not None
    return shown(tx, [row])[0]
