"""The client library and deltas: what it is sent when flags change, and what it does with those that do not fit."""

import json
import logging
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from kbwork.flags import Client, follower
from kbwork.flags.cache import Cache
from kbwork.flags.options import ClientOptions
from tests.flags.service import CLIENT_ID, SDK_KEY, Service, flag, sealed, served
from tests.modules.calls import eventually

ANA = {"key": "ana"}


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(follower, "SPREAD_S", 0.0)


@pytest.fixture
def service() -> Iterator[Service]:
    with served() as found:
        found.flags = {
            "on": flag(),
            "other": flag(),
            "resting": flag(prerequisites=[{"key": "on", "variation": 0}]),
        }
        yield found


def made(service: Service, **more: Any) -> Client:
    return Client(**{"sdk_key": SDK_KEY, "base_url": service.url} | more)


@pytest.fixture(params=["server", "client"])
def client(service: Service, request: pytest.FixtureRequest) -> Iterator[Client]:
    """A client by a key of each kind, which has version 1 and hears of changes."""
    options: ClientOptions = {"base_url": service.url}
    options |= {"sdk_key": SDK_KEY} if request.param == "server" else {"client_id": CLIENT_ID}
    with Client(**options) as found:
        assert found.ready()
        eventually(lambda: found.status.connected)
        yield found


def at(client: Client, version: int) -> None:
    eventually(lambda: client.version == version)


def test_a_change_comes_as_what_changed(service: Service, client: Client) -> None:
    service.change(on=flag(on=False))
    at(client, 2)
    assert (client.boolean("on", True, ANA), client.boolean("other", False, ANA)) == (False, True)
    assert client.boolean_detail("resting", True, ANA).reason == "PREREQUISITE_FAILED"
    del service.flags["other"]
    service.segments = {"staff": {"included": ["ana"], "excluded": [], "rules": [], "salt": "s"}}
    asked = {"op": "segmentMatch", "values": ["staff"]}
    service.change(staff=flag(rules=[{"id": "r", "clauses": [asked], "variation": 1}]))
    at(client, 3)
    assert client.boolean_detail("other", False, ANA).error_kind == "FLAG_NOT_FOUND"
    assert client.boolean_detail("staff", True, ANA).reason == "TARGETING_MATCH"
    assert service.since == [None, "1", "2"]


def test_flags_that_did_not_change_keep_their_code(service: Service) -> None:
    with made(service) as client:
        assert client.ready()
        eventually(lambda: client.status.connected)
        client.boolean("other", False, ANA)
        before = client._flags
        assert before is not None
        service.change(on=flag(on=False))
        at(client, 2)
        after = client._flags
        assert after is not None
        assert after.snapshot.compiled("other") is before.snapshot.compiled("other") is not None
        assert after.snapshot.data["flags"]["other"] is before.snapshot.data["flags"]["other"]


def test_changes_while_a_delta_is_on_its_way_come_with_the_next(service: Service, client: Client) -> None:
    for turn in range(20):
        service.change(on=flag(turn % 2 == 0))
    at(client, 21)
    assert client.boolean("on", True, ANA) is False
    assert service.since[0] is None
    assert None not in service.since[1:]


def test_a_version_that_is_not_known_any_more_gets_the_whole(service: Service, client: Client) -> None:
    service.past.clear()
    service.change(on=flag(on=False))
    at(client, 2)
    assert client.boolean("on", True, ANA) is False
    assert service.since == [None, "1"]


def _delta(service: Service, **changed: Any) -> bytes:
    """From version 1 to 2, where `on` goes off, or what else it says."""
    found = service.data() | {
        "edition": "e2",
        "environment": {"version": 2},
        "base": {"version": 1, "edition": "e1"},
        "flags": {"on": flag(on=False)},
        "removed": {"flags": [], "segments": []},
        **changed,
    }
    return json.dumps(found).encode()


