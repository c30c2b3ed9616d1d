"""Copying what flags serve from one environment to another."""

from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict

from kbwork.base.errors import InvalidInput, located
from kbwork.core.operations.declare import write
from kbwork.db.rows import FlagEnvironmentRow
from kbwork.db.tx import Read, Write
from kbwork.flagengine.patch.differences import differences
from kbwork.modules.flags import access, segments
from kbwork.modules.flags.access import ProjectEnvironment
from kbwork.modules.flags.change import approvals, submit
from kbwork.modules.flags.change.requests import RequestedChange
from kbwork.modules.flags.change.submit import ChangeOutcome
from kbwork.modules.flags.definition import dependencies, patch
from kbwork.modules.flags.dry_run import Tried, done
from kbwork.modules.flags.environment.compare import differing_keys, portable_configs, portable_segments
from kbwork.modules.flags.guard import enforcement
from kbwork.modules.flags.model import (
    UNDO,
    ChangeRequested,
    FlagBypassed,
    FlagProjectRef,
    FlagUpdated,
    Json,
    Outcome,
    Ref,
    SegmentSaved,
    SegmentUpdated,
)

_MOST = 1000


class FlagsCopy(Tried):
    project: FlagProjectRef
    to: Ref
    """Key of the environment that changes."""
    from_: Annotated[Ref, Field(alias="from")]
    """Key of the environment that it becomes like."""
    flags: Annotated[list[Ref] | None, Field(max_length=1000)] = None
    """Keys of flags; left out: all that differ, a thousand at most."""
    include_segments: bool | None = None
    """Copy the segments that they ask for too."""


class Copied(TypedDict):
    """`changes` has {`kind`, `key`, `outcome`, `diff`, `change`} of each flag and segment that differed.

    The outcome as a whole is `changeRequest` where one of them waits for approval.
    """

    outcome: Outcome
    """What became of it as a whole."""
    changes: list[Json]
    """{`kind`, `key`, `outcome`, `diff`, `change`} of each flag and segment that differed."""


@write(
    "flags.copy",
    scope="flags:write",
    words=("copy flags from staging to production, promote flags, sync environments, same targeting as"),
    undo=UNDO,
    emits=[FlagUpdated, FlagBypassed, SegmentSaved, SegmentUpdated, ChangeRequested],
    example={"project": "web", "from": "test", "to": "production", "flags": ["checkout"]},
)
def copy(tx: Write, args: FlagsCopy) -> Copied:
    """Make the targeting of flags in one environment what it is in another, through the approvals of the one that
    changes. Salts stay what they are there.

    A segment that a flag asks for and that is not there is 422, unless segments are copied too.
    """
    project = access.editable_project(tx, args.project)
    source, goal = access.environment(tx, project, args.from_), access.place(tx, project, args.to)
    if source["id"] == goal.environment["id"]:
        raise InvalidInput("An environment is not copied to itself.", field="to")
    wanted = _wanted(tx, source, goal, args.flags)
    changes: list[Json] = []
    if not approvals.needed(tx, goal.environment):
        _wait_for_nothing(tx, goal, wanted)
    with enforcement.held(tx, [goal.environment]):
        if args.include_segments:
            changes += _copy_segments(tx, source, goal, wanted)
        else:
            _require_segments(goal, wanted, portable_segments(tx, goal.environment))
        changes += [_copy_flag(tx, source, goal, key, config) for key, config in wanted.items()]
    told = [change for change in changes if change["outcome"] != "unchanged"]
    return done(args, Copied(outcome=_outcome(told), changes=told))


def _copy_flag(
    tx: Write, source: FlagEnvironmentRow, goal: ProjectEnvironment, key: str, config: Json
) -> Json:
    asked = RequestedChange("flag", key, [{"kind": "replaceConfig", "config": config}], _comment(source))
    with located(key):
        return _told(asked, submit.change_targeting(tx, goal, asked))


def _require_segments(goal: ProjectEnvironment, wanted: dict[str, Json], there: dict[str, Json]) -> None:
    for key, config in wanted.items():
        missing = sorted(name for _, name in dependencies.of_rules(config["rules"]) if name not in there)
        if missing:
            raise InvalidInput(
                f"{goal.environment['key']} has no segment {missing[0]!r}, which {key} asks for: copy segments too.",
                field="include_segments",
            )


def _wait_for_nothing(tx: Write, goal: ProjectEnvironment, wanted: dict[str, Json]) -> None:
    """What flags wait for before they change does not count for circles: what they all come to wait for does."""
    there = portable_configs(tx, goal.environment)
    for key, config in wanted.items():
        if config != there[key]:
            dependencies.put(
                tx, goal.environment["id"], ("flag", key), dependencies.of_rules(there[key]["rules"])
            )


def _wanted(
    tx: Read, source: FlagEnvironmentRow, goal: ProjectEnvironment, flags: list[str] | None
) -> dict[str, Json]:
    """The configurations to copy, by flag."""
    configs = portable_configs(tx, source)
    if flags is None:
        keys = [one["key"] for one in differing_keys(configs, portable_configs(tx, goal.environment))]
        if len(keys) > _MOST:
            raise InvalidInput(f"{len(keys):,} flags differ: name at most {_MOST:,} of them.", field="flags")
    else:
        named = [access.flag(tx, goal.project, key) for key in flags]
        for flag in named:
            patch.require_live(flag)
        keys = list(dict.fromkeys(flag["key"] for flag in named))
    return {key: configs[key] for key in keys}


def _copy_segments(
    tx: Write, source: FlagEnvironmentRow, goal: ProjectEnvironment, wanted: dict[str, Json]
) -> list[Json]:
    """The segments that flags ask for, those that segments ask for before them. New ones begin empty where the
    environment asks for approval: what is in them waits."""
    changes: list[Json] = []
    bodies, there = portable_segments(tx, source), portable_segments(tx, goal.environment)
    for key in _in_order(
        bodies, dependencies.of_rules(rule for config in wanted.values() for rule in config["rules"])
    ):
        if key not in there:
            segments.add(tx, goal, key, access.segment(tx, source, key)["name"], {})
        asked = RequestedChange(
            "segment", key, [{"kind": "replaceBody", "body": bodies[key]}], _comment(source)
        )
        with located(f"segment {key}"):
            became = submit.change_targeting(tx, goal, asked)
        if key not in there and became.outcome == "unchanged":
            became = became._replace(outcome="applied")  # it is made, though nobody is in it
        if became.outcome != "unchanged":
            became = became._replace(diff=differences(there.get(key), bodies[key]))
        changes.append(_told(asked, became))
    return changes


def _comment(source: FlagEnvironmentRow) -> str:
    return f"Copied from {source['key']}"


def _in_order(bodies: dict[str, Json], begin: set[dependencies.Name]) -> list[str]:
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
                (other, False)
                for _, other in sorted(dependencies.of_rules(bodies[key]["rules"]), reverse=True)
            ]
    return list(found)


def _told(asked: RequestedChange, became: ChangeOutcome) -> Json:
    return {"kind": asked.kind, "key": asked.target, **became._asdict()}


def _outcome(changes: list[Json]) -> Outcome:
    if not changes:
        return "unchanged"
    return "changeRequest" if any(change["outcome"] == "changeRequest" for change in changes) else "applied"
