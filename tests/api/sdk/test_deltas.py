"""What is sent of a change, against the real server: the delta, what it is of, and when the whole comes instead."""

import gzip
import json
from functools import partial
from typing import Any

import pytest

from kbwork.api.sdk import content as sent
from kbwork.api.sdk.content import SnapshotContent
from kbwork.flagengine import Snapshot
from kbwork.flagengine.deltas import is_delta, joined
from kbwork.flagengine.envelope import open_
from kbwork.flags import Client, follower
from tests.api.sdk.requests import SNAPSHOT, Answered, ask, revoke, sdk_key
from tests.conftest import World
from tests.modules.backups.test_backups import taken
from tests.modules.backups.test_restore_all import restored, sign_in
from tests.modules.calls import call, eventually
from tests.modules.flags.flag_project import flag, patch, serve, shop, version

Json = dict[str, Any]


@pytest.fixture
def key(world: World) -> str:
    """A server key of the environment `test`, in which a flag is served, beside three that client-side IDs see."""
    shop(world)
    flag(world)
    for public in ("banner", "footer", "header"):
        flag(world, public, client_side=True)
    serve(world, 0)
    return sdk_key(world)


def asked(world: World, key: str, since: object = None, **headers: str) -> Answered:
    path = SNAPSHOT if since is None else f"{SNAPSHOT}?since={since}"
    return ask(world, "GET", path, key=key, **headers)


def content(world: World, key: str, since: object = None) -> Json:
    """What came, opened or unpacked."""
    body = asked(world, key, since).body
    found: Json = json.loads(open_(body, key).content if key.startswith("srv_") else gzip.decompress(body))
    return found


def came(world: World, key: str) -> Json:
    """The whole, once it is the newest."""
    now = version(world, "test")
    eventually(lambda: content(world, key)["environment"]["version"] == now)
    return content(world, key)


def changed(world: World, key: str, since: int) -> Json:
    """What changed since a version, once the newest is served."""
    came(world, key)
    return content(world, key, since)


@pytest.mark.parametrize("kind", ["server", "client"])
def test_the_delta_makes_the_new_of_the_old(world: World, key: str, kind: str) -> None:
    mine = sdk_key(world, kind)
    segment = {"project": "shop", "environment": "test", "key": "staff"}
    call(world, "ana", "flags.segment_save", **segment, included=["ana"])
    rule = {"clauses": [{"op": "segmentMatch", "values": ["staff"]}], "variation": 1}
    patch(world, "cy", "test", {"kind": "addRule", **rule}, key="banner")
    first = came(world, mine)
    seen = first
    serve(world, 1, key="banner")
    call(
        world,
        "ana",
        "flags.segment_update",
        **segment,
        instructions=[{"kind": "addIncludedTargets", "values": ["bo"]}],
    )
    delta = changed(world, mine, first["environment"]["version"])
    assert is_delta(delta)
    assert (delta["flags"].keys(), delta["segments"].keys()) == ({"banner"}, {"staff"})
    seen = joined(seen, delta)
    assert seen == came(world, mine)
    call(world, "cy", "flags.archive", project="shop", key="banner")
    delta = changed(world, mine, seen["environment"]["version"])
    assert delta["removed"] == {"flags": ["banner"], "segments": [] if kind == "server" else ["staff"]}
    assert joined(seen, delta) == came(world, mine)
    assert joined(first, changed(world, mine, first["environment"]["version"])) == came(world, mine)


def test_what_a_client_side_id_does_not_see_does_not_stand_in_its_delta(world: World, key: str) -> None:
    client = sdk_key(world, "client")
    before = came(world, client)
    serve(world, 1)
    delta = changed(world, client, before["environment"]["version"])
    assert (delta["flags"], delta["segments"]) == ({}, {})
    assert joined(before, delta) == came(world, client)
    patch(world, "cy", "test", {"kind": "addTargets", "variation": 1, "values": ["ana"]}, key="banner")
    body = asked(world, client, came(world, client)["environment"]["version"] - 1).body
    assert b"ana" not in gzip.decompress(body)


def test_a_delta_is_sealed_as_one_between_both_versions(world: World, key: str) -> None:
    before = came(world, key)["environment"]["version"]
    serve(world, 1)
    came(world, key)
    answer = asked(world, key, before)
    opened = open_(answer.body, key)
    assert (opened.base, opened.version) == (before, version(world, "test"))
    assert answer.body == asked(world, key, before).body, "it is sealed once"
    assert answer.headers["etag"] == asked(world, key).headers["etag"]
    assert asked(world, key, before, If_None_Match=answer.headers["etag"]).status == 304


@pytest.mark.parametrize("since", ["", "-1", "0", "99999", "1e3", "x", "9" * 40, "%D9%A1"])
def test_whoever_names_no_version_that_is_known_gets_the_whole(world: World, key: str, since: str) -> None:
    came(world, key)
    serve(world, 1)
    came(world, key)
    assert not is_delta(content(world, key, since))
    assert not is_delta(content(world, key, version(world, "test")))


