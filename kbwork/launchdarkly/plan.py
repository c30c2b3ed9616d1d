"""What comes in of all that a file tells, and what is left out: what cannot be said, and what rests on it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from kbwork.flagengine.patch.checks import PatchContext, Wrong
from kbwork.launchdarkly.convert import NotConvertible, body_of, config_of, meta_of, segments_of
from kbwork.launchdarkly.export import ExportedEnvironment, LaunchDarklyExport

Json = dict[str, Any]
Segment = tuple[str, str]
"""(environment, key)."""
Graph = Mapping[str, Iterable[str]]
"""Key -> the keys that it rests on."""


@dataclass(slots=True)
class ImportPlan:
    """What can be brought in. All that a flag or segment rests on is in it too, and stands before it.

    `flags` has of each flag what is known of it everywhere, `configs` its targeting by environment, `segments` the
    bodies by environment, `names` what segments are called where the file tells. A `salt` that the file does not
    tell is missing.
    """

    flags: dict[str, Json] = field(default_factory=dict)
    configs: dict[str, dict[str, Json]] = field(default_factory=dict)
    segments: dict[str, dict[str, Json]] = field(default_factory=dict)
    names: dict[Segment, str] = field(default_factory=dict)
    left_out: list[str] = field(default_factory=list)
    """One line for each flag and segment that is not: what it is, and why."""

    def leave_out(self, whys: Mapping[str, str]) -> None:
        """Take flags out, by key with the reason, and all that wait for them."""
        for key, why in whys.items():
            self._drop(key, why)
        while waiting := {
            key: f"{environment}: it waits for the flag {one['key']}, which is left out"
            for environment, configs in self.configs.items()
            for key, config in configs.items()
            for one in config["prerequisites"]
            if one["key"] not in self.flags and key in self.flags
        }:
            for key, why in waiting.items():
                self._drop(key, why)

    def _drop(self, key: str, why: str) -> None:
        if self.flags.pop(key, None) is None:
            return
        for configs in self.configs.values():
            configs.pop(key, None)
        self.left_out.append(f"flag {key}: {why}")


def plan_import(export: LaunchDarklyExport) -> ImportPlan:
    """All of a file that can be said."""
    made = ImportPlan()
    if export.missing:
        made.left_out.append(f"{export.missing} flags that the list counts are not in the file")
    whys: dict[str, str] = {}
    for key, told in export.flags.items():
        made.flags[key] = {}
        try:
            made.flags[key] = meta_of(key, told)
        except (Wrong, NotConvertible) as error:
            whys[key] = str(error)
    made.leave_out(whys)
    for environment, place in sorted(export.places.items()):
        _segments(made, environment, place)
        _configs(made, environment, place)
    ordered, rest = _in_order(made.flags, _all_prerequisites(made))
    made.flags = {key: made.flags[key] for key in (*ordered, *rest)}
    return made


def _segments(made: ImportPlan, environment: str, place: ExportedEnvironment) -> None:
    bodies: dict[str, Json] = {}
    whys: dict[str, str] = {}
    for key, segment in place.segments.items():
        try:
            bodies[key] = body_of(key, segment, PatchContext(segments=frozenset(place.segments) - {key}))
        except (Wrong, NotConvertible) as error:
            whys[key] = str(error)
    uses = {key: segments_of(body["rules"]) for key, body in bodies.items()}
    ordered, circle = _in_order(bodies, uses)
    whys |= dict.fromkeys(circle, f"its rules rest on each other in a circle, of {', '.join(circle[:5])}")
    kept = []
    for key in ordered:
        gone = next((other for other in uses[key] if other in whys), None)
        if gone is None:
            kept.append(key)
        else:
            whys[key] = f"it rests on the segment {gone}, which is left out"
    made.segments[environment] = {key: bodies[key] for key in kept}
    for key in kept:
        if name := place.segments[key].get("name"):
            made.names[environment, key] = name
    made.left_out += [f"segment {environment}/{key}: {why}" for key, why in whys.items()]


def _configs(made: ImportPlan, environment: str, place: ExportedEnvironment) -> None:
    """The targeting in an environment; flags that cannot be said are left out everywhere."""
    counts = {key: len(meta["variations"]) for key, meta in made.flags.items()}
    alive = {key: count for key, count in counts.items() if not made.flags[key]["archived"]}
    found: dict[str, Json] = {}
    whys: dict[str, str] = {}
    for key, flag in place.flags.items():
        if key not in counts:
            continue
        others = counts if made.flags[key]["archived"] else alive
        world = PatchContext(
            variations=counts[key],
            segments=made.segments[environment].keys(),
            flags={other: count for other, count in _near(flag, others) if other != key},
        )
        try:
            found[key] = config_of(flag, place, world)
        except (Wrong, NotConvertible) as error:
            whys[key] = f"{environment}: {error}"
    _, circle = _in_order(found, {key: _prerequisites(config) for key, config in found.items()})
    named = ", ".join(circle[:5])
    whys |= dict.fromkeys(circle, f"{environment}: its prerequisites lead back to themselves, by {named}")
    made.configs[environment] = found
    made.leave_out(whys)


def _near(flag: Json, counts: Mapping[str, int]) -> Iterator[tuple[str, int]]:
    """Of all flags those that this one waits for."""
    wanted = {one.get("key") for one in flag.get("prerequisites") or []}
    return ((key, counts[key]) for key in wanted if key in counts)


def _prerequisites(config: Json) -> set[str]:
    return {one["key"] for one in config["prerequisites"]}


def _all_prerequisites(made: ImportPlan) -> dict[str, set[str]]:
    """What each flag waits for in any environment."""
    found: dict[str, set[str]] = {key: set() for key in made.flags}
    for configs in made.configs.values():
        for key, config in configs.items():
            found[key] |= _prerequisites(config)
    return found


def _in_order(keys: Iterable[str], uses: Graph) -> tuple[list[str], list[str]]:
    """(each behind what it rests on, in the given order otherwise; those in circles or resting on one)."""
    waiting = {key: {one for one in uses[key] if one in uses} for key in keys}
    users: dict[str, list[str]] = {}
    for key, used in waiting.items():
        for one in used:
            users.setdefault(one, []).append(key)
    ready = [key for key, used in waiting.items() if not used]
    ordered = []
    for key in ready:
        ordered.append(key)
        for user in users.get(key, ()):
            waiting[user].discard(key)
            if not waiting[user]:
                ready.append(user)
    done = frozenset(ordered)
    return ordered, [key for key in waiting if key not in done]
