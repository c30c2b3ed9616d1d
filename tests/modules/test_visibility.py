"""Five viewers and what each of them sees, by every way there is to look."""

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from kbwork.core.access import callers
from tests.conftest import World
from tests.modules.calls import refused

PEOPLE = ("ana", "bo", "cy", "di", "gus")

# Issue number -> (project, its maker, level, assignees, who sees it). Cy leads SEC, Di reports there and leads PRV,
# Gus is a viewer of WEB. The team is Bo and Di.
ISSUES: dict[int, tuple[str, str, str | None, list[str], set[str]]] = {
    1: ("WEB", "cy", None, [], {"ana", "bo", "cy", "di", "gus"}),
    2: ("WEB", "cy", "public", [], {"ana", "bo", "cy", "di", "gus"}),
    3: ("WEB", "cy", "private", [], {"ana", "bo", "cy"}),
    4: ("WEB", "cy", "private", ["@di"], {"ana", "bo", "cy", "di"}),
    5: ("WEB", "cy", "team:1", [], {"ana", "bo", "cy", "di"}),
    6: ("WEB", "ana", "team:1", ["@gus"], {"ana", "bo", "di", "gus"}),
    7: ("SEC", "cy", None, [], {"ana", "bo", "cy"}),
    8: ("SEC", "di", None, [], {"ana", "bo", "cy", "di"}),
    9: ("SEC", "cy", None, ["@di"], {"ana", "bo", "cy", "di"}),
    10: ("SEC", "cy", "public", [], {"ana", "bo", "cy", "di"}),
    11: ("SEC", "cy", "team:1", [], {"ana", "bo", "cy"}),
    12: ("PRV", "di", None, [], {"di"}),
    13: ("PRV", "di", "public", [], {"ana", "bo", "cy", "di"}),
    14: ("PRV", "di", "private", [], {"di"}),
}
SEEN = {who: {n for n, issue in ISSUES.items() if who in issue[4]} for who in PEOPLE}


@pytest.fixture
def peopled(world: World) -> World:
    """The world with every sort of issue, each labelled, with a comment and an internal note."""

    def team(tx: Any) -> None:
        made = tx.insert("team", name="Core", handle="core", description="", open=0, created_at=tx.now)
        for who in ("bo", "di"):
            tx.insert("team_member", team=made, member=world.people[who].id, role="member")

    world.database.write_now(team)
    world.session("bo").projects.member_set(key="WEB", who="@gus", role="viewer")
    world.key("bo").labels.save(name="all")
    for number, (project, maker, level, assignees, _) in ISSUES.items():
        client = world.key(maker)
        made = client.issues.create(
            project=project, title=f"T{number}", level=level, assignees=assignees, labels=["all"]
        )
        assert made["id"] == number
        client.comments.create(subject=made["key"], body="Open")
        client.comments.create(subject=made["key"], body="Note", internal=True)
    return world


def heard(events: Sequence[Mapping[str, Any]]) -> set[int]:
    """The issues that these events are about."""
    return {
        int(event["subject"].partition(":")[2]) for event in events if event["subject"].startswith("issue:")
    }


def notes(events: Sequence[Mapping[str, Any]]) -> set[int]:
    """The issues of whose internal notes these events tell."""
    return heard([event for event in events if event["payload"].get("internal")])


@pytest.mark.parametrize("who", PEOPLE)
def test_each_way_to_look_shows_exactly_what_one_sees(peopled: World, who: str) -> None:
    client, seen = peopled.key(who), SEEN[who]
    inner = set() if who == "gus" else seen

    assert {issue["id"] for issue in client.every("issues.list", limit=3)} == seen
    for number in ISSUES:
        if number in seen:
            counts = client.issues.get(key=f"issue:{number}")["counts"]
            assert counts["comments"] == (1 if who == "gus" else 2)
            bodies = [comment["body"] for comment in client.comments.list(subject=f"issue:{number}")]
            assert bodies == (["Open"] if who == "gus" else ["Open", "Note"])
            assert heard(client.activity.list(subject=f"issue:{number}")) == {number}
        else:
            for op, asked in (
                ("issues.get", {"key": f"issue:{number}"}),
                ("issues.history", {"key": f"issue:{number}"}),
                ("comments.list", {"subject": f"issue:{number}"}),
                ("activity.list", {"subject": f"issue:{number}"}),
                ("activity.seen", {"subject": f"issue:{number}"}),
            ):
                with refused("not-found"):
                    client.call(op, asked)
    changes = client.api.changes(limit=500)["events"]
    recent = client.activity.recent(limit=100)
    for events in (changes, recent):
        assert heard(events) == seen
        assert notes(events) == inner
    rows = client.subjects.resolve(refs=[f"issue:{number}" for number in ISSUES])
    assert {number for number, row in zip(ISSUES, rows, strict=True) if row["allowed"]} == seen
    rows = client.subjects.resolve(refs=[f"comment:{number}" for number in range(1, 29)])
    assert {number for number, row in enumerate(rows, 1) if row["allowed"]} == {2 * n - 1 for n in seen} | {
        2 * n for n in inner
    }
    assert [label["issues"] for label in client.labels.list()] == [len(seen)]
    assert sum(lane["issues"] for lane in client.lanes.list()) == len(seen)
    assert sum(found["issues"] for found in client.types.list()) == len(seen)
    counted = {project["key"]: project["counts"]["open"] for project in client.projects.list()}
    by_project = {
        key: len([n for n in seen if ISSUES[n][0] == key]) for key in counted if key != "PRV" or who == "di"
    }
    assert counted == {"PRV": 0} | by_project if who in ("ana", "bo") else counted == by_project


