"""What differs between two environments, and copying targeting from one to another."""

from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict

from kbwork.base.errors import InvalidInput, located
from kbwork.base.model import Input
from kbwork.core.operation import read, write
from kbwork.db.tx import Read, Row, Write
from kbwork.flagengine.differences import differences
from kbwork.modules.flags import access, approvals, changing, patching, segments, uses
from kbwork.modules.flags.access import Place
from kbwork.modules.flags.changing import Became
from kbwork.modules.flags.definitions import portable
from kbwork.modules.flags.model import (
    UNDO,
    ChangeRequested,
    FlagBypassed,
    FlagUpdated,
    Json,
    Outcome,
    Ref,
    SegmentSaved,
    SegmentUpdated,
)
from kbwork.modules.flags.requests import Asked
from kbwork.modules.flags.trying import Tried, done

_MOST = 1000


class FlagsCompare(Input):
    project: Ref
    from_: Annotated[Ref, Field(alias="from")]
    """Key of an environment."""
    to: Ref
    """Key of another."""


class Compared(TypedDict):
    """What would have to change in `to` so that it is like `from`: {`key`, `diff`} of each that differs.

    A segment that one of the two does not have differs as a whole, from or to null.
    """

    flags: list[Json]
    segments: list[Json]


@read(
    "flags.compare",
    scope="flags:read",
    threaded=True,
    example={"project": "web", "from": "test", "to": "production"},
)
def compare(tx: Read, args: FlagsCompare) -> Compared:
    """Say which flags and segments differ between two environments; archived flags are left out."""
    project = access.project(tx, args.project)
    one, other = access.environment(tx, project, args.from_), access.environment(tx, project, args.to)
    flags = _differing(_configs(tx, one), _configs(tx, other))
    return Compared(flags=flags, segments=_differing(_segments(tx, one), _segments(tx, other)))


class FlagsCopy(Tried):
    project: Ref
    to: Ref
    from_: Annotated[Ref, Field(alias="from")]
    flags: Annotated[list[Ref] | None, Field(max_length=1000)] = None
    """Keys of flags; left out: all that differ, a thousand at most."""
    include_segments: bool | None = None
    """Copy the segments that they ask for too."""


class Copied(TypedDict):
    """`changes` has {`kind`, `key`, `outcome`, `diff`, `change`} of each flag and segment that differed.

    The outcome as a whole is `changeRequest` where one of them waits for approval.
    """

    outcome: Outcome
    changes: list[Json]


@write(
    "flags.copy",
    scope="flags:write",
    undo=UNDO,
    emits=[FlagUpdated, FlagBypassed, SegmentSaved, SegmentUpdated, ChangeRequested],
    example={"project": "web", "from": "test", "to": "production", "flags": ["checkout"]},
)
def copy(tx: Write, args: FlagsCopy) -> Copied:
    """Make the targeting of flags in one environment what it is in another, through the approvals of the one that
    changes. Salts stay what they are there.

    A segment that a flag asks for and that is not there is 422, unless segments are copied too.
    """
    project = access.changed_project(tx, args.project)
    source, goal = access.environment(tx, project, args.from_), access.place(tx, project, args.to)
    if source["id"] == goal.environment["id"]:
        raise InvalidInput("An environment is not copied to itself.", field="to")
    wanted = _wanted(tx, source, goal, args.flags)
    changes: list[Json] = []
    if not approvals.needed(tx, goal.environment):
        _wait_for_nothing(tx, goal, wanted)
    if args.include_segments:
        changes += _copy_segments(tx, source, goal, wanted)
    else:
        _require_segments(goal, wanted, _segments(tx, goal.environment))
    for key, config in wanted.items():
        asked = Asked("flag", key, [{"kind": "replaceConfig", "config": config}], _comment(source))
        with located(key):
            became = changing.there(tx, goal, asked)
        changes.append(_told(asked, became))
    told = [change for change in changes if change["outcome"] != "unchanged"]
    return done(args, Copied(outcome=_outcome(told), changes=told))


