"""Comments: said, answered, brought in, and who hears them."""

import json
from typing import Any

import pytest

from kbwork.contract.kbwork_client import KbworkProblem
from kbwork.core.access import callers
from tests.conftest import NOW, World
from tests.modules.calls import refused
from tests.modules.together import slugs, together


def make(world: World, who: str = "cy", **fields: Any) -> str:
    """An issue; answers its key."""
    asked = {"project": "WEB", "title": "One"} | fields
    return str(world.key(who).call("issues.create", asked)["key"])


def say(world: World, who: str, key: str, body: str = "Hello", **fields: Any) -> int:
    answer = world.key(who).call("comments.create", {"subject": f"issue:{key}", "body": body} | fields)
    assert list(answer) == ["id"]
    return int(answer["id"])


def whole(world: World, who: str, number: int, **told: Any) -> dict[str, Any]:
    """A comment in its shape."""
    comment: dict[str, Any] = {
        "id": number,
        "author": world.people[who].id,
        "body": "Hello",
        "body_doc": None,
        "created_at": NOW,
        "edited_at": None,
        "internal": False,
        "parent": None,
        "anchor": None,
        "reactions": [],
        "resolved_at": None,
        "resolved_by": None,
    }
    return comment | told


def bodies(world: World, who: str, key: str) -> list[str]:
    return [comment["body"] for comment in world.key(who).comments.list(subject=key)]


def invite(world: World, role: str, project: str = "WEB") -> None:
    """Gus works in a project."""
    world.session("bo").call("projects.member_set", {"key": project, "who": "@gus", "role": role})


def test_a_comment_is_said_counted_and_told(world: World) -> None:
    key = make(world)
    world.clock.advance(5)
    seq = world.database.seq
    number = say(world, "di", key, "Hello", body_doc='{"type":"doc"}')
    assert world.key("cy").comments.list(subject=f"issue:{key}") == [
        whole(world, "di", number, body_doc='{"type":"doc"}', created_at=NOW + 5)
    ]
    issue = world.key("di").issues.get(key=key)
    assert (issue["counts"]["comments"], issue["updated_at"], issue["watching"]) == (1, NOW + 5, True)
    assert world.events_since(seq) == [("comment.created", "issue:1")]
    (event,) = world.key("cy").api.changes(since=seq)["events"]
    assert event["payload"] == {"key": key, "project": "WEB", "comment": number, "internal": False}
    assert event["actor"] == world.people["di"].id


def test_every_form_of_the_subject_is_taken(world: World) -> None:
    make(world)
    for subject in ("issue:1", "issue:WEB-1", "issue:web-1", "WEB-1"):
        world.key("cy").comments.create(subject=subject, body="Hello")
        assert world.key("cy").comments.list(subject=subject)
    assert len(bodies(world, "cy", "WEB-1")) == 4


def test_replies_stand_in_one_thread_and_follow_it(world: World) -> None:
    key = make(world)
    first = say(world, "cy", key)
    reply = say(world, "di", key, parent=first)
    seq = world.database.seq
    third = say(world, "cy", key, parent=reply)
    (event,) = world.key("cy").api.changes(since=seq)["events"]
    assert event["payload"]["parent"] == first
    parents = [(row["id"], row["parent"]) for row in world.key("cy").comments.list(subject=key)]
    assert parents == [(first, None), (reply, first), (third, first)]
    note = say(world, "cy", key, internal=True)
    answer = say(world, "cy", key, parent=note)
    assert [row["internal"] for row in world.key("cy").comments.list(subject=key)][-2:] == [True, True]
    for parent, internal in ((first, True), (answer, False)):
        with refused("invalid-input"):
            say(world, "cy", key, parent=parent, internal=internal)
    other = make(world)
    for parent in (first, 99):
        with refused("not-found"):
            say(world, "cy", other, parent=parent)


def test_an_anchor_names_the_words_it_is_about(world: World) -> None:
    key = make(world)
    anchor = json.dumps({"exact": "cart", "prefix": "the ", "suffix": ""})
    first = say(world, "cy", key, anchor=anchor)
    assert world.key("cy").comments.list(subject=key)[0]["anchor"] == anchor
    big = json.dumps({"exact": "x" * 4096})
    for bad in ({"anchor": "cart"}, {"anchor": "[]"}, {"anchor": '{"exact": 3}'}, {"anchor": big}):
        with refused("invalid-input"):
            say(world, "cy", key, **bad)
    with refused("invalid-input"):
        say(world, "cy", key, parent=first, anchor=anchor)


