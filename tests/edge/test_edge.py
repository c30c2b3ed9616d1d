"""An edge in front of the real server: the same answers, changes, streams and counts, and keys that come and go."""

import gzip
import json
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from kbwork.api.sdk import counters
from kbwork.edge import spool
from kbwork.flagengine.envelope import open_
from kbwork.flags import Client
from kbwork.settings import LimitSettings, Settings, StreamSettings
from tests.api.sdk.requests import (
    EVENTS,
    FLAGS,
    SNAPSHOT,
    STREAM,
    Answered,
    ask,
    evaluate,
    evaluate_all,
    listening,
    revoke,
    sdk_key,
)
from tests.conftest import World
from tests.edge.service import Edge
from tests.modules.calls import eventually
from tests.modules.flags.flag_project import flag, patch, serve, shop, version


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spool, "GROWS_S", 0.0)
    monkeypatch.setattr(counters, "FLUSH_S", 0.1)


@pytest.fixture
def edge(world: World, tmp_path: Path) -> Iterator[Edge]:
    """By a server key and a client-side ID of the environment `test`."""
    shop(world)
    flag(world)
    flag(world, "banner", client_side=True)
    flag(world, "share", client_side=True)
    serve(world, 0)
    serve(world, 0, key="banner")
    pro = {"attribute": "plan", "op": "in", "values": ["pro"]}
    patch(world, "ana", "test", {"kind": "addRule", "clauses": [pro], "variation": 1}, key="banner")
    patch(
        world,
        "ana",
        "test",
        {"kind": "addTargets", "contextKind": "user", "values": ["bo"], "variation": 1},
        key="banner",
    )
    keys = [sdk_key(world), sdk_key(world, "client")]
    with Edge(tmp_path, world.url, keys).serving() as found:
        found.ready()
        at(found, world)
        yield found


def at(edge: Edge, world: World) -> None:
    """Wait until it has the newest version by every key."""
    wanted = version(world, "test")
    eventually(lambda: edge.has(wanted))


def served(edge: Edge, world: World, key: str) -> tuple[Any, Any]:
    """The snapshot by both, opened."""
    bodies = [found.body for found in (edge.ask("GET", SNAPSHOT, key=key), by(world, key))]
    contents = [open_(one, key).content if key.startswith("srv_") else gzip.decompress(one) for one in bodies]
    return json.loads(contents[0]), json.loads(contents[1])


def by(world: World, key: str) -> Answered:
    """The snapshot of the server itself."""
    return ask(world, "GET", SNAPSHOT, key=key)


def test_it_answers_as_the_server_does(world: World, edge: Edge) -> None:
    for key in edge.keys:
        for context in (
            {"targetingKey": "ana"},
            {"targetingKey": "bo"},
            {"targetingKey": "c", "plan": "pro"},
            {},
        ):
            for name in ("banner", "checkout", "none"):
                ours, theirs = evaluate(edge.front, key, name, context), evaluate(world, key, name, context)
                assert (ours.status, ours.body) == (theirs.status, theirs.body)
            ours, theirs = evaluate_all(edge.front, key, context), evaluate_all(world, key, context)
            assert (ours.status, ours.body, ours.headers.get("etag")) == (
                theirs.status,
                theirs.body,
                theirs.headers.get("etag"),
            )
        ours, theirs = served(edge, world, key)
        assert ours == theirs
        assert edge.ask("GET", SNAPSHOT, key=key).headers["etag"] == by(world, key).headers["etag"]


def test_a_change_reaches_those_who_listen(world: World, edge: Edge) -> None:
    key, client = edge.keys
    with listening(edge.front, key) as one, listening(edge.front, None, f"?clientId={client}") as other:
        for stream in (one, other):
            assert stream.events(1)[0][0] == "hello"
        serve(world, 1, key="banner")
        wanted = version(world, "test")
        for stream in (one, other):
            kind, told = stream.events(1)[0]
            assert (kind, told) == ("change", {"version": wanted, "flags": ["banner"], "segments": []})
    for asked in edge.keys:
        assert evaluate(edge.front, asked, "banner").json["value"] is False
        assert served(edge, world, asked)[0] == served(edge, world, asked)[1]


@pytest.mark.parametrize("kind", ["server", "client"])
def test_libraries_follow_it_as_they_follow_the_server(world: World, edge: Edge, kind: str) -> None:
    options: dict[str, Any] = {"sdk_key" if kind == "server" else "client_id": edge.keys[kind == "client"]}
    with Client(**options, base_url=edge.front.url) as client:
        assert client.ready()
        assert client.boolean("banner", False, {"key": "ana"}) is True
        eventually(lambda: client.status.connected)
        serve(world, 1, key="banner")
        eventually(lambda: client.boolean("banner", True, {"key": "ana"}) is False)
        assert client.flush()
    eventually(lambda: edge.delivery.spool.figures["batches"] == 0)


