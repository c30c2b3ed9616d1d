"""What hangs on issues: watchers, votes, web links; and levels, locks, archiving and revisions of their text."""

from typing import Any

import pytest

from tests.conftest import World
from tests.modules.calls import call, refused
from tests.modules.issues.test_issues import make, payloads
from tests.modules.together import slugs, together


def issue(world: World, key: str, who: str = "cy", **more: Any) -> dict[str, Any]:
    found: dict[str, Any] = call(world, who, "issues.get", key=key, **more)
    return found


def add_guest(world: World, role: str = "viewer", project: str = "WEB") -> None:
    call(world, "ana", "projects.member_set", key=project, who="@gus", role=role)


# watching and voting


def test_whoever_sees_an_issue_may_watch_it(world: World) -> None:
    key = make(world)
    add_guest(world)
    seq = world.database.seq
    me = world.people["gus"].id
    assert me in call(world, "gus", "issues.watch", key=key, on=True)["watchers"]
    assert issue(world, key, "gus")["watching"] is True
    assert issue(world, key)["counts"]["watchers"] == 2
    assert call(world, "gus", "issues.watch", key=key, on=True) is not None
    assert world.events_since(seq) == [("issue.watched", "issue:1")]
    assert payloads(world, seq, "issue.watched") == [{"key": key, "project": "WEB", "who": me}]
    call(world, "gus", "undo.apply", seq=world.database.seq)
    assert issue(world, key, "gus")["watching"] is False
    call(world, "gus", "issues.watch", key=key, on=False)
    assert [kind for kind, _ in world.events_since(seq)] == ["issue.watched", "issue.unwatched"]


def test_others_are_made_to_watch_by_whoever_may_edit(world: World) -> None:
    key = make(world)
    add_guest(world)
    with refused("not-allowed"):
        call(world, "gus", "issues.watch", key=key, on=True, members=["@cy"])
    found = call(world, "cy", "issues.watch", key=key, on=True, members=["@di", "@bo"])
    assert set(found["watchers"]) == {world.people[who].id for who in ("cy", "di", "bo")}
    assert [member["handle"] for member in call(world, "cy", "issues.watchers", key=key)] == [
        "bo",
        "cy",
        "di",
    ]
    hidden = make(world, project="SEC")
    with refused("invalid-input"):
        call(world, "cy", "issues.watch", key=hidden, on=True, members=["@gus"])
    with refused("not-found"):
        call(world, "gus", "issues.watch", key=hidden, on=True)


def test_a_reporter_sees_what_they_were_made_to_watch(world: World) -> None:
    key = make(world, project="SEC")
    with refused("not-found"):
        issue(world, key, "di")
    call(world, "cy", "issues.watch", key=key, on=True, members=["@di"])
    assert issue(world, key, "di")["key"] == key


def test_everybody_has_one_vote(world: World) -> None:
    key = make(world)
    seq = world.database.seq
    assert call(world, "cy", "issues.vote", key=key, on=True) == {"votes": 1}
    assert call(world, "cy", "issues.vote", key=key, on=True) == {"votes": 1}
    assert call(world, "di", "issues.vote", key=key, on=True) == {"votes": 2}
    assert {member["handle"] for member in call(world, "bo", "issues.voters", key=key)} == {"cy", "di"}
    assert call(world, "cy", "issues.vote", key=key, on=False) == {"votes": 1}
    assert [kind for kind, _ in world.events_since(seq)] == ["issue.voted", "issue.voted", "issue.unvoted"]
    assert issue(world, key)["counts"]["votes"] == 1
    call(world, "cy", "undo.apply", seq=world.database.seq)
    assert issue(world, key)["counts"]["votes"] == 2
    call(world, "cy", "issues.archive", keys=[key], on=True)
    with refused("conflict"):
        call(world, "di", "issues.vote", key=key, on=False)


def test_votes_at_once_are_all_counted(world: World) -> None:
    key = make(world)
    asked = [("issues.vote", {"key": key, "on": bool(n % 2 == 0)}) for n in range(9)]
    assert slugs(together(world, "cy", asked)) == []
    voters = call(world, "cy", "issues.voters", key=key)
    assert issue(world, key)["counts"]["votes"] == len(voters) <= 1


