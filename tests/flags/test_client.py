"""The client library, against a service on the other end of a real connection."""

import asyncio
import json
import logging
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest

from kbwork.flags import AsyncClient, Client, Context, follower, recorder, wire
from tests.flags.service import CLIENT_ID, MIRA, SDK_KEY, Service, flag, made, served
from tests.modules.calls import eventually


@pytest.fixture
def service() -> Iterator[Service]:
    with served() as found:
        yield found


@pytest.fixture
def client(service: Service) -> Iterator[Client]:
    with made(service) as found:
        assert found.ready()
        yield found


def test_flags_are_evaluated_here(service: Service, client: Client) -> None:
    service.change(
        text=flag("blue"), figure=flag(2.5), tree=flag({"a": [1]}), off=flag(on=False, offVariation=None)
    )
    eventually(lambda: client.version == 2)
    asked = len(service.asked)
    assert client.boolean("on", False, MIRA) is True
    assert client.string("text", "red", Context(MIRA)) == "blue"
    assert client.number("figure", 1, MIRA) == 2.5
    assert client.json("tree", None, MIRA) == {"a": [1]}
    assert client.boolean("off", True, MIRA) is True
    detail = client.boolean_detail("on", False, MIRA)
    assert (detail.value, detail.variation, detail.reason) == (True, 0, "DEFAULT")
    assert client.string_detail("on", "x", MIRA).error_kind == "WRONG_TYPE"
    assert client.number_detail("none", 7, MIRA).error_kind == "FLAG_NOT_FOUND"
    assert client.json_detail("on", {}, None).error_kind == "INVALID_CONTEXT"
    assert len(service.asked) == asked


def test_what_is_answered_may_be_changed_by_whoever_gets_it(service: Service, client: Client) -> None:
    service.change(tree=flag({"a": [1]}))
    eventually(lambda: client.version == 2)
    client.json("tree", None, MIRA)["a"].append(2)
    assert client.json("tree", None, MIRA) == {"a": [1]}


@pytest.mark.parametrize(
    "context", [None, 7, [], {"key": object()}, {"key": "\ud800", "a": {1: 2}}, {b"key": "a"}]
)
def test_nothing_that_is_asked_raises(client: Client, context: Any) -> None:
    keys: list[Any] = ["on", None, 7, ["on"], "\ud800"]
    for key in keys:
        assert client.boolean(key, False, context) in (True, False)
    deep: dict[str, Any] = {}
    deep["a"] = deep
    assert client.boolean_detail("on", False, {"key": "x", "deep": deep}).error_kind == "EXCEPTION"


def test_before_the_first_snapshot_defaults_are_served(service: Service) -> None:
    service.status["snapshot"] = 503
    with made(service, init_timeout_ms=100) as client:
        assert client.ready() is False
        detail = client.boolean_detail("on", True, MIRA)
        assert (detail.value, detail.reason, detail.error_kind) == (True, "ERROR", "CLIENT_NOT_READY")
        service.status["snapshot"] = 200
        assert client.ready(10_000) is True
        assert client.boolean("on", False, MIRA) is True


def test_a_change_is_heard_on_the_stream(service: Service, client: Client) -> None:
    eventually(lambda: service.streams)
    heard = threading.Event()
    end = client.subscribe(heard.set)
    service.change(on=flag(on=False))
    assert heard.wait(5)
    assert client.boolean("on", True, MIRA) is False
    end()
    heard.clear()
    service.change(on=flag())
    eventually(lambda: client.boolean("on", False, MIRA))
    assert not heard.is_set()


def _fail() -> None:
    raise ValueError("a fault of the program's own")


def test_a_subscriber_that_fails_stops_nobody(service: Service, client: Client) -> None:
    heard = threading.Event()
    client.subscribe(_fail)
    client.subscribe(heard.set)
    service.change(on=flag(on=False))
    assert heard.wait(5)