HOSTILE: dict[str, Callable[[Service], bytes]] = {
    "of another edition": lambda service: sealed(_delta(service, base={"version": 1, "edition": "x1"}), 2, 1),
    "of another version": lambda service: sealed(_delta(service, base={"version": 0, "edition": "e0"}), 2, 0),
    "sealed for another base": lambda service: sealed(_delta(service), 2, 0),
    "sealed as a snapshot": lambda service: sealed(_delta(service), 2),
    "sealed with another version": lambda service: sealed(_delta(service), 3, 1),
    "a snapshot sealed as a delta": lambda service: sealed(service.content(), 2, 1),
    "that leads nowhere": lambda service: sealed(_delta(service, environment={"version": 1}), 1, 1),
    "that removes what is not there": lambda service: sealed(
        _delta(service, removed={"flags": ["no"], "segments": []}), 2, 1
    ),
    "of no form": lambda service: sealed(_delta(service, flags=[]), 2, 1),
    "with a wrong tag": lambda service: sealed(_delta(service), 2, 1)[:-1] + b"x",
    "that is cut off": lambda service: sealed(_delta(service), 2, 1)[:60],
    "that is nothing": lambda service: b"",
    "that is garbage": lambda service: (
        b"<html>a proxy says hello to whoever passes by, at some length</html>"
    ),
    "without JSON": lambda service: sealed(b"{", 2, 1),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_after_a_delta_that_does_not_fit_the_whole_is_asked_for_once(service: Service, name: str) -> None:
    with made(service) as client:
        assert client.ready()
        eventually(lambda: client.status.connected)
        service.rigged = [HOSTILE[name](service)]
        service.change(on=flag("new"))
        at(client, 2)
        assert client.string("on", "", ANA) == "new"
        assert service.since == [None, "1", None]


def test_a_delta_that_was_taken_is_not_taken_again(service: Service) -> None:
    with made(service) as client:
        assert client.ready()
        eventually(lambda: client.status.connected)
        good = sealed(_delta(service), 2, 1)
        service.rigged = [good]
        service.change(on=flag(on=False))
        at(client, 2)
        assert client.boolean("on", True, ANA) is False
        service.rigged = [good]
        service.change(on=flag())
        at(client, 3)
        assert client.boolean("on", False, ANA) is True
        assert service.since == [None, "1", "2", None]


def test_where_the_whole_does_not_fit_either_it_waits(
    service: Service, caplog: pytest.LogCaptureFixture
) -> None:
    with made(service) as client:
        assert client.ready()
        eventually(lambda: client.status.connected)
        service.rigged, service.garbled = [b"x"], True
        with caplog.at_level(logging.WARNING):
            service.change(on=flag(on=False))
            eventually(lambda: len(service.since) >= 3)
            eventually(lambda: "changed on its way" in caplog.text)
        assert (client.version, client.boolean("on", False, ANA)) == (1, True)
        assert service.since[:3] == [None, "1", None]
        service.garbled = False
        service.change(on=flag(on=False))
        at(client, 3)


def test_a_server_that_was_set_back_is_not_gone_back_to(service: Service, client: Client) -> None:
    service.version = 8
    service.change(on=flag(on=False))
    at(client, 9)
    service.past.clear()
    service.edition, service.version, service.flags = "f", 4, {"on": flag("back")}
    service.change()
    eventually(lambda: len(service.since) >= 3)
    assert service.since[:3] == [None, "1", "9"]
    service.version = 8
    service.past[9] = service.data() | {"edition": "f9"}  # another version 9 than that which the client has
    service.version = 9
    service.change(on=flag("forward"))
    at(client, 10)
    assert client.string("on", "", ANA) == "forward"
    assert client.boolean_detail("other", False, ANA).error_kind == "FLAG_NOT_FOUND"
    assert service.since[-2:] == ["9", None]
    assert set(service.since[2:-1]) == {"9"}, "the whole is asked for where what changed is of another one"


def test_a_key_that_is_revoked_gets_no_delta(service: Service, client: Client) -> None:
    service.status["snapshot"] = 401
    service.change(on=flag(on=False))
    eventually(lambda: client.status.last_error is not None and not client.status.connected)
    assert (client.version, client.boolean("on", False, ANA)) == (1, True)
    asked = service.count("snapshot")
    service.change(on=flag(on=False))
    assert service.count("snapshot") <= asked + 1  # one may have been on its way


def test_a_refusal_stays_said_whatever_the_other_thread_was_about_to_ask(
    service: Service, client: Client
) -> None:
    feed = client._feed
    assert isinstance(feed, follower.Follower)
    with feed._fetching:
        service.change(on=flag(on=False))
        eventually(lambda: feed._named == 2)
        feed._refuse()
    eventually(lambda: not any(thread.is_alive() for thread in feed._threads))
    assert client.status.last_error == "the key is refused: flags stay as they are"
    assert (client.status.connected, client.version) == (False, 1)


# -- the disk -------------------------------------------------------------------------------------------


def _kept(service: Service, path: Path, changes: int) -> None:
    """A client that keeps its snapshot, and hears of so many changes."""
    with made(service, cache_path=path) as client:
        assert client.ready()
        eventually(lambda: client.status.connected)
        for _ in range(changes):
            service.change(on=flag(f"v{service.version + 1}"))
            at(client, service.version)
    service.hang_up()


def _alone(service: Service, path: Path, version: int) -> None:
    """What a client starts with where the service is not there."""
    service.status = {"snapshot": 503, "stream": 503, "events": 503}
    with made(service, cache_path=path) as client:
        assert client.ready()
        assert (client.version, client.string("on", "", ANA)) == (version, f"v{version}")
    service.status = {"snapshot": 200, "stream": 200, "events": 202}


def test_deltas_are_kept_behind_the_snapshot(service: Service, tmp_path: Path) -> None:
    path = tmp_path / "flags"
    _kept(service, path, 3)
    whole = path.read_bytes()
    beside = tmp_path / "flags.changes"
    assert beside.stat().st_mode & 0o777 == 0o600
    assert b"version" not in whole + beside.read_bytes()
    _alone(service, path, 4)
    service.since = []
    with made(service, cache_path=path):
        eventually(lambda: service.since)
        assert service.since[0] == "4"


def test_what_others_added_or_what_is_cut_off_does_no_harm(service: Service, tmp_path: Path) -> None:
    path, beside = tmp_path / "flags", tmp_path / "flags.changes"
    _kept(service, path, 3)
    one = beside.read_bytes()
    beside.write_bytes(one + one)
    _alone(service, path, 4)
    beside.write_bytes(one[:-9])
    _alone(service, path, 3)
    service.past.clear()
    service.version, service.since = 5, []
    service.flags = {"on": flag("v5")}
    _kept(service, path, 0)
    assert service.since[0] is None
    assert not beside.exists()
    _alone(service, path, 5)


def test_when_it_is_full_the_whole_is_asked_for(
    service: Service, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kbwork.flags.cache._MOST_DELTAS", 2)
    path = tmp_path / "flags"
    _kept(service, path, 4)
    assert service.since == [None, "1", "2", None, "4"]
    _alone(service, path, 5)
    cache = Cache(path)
    cache.read()
    assert len(list(cache.deltas())) == 1
