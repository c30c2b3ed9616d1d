"""Flags as generated code: one function of the context's parts, made once, that answers as `evaluate` does.

Only sound flags are compiled. What is broken somewhere, or leads back to itself, is left to the walk through the
rules, which meets what is broken when it reaches it. User data never enters the text of the code: it stands there as
named constants alone.
"""

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from typing import Any

from kbwork.flagengine import bucketing, references
from kbwork.flagengine.contexts import USER, Kinds
from kbwork.flagengine.evaluate import Data, Walk
from kbwork.flagengine.operators import SEGMENT_MATCH, hits, numbers, test_of, texts
from kbwork.flagengine.parse import index
from kbwork.flagengine.parts import (
    LISTS,
    Malformed,
    bucket_path,
    clause_path,
    kind_of,
    list_of,
    rollout_of,
    salt_of,
    variation_of,
    weight_of,
)
from kbwork.flagengine.reasons import Detail, Reason

Decide = Callable[[Kinds], Detail]
Contains = Callable[[Kinds], bool]

_FIGURES = (int, float)


class _Circular(Exception):
    """Leads back to a flag on the way: whoever leads here has to be walked too."""


class Compiler:
    """The functions of one snapshot, each made when it is first asked for."""

    def __init__(self, data: Data) -> None:
        self._data = data
        self._flags: dict[str, Decide | None] = {}
        """None stands for a flag that leads to a circle."""
        self._segments: dict[str, Contains | None] = {}
        self._under_way: set[str] = set()
        self._sound: set[str] = set()

    def flag(self, key: str) -> Decide:
        """The function of a flag that is there and not archived. Where lists of keys are hashed it is the walk."""
        if self._data.key_salt is not None:
            return self._walk(key)
        try:
            return self.prerequisite(key)
        except _Circular:
            return self._walk(key)

    def is_compiled(self, key: str) -> bool:
        """Whether the function of a flag is code of its own."""
        return key in self._sound

    def _walk(self, key: str) -> Decide:
        return lambda kinds: Walk(self._data, kinds).detail(key)

    def prerequisite(self, key: str) -> Decide:
        """The same for a flag that another one rests on. Raises _Circular where it leads back to one on the way."""
        if key in self._flags:
            found = self._flags[key]
            if found is None:
                raise _Circular
            return found
        if key in self._under_way:
            raise _Circular
        self._under_way.add(key)
        try:
            made: Decide = _FlagCode(self, self._data, key).made()
            self._sound.add(key)
        except Malformed:
            made = self._walk(key)
        except _Circular:
            self._flags[key] = None
            raise
        finally:
            self._under_way.discard(key)
        self._flags[key] = made
        return made

    def segment(self, key: str) -> Contains:
        """The function of a segment that is there. Raises Malformed where it leads back to itself or is broken."""
        if key in self._segments:
            found = self._segments[key]
            if found is None:
                raise Malformed(f"the segment {key} leads back to itself, or is broken")
            return found
        self._segments[key] = None  # until it is made: whoever comes back here meets a circle
        made = _SegmentCode(self, self._data, key).made()
        self._segments[key] = made
        return made


