"""The snapshot, the stream and the events of client libraries, and the Python library against the real server."""

import gzip
import json
import logging
import shutil
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kbwork.api.sdk import snapshot_cache
from kbwork.base.caller import SYSTEM, Caller
from kbwork.base.clock import FixedClock
from kbwork.base.errors import Busy
from kbwork.db.tx import Read, Write
from kbwork.flagengine.envelope import open_, version_of
from kbwork.flagengine.evaluate import hashed_key
from kbwork.flags import Client
from kbwork.settings import LimitSettings, Settings, StreamSettings
from tests.api.sdk.requests import (
    EVENTS,
    FLAGS,
    SNAPSHOT,
    STREAM,
    Listener,
    ask,
    evaluate,
    evaluate_all,
    listening,
    revoke,
    sdk_key,
)
from tests.conftest import NOW, Person, World, serving
from tests.modules.backups.test_backups import taken
from tests.modules.backups.test_restore_all import restored
from tests.modules.calls import call, eventually
from tests.modules.flags.flag_project import flag, patch, serve, shop, version

Json = dict[str, Any]
HOUR = NOW // 3600 * 3600
NEWEST = "public, max-age=0, s-maxage=1, stale-if-error=86400"


@pytest.fixture
def settings() -> Settings:
    return Settings(
        limits=LimitSettings(enabled=False), streams=StreamSettings(per_sdk_key=2, all=3, ping_seconds=0.2)
    )


@pytest.fixture
def key(world: World) -> str:
    """A server key of the environment `test`, in which `checkout` is served."""
    shop(world)
    flag(world)
    serve(world, 0)
    return sdk_key(world)


def content(world: World, key: str) -> Json:
    """The snapshot that a server key gets, opened."""
    found: Json = json.loads(open_(ask(world, "GET", SNAPSHOT, key=key).body, key).content)
    return found


def reduced(world: World, client: str) -> Json:
    """The snapshot that a client-side ID gets."""
    found: Json = json.loads(gzip.decompress(ask(world, "GET", SNAPSHOT, key=client).body))
    return found


def at_version(world: World, key: str, wanted: int) -> None:
    """Wait until the door serves this version."""
    eventually(lambda: version_of(ask(world, "GET", SNAPSHOT, key=key).body) == wanted)


# -- the snapshot ---------------------------------------------------------------------------------------


def test_a_server_key_gets_the_environment_sealed(world: World, key: str) -> None:
    segment = {"project": "shop", "environment": "test", "key": "staff", "included": ["ana"]}
    call(world, "ana", "flags.segment_save", **segment)
    at_version(world, key, version(world, "test"))
    answer = ask(world, "GET", SNAPSHOT, key=key)
    opened = open_(answer.body, key)
    assert opened.version == version(world, "test")
    found = json.loads(opened.content)
    assert found["format"] == 1
    assert found["environment"].keys() == {"id", "key", "version"}
    assert (found["environment"]["key"], found["environment"]["version"]) == ("test", opened.version)
    assert found["flags"]["checkout"].keys() == {
        "version",
        "on",
        "offVariation",
        "fallthrough",
        "targets",
        "rules",
        "prerequisites",
        "salt",
        "variations",
        "trackEvents",
        "clientSide",
    }
    assert found["flags"]["checkout"]["variations"] == [{"value": True}, {"value": False}]
    assert found["segments"]["staff"]["included"] == ["ana"]
    assert "name" not in found["segments"]["staff"]
    assert answer.headers["content-type"] == "application/octet-stream"
    assert answer.headers["cache-control"] == NEWEST
    assert answer.headers["vary"] == "Authorization"
    assert not [name for name in answer.headers if name.startswith("access-control")]


