"""The fields that the org made, by `cf.<key>`."""

from typing import Any

from kbwork.db.tx import Read
from kbwork.modules.assets import query_fields
from kbwork.modules.assets.query_fields import QueryAssetField
from kbwork.modules.fields import seen_fields

LEADS_TO = {
    "member": "members",
    "members": "members",
    "team": "teams",
    "issue": "issues",
    "asset": "assets",
    "reference": "assets",
}
"""Kind of a field -> the source that it leads to."""


def own_fields(tx: Read) -> dict[str, Any]:
    return {f"cf.{own.key}": own for own in seen_fields(tx)}


def asset_fields(tx: Read) -> dict[str, QueryAssetField]:
    return {f"cf.{field.name}": field for field in query_fields.fields(tx)}
