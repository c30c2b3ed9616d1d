"""One evaluation, step by step: the rules as they are written down, and what each of them found.

`explain` tells the steps; `snapshot` runs flags as compiled code and comes here for those that are broken or lead
back to themselves. Both answer the same.
"""

from base64 import urlsafe_b64encode
from dataclasses import dataclass
from fractions import Fraction
from hashlib import sha256
from typing import Any, Final, NamedTuple

from kbwork.flagengine import buckets, references
from kbwork.flagengine.clauses.operators import SEGMENT_MATCH, hits, test_of
from kbwork.flagengine.contexts import USER, Kinds
from kbwork.flagengine.json_values import index, is_number
from kbwork.flagengine.parts import (
    LISTS,
    Malformed,
    bucket_path,
    clause_path,
    hash_key_of,
    is_there,
    kind_of,
    list_of,
    rollout_of,
    salt_of,
    slice_of,
    variation_of,
    weight_of,
)
from kbwork.flagengine.reasons import BAD_CONTEXT, MALFORMED, NOT_FOUND, Detail, Reason

Step = dict[str, Any]
"""One thing that was tried: `step` says what, `flag` for which flag, the rest what was found."""


DEEPEST: Final = 40
"""So many flags and segments are evaluated within each other: each takes several frames of the interpreter."""


class Circle(Exception):
    """A prerequisite led back to a flag that is being evaluated."""


class _TooDeep(Exception):
    """Something is to be evaluated by itself first, before what leads to it."""

    def __init__(self, what: "_Waiting") -> None:
        self.what = what


class _Waiting(NamedTuple):
    """A flag, or a segment that this flag asks for."""

    flag: str
    segment: str | None = None


@dataclass(frozen=True, slots=True)
class Explained:
    """An answer and every step that led to it, in order."""

    detail: Detail
    steps: list[Step]


class Data:
    """Flags and segments by key, as they are stored; what reads broken is met when it is reached."""

    __slots__ = ("flags", "key_salt", "segments")

    def __init__(self, flags: object, segments: object, key_salt: object = None) -> None:
        self.flags: dict[str, Any] = flags if type(flags) is dict else {}
        self.segments: dict[str, Any] = segments if type(segments) is dict else {}
        self.key_salt = key_salt if type(key_salt) is str else None
        """Where it is text, lists of keys hold hashes instead of keys."""


def explain(data: Data, key: str, kinds: Kinds | None) -> Explained:
    """Evaluate a flag for a context made ready, with all steps. A default is the caller's to put in."""
    walk = Walk(data, kinds or {}, steps=[])
    detail = walk.detail(key, valid=kinds is not None)
    return Explained(detail, walk.steps or [])


