"""Who keeps webhooks, and what is refused of them."""

import json
from typing import Any

import pytest

from kbwork.contract.kbwork_client import Kbwork, KbworkProblem
from kbwork.core.access import callers, scopes
from kbwork.db.tx import Write
from tests.conftest import World
from tests.modules.calls import call, eventually, refused
from tests.modules.webhooks.hooks import deliveries, follow, hook, issue, one
from tests.modules.webhooks.receiver import Receiver

PLAIN: dict[str, Any] = {"name": "hook", "url": "https://hooks.example.com/kb", "events": ["issue.created"]}


def test_a_new_one_is_told_with_its_secret_once(world: World) -> None:
    seq = world.database.seq
    made = call(world, "bo", "webhooks.save", **PLAIN, project="web", tql=" open ", fields=["title"])
    secret = made.pop("secret")
    assert secret.startswith("whsec_")
    assert len(secret) == 49
    assert made == {
        "id": 1,
        "name": "hook",
        "url": "https://hooks.example.com/kb",
        "events": ["issue.created"],
        "project": "WEB",
        "tql": "open",
        "headers": {},
        "fields": ["title"],
        "enabled": True,
        "batch_seconds": 0,
        "state": "ok",
        "last_at": None,
        "last_status": None,
        "failures": 0,
        "author": world.people["bo"].id,
    }
    assert call(world, "ana", "webhooks.list") == [made]
    assert world.events_since(seq) == [("webhook.saved", "webhook:1")]


def test_only_admins_keep_any(world: World) -> None:
    ident = call(world, "bo", "webhooks.save", **PLAIN)["id"]
    asked: dict[str, dict[str, Any]] = {
        "webhooks.list": {},
        "webhooks.save": PLAIN,
        "webhooks.delete": {"id": ident},
        "webhooks.deliveries": {"id": ident},
        "webhooks.redeliver": {"ids": [], "since": 0},
        "webhooks.rotate_secret": {"id": ident},
        "webhooks.send": {"id": ident, "body": {}},
        "webhooks.test": {"id": ident},
    }
    for op, value in asked.items():
        for who in ("cy", "gus"):
            with refused("insufficient-scope"):
                call(world, who, op, **value)
    assert len(call(world, "ana", "webhooks.list")) == 1


def _key(world: World, **more: Any) -> Kbwork:
    made = {"name": "k", "scopes": sorted(scopes.of_role("admin"))} | more
    token = world.database.write_now(lambda tx: callers.add_key(tx, world.people["bo"].id, made))[1]
    return Kbwork(world.url, token)


def test_a_key_keeps_them_by_its_scope_and_hears_no_more_than_it_may(
    world: World, receiver: Receiver
) -> None:
    with _key(world, scopes=["issues:read", "issues:write"]) as key, refused("insufficient-scope"):
        key.call("webhooks.list", {})
    with _key(world, scopes=["admin"]) as key:
        deaf = key.call("webhooks.save", PLAIN | {"url": receiver.url("deaf")})["id"]
    with _key(world, scopes=["admin", "issues:read"]) as key:
        hears = key.call("webhooks.save", PLAIN | {"url": receiver.url("hears")})["id"]
    issue(world)
    assert deliveries(world, deaf) == []
    assert len(deliveries(world, hears)) == 1


def test_an_agent_keeps_them_only_where_its_key_says_admin(world: World) -> None:
    def make(tx: Write, *held: str) -> str:
        made = {"name": "a", "kind": "agent", "agent": "builder", "scopes": sorted(held)}
        return callers.add_key(tx, world.people["bo"].id, made)[1]

    world.database.write_now(
        lambda tx: tx.insert(
            "agent", name="builder", label="b", owner=world.people["bo"].id, created_at=tx.now
        )
    )
    plain = world.database.write_now(lambda tx: make(tx, *scopes.MEMBER))
    with Kbwork(world.url, plain) as agent, refused("insufficient-scope"):
        agent.call("webhooks.save", PLAIN)
    said = world.database.write_now(lambda tx: make(tx, "admin", "issues:read"))
    with Kbwork(world.url, said) as agent:
        assert agent.call("webhooks.save", PLAIN)["author"] == world.people["bo"].id


