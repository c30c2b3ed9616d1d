"""What leaves the service and the client: sealed snapshots, reduced ones, and contexts without what is private."""

import copy
import json
import zlib
from typing import Any

import pytest
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from kbwork.flagengine import Snapshot
from kbwork.flagengine.envelope import BadEnvelope, SnapshotKey, open_, version_of
from kbwork.flagengine.evaluate import hashed_key
from kbwork.flagengine.privacy import private_paths, redacted
from kbwork.flagengine.reduction import reduced
from tests.flagengine.random_flags import FLAGS, Making

SDK_KEY = "srv_" + "k" * 40
SALT, NONCE = bytes(range(16)), bytes(range(12))
CONTENT = b'{"flags":{}}' * 100


def envelope(version: int = 7) -> bytes:
    return SnapshotKey.of(SDK_KEY, SALT).seal(CONTENT, version=version, nonce=NONCE)


def test_an_envelope_is_opened_by_its_key() -> None:
    sealed = envelope()
    assert (open_(sealed, SDK_KEY).version, open_(sealed, SDK_KEY).content) == (7, CONTENT)
    assert version_of(sealed) == 7
    assert (sealed[:6], sealed[14:22]) == (b"KBF1\x01\x01", (7).to_bytes(8, "big"))
    assert (sealed[22:38], sealed[38:50]) == (SALT, NONCE)
    assert SDK_KEY.encode() not in sealed
    assert b"flags" not in sealed


def test_an_envelope_that_was_changed_anywhere_stays_shut() -> None:
    sealed = envelope()
    for place in range(len(sealed)):
        changed = bytearray(sealed)
        changed[place] ^= 1
        with pytest.raises(BadEnvelope):
            open_(bytes(changed), SDK_KEY)
    for cut in (b"", sealed[:49], sealed[:60], sealed[:-1], b"{}" * 100):
        with pytest.raises(BadEnvelope):
            open_(cut, SDK_KEY)
    with pytest.raises(BadEnvelope, match="another SDK key"):
        open_(sealed, SDK_KEY[:-1] + "j")


def test_a_stream_that_does_not_end_is_refused() -> None:
    key = SnapshotKey.of(SDK_KEY, SALT)
    head = envelope()[:50]
    for inner in (zlib.compress(CONTENT)[:-4], b"no stream"):
        with pytest.raises(BadEnvelope, match=r"cut off|unpacked"):
            open_(head + AESGCM(key.secret).encrypt(NONCE, inner, head), SDK_KEY)


@pytest.mark.long
def test_a_reduced_snapshot_answers_as_the_whole_one() -> None:
    shown = 0
    for seed in range(1500):
        making = Making(seed)
        data = json.loads(json.dumps(making.data()))
        for place, key in enumerate(FLAGS):
            if type(data["flags"][key]) is dict and (seed + place) % 3:
                data["flags"][key]["clientSide"] = True
        kept = copy.deepcopy(data)
        small = reduced(data, "pepper")
        assert data == kept
        whole, part = Snapshot.of(data), Snapshot.of(small)
        for key in FLAGS:
            flag = data["flags"][key]
            visible = type(flag) is dict and flag.get("clientSide") is True
            for _ in range(3):
                context = making.context()
                answer = part.evaluate(key, context)
                if visible:
                    assert answer == whole.evaluate(key, context), (seed, key, context)
                    shown += answer.variation is not None
                else:
                    assert answer.error_kind == "FLAG_NOT_FOUND"
    assert shown > 3000


def test_a_reduced_snapshot_tells_no_keys_values_or_flags_that_are_not_for_it() -> None:
    def flag(**changed: Any) -> dict[str, Any]:
        return {"on": True, "fallthrough": {"variation": 0}, "variations": [{"value": "shown"}], **changed}

    clause = {"op": "in", "attribute": "/key", "contextKind": "org", "values": ["secret-org", 7]}
    data = {
        "version": 3,
        "flags": {
            "open": flag(
                clientSide=True,
                targets=[{"variation": 0, "values": ["secret-user"]}],
                rules=[{"clauses": [clause, {"op": "segmentMatch", "values": ["s"]}], "variation": 0}],
                prerequisites=[{"key": "rests", "variation": 0}],
            ),
            "rests": flag(variations=[{"value": "hidden-value", "name": "hidden-name"}]),
            "other": flag(variations=[{"value": "other-value"}]),
            "gone": flag(clientSide=True, archived=True),
        },
        "segments": {
            "s": {
                "included": ["secret-in"],
                "excludedContexts": [{"contextKind": "org", "values": ["secret-out"]}],
                "rules": [{"clauses": [{"op": "segmentMatch", "values": ["t"]}]}],
            },
            "t": {"excluded": ["secret-t"]},
            "u": {"included": ["secret-u"]},
        },
    }
    found = reduced(data, "pepper")
    text = json.dumps(found)
    assert not any(word in text for word in ("secret", "hidden-", "other", "gone"))
    assert (sorted(found["flags"]), sorted(found["segments"])) == (["open", "rests"], ["s", "t"])
    assert (found["version"], found["keySalt"], found["hashedKeys"]) == (3, "pepper", True)
    assert found["flags"]["rests"]["hidden"] is True
    assert found["flags"]["open"]["rules"][0]["clauses"][0]["values"] == [
        hashed_key("pepper", "org", "secret-org"),
        7,
    ]
    assert len(found["segments"]["t"]["excluded"][0]) == 22
    assert Snapshot.of(found).keys == ["open"]