class Walk:
    """One evaluation of one flag, with the prerequisites and segments that it reaches, each of them once.

    Those that stand deep behind others are evaluated by themselves first, so that a chain may be of any length.
    """

    def __init__(self, data: Data, kinds: Kinds, steps: list[Step] | None = None) -> None:
        self._data = data
        self._kinds = kinds
        self.steps = steps
        self._flags: list[str] = []
        """Those under way, the outermost first."""
        self._segments: list[str] = []
        """Those whose rules are being tried."""
        self._deep = 0
        self._details: dict[str, Detail] = {}
        self._contents: dict[str, tuple[bool, str] | Malformed] = {}
        """Segment -> whether the context is in it and by what, or how it is broken."""
        self._hashes: dict[str, str] = {}

    def detail(self, key: str, *, valid: bool = True) -> Detail:
        """The answer for a flag, from outside."""
        if not is_there(self._data.flags.get(key)):
            return NOT_FOUND
        if not valid:
            return BAD_CONTEXT
        try:
            self._settle(key)
        except Circle as circle:
            self._say("error", why=str(circle))
            return MALFORMED
        return self._details[key]

    def _settle(self, key: str) -> None:
        """Find the answer of a flag. Raises Circle."""
        waiting = [_Waiting(key)]
        while waiting:
            said = len(self.steps or ())
            try:
                self._find(waiting[-1])
            except _TooDeep as deeper:
                del (self.steps or [])[said:]  # they are said again
                if deeper.what not in waiting:
                    waiting.append(deeper.what)
                elif deeper.what.segment is None:
                    raise _circle(deeper.what.flag) from None
                else:
                    self._contents[deeper.what.segment] = _back_to_itself(deeper.what.segment)
            else:
                waiting.pop()

    def _find(self, what: _Waiting) -> None:
        """Find one answer, and those that it takes. Raises Circle or _TooDeep."""
        if what.segment is None:
            self._flag(what.flag)
            return
        self._flags.append(what.flag)
        try:
            self._content(what.segment, self._data.segments[what.segment])
        except Malformed as broken:
            self._contents[what.segment] = broken
        finally:
            self._flags.pop()

    def _flag(self, key: str) -> Detail:
        """The answer for a flag that is there. Raises Circle or _TooDeep."""
        if (known := self._details.get(key)) is not None:
            return known
        if key in self._flags:
            raise _circle(key)
        self._go_down(_Waiting(key))
        self._flags.append(key)
        segments, self._segments = self._segments, []
        try:
            found = self._decided(self._data.flags[key])
        except Malformed as broken:
            self._say("error", why=str(broken))
            found = MALFORMED
        finally:
            self._segments = segments
            self._flags.pop()
            self._deep -= 1
        self._details[key] = found
        return found

    def _go_down(self, what: _Waiting) -> None:
        if self._deep >= DEEPEST:
            raise _TooDeep(what)
        self._deep += 1

    def _decided(self, flag: Any) -> Detail:
        if type(flag) is not dict:
            raise Malformed("the flag is not an object")
        if flag.get("on") is not True:
            self._say("off", variation=flag.get("offVariation"))
            return self._off(flag, "DISABLED")
        failed = self._failed_prerequisite(flag)
        if failed is not None:
            return self._off(flag, "PREREQUISITE_FAILED", failed)
        for place, target in enumerate(list_of(flag, "targets")):
            if self._is_target(place, target):
                return self._served(flag, target.get("variation"), "TARGETING_MATCH")
        for place, rule in enumerate(list_of(flag, "rules")):
            if self._rule_fits(place, rule):
                name = rule.get("id")
                return self._serve(flag, rule, "TARGETING_MATCH", place, name if type(name) is str else None)
        fallthrough = flag.get("fallthrough")
        self._say("fallthrough")
        if type(fallthrough) is not dict:
            raise Malformed("the flag has no fallthrough")
        return self._serve(flag, fallthrough, "DEFAULT")

    # -- what is served -----------------------------------------------------------------------------

    def _off(self, flag: dict[str, Any], reason: Reason, prerequisite: str | None = None) -> Detail:
        place = flag.get("offVariation")
        if place is None:
            return Detail(None, None, reason, prerequisite_key=prerequisite)
        number, value = variation_of(flag, place)
        return Detail(value, number, reason, prerequisite_key=prerequisite)

    def _served(
        self,
        flag: dict[str, Any],
        place: Any,
        reason: Reason,
        rule_index: int | None = None,
        rule_id: str | None = None,
    ) -> Detail:
        number, value = variation_of(flag, place)
        return Detail(value, number, reason, rule_index, rule_id)

    def _serve(
        self,
        flag: dict[str, Any],
        source: dict[str, Any],
        reason: Reason,
        rule_index: int | None = None,
        rule_id: str | None = None,
    ) -> Detail:
        """What a rule or the fallthrough serves."""
        place = source.get("variation")
        if place is not None:
            return self._served(flag, place, reason, rule_index, rule_id)
        return self._served(flag, self._slice(flag, source.get("rollout")), "SPLIT", rule_index, rule_id)

    def _slice(self, flag: dict[str, Any], rollout: Any) -> Any:
        """The variation of the slice that the context falls into."""
        rollout = rollout_of(rollout)
        hashed, by = self._hashed(
            self._flags[-1], flag, rollout.get("bucketBy"), kind_of(rollout.get("contextKind"))
        )
        chosen: dict[str, Any] = {}
        sums = [Fraction(0)]
        for part in rollout["variations"]:
            chosen = slice_of(part)
            sums.append(sums[-1] + Fraction(weight_of(chosen)))
            if hashed < buckets.threshold(sums[-1]):
                break
        self._say(
            "rollout",
            hashed=by,
            bucket=buckets.share(hashed),
            sums=[float(total) for total in sums[1:]],
            variation=chosen.get("variation"),
        )
        return chosen.get("variation")

    def _hashed(self, key: str, owner: dict[str, Any], bucket_by: Any, kind: Any) -> tuple[bytes, str | None]:
        """(digest, the text that was hashed or None for bucket 0). Raises Malformed for a broken reference."""
        at = bucket_path(bucket_by)
        part = self._part(kind)
        value = None if part is None or at == references.KIND else references.find(part, at)
        text = buckets.hashed_text(value)
        if text is None:
            return buckets.ZERO, None
        return buckets.hashed(f"{hash_key_of(owner, key)}.{salt_of(owner)}.{text}".encode()), text

    # -- prerequisites ------------------------------------------------------------------------------

    def _failed_prerequisite(self, flag: dict[str, Any]) -> str | None:
        """The key of the first that is not satisfied."""
        for wanted in list_of(flag, "prerequisites"):
            key = wanted.get("key") if type(wanted) is dict else None
            if type(key) is not str:
                raise Malformed("a prerequisite names no flag")
            if not self._satisfied(key, index(wanted.get("variation"))):
                return key
        return None

    def _satisfied(self, key: str, wanted: int | None) -> bool:
        other = self._data.flags.get(key)
        if type(other) is not dict or other.get("archived") is True:
            self._say("prerequisite", key=key, wanted=wanted, matched=False, why="there is no such flag")
            return False
        if other.get("on") is not True:
            self._say("prerequisite", key=key, wanted=wanted, matched=False, why="the flag is off")
            return False
        detail = self._flag(key)
        matched = detail.variation is not None and detail.variation == wanted and detail.reason != "ERROR"
        self._say("prerequisite", key=key, wanted=wanted, served=detail.variation, matched=matched)
        return matched

    # -- targets, rules and clauses -----------------------------------------------------------------

    def _is_target(self, place: int, target: Any) -> bool:
        if type(target) is not dict:
            raise Malformed("a target is not an object")
        kind = kind_of(target.get("contextKind"))
        matched = self._has_key(kind, target.get("values"))
        self._say("target", index=place, contextKind=kind, variation=target.get("variation"), matched=matched)
        return matched

    def _has_key(self, kind: Any, keys: Any) -> bool:
        """Whether the part of this kind has one of these keys."""
        part = self._part(kind)
        return part is not None and type(keys) is list and self._known_as(kind, part["key"]) in keys

    def _known_as(self, kind: str, key: str) -> str:
        """A key as it stands in lists: itself, or its hash where lists are hashed."""
        if self._data.key_salt is None:
            return key
        if kind not in self._hashes:
            self._hashes[kind] = hashed_key(self._data.key_salt, kind, key)
        return self._hashes[kind]

    def _rule_fits(self, place: int, rule: Any) -> bool:
        if type(rule) is not dict:
            raise Malformed("a rule is not an object")
        matched = all(self._clause_fits(clause, rule=place) for clause in list_of(rule, "clauses"))
        self._say("rule", index=place, id=rule.get("id"), matched=matched)
        return matched

    def _clause_fits(self, clause: Any, **where: Any) -> bool:
        if type(clause) is not dict:
            raise Malformed("a clause is not an object")
        values = clause.get("values")
        values = values if type(values) is list else []
        negated = clause.get("negate") is True
        op = clause.get("op")
        if op == SEGMENT_MATCH:
            hit = any(self._in_segment(key) for key in values if type(key) is str)
            self._say("clause", **where, clause=clause, matched=hit is not negated)
            return hit is not negated
        found = self._found(clause)
        test = test_of(op, values) if type(op) is str else None
        matched, why = False, None
        if found is None:
            why = "the context has no such attribute"
        elif test is None:
            why = "the operator is not known"
        else:
            matched = self._hit(clause, test, found, values) is not negated
        self._say(
            "clause", **where, clause=clause, found=found, matched=matched, **({"why": why} if why else {})
        )
        return matched

    def _found(self, clause: dict[str, Any]) -> Any:
        """The attribute's value, or None where the context has none. Raises Malformed for a broken reference."""
        at = clause_path(clause)
        if at == references.KIND:
            return list(self._kinds)
        part = self._part(kind_of(clause.get("contextKind")))
        return None if part is None else references.find(part, at)

    def _hit(self, clause: dict[str, Any], test: Any, found: Any, values: list[Any]) -> bool:
        is_key = references.path(clause.get("attribute")) == references.KEY
        if self._data.key_salt is not None and clause.get("op") == "in" and is_key:
            return self._known_as(kind_of(clause.get("contextKind")), found) in values
        return hits(test, found)

    def _part(self, kind: Any) -> dict[str, Any] | None:
        return self._kinds.get(kind) if type(kind) is str else None

    # -- segments -----------------------------------------------------------------------------------

    def _in_segment(self, key: str) -> bool:
        segment = self._data.segments.get(key)
        if type(segment) is not dict:
            self._say("segment", key=key, matched=False, why="there is no such segment")
            return False
        matched, why = self._content(key, segment)
        self._say("segment", key=key, matched=matched, why=why)
        return matched

    def _content(self, key: str, segment: dict[str, Any]) -> tuple[bool, str]:
        known = self._contents.get(key)
        if known is None:
            known = self._contents[key] = self._contained(key, segment)
        elif isinstance(known, Malformed):
            raise known
        return known

    def _contained(self, key: str, segment: dict[str, Any]) -> tuple[bool, str]:
        """(whether the context is in it, by what)."""
        for name, contexts, answer in LISTS:
            if self._has_key(USER, segment.get(name)):
                return answer, name
            for entry in list_of(segment, contexts):
                if type(entry) is not dict:
                    raise Malformed(f"an entry of {contexts} of the segment {key} is not an object")
                if self._has_key(kind_of(entry.get("contextKind")), entry.get("values")):
                    return answer, contexts
        if key in self._segments:
            raise _back_to_itself(key)
        self._go_down(_Waiting(self._flags[-1], key))
        self._segments.append(key)
        try:
            for place, rule in enumerate(list_of(segment, "rules")):
                if self._segment_rule_fits(key, segment, place, rule):
                    return True, f"rule {place}"
        finally:
            self._segments.pop()
            self._deep -= 1
        return False, "nothing"

    def _segment_rule_fits(self, key: str, segment: dict[str, Any], place: int, rule: Any) -> bool:
        if type(rule) is not dict:
            raise Malformed(f"a rule of the segment {key} is not an object")
        if not all(self._clause_fits(clause, segment=key, rule=place) for clause in list_of(rule, "clauses")):
            return False
        weight = rule.get("weight")
        if weight is None:
            return True
        if not is_number(weight):
            raise Malformed(f"a weight of the segment {key} is no number")
        kind = kind_of(rule.get("rolloutContextKind"))
        hashed, by = self._hashed(key, segment, rule.get("bucketBy"), kind)
        inside = self._part(kind) is not None and hashed < buckets.threshold(Fraction(weight))
        self._say(
            "rollout", segment=key, hashed=by, bucket=buckets.share(hashed), sums=[weight], matched=inside
        )
        return inside

    def _say(self, step: str, **facts: Any) -> None:
        if self.steps is not None:
            self.steps.append({"step": step, "flag": self._flags[-1] if self._flags else None, **facts})


def _circle(flag: str) -> Circle:
    return Circle(f"the prerequisites lead back to the flag {flag}")


def _back_to_itself(segment: str) -> Malformed:
    return Malformed(f"the segment {segment} leads back to itself")


def hashed_key(salt: str, kind: str, key: str) -> str:
    """A key as client-side snapshots list it: 132 bits of SHA-256."""
    return urlsafe_b64encode(sha256(f"{salt}.{kind}.{key}".encode()).digest())[:22].decode()
