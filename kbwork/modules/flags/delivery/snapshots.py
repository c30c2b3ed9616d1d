"""What the engine evaluates: the flags and segments of an environment, as they are stored.

Each is known by a mark, its id and its versions: of an environment that was read before only what has a new mark is
read again.
"""

import json
from collections.abc import Mapping
from typing import Final, NamedTuple

from kbwork.db.rows import FlagEnvironmentRow, FlagRow
from kbwork.db.tx import Read, Row
from kbwork.flagengine.json_values import loads
from kbwork.flagengine.snapshot import Snapshot
from kbwork.modules.flags.definition.content import packed
from kbwork.modules.flags.model import Json

_FLAG_MARK: Final = "'f' || f.id || '.' || f.version || '.' || c.version"
_SEGMENT_MARK: Final = "'s' || id || '.' || version"
_FLAGS: Final = (
    "from flag f cross join flag_config c on c.flag = f.id and c.environment = :id"
    " where f.project = :project and not f.archived"
)
_MARKED: Final = (
    "from flag_config c cross join flag f on f.id = c.flag where c.environment = :id and not f.archived"
)
"""The same flags, by the index that holds which version of each is served: no configuration is read."""
_SEGMENTS: Final = "from flag_segment where environment = :id"


class KnownEnvironment(NamedTuple):
    """An environment as it was read: its data, and which keys each mark is of, several where a flag was renamed."""

    data: Json
    marks: Mapping[str, tuple[str, ...]]


NOTHING: Final = KnownEnvironment({"flags": {}, "segments": {}}, {})


def data(tx: Read, environment: FlagEnvironmentRow) -> Json:
    """`format`, `environment`, `flags` and `segments`, without names that only people read."""
    return read(tx, environment, NOTHING).data


def read(tx: Read, environment: FlagEnvironmentRow, before: KnownEnvironment) -> KnownEnvironment:
    """The same with its marks. What has the mark that it had before is the same object."""
    where = {"id": environment["id"]}
    found = tx.value(f"select group_concat({_FLAG_MARK}, ' ') {_MARKED}", **where) or ""
    found += " " + (tx.value(f"select group_concat({_SEGMENT_MARK}, ' ') {_SEGMENTS}", **where) or "")
    there = set(found.split())
    flags, segments, marks = dict(before.data["flags"]), dict(before.data["segments"]), dict(before.marks)
    for mark in marks.keys() - there:
        for key in marks.pop(mark):
            del (flags if mark.startswith("f") else segments)[key]
    ids = [int(mark[1:].partition(".")[0]) for mark in there - marks.keys() if mark.startswith("f")]
    every = "" if not before.marks else " and f.id in (select value from json_each(:ids))"
    rows = tx.all(
        f"select {_FLAG_MARK} as mark, f.key, f.first_key, f.meta, c.config, c.version {_FLAGS}{every} order by f.key",
        **where,
        project=environment["project"],
        **({"ids": json.dumps(ids)} if every else {}),
    )
    for row in rows:
        served = _by_key([row])
        flags |= served
        marks[row["mark"]] = tuple(served)
    for row in _segments(tx, environment, [mark[1:].partition(".")[0] for mark in there - marks.keys()]):
        segments[row["key"]], marks[row["mark"]] = _without_words(loads(row["body"])), (row["key"],)
    told = {"id": environment["id"], "key": environment["key"], "version": environment["version"]}
    return KnownEnvironment({"format": 1, "environment": told, "flags": flags, "segments": segments}, marks)


def _segments(tx: Read, environment: FlagEnvironmentRow, ids: list[str]) -> list[Row]:
    return tx.all(
        f"select {_SEGMENT_MARK} as mark, key, body {_SEGMENTS}"
        " and id in (select cast(value as integer) from json_each(:ids)) order by key",
        id=environment["id"],
        ids=json.dumps(ids),
    )


def of(tx: Read, environment: FlagEnvironmentRow) -> Snapshot:
    """The same, ready to evaluate."""
    return Snapshot(data(tx, environment))


def with_config(tx: Read, environment: FlagEnvironmentRow, flag: FlagRow, config: Json) -> Snapshot:
    """The same where one flag served by another configuration, which is nowhere stored."""
    found = data(tx, environment)
    row = {**flag, "config": packed(config), "version": found["flags"][flag["key"]]["version"]}
    return Snapshot(found | {"flags": found["flags"] | _by_key([row])})


def _by_key(rows: list[Row]) -> Json:
    """Flags by key, and once more by each alias: whoever asks by a key that it had gets the same."""
    found: Json = {}
    for row in rows:
        meta = loads(row["meta"])
        served = _served(meta, loads(row["config"]), row["version"])
        for key in (row["key"], *meta.get("aliases", ())):
            found[key] = served if key == row["first_key"] else served | {"hashKey": row["first_key"]}
    return dict(sorted(found.items()))


def _served(meta: Json, config: Json, version: int) -> Json:
    config = {name: part for name, part in config.items() if name != "expiring"}
    return _without_words(config) | {
        "version": version,
        "variations": [{"value": variation["value"]} for variation in meta["variations"]],
        "clientSide": meta["clientSide"],
    }


def _without_words(owner: Json) -> Json:
    """A configuration or a segment whose rules have no descriptions."""
    rules = [{name: part for name, part in rule.items() if name != "description"} for rule in owner["rules"]]
    return owner | {"rules": rules}
