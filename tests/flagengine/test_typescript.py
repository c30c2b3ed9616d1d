"""The engine in TypeScript answers as the one in Python does, by what the server hands out."""

import json
import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from kbwork.contract import FOLDER
from kbwork.flagengine import Snapshot
from kbwork.flagengine.clauses import patterns
from kbwork.flagengine.json_values import loads
from kbwork.flagengine.reduction import reduced
from tests.flagengine.random_flags import FLAGS, Making
from tests.web.conftest import flag_library, library_answers, node

__all__ = ["flag_library", "node"]

ON = {
    "on": True,
    "variations": [{"value": "a"}, {"value": "b"}],
    "salt": "s",
    "fallthrough": {"variation": 0},
}
ATOMS = (
    *("a", "b", ".", r"\d", r"\w", r"\s", r"\D", r"\W", r"\S", r"\b", r"\B", "^", "$", "[a-c]", "[^a]"),
    *(
        r"[\d-]",
        r"[a\]-]",
        r"\x41",
        r"\u0062",
        r"\ud83d\ude00",
        "é",
        "😀",
        r"\.",
        r"\n",
        "(a)",
        "(?:b|)",
        "()",
    ),
    *("[", "]", "{", "a{2}", "(ab){1,3}", r"\q", "[]", "[z-a]", "x{1001}", r"\u12", "(", "|", r"\-", "_"),
)
COUNTS = ("*", "+", "?", "{2}", "{1,}", "{0,3}", "*?", "+?", "??", "{,2}", "{2,1}")
SIGNS = "abA_.- 1é😀\n\u2028\u00a0x"
PLACES = ("2024-02-29", "2023-02-29", "1969-12-31", "0001-01-01", "2024-13-01", "2024-00-10")
TIMES = (
    "T00:00:00Z",
    "t23:59:59.9999z",
    "T12:00:60Z",
    "T01:00:00+23:59",
    "T01:00:00-00:30",
    " 01:00:00Z",
    "T1:00:00Z",
)
VERSIONS = (
    "1",
    "1.0",
    "01.2",
    "2-rc",
    "1.2.3-alpha.1",
    "1.2.3-alpha.01",
    "1.2.3-10",
    "1.2.3+b",
    "99999999999999999999",
)

Question = tuple[Any, str]
Worlds = list[tuple[dict[str, Any], list[Question]]]


def held(node: str, flag_library: Path, worlds: Worlds) -> Counter[str]:
    """Hold both against each other; answers how often each reason was met."""
    asked = [
        {
            "world": json.dumps(data),
            "questions": [
                {"context": raw, "key": key, "fallback": "D", "wanted": "any"} for raw, key in questions
            ],
        }
        for data, questions in worlds
    ]
    answers = iter(library_answers(node, flag_library, asked))
    met = Counter[str]()
    for data, questions in worlds:
        snapshot = Snapshot.loads(json.dumps(data))
        for raw, key in questions:
            wanted = snapshot.evaluate(key, raw, "D").as_json()
            answer = next(answers)
            assert json.dumps(answer) == json.dumps(wanted), (data, raw, key)
            met[answer.get("errorKind") or answer["reason"]] += 1
    assert next(answers, None) is None
    return met


def test_every_question_that_libraries_are_held_to_is_answered_so(node: str, flag_library: Path) -> None:
    cases = loads((FOLDER / "flag-vectors.json").read_bytes())
    asked = [
        {
            "world": json.dumps({"flags": case["flags"], "segments": case["segments"]}),
            "questions": [
                {
                    "context": case["context"],
                    "key": case["flagKey"],
                    "fallback": case["default"],
                    "wanted": case["valueType"],
                }
            ],
        }
        for case in cases
    ]
    for case, answer in zip(cases, library_answers(node, flag_library, asked), strict=True):
        assert answer == case["expected"], case["name"]


