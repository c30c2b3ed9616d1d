"""The one way in which flags and segments change: a new definition, its version, a revision, an event.

The version of an environment moves once in a transaction that changes what decides an answer there: clients fetch anew.
"""

import json
from collections.abc import Iterable
from typing import NamedTuple

from kbwork.base import ids
from kbwork.base.dataclasses import dataclass
from kbwork.base.errors import InvalidInput
from kbwork.db.rows import FlagEnvironmentRow, FlagProjectRow, FlagRow, FlagSegmentRow
from kbwork.db.tx import Read, Write, json_array
from kbwork.flagengine.patch import targeting_instructions
from kbwork.flagengine.patch.differences import differences
from kbwork.modules.flags.access import ProjectEnvironment
from kbwork.modules.flags.definition import dependencies
from kbwork.modules.flags.definition.content import config_of, meta_of, packed, segment_of
from kbwork.modules.flags.guard import enforcement
from kbwork.modules.flags.model import (
    FlagArchived,
    FlagCreated,
    FlagRestored,
    FlagUpdated,
    Json,
    SegmentDeleted,
    SegmentUpdated,
)

Diff = list[Json]
_TOLD_CHARS = 16_000
"""A longer diff is told in events by its paths; the history has it whole."""
_MOST_CHARS = 4_000_000


@dataclass(frozen=True, slots=True)
class ChangeReason:
    """What stands beside a change in the history, and the request that it fulfils."""

    comment: str = ""
    change: int | None = None
    who: str | None = None
    """Whose change it is, where somebody else carries it out."""
    via: str | None = None


NO_REASON = ChangeReason()


class Version(NamedTuple):
    """One version for the history: its number, what differs from the one before, and the whole."""

    number: int
    diff: Diff
    content: Json
    why: ChangeReason = NO_REASON


def name_of(project: FlagProjectRow, flag: FlagRow) -> str:
    """A flag as a subject: by the first key that it had, which stays when it is renamed."""
    return f"flag:{project['key']}/{flag['first_key']}"


def segment_name(place: ProjectEnvironment, key: str) -> str:
    """A segment as a subject."""
    return f"segment:{place.project['key']}/{place.environment['key']}/{key}"


def project_name(project: FlagProjectRow) -> str:
    """A flag project as a subject."""
    return f"flag_project:{project['key']}"


def add_flag(tx: Write, project: FlagProjectRow, key: str, meta: Json) -> FlagRow:
    """A new flag, which is off in every environment."""
    flag = tx.insert(
        "flag",
        project=project["id"],
        key=key,
        first_key=key,
        meta=packed(meta),
        salt=ids.salt(),
        archived=0,
        version=1,
        created_at=tx.now,
    )
    row = tx.stored("flag", [flag])
    assert row is not None
    _revise(tx, row, None, _first(meta))
    environments = environments_of(tx, project)
    for environment in environments:
        add_config(tx, row, environment)
    touch(tx, environments)
    tx.emit(FlagCreated(subject=name_of(project, row), payload={"name": meta["name"], "kind": meta["kind"]}))
    return row


def add_config(tx: Write, flag: FlagRow, environment: FlagEnvironmentRow) -> None:
    """A flag in a new environment: off, with its default variations, and the salt that it has in every environment."""
    meta = json.loads(flag["meta"])
    config = targeting_instructions.new(
        len(meta["variations"]), off=meta["defaults"]["off"], on=meta["defaults"]["on"], salt=flag["salt"]
    )
    tx.insert(
        "flag_config",
        flag=flag["id"],
        environment=environment["id"],
        config=packed(config),
        version=1,
        changed_at=tx.now,
    )
    _revise(tx, flag, environment, _first(config))


def put_meta(
    tx: Write, project: FlagProjectRow, flag: FlagRow, after: Json, why: ChangeReason = NO_REASON
) -> Diff:
    """Change what a flag is everywhere; answers what differs. `after` has `archived`.

    Raises Conflict where that breaks a check.
    """
    before = meta_of(flag)
    diff = differences(before, after)
    if not diff:
        return diff
    serving = environments_of(tx, project) if _answering(before) != _answering(after) else []
    with enforcement.held(tx, serving):
        _write_meta(tx, flag, Version(flag["version"] + 1, diff, after, why))
        touch(tx, serving)
    kind: type[FlagUpdated | FlagArchived | FlagRestored] = FlagUpdated
    if before["archived"] != after["archived"]:
        kind = FlagArchived if after["archived"] else FlagRestored
    if kind is FlagRestored:  # it begins anew: nobody asked for it meanwhile
        tx.execute("update flag_config set changed_at = :now where flag = :flag", now=tx.now, flag=flag["id"])
    tx.emit(kind(subject=name_of(project, flag), payload=_told(None, diff, why)))
    return diff


def _write_meta(tx: Write, flag: FlagRow, made: Version) -> None:
    stored = {name: value for name, value in made.content.items() if name != "archived"}
    archived = int(made.content["archived"])
    tx.execute(
        "update flag_alias set dropped_at = :now where flag = :flag and dropped_at is null"
        " and key not in (select value from json_each(:aliases))",
        now=tx.now,
        flag=flag["id"],
        aliases=json_array(made.content["aliases"]),
    )
    tx.update("flag", flag["id"], meta=packed(stored), archived=archived, version=made.number)
    _revise(tx, flag, None, made)


def environments_of(tx: Read, project: FlagProjectRow) -> list[FlagEnvironmentRow]:
    """All of a project, in the order in which they were made."""
    return tx.all(
        "select * from flag_environment where project = :id order by id", FlagEnvironmentRow, id=project["id"]
    )


