"""A snapshot that follows another: what stays compiled, and what a delta must be to be applied."""

import copy
import gc
import json
import os
from typing import Any

import pytest

from kbwork.flagengine import Snapshot, envelope
from kbwork.flagengine.deltas import BadDelta, Base, base_of, is_delta, joined
from kbwork.flagengine.json_values import loads
from tests.flags.service import SDK_KEY, flag

Json = dict[str, Any]
ANA = {"key": "ana"}


def data(**flags: Any) -> Json:
    return {
        "format": 1,
        "edition": "one",
        "environment": {"id": 1, "key": "test", "version": 1},
        "flags": {"on": flag(), "resting": flag(prerequisites=[{"key": "on", "variation": 0}]), **flags},
        "segments": {"staff": {"included": ["ana"], "excluded": [], "rules": [], "salt": "s"}},
    }


def delta(**changed: Any) -> Json:
    return {
        "format": 1,
        "base": {"version": 1, "edition": "one"},
        "edition": "two",
        "environment": {"id": 1, "key": "test", "version": 2},
        "flags": {},
        "segments": {},
        "removed": {"flags": [], "segments": []},
        **changed,
    }


def asked(*segments: str) -> Json:
    clause = {"op": "segmentMatch", "values": list(segments), "negate": False}
    return flag(rules=[{"id": "r", "clauses": [clause], "variation": 1}])


def compiled(snapshot: Snapshot) -> Json:
    """The code of every flag, asked for first."""
    for key in snapshot.keys:
        snapshot.evaluate(key, ANA)
    return {key: snapshot.compiled(key) for key in snapshot.keys}


def kept(before: Json, after: Json) -> set[str]:
    """The flags whose code is the same in both; each answers as if it were new."""
    first = Snapshot(before)
    old = compiled(first)
    second = Snapshot(after, first)
    same = {
        key for key in second.keys if second.compiled(key) is not None and second.compiled(key) is old[key]
    }
    compiled(second)
    for key in second.keys:
        assert second.evaluate(key, ANA) == Snapshot(copy.deepcopy(after)).evaluate(key, ANA)
    return same


def test_what_did_not_change_and_rests_on_nothing_that_did_keeps_its_code() -> None:
    before = data(text=flag("a"), staff=asked("staff"), both=asked("staff", "gone"), plain=flag())
    assert kept(before, joined(before, delta())) == {"on", "resting", "text", "staff", "both", "plain"}
    changed = delta(flags={"on": flag(on=False), "text": flag("b")})
    assert kept(before, joined(before, changed)) == {"staff", "both", "plain"}
    changed = delta(segments={"staff": {"included": [], "excluded": [], "rules": [], "salt": "s"}})
    assert kept(before, joined(before, changed)) == {"on", "resting", "text", "plain"}
    came = delta(segments={"gone": {"included": ["ana"], "excluded": [], "rules": [], "salt": "s"}})
    assert kept(before, joined(before, came)) == {"on", "resting", "text", "staff", "plain"}
    went = delta(removed={"flags": ["on"], "segments": ["staff"]})
    assert kept(before, joined(before, went)) == {"text", "plain"}


def test_a_chain_is_void_from_where_it_changed() -> None:
    chain = {f"f{n}": flag(prerequisites=[{"key": f"f{n - 1}", "variation": 0}]) for n in range(1, 20)}
    before = data(f0=flag(), **chain)
    changed = delta(flags={"f9": flag("x", prerequisites=[{"key": "f8", "variation": 0}])})
    assert kept(before, joined(before, changed)) == {"on", "resting", *(f"f{n}" for n in range(9))}


def test_what_is_walked_is_walked_in_the_new_data() -> None:
    before = data(a=flag(prerequisites=[{"key": "b", "variation": 0}]), b=flag(prerequisites=[{"key": "a"}]))
    after = joined(before, delta(flags={"b": flag()}))
    first = Snapshot(before)
    assert first.evaluate("a", ANA).error_kind == "MALFORMED_FLAG"
    assert Snapshot(after, first).evaluate("a", ANA).value is True
    assert kept(before, after) == {"on", "resting"}