def test_numbers_beyond_all_doubles_are_none_however_they_are_written(node: str, flag_library: Path) -> None:
    long = "1" + "0" * 300
    beyond = (
        "1e400",
        "-1e400",
        "1E+309",
        f"{long}e10",
        f"-{long}.5E+10",
        "9" * 310,
        f"{'9' * 310}.5",
        "0.1e0310",
    )
    within = ("1e308", "-1E+308", "1e-400", f"{long}e7", "9" * 308, "9007199254740993", "0.5", "1e00000001")
    fallthrough = '"salt": "s", "fallthrough": {"variation": 0}'
    worlds = [
        f'{{"flags": {{"f": {{"on": true, {fallthrough}, "variations": [{{"value":{number}}}]}}}}}}'
        for number in (*beyond, *within, *(f"\n{number}" for number in beyond))
    ]
    question = {"context": {"key": "k"}, "key": "f", "fallback": "D", "wanted": "number"}
    asked = [{"world": world, "questions": [question]} for world in worlds]
    expected = ["D"] * len(beyond) + [float(number) for number in within] + ["D"] * len(beyond)
    assert [answer["value"] for answer in library_answers(node, flag_library, asked)] == expected
    assert [
        Snapshot.loads(one).evaluate("f", {"key": "k"}, "D", "number").value for one in worlds
    ] == expected


@pytest.mark.long
def test_random_worlds_are_answered_alike(node: str, flag_library: Path) -> None:
    worlds: Worlds = []
    for seed in range(1_000):
        making = Making(seed)
        data = making.data()
        contexts = [making.context() for _ in range(3)]
        worlds.append((data, [(raw, key) for raw in contexts for key in FLAGS]))
        if seed % 4 == 0 and all(type(flag) is dict for flag in data["flags"].values()):
            for flag in data["flags"].values():
                flag["clientSide"] = True
            worlds.append((reduced(data, "pepper"), [(raw, key) for raw in contexts for key in FLAGS]))
    met = held(node, flag_library, worlds)
    assert len(met) == 8, met
    assert min(met.values()) > 20, met


def _clause(op: str, values: list[Any]) -> dict[str, Any]:
    clause = {"attribute": "x", "op": op, "values": values}
    return {"flags": {"f": ON | {"rules": [{"id": "r", "clauses": [clause], "variation": 1}]}}}


@pytest.mark.long
def test_patterns_dates_versions_and_shares_mean_the_same(node: str, flag_library: Path) -> None:
    chance = random.Random(1)

    def some(of: tuple[Any, ...] | str, most: int) -> list[Any]:
        return [chance.choice(of) for _ in range(chance.randint(0, most))]

    worlds: Worlds = []
    for _ in range(4_000):
        pattern = "".join(atom + chance.choice(("", "", *COUNTS)) for atom in some(ATOMS, 4))
        worlds.append((_clause("matches", [pattern]), [({"key": "k", "x": "".join(some(SIGNS, 6))}, "f")]))
    assert (
        sum(
            patterns.found_in(one["flags"]["f"]["rules"][0]["clauses"][0]["values"][0]) is None
            for one, _ in worlds
        )
        > 500
    )
    for op, given in (
        ("before", [day + time for day in PLACES for time in TIMES]),
        ("after", [*(day + time for day in PLACES for time in TIMES), 0, 1.5, True]),
        ("semVerLessThan", [*VERSIONS, 1]),
        ("semVerEqual", [*VERSIONS, None]),
    ):
        worlds += [
            (_clause(op, chance.sample(given, 2)), [({"key": "k", "x": one}, "f") for one in given])
        ] * 2
    for _ in range(400):
        slices = [
            {"variation": n % 2, "weight": w}
            for n, w in enumerate(some((0, 1, 33333.33, 0.1, 50_000, -5), 4))
        ]
        rollout = {"variations": slices, "bucketBy": chance.choice(("key", "x", "/x"))}
        keys = ("k", "ключ" * 30, "😀" * chance.randint(1, 30), "a" * chance.randint(50, 70))
        asked = [
            ({"key": key, "x": chance.choice((1.0, -0.0, 2.0**53, 1.5, "t" * 60, True))}, "f") for key in keys
        ]
        worlds.append(({"flags": {"f": ON | {"fallthrough": {"rollout": rollout}}}}, asked))
    assert held(node, flag_library, worlds)["SPLIT"] > 500


