"""Which relations a word of the language means, and the walk up and down the hierarchy."""

from collections.abc import Iterable
from typing import Any

from kbwork.base.dataclasses import dataclass
from kbwork.base.text import folded
from kbwork.core.access import visibility
from kbwork.db.rows import RelationKindRow
from kbwork.db.tx import Read, json_array
from kbwork.modules.tql.sources import DeclaredSource

_BUILT_IN = {
    "blocks": ("blocks", False),
    "blocked by": ("blocks", True),
    "relates": ("relates", False),
    "duplicates": ("duplicates", False),
    "duplicated by": ("duplicates", True),
    "causes": ("causes", False),
    "caused by": ("causes", True),
    "implements": ("implements", False),
    "implemented by": ("implements", True),
    "precedes": ("precedes", False),
    "follows": ("precedes", True),
}


@dataclass(frozen=True, slots=True)
class RelationDirection:
    """A kind of relation in one direction: `turned` leads from its end to its start."""

    kind: int
    turned: bool


def ways(tx: Read, relation: str, kind: str = "") -> list[RelationDirection]:
    """What a relation's word means; none for `rel("...")` of a kind that is not there."""
    rows = tx.memoized(
        "tql kinds", lambda: tx.all("select * from relation_kind order by built_in desc, id", RelationKindRow)
    )
    key, turned = _BUILT_IN.get(relation, (kind, False))
    wanted = folded(key)
    for row in rows:
        inverse = relation == "rel" and wanted == folded(row["inverse"]) and row["directed"]
        if inverse or wanted in (row["key"], folded(row["name"]), folded(row["inverse"])):
            one = RelationDirection(row["id"], turned or bool(inverse))
            return [one] if row["directed"] else [one, RelationDirection(row["id"], not one.turned)]
    return []


def kinds(tx: Read) -> list[str]:
    """The names that `rel("...")` knows."""
    rows = tx.all("select name, inverse from relation_kind order by id")
    return list(dict.fromkeys(name for row in rows for name in (row["name"], row["inverse"])))


_WALK = """
with recursive walk (start, id, depth) as (
  select value, value, 0 from json_each(:ids)
  union
  select w.start, far.id, w.depth + 1 from walk w {join} where w.depth < :most and {seen}
)
select start, id from walk where depth > 0 order by start, depth, id
"""
_UP = "join {0} low on low.id = w.id join {0} far on far.id = low.parent"
_DOWN = "join {0} far on far.parent = w.id"
_DIRECTIONS = {"under": _UP, "above": _DOWN}


def walked(tx: Read, source: DeclaredSource, ids: Iterable[int], relation: str) -> dict[int, tuple[Any, ...]]:
    """All that these things of a source are `under` or `above`, the nearest first, as far as each step leads to one
    that the caller sees."""
    declared = source.declared
    sql = _WALK.format(join=_DIRECTIONS[relation].format(declared.table), seen=source.seen(tx, "far"))
    found: dict[int, list[int]] = {}
    for row in tx.all(sql, ids=json_array(ids), most=declared.depth, **visibility.binds(tx)):
        found.setdefault(row["start"], []).append(row["id"])
    return {start: tuple(ids) for start, ids in found.items()}


def ends(tx: Read, issue: int, relation: str, kind: str) -> tuple[Any, ...]:
    """The other ends of a relation of an issue, seen or not."""
    found: list[int] = []
    for way in ways(tx, relation, kind):
        here, there = ("dst", "src") if way.turned else ("src", "dst")
        found += tx.column(
            f"select {there} from relation where {here} = :id and kind = :kind order by id",
            id=issue,
            kind=way.kind,
        )
    return tuple(found)
