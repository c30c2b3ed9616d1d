"""What a change of targeting reaches, before it is made: the blast radius."""

import json
from collections import Counter
from typing import Annotated, Final, NamedTuple

from pydantic import Field
from typing_extensions import TypedDict

from kbwork.base.model import Input
from kbwork.core.operations.declare import read
from kbwork.core.ports import flags
from kbwork.db.rows import FlagEnvironmentRow, FlagProjectRow, FlagRow
from kbwork.db.tx import Read
from kbwork.flagengine.buckets import TOTAL
from kbwork.modules.flags import access
from kbwork.modules.flags.definition import content, dependencies, patch, served_variations
from kbwork.modules.flags.model import EnvironmentRef, FlagProjectRef, FlagRef, Json, Risk

_HOURS: Final = 24
_HOUR_S: Final = 3600
_HIGH: Final = 0.1
_MEDIUM: Final = 0.01


class FlagsImpact(Input):
    project: FlagProjectRef
    key: FlagRef
    environment: EnvironmentRef
    instructions: Annotated[list[Json] | None, Field(min_length=1, max_length=500)] = None
    """What is to be done; left out: anything at all."""


class Traffic(TypedDict):
    """Of the last 24 hours: how many evaluations, how many of them would or may be answered otherwise, and the share
    of these. `why` is the sentence that decided the risk."""

    evaluations: int
    """Evaluations of the last 24 hours."""
    changed: int
    """Those that would or may be answered otherwise."""
    share: float
    """The part of them that `changed` is, 0 to 1."""
    why: str
    """The sentence that decided the risk."""


class Impact(TypedDict):
    """`dependents` are the flags that wait for this one in the environment, `segments` those that it asks for before or
    after, `streams` the clients that listen now."""

    traffic: Traffic
    """What of the traffic it touches."""
    dependents: list[str]
    """Keys of flags that wait for this one there."""
    segments: list[str]
    """Keys of segments that it asks for before or after."""
    streams: int
    """Clients that listen now."""
    risk: Risk
    """How risky it is."""


@read(
    "flags.impact",
    scope="flags:read",
    words=(
        "what happens if I switch, how many users are affected, risk of a flag change, "
        "blast radius, dangerous, safe to turn off"
    ),
    cached=False,
    threaded=True,
    example={
        "project": "web",
        "key": "checkout",
        "environment": "production",
        "instructions": [{"kind": "turnFlagOff"}],
    },
)
def impact(tx: Read, args: FlagsImpact) -> Impact:
    """Say what a change of targeting reaches, and how risky it is, with the reason; without instructions, any change.

    `high`: the environment is critical, and more than a tenth of the evaluations of the last 24 hours would or may be
    answered otherwise, or other flags wait for this one. `medium`: more than a hundredth, or others wait. `none`: the
    instructions change nothing. Else `low`. Instructions that do not fit are 422.
    """
    project = access.project(tx, args.project)
    flag = access.flag(tx, project, args.key)
    environment = access.environment(tx, project, args.environment)
    before = content.config_of(tx, flag, environment)
    after = patch.config(tx, flag, environment, args.instructions) if args.instructions is not None else None
    counts = _counts(tx, flag, environment)
    total = sum(counts.values())
    changed = total if after is None else _changed(before, after, counts)
    dependents = _dependents(tx, project, environment, flag["key"])
    share = changed / total if total else 0.0
    risk, why = _risk(environment, share, dependents, nothing=after == before)
    asked = dependencies.of_rules([*before["rules"], *(after or before)["rules"]])
    return Impact(
        traffic=Traffic(evaluations=total, changed=changed, share=round(share, 4), why=why),
        dependents=dependents,
        segments=sorted(key for _, key in asked),
        streams=flags.listening(tx, environment["id"]),
        risk=risk,
    )


