"""The rules of evaluation, each by a case that would tell another reading of it."""

import json
from typing import Any

import pytest

from kbwork.contract import FOLDER
from kbwork.flagengine import Context, Snapshot, json_values
from kbwork.flagengine.buckets import MOST, hashed
from kbwork.flagengine.evaluate import hashed_key
from kbwork.flagengine.json_values import clean, loads

VECTORS = FOLDER / "flag-vectors.json"
USER = {"key": "mira"}


def flag(**changed: Any) -> dict[str, Any]:
    return {
        "on": True,
        "offVariation": 2,
        "fallthrough": {"variation": 1},
        "salt": "s",
        "variations": [{"value": "yes"}, {"value": "no"}, {"value": "off"}],
        **changed,
    }


def asked(
    context: Any, found: dict[str, Any], segments: dict[str, Any] | None = None, **others: Any
) -> tuple[Any, ...]:
    """(value, reason and what else is told) of the flag `f`, the same on both roads."""
    snapshot = Snapshot.of({"flags": {"f": found, **others}, "segments": segments or {}})
    detail = snapshot.evaluate("f", context, "mine")
    assert snapshot.explain("f", context).detail.as_json() | {"value": detail.value} == detail.as_json()
    more = (detail.rule_index, detail.prerequisite_key, detail.error_kind)
    return (detail.value, detail.reason, *(each for each in more if each is not None))


def hit(context: Any, segments: dict[str, Any] | None = None, **clause: Any) -> bool:
    """Whether a clause matches."""
    value, *_ = asked(context, flag(rules=[{"clauses": [clause], "variation": 0}]), segments)
    assert value in ("yes", "no")
    return bool(value == "yes")


MALFORMED = ("mine", "ERROR", "MALFORMED_FLAG")
INVALID = ("mine", "ERROR", "INVALID_CONTEXT")
MISSING = ("mine", "ERROR", "FLAG_NOT_FOUND")


def test_every_question_that_libraries_are_held_to_is_answered_so() -> None:
    cases = loads(VECTORS.read_bytes())
    assert len(cases) > 150
    for case in cases:
        snapshot = Snapshot({"flags": case["flags"], "segments": case["segments"]})
        found = snapshot.evaluate(case["flagKey"], case["context"], case["default"], case["valueType"])
        assert json.dumps(found.as_json(), sort_keys=True) == json.dumps(case["expected"], sort_keys=True), (
            case["name"]
        )


@pytest.mark.parametrize(
    "context",
    [
        None,
        [],
        {},
        {"key": ""},
        {"key": 7},
        {"key": None},
        {"kind": "kind", "key": "a"},
        {"kind": "a b", "key": "a"},
        {"kind": "", "key": "a"},
        {"kind": 1, "key": "a"},
        {"kind": "multi"},
        {"kind": "multi", "user": "a"},
        {"kind": "multi", "user": {"key": ""}},
        {"kind": "multi", "multi": {"key": "a"}},
        {"kind": "multi", "user": {"key": "a"}, "a b": {"key": "a"}},
    ],
)
def test_a_context_that_is_none_is_told_before_the_flag_is_looked_at(context: Any) -> None:
    assert asked(context, flag(on=False)) == INVALID
    assert asked(context, flag(archived=True)) == MISSING


@pytest.mark.parametrize(
    "context",
    [
        {"key": "a", "kind": None},
        {"kind": "multi", "user": {"key": "a"}, "device": None},
        {"kind": "multi", "user": {"key": "a", "kind": "device"}},
        {"kind": "a.B_c-1", "key": "\ud800"},
    ],
)
def test_a_context_that_may_look_odd_is_one(context: Any) -> None:
    assert asked(context, flag()) == ("no", "DEFAULT")


def test_what_is_off_serves_its_off_variation_or_the_callers_default() -> None:
    assert asked(USER, flag(on=False)) == ("off", "DISABLED")
    assert asked(USER, flag(on=False, offVariation=None)) == ("mine", "DISABLED")
    assert asked(USER, flag(on=False, offVariation=3)) == MALFORMED
    assert asked(USER, flag(on=False, offVariation=1.0)) == ("no", "DISABLED")
    assert asked(USER, flag(on=False, offVariation=True)) == MALFORMED
    assert asked(USER, flag(on=False, prerequisites=[{"key": "f", "variation": 0}])) == ("off", "DISABLED")