@pytest.mark.parametrize("who", PEOPLE)
def test_the_stream_tells_the_same_as_the_feed(peopled: World, who: str) -> None:
    client = peopled.key(who)
    expected = client.api.changes(limit=500)["events"]
    assert len(expected) > len(SEEN[who])
    stream = client.stream(since=0)
    try:
        assert list(itertools.islice(stream, len(expected))) == expected
    finally:
        stream.close()


@pytest.mark.parametrize("who", PEOPLE)
def test_a_key_of_one_project_sees_that_part_of_what_its_owner_sees(peopled: World, who: str) -> None:
    person = peopled.people[who]
    columns = {
        "name": "narrow",
        "scopes": ["issues:read", "api:read", "projects:read", "activity:read", "search:read"],
        "projects": "[1]",
    }
    _, secret = peopled.database.write_now(lambda tx: callers.add_key(tx, person.id, columns))
    narrow = peopled._client("narrow", secret)
    seen = {number for number in SEEN[who] if ISSUES[number][0] == "WEB"}
    assert {issue["id"] for issue in narrow.issues.list(limit=100)["items"]} == seen
    assert heard(narrow.api.changes(limit=500)["events"]) == seen
    rows = narrow.subjects.resolve(refs=[f"issue:{number}" for number in ISSUES])
    assert {number for number, row in zip(ISSUES, rows, strict=True) if row["allowed"]} == seen
    assert [project["key"] for project in narrow.projects.list()] == ["WEB"]
    assert [label["issues"] for label in narrow.labels.list()] == [len(seen)]
    assert sum(lane["issues"] for lane in narrow.lanes.list()) == len(seen)


def test_a_key_without_a_scope_hears_nothing_of_what_it_covers(peopled: World) -> None:
    owner = peopled.people["cy"].id
    columns = {"name": "narrow", "scopes": ["api:read", "activity:read"]}
    _, secret = peopled.database.write_now(lambda tx: callers.add_key(tx, owner, columns))
    narrow = peopled._client("narrow", secret)
    assert narrow.api.changes(limit=500)["events"] == []
    assert narrow.activity.recent(limit=100) == []


def test_reporters_who_see_all_see_all_but_what_is_kept_apart(peopled: World) -> None:
    peopled.key("cy").projects.update(key="SEC", reporters_see="all")
    found = {issue["id"] for issue in peopled.key("di").issues.list(project="SEC")["items"]}
    assert found == {7, 8, 9, 10, 11}
    found = {issue["id"] for issue in peopled.key("ana").issues.list(project="SEC")["items"]}
    assert found == {7, 8, 9, 10, 11}


def test_who_watches_an_issue_that_is_made_private_sees_it_no_more(peopled: World) -> None:
    watcher = peopled.people["di"].id
    peopled.database.write_now(
        lambda tx: tx.execute("insert into issue_watcher values (7, :who, 'asked', 1)", who=watcher)
    )
    di = peopled.key("di")
    assert di.issues.get(key="issue:7")["id"] == 7
    for level, sees in (("private", False), ("team:1", True), ("team:2", False), (None, True)):
        peopled.database.write_now(lambda tx, level=level: tx.update("issue", 7, level=level))  # type: ignore[misc]  # bound by default
        assert (7 in {issue["id"] for issue in di.issues.list(project="SEC")["items"]}) == sees, level


def test_what_somebody_loses_sight_of_is_gone_with_the_next_call_and_in_open_streams(peopled: World) -> None:
    cy, gus = peopled.key("cy"), peopled.key("gus")
    stream = gus.stream(since=peopled.database.seq)
    cy.issues.create(project="WEB", title="Before")
    assert next(stream)["kind"] == "issue.created"
    peopled.session("bo").projects.member_set(key="WEB", who="@gus", role="none")
    cy.issues.create(project="WEB", title="After")
    with refused("not-found"):
        gus.call("issues.list", {"project": "WEB"})
    assert gus.issues.list()["items"] == []
    peopled.key("bo").call("org.update", {"week_start": 0})
    assert next(stream)["kind"] == "org.updated"
    stream.close()