def test_a_key_that_is_limited_to_projects_keeps_none(world: World) -> None:
    ident = call(world, "bo", "webhooks.save", **PLAIN)["id"]
    web = world.database.write_now(lambda tx: tx.value("select id from project where key = 'WEB'"))
    with _key(world, projects=f"[{web}]") as key:
        for op, value in (
            ("webhooks.list", {}),
            ("webhooks.save", PLAIN),
            ("webhooks.save", PLAIN | {"id": ident}),
            ("webhooks.delete", {"id": ident}),
            ("webhooks.deliveries", {"id": ident}),
            ("webhooks.redeliver", {"ids": [], "since": 0}),
            ("webhooks.rotate_secret", {"id": ident}),
            ("webhooks.send", {"id": ident, "body": {}}),
            ("webhooks.test", {"id": ident}),
        ):
            with refused("not-allowed"):
                key.call(op, value)


@pytest.mark.parametrize(
    ("value", "slug", "said"),
    [
        ({"events": ["issue.craeted"]}, "invalid-input", "Did you mean issue.created?"),
        ({"events": ["isue.*"]}, "invalid-input", "Did you mean issue.*?"),
        ({"events": ["key.created"]}, "invalid-input", "audit log alone"),
        ({"project": "WAB"}, "not-found", "Did you mean WEB?"),
        ({"project": "PRV"}, "not-found", "that you can see"),
        ({"tql": "statu = done"}, "tql-name", "status"),
        ({"tql": "status ="}, "tql-syntax", ""),
        ({"fields": ["titel"]}, "invalid-input", "Did you mean 'title'?"),
        ({"url": "ftp://hooks.example.com"}, "invalid-input", ""),
        ({"url": "https:///path"}, "invalid-input", "https://example.com/path"),
        ({"url": "https://hooks.example.com:99999/"}, "invalid-input", "https://example.com/path"),
        ({"url": "https://me:secret@hooks.example.com/"}, "invalid-input", "`headers`"),
        ({"url": "https://hooks.example.com/#a"}, "invalid-input", "#"),
        ({"headers": {"Host": "other"}}, "invalid-input", "set by the server"),
        ({"headers": {"x-kb-seq": "1"}}, "invalid-input", "set by the server"),
        ({"headers": {"X A": "1"}}, "invalid-input", "letters"),
        ({"headers": {"X-A": "1\r\nHost: other"}}, "invalid-input", "one line"),
        ({"headers": {"X-A": ""}}, "invalid-input", "one line"),
        ({"headers": {"X-A": "1", "x-a": "2"}}, "invalid-input", "twice"),
        ({"headers": {"X-A": None}}, "invalid-input", "give one"),
        ({"batch_seconds": 3601}, "invalid-input", "3600"),
        ({"id": 77}, "not-found", "webhooks.list"),
    ],
)
def test_what_does_not_fit_is_refused_with_what_mends_it(
    world: World, value: dict[str, Any], slug: str, said: str
) -> None:
    seq = world.database.seq
    with pytest.raises(KbworkProblem) as caught:
        call(world, "bo", "webhooks.save", **(PLAIN | value))
    assert caught.value.slug == slug
    assert said in str(caught.value)
    assert world.events_since(seq) == []


def test_values_of_headers_are_sent_and_never_told(
    world: World, receiver: Receiver, caplog: pytest.LogCaptureFixture
) -> None:
    made = hook(world, receiver, headers={"X-Token": "hush-hush", "X-Other": "also-hush"})
    assert made["headers"] == {"X-Token": None, "X-Other": None}
    issue(world)
    follow(world)
    eventually(lambda: receiver.came)
    assert receiver.came[0].headers["x-token"] == "hush-hush"
    call(world, "bo", "webhooks.save", id=1, **_same(made), headers={"X-Token": None})
    issue(world)
    follow(world)
    eventually(lambda: len(receiver.came) == 2)
    assert receiver.came[1].headers["x-token"] == "hush-hush"
    assert "x-other" not in receiver.came[1].headers
    told = json.dumps(
        [
            call(world, "bo", op, **value)
            for op, value in (("webhooks.list", {}), ("webhooks.deliveries", {"id": 1}))
        ]
    )
    stored = world.database.write_now(
        lambda tx: [
            *tx.all("select * from webhook"),
            *tx.all("select json(payload) as payload from events"),
            *tx.all("select * from webhook_delivery"),
        ]
    )
    for hidden in ("hush", made["secret"], made["secret"].removeprefix("whsec_")):
        assert hidden not in told
        assert hidden not in repr(stored)
        assert hidden not in caplog.text


