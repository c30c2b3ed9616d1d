"""What goes wrong at an edge: each is a line, a figure and an answer."""

import json
import logging
import os
import uuid
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import urlsplit

import pytest

from kbwork.api.sdk import counters
from kbwork.base.clock import FixedClock
from kbwork.core.ports.flags import Answered
from kbwork.edge import delivery, sender, spool
from kbwork.edge.key_cache import KeyCache
from kbwork.edge.spool import CountSpool
from kbwork.flags import follower
from tests.api.sdk.requests import EVENTS, FLAGS, SNAPSHOT, ask, evaluate, listening
from tests.conftest import NOW
from tests.contract.metric_names import answered, explained
from tests.edge.service import DAY_S, Edge, spooled
from tests.flags.service import CLIENT_ID, SDK_KEY, Service, flag, served
from tests.modules.calls import eventually

OTHER_KEY = "srv_" + "o" * 40


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spool, "GROWS_S", 0.0)
    monkeypatch.setattr(sender, "_LOOK_S", 0.05)
    monkeypatch.setattr(sender, "_LONGEST_PAUSE_S", 0.1)
    monkeypatch.setattr(sender, "_LONGEST_PUT_OFF_S", 0.1)
    monkeypatch.setattr(counters, "FLUSH_S", 0.05)
    monkeypatch.setattr(delivery, "_LOOK_S", 0.1)
    monkeypatch.setattr(follower, "FIRST_WAIT_S", 0.05)


@pytest.fixture
def service() -> Iterator[Service]:
    with served() as found:
        found.flags = {"on": flag(clientSide=True)}
        yield found


@pytest.fixture
def edge(service: Service, tmp_path: Path, clock: FixedClock) -> Edge:
    return Edge(tmp_path, service.url, [SDK_KEY, CLIENT_ID], clock=clock)


@pytest.fixture
def away(tmp_path: Path, clock: FixedClock) -> Edge:
    """One that has followed, whose upstream is gone."""
    with served() as service:
        service.flags = {"on": flag(clientSide=True)}
        found = Edge(tmp_path, service.url, [SDK_KEY, CLIENT_ID], clock=clock)
        with found.serving():
            found.ready()
            eventually(lambda: all(one["connected"] for one in found.health()[1]))
    return found


def port(edge: Edge) -> int:
    return urlsplit(edge.upstream).port or 0


def batch(*counts: int) -> dict[str, Any]:
    events = [
        {"kind": "summary", "flag": "on", "version": 4, "variation": 0, "count": count} for count in counts
    ]
    return {"batchId": str(uuid.uuid4()), "events": events}


def sums(service: Service) -> int:
    """How often it was told that the flag answered, each batch once."""
    taken = {one["batchId"]: one for one in service.batches if one["answered"] == 202}
    return sum(event["count"] for one in taken.values() for event in one["events"])


def said(caplog: pytest.LogCaptureFixture, text: str) -> int:
    """In how many lines this stands."""
    return sum(text in record.getMessage() for record in caplog.records)


def test_without_upstream_it_serves_what_it_has(away: Edge, clock: FixedClock) -> None:
    with away.serving():
        status, shown = away.health()
        assert status == 200
        told = {
            "environment": "production",
            "state": "served",
            "version": 1,
            "age_seconds": 0,
            "connected": False,
        }
        assert shown == [{"kind": "server", **told}, {"kind": "client", **told}]
        clock.advance(3600)
        for key in away.keys:
            assert evaluate(away.front, key, "on").json["value"] is True
        assert [one["age_seconds"] for one in away.health()[1]] == [3600, 3600]
        assert away.figures()["age_seconds"] == 3600
        assert away.figures()["connected"] == 0


