"""Keys: what they may do, how they are changed and how they end."""

import json
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from kbwork.base.caller import SYSTEM
from kbwork.contract.kbwork_client import Kbwork, KbworkProblem
from kbwork.core.access import last_seen
from kbwork.modules.keys import jobs
from tests.conftest import NOW, World


def refused(slug: str) -> "pytest.RaisesExc[KbworkProblem]":
    """A refusal of this type."""
    return pytest.RaisesExc(KbworkProblem, check=lambda problem: problem.slug == slug)


def make(world: World, handle: str = "cy", **fields: Any) -> dict[str, Any]:
    fields = {"name": "script", "scopes": ["issues:read", "projects:read"]} | fields
    return dict(world.session(handle).call("keys.create", fields))


def works(world: World, secret: str, op: str = "projects.list") -> bool:
    with Kbwork(world.url, secret) as client:
        try:
            client.call(op, {})
        except KbworkProblem as problem:
            if problem.slug != "unauthenticated":
                raise
            return False
        return True


def payloads(world: World, seq: int) -> list[tuple[str, str, dict[str, Any]]]:
    rows = world.database.read_now(
        lambda tx: tx.all(
            "select kind, subject, json(payload) as payload from events where seq > :seq order by seq",
            seq=seq,
        )
    )
    return [(row["kind"], row["subject"], json.loads(row["payload"])) for row in rows]


def test_a_key_is_made_with_its_secret_shown_once(world: World) -> None:
    seq = world.database.seq
    key = make(world, projects=["web", "WEB"], networks=["127.0.0.1", "203.0.113.9/24"], expires_at=NOW + 60)
    secret = key.pop("secret")
    assert key == {
        "id": key["id"],
        "name": "script",
        "kind": "personal",
        "agent": None,
        "owner": world.people["cy"].id,
        "last4": secret[-4:],
        "scopes": ["issues:read", "projects:read"],
        "projects": ["WEB"],
        "networks": ["127.0.0.1/32", "203.0.113.0/24"],
        "created_at": NOW,
        "expires_at": NOW + 60,
        "last_used_at": None,
        "last_address": None,
        "calls_month": 0,
        "state": "active",
    }
    told = {"name": "script", "scopes": ["issues:read", "projects:read"]}
    assert payloads(world, seq) == [("key.created", f"key:{key['id']}", told)]
    listed = world.session("cy").call("keys.list", {})
    assert {k["name"] for k in listed} == {"script", "test"}
    assert all("secret" not in k for k in listed)
    assert works(world, secret)
    with Kbwork(world.url, secret) as client:
        assert [project["key"] for project in client.call("projects.list", {})] == ["WEB"]
        with refused("insufficient-scope"):
            client.call("labels.save", {"name": "bug"})
    assert world.key("cy").api.changes(since=seq)["events"] == []


@pytest.mark.parametrize(
    ("fields", "slug"),
    [
        ({"scopes": ["system"]}, "invalid-input"),
        ({"scopes": ["desk:public"]}, "invalid-input"),
        ({"scopes": ["admin"]}, "invalid-input"),
        ({"scopes": []}, "invalid-input"),
        ({"networks": ["here"]}, "invalid-input"),
        ({"expires_at": NOW}, "invalid-input"),
        ({"agent": "builder"}, "invalid-input"),
        ({"kind": "agent"}, "invalid-input"),
        ({"kind": "agent", "agent": "Not One"}, "invalid-input"),
        ({"kind": "agent", "agent": "di"}, "conflict"),
        ({"projects": ["PRV"]}, "not-found"),
    ],
)
def test_a_key_that_does_not_fit_is_refused(world: World, fields: dict[str, Any], slug: str) -> None:
    seq = world.database.seq
    with refused(slug):
        make(world, **fields)
    assert world.database.seq == seq


def test_an_agents_name_belongs_to_one_person(world: World) -> None:
    first = make(world, kind="agent", agent="builder")
    assert (first["kind"], first["agent"]) == ("agent", "builder")
    make(world, kind="agent", agent="builder", name="second")
    with refused("conflict"):
        make(world, "di", kind="agent", agent="builder")
    with Kbwork(world.url, first["secret"]) as agent, refused("insufficient-scope"):
        agent.call("auth.me", {})
    whole = make(world, kind="agent", agent="builder", scopes=["auth:read", "keys:read", "keys:write"])
    with Kbwork(world.url, whole["secret"]) as agent:
        me = agent.call("auth.me", {})
        assert (me["via"], me["member"]["id"]) == ("agent:builder", world.people["cy"].id)
        with refused("not-allowed"):
            agent.call("keys.revoke", {"id": first["id"]})
        agent.call("keys.revoke", {"id": whole["id"]})
    assert not works(world, whole["secret"], "auth.me")


