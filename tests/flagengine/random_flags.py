"""Flags, segments and contexts at random, from a seed: most are sound, some are broken here and there."""

from random import Random
from typing import Any

from kbwork.flagengine.clauses.operators import OPERATORS

FLAGS = ("a", "b", "c", "d")
SEGMENTS = ("s", "t", "u")
KINDS = ("user", "device", "org")
KEYS = ("x", "xy", "k1", "k2")
GARBAGE: tuple[Any, ...] = (None, True, False, 0, -1, 1.5, "", "x", [], {}, [None], [[]], {"a": 1})
SCALARS: tuple[Any, ...] = (
    *(None, True, False, 0, 1, 1.0, -1, 2.5, 2**53, 1709208000000),
    *("", "x", "xy", "1.2.0", "2.0-rc.1", "2024-02-29T12:00:00Z", "2024-03-01T12:00:00+01:00", "ä\U0001f600"),
)
ATTRIBUTES = (
    "key",
    "name",
    "anonymous",
    "plan",
    "age",
    "kind",
    "tags",
    "/deep/inner",
    "/plan",
    "/kind",
    "_meta",
)
BROKEN = ("/", "", "/~2", "/a//b", "~0")


class Making:
    """One world of flags; `broken` is the share of places where something else stands than should."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)
        self._broken = self._random.choice([0, 0, 0, 0.005, 0.03])

    def data(self) -> dict[str, Any]:
        return {
            "flags": {key: self._mostly(self._flag(place)) for place, key in enumerate(FLAGS)},
            "segments": {key: self._mostly(self._segment(place)) for place, key in enumerate(SEGMENTS)},
        }

    def context(self) -> Any:
        if self._chance(0.3):
            kinds = self._random.sample(KINDS, self._random.randint(1, 3))
            return {"kind": "multi"} | {kind: self._mostly(self._part()) for kind in kinds}
        return self._mostly(self._part() | self._sometimes(0.3, {"kind": self._random.choice(KINDS)}))

    # -- parts --------------------------------------------------------------------------------------

    def _chance(self, share: float) -> bool:
        return self._random.random() < share

    def _mostly(self, good: Any) -> Any:
        return self._random.choice(GARBAGE) if self._chance(self._broken) else good

    def _sometimes(self, share: float, fields: dict[str, Any]) -> dict[str, Any]:
        return fields if self._chance(share) else {}

    def _some(self, most: int, make: Any) -> list[Any]:
        return [self._mostly(make()) for _ in range(self._random.randint(0, most))]

    def _kind(self) -> dict[str, Any]:
        return self._sometimes(0.5, {"contextKind": self._mostly(self._random.choice(KINDS))})

    def _keys(self) -> Any:
        return self._mostly(self._some(2, lambda: self._random.choice(KEYS)))

    def _reference(self) -> Any:
        return self._random.choice(BROKEN if self._chance(self._broken) else ATTRIBUTES)

    def _variation(self) -> Any:
        return self._random.choice([3, -1, 0.5]) if self._chance(self._broken) else self._random.randint(0, 2)

    def _clause(self) -> dict[str, Any]:
        negated = self._sometimes(0.3, {"negate": self._mostly(True)})
        if self._chance(0.3):
            return {
                "op": "segmentMatch",
                "values": self._some(2, lambda: self._random.choice(SEGMENTS)),
                **negated,
            }
        op = self._random.choice([*OPERATORS, "in", "in", "startsWith", "resembles"])
        values = self._mostly([self._random.choice(SCALARS) for _ in range(self._random.randint(1, 4))])
        return {
            "attribute": self._reference(),
            "op": self._mostly(op),
            "values": values,
            **self._kind(),
            **negated,
        }

    def _clauses(self) -> Any:
        return self._mostly(self._some(2, self._clause))

    def _rollout(self) -> dict[str, Any]:
        slices = [
            self._mostly({"variation": self._variation(), "weight": self._mostly(weight)})
            for weight in self._random.choice(
                [
                    (100_000,),
                    (50_000, 50_000),
                    (25_000, 25_000, 50_000),
                    (0, 100_000),
                    (0.5, 1),
                    (150_000,),
                    (0,),
                ]
            )
        ]
        by = self._sometimes(0.4, {"bucketBy": self._reference()})
        return {"variations": self._mostly(slices), **by, **self._kind()}

    def _served(self) -> dict[str, Any]:
        if self._chance(0.4):
            return {"rollout": self._mostly(self._rollout())}
        return {"variation": self._variation()}

    def _rule(self) -> dict[str, Any]:
        return {"id": f"r{self._random.randint(1, 9)}", "clauses": self._clauses(), **self._served()}

    def _target(self) -> dict[str, Any]:
        return {"variation": self._variation(), "values": self._keys(), **self._kind()}

    def _prerequisite(self, place: int) -> dict[str, Any]:
        """Of a later flag, as a rule: then nothing leads back."""
        others = FLAGS if self._chance(0.1) else FLAGS[place + 1 :] or ("none",)
        return {"key": self._mostly(self._random.choice(others)), "variation": self._variation()}

    def _flag(self, place: int) -> dict[str, Any]:
        return {
            "on": self._mostly(self._chance(0.85)),
            "fallthrough": self._mostly(self._served()),
            "variations": self._mostly([{"value": True}, {"value": "b"}, {"value": {"c": 1}}]),
            **self._sometimes(0.8, {"offVariation": self._variation()}),
            **self._sometimes(0.5, {"targets": self._mostly(self._some(3, self._target))}),
            **self._sometimes(0.8, {"rules": self._mostly(self._some(3, self._rule))}),
            **self._sometimes(
                0.4, {"prerequisites": self._mostly(self._some(2, lambda: self._prerequisite(place)))}
            ),
            **self._sometimes(0.9, {"salt": self._mostly("salt")}),
            **self._sometimes(0.2, {"hashKey": self._mostly("before")}),
            **self._sometimes(0.05, {"archived": True}),
        }

    def _entry(self) -> dict[str, Any]:
        return {"values": self._keys(), **self._kind()}

    def _segment(self, place: int) -> dict[str, Any]:
        rules = [self._mostly(self._segment_rule(place)) for _ in range(self._random.randint(0, 2))]
        return {
            "included": self._keys(),
            "excluded": self._keys(),
            **self._sometimes(0.5, {"includedContexts": self._mostly(self._some(2, self._entry))}),
            **self._sometimes(0.5, {"excludedContexts": self._mostly(self._some(2, self._entry))}),
            "rules": self._mostly(rules),
            "salt": self._mostly("seg"),
        }

    def _segment_rule(self, place: int) -> dict[str, Any]:
        clauses = [clause for clause in (self._clause() for _ in range(2)) if clause["op"] != "segmentMatch"]
        if place + 1 < len(SEGMENTS) or self._chance(0.1):
            others = SEGMENTS if self._chance(0.1) else SEGMENTS[place + 1 :] or SEGMENTS
            clauses += [{"op": "segmentMatch", "values": [self._random.choice(others)]}] * self._chance(0.3)
        return {
            "clauses": self._mostly(clauses),
            **self._sometimes(0.4, {"weight": self._mostly(self._random.choice([0, 50_000, 100_000]))}),
            **self._sometimes(0.2, {"bucketBy": self._reference()}),
            **self._sometimes(0.3, {"rolloutContextKind": self._mostly(self._random.choice(KINDS))}),
        }

    def _part(self) -> dict[str, Any]:
        part = {"key": self._mostly(self._random.choice(KEYS))}
        for name in ("name", "plan", "age", "tags", "anonymous"):
            part |= self._sometimes(0.5, {name: self._value()})
        return (
            part
            | self._sometimes(0.3, {"deep": {"inner": self._value()}})
            | self._sometimes(0.1, {"_meta": 1})
        )

    def _value(self) -> Any:
        if self._chance(0.2):
            return [self._random.choice((*SCALARS, [], {})) for _ in range(self._random.randint(0, 3))]
        return self._mostly(self._random.choice(SCALARS))