def test_what_is_broken_counts_where_it_is_reached() -> None:
    broken = {"clauses": [{"op": "in", "attribute": "/", "values": ["a"]}], "variation": 0}
    behind = {
        "clauses": [{"op": "in", "attribute": "plan", "values": ["b"]}, *broken["clauses"]],  # type: ignore[misc]
        "variation": 0,
    }
    assert asked(USER, flag(rules=[broken])) == MALFORMED
    assert asked({"kind": "device", "key": "a"}, flag(rules=[broken])) == MALFORMED
    assert asked(USER, flag(rules=[behind])) == ("no", "DEFAULT")
    assert asked(USER, flag(rules=[{"clauses": [], "variation": 0}, broken])) == ("yes", "TARGETING_MATCH", 0)
    assert asked(USER, flag(fallthrough={})) == MALFORMED
    assert asked(USER, flag(fallthrough={"rollout": {"variations": []}})) == MALFORMED
    both = {"variation": 0, "rollout": {"variations": []}}
    assert asked(USER, flag(fallthrough=both)) == ("yes", "DEFAULT")


def test_a_typed_call_gets_its_type_or_the_default() -> None:
    values = [{"value": True}, {"value": 1}, {"value": "1"}, {"value": None}]

    def typed(place: int, wanted: Any) -> tuple[Any, str | None]:
        one = flag(variations=values, fallthrough={"variation": place})
        detail = Snapshot.of({"flags": {"f": one}}).evaluate("f", USER, "mine", wanted)
        return detail.value, detail.error_kind

    assert typed(0, "boolean") == (True, None)
    assert typed(0, "number") == ("mine", "WRONG_TYPE")
    assert typed(1, "number") == (1, None)
    assert typed(1, "boolean") == ("mine", "WRONG_TYPE")
    assert typed(2, "string") == ("1", None)
    assert typed(3, "string") == ("mine", "WRONG_TYPE")
    assert typed(3, "any") == (None, None)


def test_the_first_target_decides_between_kinds() -> None:
    targets = [
        {"contextKind": "org", "variation": 0, "values": ["acme"]},
        {"variation": 1, "values": ["mira"]},
        {"contextKind": "org", "variation": 2, "values": ["acme"]},
    ]
    both = {"kind": "multi", "user": {"key": "mira"}, "org": {"key": "acme"}}
    assert asked(both, flag(targets=targets)) == ("yes", "TARGETING_MATCH")
    assert asked(both, flag(targets=targets[1:])) == ("no", "TARGETING_MATCH")
    assert asked({"key": "acme"}, flag(targets=targets)) == ("no", "DEFAULT")


@pytest.mark.parametrize(
    ("reference", "found"),
    [
        ("plan", True),
        ("/plan", True),
        ("/a/b", True),
        ("/a/b/c", False),
        ("/tags/0", False),
        ("a/b~1", True),
        ("/~01x", True),
        ("/~1y", True),
        ("_meta", False),
        ("/_meta/plan", False),
        ("/kind/x", False),
        ("nothing", False),
    ],
)
def test_references_walk_objects_only(reference: str, found: bool) -> None:
    context = USER | {
        "plan": "x",
        "a": {"b": "x"},
        "tags": ["x"],
        "a/b~1": "x",
        "~1x": "x",
        "/y": "x",
        "_meta": {"plan": "x"},
    }
    assert hit(context, op="in", attribute=reference, values=["x"]) is found
    assert hit(context, op="in", attribute=reference, values=["q"], negate=True) is found


@pytest.mark.parametrize("reference", [None, "", "/", "//", "/a/", "/a//b", "/~", "/~2", "/a/~x", 7])
def test_a_malformed_reference_breaks_the_flag(reference: Any) -> None:
    clause = {"op": "in", "attribute": reference, "values": ["x"]}
    assert asked(USER, flag(rules=[{"clauses": [clause], "variation": 0}])) == MALFORMED
    rollout = {
        "variations": [{"variation": 0, "weight": 100_000}],
        "bucketBy": reference,
        "contextKind": "org",
    }
    expected = ("yes", "SPLIT") if reference is None else MALFORMED
    assert asked(USER, flag(fallthrough={"rollout": rollout})) == expected


def test_what_is_absent_fails_negated_or_not() -> None:
    for negate in (True, False):
        assert not hit(USER, op="in", attribute="plan", values=["x"], negate=negate)
        assert not hit(USER | {"plan": None}, op="in", attribute="plan", values=["x"], negate=negate)
        assert not hit(USER, op="in", attribute="key", contextKind="org", values=["x"], negate=negate)
        assert not hit(USER, op="resembles", attribute="key", values=["mira"], negate=negate)
    assert hit(USER, op="in", attribute="anonymous", values=[False])
    assert hit(USER | {"tags": []}, op="in", attribute="tags", values=["x"], negate=True)
    assert not hit(USER | {"tags": []}, op="in", attribute="tags", values=["x"])


