"""Evaluating flags by the client library, beside the published Python SDK in one run: answers in a second of
processor time, ours with details and counting on.

python -m tests.bench flags

Needs `pip install launchdarkly-server-sdk`; its data come from a file, and it sends no events.
"""

import json
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from kbwork.flagengine import Context, Snapshot
from kbwork.flags import Client
from tests.flags.service import SDK_KEY, Service, served

_SECONDS = 0.4
_ROUNDS = 5
_PEOPLE = 100
_TEN_THOUSAND = 10_000

Ask = Callable[[], None]
"""Evaluates one flag for each of the people."""


def people() -> list[dict[str, Any]]:
    """Contexts as applications have them."""
    return [
        {
            "kind": "user",
            "key": f"u{n}",
            "plan": "gold",
            "country": "DE",
            "age": 20 + n % 50,
            "email": f"u{n}@x.example",
        }
        for n in range(_PEOPLE)
    ]


def flag(**changed: Any) -> dict[str, Any]:
    """A boolean flag, in words that both understand but for its variations."""
    return {
        "version": 1,
        "on": True,
        "offVariation": 1,
        "fallthrough": {"variation": 0},
        "targets": [],
        "rules": [],
        "prerequisites": [],
        "salt": "pepper",
        "variations": [True, False],
        **changed,
    }


def rule(number: int) -> dict[str, Any]:
    """Two clauses; nobody's country is that long."""
    return {
        "id": f"r{number}",
        "clauses": [
            {
                "contextKind": "user",
                "attribute": "plan",
                "op": "in",
                "values": ["gold", f"p{number}"],
                "negate": False,
            },
            {
                "contextKind": "user",
                "attribute": "country",
                "op": "startsWith",
                "values": ["DEU"],
                "negate": False,
            },
        ],
        "variation": 1,
    }


def within(segment: str) -> dict[str, Any]:
    clause = {
        "contextKind": "user",
        "attribute": "",
        "op": "segmentMatch",
        "values": [segment],
        "negate": False,
    }
    return flag(rules=[{"id": "r", "clauses": [clause], "variation": 1}])


def flags() -> dict[str, dict[str, Any]]:
    """Key -> flag: a row of the table each, and those that it rests on."""
    quarter = {"variations": [{"variation": 0, "weight": 25_000}, {"variation": 1, "weight": 75_000}]}
    chain = {f"p{n}": flag(prerequisites=[{"key": f"p{n - 1}", "variation": 0}]) for n in (1, 2, 3)}
    return {
        "on": flag(),
        "rules": flag(rules=[rule(number) for number in range(5)]),
        "quarter": flag(fallthrough={"rollout": quarter}),
        "thousand": within("thousand"),
        "hundred thousand": within("hundred thousand"),
        "p0": flag(),
        **chain,
    }


def segments() -> dict[str, dict[str, Any]]:
    """Two segments that every second of the people is in."""
    sizes = {"thousand": 1_000, "hundred thousand": 100_000}
    return {
        key: {
            "version": 1,
            "included": [f"u{2 * n}" for n in range(size)],
            "excluded": [],
            "rules": [],
            "salt": "s",
        }
        for key, size in sizes.items()
    }


class Ours:
    """The client library, of a service that sends it these flags."""

    def __init__(self, service: Service) -> None:
        service.flags = {
            key: one | {"variations": [{"value": value} for value in one["variations"]]}
            for key, one in json.loads(json.dumps(flags())).items()
        }
        for key in segments():
            del service.flags[key]["rules"][0]["clauses"][0]["attribute"]
        service.segments = segments()
        self.client = Client(sdk_key=SDK_KEY, base_url=service.url)
        assert self.client.ready()
        self._contexts = [Context(one) for one in people()]

    def asks(self, key: str) -> Ask:
        return self._asks(key, self._contexts)

    def asks_raw(self, key: str) -> Ask:
        return self._asks(key, people())

    def _asks(self, key: str, contexts: Sequence[object]) -> Ask:
        evaluate = self.client.boolean_detail

        def ask() -> None:
            for context in contexts:
                evaluate(key, False, context)

        return ask