def _same(made: dict[str, Any]) -> dict[str, Any]:
    return {name: made[name] for name in ("name", "url", "events")}


def test_headers_of_one_address_go_to_no_other(world: World, receiver: Receiver) -> None:
    made = hook(world, receiver, headers={"X-Token": "hush"})
    elsewhere = _same(made) | {"url": "https://elsewhere.example.com/hook"}
    with refused("invalid-input"):
        call(world, "bo", "webhooks.save", id=1, **elsewhere, headers={"X-Token": None})
    same = call(world, "bo", "webhooks.save", id=1, **(_same(made) | {"url": receiver.url("other")}))
    assert same["headers"] == {"X-Token": None}
    assert call(world, "bo", "webhooks.save", id=1, **elsewhere)["headers"] == {}


def test_a_change_is_told_without_the_path_of_the_address(world: World) -> None:
    call(world, "bo", "webhooks.save", **PLAIN)
    seq = world.database.seq
    value = PLAIN | {"id": 1, "name": "new", "url": "https://other.example.com/secret-path"}
    changed = call(world, "bo", "webhooks.save", **value)
    assert (changed["name"], changed["secret"]) == ("new", None)
    call(world, "bo", "webhooks.save", **value)
    assert world.events_since(seq) == [("webhook.saved", "webhook:1")]
    (event,) = [e for e in call(world, "bo", "activity.recent", limit=20) if e["seq"] > seq]
    assert event["payload"] == {
        "name": "new",
        "changes": {
            "name": {"from": "hook", "to": "new"},
            "url": {"from": "https://hooks.example.com:443", "to": "https://other.example.com:443"},
        },
    }
    assert [e for e in call(world, "cy", "activity.recent", limit=20) if e["seq"] > seq] == []


def test_a_save_that_changes_nothing_tells_nothing(world: World) -> None:
    call(world, "ana", "labels.save", name="bug")
    value = PLAIN | {"tql": "label = bug and  open", "headers": {"X-Token": "hush"}, "fields": ["title"]}
    made = call(world, "bo", "webhooks.save", **value)
    seq = world.database.seq
    for more in ({}, {"headers": {"X-Token": "hush"}}, {"headers": {"X-Token": None}}, {"tql": made["tql"]}):
        call(world, "bo", "webhooks.save", **(PLAIN | {"id": 1} | more))
    assert world.events_since(seq) == []
    call(world, "bo", "webhooks.save", **PLAIN, id=1, headers={})
    assert world.events_since(seq) == [("webhook.saved", "webhook:1")]


def test_deleting_takes_everything_along_and_cannot_be_undone(world: World, receiver: Receiver) -> None:
    hook(world, receiver)
    call(world, "bo", "webhooks.test", id=1)
    seq = world.database.seq
    assert call(world, "bo", "webhooks.delete", id=1) == []
    assert world.events_since(seq) == [("webhook.deleted", "webhook:1")]
    left = world.database.write_now(lambda tx: tx.value("select count(*) from webhook_delivery"))
    assert left == 0
    mine = [row for row in call(world, "bo", "undo.list", limit=20) if row["seq"] > seq]
    assert [row["can"] for row in mine] in ([], [False])
    with refused("not-found"):
        call(world, "bo", "webhooks.delete", id=1)


def test_an_org_has_so_many_at_most(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kbwork.modules.webhooks.ops.MOST", 1)
    call(world, "bo", "webhooks.save", **PLAIN)
    with refused("conflict"):
        call(world, "bo", "webhooks.save", **PLAIN)
    assert one(world, 1)["name"] == "hook"


def test_a_new_secret_is_told_to_admins_without_it(world: World) -> None:
    call(world, "bo", "webhooks.save", **PLAIN)
    seq = world.database.seq
    secret = call(world, "bo", "webhooks.rotate_secret", id=1, keep_hours=2)["secret"]
    (event,) = call(world, "ana", "api.changes", since=seq)["events"]
    assert (event["kind"], event["subject"], event["payload"]) == (
        "webhook.saved",
        "webhook:1",
        {"name": "hook", "rotated": True, "keep_hours": 2},
    )
    assert secret not in str(event)
    assert call(world, "cy", "api.changes", since=seq)["events"] == []
    for wrong, slug in (({"id": 7}, "not-found"), ({"id": 1, "keep_hours": 721}, "invalid-input")):
        with refused(slug):
            call(world, "bo", "webhooks.rotate_secret", **wrong)