def test_making_and_changing_keys_asks_for_an_elevated_session(world: World) -> None:
    key = make(world)
    with refused("elevation-needed"):
        world.key("cy").call("keys.create", {"name": "x", "scopes": ["issues:read"]})
    world.clock.advance(601)
    with refused("elevation-needed"):
        make(world)
    for op in ("keys.update", "keys.rotate"):
        with refused("elevation-needed"):
            world.session("cy").call(op, {"id": key["id"]})
    world.session("cy").call("keys.revoke", {"id": key["id"]})


def test_a_key_is_changed_for_the_next_call(world: World) -> None:
    key = make(world, projects=["WEB"], expires_at=NOW + 60)
    seq = world.database.seq
    fields = {"id": key["id"], "name": "new", "scopes": ["issues:read"], "projects": [], "expires_at": None}
    changed = world.session("cy").call("keys.update", fields)
    assert {f: changed[f] for f in fields} == fields
    told = {
        "name": {"from": "script", "to": "new"},
        "scopes": {"from": ["issues:read", "projects:read"], "to": ["issues:read"]},
        "projects": {"from": ["WEB"], "to": []},
        "expires_at": {"from": NOW + 60, "to": None},
    }
    assert payloads(world, seq) == [("key.updated", f"key:{key['id']}", {"changes": told})]
    assert world.session("cy").call("keys.update", fields) == changed
    assert len(payloads(world, seq)) == 1
    with Kbwork(world.url, key["secret"]) as client, refused("insufficient-scope"):
        client.call("projects.list", {})
    with refused("not-found"):
        world.session("di").call("keys.update", {"id": key["id"], "name": "mine"})
    world.session("cy").call("keys.update", {"id": key["id"], "networks": ["203.0.113.0/24"]})
    assert not works(world, key["secret"], "issues.list")


def test_a_rotated_key_keeps_its_old_secret_as_long_as_told(world: World) -> None:
    key = make(world)
    seq = world.database.seq
    rotated = world.session("cy").call("keys.rotate", {"id": key["id"], "keep_hours": 2})
    assert (rotated["id"], rotated["state"]) == (key["id"], "rotating")
    assert payloads(world, seq) == [("key.rotated", f"key:{key['id']}", {"name": "script", "keep_hours": 2})]
    assert works(world, key["secret"])
    assert works(world, rotated["secret"])
    world.clock.advance(7200)
    assert not works(world, key["secret"])
    assert works(world, rotated["secret"])
    world.database.write_now(jobs.FORGET.run, SYSTEM)
    assert (
        world.database.read_now(lambda tx: tx.value("select count(*) from key where old_digest is not null"))
        == 0
    )


def test_a_key_rotates_itself_and_the_old_secret_ends_at_once(world: World) -> None:
    key = make(world, scopes=["keys:write", "projects:read"])
    other = make(world)
    with Kbwork(world.url, key["secret"]) as client:
        with refused("elevation-needed"):
            client.call("keys.rotate", {"id": other["id"]})
        with refused("invalid-input"):
            client.call("keys.rotate", {"id": key["id"], "keep_hours": 73})
        rotated = client.call("keys.rotate", {"id": key["id"]})
    assert rotated["state"] == "active"
    assert not works(world, key["secret"])
    assert works(world, rotated["secret"])


def test_a_secret_that_is_rotated_out_makes_no_fresh_one(world: World) -> None:
    key = make(world, scopes=["keys:write", "projects:read"])
    with Kbwork(world.url, key["secret"]) as client:
        rotated = client.call("keys.rotate", {"id": key["id"], "keep_hours": 24})
        seq = world.database.seq
        for keep_hours in (0, 72):
            with refused("not-allowed"):
                client.call("keys.rotate", {"id": key["id"], "keep_hours": keep_hours})
        assert payloads(world, seq) == []
    world.clock.advance(24 * 3600)
    assert not works(world, key["secret"])
    with Kbwork(world.url, rotated["secret"]) as client:
        again = client.call("keys.rotate", {"id": key["id"], "keep_hours": 1})
    assert works(world, again["secret"])


def test_of_two_rotations_at_once_one_is_refused(world: World) -> None:
    key = make(world, scopes=["keys:write", "projects:read"])
    start = threading.Barrier(4, timeout=20)

    def rotate() -> str:
        with Kbwork(world.url, key["secret"]) as client:
            start.wait()
            try:
                return str(client.call("keys.rotate", {"id": key["id"], "keep_hours": 24})["secret"])
            except KbworkProblem as problem:
                return problem.slug

    with ThreadPoolExecutor(4) as pool:
        answers = [one.result(timeout=60) for one in [pool.submit(rotate) for _ in range(4)]]
    (secret,) = [one for one in answers if one != "not-allowed"]
    assert works(world, secret)
    assert works(world, key["secret"])