def test_what_it_answered_is_counted_upstream_once(world: World, edge: Edge) -> None:
    for _ in range(7):
        evaluate(edge.front, edge.keys[0], "checkout")
    for _ in range(3):
        evaluate(edge.front, edge.keys[1], "banner")
    batch = {
        "batchId": str(uuid.uuid4()),
        "events": [
            {"kind": "summary", "flag": "checkout", "version": 1, "variation": 0, "count": 5},
            {
                "kind": "evaluation",
                "flag": "checkout",
                "context": {"key": "mira", "email": "mira@acme.example"},
            },
            {"kind": "summary", "flag": "checkout"},
        ],
    }
    answered = [edge.ask("POST", EVENTS, batch, key=edge.keys[0]) for _ in range(3)]
    assert answered[0].told == (202, {"accepted": 2, "ignored": 1})
    eventually(lambda: total(world, "checkout") == 12 and total(world, "banner") == 3)
    eventually(lambda: edge.figures()["spool_batches"] == 0)


def total(world: World, key: str) -> int:
    """How often a flag answered, as the server counts it."""
    found: int = world.database.write_now(
        lambda tx: tx.value(
            "select coalesce(sum(count), 0) from flag_count c join flag f on f.id = c.flag where f.key = :key",
            key=key,
        )
    )
    return found


def test_keys_come_and_go_without_a_restart(world: World, edge: Edge) -> None:
    first, client = edge.keys
    new, other = sdk_key(world), sdk_key(world, "client", "production")
    assert edge.ask("GET", SNAPSHOT, key=new).status == 401
    with listening(edge.front, first) as stream:
        assert stream.events(1)[0][0] == "hello"
        edge.write_keys(client, new, other)
        assert stream.events(1) == [("revoked", {})]
    living = (client, new, other)
    eventually(lambda: all(edge.ask("GET", SNAPSHOT, key=key).status == 200 for key in living))
    assert edge.ask("GET", SNAPSHOT, key=first).status == 401
    kept = {path.name for path in edge.state.glob("*.flags")}
    assert kept == {f"{one.ident}.flags" for one in edge.delivery.keys.by_digest.values()}
    assert sorted(str(one["environment"]) for one in edge.health()[1]) == ["production", "test", "test"]


def test_a_key_that_is_revoked_is_served_no_more(
    world: World, edge: Edge, caplog: pytest.LogCaptureFixture
) -> None:
    key, client = edge.keys
    with listening(edge.front, key) as stream:
        assert stream.events(1)[0][0] == "hello"
        revoke(world, key)
        assert stream.events(1) == [("revoked", {})]
    assert evaluate(edge.front, key, "checkout").status == 401
    assert evaluate(edge.front, client, "banner").status == 200
    assert edge.states() == ["refused", "served"]
    assert edge.health()[0] == 200, "nothing mends that here"
    assert edge.figures()["keys_refused"] == 1
    assert len(list(edge.state.glob("*.flags"))) == 1
    assert "the key is refused upstream: it is served no more, and nothing is kept of it" in caplog.text
    assert key not in caplog.text


def test_an_edge_follows_an_edge(world: World, edge: Edge, tmp_path: Path) -> None:
    folder = tmp_path / "second"
    folder.mkdir()
    with Edge(folder, edge.front.url, edge.keys).serving() as second:
        second.ready()
        serve(world, 1, key="banner")
        at(second, world)
        for key in edge.keys:
            assert evaluate_all(second.front, key).body == evaluate_all(world, key).body
        evaluate(second.front, edge.keys[1], "banner")
        eventually(lambda: total(world, "banner") == 5)


def test_its_limits_are_those_of_a_server(world: World, edge: Edge, tmp_path: Path) -> None:
    folder, key = tmp_path / "limited", edge.keys[0]
    folder.mkdir()
    limits = LimitSettings(flags_per_second=0.01, flags_burst=3)
    limited = Settings(limits=limits, streams=StreamSettings(per_sdk_key=1, all=2))
    with Edge(folder, world.url, [key], settings=limited).serving() as found:
        found.ready()
        with listening(found.front, key) as stream:
            assert stream.events(1)[0][0] == "hello"
            assert found.ask("GET", STREAM, key=key).status == 429
        assert evaluate(found.front, key, "checkout").status == 200
        assert evaluate(found.front, key, "checkout").status == 429


def test_nothing_else_lives_there(edge: Edge) -> None:
    for path in ("/", "/api/v1/me", "/docs", "/sdk/v2/snapshot"):
        assert edge.ask("GET", path).status == 404
    assert edge.ask("POST", "/healthz").status == 405
    assert edge.ask("GET", SNAPSHOT).status == 401
    assert edge.ask("GET", FLAGS).status == 405
