"""Contexts to hold flags against: those of a file, or some made up from what an export itself names."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kbwork.flagengine import contexts, references
from kbwork.flagengine.clauses.operators import SEGMENT_MATCH
from kbwork.flagengine.contexts import USER
from kbwork.launchdarkly.export import ExportedEnvironment, InvalidExport, read

Json = dict[str, Any]

_MOST_OF_RULES = 250
"""Contexts that are made to fit a rule, or a list of keys; of more than these a sample."""
_BY_CHANCE = 150
_CHANCES = 61
"""The seed: two runs over one file make the same contexts."""
_MOST_VALUES = 50
_MOST_ATTRIBUTES = 30
_APART = ("key", "kind", "_meta")
"""What of a context is no object, or no attribute."""
_STEPS = {"lessThan": -1, "before": -1, "greaterThan": 1, "after": 1}
_FAR = {
    "before": "1970-01-01T00:00:00Z",
    "after": "9999-12-31T23:59:59Z",
    "semVerLessThan": "0.0.0-0",
    "semVerGreaterThan": "99999.0.0",
}
"""Texts that almost every value of a clause is on the right side of."""


def from_file(path: Path) -> list[Json]:
    """The contexts of a JSON list. Raises InvalidExport with the place of one that is none."""
    found = read(path)
    if not isinstance(found, list):
        raise InvalidExport(f"{path} should be a list of contexts.")
    for place, one in enumerate(found):
        if contexts.prepare(one) is None:
            raise InvalidExport(
                f"{path}, context {place + 1}: should be an object with a key of text; of the kind multi, an object"
                " of such by kind.",
            )
    return found


def sample(places: Iterable[ExportedEnvironment]) -> list[Json]:
    """A few hundred that fit, and just miss, what flags and segments name."""
    words = _Words()
    for place in places:
        words.read(place)
    chance = random.Random(_CHANCES)  # noqa: S311 - a sample, no secret
    fitting = words.fitting
    if len(fitting) > _MOST_OF_RULES:
        fitting = chance.sample(fitting, _MOST_OF_RULES)
    return [_context(parts) for parts in fitting] + [words.any_of(chance) for _ in range(_BY_CHANCE)]


@dataclass(slots=True)
class _Words:
    """What an export names: keys by kind, values by kind and attribute."""

    keys: dict[str, list[str]] = field(default_factory=lambda: {USER: []})
    values: dict[str, dict[references.Path, list[Any]]] = field(default_factory=dict)
    fitting: list[dict[str, Json]] = field(default_factory=list)

    def read(self, place: ExportedEnvironment) -> None:
        for flag in place.flags.values():
            for target in (*(flag.get("targets") or []), *(flag.get("contextTargets") or [])):
                self._listed(target)
            for rule in flag.get("rules") or []:
                self._rule(rule)
            for source in (flag.get("fallthrough") or {}, *(flag.get("rules") or [])):
                rollout = source.get("rollout") or {}
                self._hashed_by(rollout.get("bucketBy"), rollout.get("contextKind"))
        for segment in place.segments.values():
            for name in ("included", "excluded"):
                self._listed({"values": segment.get(name)})
                for entry in segment.get(f"{name}Contexts") or []:
                    self._listed(entry)
            for rule in segment.get("rules") or []:
                self._rule(rule)
                self._hashed_by(rule.get("bucketBy"), rule.get("rolloutContextKind"))

    def any_of(self, chance: random.Random) -> Json:
        """One of some kinds, with some attributes, each of a value that was named or lies beside one."""
        kinds = [kind for kind in self.keys if chance.random() < (0.9 if kind == USER else 0.6)]
        parts: dict[str, Json] = {}
        for kind in kinds or [USER]:
            known = self.keys[kind]
            key = (
                chance.choice(known)
                if known and chance.random() < 0.3
                else f"context-{chance.randrange(10**6)}"
            )
            part: Json = {"key": key}
            named = list(self.values.get(kind, {}).items())
            for at, values in chance.sample(named, min(len(named), _MOST_ATTRIBUTES)):
                if chance.random() < 0.7:
                    value = _beside(chance.choice(values), chance)
                    _put(part, at, [value, "other"] if chance.random() < 0.1 else value)
            parts[kind] = part
        return _context(parts)

    def _listed(self, entry: Json) -> None:
        kind = entry.get("contextKind") or USER
        keys = [key for key in (entry.get("values") or [])[:_MOST_VALUES] if key]
        if keys and contexts.is_kind(kind):
            self.keys.setdefault(kind, []).extend(keys)
            self.fitting += [{kind: {"key": key}} for key in (keys[0], keys[-1])]

    def _rule(self, rule: Json) -> None:
        """One context that fits all clauses, as far as one value tells."""
        parts: dict[str, Json] = {}
        for clause in rule.get("clauses") or []:
            at = _path(clause.get("attribute"), clause.get("contextKind"))
            if clause.get("op") == SEGMENT_MATCH or at is None:
                continue
            kind = clause.get("contextKind") or USER
            values = (clause.get("values") or [])[:_MOST_VALUES]
            if at == references.KIND:
                self._kinds(parts, values)
                continue
            found = [value for one in values if (value := _fitting(clause, one)) is not None]
            if found and contexts.is_kind(kind):
                self._name(kind, at, found)
                value = "something else" if clause.get("negate") else found[0]
                _put(parts.setdefault(kind, {"key": f"context-{len(self.fitting)}"}), at, value)
        self.fitting.append(parts or {USER: {"key": f"context-{len(self.fitting)}"}})

    def _kinds(self, parts: dict[str, Json], values: list[Any]) -> None:
        for kind in filter(contexts.is_kind, values):
            self.keys.setdefault(kind, [])
            parts.setdefault(kind, {"key": f"context-{len(self.fitting)}"})

    def _hashed_by(self, bucket_by: str | None, kind: str | None) -> None:
        at = _path(bucket_by, kind) if bucket_by else None
        if contexts.is_kind(kind or USER):
            self.keys.setdefault(kind or USER, [])
            if at is not None and at != references.KIND:
                self._name(
                    kind or USER, at, [f"value-{number}" for number in range(_MOST_VALUES)] + [17, 1.5]
                )

    def _name(self, kind: str, at: references.Path, values: list[Any]) -> None:
        self.keys.setdefault(kind, [])
        if at == references.KEY:
            self.keys[kind] += [value for value in values if isinstance(value, str) and value]
        else:
            self.values.setdefault(kind, {}).setdefault(at, []).extend(values)


def _path(text: str | None, kind: str | None) -> references.Path | None:
    """Where an attribute stands that a context may have; without a kind theirs is a name as it is."""
    at = references.path(text) if kind else (text or "",)
    if at is None or (at[0] in _APART and at not in (references.KEY, references.KIND)):
        return None
    return at if at[0] else None


def _fitting(clause: Json, value: Any) -> Any:
    """A value of a context that satisfies the operator, mostly; None where none comes to mind."""
    op = clause.get("op") or ""
    if isinstance(value, bool):
        return value
    if isinstance(value, int | float):
        return value + _STEPS.get(op, 0)
    if not isinstance(value, str):
        return None
    if op == "matches":
        return _matching(value)
    if op in _FAR:
        return _FAR[op]
    return {"startsWith": f"{value}-x", "endsWith": f"x-{value}", "contains": f"x-{value}-x"}.get(op, value)


def _matching(pattern: str) -> str:
    """A text in which a simple pattern is found."""
    text = re.sub(r"\\b|[\^$()?*+]", "", re.sub(r"\[([^\\^\]])[^\]]*\]", r"\1", pattern))
    return re.sub(r"\\[dw]", "7", text).replace("\\", "") or "7"


def _beside(value: Any, chance: random.Random) -> Any:
    """The value itself, mostly; else one that lies beside it, or is of another type."""
    if chance.random() < 0.6:
        return value
    if isinstance(value, bool):
        return chance.choice([not value, int(value), str(value)])
    if isinstance(value, int | float):
        return chance.choice([value + 1, value - 1, -value, str(value)])
    if isinstance(value, str):
        return chance.choice([f"{value}x", value[:-1], value.upper(), [value], {"inner": value}, 7])
    return None


def _put(part: Json, at: references.Path, value: Any) -> None:
    """Set an attribute, with the objects on its way. A key stays text."""
    if at == references.KEY and not (isinstance(value, str) and value):
        return
    inner = part
    for name in at[:-1]:
        held = inner.get(name)
        if not isinstance(held, dict):
            held = inner[name] = {}
        inner = held
    inner[at[-1]] = value


def _context(parts: dict[str, Json]) -> Json:
    if len(parts) == 1:
        ((kind, part),) = parts.items()
        return part if kind == USER else {"kind": kind, **part}
    return {"kind": "multi", **parts}
