"""Flags, environments, segments and their like, as they are answered."""

import json
from typing import Any

from kbwork.db.rows import FlagEnvironmentRow, FlagProjectRow, FlagRow, FlagSegmentRow
from kbwork.db.tx import Read
from kbwork.modules.flags.access import ProjectEnvironment
from kbwork.modules.flags.definition import dependencies
from kbwork.modules.flags.model import Environment, EnvironmentState, Flag, Json, Segment

_LISTS = ("targets", "rules", "prerequisites")


def flags(tx: Read, project: FlagProjectRow, rows: list[FlagRow], *, whole: bool) -> list[Flag]:
    """Flags with their state in each environment, with lists or with how long those are."""
    states: dict[int, dict[str, EnvironmentState]] = {row["id"]: {} for row in rows}
    for row in tx.all(
        "select c.flag, e.key, c.config, c.version from flag_environment e join flag_config c on c.environment = e.id"
        " where e.project = :project and c.flag in (select value from json_each(:flags)) order by e.id, c.flag",
        project=project["id"],
        flags=json.dumps(list(states)),
    ):
        states[row["flag"]][row["key"]] = _state(json.loads(row["config"]), row["version"], whole=whole)
    return [_flag(project, row, states[row["id"]]) for row in rows]


def flag(tx: Read, project: FlagProjectRow, key: str) -> Flag:
    """One flag, whole."""
    rows = tx.all(
        "select * from flag where project = :project and key = :key", FlagRow, project=project["id"], key=key
    )
    return flags(tx, project, rows, whole=True)[0]


def _state(config: Json, version: int, *, whole: bool) -> EnvironmentState:
    found = EnvironmentState(
        on=config["on"],
        off_variation=config["offVariation"],
        fallthrough=config["fallthrough"],
        track_events=config["trackEvents"],
        version=version,
    )
    if whole:
        found["targets"] = config["targets"]
        found["rules"] = config["rules"]
        found["prerequisites"] = config["prerequisites"]
        found["expiring"] = config.get("expiring", [])
    else:
        found["counts"] = {name: len(config[name]) for name in _LISTS}
    return found


def _flag(project: FlagProjectRow, row: FlagRow, states: dict[str, EnvironmentState]) -> Flag:
    meta = json.loads(row["meta"])
    return Flag(
        project=project["key"],
        key=row["key"],
        name=meta["name"],
        description=meta["description"],
        kind=meta["kind"],
        variations=meta["variations"],
        tags=meta["tags"],
        maintainers=meta["maintainers"],
        temporary=meta["temporary"],
        client_side=meta["clientSide"],
        defaults=meta["defaults"],
        schema=meta["schema"],
        archived=bool(row["archived"]),
        version=row["version"],
        environments=states,
        aliases=meta.get("aliases", []),
    )


def environment(project: FlagProjectRow, row: FlagEnvironmentRow) -> Environment:
    return Environment(
        project=project["key"],
        key=row["key"],
        name=row["name"],
        critical=bool(row["critical"]),
        require_approval=bool(row["require_approval"]),
        min_approvals=row["min_approvals"],
        allow_self_approval=bool(row["allow_self_approval"]),
    )


def environments(tx: Read, project: FlagProjectRow) -> list[Environment]:
    """All of a project, in the order in which they were made."""
    rows = tx.all(
        "select * from flag_environment where project = :id order by id", FlagEnvironmentRow, id=project["id"]
    )
    return [environment(project, row) for row in rows]


def segment(tx: Read, place: ProjectEnvironment, row: FlagSegmentRow) -> Segment:
    body: dict[str, Any] = json.loads(row["body"])
    return Segment(
        project=place.project["key"],
        environment=place.environment["key"],
        key=row["key"],
        name=row["name"],
        included=body["included"],
        excluded=body["excluded"],
        included_contexts=body["includedContexts"],
        excluded_contexts=body["excludedContexts"],
        rules=body["rules"],
        description=row["description"],
        tags=json.loads(row["tags"]),
        used_by=dependencies.shown(dependencies.users(tx, place.environment["id"], ("segment", row["key"]))),
    )
