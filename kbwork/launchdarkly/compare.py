"""Whether flags answer what they answered: LaunchDarkly's rules against our engine, here or on a server."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from kbwork.flagengine import Context, Snapshot
from kbwork.launchdarkly.evaluate import Evaluation, Kind, LaunchDarklyEvaluator, parts
from kbwork.launchdarkly.export import LaunchDarklyExport
from kbwork.launchdarkly.plan import ImportPlan

Json = dict[str, Any]

_KINDS: dict[str, Kind] = {
    "DISABLED": "OFF",
    "PREREQUISITE_FAILED": "PREREQUISITE_FAILED",
    "TARGETING_MATCH": "TARGET_MATCH",
    "DEFAULT": "FALLTHROUGH",
    "SPLIT": "FALLTHROUGH",
    "ERROR": "ERROR",
}
"""Our reasons in their words, where no rule decided."""
_LONGEST = 400


class Difference(NamedTuple):
    """A flag that answers a context otherwise than it did. `ours` is None where the flag is not there."""

    flag: str
    environment: str
    context: Json
    theirs: Evaluation
    ours: Evaluation | None

    def __str__(self) -> str:
        ours = _shown(self.ours) if self.ours is not None else "no such flag"
        return (
            f"{self.flag} in {self.environment} for {_json(self.context)}: LaunchDarkly's rules answer"
            f" {_shown(self.theirs)}, kbwork {ours}"
        )


class Expected:
    """What LaunchDarkly's rules answer to each context, for the flags that come in and are not archived."""

    def __init__(self, export: LaunchDarklyExport, made: ImportPlan, contexts: list[Json]) -> None:
        self.contexts = contexts
        self._made = made
        self._theirs = {
            environment: LaunchDarklyEvaluator(place.flags, place.segments)
            for environment, place in export.places.items()
        }
        self._answers: dict[tuple[str, int], dict[str, Evaluation]] = {}

    def flags(self, environment: str) -> list[str]:
        """Those to be asked."""
        found = self._made.configs[environment]
        return [key for key in found if not self._made.flags[key]["archived"]]

    def differences(
        self, environment: str, number: int, found: dict[str, Evaluation]
    ) -> Iterator[Difference]:
        """What differs in the answers that were found for the context of this number, by flag."""
        expected = self._of(environment, number)
        for key in self.flags(environment):
            ours = found.get(key)
            if ours is None or not _same(expected[key], ours):
                yield Difference(key, environment, self.contexts[number], expected[key], ours)

    def _of(self, environment: str, number: int) -> dict[str, Evaluation]:
        found = self._answers.get((environment, number))
        if found is None:
            theirs, kinds = self._theirs[environment], parts(self.contexts[number])
            found = {key: theirs.answer(key, kinds) for key in self.flags(environment)}
            self._answers[environment, number] = found
        return found


def by_engine(expected: Expected, made: ImportPlan) -> Iterator[Difference]:
    """What differs in our own engine, on what was made."""
    for environment, configs in made.configs.items():
        asked = expected.flags(environment)
        flags = {key: configs[key] | {"variations": made.flags[key]["variations"]} for key in asked}
        snapshot = Snapshot({"flags": flags, "segments": made.segments[environment]})
        for number, raw in enumerate(expected.contexts):
            context = Context(raw)
            found = {}
            for key in flags:
                detail = snapshot.evaluate(key, context)
                found[key] = _answer(detail.reason, detail.value, detail.variation, detail.rule_index)
            yield from expected.differences(environment, number, found)


def by_server(
    expected: Expected, environment: str, evaluated: Callable[[Json], list[Json]]
) -> Iterator[Difference]:
    """What differs on a server. `evaluated` is what flags.evaluate answers there for a context."""
    for number, context in enumerate(expected.contexts):
        found = {
            one["key"]: _answer(one["reason"], one["value"], one["variation"], one.get("rule_index"))
            for one in evaluated(context)
        }
        yield from expected.differences(environment, number, found)


def _answer(reason: str, value: Any, variation: int | None, rule: int | None) -> Evaluation:
    return Evaluation(_KINDS[reason] if rule is None else "RULE_MATCH", value, variation, rule)


def _same(one: Evaluation, other: Evaluation) -> bool:
    """Whether two answers are one, their values as JSON: true is not 1, and 1 is 1.0."""
    return one._replace(value=None) == other._replace(value=None) and _canonical(one.value) == _canonical(
        other.value
    )


def _canonical(value: Any) -> str:
    return json.dumps(_plain(value), sort_keys=True)


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _plain(one) for name, one in value.items()}
    if isinstance(value, list):
        return [_plain(one) for one in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _shown(answer: Evaluation) -> str:
    if answer.variation is None:
        return f"the program's own default ({answer.kind})"
    return f"{_json(answer.value)}, variation {answer.variation} ({answer.kind})"


def _json(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."
