"""LaunchDarkly's published rules of evaluation, read straight: slow, plain, and apart from our own engine.

It holds what became of flags against what they were. Flags and segments are those that its SDKs read.
"""

from __future__ import annotations

import datetime
import hashlib
import re
from collections.abc import Callable
from functools import cache
from typing import Any, Literal, NamedTuple

import re2

Json = dict[str, Any]
Kinds = dict[str, Json]
"""Kind -> that part of the context."""

Kind = Literal["OFF", "PREREQUISITE_FAILED", "TARGET_MATCH", "RULE_MATCH", "FALLTHROUGH", "ERROR"]

_USER = "user"
_SCALE = float(0xFFFFFFFFFFFFFFF)
_TOTAL = 100_000.0
_TIME = re.compile(r"(\d{4}-\d\d-\d\d)[Tt](\d\d:\d\d:\d\d)(?:\.(\d+))?(?:[Zz]|([+-]\d\d:\d\d))", re.ASCII)
_NUMBER = r"(?:0|[1-9]\d{0,999})"
_VERSION = re.compile(
    rf"({_NUMBER})(?:\.({_NUMBER}))?(?:\.({_NUMBER}))?(?:-([0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.-]+)?", re.ASCII
)


class Evaluation(NamedTuple):
    """What a context gets: `value` and `variation` are None where the program's own default is served."""

    kind: Kind
    value: Any = None
    variation: int | None = None
    rule: int | None = None
    """Index of the rule that decided."""


class _Malformed(Exception):
    """The evaluation ends here, that of the flags that wait for this one too."""


def parts(context: Json) -> Kinds:
    """The parts of a context that is valid."""
    if context.get("kind") == "multi":
        return {kind: part for kind, part in context.items() if kind != "kind" and part is not None}
    return {context.get("kind") or _USER: context}


class LaunchDarklyEvaluator:
    """The flags and segments of an environment."""

    def __init__(self, flags: dict[str, Json], segments: dict[str, Json]) -> None:
        self._flags = flags
        self._segments = segments
        self._sets: dict[int, frozenset[str]] = {}
        """Lists of keys as sets, by the id of the list."""

    def answer(self, key: str, kinds: Kinds) -> Evaluation:
        """What a flag that is there answers."""
        try:
            return self._flag(self._flags[key], kinds, (key,))
        except _Malformed:
            return Evaluation("ERROR")

    def _flag(self, flag: Json, kinds: Kinds, path: tuple[str, ...]) -> Evaluation:
        """`path` is the flag under way with those that wait for it, the outermost first."""
        if not flag.get("on"):
            return _off(flag, "OFF")
        for wanted in flag.get("prerequisites") or []:
            if wanted["key"] in path:
                raise _Malformed
            other = self._flags.get(wanted["key"])
            if other is None:
                return _off(flag, "PREREQUISITE_FAILED")
            found = self._flag(other, kinds, (*path, wanted["key"]))
            if not other.get("on") or found.variation != wanted["variation"]:
                return _off(flag, "PREREQUISITE_FAILED")
        for target in targets(flag):
            if self._listed(target, kinds):
                return _variation(flag, target.get("variation"), "TARGET_MATCH")
        for number, rule in enumerate(flag.get("rules") or []):
            if self._fits(rule, kinds, ()):
                found = _served(flag, rule, kinds, "RULE_MATCH")
                return found if found.kind == "ERROR" else found._replace(rule=number)
        return _served(flag, flag.get("fallthrough") or {}, kinds, "FALLTHROUGH")

    def _fits(self, rule: Json, kinds: Kinds, path: tuple[str, ...]) -> bool:
        return all(self._clause(clause, kinds, path) for clause in rule.get("clauses") or [])

    def _clause(self, clause: Json, kinds: Kinds, path: tuple[str, ...]) -> bool:
        values, negated = clause.get("values") or [], bool(clause.get("negate"))
        if clause.get("op") == "segmentMatch":
            return any(self._inside(key, kinds, path) for key in values) is not negated
        names = _reference(clause.get("attribute") or "", clause.get("contextKind"))
        if names == ["kind"]:
            return any(_hits(clause, kind) for kind in kinds) is not negated
        found = _lookup(kinds.get(clause.get("contextKind") or _USER), names)
        if found is None:
            return False
        return (
            any(_hits(clause, one) for one in (found if isinstance(found, list) else [found])) is not negated
        )

    def _inside(self, key: Any, kinds: Kinds, path: tuple[str, ...]) -> bool:
        """`path` is the segments whose rules are being tried."""
        segment = self._segments.get(key) if isinstance(key, str) else None
        if segment is None:
            return False
        if key in path:
            raise _Malformed
        for name, answer in (("included", True), ("excluded", False)):
            entries = [{"values": segment.get(name) or []}, *(segment.get(f"{name}Contexts") or [])]
            if any(self._listed(entry, kinds) for entry in entries):
                return answer
        return any(
            self._fits(rule, kinds, (*path, key)) and _within(segment, rule, kinds)
            for rule in segment.get("rules") or []
        )

    def _listed(self, entry: Json, kinds: Kinds) -> bool:
        """Whether a list of keys has that of the context's part of its kind."""
        part, values = kinds.get(entry.get("contextKind") or _USER), entry.get("values")
        if part is None or not values:
            return False
        keys = self._sets.get(id(values))
        if keys is None:
            keys = self._sets[id(values)] = frozenset(values)
        return part["key"] in keys