def test_the_kind_attribute_is_every_kind() -> None:
    both = {"kind": "multi", "user": {"key": "a"}, "org": {"key": "b"}}
    assert hit(both, op="in", attribute="kind", contextKind="device", values=["org"])
    assert hit(both, op="startsWith", attribute="/kind", values=["o"])
    assert not hit(both, op="in", attribute="kind", values=["org"], negate=True)


@pytest.mark.parametrize(
    ("op", "given", "values", "expected"),
    [
        ("in", 1, [True], False),
        ("in", True, [1], False),
        ("in", 1, ["1"], False),
        ("in", 5, [5.0], True),
        ("in", -0.0, [0], True),
        ("in", 9007199254740993, [9007199254740992], True),
        ("in", float("inf"), [float("inf")], False),
        ("in", 10**400, [10**400], False),
        ("in", [["x"]], ["x"], False),
        ("in", {"a": 1}, [{"a": 1}], False),
        ("in", ["y", "x"], ["x"], True),
        ("startsWith", "abc", [""], True),
        ("startsWith", "abc", ["B", "b"], False),
        ("endsWith", "abc", ["c"], True),
        ("contains", "aé", ["é"], True),
        ("contains", "aé", ["e"], False),
        ("contains", 12, ["1"], False),
        ("matches", "a\nb", ["a$"], False),
        ("matches", "xay", ["a"], True),
        ("matches", "x", ["(", "x"], True),
        ("lessThan", 5, [1, 9], True),
        ("lessThan", 9, [1, 9], False),
        ("lessThanOrEqual", 9, [1, 9], True),
        ("greaterThan", 2, [1, 9], True),
        ("greaterThanOrEqual", 1, [1, 9], True),
        ("greaterThan", "2", [1], False),
        ("greaterThan", True, [0], False),
        ("lessThan", 1, ["2"], False),
        ("before", "2024-02-29T00:00:00Z", ["2024-02-29T00:00:00.001Z"], True),
        ("before", 5, ["1970-01-01T00:00:00.005Z"], False),
        ("after", "2024-03-01T01:00:00+02:00", ["2024-02-29T22:59:59Z"], True),
        ("after", "1709200800000", [0], False),
        ("semVerEqual", "2", ["2.0.0+build"], True),
        ("semVerEqual", 2, ["2"], False),
        ("semVerLessThan", "2-rc", ["2"], True),
        ("semVerGreaterThan", "1.0.0-alpha.10", ["1.0.0-alpha.9"], True),
        ("semVerGreaterThan", "1.0.0-alpha.1", ["1.0.0-alpha.beta"], False),
        ("semVerGreaterThan", f"{'9' * 5000}.0", ["1.0"], True),
    ],
)
def test_operators(op: str, given: Any, values: list[Any], expected: bool) -> None:
    assert hit(USER | {"a": given}, op=op, attribute="a", values=values) is expected
    if given not in (float("inf"), 10**400):
        assert hit(USER | {"a": given}, op=op, attribute="a", values=values, negate=True) is not expected
        assert hit(USER | {"a": [given]}, op=op, attribute="a", values=values) is (
            expected if not isinstance(given, list) else False
        )


def test_a_segment_is_asked_in_its_order() -> None:
    both = {"kind": "multi", "user": {"key": "mira"}, "org": {"key": "acme"}}
    everywhere = {
        "included": ["mira"],
        "excluded": ["mira"],
        "includedContexts": [{"contextKind": "org", "values": ["acme"]}],
        "excludedContexts": [{"contextKind": "org", "values": ["acme"]}],
        "rules": [{}],
    }

    def inside(context: Any, **changed: Any) -> bool:
        return hit(context, {"s": everywhere | changed}, op="segmentMatch", values=["s"])

    assert inside(both)
    assert inside(both, included=[])
    assert not inside(both, included=[], includedContexts=[])
    assert not inside(both, included=[], includedContexts=[], excluded=[])
    assert inside(both, included=[], includedContexts=[], excluded=[], excludedContexts=[])
    assert inside({"kind": "org", "key": "acme"})
    assert not inside({"kind": "org", "key": "mira"}, rules=[])
    assert hit(both, op="segmentMatch", values=["unknown", 7], negate=True)
    assert hit({"kind": "org", "key": "x"}, {"s": {}}, op="segmentMatch", values=["s"], negate=True)