# web links


def test_web_links_are_added_changed_and_taken_off(world: World) -> None:
    key = make(world)
    seq = world.database.seq
    (made,) = call(world, "cy", "issues.link_add", key=key, url="https://example.com/a/")
    assert made == {
        "id": 1,
        "url": "https://example.com/a/",
        "title": "example.com/a",
        "kind": "page",
        "icon": None,
        "created_by": world.people["cy"].id,
        "created_at": world.clock.now(),
    }
    (made,) = call(
        world, "cy", "issues.link_add", key=key, url="https://example.com/a/", title="A", kind="docs"
    )
    assert (made["title"], made["kind"]) == ("A", "docs")
    assert issue(world, key)["counts"]["links"] == 1
    assert call(world, "cy", "issues.links", key=key) == [made]
    assert call(world, "cy", "issues.link_delete", id=made["id"]) == []
    assert [kind for kind, _ in world.events_since(seq)] == ["issue.linked", "issue.linked", "issue.unlinked"]
    call(world, "cy", "undo.apply", seq=world.database.seq)
    assert call(world, "cy", "issues.links", key=key) == [made]


@pytest.mark.parametrize(
    "url", ["", "example.com", "javascript:alert(1)", "ftp://a/b", "https://", "http://[", "http://a b"]
)
def test_a_link_leads_to_the_web(world: World, url: str) -> None:
    with refused("invalid-input"):
        call(world, "cy", "issues.link_add", key=make(world), url=url)


def test_links_are_changed_by_whoever_may_edit(world: World) -> None:
    key = make(world)
    (made,) = call(world, "cy", "issues.link_add", key=key, url="https://example.com/")
    with refused("not-found"):
        call(world, "gus", "issues.link_delete", id=made["id"])
    add_guest(world)
    assert len(call(world, "gus", "issues.links", key=key)) == 1
    with refused("not-allowed"):
        call(world, "gus", "issues.link_add", key=key, url="https://example.com/b")
    with refused("not-allowed"):
        call(world, "gus", "issues.link_delete", id=made["id"])


# levels and locks


def test_a_level_decides_at_once_who_sees_an_issue(world: World) -> None:
    key = make(world, "di")
    seq = world.database.seq
    assert call(world, "bo", "issues.level_set", key=key, level="private")["level"] == "private"
    assert [kind for kind, _ in world.events_since(seq)] == ["issue.updated", "issue.level_changed"]
    with refused("not-found"):
        issue(world, key, "cy")
    assert issue(world, key, "di")["level"] == "private"
    assert call(world, "cy", "api.changes", since=seq)["events"] == []
    call(world, "bo", "undo.apply", seq=world.database.seq)
    assert issue(world, key, "cy")["level"] is None


def test_a_public_issue_is_read_by_every_member_and_a_teams_by_the_team(world: World) -> None:
    key = make(world, project="SEC")
    call(world, "cy", "issues.level_set", key=key, level="public")
    assert issue(world, key, "di")["can"]["edit"] is False
    with refused("not-found"):
        issue(world, key, "gus")
    team = call(world, "ana", "teams.save", name="Red")["id"]
    call(world, "ana", "teams.member_set", id=team, who="@di", role="member")
    open_key = make(world, "bo")
    call(world, "bo", "issues.level_set", key=open_key, level=f"team:{team}")
    assert issue(world, open_key, "di")["key"] == open_key
    with refused("not-found"):
        issue(world, open_key, "cy")
    call(world, "bo", "issues.level_set", key=open_key, level="")
    assert issue(world, open_key, "cy")["level"] is None


def test_levels_are_set_by_leads(world: World) -> None:
    key = make(world)
    with refused("not-allowed"):
        call(world, "cy", "issues.level_set", key=key, level="private")
    with refused("invalid-input"):
        call(world, "bo", "issues.level_set", key=key, level="secret")
    seq = world.database.seq
    call(world, "bo", "issues.level_set", key=key, level="project")
    assert world.events_since(seq) == []


