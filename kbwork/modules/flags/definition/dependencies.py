"""What rests on what in an environment: flags on other flags and on segments, segments on segments."""

from collections.abc import Iterable

from kbwork.base.errors import Conflict
from kbwork.db.tx import Read, Write
from kbwork.flagengine.clauses.operators import SEGMENT_MATCH
from kbwork.modules.flags.model import Json

Name = tuple[str, str]
"""(`flag` or `segment`, key)."""


def of_config(config: Json) -> set[Name]:
    """What a configuration rests on."""
    return {("flag", one["key"]) for one in config["prerequisites"]} | of_rules(config["rules"])


def of(kind: str, content: Json) -> set[Name]:
    """What a flag's configuration, or a segment, rests on."""
    return of_config(content) if kind == "flag" else of_rules(content["rules"])


def of_rules(rules: Iterable[Json]) -> set[Name]:
    """The segments that rules ask for."""
    return {
        ("segment", key)
        for rule in rules
        for clause in rule["clauses"]
        if clause["op"] == SEGMENT_MATCH
        for key in clause["values"]
    }


def put(tx: Write, environment: int, user: Name, uses: set[Name]) -> None:
    """Note what a flag or segment rests on from now on."""
    held = _used(tx, environment, user)
    for kind, key in sorted(held - uses):
        tx.delete("flag_use", (environment, kind, key, *user))
    for kind, key in sorted(uses - held):
        tx.insert(
            "flag_use", environment=environment, uses_kind=kind, uses=key, user_kind=user[0], user=user[1]
        )


def users(tx: Read, environment: int, used: Name) -> list[Name]:
    """What asks for this flag or segment in an environment, archived flags too."""
    rows = tx.all(
        "select user_kind, user from flag_use where environment = :environment and uses_kind = :kind"
        " and uses = :key order by user_kind, user",
        environment=environment,
        kind=used[0],
        key=used[1],
    )
    return [(row["user_kind"], row["user"]) for row in rows]


def dependents(tx: Read, project: int, key: str) -> list[str]:
    """The flags that wait for this one in some environment, and are not archived."""
    return tx.column(
        "select distinct u.user from flag_environment e join flag_use u on u.environment = e.id"
        " join flag f on f.project = e.project and f.key = u.user and not f.archived"
        " where e.project = :project and u.uses_kind = 'flag' and u.uses = :key and u.user_kind = 'flag' order by 1",
        project=project,
        key=key,
    )


def require_no_circle(tx: Read, environment: int, user: Name, uses: set[Name]) -> None:
    """Raises Conflict where a thing would come to rest on itself, naming the way round."""
    begins = sorted(name for name in uses if name[0] == user[0])
    came_from: dict[Name, Name] = {}
    waiting = [(name, user) for name in begins]
    while waiting:
        name, before = waiting.pop()
        if name in came_from:
            continue
        came_from[name] = before
        if name == user:
            raise Conflict(f"That would be a circle: {_way(came_from, user)}.")
        waiting += [(other, name) for other in sorted(_used(tx, environment, name)) if other[0] == user[0]]


def _used(tx: Read, environment: int, user: Name) -> set[Name]:
    rows = tx.all(
        "select uses_kind, uses from flag_use where environment = :environment and user_kind = :kind and user = :key",
        environment=environment,
        kind=user[0],
        key=user[1],
    )
    return {(row["uses_kind"], row["uses"]) for row in rows}


def _way(came_from: dict[Name, Name], end: Name) -> str:
    way, at = [end[1]], came_from[end]
    while at != end:
        way.append(at[1])
        at = came_from[at]
    return " -> ".join([end[1], *reversed(way)])


def shown(names: Iterable[Name]) -> list[str]:
    """As `used_by` says it: flags by key, segments as `segment:<key>`."""
    return [key if kind == "flag" else f"segment:{key}" for kind, key in names]