def test_a_hundred_versions_are_known(world: World, key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert sent.MOST_VERSIONS == 100
    monkeypatch.setattr(sent, "MOST_VERSIONS", 2)
    versions = []
    for turn in range(4):
        versions.append(came(world, key)["environment"]["version"])
        serve(world, turn % 2, key="banner")
    came(world, key)
    assert [is_delta(content(world, key, one)) for one in versions] == [False, False, True, True]


def test_after_data_were_restored_the_whole_comes(world: World, key: str) -> None:
    ident = taken(world)["id"]
    before = came(world, key)
    serve(world, 1)
    other = came(world, key)
    assert is_delta(content(world, key, before["environment"]["version"]))
    restored(world, ident)
    sign_in(world, "ana")
    assert not is_delta(content(world, key, before["environment"]["version"]))
    patch(world, "ana", "test", {"kind": "updateOffVariation", "variation": 0})
    again = came(world, key)
    assert again["environment"]["version"] > other["environment"]["version"]
    assert again["edition"] != other["edition"]
    serve(world, 1, key="banner")
    assert not is_delta(changed(world, key, other["environment"]["version"]))
    assert joined(again, content(world, key, again["environment"]["version"])) == came(world, key)


def test_an_edition_is_told_by_the_content(world: World, key: str) -> None:
    before = came(world, key)
    serve(world, 1)
    there = came(world, key)
    assert SnapshotContent(there).base.edition == there["edition"] != before["edition"]
    serve(world, 0)
    assert came(world, key)["edition"] not in (there["edition"], before["edition"])


def test_after_rotation_the_new_key_gets_deltas_too_and_the_old_one_nothing(world: World, key: str) -> None:
    other = sdk_key(world)
    before = came(world, key)["environment"]["version"]
    revoke(world, key)
    serve(world, 1)
    assert is_delta(changed(world, other, before))
    assert asked(world, key, before).status == 401


def _are_at(clients: list[Client], wanted: int) -> bool:
    return all(client.version == wanted for client in clients)


def test_the_library_follows_by_deltas(world: World, key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(follower, "SPREAD_S", 0.0)
    taken_up: list[Json] = []

    def noted(data: Json, delta: Json) -> Json:
        taken_up.append(delta)
        return joined(data, delta)

    monkeypatch.setattr(follower, "joined", noted)
    keys: list[Json] = [{"sdk_key": key}, {"client_id": sdk_key(world, "client")}]
    clients = [Client(**made, base_url=world.url) for made in keys]
    try:
        assert all(client.ready() for client in clients)
        eventually(lambda: all(client.status.connected for client in clients))
        for variation in (1, 0):
            serve(world, variation, key="banner")
            now = version(world, "test")
            eventually(partial(_are_at, clients, now))
            served = [client.boolean("banner", False, {"key": "ana"}) for client in clients]
            assert served == [variation == 0] * 2
        assert len(taken_up) == 4
    finally:
        for client in clients:
            client.close()


# -- sizes, without a server ----------------------------------------------------------------------------


def many(count: int = 10_000) -> Json:
    one = {"version": 1, "on": True, "fallthrough": {"variation": 0}, "variations": [{"value": True}]}
    return {
        "format": 1,
        "environment": {"id": 1, "key": "live", "version": 1},
        "flags": {f"flag-{n}": {**one, "salt": str(n)} for n in range(count)},
        "segments": {},
    }


def following(data: Json, **flags: Any) -> Json:
    environment = data["environment"] | {"version": data["environment"]["version"] + 1}
    return data | {"environment": environment, "flags": data["flags"] | flags}


def test_one_flag_among_ten_thousand_is_a_small_delta_and_leaves_the_others_alone() -> None:
    first = many()
    before = SnapshotContent(first)
    second = following(first, **{"flag-7": first["flags"]["flag-7"] | {"on": False}})
    after = SnapshotContent(second, before)
    delta = after.since(1)
    assert delta is not None
    assert len(delta) < 400
    assert len(after.whole) > 1_000_000
    assert json.loads(delta)["flags"].keys() == {"flag-7"}
    assert sum(after.texts["flags"][key] is not text for key, text in before.texts["flags"].items()) == 1
    assert json.loads(after.whole) == second | {"edition": after.base.edition}
    assert SnapshotContent(json.loads(after.whole)).base == after.base

    snapshot = Snapshot(first)
    for key in snapshot.keys:
        snapshot.evaluate(key, {"key": "ana"})
    news = Snapshot(second, snapshot)
    kept = [key for key in news.keys if news.compiled(key) is snapshot.compiled(key)]
    assert len(kept) == 9_999


def test_where_most_of_it_changed_the_whole_comes() -> None:
    first = many(10)
    second = following(first, **{key: one | {"on": False} for key, one in first["flags"].items()})
    assert SnapshotContent(second, SnapshotContent(first)).since(1) is None


def test_what_reads_as_before_is_no_change() -> None:
    first = many(10)
    before = SnapshotContent(first)
    after = SnapshotContent(following(first, **{"flag-1": dict(first["flags"]["flag-1"])}), before)
    assert after.past[0].changed == {"flags": frozenset(), "segments": frozenset()}
    assert after.base.edition == before.base.edition


def test_another_salt_of_keys_is_another_snapshot() -> None:
    first = many(10)
    after = SnapshotContent(following(first) | {"keySalt": "b"}, SnapshotContent(first | {"keySalt": "a"}))
    assert after.since(1) is None