def test_what_only_others_rest_on_is_not_there_because_it_is_compiled() -> None:
    before = data(on=flag(hidden=True))
    first = Snapshot(before)
    compiled(first)
    second = Snapshot(joined(before, delta(flags={"more": flag()})), first)
    assert second.evaluate("on", ANA).error_kind == "FLAG_NOT_FOUND"


def test_a_whole_snapshot_keeps_the_code_of_what_is_equal() -> None:
    before = data(one=flag({"a": 1}), number=flag(1))
    first = Snapshot(before)
    old = compiled(first)
    after = data(one=flag({"a": True}), number=flag(1), new=flag())
    second = Snapshot(first.compiler.shared(json.loads(json.dumps(after))), first)
    assert {key: second.compiled(key) is old[key] for key in old} == {
        "on": True,
        "resting": True,
        "one": False,
        "number": True,
    }
    assert second.evaluate("one", ANA).value == {"a": True}


def test_a_delta_is_joined_with_its_base_alone() -> None:
    before = data()
    changed = flag("new")
    after = joined(before, delta(flags={"new": changed}, removed={"flags": ["resting"], "segments": []}))
    assert after == data() | {
        "edition": "two",
        "environment": {"id": 1, "key": "test", "version": 2},
        "flags": {"on": flag(), "new": changed},
    }
    assert before == data()
    assert after["flags"]["on"] is before["flags"]["on"]
    assert (base_of(after), is_delta(after), is_delta(delta())) == (Base(2, "two"), False, True)


@pytest.mark.parametrize(
    "wrong",
    [
        {"base": {"version": 1, "edition": "another"}},
        {"base": {"version": 0, "edition": "one"}},
        {"base": None},
        {"base": {"version": 1, "edition": "one", "more": 1}},
        {"environment": {"version": 1}},
        {"environment": {"version": 0}},
        {"environment": None},
        {"edition": None},
        {"format": 2},
        {"flags": []},
        {"segments": None},
        {"removed": None},
        {"removed": {"flags": ["nowhere"], "segments": []}},
        {"removed": {"flags": [7], "segments": []}},
        {"removed": {"flags": {}, "segments": []}},
    ],
)
def test_what_does_not_fit_is_refused(wrong: Json) -> None:
    before = data()
    with pytest.raises(BadDelta):
        joined(before, delta(**wrong))
    assert before == data()


def test_a_snapshot_without_an_edition_takes_none() -> None:
    before = {name: one for name, one in data().items() if name != "edition"}
    assert base_of(before) is None
    with pytest.raises(BadDelta):
        joined(before, delta(base={"version": 1, "edition": None}))


def sealed(base: int | None) -> bytes:
    key = envelope.SnapshotKey.of(SDK_KEY, b"0123456789abcdef")
    return key.seal(b"{}", version=7, nonce=os.urandom(12), base=base)


def test_an_envelope_says_what_it_is_and_both_versions() -> None:
    assert envelope.open_(sealed(None), SDK_KEY) == envelope.OpenedEnvelope(7, b"{}", None)
    assert envelope.open_(sealed(5), SDK_KEY) == envelope.OpenedEnvelope(7, b"{}", 5)


@pytest.mark.parametrize("place", [5, 14, 21, 50, 57])
def test_neither_kind_nor_version_nor_base_can_be_exchanged(place: int) -> None:
    found = bytearray(sealed(5))
    found[place] ^= 2
    with pytest.raises(envelope.BadEnvelope):
        envelope.open_(bytes(found), SDK_KEY)
    as_delta = bytearray(sealed(None))
    as_delta[5] |= 2
    with pytest.raises(envelope.BadEnvelope):
        envelope.open_(bytes(as_delta), SDK_KEY)


def test_reading_leaves_the_collector_as_it_was() -> None:
    for enabled in (True, False):
        (gc.enable if enabled else gc.disable)()
        try:
            loads("[1]")
            with pytest.raises(json.JSONDecodeError):
                loads("[")
            assert gc.isenabled() is enabled
        finally:
            gc.enable()
