"""Flags as generated code: one function of the context's parts, made once, that answers as `evaluate` does.

Only sound flags are compiled. What is broken somewhere, leads back to itself or too far is left to the walk through
the rules, which meets what is broken when it reaches it. User data never enters the text of the code: it stands there
as named constants alone.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from fractions import Fraction
from functools import partial
from typing import Any, NamedTuple

from kbwork.flagengine import buckets, references
from kbwork.flagengine.clauses.operators import SEGMENT_MATCH, hits, numbers, test_of, texts
from kbwork.flagengine.contexts import USER, Kinds
from kbwork.flagengine.deltas import PARTS, Part
from kbwork.flagengine.evaluate import DEEPEST, Data, Walk
from kbwork.flagengine.json_values import differing, index
from kbwork.flagengine.parts import (
    LISTS,
    Malformed,
    bucket_path,
    clause_path,
    hash_key_of,
    kind_of,
    list_of,
    rollout_of,
    salt_of,
    slice_of,
    variation_of,
    weight_of,
)
from kbwork.flagengine.reasons import Detail, Reason

Decide = Callable[[Kinds], Detail]

_Place = tuple[str, references.Path]
"""An attribute: the kind of context, and where it stands in it."""

_FIGURES = (int, float)


_MOST_CALLS = 10_000
"""One evaluation by code takes so many calls at most: the walk answers each flag and segment once."""


class _Walked(Exception):
    """Is broken, leads back to itself or too far: it is walked through, and so is whoever leads here."""


_Name = tuple[Part, str]
"""A flag or a segment, by its key."""


class _Made(NamedTuple):
    """A function, how many stand in each other when it is called, and how many calls it takes at worst."""

    run: Any
    deep: int
    calls: int
    uses: frozenset[_Name]
    """What it asks for by itself, whether that is there or not: the function is void where one of these changes."""


class Compiler:
    """The functions of one snapshot, each made when it is first asked for.

    Those of the snapshot before stay, as long as the flag or segment, and all that it leads to, is the same object.
    """

    def __init__(self, data: Data, before: "Compiler | None" = None) -> None:
        self.data = data
        self.flags: dict[str, _Made | None] = {}
        """None stands for what is walked."""
        self.segments: dict[str, _Made | None] = {}
        self._deep = 0
        if before is not None and before.data.key_salt is None is data.key_salt:
            self._keep(before)

    def _keep(self, before: "Compiler") -> None:
        """Take over what is as it was. Others go on to ask the one before meanwhile: its functions are copied first."""
        flags, segments = dict(before.flags), dict(before.segments)
        void = {
            "flags": differing(before.data.flags, self.data.flags),
            "segments": differing(before.data.segments, self.data.segments),
        }
        leading: list[tuple[Part, str, frozenset[_Name]]] = []
        leading += [("flags", key, made.uses) for key, made in flags.items() if made and made.uses]
        leading += [("segments", key, made.uses) for key, made in segments.items() if made and made.uses]
        more = True
        while more:
            more = False
            for part, key, uses in leading:
                if key not in void[part] and any(name in void[of] for of, name in uses):
                    void[part].add(key)
                    more = True
        self.flags = {key: made for key, made in flags.items() if made and key not in void["flags"]}
        self.segments = {key: made for key, made in segments.items() if made and key not in void["segments"]}

    def shared(self, data: dict[str, Any]) -> dict[str, Any]:
        """The data of a snapshot that follows, in which what functions rest on is the same object unless it changed.

        1 and true are told apart, which are equal.
        """
        found = {part: dict(data[part]) for part in PARTS if type(data.get(part)) is dict}
        flags, segments = dict(self.flags), dict(self.segments)
        names: set[_Name] = {("flags", key) for key in flags} | {("segments", key) for key in segments}
        names = names.union(*(made.uses for made in (*flags.values(), *segments.values()) if made))
        for part, key in names:
            old = (self.data.flags if part == "flags" else self.data.segments).get(key)
            new = found.get(part, {}).get(key)
            if new is not None and old == new and repr(old) == repr(new):
                found[part][key] = old
        return data | found

    def flag(self, key: str) -> Decide:
        """The function of a flag that is there and not archived. Where lists of keys are hashed it is the walk."""
        if self.data.key_salt is None:
            with suppress(_Walked):
                made: Decide = self.prerequisite(key).run
                return made
        return lambda kinds: Walk(self.data, kinds).detail(key)

    def is_compiled(self, key: str) -> bool:
        """Whether the function of a flag is code of its own."""
        return self.flags.get(key) is not None

    def prerequisite(self, key: str) -> _Made:
        """The function of a flag that another one rests on. Raises _Walked."""
        return self._made(self.flags, key, _FlagCode)

    def segment(self, key: str) -> _Made:
        """The function of a segment that is there. Raises _Walked."""
        return self._made(self.segments, key, _SegmentCode)

    def _made(
        self, known: dict[str, _Made | None], key: str, code: "type[_FlagCode | _SegmentCode]"
    ) -> _Made:
        if key not in known:
            known[key] = None  # until it is made: whoever comes back here meets a circle
            known[key] = self._make(key, code)
        found = known[key]
        if found is None:
            raise _Walked
        return found

    def _make(self, key: str, code: "type[_FlagCode | _SegmentCode]") -> _Made:
        if self._deep > DEEPEST:
            raise _Walked
        self._deep += 1
        try:
            return code(self, self.data, key).made()
        except Malformed:
            raise _Walked from None
        finally:
            self._deep -= 1


_NOBODY: dict[str, Any] = {"key": None}
"""The part of a kind that the context does not have: no list names it, and it has no attributes."""


class _Code:
    """Lines of one function, and the constants that they name.

    What several clauses look at is read once, ahead of the first rule that does: rules of one flag mostly look at the
    same few attributes. What one clause looks at is read when the clause is reached.
    """

    def __init__(self, compiler: Compiler, data: Data, key: str) -> None:
        self._compiler = compiler
        self._data = data
        self._key = key
        self._names: dict[str, Any] = {}
        self._lines: list[str] = []
        self._deep = 0
        self._calls = 1
        self._parts: dict[str, str] = {}
        self._uses: Counter[_Place] = Counter()
        self._values: dict[_Place, tuple[str, str]] = {}
        self._asked: set[_Name] = set()

    def _constant(self, value: Any) -> str:
        name = f"c{len(self._names)}"
        self._names[name] = value
        return name

    def _add(self, *lines: str, depth: int = 1) -> None:
        self._lines.extend("    " * depth + line for line in lines)

    def _call(self, made: _Made) -> str:
        """The name of a function that this one calls. Raises _Walked where that leads too far."""
        self._deep = max(self._deep, made.deep + 1)
        self._calls += made.calls
        if self._deep > DEEPEST or self._calls > _MOST_CALLS:
            raise _Walked
        return self._constant(made.run)

    def _function(self) -> _Made:
        source = "\n".join(["def run(k):", *self._lines, ""])
        exec(compile(source, "<flag>", "exec"), self._names)  # noqa: S102  # made here, of constants' names
        return _Made(self._names["run"], self._deep, self._calls, frozenset(self._asked))

    def _part(self, kind: str) -> str:
        """The name of the part of this kind, which is read from here on."""
        if kind not in self._parts:
            self._parts[kind] = name = f"p{len(self._parts)}"
            self._add(f"{name} = k.get({self._constant(kind)}, {self._constant(_NOBODY)})")
        return self._parts[kind]

    def _look_ahead(self, rules: list[Any]) -> None:
        """Learn how many clauses look at each attribute."""
        clauses = (_object(clause) for rule in rules for clause in list_of(_object(rule), "clauses"))
        self._uses.update(_place(clause) for clause in clauses if clause.get("op") != SEGMENT_MATCH)

    def _value(self, place: _Place) -> tuple[str, str]:
        """(an expression of the type of what lies there, the name that has it then: None where there is nothing)."""
        if self._uses[place] == 1:
            return f"type(x := {self._reading(*place)})", "x"
        if place not in self._values:
            number = len(self._values)
            self._add(f"v{number} = {self._reading(*place)}", f"t{number} = type(v{number})")
            self._values[place] = f"t{number}", f"v{number}"
        return self._values[place]

    def _reading(self, kind: str, at: references.Path) -> str:
        if at == references.KIND:
            return "list(k)"
        part = self._part(kind)
        if len(at) == 1:
            return f"{part}.get({self._constant(at[0])})"
        return f"{self._constant(references.find)}({part}, {self._constant(at)})"

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
            named = dict.fromkeys(texts(values))
            self._asked.update(("segments", key) for key in named)
            asked = [
                f"{self._call(self._compiler.segment(key))}(k)"
                for key in named
                if type(self._data.segments.get(key)) is dict
            ]
            return f"{negated}({' or '.join(asked) or 'False'})"
        place = _place(clause)
        test = test_of(op, values) if type(op) is str else None
        if test is None:
            return "False"
        assert isinstance(op, str)
        typed, value = self._value(place)
        judged = f"{negated}{self._constant(partial(hits, test))}({value})"
        quick = self._quick(op, values, value)
        if quick is None:
            return f"{typed} is not {self._constant(type(None))} and {judged}"
        expression, types = quick
        return f"{negated}{expression} if {typed} {types} else {value} is not None and {judged}"

    def _quick(self, op: str, values: list[Any], value: str) -> tuple[str, str] | None:
        """(an expression, for values of which types): the usual type is judged at once, all else by the operator's
        test."""
        words, figures = texts(values), numbers(values)
        is_text = "is str"
        if op == "in":
            return f"{value} in {self._constant(frozenset(words))}", is_text
        if op in ("startsWith", "endsWith"):
            return f"{value}.{op.lower()}({self._constant(words)})", is_text
        if op == "contains" and len(words) == 1:
            return f"{self._constant(words[0])} in {value}", is_text
        if op in _ORDER and figures:
            sign, bound = _ORDER[op]
            return f"{value} {sign} {self._constant(bound(figures))}", f"in {self._constant(_FIGURES)}"
        return None

    def _digest(self, owner: dict[str, Any], bucket_by: Any, kind: str) -> str:
        """An expression of the digest by which a context falls into a slice; bucket 0 where it lacks what it is
        hashed by."""
        at = bucket_path(bucket_by)
        zero = self._constant(buckets.ZERO)
        if at == references.KIND:
            return zero
        text = f"{self._part(kind)}['key']"
        if at != references.KEY:
            text = f"{self._constant(buckets.hashed_text)}({self._reading(kind, at)})"
        prefix = self._constant(f"{hash_key_of(owner, self._key)}.{salt_of(owner)}.".encode())
        hashed = f"{self._constant(buckets.sha1)}({prefix} + h.encode()).digest()"
        return f"({zero} if (h := {text}) is None else {hashed})"


_ORDER: dict[str, tuple[str, Callable[[Any], Any]]] = {
    "lessThan": ("<", max),
    "lessThanOrEqual": ("<=", max),
    "greaterThan": (">", min),
    "greaterThanOrEqual": (">=", min),
}


class _FlagCode(_Code):
    """One flag."""

    def made(self) -> _Made:
        self._flag = flag = _object(self._data.flags[self._key])
        if flag.get("on") is not True:
            self._add(f"return {self._constant(self._off('DISABLED'))}")
        elif self._prerequisites():
            self._targets()
            self._rules()
            self._add(*self._served(_object(flag.get("fallthrough")), "DEFAULT"))
        return self._function()

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
            self._asked.add(("flags", key))
            other, number = self._data.flags.get(key), index(wanted.get("variation"))
            known = type(other) is dict and other.get("archived") is not True and other.get("on") is True
            decide = self._call(self._compiler.prerequisite(key)) if known else None
            failed = self._constant(self._off("PREREQUISITE_FAILED", key))
            if decide is None or number is None:
                self._add(f"return {failed}")
                return False
            self._add(f"if {decide}(k).variation != {self._constant(number)}: return {failed}")
        return True

    def _targets(self) -> None:
        for kind, answers in self._target_groups():
            part = self._part(kind)
            self._add(f"if (r := {self._constant(answers)}.get({part}['key'])) is not None: return r")

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
        rules = list_of(self._flag, "rules")
        self._look_ahead(rules)
        for place, rule in enumerate(rules):
            name = _object(rule).get("id")
            more = {"rule_index": place, "rule_id": name if type(name) is str else None}
            conditions, served = self._conditions(rule), self._served(rule, "TARGETING_MATCH", **more)
            self._add(f"if {conditions}:")
            self._add(*served, depth=2)

    def _served(self, source: dict[str, Any], reason: Reason, **more: Any) -> list[str]:
        """The lines that answer what a rule or the fallthrough serves."""
        place = source.get("variation")
        if place is not None:
            return [f"return {self._constant(self._detail(place, reason, **more))}"]
        rollout = rollout_of(source.get("rollout"))
        slices = [slice_of(part) for part in rollout["variations"]]
        totals = buckets.sums(weight_of(part) for part in slices)
        ends = [self._constant(buckets.threshold(total)) for total in totals]
        answers = [self._constant(self._detail(part.get("variation"), "SPLIT", **more)) for part in slices]
        digest = self._digest(self._flag, rollout.get("bucketBy"), _kind(rollout.get("contextKind")))
        return [
            f"d = {digest}",
            *(f"if d < {end}: return {answer}" for end, answer in zip(ends[:-1], answers[:-1], strict=True)),
            f"return {answers[-1]}",
        ]


class _SegmentCode(_Code):
    """One segment."""

    def made(self) -> _Made:
        segment = self._data.segments[self._key]
        for name, contexts, answer in LISTS:
            for kind, keys in _keys_by_kind(segment, name, contexts).items():
                named = self._constant(frozenset(keys))
                self._add(f"if {self._part(kind)}['key'] in {named}: return {answer}")
        rules = list_of(segment, "rules")
        self._look_ahead(rules)
        for rule in rules:
            condition = self._conditions(_object(rule))
            if rule.get("weight") is not None:
                kind = _kind(rule.get("rolloutContextKind"))
                digest = self._digest(segment, rule.get("bucketBy"), kind)
                end = self._constant(buckets.threshold(Fraction(weight_of(rule))))
                condition += f" and {self._part(kind)}['key'] is not None and {digest} < {end}"
            self._add(f"if {condition}: return True")
        self._add("return False")
        return self._function()


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


def _object(value: Any) -> dict[str, Any]:
    if type(value) is not dict:
        raise Malformed("a part is not an object")
    return value


def _place(clause: dict[str, Any]) -> _Place:
    """What a clause looks at."""
    at = clause_path(clause)
    return ("" if at == references.KIND else _kind(clause.get("contextKind"))), at


def _kind(kind: Any) -> str:
    """The kind of context that a part names. One that is not text matches none, which is left to the walk."""
    found = kind_of(kind)
    if type(found) is not str:
        raise Malformed("a kind is not text")
    return found