def test_a_locked_issue_takes_comments_from_leads_only(world: World) -> None:
    key = make(world)
    seq = world.database.seq
    with refused("not-allowed"):
        call(world, "cy", "issues.lock", key=key, on=True)
    assert call(world, "bo", "issues.lock", key=key, on=True, reason="Too heated")["locked"] is True
    call(world, "bo", "issues.lock", key=key, on=True)
    assert [kind for kind, _ in world.events_since(seq)] == ["issue.updated", "issue.locked"]
    assert payloads(world, seq, "issue.locked")[0]["reason"] == "Too heated"
    assert issue(world, key)["can"]["comment"] is False
    with refused("not-allowed"):
        call(world, "cy", "comments.create", subject=f"issue:{key}", body="But")
    call(world, "bo", "comments.create", subject=f"issue:{key}", body="Closed")
    call(world, "cy", "issues.update", key=key, title="Still open to change")
    call(world, "bo", "issues.lock", key=key, on=False)
    call(world, "cy", "comments.create", subject=f"issue:{key}", body="Thanks")


# archiving


def test_an_archived_issue_takes_no_change_and_comes_back(world: World) -> None:
    key, other = make(world), make(world)
    seq = world.database.seq
    found = call(world, "cy", "issues.archive", keys=[key, other, key], on=True)
    assert [one["archived_at"] for one in found] == [world.clock.now()] * 2
    assert [kind for kind, _ in world.events_since(seq)] == ["issue.updated", "issue.archived"] * 2
    assert call(world, "cy", "issues.list", project="WEB")["items"] == []
    for op, more in (
        ("issues.update", {"title": "x"}),
        ("issues.assign", {"assignees": ["me"]}),
        ("issues.transition", {"to_status": "done"}),
        ("issues.link_add", {"url": "https://example.com"}),
        ("issues.delete", {}),
    ):
        with refused("conflict"):
            call(world, "cy", op, key=key, **more)
    call(world, "cy", "issues.archive", keys=[key], on=False)
    assert [one["key"] for one in call(world, "cy", "issues.list", project="WEB")["items"]] == [key]
    call(world, "cy", "undo.apply", seq=world.database.seq)
    assert issue(world, key)["archived_at"] is not None
    with refused("not-found"):
        call(world, "cy", "issues.archive", keys=[other, "WEB-99"], on=False)
    assert issue(world, other)["archived_at"] is not None


# revisions


def test_every_text_of_an_issue_is_kept_and_comes_back(world: World) -> None:
    key = make(world, title="First", body="one\ntwo\n")
    world.clock.advance(60)
    call(world, "di", "issues.update", key=key, body="one\n2\n")
    world.clock.advance(60)
    call(world, "bo", "issues.update", key=key, title="Third", priority="high")
    found = call(world, "cy", "issues.revisions", key=key, diff=1)
    start = world.clock.now() - 120
    assert [(one["revision"], one["title"], one["who"], one["at"] - start) for one in found] == [
        (3, "Third", world.people["bo"].id, 120),
        (2, "First", world.people["di"].id, 60),
        (1, "First", world.people["cy"].id, 0),
    ]
    assert found[1]["diff"].splitlines()[2:] == ["@@ -1,4 +1,4 @@", " First", " ", " one", "-two", "+2"]
    assert found[2]["diff"] == ""
    seq = world.database.seq
    back = call(world, "cy", "issues.revision_restore", key=key, revision=1)
    assert (back["title"], back["body"], back["priority"]) == ("First", "one\ntwo\n", "high")
    assert world.events_since(seq) == [("issue.updated", "issue:1")]
    assert len(call(world, "cy", "issues.revisions", key=key)) == 4
    call(world, "cy", "issues.revision_restore", key=key, revision=1)
    assert len(world.events_since(seq)) == 1
    with refused("not-found"):
        call(world, "cy", "issues.revision_restore", key=key, revision=9)
