"""The audit log: every event and security act, for admins."""

import json
from typing import Any

import pytest

from tests.conftest import NOW, World
from tests.modules.calls import eventually, refused


def make(world: World, who: str = "cy", **fields: Any) -> str:
    """An issue; answers its key."""
    asked = {"project": "WEB", "title": "One"} | fields
    return str(world.session(who).call("issues.create", asked)["key"])


def ids(world: World, **asked: Any) -> list[int]:
    return [entry["id"] for entry in world.key("bo").call("audit.list", asked)["entries"]]


def test_an_entry_says_who_did_what_when_and_through_what(world: World) -> None:
    seq = world.database.seq
    make(world)
    page: dict[str, Any] = world.key("bo").call("audit.list", {"limit": 1})
    (entry,) = page.pop("entries")
    request = entry.pop("request")
    assert isinstance(request, str)
    assert entry == {
        "id": seq + 1,
        "at": NOW,
        "kind": "issue.created",
        "subject": "issue:1",
        "actor": world.people["cy"].id,
        "actor_kind": "human",
        "via": None,
        "address": None,
        "details": {
            "key": "WEB-1",
            "project": "WEB",
            "title": "One",
            "type": "task",
            "status": "To do",
            "assignees": [],
            "parent": None,
        },
        "op": "issues.create",
    }
    assert page == {"next_before": seq + 1, "plan": "self-hosted", "retention_days": 365}


def test_the_log_is_for_admins(world: World) -> None:
    for who in ("cy", "di", "gus"):
        for op in ("audit.list", "audit.export"):
            with refused("insufficient-scope"):
                world.session(who).call(op, {})
    for who in ("ana", "bo"):
        assert world.session(who).audit.list()["entries"]


def test_security_acts_stand_in_the_log_and_nowhere_else(world: World) -> None:
    seq = world.database.seq
    world.session("cy").keys.create(name="mine", scopes=["issues:read"])
    assert [kind for kind, _ in world.events_since(seq)] == ["key.created"]
    assert world.key("bo").audit.list(kind="key.*")["entries"][0]["id"] == seq + 1
    for who in ("ana", "cy"):
        assert world.key(who).api.changes(since=seq)["events"] == []
        assert seq + 1 not in [event["seq"] for event in world.key(who).activity.recent()]


def test_pages_go_back_entry_by_entry(world: World) -> None:
    seq = world.database.seq
    for _ in range(5):
        make(world)
    first = world.key("bo").audit.list(kind="issue.created", limit=2)
    second = world.key("bo").audit.list(kind="issue.created", limit=2, before=first["next_before"])
    third = world.key("bo").audit.list(kind="issue.created", limit=2, before=second["next_before"])
    found = [entry["id"] for page in (first, second, third) for entry in page["entries"]]
    assert (found, third["next_before"]) == (list(range(seq + 5, seq, -1)), None)


def test_entries_are_filtered(world: World) -> None:
    seq = world.database.seq
    key = make(world, title="Grüße AN Ömer")
    world.clock.advance(10)
    world.key("di").issues.update(key=key, title="Two")
    cy = world.people["cy"]
    one, two = seq + 1, seq + 2
    for asked, expected in (
        ({"actor": cy.id, "from": NOW, "kind": "issue.*"}, [one]),
        ({"actor": "@di", "kind": "issue.*"}, [two]),
        ({"actor": "di@acme.example", "kind": "issue.*"}, [two]),
        ({"actor": "@nobody"}, []),
        ({"actor_kind": "key"}, [two]),
        ({"actor_kind": "automation"}, []),
        ({"from": NOW + 10}, [two]),
        ({"from": NOW, "to": NOW + 10, "kind": "issue.*"}, [one]),
        ({"kind": "issue.updated"}, [two]),
        ({"kind": "issue.up*"}, [two]),
        ({"kind": "issue"}, []),
        ({"subject": "issue:1"}, [two, one]),
        ({"subject": "issue:web-1"}, [two, one]),
        ({"subject": "WEB-1"}, [two, one]),
        ({"subject": "issue:2"}, []),
        ({"q": "an ömer"}, [two, one]),
        ({"q": "ISSUE:1"}, [two, one]),
        ({"q": "key:k_", "kind": "issue.*"}, [two]),
        ({"q": "100%"}, []),
    ):
        assert ids(world, **asked) == expected, asked


@pytest.mark.parametrize(
    ("bad", "slug"),
    [
        ({"limit": 0}, "invalid-input"),
        ({"limit": 201}, "invalid-input"),
        ({"actor_kind": "robot"}, "invalid-input"),
        ({"from": -1}, "invalid-input"),
        ({"since": 1}, "unknown-field"),
    ],
)
def test_what_does_not_fit_a_filter_is_refused(world: World, bad: dict[str, Any], slug: str) -> None:
    with refused(slug):
        world.key("bo").call("audit.list", bad)


def test_an_export_is_one_entry_a_line_oldest_first_and_stands_in_the_log(world: World) -> None:
    make(world, title="Zeile\nzwei  ")
    make(world)
    listed = world.key("bo").audit.list(kind="issue.*")["entries"]
    seq = world.database.seq
    answer: dict[str, Any] = world.key("bo").call("audit.export", {"kind": "issue.*"})
    lines = answer.pop("ndjson")
    assert [json.loads(line) for line in lines.split("\n")[:-1]] == listed[::-1]
    assert answer == {"count": 2, "truncated": False}
    assert world.events_since(seq) == [("audit.exported", "org:1")]
    assert [event["payload"] for event in world.key("ana").api.changes(since=seq)["events"]] == [
        {"entries": 2}
    ]
    assert world.key("cy").api.changes(since=seq)["events"] == []
    assert world.key("bo").audit.export(kind="nothing")["ndjson"] == ""
    with refused("conflict"):
        world.key("bo").undo.apply(seq=seq + 1)


def test_more_than_fifty_thousand_are_cut(world: World) -> None:
    make(world)
    last = world.database.seq

    def more(tx: Any) -> None:
        names = [name for name in tx.one("select * from events limit 1") if name not in ("seq", "kind")]
        tx.execute(
            f"insert into events (seq, kind, {', '.join(names)})"
            " with recursive n (value) as (select 1 union all select value + 1 from n where value < 50001)"
            f" select value - 60000, 'x.y', {', '.join(names)} from n, events where seq = :last",
            last=last,
        )

    world.database.write_now(more)
    answer = world.key("bo").audit.export(kind="x.y")
    assert (answer["count"], answer["truncated"]) == (50_000, True)
    assert json.loads(answer["ndjson"].partition("\n")[0])["id"] == -59999


def test_nobody_from_outside_writes_an_entry(world: World) -> None:
    for who in world.people:
        with refused("insufficient-scope"):
            world.session(who).call("audit.record", {"kind": "auth.signed_in", "subject": "org:1"})


def test_retention_takes_the_oldest_and_leaves_an_entry(world: World) -> None:
    make(world)
    seq = world.database.seq
    world.advance(366 * 86400)
    eventually(lambda: ("audit.trimmed", "org:1") in world.events_since(seq))
    trimmed = world.events_since(0)[-1]
    assert trimmed == ("audit.trimmed", "org:1")
    assert world.events_since(0)[0][0] != "project.created"