def test_while_the_stream_is_down_it_asks(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(follower, "POLL_S", 0.1)
    service.status["stream"] = 503
    with made(service) as client:
        assert client.ready()
        service.change(on=flag(on=False))
        eventually(lambda: client.version == 2)
        eventually(lambda: service.count("snapshot") > 4)
        assert all(
            headers.get("If-None-Match") == '"2-1"' for _, headers in service.asked[-2:] if _ == "snapshot"
        )
        service.status["stream"] = 200
        eventually(lambda: service.streams)
        eventually(lambda: service.count("stream") > 1)


def test_a_stream_that_ends_is_opened_again(service: Service, client: Client) -> None:
    eventually(lambda: service.streams)
    service.hang_up()
    service.change(on=flag(on=False))
    eventually(lambda: service.streams)
    eventually(lambda: client.version == 2)


def test_the_last_good_snapshot_is_served_when_what_comes_is_none(
    service: Service, client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    eventually(lambda: service.streams)
    service.garbled = True
    service.change(on=flag(on=False))
    eventually(lambda: "cannot be used" in caplog.text)
    assert (client.version, client.boolean("on", False, MIRA)) == (1, True)
    service.garbled = False
    eventually(lambda: client.version == 2)
    assert client.boolean("on", True, MIRA) is False
    asked = service.count("snapshot")
    service.change()
    eventually(lambda: client.version == 3)
    assert service.count("snapshot") == asked + 1


def test_an_older_snapshot_is_not_gone_back_to(service: Service, client: Client) -> None:
    service.change()
    service.change()
    eventually(lambda: client.version == 3)
    service.version = 1
    service.change(on=flag(on=False))
    eventually(lambda: service.count("snapshot") >= 5)
    assert (client.version, client.boolean("on", False, MIRA)) == (3, True)
    service.version = 4
    eventually(lambda: client.version == 4)
    assert len(service.streams) == 1, "the stream lived all the while"


def test_what_cannot_be_used_is_asked_for_with_pauses_that_grow(
    service: Service, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    tries: list[int] = []

    def waits(count: int) -> float:
        tries.append(count)
        return 0.01

    monkeypatch.setattr(follower, "_wait_s", waits)
    service.garbled = True
    service.change(on=flag(on=False))
    eventually(lambda: 6 in tries)
    grown = [count for count in dict.fromkeys(tries) if count]
    assert grown[:6] == [1, 2, 3, 4, 5, 6], "each once, or twice where the stream asked, too"


@pytest.mark.parametrize("how", ["snapshot", "revoked"])
def test_a_key_that_is_refused_stops_updates_and_keeps_what_is_served(
    service: Service, client: Client, how: str
) -> None:
    eventually(lambda: service.streams)
    service.status["snapshot"] = 401
    if how == "snapshot":
        service.change(on=flag(on=False))
    else:
        service.say("revoked", {})
    eventually(lambda: not any("flags-stream" in thread.name for thread in threading.enumerate()))
    assert client.boolean("on", False, MIRA) is True
    asked = len(service.asked)
    client.close()
    assert len(service.asked) == asked, "what was counted is sent to nobody"


def test_a_key_that_is_refused_beside_the_stream_ends_the_stream(service: Service, client: Client) -> None:
    eventually(lambda: client.status.connected)
    service.status["snapshot"] = 401
    assert isinstance(client._feed, follower.Follower)
    client._feed._guarded(client._feed._fetch)
    eventually(lambda: not any("flags-stream" in thread.name for thread in threading.enumerate()))


def test_a_key_that_is_refused_to_both_threads_is_told_once(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    feed = client._feed
    assert isinstance(feed, follower.Follower)
    monkeypatch.setattr(feed, "_refused", lambda: told.append("refused"))

    def hears() -> None:
        raise follower.KeyRefused

    for _ in range(2):
        feed._guarded(hears)
    assert told == ["refused"]


def test_a_key_that_is_refused_at_once_does_not_wait(service: Service) -> None:
    service.status["snapshot"] = service.status["stream"] = 401
    with made(service, init_timeout_ms=30_000) as client:
        assert client.ready() is False


def test_an_answer_that_was_damaged_on_the_way_is_asked_for_again(service: Service) -> None:
    service.damaged = 2
    with Client(client_id=CLIENT_ID, base_url=service.url) as client:
        eventually(lambda: client.version == 1)
        assert client.boolean("on", False, MIRA) is True


def test_a_pause_that_is_asked_for_is_kept(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    service.status["stream"] = 503
    service.statuses["snapshot"] = [429]
    waited: list[float] = []
    wait = threading.Event.wait

    def told(self: threading.Event, timeout: float | None = None) -> bool:
        waited.append(timeout or 0)
        return wait(self, timeout)

    monkeypatch.setattr(threading.Event, "wait", told)
    with made(service) as client:
        assert client.ready()
        assert any(0.9 < seconds <= 1 for seconds in waited)


def test_a_pause_that_is_asked_for_counts_for_all_requests(service: Service) -> None:
    service.status["stream"] = service.status["snapshot"] = 429
    with made(service) as client:
        eventually(lambda: service.asked)
        threading.Event().wait(0.8)
        assert len(service.asked) <= 2, "both may have been on their way"
        eventually(lambda: len(service.asked) >= 3)
        threading.Event().wait(0.5)
        assert len(service.asked) == 3, "behind the pause one goes first"
        service.status["stream"] = service.status["snapshot"] = 200
        assert client.ready()


def test_a_stream_that_broke_behind_its_first_word_is_opened_soon_again(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    tries: list[int] = []

    def waits(count: int) -> float:
        tries.append(count)
        return 0.01

    def breaks(_: wire.SnapshotStream) -> Iterator[wire.Message]:
        yield wire.Message("hello", json.dumps({"version": service.version}))
        raise wire.Lost("it was cut")

    monkeypatch.setattr(follower, "_wait_s", waits)
    monkeypatch.setattr(wire.SnapshotStream, "messages", breaks)
    with made(service) as client:
        assert client.ready()
        eventually(lambda: len(tries) >= 3)
        assert set(tries) == {0}


def summed(service: Service) -> dict[tuple[Any, ...], int]:
    found: dict[tuple[Any, ...], int] = {}
    for batch in service.batches:
        if batch["answered"] == 202:
            for event in batch["events"]:
                if event["kind"] == "summary":
                    name = event["flag"], event["version"], event["variation"], event["reason"]
                    found[name] = found.get(name, 0) + event["count"]
    return found


def test_evaluations_are_counted_and_sent_at_the_end(service: Service, client: Client) -> None:
    service.change(other=flag(on=False, version=9))
    eventually(lambda: client.version == 2)
    threads = [
        threading.Thread(target=lambda: [client.boolean("on", False, MIRA) for _ in range(2000)])
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    client.boolean("other", True, MIRA)
    client.boolean("none", True, MIRA)
    client.string("on", "x", MIRA)
    client.close()
    assert summed(service) == {
        ("on", 4, 0, "DEFAULT"): 8000,
        ("other", 9, 1, "DISABLED"): 1,
        ("none", None, None, "ERROR"): 1,
        ("on", 4, None, "ERROR"): 1,
    }
    assert MIRA["email"] not in json.dumps(service.batches)
    [batch] = service.batches
    assert batch["events"][0]["from"] <= batch["events"][0]["to"] <= batch["sentAt"]


def test_what_is_counted_while_flags_are_exchanged_counts_on(
    service: Service, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert client._recorder is not None
    retire = client._recorder.retire

    def beside() -> None:
        client.boolean("on", False, MIRA)
        retire()

    monkeypatch.setattr(client._recorder, "retire", beside)
    service.change(on=flag(version=5))
    eventually(lambda: client.version == 2)
    for _ in range(4):
        client.boolean("on", False, MIRA)
        assert client.flush()
    assert sum(summed(service).values()) == 5


def test_flags_that_ask_for_it_tell_each_evaluation_without_what_is_private(service: Service) -> None:
    tracked = flag(rules=[{"id": "r", "clauses": [], "variation": 1, "trackEvents": True}])
    service.flags |= {"all": flag(trackEvents=True), "one": tracked}
    with made(service, private_attributes=["email"]) as client:
        assert client.ready()
        for key in ("on", "all", "one"):
            client.boolean(
                key, False, MIRA | {"_meta": {"privateAttributes": ["plan"]}, "plan": "gold", "age": 3}
            )
        client.track("bought", MIRA, {"price": 3})
        client.identify(MIRA)
        assert client.flush()
    events = [event for batch in service.batches for event in batch["events"]]
    told = [event for event in events if event["kind"] == "evaluation"]
    assert [(event["flag"], event["variation"]) for event in told] == [("all", 0), ("one", 1)]
    assert told[0]["context"] == {"key": "mira", "age": 3, "_meta": {"redacted": ["email", "plan"]}}
    assert told[0]["contextKinds"] == ["user"]
    assert {event["kind"] for event in events} == {"summary", "evaluation", "track", "identify"}
    assert "mira@acme" not in json.dumps(events)
    assert "gold" not in json.dumps(events)


@pytest.mark.parametrize(
    "context",
    [
        {"kind": "multi", "user": {"key": "a"}, "email": MIRA["email"]},
        {"kind": "multi", "user": {"key": "a"}, "no kind": MIRA},
        {"kind": "multi", "user": {"key": "a"}, "org": [MIRA]},
        {"kind": "multi", "user": {"email": MIRA["email"]}},
        {"kind": "no kind"} | MIRA,
        {"email": MIRA["email"]},
        MIRA["email"],
    ],
)
def test_of_a_context_that_is_not_valid_nothing_is_told(service: Service, context: Any) -> None:
    with made(service, private_attributes=["email"]) as client:
        assert client.ready()
        client.track("bought", context)
        client.identify(Context(context))
        assert client.flush()
    [batch] = service.batches
    assert [(event["contextKinds"], event["context"]) for event in batch["events"]] == [([], None)] * 2


def test_of_several_kinds_each_is_told_without_what_is_private(service: Service) -> None:
    with made(service, private_attributes=["email"]) as client:
        assert client.ready()
        client.track(
            "bought", MappingProxyType({"kind": "multi", "user": MappingProxyType(MIRA), "org": None})
        )
        assert client.flush()
    [[event]] = [batch["events"] for batch in service.batches]
    assert event["contextKinds"] == ["user"]
    user = {"key": "mira", "_meta": {"redacted": ["email"]}}
    assert event["context"] == {"kind": "multi", "user": user, "org": None}


def test_one_name_is_no_list_of_private_attributes(service: Service) -> None:
    with pytest.raises(TypeError, match=r"private_attributes should be a list, such as \['email'\]"):
        made(service, private_attributes="email")


def test_batches_are_of_five_hundred_and_go_twice_under_one_id(service: Service, client: Client) -> None:
    service.statuses["events"] = [500, 202]
    for number in range(700):
        client.boolean(f"none{number}", False, MIRA)
    client.close()
    sizes = [len(batch["events"]) for batch in service.batches]
    assert sizes[0] == sizes[1] == 500
    assert sum(sizes[1:]) == 700
    assert service.batches[0]["batchId"] == service.batches[1]["batchId"] != service.batches[2]["batchId"]


def test_batches_are_cut_where_contexts_are_large_and_counts_go_by_themselves(
    service: Service, client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    note = "é" * 100_000  # of two bytes each
    for number in range(12):
        client.track("bought", MIRA | {"note": note}, {"number": number})
    client.track("bought", MIRA | {"note": note * 6})
    client.boolean("on", False, MIRA)
    client.close()
    kinds = [{event["kind"] for event in batch["events"]} for batch in service.batches]
    assert kinds == [{"summary"}, {"track"}, {"track"}, {"track"}]
    told = [event for batch in service.batches[1:] for event in batch["events"]]
    assert [event["data"]["number"] for event in told] == list(range(12))
    for batch in service.batches:
        assert len(json.dumps(batch, ensure_ascii=False).encode()) < 1024 * 1024
    assert caplog.text.count("an event of 1200") == 1


def test_counts_arrive_though_what_is_told_beside_them_is_refused(
    service: Service, client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    service.statuses["events"] = [202, 413]
    client.track("bought", MIRA)
    client.boolean("on", False, MIRA)
    client.close()
    assert summed(service) == {("on", 4, 0, "DEFAULT"): 1}
    assert "1 events are lost: 413" in caplog.text


def test_a_batch_that_fails_twice_is_given_up(
    service: Service, client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    service.statuses["events"] = [500, 500]
    client.boolean("on", False, MIRA)
    assert client.flush(10)
    assert len(service.batches) == 2
    assert "1 events are lost: 500" in caplog.text
    client.boolean("on", False, MIRA)
    client.close()
    assert summed(service) == {("on", 4, 0, "DEFAULT"): 1}


def test_only_so_much_waits(
    service: Service, client: Client, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(recorder, "MOST_WAITING", 50)
    for number in range(80):
        client.boolean(f"none{number}", False, MIRA)
    client.boolean("none0", False, MIRA)
    client.close()
    found = summed(service)
    assert (len(found), sum(found.values())) == (50, 51)
    assert caplog.text.count("events wait already") == 1


def test_more_answers_are_counted_than_half_of_what_may_wait(
    service: Service, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(recorder, "MOST_WAITING", 50)
    service.flags = {f"flag{number}": flag() for number in range(40)}
    with made(service) as client:
        assert client.ready()
        for _ in range(3):
            for key in service.flags:
                client.boolean(key, False, MIRA)
            assert client.flush()
        client.boolean("none", False, MIRA)
    found = summed(service)
    assert set(found.values()) == {1, 3}
    assert len(found) == 41
    assert "wait already" not in caplog.text


def test_what_has_no_room_in_a_batch_is_counted_on(
    service: Service, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recorder, "MOST_WAITING", 50)
    service.change(**{f"flag{number}": flag() for number in range(40)})
    eventually(lambda: client.version == 2)
    keys = sorted(service.flags)
    for _ in range(2):
        for key in keys:
            client.boolean(key, False, MIRA)
    for number in range(9):
        client.track(f"seen{number}", MIRA)
    for _ in range(5):
        for key in keys:
            client.boolean(key, False, MIRA)
    assert client.flush()
    assert set(summed(service).values()) == {7}


def test_a_flush_sends_what_was_counted_before_it_also_while_another_is_under_way(
    service: Service, client: Client
) -> None:
    service.statuses["events"] = [500]  # the batch before comes again after a second
    client.boolean("on", False, MIRA)
    first = threading.Thread(target=client.flush)
    first.start()
    eventually(lambda: service.batches)
    client.boolean("none", False, MIRA)
    assert client.flush(10)
    first.join()
    assert sum(summed(service).values()) == 2
    client.close()
    assert client.flush(10) is False


def test_nothing_is_counted_where_events_are_off(service: Service) -> None:
    with made(service, send_events=False) as client:
        assert client.ready()
        client.boolean("on", False, MIRA)
        client.track("bought", MIRA)
        assert client.flush()
    assert service.batches == []


def test_the_last_snapshot_stays_on_disk_and_serves_a_start_without_the_service(
    service: Service, tmp_path: Path
) -> None:
    path = tmp_path / "flags.bin"
    with made(service, cache_path=path) as client:
        assert client.ready()
        eventually(path.exists)
    assert path.read_bytes().startswith(b"KBF1")
    assert b'"flags"' not in path.read_bytes()
    assert path.stat().st_mode & 0o077 == 0
    service.status["snapshot"] = service.status["stream"] = 503
    with made(service, cache_path=path) as client:
        assert client.ready()
        assert client.boolean("on", False, MIRA) is True
        service.status["snapshot"] = service.status["stream"] = 200
        service.version = 0
        service.change(on=flag(on=False))
        eventually(lambda: not client.boolean("on", True, MIRA))


def test_what_is_on_disk_outlives_a_rotation_of_the_key(service: Service, tmp_path: Path) -> None:
    path = tmp_path / "flags.bin"
    with made(service, cache_path=path) as client:
        assert client.ready()
        eventually(path.exists)
    service.status["snapshot"] = service.status["stream"] = 503
    with made(service, sdk_key="srv_new", cache_path=path, init_timeout_ms=300) as client:
        assert client.ready() is False
    with made(service, sdk_key="srv_new", previous_sdk_key=SDK_KEY, cache_path=path) as client:
        assert client.ready()
        assert client.boolean("on", False, MIRA) is True


def test_what_the_service_sends_is_for_the_key_that_asks(
    service: Service, caplog: pytest.LogCaptureFixture
) -> None:
    with made(service, sdk_key="srv_new", previous_sdk_key=SDK_KEY, init_timeout_ms=300) as client:
        assert client.ready() is False
    assert "it was sealed for another SDK key" in caplog.text


@pytest.mark.parametrize("content", [b"", b"KBF1" + bytes(200), b"{}"])
def test_a_broken_file_on_disk_is_passed_over(service: Service, tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "flags.bin"
    path.write_bytes(content)
    with made(service, cache_path=path) as client:
        assert client.ready()
        assert client.boolean("on", False, MIRA) is True
        eventually(lambda: path.read_bytes() != content)
    with made(service, cache_path=tmp_path / "none" / "flags.bin") as client:
        assert client.ready()


def test_a_client_side_id_reads_the_plain_snapshot(service: Service) -> None:
    with Client(client_id=CLIENT_ID, base_url=service.url) as client:
        assert client.ready()
        assert client.boolean("on", False, MIRA) is True


def test_the_service_may_be_nowhere() -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with Client(sdk_key=SDK_KEY, base_url=f"http://127.0.0.1:{port}", init_timeout_ms=200) as client:
        assert client.ready() is False
        assert client.boolean("on", True, MIRA) is True


def test_a_service_that_comes_up_later_is_soon_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    waited: list[float] = []

    def told(tries: int) -> float:
        waited.append(60.0 if tries else 0.01)
        return waited[-1]

    monkeypatch.setattr(follower, "_wait_s", told)
    monkeypatch.setattr(follower, "LATE_S", 0.3)
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with Client(sdk_key=SDK_KEY, base_url=f"http://127.0.0.1:{port}", init_timeout_ms=10_000) as client:
        eventually(lambda: waited.count(60.0) >= 4)
        assert "Connection refused" in str(client.status.last_error)
        with served(port):
            assert client.ready()
            eventually(lambda: client.status.connected)
            assert client.status.last_error is None


def test_it_is_told_how_it_stands_with_the_service(service: Service, client: Client) -> None:
    eventually(lambda: client.status.connected)
    status = client.status
    assert status.age_ms is not None
    assert status.age_ms < 5000
    assert status.last_error is None
    service.status["stream"] = service.status["snapshot"] = 503
    service.hang_up()
    told = "the stream is down: the service answers with the status 503"
    eventually(lambda: not client.status.connected and client.status.last_error == told)


def test_the_asynchronous_client_does_the_same(service: Service) -> None:
    async def run() -> None:
        async with AsyncClient(sdk_key=SDK_KEY, base_url=service.url) as client:
            assert await client.ready()
            assert client.boolean("on", False, MIRA) is True
            assert await client.flush()

    asyncio.run(run())
    assert summed(service) == {("on", 4, 0, "DEFAULT"): 1}


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({}, "name an sdk_key or a client_id"),
        ({"sdk_key": "a", "client_id": "b"}, "one of the two"),
        ({"sdk_key": ""}, "the key is empty"),
        ({"sdk_key": "srv_\n"}, "holds characters"),
        ({"sdk_key": "a", "base_url": "work.example"}, "base_url should be an address"),
        ({"sdk_key": "a", "proxy": "https://proxy.example"}, "proxy should be an address"),
        ({"sdk_key": "a", "ca_path": "/none.pem"}, "ca_path names no file of certificates"),
        ({"offline": True, "sdk_key": ""}, "the key is empty"),
        ({"sdk_key": "a", "flush_interval_ms": 0}, "flush_interval_ms should be at least 1"),
    ],
)
def test_a_client_that_cannot_be_made_is_told_at_once(options: Any, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        Client(**options)


def test_the_library_brings_nothing_of_the_server() -> None:
    code = (
        "import sys, kbwork.flags; print(sorted({m.split('.')[1] for m in sys.modules if m.startswith('kbwork.')}));"
        "print([m for m in ('starlette', 'apsw', 'pydantic', 'uvicorn', 'click', 'mcp') if m in sys.modules])"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout == "['flagengine', 'flags']\n[]\n"


def test_the_key_is_in_no_log(service: Service, caplog: pytest.LogCaptureFixture) -> None:
    service.status["snapshot"] = service.status["stream"] = 500
    with caplog.at_level(logging.DEBUG), made(service, init_timeout_ms=100) as client:
        client.ready()
    assert "status 500" in caplog.text
    assert SDK_KEY not in caplog.text