class _Code:
    """Lines of one function, and the constants that they name."""

    def __init__(self, compiler: Compiler, data: Data, key: str) -> None:
        self._compiler = compiler
        self._data = data
        self._key = key
        self._names: dict[str, Any] = {}
        self._lines: list[str] = []

    def _constant(self, value: Any) -> str:
        name = f"c{len(self._names)}"
        self._names[name] = value
        return name

    def _add(self, line: str, *, depth: int = 1) -> None:
        self._lines.append("    " * depth + line)

    def _function(self) -> Any:
        source = "\n".join(["def run(k):", *self._lines, ""])
        exec(compile(source, "<flag>", "exec"), self._names)  # noqa: S102  # made here, of constants' names
        return self._names["run"]

    def _in_list(self, kind: str, keys: frozenset[str]) -> str:
        part = f"(p := k.get({self._constant(kind)})) is not None"
        return f"{part} and p['key'] in {self._constant(keys)}"

    def _conditions(self, rule: dict[str, Any]) -> str:
        """All clauses of a rule as one expression."""
        clauses = [self._clause(_object(clause)) for clause in list_of(rule, "clauses")]
        return " and ".join(f"({clause})" for clause in clauses) or "True"

    def _clause(self, clause: dict[str, Any]) -> str:
        values = clause.get("values")
        values = values if type(values) is list else []
        negated = "not " if clause.get("negate") is True else ""
        op = clause.get("op")
        if op == SEGMENT_MATCH:
            asked = [
                f"{self._constant(self._compiler.segment(key))}(k)"
                for key in dict.fromkeys(texts(values))
                if type(self._data.segments.get(key)) is dict
            ]
            return f"{negated}({' or '.join(asked) or 'False'})"
        found = self._found(clause)
        test = test_of(op, values) if type(op) is str else None
        if test is None:
            return "False"
        assert isinstance(op, str)
        return f"{found} and {negated}({self._hit(op, values, partial(hits, test))})"

    def _found(self, clause: dict[str, Any]) -> str:
        """An expression that is true where the attribute is there, which is `v` then."""
        at = clause_path(clause)
        if at == references.KIND:
            return "(v := list(k)) is not None"
        part = f"(p := k.get({self._constant(_kind(clause.get('contextKind')))})) is not None"
        if len(at) == 1:
            return f"{part} and (v := p.get({self._constant(at[0])})) is not None"
        find = self._constant(references.find)
        return f"{part} and (v := {find}(p, {self._constant(at)})) is not None"

    def _hit(self, op: str, values: list[Any], generic: Callable[[Any], bool]) -> str:
        """An expression over `v`: the usual type at once, all else by the operator's test."""
        otherwise = f"{self._constant(generic)}(v)"
        quick = self._quick(op, values)
        if quick is None:
            return otherwise
        expression, types = quick
        return f"{expression} if type(v) {types} else {otherwise}"

    def _quick(self, op: str, values: list[Any]) -> tuple[str, str] | None:
        words, figures = texts(values), numbers(values)
        is_text = "is str"
        if op == "in":
            return f"v in {self._constant(frozenset(words))}", is_text
        if op in ("startsWith", "endsWith"):
            return f"v.{op.lower()}({self._constant(words)})", is_text
        if op == "contains" and len(words) == 1:
            return f"{self._constant(words[0])} in v", is_text
        if op in _ORDER and figures:
            sign, bound = _ORDER[op]
            return f"v {sign} {self._constant(bound(figures))}", f"in {self._constant(_FIGURES)}"
        return None


_ORDER: dict[str, tuple[str, Callable[[Any], Any]]] = {
    "lessThan": ("<", max),
    "lessThanOrEqual": ("<=", max),
    "greaterThan": (">", min),
    "greaterThanOrEqual": (">=", min),
}


class _FlagCode(_Code):
    """One flag."""

    def made(self) -> Decide:
        self._flag = flag = _object(self._data.flags[self._key])
        if flag.get("on") is not True:
            self._add(f"return {self._constant(self._off('DISABLED'))}")
        elif self._prerequisites():
            self._targets()
            self._rules()
            self._serve(_object(flag.get("fallthrough")), "DEFAULT")
        decide: Decide = self._function()
        return decide

    def _off(self, reason: Reason, prerequisite: str | None = None) -> Detail:
        place = self._flag.get("offVariation")
        if place is None:
            return Detail(None, None, reason, prerequisite_key=prerequisite)
        return self._detail(place, reason, prerequisite_key=prerequisite)

    def _detail(self, place: Any, reason: Reason, **more: Any) -> Detail:
        number, value = variation_of(self._flag, place)
        return Detail(value, number, reason, **more)

    def _prerequisites(self) -> bool:
        """False where one can never be satisfied: what stands behind it is never reached."""
        for wanted in list_of(self._flag, "prerequisites"):
            key = _object(wanted).get("key")
            if type(key) is not str:
                raise Malformed("a prerequisite names no flag")
            other, number = self._data.flags.get(key), index(wanted.get("variation"))
            known = type(other) is dict and other.get("archived") is not True and other.get("on") is True
            decide = self._compiler.prerequisite(key) if known else None
            failed = self._constant(self._off("PREREQUISITE_FAILED", key))
            if decide is None or number is None:
                self._add(f"return {failed}")
                return False
            self._add(
                f"if {self._constant(decide)}(k).variation != {self._constant(number)}: return {failed}"
            )
        return True

    def _targets(self) -> None:
        for kind, answers in self._target_groups():
            self._add(f"p = k.get({self._constant(kind)})")
            self._add(
                f"if p is not None and (r := {self._constant(answers)}.get(p['key'])) is not None: return r"
            )

    def _target_groups(self) -> Iterator[tuple[str, dict[str, Detail]]]:
        """Targets of one kind that follow each other, as one look-up; the first that names a key decides."""
        kind, answers = "", dict[str, Detail]()
        for target in list_of(self._flag, "targets"):
            now = _kind(_object(target).get("contextKind"))
            if now != kind and answers:
                yield kind, answers
                answers = {}
            kind = now
            values = target.get("values")
            keys = texts(values) if type(values) is list else ()
            detail = self._detail(target.get("variation"), "TARGETING_MATCH") if keys else None
            for key in keys:
                answers.setdefault(key, detail)  # type: ignore[arg-type]  # there are keys: it is made
        if answers:
            yield kind, answers

    def _rules(self) -> None:
        for place, rule in enumerate(list_of(self._flag, "rules")):
            name = _object(rule).get("id")
            self._add(f"if {self._conditions(rule)}:")
            more = {"rule_index": place, "rule_id": name if type(name) is str else None}
            self._serve(rule, "TARGETING_MATCH", depth=2, **more)

    def _serve(self, source: dict[str, Any], reason: Reason, *, depth: int = 1, **more: Any) -> None:
        place = source.get("variation")
        if place is not None:
            self._add(f"return {self._constant(self._detail(place, reason, **more))}", depth=depth)
            return
        rollout = rollout_of(source.get("rollout"))
        slices = rollout["variations"]
        totals = bucketing.sums(weight_of(part) for part in slices)
        ends = [
            (bucketing.threshold(total), self._detail(part.get("variation"), "SPLIT", **more))
            for part, total in zip(slices, totals, strict=True)
        ]
        hashed = _hasher(self._key, self._flag, rollout.get("bucketBy"), rollout.get("contextKind"))
        self._add(f"return {self._constant(_split(hashed, ends))}(k)", depth=depth)