@pytest.mark.parametrize("kind", ["server", "client"])
def test_a_version_that_is_named_is_kept_for_a_day(world: World, key: str, kind: str) -> None:
    asking = sdk_key(world, kind)
    there = version(world, "test")
    eventually(lambda: ask(world, "GET", SNAPSHOT, key=asking).headers["etag"].startswith(f'"{there}-'))

    def kept(query: str, **headers: str) -> tuple[int, str, str]:
        found = ask(world, "GET", f"{SNAPSHOT}?{query}", key=asking, **headers)
        return found.status, found.headers["cache-control"], found.headers["vary"]

    for_good = (200, "public, max-age=86400, immutable, stale-if-error=86400", "Authorization")
    assert kept(f"version={there}") == for_good
    assert kept(f"since={there - 1}&version={there}") == for_good
    tag = ask(world, "GET", SNAPSHOT, key=asking).headers["etag"]
    assert kept(f"version={there}", If_None_Match=tag) == (304, *for_good[1:])
    assert kept(f"version={there - 1}") == (200, NEWEST, "Authorization")
    assert kept(f"version={there + 1}") == (200, "no-store", "Authorization")
    for nothing in ("version=", "version=x", f"version=-{there}", f"version={'9' * 40}"):
        assert kept(nothing) == (200, NEWEST, "Authorization")


def test_it_is_sealed_once_for_each_version_and_key(world: World, key: str) -> None:
    other = sdk_key(world)
    first = ask(world, "GET", SNAPSHOT, key=key)
    assert ask(world, "GET", SNAPSHOT, key=key).body == first.body
    assert ask(world, "GET", SNAPSHOT, key=other).body != first.body
    assert content(world, other) == content(world, key)
    serve(world, 1)
    at_version(world, key, version(world, "test"))
    assert ask(world, "GET", SNAPSHOT, key=key).body[38:50] != first.body[38:50]


def test_what_did_not_change_is_not_sent_again(world: World, key: str) -> None:
    first = ask(world, "GET", SNAPSHOT, key=key)
    ident = first.body[6:14].hex()
    tag = f'"{version(world, "test")}-{ident}"'
    assert first.headers["etag"] == tag
    for form in (tag, f"W/{tag}", f'"x", {tag}'):
        found = ask(world, "GET", SNAPSHOT, key=key, If_None_Match=form)
        assert (found.status, found.body, found.headers["etag"]) == (304, b"", tag)
        assert found.headers["cache-control"] == first.headers["cache-control"]
    assert ask(world, "GET", SNAPSHOT, key=sdk_key(world), If_None_Match=tag).status == 200
    serve(world, 1)
    eventually(lambda: ask(world, "GET", SNAPSHOT, key=key, If_None_Match=tag).status == 200)


def test_a_client_side_id_gets_what_it_may_see_with_lists_hashed(world: World, key: str) -> None:
    client = sdk_key(world, "client")
    flag(world, "banner", client_side=True)
    target = {"kind": "addTargets", "variation": 0, "values": ["ana"]}
    patch(world, "ana", "test", {"kind": "addPrerequisite", "key": "checkout", "variation": 0}, key="banner")
    patch(world, "ana", "test", target, key="banner")
    eventually(lambda: reduced(world, client)["environment"]["version"] == version(world, "test"))
    answer = ask(world, "GET", SNAPSHOT, key=client)
    assert answer.headers["content-encoding"] == "gzip"
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["access-control-allow-origin"] == "*"
    found = reduced(world, client)
    assert found["hashedKeys"] is True
    assert found["flags"].keys() == {"banner", "checkout"}
    (one,) = found["flags"]["banner"]["targets"]
    assert one["values"] == [hashed_key(found["keySalt"], "user", "ana")]
    assert found["flags"]["checkout"]["hidden"] is True
    assert found["flags"]["checkout"]["variations"] == [{"value": None}, {"value": None}]


@pytest.mark.parametrize("path", [SNAPSHOT, STREAM])
def test_keys_that_are_none_open_nothing(world: World, key: str, path: str) -> None:
    for wrong in (None, "srv_" + "x" * 40, world.people["ana"].key):
        found = ask(world, "GET", path, key=wrong)
        assert (found.status, found.json["error"]["code"]) == (401, "unauthorized")
        assert found.headers["www-authenticate"] == "Bearer"
    assert ask(world, "GET", f"{SNAPSHOT}?clientId={sdk_key(world, 'client')}").status == 401
    assert ask(world, "GET", f"{STREAM}?clientId={key}").status == 401