class Theirs:
    """The published SDK."""

    def __init__(self, folder: Path) -> None:
        import ldclient
        from ldclient.integrations import Files

        path = folder / "flags.json"
        named = {key: one | {"key": key} for key, one in flags().items()}
        path.write_text(
            json.dumps(
                {"flags": named, "segments": {key: one | {"key": key} for key, one in segments().items()}}
            )
        )
        source = Files.new_data_source(paths=[str(path)])
        self.context: Any = ldclient.Context.from_dict
        self._contexts = [self.context(one) for one in people()]
        self.client: Any = ldclient.LDClient(
            ldclient.Config(
                "bench", update_processor_class=source, send_events=False, diagnostic_opt_out=True
            )
        )
        assert self.client.is_initialized()

    def asks(self, key: str) -> Ask:
        variation, contexts = self.client.variation, self._contexts

        def ask() -> None:
            for context in contexts:
                variation(key, context, False)

        return ask

    def close(self) -> None:
        self.client.close()

    def asks_raw(self, key: str) -> Ask:
        variation, make, contexts = self.client.variation, self.context, people()

        def ask() -> None:
            for context in contexts:
                variation(key, make(context), False)

        return ask


@contextmanager
def theirs() -> Iterator[Theirs]:
    """One that is ready, and closed afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        found = Theirs(Path(folder))
        try:
            yield found
        finally:
            found.close()


def rate(ask: Ask) -> float:
    """Evaluations in a second of processor time."""
    ask()
    began, times = time.process_time(), 0
    while time.process_time() - began < _SECONDS:
        ask()
        times += 1
    return times * _PEOPLE / (time.process_time() - began)


def compared(name: str, ours: Ask, others: Ask, goal: float) -> float:
    """Print one row; answers our rate."""
    pairs = [(rate(ours), rate(others)) for _ in range(_ROUNDS)]
    mine, ratio = (statistics.median(found) for found in ([a for a, _ in pairs], [a / b for a, b in pairs]))
    met = "met" if ratio >= goal else "not met"
    print(f"{name:42} {mine:11,.0f}/s {ratio:7.1f}x  goal {goal:4.0f}x  {met}", flush=True)
    return mine


def start() -> None:
    """How long a snapshot of ten thousand flags takes to read, and the first answer from it."""
    one = flag(variations=[{"value": True}, {"value": False}])
    many = {"flags": {f"f{n}": one for n in range(_TEN_THOUSAND)}}
    text = json.dumps(many)
    began = time.perf_counter()
    snapshot = Snapshot.loads(text)
    read = time.perf_counter()
    snapshot.evaluate("f1", {"key": "a"})
    first = time.perf_counter()
    print(
        f"{_TEN_THOUSAND:,} flags: read in {1000 * (read - began):.0f} ms,"
        f" the first answer {1000 * (first - read):.1f} ms later (goal 150 ms in all)"
    )


def main(_: list[str]) -> None:
    """The rows of evaluation; the same answers on both sides first."""
    with served() as service, theirs() as other:
        mine = Ours(service)
        with mine.client:
            _compare(mine, other)
    start()


def _compare(mine: Ours, other: Theirs) -> None:
    for key in flags():
        for one in people():
            same = other.client.variation(key, other.context(one), None)
            assert mine.client.json(key, None, one) == same, (key, one)
    compared("on or off", mine.asks("on"), other.asks("on"), 25)
    compared("5 rules of 2 clauses", mine.asks("rules"), other.asks("rules"), 20)
    compared("25 % rollout", mine.asks("quarter"), other.asks("quarter"), 12)
    small, large = (
        compared(f"segment of {words} keys", mine.asks(key), other.asks(key), 25)
        for words, key in (("1,000", "thousand"), ("100,000", "hundred thousand"))
    )
    print(f"{'100,000 keys / 1,000':42} {large / small:.2f} (goal 0.95)")
    compared("chain of 3 prerequisites", mine.asks("p3"), other.asks("p3"), 25)
    compared("5 rules, from a raw context", mine.asks_raw("rules"), other.asks_raw("rules"), 7)