class _SegmentCode(_Code):
    """One segment."""

    def made(self) -> Contains:
        segment = self._data.segments[self._key]
        for name, contexts, answer in LISTS:
            for kind, keys in _keys_by_kind(segment, name, contexts).items():
                self._add(f"if {self._in_list(kind, frozenset(keys))}: return {answer}")
        for rule in list_of(segment, "rules"):
            condition = self._conditions(_object(rule))
            if rule.get("weight") is not None:
                hashed = _hasher(
                    self._key, segment, rule.get("bucketBy"), kind := rule.get("rolloutContextKind")
                )
                end = bucketing.threshold(Fraction(weight_of(rule)))
                part = f"k.get({self._constant(_kind(kind))}) is not None"
                condition += f" and {part} and {self._constant(hashed)}(k) < {self._constant(end)}"
            self._add(f"if {condition}: return True")
        self._add("return False")
        contains: Contains = self._function()
        return contains


def _keys_by_kind(segment: dict[str, Any], name: str, contexts: str) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    entries = [(USER, segment.get(name))]
    entries += [
        (_kind(_object(entry).get("contextKind")), entry.get("values"))
        for entry in list_of(segment, contexts)
    ]
    for kind, values in entries:
        if type(values) is list and (keys := texts(values)):
            found.setdefault(kind, set()).update(keys)
    return found


def _hasher(key: str, owner: dict[str, Any], bucket_by: Any, context_kind: Any) -> Callable[[Kinds], bytes]:
    """The digest by which a context falls into a slice; bucket 0 where it lacks what it is hashed by."""
    at = bucket_path(bucket_by)
    kind, prefix = _kind(context_kind), f"{key}.{salt_of(owner)}.".encode()
    zero, digest = bucketing.ZERO, bucketing.hashed
    if at == references.KEY:

        def by_key(kinds: Kinds) -> bytes:
            part = kinds.get(kind)
            return zero if part is None else digest(prefix + part["key"].encode())

        return by_key

    def by_attribute(kinds: Kinds) -> bytes:
        part = kinds.get(kind)
        value = None if part is None or at == references.KIND else references.find(part, at)
        text = bucketing.hashed_text(value)
        return zero if text is None else digest(prefix + text.encode())

    return by_attribute


def _split(hashed: Callable[[Kinds], bytes], ends: list[tuple[bytes, Detail]]) -> Decide:
    last = ends[-1][1]

    def split(kinds: Kinds) -> Detail:
        digest = hashed(kinds)
        for end, detail in ends:
            if digest < end:
                return detail
        return last

    return split


def _object(value: Any) -> dict[str, Any]:
    if type(value) is not dict:
        raise Malformed("a part is not an object")
    return value


def _kind(kind: Any) -> str:
    """The kind of context that a part names. One that is not text matches none, which is left to the walk."""
    found = kind_of(kind)
    if type(found) is not str:
        raise Malformed("a kind is not text")
    return found