def _answering(meta: Json) -> str:
    """What of a flag's own fields decides an answer, or who gets one."""
    values = [variation["value"] for variation in meta["variations"]]
    return packed([values, meta["clientSide"], meta["archived"], meta["aliases"]])


def put_config(
    tx: Write, where: ProjectEnvironment, flag: FlagRow, after: Json, why: ChangeReason = NO_REASON
) -> Diff:
    """Change a flag in one environment, as it was tried; answers what differs.

    Raises Conflict where that breaks a check.
    """
    environment = where.environment
    before = config_of(tx, flag, environment)
    diff = differences(before, after)
    if not diff:
        return diff
    require_bounded(after)
    dependencies.put(tx, environment["id"], ("flag", flag["key"]), dependencies.of_config(after))
    place = (flag["id"], environment["id"])
    held = tx.stored("flag_config", list(place))
    assert held is not None
    version = held["version"] + 1
    with enforcement.held(tx, [environment]):
        tx.update("flag_config", place, config=packed(after), version=version, changed_at=tx.now)
        _note_expiry(tx, place, after)
    _revise(tx, flag, environment, Version(version, diff, after, why))
    touch(tx, [environment])
    tx.emit(FlagUpdated(subject=name_of(where.project, flag), payload=_told(environment, diff, why)))
    return diff


def _note_expiry(tx: Write, place: tuple[int, int], config: Json) -> None:
    """When the next of its targets ends."""
    flag, environment = place
    ends: list[int] = [one["at"] for one in config.get("expiring", [])]
    if ends:
        tx.execute(
            "insert into flag_expiry (flag, environment, at) values (:flag, :environment, :at)"
            " on conflict do update set at = excluded.at",
            flag=flag,
            environment=environment,
            at=min(ends),
        )
    else:
        tx.execute(
            "delete from flag_expiry where flag = :flag and environment = :environment",
            flag=flag,
            environment=environment,
        )


def put_segment(
    tx: Write, where: ProjectEnvironment, segment: FlagSegmentRow, after: Json, why: ChangeReason = NO_REASON
) -> Diff:
    """Change a segment, as it was tried; answers what differs. Raises Conflict where that breaks a check."""
    environment = where.environment
    before = segment_of(segment)
    diff = differences(before, after)
    if not diff:
        return diff
    require_bounded(after)
    dependencies.put(
        tx, environment["id"], ("segment", segment["key"]), dependencies.of_rules(after["rules"])
    )
    named = ("name", "description", "tags")
    with enforcement.held(tx, [environment]):
        tx.update(
            "flag_segment",
            segment["id"],
            name=after["name"],
            description=after["description"],
            tags=packed(after["tags"]),
            body=packed({name: value for name, value in after.items() if name not in named}),
            version=segment["version"] + 1,
        )
    if any(before[name] != after[name] for name in after if name not in named):
        touch(tx, [environment])
    subject = segment_name(where, segment["key"])
    tx.emit(SegmentUpdated(subject=subject, payload=_told(environment, diff, why)))
    return diff


def delete_segment(
    tx: Write, where: ProjectEnvironment, segment: FlagSegmentRow, why: ChangeReason = NO_REASON
) -> None:
    """Delete a segment that nothing asks for."""
    environment = where.environment
    dependencies.put(tx, environment["id"], ("segment", segment["key"]), set())
    tx.delete("flag_segment", segment["id"])
    touch(tx, [environment])
    payload: Json = {"environment": environment["key"], "name": segment["name"]}
    if why.change is not None:
        payload |= {"change": why.change}
    tx.emit(SegmentDeleted(subject=segment_name(where, segment["key"]), payload=payload))


def require_bounded(content: Json) -> None:
    """Raises InvalidInput where a definition is too large to be kept with each of its versions."""
    if len(packed(content)) > _MOST_CHARS:
        raise InvalidInput(
            f"It would hold more than {_MOST_CHARS:,} characters: put long lists of keys into several segments.",
            field="instructions",
        )


def touch(tx: Write, environments: Iterable[FlagEnvironmentRow]) -> None:
    """Move the versions of environments, once in this transaction."""
    moved: set[int] = tx.memoized("environments moved", set)
    for environment in environments:
        if environment["id"] not in moved:
            moved.add(environment["id"])
            tx.execute(
                "update flag_environment set version = version + 1 where id = :id", id=environment["id"]
            )


def told_of(diff: Diff) -> Diff:
    """A diff as events tell it: where it is long, its paths."""
    return diff if len(packed(diff)) <= _TOLD_CHARS else [{"path": one["path"]} for one in diff[:200]]


def _told(environment: FlagEnvironmentRow | None, diff: Diff, why: ChangeReason) -> Json:
    scope = "flag" if environment is None else environment["key"]
    found: Json = {
        "environment": environment["key"] if environment is not None else None,
        "diff": {scope: told_of(diff)},
    }
    return found if why.change is None else found | {"change": why.change}


def _first(content: Json) -> Version:
    shown = {name: value for name, value in content.items() if name != "salt"}
    return Version(1, differences({}, shown), content)


def _revise(tx: Write, flag: FlagRow, environment: FlagEnvironmentRow | None, made: Version) -> None:
    tx.insert(
        "flag_revision",
        flag=flag["id"],
        environment=environment["id"] if environment is not None else None,
        version=made.number,
        at=tx.now,
        who=made.why.who or tx.caller.actor,
        via=made.why.via if made.why.who else tx.caller.via,
        comment=made.why.comment,
        diff=packed(made.diff),
        content=packed(made.content),
    )