def _chain(length: int, *, back: bool = False) -> dict[str, Any]:
    """Flags of which each rests on the next."""
    flags = {}
    for place in range(length):
        after = place + 1 if place + 1 < length else 0 if back else None
        named = [] if after is None else [{"key": f"f{after}", "variation": 0}]
        flags[f"f{place}"] = ON | {"prerequisites": named * 2}
    return {"flags": flags}


def _segments(length: int, *, back: bool = False) -> dict[str, Any]:
    """Segments of which each asks for the next."""
    segments = {}
    for place in range(length):
        after = place + 1 if place + 1 < length else 0 if back else None
        clauses = [] if after is None else [{"op": "segmentMatch", "values": [f"s{after}"]}]
        segments[f"s{place}"] = {"rules": [{"clauses": clauses}]}
    rule = {"id": "r", "clauses": [{"op": "segmentMatch", "values": ["s0"]}], "variation": 1}
    return {"flags": {"f0": ON | {"rules": [rule]}}, "segments": segments}


@pytest.mark.parametrize("make", [_chain, _segments])
def test_chains_of_any_length_and_circles_end(node: str, flag_library: Path, make: Any) -> None:
    lengths = ((3, False), (3, True), (30, False), (3_000, False), (3_000, True))
    worlds: Worlds = [(make(length, back=back), [({"key": "k"}, "f0")]) for length, back in lengths]
    assert held(node, flag_library, worlds)["MALFORMED_FLAG"] == 2


def test_half_characters_and_numbers_beyond_all_are_read_alike(node: str, flag_library: Path) -> None:
    worlds: Worlds = [
        (
            _clause("in", ["a\ufffd", 2**53 + 1]),
            [({"key": "k", "x": x}, "f") for x in ("a\ud800", 2.0**53, "a", None)],
        ),
        (_clause("in", ["a\ud800"]), [({"key": "k", "x": x}, "f") for x in ("a\ufffd", "a\udfff")]),
        (
            {"flags": {"f": ON | {"salt": "\udc00"}}},
            [({"key": "\ud800"}, "f"), ({"key": ""}, "f"), ([], "f")],
        ),
    ]
    halves = ("b\udc00", "\ud800a", "a\ufffdb", "a\ud83d\ude00b", ["x", "b\ud800"], {"\ud800": 1}, "\ud800")
    for op, value in (
        *(("startsWith", one) for one in ("\ufffda", "a😀", "\udc00")),
        *(("endsWith", one) for one in ("b\ufffd", "😀b", "\ud800")),
        *(("contains", one) for one in ("\ufffd", "\ude00", "b", "")),
        *(("matches", one) for one in (r"[\uf000-\uffff]", r"^[^\ufffd]+$", "^.$")),
    ):
        worlds.append((_clause(op, ["z", value]), [({"key": "k", "x": x}, "f") for x in halves]))
    held(node, flag_library, worlds)


def test_versions_of_any_length_have_their_order(node: str, flag_library: Path) -> None:
    long = ("9" * 999, "1" + "0" * 999, "9" * 70_000, "1" + "0" * 70_000)
    versions = [
        *long,
        *(f"1.0.0-{one}" for one in (*long, "a", "a.1", "a.a", "a1", "a-")),
        "1.0.0+a",
        "1",
        "1.0.1-0",
    ]
    asked: list[Question] = [({"key": "k", "x": one}, "f") for one in versions]
    held(
        node,
        flag_library,
        [
            (_clause(op, [one]), asked)
            for op in ("semVerLessThan", "semVerGreaterThan", "semVerEqual")
            for one in versions
        ],
    )


def test_a_pattern_takes_as_long_as_its_text(node: str, flag_library: Path) -> None:
    """By `RegExp` the first would take years."""
    held(
        node,
        flag_library,
        [
            (_clause("matches", ["^(a|a)*$"]), [({"key": "k", "x": "a" * 4_000 + "b"}, "f")]),
            (_clause("matches", [".*.*.*.*="]), [({"key": "k", "x": "x" * 4_096}, "f")]),
        ],
    )