def _require_segments(goal: Place, wanted: dict[str, Json], there: dict[str, Json]) -> None:
    for key, config in wanted.items():
        missing = sorted(name for _, name in uses.of_rules(config["rules"]) if name not in there)
        if missing:
            raise InvalidInput(
                f"{goal.environment['key']} has no segment {missing[0]!r}, which {key} asks for: copy segments too.",
                field="include_segments",
            )


def _wait_for_nothing(tx: Write, goal: Place, wanted: dict[str, Json]) -> None:
    """What flags wait for before they change does not count for circles: what they all come to wait for does."""
    there = _configs(tx, goal.environment)
    for key, config in wanted.items():
        if config != there[key]:
            uses.put(tx, goal.environment["id"], ("flag", key), uses.of_rules(there[key]["rules"]))


def _wanted(tx: Read, source: Row, goal: Place, flags: list[str] | None) -> dict[str, Json]:
    """The configurations to copy, by flag."""
    configs = _configs(tx, source)
    if flags is None:
        keys = [one["key"] for one in _differing(configs, _configs(tx, goal.environment))]
        if len(keys) > _MOST:
            raise InvalidInput(f"{len(keys):,} flags differ: name at most {_MOST:,} of them.", field="flags")
    else:
        keys = list(dict.fromkeys(flags))
        for key in keys:
            patching.require_live(access.flag(tx, goal.project, key))
    return {key: configs[key] for key in keys}


def _copy_segments(tx: Write, source: Row, goal: Place, wanted: dict[str, Json]) -> list[Json]:
    """The segments that flags ask for, those that segments ask for before them. New ones begin empty where the
    environment asks for approval: what is in them waits."""
    changes: list[Json] = []
    bodies, there = _segments(tx, source), _segments(tx, goal.environment)
    for key in _in_order(
        bodies, uses.of_rules(rule for config in wanted.values() for rule in config["rules"])
    ):
        if key not in there:
            segments.add(tx, goal, key, access.segment(tx, source, key)["name"], {})
        asked = Asked("segment", key, [{"kind": "replaceBody", "body": bodies[key]}], _comment(source))
        with located(f"segment {key}"):
            became = changing.there(tx, goal, asked)
        if key not in there and became.outcome == "unchanged":
            became = became._replace(outcome="applied")  # it is made, though nobody is in it
        if became.outcome != "unchanged":
            became = became._replace(diff=differences(there.get(key), bodies[key]))
        changes.append(_told(asked, became))
    return changes


def _comment(source: Row) -> str:
    return f"Copied from {source['key']}"


def _in_order(bodies: dict[str, Json], begin: set[uses.Name]) -> list[str]:
    """Keys of segments and of all that they rest on, what is rested on first."""
    found: dict[str, None] = {}
    waiting = [(key, False) for _, key in sorted(begin, reverse=True)]
    entered: set[str] = set()
    while waiting:
        key, ready = waiting.pop()
        if ready:
            found[key] = None
        elif key in bodies and key not in entered:
            entered.add(key)
            waiting.append((key, True))
            waiting += [
                (other, False) for _, other in sorted(uses.of_rules(bodies[key]["rules"]), reverse=True)
            ]
    return list(found)


def _configs(tx: Read, environment: Row) -> dict[str, Json]:
    """Configurations without what is an environment's own, by flag."""
    rows = tx.all(
        "select f.key, c.config from flag_config c join flag f on f.id = c.flag and not f.archived"
        " where c.environment = :id order by f.key",
        id=environment["id"],
    )
    return {row["key"]: portable(row["config"]) for row in rows}


def _segments(tx: Read, environment: Row) -> dict[str, Json]:
    rows = tx.all(
        "select key, body from flag_segment where environment = :id order by key", id=environment["id"]
    )
    return {row["key"]: portable(row["body"]) for row in rows}


def _differing(one: dict[str, Json], other: dict[str, Json]) -> list[Json]:
    found = []
    for key in sorted({*one, *other}):
        diff = differences(other.get(key), one.get(key))
        if diff:
            found.append({"key": key, "diff": diff})
    return found


def _told(asked: Asked, became: Became) -> Json:
    return {"kind": asked.kind, "key": asked.target, **became._asdict()}


def _outcome(changes: list[Json]) -> Outcome:
    if not changes:
        return "unchanged"
    return "changeRequest" if any(change["outcome"] == "changeRequest" for change in changes) else "applied"