def test_other_methods_and_addresses_are_refused(world: World, key: str) -> None:
    for path, method in ((SNAPSHOT, "GET"), (STREAM, "GET"), (EVENTS, "POST")):
        found = ask(world, "PUT", path, key=key)
        assert (found.status, found.headers["allow"]) == (405, f"{method}, OPTIONS")
        asked = ask(world, "OPTIONS", path, Origin="https://shop.example")
        assert (asked.status, asked.headers["access-control-allow-methods"]) == (204, f"{method}, OPTIONS")
        assert asked.headers["access-control-allow-origin"] == "*"
    assert ask(world, "GET", "/sdk/v1/flags", key=key).json["error"]["code"] == "not_found"


# -- the stream -----------------------------------------------------------------------------------------


def test_a_stream_begins_with_the_version_and_tells_what_changed(world: World, key: str) -> None:
    before = version(world, "test")
    with listening(world, key) as listener:
        assert listener.answer.getheader("content-type") == "text/event-stream; charset=utf-8"
        messages = listener.messages()
        assert next(messages) == {"retry": "2000"}
        hello = next(messages)
        assert (hello["event"], hello["id"], json.loads(hello["data"])) == (
            "hello",
            str(before),
            {"version": before},
        )
        serve(world, 1)
        change = next(one for one in messages if "event" in one)
        assert (change["event"], change["id"]) == ("change", str(before + 1))
        assert json.loads(change["data"]) == {"version": before + 1, "flags": ["checkout"], "segments": []}
        message = next(one for one in messages if "event" in one)
        assert (message["event"], json.loads(message["data"])) == (
            "message",
            {"type": "refetchEvaluation", "etag": str(before + 1)},
        )


def test_changes_that_follow_each_other_are_told_together(world: World, key: str) -> None:
    before = version(world, "test")
    with listening(world, key) as listener:
        listener.events(1)
        calls = [
            {"op": "flags.create", "input": {"project": "shop", "key": f"f{number}"}} for number in range(3)
        ]
        call(world, "ana", "api.batch", ops=calls)
        segment = {"project": "shop", "environment": "test", "key": "staff", "included": ["ana"]}
        call(world, "ana", "flags.segment_save", **segment)
        flags, segments, last = set(), set(), before
        while last < version(world, "test"):
            (name, data), _ = listener.events(2)
            assert name == "change"
            flags |= set(data["flags"])
            segments |= set(data["segments"])
            last = data["version"]
        assert (flags, segments) == ({"f0", "f1", "f2"}, {"staff"})


@pytest.mark.parametrize("refused", ["flag versions", "flag snapshot"])
def test_what_changed_is_loaded_though_the_data_could_not_be_read_at_once(
    world: World, key: str, monkeypatch: pytest.MonkeyPatch, refused: str
) -> None:
    inner, times = world.database.read, 2

    async def read(fn: Callable[[Read], Any], caller: Caller = SYSTEM, *, name: str = "") -> Any:
        nonlocal times
        if name == refused and times:
            times -= 1
            raise Busy("The disk is sick.")
        return await inner(fn, caller, name=name)

    before = content(world, key)["environment"]["version"]
    monkeypatch.setattr(snapshot_cache, "_AGAIN_S", 0.05)
    monkeypatch.setattr(world.database, "read", read)
    serve(world, 1)
    assert version(world, "test") > before
    eventually(lambda: content(world, key)["environment"]["version"] == version(world, "test"), seconds=10)
    assert times == 0


def test_a_quiet_stream_says_that_it_is_there(world: World, key: str) -> None:
    with listening(world, key) as listener:
        messages = listener.messages()
        assert [next(messages) for _ in range(4)][2:] == [{"": ""}, {"": ""}]