def targets(flag: Json) -> list[Json]:
    """The lists of keys in the order in which they are looked at.

    Where there are lists by kind of context, those say the order, and an entry for users stands for the first list of
    users that serves the same variation.
    """
    users: list[Json] = [{**one, "contextKind": _USER} for one in flag.get("targets") or []]
    by_kind = flag.get("contextTargets") or []
    if not by_kind:
        return [{**one, "values": one.get("values") or []} for one in users]
    found = []
    for entry in by_kind:
        one: Json = entry
        if (entry.get("contextKind") or _USER) == _USER:
            mine = (user for user in users if user.get("variation") == entry.get("variation"))
            one = {**entry, "values": next(mine, {}).get("values")}
        found.append({**one, "values": one.get("values") or []})
    return found


def _off(flag: Json, kind: Kind) -> Evaluation:
    if flag.get("offVariation") is None:
        return Evaluation(kind)
    return _variation(flag, flag["offVariation"], kind)


def _variation(flag: Json, number: Any, kind: Kind) -> Evaluation:
    values = flag["variations"]
    if number is None or not 0 <= number < len(values):
        return Evaluation("ERROR")
    return Evaluation(kind, values[int(number)], int(number))


def _served(flag: Json, source: Json, kinds: Kinds, kind: Kind) -> Evaluation:
    if source.get("variation") is not None:
        return _variation(flag, source["variation"], kind)
    rollout = source.get("rollout") or {}
    slices = rollout.get("variations") or []
    if not slices:
        return Evaluation("ERROR")
    bucket = _bucket(flag, rollout.get("bucketBy"), rollout.get("contextKind"), kinds) or 0.0
    total = 0.0
    for part in slices:
        total += part["weight"] / _TOTAL
        if bucket < total:
            return _variation(flag, part["variation"], kind)
    return _variation(flag, slices[-1]["variation"], kind)


def _within(segment: Json, rule: Json, kinds: Kinds) -> bool:
    """Whether the share of a segment's rule holds the context; it never holds one without that kind."""
    if rule.get("weight") is None:
        return True
    bucket = _bucket(segment, rule.get("bucketBy"), rule.get("rolloutContextKind"), kinds)
    return bucket is not None and bucket < rule["weight"] / _TOTAL


def _bucket(owner: Json, bucket_by: str | None, kind: str | None, kinds: Kinds) -> float | None:
    """A share of 1 by the flag's or segment's key and salt; None where the context has no part of this kind."""
    part = kinds.get(kind or _USER)
    if part is None:
        return None
    names = _reference(bucket_by, kind) if bucket_by else ["key"]
    text = kind or _USER if names == ["kind"] else _hashable(_lookup(part, names))
    if text is None:
        return 0.0
    hashed = hashlib.sha1(f"{owner['key']}.{owner.get('salt') or ''}.{text}".encode(), usedforsecurity=False)
    return int(hashed.hexdigest()[:15], 16) / _SCALE


def _hashable(value: Any) -> str | None:
    if isinstance(value, str):
        return value
    if isinstance(value, bool) or not isinstance(value, int | float) or value != int(value):
        return None
    return str(int(value))


