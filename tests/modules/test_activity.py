"""Activity: what happened to a subject, lately, and since one last looked."""

from typing import Any

import pytest

from kbwork.contract.kbwork_client import Kbwork
from kbwork.core.access import visibility
from kbwork.core.things.thing import ref_of
from kbwork.db.tx import Read
from tests.conftest import NOW, World
from tests.modules.calls import refused


def make(world: World, who: str = "cy", **fields: Any) -> str:
    """An issue; answers its key."""
    asked = {"project": "WEB", "title": "One"} | fields
    return str(world.key(who).call("issues.create", asked)["key"])


def test_the_events_of_a_subject_are_told_oldest_first_with_its_title(world: World) -> None:
    seq = world.database.seq
    key = make(world)
    world.clock.advance(5)
    world.session("di").issues.update(key=key, priority="high")
    world.key("cy").issues.update(key=key, title="Two")
    events = world.key("cy").activity.list(subject=f"issue:{key}")
    cy, di = world.people["cy"].id, world.people["di"].id
    via = events[0]["via"]
    assert via is not None
    assert via.startswith("key:k_")
    assert events[1] == {
        "seq": seq + 2,
        "kind": "issue.updated",
        "subject": "issue:1",
        "actor": di,
        "actor_kind": "human",
        "created_at": NOW + 5,
        "payload": {
            "key": key,
            "project": "WEB",
            "changes": {"priority": {"from": "none", "to": "high"}},
        },
        "title": "Two",
        "via": None,
        "origin": None,
    }
    assert [(event["seq"], event["actor"], event["actor_kind"]) for event in events] == [
        (seq + 1, cy, "key"),
        (seq + 2, di, "human"),
        (seq + 3, cy, "key"),
    ]
    assert world.key("cy").activity.list(subject="issue:1", since=seq + 2) == events[2:]
    assert world.key("cy").activity.list(subject=key) == events  # a key alone names it, too
    for since in (seq + 3, 10**9):
        assert world.key("cy").activity.list(subject=f"issue:{key}", since=since) == []


def test_at_most_the_latest_thousand_are_told(world: World) -> None:
    key = make(world)
    last = world.database.seq

    def more(tx: Any) -> None:
        row = tx.one("select * from events where seq = :seq", seq=last)
        for n in range(1, 1011):
            tx.insert("events", **row | {"seq": last + n})

    world.database.write_now(more)
    found = [event["seq"] for event in world.key("cy").activity.list(subject=f"issue:{key}")]
    assert found == list(range(last + 11, last + 1011))
    found = [
        event["seq"] for event in world.key("cy").activity.list(subject=f"issue:{key}", since=last + 1000)
    ]
    assert found == list(range(last + 1001, last + 1011))


def test_what_is_left_of_a_purged_subject_is_told_to_admins(world: World) -> None:
    key = make(world)
    world.key("cy").comments.create(subject=key, body="Said")
    world.key("cy").issues.update(key=key, title="Two")
    world.key("cy").issues.delete(key=key)
    with refused("not-found"):
        world.key("bo").activity.list(subject="issue:2")
    world.session("bo").trash.purge(ids=[1])
    for who in ("ana", "bo"):
        events = world.key(who).activity.list(subject="issue:1")
        assert [(event["kind"], event["payload"], event["title"]) for event in events] == [
            ("issue.created", {}, None),
            ("comment.created", {}, None),
            ("issue.updated", {}, None),
            ("issue.deleted", {}, None),
            ("issue.purged", {}, None),
        ]
        assert events[0]["actor"] == world.people["cy"].id
        assert world.key(who).activity.list(subject="issue:1", since=events[-1]["seq"]) == []
    limited = world.session("bo").call(
        "keys.create", {"name": "web", "scopes": ["activity:read", "issues:read"], "projects": ["WEB"]}
    )["secret"]
    other = world.session("bo").call("keys.create", {"name": "no issues", "scopes": ["activity:read"]})[
        "secret"
    ]
    for secret in (limited, other, world.people["cy"].key, world.people["gus"].key):
        with Kbwork(world.url, secret) as client, refused("not-found"):
            client.activity.list(subject="issue:1")


@pytest.mark.parametrize("op", ["activity.list", "activity.seen"])
def test_a_subject_out_of_sight_is_not_found(world: World, op: str) -> None:
    make(world, "di", project="PRV")
    for who in ("ana", "cy", "gus"):
        for subject in (
            "issue:PRV-1",
            "issue:1",
            "project:PRV",
            "issue:99",
            "nonsense",
            "",
            "x:1",
            "comment:1",
        ):
            with refused("not-found"):
                world.key(who).call(op, {"subject": subject})
    assert world.key("di").call(op, {"subject": "project:prv"})
    for bad in ({}, {"subject": 3}):
        with refused("invalid-input"):
            world.key("di").call(op, bad)
    with refused("invalid-input"):
        world.key("di").activity.list(subject="project:PRV", since=-1)


def test_the_latest_events_come_newest_first(world: World) -> None:
    keys = [make(world, title=f"T{n}") for n in range(4)]
    cy = world.key("cy")
    found = cy.activity.recent(limit=3)
    assert [event["title"] for event in found] == [f"T{n}" for n in (3, 2, 1)]
    assert len(keys) == 4
    assert cy.activity.recent(limit=None) == cy.activity.recent()
    for bad in (0, 101):
        with refused("invalid-input"):
            cy.activity.recent(limit=bad)


