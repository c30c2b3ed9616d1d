"""Flags over HTTP: one evaluation beside a bare echo, and all of 1,000 flags as JSON beside the published Python SDK.

python -m tests.bench ofrep [--rounds N]

Needs `pip install launchdarkly-server-sdk` for the second row.
"""

import asyncio
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from kbwork.api.sdk.snapshot import ServedSnapshot
from kbwork.contract.kbwork_client import Kbwork
from kbwork.core.ports.flags import EnvironmentData
from kbwork.flagengine import Context
from tests.bench import flags, kill
from tests.bench.http import free_port, number, wait_for
from tests.bench.load import Result, burst, request

_FLAGS = 1_000
_SECONDS = 1.5
_CPU_S = 1.0
_GOAL_ONE, _GOAL_ALL = 1.0, 15.0
_ECHOED = request("/echo", json.dumps({"context": flags.people()[0]}).encode())


def main(arguments: list[str]) -> None:
    """Prints both rows."""
    rounds = number(arguments, "--rounds", 3)
    with tempfile.TemporaryDirectory() as folder:
        _one(Path(folder), rounds)
        _all(Path(folder), rounds)


def _one(folder: Path, rounds: int) -> None:
    key = kill.init(folder / "data")
    server = kill.serve(folder / "data", key)
    port = free_port()
    echo = subprocess.Popen([sys.executable, "-m", "tests.bench.echo", str(port)])
    try:
        wait_for(port)
        secret = _filled(server.url, key)
        asked = [_asked(secret, person) for person in flags.people()]
        pairs = []
        for _ in range(rounds):
            plain = burst(port, lambda _: _ECHOED, connections=8, seconds=_SECONDS)
            found = burst(server.port, lambda n: asked[n % len(asked)], connections=8, seconds=_SECONDS)
            _require(found)
            pairs.append((found.rate, found.rate / plain.rate))
    finally:
        server.kill()
        echo.kill()
        echo.wait(timeout=10)
    _row("one evaluation, to the echo", pairs, _GOAL_ONE)


def _filled(url: str, key: str) -> str:
    """A flag of five rules; answers a server key."""
    with Kbwork(url, key) as client:
        client.call("flags.project_save", {"project": "shop"})
        client.call("flags.environment_save", {"project": "shop", "key": "live"})
        client.call("flags.create", {"project": "shop", "key": "rules"})
        rules = [flags.rule(place) | {"variation": 1} for place in range(5)]
        asked = {"project": "shop", "key": "rules", "environment": "live"}
        on = [{"kind": "turnFlagOn"}, {"kind": "replaceRules", "rules": rules}]
        client.call("flags.update", asked | {"instructions": on})
        made = client.call("flags.key_create", {"project": "shop", "environment": "live", "kind": "server"})
        return str(made["secret"])


def _asked(secret: str, person: dict[str, Any]) -> bytes:
    context = {"targetingKey": person["key"], **{k: v for k, v in person.items() if k != "key"}}
    return request("/ofrep/v1/evaluate/flags/rules", json.dumps({"context": context}).encode(), secret)


def _require(found: Result) -> None:
    if set(found.statuses) != {200}:
        raise ValueError(f"it answered {found.statuses}")


def _all(folder: Path, rounds: int) -> None:
    """Answers in a second of processor time; the published SDK makes a state of all flags, and JSON of that."""
    import ldclient
    from ldclient.integrations import Files

    many = {
        f"f{place}": flags.flag(rules=[flags.rule(n) for n in range(place % 3)]) for place in range(_FLAGS)
    }
    path = folder / "many.json"
    path.write_text(
        json.dumps({"flags": {key: one | {"key": key} for key, one in many.items()}, "segments": {}})
    )
    source = Files.new_data_source(paths=[str(path)])
    config = ldclient.Config(
        "bench", update_processor_class=source, send_events=False, diagnostic_opt_out=True
    )
    other: Any = ldclient.LDClient(config)
    theirs = [ldclient.Context.from_dict(person) for person in flags.people()]
    kinds = [found for found in (Context(person).kinds for person in flags.people()) if found is not None]
    edition = _edition(many)

    def ask_ours(place: int) -> bytes:
        return b'{"flags":[' + b",".join(edition.texts(kinds[place % len(kinds)], public=False)) + b"]}"

    def ask_theirs(place: int) -> bytes:
        state = other.all_flags_state(theirs[place % len(theirs)])
        return json.dumps(state.to_json_dict()).encode()

    try:
        pairs = [(mine, mine / _rate(ask_theirs)) for mine in (_rate(ask_ours) for _ in range(rounds))]
    finally:
        other.close()
    _row(f"{_FLAGS:,} flags as JSON, to the SDK", pairs, _GOAL_ALL)


def _edition(many: dict[str, dict[str, Any]]) -> ServedSnapshot:
    data = {
        key: one | {"variations": [{"value": value} for value in one["variations"]]}
        for key, one in many.items()
    }
    edition = ServedSnapshot(1, EnvironmentData(1, "", {"flags": data, "segments": {}}, {}))
    asyncio.run(edition.prepare(public=False))
    return edition


def _rate(ask: Callable[[int], bytes]) -> float:
    ask(0)
    began, times = time.process_time(), 0
    while time.process_time() - began < _CPU_S:
        ask(times)
        times += 1
    return times / (time.process_time() - began)


def _row(name: str, pairs: list[tuple[float, float]], goal: float) -> None:
    rate, ratio = (statistics.median(found) for found in zip(*pairs, strict=True))
    print(
        f"{name:42} {rate:11,.0f}/s {ratio:7.2f}x  goal {goal:4.1f}x  {'met' if ratio >= goal else 'not met'}"
    )