def _reference(text: str, kind: str | None) -> list[str]:
    """The names along the way to an attribute. Where no kind is said the text is a name, slashes and all."""
    if text in ("", "/") and (kind or not text):
        raise _Malformed
    if not kind or not text.startswith("/"):
        return [text]
    names = text[1:].split("/")
    if "" in names or re.search(r"~(?![01])", text):
        raise _Malformed
    return [name.replace("~1", "/").replace("~0", "~") for name in names]


def _lookup(part: Json | None, names: list[str]) -> Any:
    if part is None or names[0] in ("kind", "_meta"):
        return None
    value: Any = {"anonymous": False} | {name: one for name, one in part.items() if one is not None}
    for name in names:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def _hits(clause: Json, value: Any) -> bool:
    test = _TESTS.get(clause.get("op") or "")
    return test is not None and any(test(value, wanted) for wanted in clause.get("values") or [])


def _equal(value: Any, wanted: Any) -> bool:
    return isinstance(value, bool) == isinstance(wanted, bool) and bool(value == wanted)


def _compared(read: Callable[[Any], Any], *signs: int) -> Callable[[Any, Any], bool]:
    """A test of how two values that can be read stand to each other: -1 before, 0 equal, 1 behind."""

    def test(value: Any, wanted: Any) -> bool:
        mine, other = read(value), read(wanted)
        return mine is not None and other is not None and (mine > other) - (mine < other) in signs

    return test


def _of_texts(holds: Callable[[str, str], bool]) -> Callable[[Any, Any], bool]:
    return lambda value, wanted: isinstance(value, str) and isinstance(wanted, str) and holds(value, wanted)


def _number(value: Any) -> float | None:
    return None if isinstance(value, bool) or not isinstance(value, int | float) else float(value)


def _time(value: Any) -> float | None:
    """Milliseconds since 1970 of a number of such, or of RFC 3339 text."""
    found = _TIME.fullmatch(value) if isinstance(value, str) else None
    if found is None:
        return _number(value)
    day, hour, fraction, zone = found.groups()
    try:
        read = datetime.datetime.fromisoformat(f"{day}T{hour}{zone or '+00:00'}")
    except ValueError:
        return None
    since = read - datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)
    return (since.days * 86_400 + since.seconds) * 1000.0 + int((fraction or "0")[:3].ljust(3, "0"))


def _version(value: Any) -> Any:
    """What compares as Semantic Versioning says, with missing numbers as 0."""
    found = _VERSION.fullmatch(value) if isinstance(value, str) else None
    if found is None:
        return None
    names = (found[4] or "").split(".")
    if found[4] and any(not name or re.fullmatch(r"0\d+", name) for name in names):
        return None
    numbers = [int(part or 0) for part in found.groups()[:3]]
    before = [(0, int(name), "") if name.isdigit() else (1, 0, name) for name in names if name]
    return (*numbers, not before, before)


@cache
def _pattern(text: str) -> Any:
    """What finds a regular expression, without ever hanging; None where it is none."""
    plain = re.sub(r"\\(?:u([0-9A-Fa-f]{4})|(.))", _escape, text, flags=re.DOTALL)
    options = re2.Options()
    options.log_errors = False
    try:
        return re2.compile(plain, options)
    except re2.error:
        return None


def _escape(found: re.Match[str]) -> str:
    return f"\\x{{{found[1]}}}" if found[1] else found[0]


def _found(value: str, pattern: str) -> bool:
    compiled = _pattern(pattern)
    return compiled is not None and compiled.search(value) is not None


_TESTS: dict[str, Callable[[Any, Any], bool]] = {
    "in": _equal,
    "startsWith": _of_texts(str.startswith),
    "endsWith": _of_texts(str.endswith),
    "contains": _of_texts(lambda value, wanted: wanted in value),
    "matches": _of_texts(_found),
    "lessThan": _compared(_number, -1),
    "lessThanOrEqual": _compared(_number, -1, 0),
    "greaterThan": _compared(_number, 1),
    "greaterThanOrEqual": _compared(_number, 1, 0),
    "before": _compared(_time, -1),
    "after": _compared(_time, 1),
    "semVerEqual": _compared(_version, 0),
    "semVerLessThan": _compared(_version, -1),
    "semVerGreaterThan": _compared(_version, 1),
}