@pytest.mark.parametrize(
    ("asked", "slug"),
    [
        ({"body": " \n"}, "invalid-input"),
        ({"body": "a\0b"}, "invalid-input"),
        ({"subject": "page:1"}, "not-found"),
        ({"subject": "org:1"}, "invalid-input"),
        ({"subject": "issue:WEB-9"}, "not-found"),
        ({"subject": "issue:PRV-1"}, "not-found"),
        ({"subject": ""}, "not-found"),
        ({"text": "x"}, "unknown-field"),
    ],
)
def test_what_does_not_fit_a_comment_is_refused(world: World, asked: dict[str, Any], slug: str) -> None:
    make(world)
    make(world, "di", project="PRV")
    seq = world.database.seq
    with refused(slug):
        world.key("cy").call("comments.create", {"subject": "issue:WEB-1", "body": "Hello"} | asked)
    assert world.events_since(seq) == []


def test_who_only_looks_or_does_not_see_says_nothing(world: World) -> None:
    key = make(world)
    with refused("not-found"):
        say(world, "gus", key)
    invite(world, "viewer")
    with refused("not-allowed"):
        say(world, "gus", key)
    invite(world, "reporter")
    with refused("not-found"):
        say(world, "gus", key)
    own = make(world, "gus")
    say(world, "gus", own)
    world.key("cy").projects.create(key="OWN", name="Own", visibility="members")
    public = make(world, project="OWN", level="public")
    with refused("not-allowed"):
        say(world, "di", public)
    assert world.key("di").comments.list(subject=public) == []


@pytest.mark.parametrize("column", ["archived_at", "locked"])
def test_an_archived_or_locked_issue_takes_comments_from_leads_only(world: World, column: str) -> None:
    key = make(world)
    world.database.write_now(lambda tx: tx.execute(f"update issue set {column} = 1"))
    with refused("not-allowed"):
        say(world, "cy", key)
    say(world, "bo", key)


def test_internal_notes_are_unseen_by_guests_everywhere(world: World) -> None:
    invite(world, "member")
    key = make(world)
    seq = world.database.seq
    world.clock.advance(5)
    note = say(world, "cy", key, "Secret", internal=True)
    say(world, "cy", key, "Open")
    gus = world.key("gus")
    assert (bodies(world, "gus", key), bodies(world, "di", key)) == (["Open"], ["Secret", "Open"])
    counts = [world.key(who).issues.get(key=key)["counts"]["comments"] for who in ("gus", "di")]
    assert counts == [1, 2]
    for events in (
        gus.api.changes(since=seq)["events"],
        gus.activity.list(subject=key, since=seq),
        [event for event in gus.activity.recent() if event["seq"] > seq],
    ):
        assert [event["payload"]["internal"] for event in events] == [False]
    assert gus.activity.seen(subject=key)["changes"] == 2
    assert not gus.subjects.resolve(refs=[f"comment:{note}"])[0]["allowed"]
    assert world.key("di").subjects.resolve(refs=[f"comment:{note}"])[0]["title"] == "Secret"
    with refused("not-allowed"):
        say(world, "gus", key, internal=True)
    with refused("not-found"):
        say(world, "gus", key, parent=note)


def test_a_note_for_the_team_leaves_the_issues_time(world: World) -> None:
    key = make(world)
    world.clock.advance(5)
    say(world, "cy", key, internal=True)
    assert world.key("cy").issues.get(key=key)["updated_at"] == NOW


def test_an_agent_speaks_in_its_own_name(world: World) -> None:
    key = make(world)
    owner = world.people["cy"].id

    def hire(tx: Any) -> str:
        tx.insert("agent", name="helper", label="Helper", owner=owner, created_at=tx.now)
        scopes = ["issues:read", "comments:read", "comments:write", "activity:write"]
        columns = {"name": "h", "kind": "agent", "agent": "helper", "scopes": scopes}
        return callers.add_key(tx, owner, columns)[1]

    agent = world._client("helper", world.database.write_now(hire))
    seq = world.database.seq
    agent.comments.create(subject=key, body="Hello")
    (comment,) = agent.comments.list(subject=key)
    assert comment["author"] == "agent:helper"
    (event,) = world.key("cy").api.changes(since=seq)["events"]
    assert (event["actor"], event["actor_kind"], event["via"]) == (owner, "agent", "agent:helper")
    world.key("cy").undo.apply(seq=seq + 1)
    assert bodies(world, "cy", key) == []


def test_many_who_comment_at_once_are_all_heard(world: World) -> None:
    key = make(world)
    asked: list[tuple[str, dict[str, Any]]] = [
        ("comments.create", {"subject": key, "body": str(n)}) for n in range(20)
    ]
    assert slugs(together(world, "cy", asked)) == []
    assert sorted(bodies(world, "cy", key), key=int) == [str(n) for n in range(20)]
    assert world.key("cy").issues.get(key=key)["counts"]["comments"] == 20