def test_a_client_side_id_hears_of_its_flags_only_by_the_address_too(world: World, key: str) -> None:
    client = sdk_key(world, "client")
    flag(world, "banner", client_side=True)
    eventually(lambda: "banner" in reduced(world, client)["flags"])
    with listening(world, None, f"?clientId={client}") as listener:
        assert listener.answer.getheader("access-control-allow-origin") == "*"
        listener.events(1)
        serve(world, 1)
        assert listener.events(2)[0][1]["flags"] == []
        serve(world, 1, key="banner")
        assert listener.events(2)[0][1]["flags"] == ["banner"]


def ends_revoked(listener: Listener) -> None:
    """The stream says that the key ended, and ends."""
    assert listener.events(1) == [("revoked", {})]
    assert listener.answer.read() == b""


def test_a_key_that_is_revoked_ends_its_streams(world: World, key: str) -> None:
    other = sdk_key(world)
    with listening(world, key) as listener, listening(world, other) as going_on:
        listener.events(1)
        going_on.events(1)
        revoke(world, key)
        ends_revoked(listener)
        serve(world, 1)
        assert going_on.events(1)[0][0] == "change"


def test_a_key_that_ends_by_the_clock_ends_its_streams(world: World, key: str) -> None:
    with listening(world, key) as listener:
        listener.events(1)
        revoke(world, key, in_hours=1)
        world.clock.advance(3600)
        ends_revoked(listener)


def test_an_environment_or_project_that_goes_ends_its_streams(world: World, key: str) -> None:
    other = sdk_key(world, environment="production")
    with listening(world, key) as one, listening(world, other) as two:
        one.events(1)
        two.events(1)
        call(world, "ana", "flags.environment_delete", project="shop", key="test", confirm_key="test")
        ends_revoked(one)
        call(world, "ana", "flags.project_archive", project="shop")
        ends_revoked(two)
    assert ask(world, "GET", SNAPSHOT, key=key).status == 401


def test_streams_are_limited_by_key_and_in_all(world: World, key: str) -> None:
    other = sdk_key(world)
    with listening(world, key) as one, listening(world, key), listening(world, other):
        found = ask(world, "GET", STREAM, key=key)
        assert (found.status, found.headers["retry-after"]) == (429, "5")
        assert found.json["error"]["code"] == "rate_limited"
        found = ask(world, "GET", STREAM, key=other)
        assert (found.status, found.headers["retry-after"]) == (503, "30")
        one.events(1)
    eventually(lambda: open_streams(world) == 0)
    with listening(world, key) as listener:
        listener.events(1)


def open_streams(world: World) -> int:
    assert world.app is not None
    return world.app.delivery.figures["open"]


def test_the_blast_radius_and_the_metrics_count_those_who_listen(world: World, key: str) -> None:
    def heard() -> int:
        found: int = call(world, "ana", "flags.impact", project="shop", key="checkout", environment="test")[
            "streams"
        ]
        return found

    with listening(world, key) as listener, listening(world, key):
        listener.events(1)
        eventually(lambda: heard() == 2)
        metrics = ask(world, "GET", "/metrics").body
        assert b"\nkbwork_flag_streams_open 2.0\n" in metrics
    eventually(lambda: heard() == 0)


def test_streams_end_when_the_server_stops(still: World, settings: Settings) -> None:
    with serving(still, settings) as world:
        shop(world)
        listener = Listener(world, sdk_key(world))
        listener.events(1)
        assert world.app is not None
        world.app.end_streams()
        assert list(listener.messages())[-1:] in ([], [{"": ""}])
        listener.close()


def test_data_that_are_restored_are_served_at_once(world: World, key: str) -> None:
    ident = taken(world)["id"]
    later = sdk_key(world)
    serve(world, 1)
    eventually(lambda: evaluate(world, key, "checkout").json["variant"] == "1")
    assert evaluate(world, later, "checkout").status == 200
    with listening(world, key) as listener:
        listener.events(1)
        restored(world, ident)
        listener.answer.read()  # to its end, which is clean
    assert evaluate(world, key, "checkout").json["variant"] == "0"
    assert evaluate(world, later, "checkout").status == 401
    assert content(world, key)["environment"]["version"] == version(world, "test")


# -- events ---------------------------------------------------------------------------------------------