def _risk(
    environment: FlagEnvironmentRow, share: float, dependents: list[str], *, nothing: bool
) -> tuple[Risk, str]:
    critical, part = environment["critical"], f"{share * 100:.1f} % of the evaluations of the last 24 hours"
    if nothing:
        return "none", "The instructions change nothing."
    if critical and share > _HIGH:
        return "high", f"{environment['key']} is critical, and {part} would or may be answered otherwise."
    if critical and dependents:
        return "high", f"{environment['key']} is critical, and {dependents[0]} waits for this flag there."
    if share > _MEDIUM:
        return "medium", f"{part} would or may be answered otherwise."
    if dependents:
        return "medium", f"{dependents[0]} waits for this flag."
    return "low", f"Only {part} would or may be answered otherwise, and no flag waits for this one."


def _counts(tx: Read, flag: FlagRow, environment: FlagEnvironmentRow) -> Counter[int]:
    """Variation -> evaluations of the last 24 hours."""
    rows = tx.all(
        "select variation, sum(count) as count from flag_count"
        " where environment = :environment and flag = :flag and hour > :after group by variation",
        environment=environment["id"],
        flag=flag["id"],
        after=tx.now // _HOUR_S - _HOURS,
    )
    return Counter({row["variation"]: row["count"] for row in rows})


def _dependents(tx: Read, project: FlagProjectRow, environment: FlagEnvironmentRow, key: str) -> list[str]:
    waiting = {
        user for kind, user in dependencies.users(tx, environment["id"], ("flag", key)) if kind == "flag"
    }
    live = tx.column(
        "select key from flag where project = :project and not archived"
        " and key in (select value from json_each(:keys)) order by key",
        project=project["id"],
        keys=json.dumps(sorted(waiting)),
    )
    return list(live)


class _Slice(NamedTuple):
    """A stretch of buckets and what it is served."""

    end: int
    variation: int


def _changed(before: Json, after: Json, counts: Counter[int]) -> int:
    """How many of these evaluations would or may be answered otherwise; more rather than less where it is not known.

    Counts know variations, not who asked. What is answered the same whoever asks is not counted.
    """
    if before == after:
        return 0
    total = sum(counts.values())
    if (one := served_variations.to_all(after)) is not None:
        return total - counts[one]
    if served_variations.to_all(before) is not None or any(
        before[name] != after[name] for name in served_variations.LISTS
    ):
        return total - _untouched(before, after, counts)
    if before["on"] and after["on"] and before["fallthrough"] != after["fallthrough"]:
        reached = sum(counts[part] for part in served_variations.named(before["fallthrough"]))
        return round(reached * _moved(before["fallthrough"], after["fallthrough"]))
    return 0 if before["on"] == after["on"] else total


def _untouched(before: Json, after: Json, counts: Counter[int]) -> int:
    """Where all that was added or taken away serves one variation, who got that one already gets it still - unless
    something was taken away or the rest changed too."""
    added = [one for name in ("targets", "rules") for one in after[name] if one not in before[name]]
    gone = any(one not in after[name] for name in served_variations.LISTS for one in before[name])
    rest = any(before[name] != after[name] for name in ("on", "offVariation", "fallthrough", "prerequisites"))
    served = {part for one in added for part in served_variations.named(one)}
    return counts[served.pop()] if len(served) == 1 and not gone and not rest else 0


def _moved(one: Json, other: Json) -> float:
    """The share of buckets that two fallthroughs serve differently; all where they cut them in different ways."""
    if _cut(one) != _cut(other):
        return 1.0
    left, right = _slices(one), _slices(other)
    at = moved = place = twin = 0
    while at < TOTAL:
        end = min(left[place].end, right[twin].end)
        moved += (end - at) * (left[place].variation != right[twin].variation)
        at = end
        place += left[place].end <= at
        twin += right[twin].end <= at
    return moved / TOTAL


def _cut(serves: Json) -> tuple[str | None, str | None] | None:
    rollout = serves.get("rollout")
    return (rollout.get("bucketBy"), rollout.get("contextKind")) if rollout is not None else None


def _slices(serves: Json) -> list[_Slice]:
    if "rollout" not in serves:
        return [_Slice(TOTAL, serves["variation"])]
    end, found = 0, []
    for part in serves["rollout"]["variations"]:
        end += part["weight"]
        found.append(_Slice(end, part["variation"]))
    return found