# brought in


def test_a_comment_is_brought_in_with_its_author_and_time(world: World) -> None:
    key = make(world)
    bo = world.key("bo")
    world.clock.advance(50)
    seq = world.database.seq
    asked = {"subject": f"issue:{key}", "body": "Hello", "created_at": 1000, "external": "c-1"}
    answer = bo.call("comments.import", asked | {"author": "Ada Old"})
    assert world.key("cy").comments.list(subject=key) == [
        whole(world, "cy", answer["id"], author="Ada Old", created_at=1000)
    ]
    assert world.events_since(seq) == [("comment.created", "issue:1")]
    (event,) = bo.api.changes(since=seq)["events"]
    assert event["payload"] == {
        "key": key,
        "project": "WEB",
        "comment": answer["id"],
        "internal": False,
        "import": 0,
    }
    issue = bo.issues.get(key=key)
    assert (issue["updated_at"], issue["counts"]["watchers"]) == (NOW, 1)
    seq = world.database.seq
    assert bo.call("comments.import", asked | {"author": "Somebody"}) == answer
    assert world.events_since(seq) == []
    for author in ("@di", "di", "di@acme.example", world.people["di"].id):
        bo.call("comments.import", {"subject": key, "author": author, "body": "Hi"})
    authors = {comment["author"] for comment in bo.comments.list(subject=key)}
    assert authors == {"Ada Old", world.people["di"].id}
    with refused("conflict"):
        bo.undo.apply(seq=seq + 1)


def test_bringing_in_is_for_admins_and_takes_no_false_identity(world: World) -> None:
    key = make(world)
    make(world, "di", project="PRV")
    asked = {"subject": key, "author": "Ada", "body": "Hello"}
    for who in ("cy", "gus"):
        with refused("insufficient-scope"):
            world.key(who).call("comments.import", asked)
    for author in ("m_abcdefabcdef", "agent:x", "system", "team:1"):
        with pytest.raises(KbworkProblem) as refusal:
            world.key("bo").call("comments.import", asked | {"author": author})
        assert [error["path"] for error in refusal.value.errors] == ["author"]
    for bad, slug in (({"body": " "}, "invalid-input"), ({"subject": "PRV-1"}, "not-found")):
        with refused(slug):
            world.key("bo").call("comments.import", asked | bad)


# undo


def test_a_comment_is_taken_back_and_said_again(world: World) -> None:
    key = make(world)
    cy = world.key("cy")
    issue = cy.issues.get(key=key)
    number = say(world, "cy", key, internal=True)
    at = world.database.seq
    assert cy.undo.apply(seq=at) == {
        "undone": [{"subject": f"comment:{number}", "what": "Comment on a subject, or reply in a thread"}],
        "kept": [],
    }
    assert bodies(world, "cy", key) == []
    assert cy.issues.get(key=key) == issue
    assert world.events_since(at) == [("comment.deleted", "issue:1")]
    cy.undo.apply(seq=at + 1)
    assert bodies(world, "cy", key) == ["Hello"]
    assert world.events_since(at + 1) == [("comment.restored", "issue:1")]


def test_a_starter_that_is_gone_leaves_its_place_while_replies_remain(world: World) -> None:
    key = make(world)
    first = say(world, "cy", key, body_doc='{"type":"doc"}')
    at = world.database.seq
    reply = say(world, "di", key, parent=first)
    world.key("cy").undo.apply(seq=at)
    rows = world.key("cy").comments.list(subject=key)
    assert rows == [
        whole(world, "cy", first, author="", body=""),
        whole(world, "di", reply, parent=first),
    ]
    assert world.key("cy").issues.get(key=key)["counts"]["comments"] == 1
    say(world, "cy", key, "Still here", parent=first)
    assert not world.key("cy").subjects.resolve(refs=[f"comment:{first}"])[0]["allowed"]


def test_a_reporter_takes_back_what_they_said_on_anothers_issue(world: World) -> None:
    world.key("cy").projects.update(key="SEC", reporters_see="all")
    key = make(world, project="SEC")
    number = say(world, "di", key)
    world.key("di").undo.apply(seq=world.database.seq)
    assert bodies(world, "cy", key) == []
    assert number == 1


def test_who_may_comment_no_more_takes_nothing_back(world: World) -> None:
    key = make(world)
    say(world, "cy", key)
    at = world.database.seq
    world.database.write_now(lambda tx: tx.execute("update issue set locked = 1"))
    kept = world.key("cy").undo.apply(seq=at)
    assert (kept["undone"], [row["subject"] for row in kept["kept"]]) == ([], ["comment:1"])
    assert world.events_since(at) == []