def summary(**changed: Any) -> Json:
    return {
        "kind": "summary",
        "from": NOW * 1000 - 60_000,
        "to": NOW * 1000,
        "flag": "checkout",
        "version": 2,
        "variation": 0,
        "reason": "DEFAULT",
        "count": 12,
        **changed,
    }


def send(world: World, key: str | None, *events: object, query: str = "", **changed: Any) -> tuple[int, Any]:
    """Send a batch; answers what came of it."""
    batch = {"batchId": str(uuid.uuid4()), "sdk": "js/1.2.0", "sentAt": NOW * 1000, "events": events}
    return ask(world, "POST", EVENTS + query, batch | changed, key=key).told


def series(world: World, key: str = "checkout", **more: Any) -> list[tuple[int, int | None, int]]:
    """(hour, variation, count) of the environment `test`."""
    asked = {"project": "shop", "key": key, "environment": "test", **more}
    found = call(world, "ana", "flags.insights", **asked)["series"]
    return [(one["hour"], one["variation"], one["count"]) for one in found]


def test_counts_are_written_down_before_they_are_acknowledged(world: World, key: str) -> None:
    events = [summary(), summary(variation=1, count=3), summary(variation=None, count=1), summary(version=1)]
    events.append(summary(version=None, variation=None, count=2))  # before the library had the flag
    assert send(world, key, *events) == (202, {"accepted": 5, "ignored": 0})
    assert series(world) == [(HOUR, None, 3), (HOUR, 0, 24), (HOUR, 1, 3)]


def test_a_batch_counts_once_within_two_days(world: World, key: str) -> None:
    name = str(uuid.uuid4())
    assert send(world, key, summary(), batchId=name)[1] == {"accepted": 1, "ignored": 0}
    for again in (name, name.upper()):
        assert send(world, key, summary(), batchId=again) == (202, {"duplicate": True})
    assert send(world, sdk_key(world), summary(), batchId=name)[1] == {"accepted": 1, "ignored": 0}
    assert series(world) == [(HOUR, 0, 24)]
    world.clock.advance(2 * 86_400)
    assert send(world, key, summary(), batchId=name)[1] == {"accepted": 1, "ignored": 0}


def used(world: World) -> list[tuple[int, int]]:
    """Remote evaluations and uploaded events of this month."""
    found = call(world, "ana", "org.usage", months=1)["months"]
    return [(month["flag_evaluations"], month["flag_events"]) for month in found]


def test_usage_counts_remote_evaluations_and_uploads_as_a_hundred_events_at_least(
    world: World, key: str
) -> None:
    assert send(world, key, summary())[0] == 202
    assert send(world, key, *([{"kind": "track"}] * 250)) == (202, {"accepted": 250, "ignored": 0})
    name = str(uuid.uuid4())
    for _ in range(2):
        assert send(world, key, summary(), batchId=name)[0] == 202
    assert used(world) == [(0, 100 + 250 + 100)]
    assert evaluate(world, key, "checkout").status == 200
    every = evaluate_all(world, key)
    assert evaluate_all(world, key, If_None_Match=every.headers["etag"]).status == 304
    eventually(lambda: used(world) == [(3, 450)])
    world.clock.advance(20 * 86400)
    assert evaluate(world, key, "checkout").status == 200
    assert send(world, key)[0] == 202

    def kept(tx: Write) -> list[tuple[Any, ...]]:
        return [tuple(row.values()) for row in tx.all("select * from flag_usage order by month")]

    wanted = [("2027-01", 3, 450), ("2027-02", 1, 100)]
    eventually(lambda: world.database.write_now(kept) == wanted)


def test_one_bad_event_spoils_no_batch(world: World, key: str) -> None:
    bad = [
        summary(flag="other"),
        summary(version=None),
        summary(version=0),
        summary(version=99),
        summary(variation=2),
        summary(variation=-1),
        summary(variation="0"),
        summary(variation=True),
        summary(count=0),
        summary(count=-5),
        summary(count=1.5),
        summary(count="many"),
        summary(flag=7),
        {"kind": "summary"},
        {"kind": "evaluation"},
        {"kind": "news"},
        {"kind": ["summary"]},
        {},
        "text",
        None,
    ]
    good = [
        summary(),
        {"kind": "track", "name": "x"},
        {"kind": "identify"},
        {"kind": "evaluation", "flag": "a"},
    ]
    assert send(world, key, *bad, *good) == (202, {"accepted": 4, "ignored": len(bad)})
    assert series(world) == [(HOUR, 0, 12)]