def test_a_reduced_snapshot_takes_chains_of_any_length_along() -> None:
    def asks(place: int) -> dict[str, Any]:
        return {"rules": [{"clauses": [{"op": "segmentMatch", "values": [f"s{place % long}"]}]}]}

    def waits(place: int) -> dict[str, Any]:
        return {"on": True, "prerequisites": [{"key": f"p{place % long}", "variation": 0}]}

    long = 3_000
    flags = {f"p{place}": waits(place + 1) for place in range(long)}
    segments = {f"s{place}": asks(place + 1) for place in range(long)}
    flags["p0"] |= {"clientSide": True, **asks(0)}
    found = reduced({"flags": flags | {"q": waits(0)}, "segments": segments | {"t": asks(0)}}, "pepper")
    assert found["segments"] == segments
    assert found["flags"].keys() == flags.keys()
    assert [key for key, flag in found["flags"].items() if flag.get("hidden") is not True] == ["p0"]


@pytest.mark.parametrize(
    ("context", "names", "expected"),
    [
        ({"key": "a", "email": "x"}, ["email"], {"key": "a", "_meta": {"redacted": ["email"]}}),
        ({"key": "a", "email": "x"}, ["/email"], {"key": "a", "_meta": {"redacted": ["email"]}}),
        ({"key": "a", "email": "x"}, ["key", "/key", "kind", "none", ""], {"key": "a", "email": "x"}),
        ({"key": "a", "_meta": {"x": 1}}, [], {"key": "a"}),
        (
            {"key": "a", "b": {"c": 1, "d": 2}, "_meta": {"privateAttributes": ["/b/c", "/b/none", 7]}},
            [],
            {"key": "a", "b": {"d": 2}, "_meta": {"redacted": ["/b/c"]}},
        ),
        ({"key": "a", "b": {"c": 1}}, ["/b/c"], {"key": "a", "b": {}, "_meta": {"redacted": ["/b/c"]}}),
        ({"key": "a", "b": [{"c": 1}]}, ["/b/0/c", "/b/c"], {"key": "a", "b": [{"c": 1}]}),
        ({"key": "a", "/b": 1, "~c": 2}, ["/~1b", "~c"], {"key": "a", "_meta": {"redacted": ["/~1b", "~c"]}}),
        (
            {
                "kind": "multi",
                "user": {"key": "a", "n": 1, "_meta": {"privateAttributes": ["m"]}},
                "org": {"key": "b", "m": 1},
            },
            ["n"],
            {
                "kind": "multi",
                "user": {"key": "a", "_meta": {"redacted": ["n"]}},
                "org": {"key": "b", "m": 1},
            },
        ),
        (
            {
                "kind": "multi",
                "user": {"key": "a", "n": 1},
                "no kind": {"key": "b", "n": 2},
                "n": 3,
                "o": [{"n": 4}],
            },
            ["n"],
            {
                "kind": "multi",
                "user": {"key": "a", "_meta": {"redacted": ["n"]}},
                "no kind": {"key": "b", "_meta": {"redacted": ["n"]}},
            },
        ),
    ],
)
def test_private_attributes_stay_at_home(context: Any, names: list[Any], expected: Any) -> None:
    kept = copy.deepcopy(context)
    paths, _ = private_paths(names)
    assert redacted(context, paths) == expected
    assert context == kept


def test_names_that_mean_no_attribute_are_told() -> None:
    assert private_paths(["a", "/b/c", "/", "//", 7]) == (
        frozenset({("a",), ("b", "c")}),
        ["'/'", "'//'", "7"],
    )