def test_a_revoked_key_is_dead_with_the_next_call(world: World) -> None:
    key = make(world)
    assert works(world, key["secret"])
    seq = world.database.seq
    for handle in ("di", "gus"):
        client = world.session(handle)
        with refused("insufficient-scope" if handle == "gus" else "not-found"):
            client.call("keys.revoke", {"id": key["id"]})
    left = world.session("bo").call("keys.revoke", {"id": key["id"]})
    assert {(k["name"], k["state"]) for k in left} == {("script", "revoked"), ("test", "active")}
    told = {"name": "script", "owner": world.people["cy"].id}
    assert payloads(world, seq) == [("key.revoked", f"key:{key['id']}", told)]
    assert not works(world, key["secret"])
    world.session("cy").call("keys.revoke", {"id": key["id"]})
    assert len(payloads(world, seq)) == 1
    for op in ("keys.rotate", "keys.update"):
        with refused("conflict"):
            world.session("cy").call(op, {"id": key["id"]})


def test_a_project_that_the_owner_lost_is_gone_from_what_the_key_shows(world: World) -> None:
    key = make(world, "di", projects=["SEC"])
    world.key("cy").call("projects.member_set", {"key": "SEC", "who": "@di", "role": "none"})
    shown = next(k for k in world.session("di").call("keys.list", {}) if k["id"] == key["id"])
    assert shown["projects"] == ["(gone)"]
    with Kbwork(world.url, key["secret"]) as client:
        assert client.call("projects.list", {}) == []


def test_everybodys_keys_are_for_admins(world: World) -> None:
    with refused("not-allowed"):
        world.session("cy").call("keys.list", {"all": True})
    owners = {key["owner"] for key in world.session("bo").call("keys.list", {"all": True})}
    assert owners == {person.id for person in world.people.values()}
    assert [k["owner"] for k in world.session("bo").call("keys.list", {})] == [world.people["bo"].id]


def test_a_key_expires_by_itself_and_it_is_told(world: World) -> None:
    key = make(world, expires_at=NOW + 60)
    seq = world.database.seq
    world.clock.advance(60)
    assert not works(world, key["secret"])
    world.database.write_now(jobs.EXPIRE.run, SYSTEM)
    told = [("key.revoked", f"key:{key['id']}", {"name": "script", "reason": "expired"})]
    assert payloads(world, seq) == told
    states = {k["name"]: k["state"] for k in world.session("cy").call("keys.list", {})}
    assert states == {"script": "expired", "test": "active"}
    assert not works(world, key["secret"])
    with refused("conflict"):
        world.session("cy").call("keys.update", {"id": key["id"], "expires_at": None})


def test_a_key_falls_with_its_owners_role(world: World) -> None:
    key = make(world, "bo", scopes=["admin", "projects:read"])
    with Kbwork(world.url, key["secret"]) as client:
        client.call("audit.list", {})
        world.database.write_now(lambda tx: tx.update("member", world.people["bo"].id, role="member"))
        with refused("insufficient-scope"):
            client.call("audit.list", {})
    world.database.write_now(lambda tx: tx.update("member", world.people["bo"].id, state="deactivated"))
    assert not works(world, key["secret"])


def test_a_use_from_a_new_network_goes_into_the_audit_log(world: World) -> None:
    key = make(world)["id"]
    seq = world.database.seq

    def used(address: str) -> None:
        world.database.write_now(
            lambda tx: last_seen.write_down(tx, {("key", key): (NOW, address, 3)}), SYSTEM
        )

    for address in ("203.0.113.4", "203.0.113.200", "198.51.100.7", "2001:db8::1", "2001:db8::ffff"):
        used(address)
    assert payloads(world, seq) == [("key.seen", f"key:{key}", {"name": "script"})] * 2
    rows = world.database.read_now(lambda tx: tx.column("select address from events where kind = 'key.seen'"))
    assert rows == ["198.51.100.7", "2001:db8::1"]
    shown = next(k for k in world.session("cy").call("keys.list", {}) if k["id"] == key)
    assert (shown["calls_month"], shown["last_used_at"], shown["last_address"]) == (15, NOW, "2001:db8::ffff")


def test_keys_are_not_taken_back(world: World) -> None:
    make(world)
    kept = world.session("cy").call("undo.list", {})
    assert [(record["op"], record["can"]) for record in kept][:1] == [("keys.create", False)]
    images = world.database.read_now(
        lambda tx: tx.value("select json(images) from undo where op = 'keys.create'")
    )
    assert images == "[]"