def test_after_a_day_without_upstream_it_serves_no_more_until_that_is_back(
    away: Edge, clock: FixedClock, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    clock.advance(DAY_S - 10)
    with away.serving():
        assert away.states() == ["served"] * 2
        with listening(away.front, SDK_KEY) as stream:
            assert stream.events(1)[0][0] == "hello"
            clock.advance(20)
            answer = evaluate(away.front, SDK_KEY, "on")
            assert (answer.status, answer.headers["retry-after"]) == (503, "30")
            assert stream.events(1) == []
        assert away.health()[0] == 503
        assert away.health("/healthz")[0] == 200
        assert away.states() == ["stale"] * 2
        assert away.figures()["keys_stale"] == 2
        assert said(caplog, "nothing was heard of upstream for 24 hours") == 2
        with served(port(away)) as service:
            service.flags = {"on": flag(clientSide=True, on=False)}
            service.version = 2
            eventually(lambda: away.states() == ["served"] * 2)
            assert evaluate(away.front, SDK_KEY, "on").json["value"] is False
            eventually(lambda: said(caplog, "it is served again") == 2)


def test_without_upstream_and_without_a_cache_it_says_when_to_come_again(tmp_path: Path) -> None:
    with Edge(tmp_path, "http://127.0.0.1:9", [SDK_KEY]).serving() as edge:
        answer = edge.ask("GET", SNAPSHOT, key=SDK_KEY)
        assert (answer.status, answer.headers["retry-after"]) == (503, "2")
        assert edge.ask("GET", SNAPSHOT, key=OTHER_KEY).status == 401
        assert edge.health()[0] == 503
        assert edge.states() == ["empty"]
        assert edge.figures()["keys_empty"] == 1


@pytest.mark.parametrize("place", [0, 1])
def test_what_was_kept_for_another_key_is_not_served(
    away: Edge, place: int, caplog: pytest.LogCaptureFixture
) -> None:
    files = sorted(away.state.glob("*.flags"), key=lambda path: path.read_bytes())
    content = files[1 - place].read_bytes()
    files[place].write_bytes(content)
    with away.serving():
        assert sorted(away.states()) == ["empty", "served"]
        assert away.figures()["cache_total"] == 1
        assert said(caplog, "the snapshot on disk cannot be used: it was sealed for another SDK key") == 1


@pytest.mark.parametrize("damage", ["a bit", "the end", "all"])
def test_what_was_damaged_on_disk_is_not_served(
    away: Edge, damage: str, caplog: pytest.LogCaptureFixture
) -> None:
    for path in away.state.glob("*.flags"):
        content = path.read_bytes()
        broken = {"a bit": content[:-1] + bytes([content[-1] ^ 1]), "the end": content[:-9], "all": b""}
        path.write_bytes(broken[damage])
    with away.serving():
        assert away.states() == ["empty"] * 2
        assert away.figures()["cache_total"] == 2
        assert said(caplog, "the snapshot on disk cannot be used") == 2
        with served(port(away)) as service:
            service.flags = {"on": flag(clientSide=True)}
            eventually(lambda: away.states() == ["served"] * 2)


def test_what_is_forgotten_is_not_kept_by_who_comes_late(tmp_path: Path) -> None:
    kept = KeyCache(tmp_path / "one.flags")
    kept.write(b"whole")
    kept.append(b"delta")
    kept.forget()
    kept.write(b"whole")
    kept.append(b"delta")
    kept.confirm(NOW)
    assert kept.read() is None
    assert list(tmp_path.iterdir()) == []


def test_what_is_kept_of_a_client_side_id_is_sealed(away: Edge) -> None:
    contents = b"".join(path.read_bytes() for path in away.state.rglob("*") if path.is_file())
    assert contents
    for word in (b"variations", SDK_KEY.encode(), CLIENT_ID.encode()):
        assert word not in contents
    assert {oct(path.stat().st_mode & 0o777) for path in away.state.glob("*.flags")} == {"0o600"}


def test_an_older_version_is_not_gone_back_to(
    service: Service, edge: Edge, caplog: pytest.LogCaptureFixture
) -> None:
    service.version = 7
    edge.keys = [SDK_KEY]
    with edge.serving():
        edge.ready()
        eventually(lambda: edge.health()[1][0]["connected"])
        service.version = 3
        service.flags = {}
        service.say("change", {"version": 3})
        eventually(lambda: edge.figures()["older_total"] >= 1)
        eventually(lambda: said(caplog, "it is version 3, and 7 is served") == 1)
        assert evaluate(edge.front, SDK_KEY, "on").status == 200
        assert edge.health()[1][0]["version"] == 7


@pytest.mark.parametrize("told", ["by the stream", "by a status"])
def test_a_key_that_ends_is_forgotten_at_once(
    service: Service, edge: Edge, told: str, caplog: pytest.LogCaptureFixture
) -> None:
    edge.keys = [SDK_KEY]
    with edge.serving():
        edge.ready()
        eventually(lambda: edge.health()[1][0]["connected"])
        service.status |= {"snapshot": 401, "stream": 401, "events": 401}
        if told == "by the stream":
            service.say("revoked", {})
        else:
            service.hang_up()
        eventually(lambda: edge.states() == ["refused"])
        assert edge.ask("GET", SNAPSHOT, key=SDK_KEY).status == 401
        eventually(lambda: list(edge.state.glob("*.flags*")) == [])
        eventually(lambda: said(caplog, "the key is refused upstream") == 1)
    service.status |= {"snapshot": 200, "stream": 200}
    with edge.serving():
        edge.ready()
        service.status |= {"snapshot": 401, "stream": 401}
        service.say("revoked", {})
        eventually(lambda: edge.states() == ["refused"])
        service.status |= {"snapshot": 200, "stream": 200}
        edge.reread()
        eventually(lambda: edge.states() == ["served"])


# -- counts -----------------------------------------------------------------------------------------


def test_counts_wait_on_disk_without_contexts(away: Edge, caplog: pytest.LogCaptureFixture) -> None:
    mine = batch(5)
    mine["events"].append({"kind": "evaluation", "flag": "on", "context": {"key": "mira"}})
    mine["events"].append({"kind": "identify", "context": {"key": "mira"}})
    with away.serving():
        for _ in range(2):
            assert away.ask("POST", EVENTS, mine, key=CLIENT_ID).status == 202
        assert away.ask("POST", EVENTS, mine, key=CLIENT_ID).json == {"duplicate": True}
        for _ in range(4):
            asked = {"context": {"targetingKey": "mira", "email": "mira@acme.example"}}
            assert away.ask("POST", f"{FLAGS}/on", asked, key=SDK_KEY).status == 200
        eventually(lambda: len(spooled(away)) == 2)
        assert away.health()[0] == 200
        eventually(lambda: said(caplog, "counts wait on disk") == 1)
    assert b"mira" not in b"".join(path.read_bytes() for path in away.spool.iterdir())
    found = {one["batchId"]: [event["count"] for event in one["events"]] for one in spooled(away)}
    assert found.pop(mine["batchId"]) == [5]
    assert list(found.values()) == [[4]]
    with served(port(away)) as service, away.serving():
        eventually(lambda: sums(service) == 9)
        eventually(lambda: spooled(away) == [])


def test_a_spool_that_is_full_says_so_and_loses_nothing_of_its_own(
    away: Edge, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(spool, "MOST_BATCHES", 2)
    with away.serving():
        assert [away.ask("POST", EVENTS, batch(5), key=CLIENT_ID).status for _ in range(2)] == [202] * 2
        answer = away.ask("POST", EVENTS, batch(5), key=CLIENT_ID)
        assert (answer.status, answer.headers["retry-after"]) == (503, "30")
        for _ in range(4):
            assert evaluate(away.front, SDK_KEY, "on").status == 200
        eventually(lambda: away.figures()["spool_refused_total"] >= 2)
        assert away.figures()["spool_batches"] == 2
        assert said(caplog, "2 batches of counts wait already: more are refused") == 1
        with served(port(away)) as service:
            eventually(lambda: sums(service) == 14)
            eventually(lambda: spooled(away) == [])
            assert away.ask("POST", EVENTS, batch(1), key=CLIENT_ID).status == 202
            eventually(lambda: sums(service) == 15)


@pytest.mark.parametrize("status", [400, 401, 413])
def test_a_batch_that_upstream_refuses_is_given_up(
    service: Service, edge: Edge, status: int, caplog: pytest.LogCaptureFixture
) -> None:
    with edge.serving():
        edge.ready()
        service.statuses["events"] = [status]
        assert edge.ask("POST", EVENTS, batch(5), key=CLIENT_ID).status == 202
        eventually(lambda: edge.figures()["spool_dropped_total"] == 1)
        assert said(caplog, f"a batch of counts is lost: upstream refuses it with the status {status}") == 1
        assert edge.ask("POST", EVENTS, batch(6), key=CLIENT_ID).status == 202
        eventually(lambda: sums(service) == 6)


@pytest.mark.parametrize("status", [302, 403, 404, 425])
def test_a_batch_that_something_before_upstream_refuses_is_sent_again_behind_the_others(
    service: Service, edge: Edge, status: int, caplog: pytest.LogCaptureFixture
) -> None:
    with edge.serving():
        edge.ready()
        service.status["events"] = 503
        for one in (batch(5), batch(6)):
            assert edge.ask("POST", EVENTS, one, key=CLIENT_ID).status == 202
        service.statuses["events"] = [status] * 3
        service.status["events"] = 202
        eventually(lambda: sums(service) == 11)
        refused = [one["batchId"] for one in service.batches if one["answered"] == status]
        assert refused[0] == refused[2] != refused[1]
        figures = edge.figures()
        assert (figures["spool_put_off_total"], figures["spool_dropped_total"]) == (3, 0)
        assert said(caplog, "counts wait on disk") == 1


def test_a_batch_that_is_refused_for_a_day_is_given_up(
    service: Service, edge: Edge, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(sender, "_PUT_OFF_S", 0.0)
    with edge.serving():
        edge.ready()
        service.status["events"] = 403
        assert edge.ask("POST", EVENTS, batch(5), key=CLIENT_ID).status == 202
        eventually(lambda: edge.figures()["spool_dropped_total"] == 1)
        assert (
            said(caplog, "a batch of counts is lost: for a day it was answered with a status such as 403")
            == 1
        )
        assert spooled(edge) == []


def test_how_the_edge_does_is_told_while_the_disk_is_waited_for(service: Service, edge: Edge) -> None:
    with edge.serving():
        edge.ready()
        told: list[object] = []
        asking = Thread(target=lambda: told.extend([edge.health()[0], edge.figures()["spool_batches"]]))
        with edge.delivery.spool._lock:
            asking.start()
            asking.join(10)
            found = list(told)
        asking.join()
        assert found == [200, 0]


@pytest.mark.parametrize("status", [408, 429, 500, 503])
def test_a_batch_that_upstream_cannot_take_now_is_sent_again_under_its_id(
    service: Service, edge: Edge, status: int
) -> None:
    with edge.serving():
        edge.ready()
        service.statuses["events"] = [status] * 3
        sent = batch(5)
        assert edge.ask("POST", EVENTS, sent, key=CLIENT_ID).status == 202
        eventually(lambda: sums(service) == 5)
        assert [one["batchId"] for one in service.batches] == [sent["batchId"]] * 4


def test_a_disk_that_refuses_counts_loses_none_of_its_own(
    service: Service, edge: Edge, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with edge.serving():
        edge.ready()
        write = CountSpool._write

        def full(*_: object) -> None:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(CountSpool, "_write", full)
        assert edge.ask("POST", EVENTS, batch(5), key=CLIENT_ID).status == 503
        for _ in range(4):
            assert evaluate(edge.front, SDK_KEY, "on").status == 200
        eventually(lambda: said(caplog, "counts are not on disk") >= 1)
        monkeypatch.setattr(CountSpool, "_write", write)
        eventually(lambda: sums(service) == 4)
        eventually(lambda: edge.figures()["spool_bytes"] == 0)


def test_counts_of_a_key_that_left_the_file_are_sent_all_the_same(away: Edge) -> None:
    with away.serving():
        assert away.ask("POST", EVENTS, batch(5), key=CLIENT_ID).status == 202
        for _ in range(4):
            assert evaluate(away.front, CLIENT_ID, "on").status == 200
        away.write_keys(SDK_KEY)
        eventually(lambda: len(away.states()) == 1)
        with served(port(away)) as service:
            eventually(lambda: sums(service) == 9)


def test_counts_of_a_key_that_nobody_knows_any_more_wait_for_a_day(
    away: Edge, clock: FixedClock, caplog: pytest.LogCaptureFixture
) -> None:
    with away.serving():
        assert away.ask("POST", EVENTS, batch(5), key=CLIENT_ID).status == 202
    (path,) = away.spool.glob("*.json")
    away.keys = [SDK_KEY]
    for age_s, left in ((DAY_S - 60, 1), (DAY_S + 60, 0)):
        os.utime(path, (clock.now() - age_s,) * 2)
        with away.serving():
            assert away.figures()["spool_batches"] == left
    assert said(caplog, "a batch of counts is lost: the file of keys does not name its key") == 1


def test_a_batch_of_the_edge_grows_until_it_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spool, "GROWS_S", 3600.0)
    made = CountSpool(tmp_path / "spool")
    answers = [Answered(1, f"f{number}", 1, 0, NOW // 3600) for number in range(700)]
    for _ in range(5):
        assert made.add("a" * 16, dict.fromkeys(answers, 600_000)) == {}
    assert made.take(["a" * 16]) is None
    assert made.figures["batches"] == 5  # each answer has three parts of at most a million
    total, left = (
        0,
        CountSpool(tmp_path / "spool"),
    )  # as after a start: nothing of what lies there grows any more
    while (found := left.take(["a" * 16])) is not None:
        events = found.document()["events"]
        assert len(events) <= 500
        assert max(event["count"] for event in events) <= 1_000_000
        total += sum(event["count"] for event in events)
        left.sent(found)
    assert total == 5 * 700 * 600_000
    assert list((tmp_path / "spool").iterdir()) == []


# -- the file of keys -------------------------------------------------------------------------------


def test_a_file_that_cannot_be_used_changes_nothing(
    service: Service, edge: Edge, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    with edge.serving():
        edge.ready()
        edge.write_keys(SDK_KEY, CLIENT_ID, "srv_tooshort")
        eventually(lambda: said(caplog, f"line 5 of {edge.key_file} is no SDK key, srv_... or cli_...") == 1)
        edge.write_keys(SDK_KEY)
        edge.key_file.chmod(0o640)
        eventually(
            lambda: said(caplog, f"has the mode 640, and holds secrets: chmod 600 {edge.key_file}") == 1
        )
        assert edge.figures()["key_file_unusable"] == 1
        assert edge.states() == ["served"] * 2
        edge.key_file.unlink()
        eventually(lambda: said(caplog, "cannot be read: No such file or directory") == 1)
        edge.write_keys(SDK_KEY)
        eventually(lambda: edge.states() == ["served"])
        assert edge.figures()["key_file_unusable"] == 0
    for secret in (SDK_KEY, CLIENT_ID, "srv_tooshort"):
        assert secret not in caplog.text


def test_a_file_names_a_hundred_keys_at_most(
    service: Service, edge: Edge, caplog: pytest.LogCaptureFixture
) -> None:
    with edge.serving():
        edge.ready()
        edge.write_keys(*(f"cli_{number:024}" for number in range(101)))
        eventually(lambda: said(caplog, "names 101 keys; an edge has 100 at most") == 1)
        assert len(edge.states()) == 2


def test_figures_are_for_the_machine_itself(service: Service, edge: Edge) -> None:
    with edge.serving():
        found = edge.ask("GET", "/metrics")
        assert found.status == 200
        assert answered(found.body.decode(), "kbwork_edge_") == explained("howto-edge", "kbwork_edge_")
        assert ask(edge.front, "GET", "/metrics", X_Forwarded_For="192.0.2.1").status == 403
        assert json.loads(edge.ask("GET", "/healthz").body)["ok"] is True
