"""One service that misbehaves tries the libraries of both languages: each holds to what it has, and comes back."""

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.api.sdk.driven_clients import KINDS, Answer, DrivenClient, NodeClient, PythonClient
from tests.flags.service import Service, flag, served
from tests.modules.calls import eventually
from tests.web.conftest import TESTS, flag_library, node

__all__ = ["flag_library", "node"]

pytestmark = pytest.mark.long

Begins = Callable[..., DrivenClient]
ON, OFF = Answer(True, "DEFAULT"), Answer(False, "DISABLED")


@pytest.fixture
def service() -> Iterator[Service]:
    with served() as found:
        yield found


@pytest.fixture(params=KINDS)
def begins(
    request: pytest.FixtureRequest,
    service: Service,
    node: str,
    flag_library: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Begins]:
    """Begins a client of one of the libraries."""
    shutil.copy(TESTS / "driven.mjs", flag_library)
    begun: list[DrivenClient] = []

    def begin(**options: Any) -> DrivenClient:
        made: DrivenClient
        if request.param == "python":
            made = PythonClient(service, monkeypatch, **options)
        else:
            made = NodeClient(node, flag_library, service, request.param, **options)
        begun.append(made)
        return made

    yield begin
    for client in begun:
        client.close()


def has(client: DrivenClient, version: int) -> None:
    eventually(lambda: client.state()[:2] == (version, True))


def off() -> dict[str, Any]:
    return flag(on=False)


def test_what_is_served_outlasts_whatever_the_service_answers(service: Service, begins: Begins) -> None:
    """A line of 5xx, of bytes that are nothing, of half a stream, and of pauses that are asked for."""
    client = begins()
    assert client.ready(10_000)
    has(client, 1)
    for trouble in ("garbage", "500", "half", "429"):
        if trouble == "garbage":
            service.rigged.append(b"\x00garbage")
        elif trouble == "half":
            for stream in service.streams:
                stream.put('event: change\ndata: {"ver')
            service.hang_up()
        else:
            service.statuses["snapshot"].append(int(trouble))
        service.change(on=off() if service.version % 2 else flag())
        eventually(lambda: client.state().version == service.version)
        assert client.served("on", fallback=False) == (ON if service.version % 2 else OFF)
    has(client, 5)


def test_a_service_that_says_nothing_keeps_nobody(service: Service, begins: Begins) -> None:
    service.is_silent = True
    client = begins(init_timeout_ms=200)
    assert client.ready(200) is False
    assert client.served("on", fallback=True) == Answer(True, "ERROR", "CLIENT_NOT_READY")
    service.is_silent = False
    service.hang_up()
    assert client.ready(10_000)
    assert client.served("on", fallback=False) == ON


def test_a_key_that_is_refused_is_not_asked_for_again(service: Service, begins: Begins) -> None:
    client = begins()
    assert client.ready(10_000)
    has(client, 1)
    service.say("revoked", {})
    eventually(lambda: not client.state().connected and client.state().error is not None)
    asked = len(service.asked)
    service.change(on=off())
    assert client.served("on", fallback=False) == ON
    assert len(service.asked) == asked
    service.status = dict.fromkeys(service.status, 401)
    other = begins(init_timeout_ms=5_000)
    assert other.ready(5_000) is False
    assert other.served("on", fallback=True) == Answer(True, "ERROR", "CLIENT_NOT_READY")


def test_an_older_version_is_not_served(service: Service, begins: Begins) -> None:
    client = begins()
    assert client.ready(10_000)
    has(client, 1)
    service.change(on=off())
    has(client, 2)
    service.flags, service.version = {"on": flag()}, 1
    service.say("change", {"version": 1})
    eventually(lambda: client.state().error is not None)
    assert client.state().version == 2
    assert client.served("on", fallback=True) == OFF


@pytest.mark.parametrize("ahead_s", [-3600, 3600])
def test_a_clock_that_is_set_changes_nothing(service: Service, begins: Begins, ahead_s: int) -> None:
    client = begins()
    assert client.ready(10_000)
    has(client, 1)
    client.clock(ahead_s)
    client.served("on", fallback=False)
    service.change(on=off())
    eventually(lambda: client.served("on", fallback=True) == OFF)
    assert client.flush()
    counted = [event["count"] for batch in service.batches for event in batch["events"]]
    assert sum(counted) >= 2


def test_what_is_private_is_in_no_byte(service: Service, begins: Begins) -> None:
    """The flag asks for its evaluations one by one; the context has a secret that may not leave."""
    service.flags["on"] = flag(trackEvents=True)
    client = begins(private_attributes=["email"])
    assert client.ready(10_000)
    client.served("on", fallback=False)
    assert client.flush()
    [told] = [
        event for batch in service.batches for event in batch["events"] if event["kind"] == "evaluation"
    ]
    assert told["context"]["_meta"] == {"redacted": ["email"]}
    assert "acme.example" not in json.dumps(service.batches)


def test_counts_that_are_refused_for_a_while_arrive_once(service: Service, begins: Begins) -> None:
    client = begins()
    assert client.ready(10_000)
    service.statuses["events"] += [503]
    for _ in range(7):
        client.served("on", fallback=False)
    assert client.flush()
    first, second = service.batches
    assert (first["answered"], second["answered"]) == (503, 202)
    assert first["batchId"] == second["batchId"]
    assert [event["count"] for event in second["events"]] == [7]