def test_a_thing_in_the_trash_is_heard_of_by_who_may_bring_it_back(world: World) -> None:
    make(world)
    at = world.database.seq
    world.key("cy").undo.apply(seq=at)
    heard = {who: [e["kind"] for e in world.key(who).api.changes(since=at)["events"]] for who in world.people}
    mine = ["issue.deleted"]
    assert heard == {"ana": mine, "bo": mine, "cy": mine, "di": [], "gus": []}
    events = world.key("cy").activity.list(subject="issue:WEB-1")
    assert [(event["kind"], event["title"]) for event in events] == [
        ("issue.created", None),
        ("issue.deleted", None),
    ]
    with refused("not-found"):
        world.key("di").activity.list(subject="issue:1")
    with refused("not-found"):
        world.key("cy").comments.list(subject="issue:1")


def test_a_look_counts_what_others_did_since_the_last(world: World) -> None:
    key = make(world)
    cy, di = world.session("cy"), world.session("di")
    assert di.activity.seen(subject=key) == {"changes": 1, "previous": None}
    seq = world.database.seq
    assert di.activity.seen(subject=f"issue:{key}") == {"changes": 0, "previous": {"seq": seq, "at": NOW}}
    world.clock.advance(7)
    cy.issues.update(key=key, title="Two")
    di.issues.update(key=key, title="Three")
    assert di.activity.seen(subject="issue:1")["changes"] == 1
    again = di.activity.seen(subject="issue:1")
    assert again == {"changes": 0, "previous": {"seq": seq + 2, "at": NOW + 7}}
    assert cy.activity.seen(subject=key) == {"changes": 1, "previous": None}


def test_a_key_reads_its_owners_mark_and_leaves_it(world: World) -> None:
    key = make(world)
    for _ in range(2):
        assert world.key("di").activity.seen(subject=key) == {"changes": 1, "previous": None}
    world.session("di").activity.seen(subject=key)
    seq = world.database.seq
    world.key("cy").issues.update(key=key, title="Two")
    for _ in range(2):
        assert world.key("di").activity.seen(subject=key)["changes"] == 1
    assert world.key("di").activity.seen(subject=key)["previous"] == {"seq": seq, "at": NOW}


def test_a_look_is_no_event_and_can_answer_304(world: World) -> None:
    key = make(world)
    di = world.session("di")
    seq = world.database.seq
    di.activity.seen(subject=key)
    second = di.ask("activity.seen", {"subject": key})
    third = di.ask("activity.seen", {"subject": key}, if_none_match=second.etag)
    assert (third.fresh, third.seq, world.events_since(seq)) == (False, seq, [])


def test_reads_are_answered_304_until_something_changes(world: World) -> None:
    key = make(world)
    cy = world.key("cy")
    for op, asked in (
        ("activity.list", {"subject": f"issue:{key}"}),
        ("activity.recent", {}),
        ("issues.get", {"key": key}),
        ("issues.list", {"project": "WEB", "limit": 1}),
        ("comments.list", {"subject": key}),
        ("projects.get", {"key": "WEB"}),
        ("api.changes", {"since": 0}),
    ):
        first = cy.ask(op, asked)
        assert first.etag is not None
        same = cy.ask(op, asked, if_none_match=f'"other", {first.etag}')
        assert (same.fresh, same.etag) == (False, first.etag), op
    first = cy.ask("issues.get", {"key": key})
    world.key("di").issues.create(project="WEB", title="Another")
    assert not cy.ask("issues.get", {"key": key}, if_none_match=first.etag).fresh
    world.key("di").issues.update(key=key, title="Two")
    changed = cy.ask("issues.get", {"key": key}, if_none_match=first.etag)
    assert (changed.fresh, changed.data["title"], changed.seq) == (True, "Two", world.database.seq)
    assert world.key("di").ask("issues.get", {"key": key}, if_none_match=changed.etag).fresh


def test_a_subject_that_was_found_says_on_what_it_hangs(world: World) -> None:
    """The same as its kind says in SQL, so that nobody asks again."""
    cy = world.key("cy")
    key = make(world)
    comment = cy.comments.create(subject=f"issue:{key}", body="Said")["id"]
    file = cy.attachments.add(subject=f"comment:{comment}", name="a.txt", data="YQ==")["id"]

    def found(tx: Read) -> dict[str, tuple[str | None, str | None]]:
        theirs = visibility.as_member(tx, world.people["cy"].id)
        answer = {}
        for subject in ("issue:1", f"comment:{comment}", f"attachment:{file}"):
            kind, ref = ref_of(subject)
            hosts = visibility.things(tx)[kind].hosts
            there = visibility.find(theirs, subject)
            assert there is not None
            answer[kind] = (
                there.on,
                dict(tx.tuples(hosts, refs=f'["{ref}"]')).popitem()[1] if hosts else None,
            )
        return answer

    assert world.database.read_now(found) == {
        "issue": (None, None),
        "comment": ("issue:1", "issue:1"),
        "attachment": (f"comment:{comment}", f"comment:{comment}"),
    }