def test_counts_are_capped_and_land_in_the_hour_that_is_told_within_a_day(world: World, key: str) -> None:
    hours = [(-2, -2), (-25, 0), (2, 0), (0, 0)]
    for number, (told, _) in enumerate(hours):
        send(world, key, summary(to=(NOW + told * 3600) * 1000, count=10**number))
    send(world, key, summary(to=None, count=10**4), summary(to="now", count=10**5))
    assert series(world) == [(HOUR - 7200, 0, 1), (HOUR, 0, 111_110)]
    send(world, key, summary(count=10**12, variation=1))
    assert series(world)[-1] == (HOUR, 1, 1_000_000)


def test_a_client_side_id_counts_client_side_flags_only(world: World, key: str) -> None:
    client = sdk_key(world, "client")
    flag(world, "banner", client_side=True)
    both = (summary(), summary(flag="banner", version=1))
    assert send(world, client, *both) == (202, {"accepted": 1, "ignored": 1})
    assert (series(world), series(world, "banner")) == ([], [(HOUR, 0, 12)])
    assert send(world, None, *both, query=f"?clientId={client}")[0] == 202
    assert send(world, None, *both, query=f"?clientId={key}")[0] == 401


def test_a_beacon_is_taken(world: World, key: str) -> None:
    client = sdk_key(world, "client")
    batch = {"batchId": str(uuid.uuid4()), "events": []}
    body = json.dumps(batch).encode()
    path = f"{EVENTS}?clientId={client}"
    found = ask(world, "POST", path, body, Content_Type="text/plain;charset=UTF-8")
    assert found.told == (202, {"accepted": 0, "ignored": 0})
    assert found.headers["access-control-allow-origin"] == "*"
    assert ask(world, "POST", path, body, Content_Type="application/xml").status == 415
    for kind in ("application/json", "text/plain"):
        assert ask(world, "POST", path, body, Content_Type=f"{kind}; charset=utf-16").status == 415


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b"{}",
        b'{"batchId":"7","events":[]}',
        b'{"batchId":"6f1f7f0e-0000-4000-8000-000000000000"}',
        b'{"batchId":"6f1f7f0e-0000-4000-8000-000000000000","events":{}}',
        b'{"events":[]}',
    ],
)
def test_a_body_that_is_no_batch_is_refused(world: World, key: str, body: bytes) -> None:
    found = ask(world, "POST", EVENTS, body, key=key)
    assert (found.status, found.json["error"]["code"]) == (400, "invalid_request")


def test_a_batch_has_its_bounds(world: World, key: str) -> None:
    assert send(world, key, *[{"kind": "track"}] * 500)[0] == 202
    assert send(world, key, *[{"kind": "track"}] * 501)[0] == 413
    assert ask(world, "POST", EVENTS, b" " * (1024 * 1024 + 1), key=key).status == 413


def test_a_key_that_ended_counts_nothing(world: World, key: str) -> None:
    revoke(world, key)
    assert send(world, key, summary())[0] == 401


# -- the library ----------------------------------------------------------------------------------------


def evaluated(world: World, context: Json) -> dict[str, tuple[Any, int | None, str]]:
    """Key -> what the dashboard says of this context."""
    found = call(world, "ana", "flags.evaluate", project="shop", environment="test", context=context)
    return {one["key"]: (one["value"], one["variation"], one["reason"]) for one in found}


