"""What the engine evaluates: the flags and segments of an environment, as they are stored."""

from kbwork.db.rows import FlagEnvironmentRow, FlagRow
from kbwork.db.tx import Read, Row
from kbwork.flagengine.json_values import loads
from kbwork.flagengine.snapshot import Snapshot
from kbwork.modules.flags.definition.content import packed
from kbwork.modules.flags.model import Json


def data(tx: Read, environment: FlagEnvironmentRow) -> Json:
    """`format`, `environment`, `flags` and `segments`, without names that only people read."""
    rows = tx.all(
        "select f.key, f.first_key, f.meta, c.config, c.version from flag_config c"
        " join flag f on f.id = c.flag and not f.archived where c.environment = :id order by f.key",
        id=environment["id"],
    )
    segments = tx.all(
        "select key, body from flag_segment where environment = :id order by key",
        id=environment["id"],
    )
    return {
        "format": 1,
        "environment": {
            "id": environment["id"],
            "key": environment["key"],
            "version": environment["version"],
        },
        "flags": _by_key(rows),
        "segments": {row["key"]: _without_words(loads(row["body"])) for row in segments},
    }


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