def test_a_segment_that_leads_back_breaks_the_flag_that_reaches_it() -> None:
    def of(key: str) -> dict[str, Any]:
        return {"rules": [{"clauses": [{"op": "segmentMatch", "values": [key]}]}]}

    rule = {"clauses": [{"op": "segmentMatch", "values": ["s"]}], "variation": 0}
    circle = {"s": of("t"), "t": of("s")}
    assert asked(USER, flag(rules=[rule]), circle) == MALFORMED
    assert asked(USER, flag(rules=[rule]), circle | {"t": of("s") | {"included": ["mira"]}}) == (
        "yes",
        "TARGETING_MATCH",
        0,
    )
    waiting = flag(prerequisites=[{"key": "p", "variation": 0}])
    assert asked(USER, waiting, circle, p=flag(rules=[rule])) == ("off", "PREREQUISITE_FAILED", "p")


def test_the_share_of_a_segment_rule() -> None:
    def inside(context: Any, **rule: Any) -> bool:
        return hit(context, {"s": {"salt": "q", "rules": [rule]}}, op="segmentMatch", values=["s"])

    assert inside(USER, weight=100_000)
    assert not inside(USER, weight=0)
    assert inside(USER, weight=1, bucketBy="nothing")
    assert not inside(USER, weight=0, bucketBy="nothing")
    assert not inside(USER, weight=100_000, rolloutContextKind="org")
    bucket = int.from_bytes(hashed(b"s.q.mira")[:8]) >> 4
    just = -(-bucket * 100_000 // MOST)
    assert inside(USER, weight=just + 1)
    assert not inside(USER, weight=just - 1)


def split(*weights: float, **more: Any) -> dict[str, Any]:
    slices = [{"variation": place, "weight": weight} for place, weight in enumerate(weights)]
    return flag(fallthrough={"rollout": {"variations": slices, **more}})


def test_rollouts_are_exact() -> None:
    bucket = int.from_bytes(hashed(b"f.s.mira")[:8]) >> 4
    over = -(-bucket * 100_000 // MOST)
    assert asked(USER, split(over, 100_000 - over)) == ("yes", "SPLIT")
    assert asked(USER, split(over - 1, 100_001 - over)) == ("no", "SPLIT")
    assert asked(USER, split(0, 0, 0)) == ("off", "SPLIT")
    assert asked(USER, split(150_000)) == ("yes", "SPLIT")
    assert asked(USER, split(0, 100_000, contextKind="org")) == ("no", "SPLIT")
    assert asked(USER, split(100_000, "x")) == ("yes", "SPLIT")  # type: ignore[arg-type]  # it is not reached
    assert asked(USER, split(0, "x")) == MALFORMED  # type: ignore[arg-type]
    assert asked(
        USER, flag(fallthrough={"rollout": {"variations": [{"variation": 0, "weight": 100_000}, None]}})
    ) == (
        "yes",
        "SPLIT",
    )
    assert asked(USER, split(0, 0, 0, 100_000)) == MALFORMED


@pytest.mark.parametrize(
    ("value", "text"),
    [(42, b"42"), (42.0, b"42"), (-0.0, b"0"), ("42", b"42"), (-7, b"-7"), (2**53 - 1, b"9007199254740991")],
)
def test_what_is_hashed(value: Any, text: bytes) -> None:
    bucket = int.from_bytes(hashed(b"f.s." + text)[:8]) >> 4
    over = -(-bucket * 100_000 // MOST)
    assert asked(USER | {"a": value}, split(over - 1, 1, 100_000, bucketBy="a")) == ("no", "SPLIT")


@pytest.mark.parametrize("value", [2**53, 1.5, True, None, ["x"], {}, 1e300])
def test_what_cannot_be_hashed_is_bucket_zero(value: Any) -> None:
    assert asked(USER | {"a": value}, split(1, 99_999, bucketBy="a")) == ("yes", "SPLIT")
    assert asked(USER | {"a": value}, split(0, 100_000, bucketBy="/a")) == ("no", "SPLIT")


def test_prerequisites() -> None:
    needs = flag(prerequisites=[{"key": "p", "variation": 1}])
    failed = ("off", "PREREQUISITE_FAILED", "p")
    assert asked(USER, needs, p=flag()) == ("no", "DEFAULT")
    assert asked(USER, needs, p=flag(on=False, offVariation=1)) == failed
    assert asked(USER, needs, p=flag(archived=True)) == failed
    assert asked(USER, needs, p=flag(fallthrough={"variation": 9})) == failed
    assert asked(USER, needs) == failed
    assert asked(USER, flag(prerequisites=[{"key": "p", "variation": 1.0}]), p=flag()) == ("no", "DEFAULT")
    assert asked(USER, needs | {"offVariation": None}) == ("mine", "PREREQUISITE_FAILED", "p")


def test_a_circle_of_prerequisites_breaks_whoever_reaches_it() -> None:
    def needs(key: str, **changed: Any) -> dict[str, Any]:
        return flag(prerequisites=[{"key": key, "variation": 1}], **changed)

    assert asked(USER, needs("f")) == MALFORMED
    assert asked(USER, needs("p"), p=needs("q"), q=needs("p")) == MALFORMED
    assert asked(USER, needs("p"), p=needs("q", offVariation=9), q=needs("p")) == MALFORMED
    assert asked(USER, needs("p"), p=needs("q"), q=needs("p", on=False)) == (
        "off",
        "PREREQUISITE_FAILED",
        "p",
    )


def test_hashed_lists_hold_hashes_of_keys() -> None:
    def of(kind: str, key: str) -> str:
        return hashed_key("pepper", kind, key)

    found = flag(
        targets=[{"variation": 0, "values": [of("user", "mira")]}],
        rules=[
            {"clauses": [{"op": "in", "attribute": "key", "values": [of("user", "ben")]}], "variation": 2},
            {"clauses": [{"op": "segmentMatch", "values": ["s"]}], "variation": 2},
            {"clauses": [{"op": "startsWith", "attribute": "key", "values": ["zo"]}], "variation": 0},
        ],
    )
    segment = {"includedContexts": [{"contextKind": "org", "values": [of("org", "acme")]}]}
    snapshot = Snapshot.of({"flags": {"f": found}, "segments": {"s": segment}, "keySalt": "pepper"})

    def value(context: Any) -> Any:
        detail = snapshot.evaluate("f", context)
        assert detail == snapshot.explain("f", context).detail
        return detail.value

    assert value({"key": "mira"}) == "yes"
    assert value({"key": of("user", "mira")}) == "no"
    assert value({"key": "ben"}) == "off"
    assert value({"kind": "org", "key": "acme"}) == "off"
    assert value({"key": "zoe"}) == "yes"


def test_what_json_cannot_say_is_absent_and_text_is_whole() -> None:
    assert loads('{"a": NaN, "b": 1e999, "c": 9007199254740993, "c": 1, "d": "\\ud800x"}') == {
        "a": None,
        "b": None,
        "c": 1,
        "d": "\ufffdx",
    }
    assert clean((1, {2: 3, "a": object()})) == [1, {"a": None}]
    assert loads("9" * 5000) is None
    assert loads(f'["1{"0" * 300}e10", 1{"0" * 300}e10, 1e16, -1e400]') == [
        "1" + "0" * 300 + "e10",
        None,
        1e16,
        None,
    ]
    assert clean(2**53 + 1) == float(2**53)
    with pytest.raises(ValueError, match="object"):
        Snapshot.loads("[]")
    for deep in ("[" * 100_000 + "]" * 100_000, '["\\ud800",' * 900 + "1" + "]" * 900):
        with pytest.raises(ValueError, match="deeply"):
            loads(deep)


def test_what_is_read_is_gone_through_again_only_for_half_characters(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(value: Any) -> Any:
        raise AssertionError(value)

    monkeypatch.setattr(json_values, "clean", refused)
    text = '{"salt": "5e12d34567890123456789", "pattern": "a\\\\b", "large": 1e300, "long": 12345678901234567890}'
    assert loads(text)["long"] == 12345678901234567890.0
    with pytest.raises(AssertionError):
        loads('["\\ud800"]')


def test_the_steps_tell_what_was_tried() -> None:
    found = flag(
        prerequisites=[{"key": "p", "variation": 1}],
        targets=[{"variation": 0, "values": ["ben"]}],
        rules=[{"id": "r", "clauses": [{"op": "segmentMatch", "values": ["s"]}], "variation": 0}],
        fallthrough={"rollout": {"variations": [{"variation": 1, "weight": 100_000}]}},
    )
    snapshot = Snapshot.of({"flags": {"f": found, "p": flag()}, "segments": {"s": {"excluded": ["mira"]}}})
    told = snapshot.explain("f", Context(USER)).steps
    assert [(step["step"], step["flag"]) for step in told] == [
        ("fallthrough", "p"),
        ("prerequisite", "f"),
        ("target", "f"),
        ("segment", "f"),
        ("clause", "f"),
        ("rule", "f"),
        ("fallthrough", "f"),
        ("rollout", "f"),
    ]
    assert told[3]["why"] == "excluded"
    assert 0 <= told[-1]["bucket"] <= 1
    assert told[-1]["sums"] == [100_000]