def test_the_library_follows_the_server(world: World, key: str) -> None:
    split = {"variations": [{"variation": 0, "weight": 30_000}, {"variation": 1, "weight": 70_000}]}
    flag(world, "split")
    serve(world, 0, key="split")
    fallthrough = {"kind": "updateFallthroughVariationOrRollout", "rollout": split}
    patch(world, "ana", "test", fallthrough, key="split")
    with Client(sdk_key=key, base_url=world.url) as client:
        assert client.ready()
        eventually(lambda: client.version == version(world, "test"))
        for number in range(20):
            context = {"key": f"u{number}"}
            details = {name: client.json_detail(name, None, context) for name in ("checkout", "split")}
            found = {name: (one.value, one.variation, one.reason) for name, one in details.items()}
            assert found == evaluated(world, context)
        eventually(lambda: open_streams(world) == 1)
        serve(world, 1)
        eventually(lambda: client.boolean("checkout", True, {"key": "ana"}) is False, seconds=1)
    assert sum(count for _, _, count in series(world, "split")) == 20


def test_the_library_of_a_browser_sees_its_flags(world: World, key: str) -> None:
    client_id = sdk_key(world, "client")
    flag(world, "banner", client_side=True)
    patch(world, "ana", "test", {"kind": "addTargets", "variation": 0, "values": ["ana"]}, key="banner")
    serve(world, 1, key="banner")
    with Client(client_id=client_id, base_url=world.url) as client:
        assert client.ready()
        eventually(lambda: client.version == version(world, "test"))
        assert client.boolean("banner", False, {"key": "ana"}) is True
        assert client.boolean_detail("banner", True, {"key": "bo"}).reason == "DEFAULT"
        assert client.boolean_detail("checkout", False, {"key": "ana"}).error_kind == "FLAG_NOT_FOUND"


def test_the_library_goes_on_with_what_it_has_when_its_key_ends(world: World, key: str) -> None:
    with Client(sdk_key=key, base_url=world.url) as client:
        assert client.ready()
        eventually(lambda: open_streams(world) == 1)
        revoke(world, key)
        eventually(lambda: open_streams(world) == 0)
        serve(world, 1)
        assert client.boolean("checkout", False, {"key": "ana"}) is True


# -- what is kept ---------------------------------------------------------------------------------------


@pytest.fixture
def still(template: tuple[Path, dict[str, Person]], tmp_path: Path, clock: FixedClock) -> World:
    """A world whose server does not run yet."""
    folder = tmp_path / "data"
    shutil.copytree(template[0], folder)
    return World(folder, clock, template[1])


def test_counts_in_memory_are_written_when_the_server_stops(still: World, settings: Settings) -> None:
    with serving(still, settings) as world:
        shop(world)
        flag(world)
        serve(world, 0)
        key = sdk_key(world)
        for _ in range(5):
            assert evaluate(world, key, "checkout").status == 200
    still.clients.clear()
    with serving(still, settings) as world:
        assert series(world) == [(HOUR, 0, 5)]


def test_no_context_is_kept_anywhere(
    still: World, settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    canary = f"canary-{uuid.uuid4().hex}"
    context = {"key": canary, "name": canary, "address": {"city": canary}}
    with serving(still, settings) as world:
        shop(world)
        flag(world)
        serve(world, 0)
        key = sdk_key(world)
        assert evaluate(world, key, "checkout", {"targetingKey": canary, **context}).status == 200
        assert evaluate(world, key, "checkout", {canary: canary}).status == 400
        assert ask(world, "POST", FLAGS, {"context": context, canary: canary}, key=key).status == 200
        assert ask(world, "POST", FLAGS, canary.encode(), key=key).status == 400
        told = {"kind": "evaluation", "at": NOW * 1000, "flag": "checkout", "version": 2, "variation": 0}
        events = [summary(), told | {"contextKinds": ["user"], "context": context}]
        events += [
            {"kind": "identify", "context": context},
            {"kind": "track", "name": canary, "context": context},
        ]
        assert send(world, key, *events, sdk=canary) == (202, {"accepted": 4, "ignored": 0})
    files = [path for path in still.folder.rglob("*") if path.is_file()]
    assert still.folder / "kbwork.db" in files
    assert [path for path in files if canary.encode() in path.read_bytes()] == []
    assert canary not in caplog.text
