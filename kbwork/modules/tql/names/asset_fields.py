"""The fields of asset types as the language knows them: one for all types that have it alike."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from kbwork.core.access import visibility
from kbwork.db.tx import Read
from kbwork.modules import assets


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


def asset_fields(tx: Read) -> dict[str, QueryAssetField]:
    """By `cf.<name>`; none for those who see no assets."""
    found: dict[str, QueryAssetField] = tx.memoized(
        "tql asset fields", lambda: {f"cf.{field.name}": field for field in _read(tx)}
    )
    return found


def _read(tx: Read) -> Iterator[QueryAssetField]:
    if not visibility.binds(tx)["kb_member"]:
        return
    by_key: dict[str, dict[str, list[tuple[Any, Any]]]] = defaultdict(lambda: defaultdict(list))
    for row in assets.every_type(tx):
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
