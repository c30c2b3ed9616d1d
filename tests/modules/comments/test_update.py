"""Comments afterwards: changed, reacted to, resolved, deleted, brought back, purged, and told in a brief."""

import json
from typing import Any

import pytest

from kbwork.core.access import callers, visibility
from kbwork.modules.comments import cascade
from tests.conftest import NOW, World
from tests.modules.calls import call, refused
from tests.modules.comments.test_comments import bodies, invite, make, say, whole
from tests.modules.together import slugs, together

DOCUMENT = '{"type":"doc","content":[]}'


def told(world: World, who: str, seq: int) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = call(world, who, "api.changes", since=seq)["events"]
    return found


def payloads(world: World, seq: int, who: str = "cy") -> list[tuple[str, dict[str, Any]]]:
    return [(event["kind"], event["payload"]) for event in told(world, who, seq)]


def updated_at(world: World, key: str) -> int:
    return int(call(world, "cy", "issues.get", key=key)["updated_at"])


def hire(world: World, owner: str, *more: str) -> Any:
    """A client of an agent of this person."""

    def made(tx: Any) -> str:
        member = world.people[owner].id
        tx.insert("agent", name="helper", label="The helper", owner=member, created_at=tx.now)
        scopes = ["issues:read", "comments:read", "comments:write", *more]
        columns = {"name": "h", "kind": "agent", "agent": "helper", "scopes": scopes}
        return callers.add_key(tx, member, columns)[1]

    return world._client("helper", world.database.write_now(made))


# changing


def test_a_comment_is_changed_by_who_said_it(world: World) -> None:
    key = make(world)
    first = say(world, "di", key, body_doc=DOCUMENT)
    reply = say(world, "di", key, parent=first)
    world.clock.advance(5)
    seq = world.database.seq
    assert call(world, "di", "comments.update", id=first, body="Hello again") == {"id": first}
    call(world, "di", "comments.update", id=reply, body="Hello", body_doc=DOCUMENT)
    assert call(world, "cy", "comments.list", subject=key) == [
        whole(world, "di", first, body="Hello again", edited_at=NOW + 5),
        whole(world, "di", reply, body_doc=DOCUMENT, edited_at=NOW + 5, parent=first),
    ]
    assert updated_at(world, key) == NOW + 5
    common = {"key": key, "project": "WEB", "internal": False}
    assert payloads(world, seq) == [
        (
            "comment.updated",
            common
            | {
                "comment": first,
                "changes": {
                    "body": {"from_size": 5, "to_size": 11, "revision": None},
                    "body_doc": {"from_size": len(DOCUMENT), "to_size": 0, "revision": None},
                },
            },
        ),
        (
            "comment.updated",
            common
            | {
                "comment": reply,
                "parent": first,
                "changes": {"body_doc": {"from_size": 0, "to_size": len(DOCUMENT), "revision": None}},
            },
        ),
    ]


def test_the_same_text_again_is_no_change(world: World) -> None:
    key = make(world)
    number = say(world, "cy", key)
    seq = world.database.seq
    world.clock.advance(5)
    call(world, "cy", "comments.update", id=number, body="Hello")
    assert (world.events_since(seq), updated_at(world, key)) == ([], NOW)
    assert call(world, "cy", "comments.list", subject=key)[0]["edited_at"] is None


@pytest.mark.parametrize(
    ("who", "asked", "slug"),
    [
        ("di", {}, "not-allowed"),
        ("bo", {}, "not-allowed"),
        ("gus", {}, "not-found"),
        ("cy", {"id": 99}, "not-found"),
        ("cy", {"body": "\n"}, "invalid-input"),
        ("cy", {"body_doc": "{}"}, "invalid-input"),
        ("cy", {"body": None}, "invalid-input"),
        ("cy", {"internal": True}, "unknown-field"),
    ],
)
def test_what_cannot_be_changed_is_refused(world: World, who: str, asked: dict[str, Any], slug: str) -> None:
    number = say(world, "cy", make(world))
    seq = world.database.seq
    with refused(slug):
        call(world, who, "comments.update", **{"id": number, "body": "Other"} | asked)
    assert world.events_since(seq) == []


@pytest.mark.parametrize("column", ["archived_at", "locked"])
def test_a_locked_or_archived_issue_is_for_its_leads(world: World, column: str) -> None:
    key = make(world)
    number = say(world, "cy", key)
    say(world, "bo", key)
    world.database.write_now(lambda tx: tx.execute(f"update issue set {column} = 1"))
    for op, more in (
        ("comments.update", {"body": "Other"}),
        ("comments.delete", {}),
        ("comments.react", {"emoji": "+1", "on": True}),
        ("comments.resolve", {"resolved": True}),
    ):
        with refused("not-allowed"):
            call(world, "cy", op, id=number, **more)
    call(world, "bo", "comments.update", id=number + 1, body="Other")
    call(world, "bo", "comments.resolve", id=number, resolved=True)
    call(world, "bo", "comments.delete", id=number)


def test_nothing_is_said_in_an_archived_project(world: World) -> None:
    key = make(world)
    number = say(world, "bo", key)
    call(world, "bo", "projects.archive", key="WEB", on=True)
    for op, value in (
        ("comments.create", {"subject": key, "body": "x"}),
        ("comments.import", {"subject": key, "body": "x", "author": "Ada"}),
        ("comments.update", {"id": number, "body": "x"}),
        ("comments.delete", {"id": number}),
        ("comments.react", {"id": number, "emoji": "+1", "on": True}),
        ("comments.react", {"id": number, "emoji": "+1", "on": False}),
        ("comments.resolve", {"id": number, "resolved": True}),
    ):
        with refused("conflict"):
            call(world, "bo", op, **value)
    assert bodies(world, "bo", key) == ["Hello"]


def test_an_owner_changes_what_their_agent_said_and_not_the_other_way_round(world: World) -> None:
    key = make(world)
    agent = hire(world, "cy")
    said = agent.comments.create(subject=key, body="Hello")["id"]
    call(world, "cy", "comments.update", id=said, body="As the owner puts it")
    agent.call("comments.update", {"id": said, "body": "As the agent puts it"})
    with refused("not-allowed"):
        call(world, "di", "comments.update", id=said, body="x")
    own = say(world, "cy", key)
    for op, more in (("comments.update", {"body": "x"}), ("comments.delete", {})):
        with refused("not-allowed"):
            agent.call(op, {"id": own} | more)
    assert bodies(world, "cy", key) == ["As the agent puts it", "Hello"]


def test_an_imported_comment_is_its_members_and_a_bare_name_nobodys(world: World) -> None:
    key = make(world)
    for author in ("@di", "Ada Old"):
        call(world, "bo", "comments.import", subject=key, author=author, body="Hello")
    call(world, "di", "comments.update", id=1, body="Mine")
    for who in ("bo", "di"):
        with refused("not-allowed"):
            call(world, who, "comments.update", id=2, body="x")


def test_two_who_change_one_comment_at_once_leave_one_text(world: World) -> None:
    key = make(world)
    number = say(world, "cy", key)
    seq = world.database.seq
    asked = [("comments.update", {"id": number, "body": f"Text {n}"}) for n in range(6)]
    assert slugs(together(world, "cy", asked)) == []
    (body,) = bodies(world, "cy", key)
    assert body.startswith("Text ")
    assert len(world.events_since(seq)) == 6


def test_a_change_is_taken_back(world: World) -> None:
    key = make(world)
    number = say(world, "cy", key)
    seq = world.database.seq
    call(world, "cy", "comments.update", id=number, body="Hello @di")
    call(world, "cy", "undo.apply", seq=seq + 1)
    assert call(world, "cy", "comments.list", subject=key) == [whole(world, "cy", number)]
    sizes = {"from_size": 9, "to_size": 5, "revision": None}
    kind, payload = payloads(world, seq)[-1]
    assert (kind, payload["changes"], payload["undo"]) == ("comment.updated", {"body": sizes}, seq + 1)
    assert "mentions" not in payload
    call(world, "cy", "undo.apply", seq=seq + 2)
    assert bodies(world, "cy", key) == ["Hello @di"]
    call(world, "cy", "comments.update", id=number, body="Later")
    with refused("conflict"):
        call(world, "cy", "undo.apply", seq=seq + 3)


# reactions


def test_reactions_are_counted_once_each_and_told(world: World) -> None:
    key = make(world)
    number = say(world, "cy", key)
    seq = world.database.seq
    world.clock.advance(5)
    for who, emoji in (("di", "👍"), ("cy", "👍"), ("cy", "👍"), ("cy", ":ship:")):
        assert call(world, who, "comments.react", id=number, emoji=emoji, on=True) == {"id": number}
    cy, di = (world.people[who].id for who in ("cy", "di"))
    (comment,) = call(world, "cy", "comments.list", subject=key)
    assert comment["reactions"] == [
        {"emoji": ":ship:", "count": 1, "mine": True, "who": [cy]},
        {"emoji": "👍", "count": 2, "mine": True, "who": sorted([cy, di])},
    ]
    call(world, "di", "comments.react", id=number, emoji="👍", on=False)
    call(world, "di", "comments.react", id=number, emoji="👍", on=False)
    common = {"key": key, "project": "WEB", "comment": number, "internal": False}
    assert payloads(world, seq) == [
        ("comment.reacted", common | {"emoji": emoji, "on": on})
        for emoji, on in (("👍", True), ("👍", True), (":ship:", True), ("👍", False))
    ]
    assert updated_at(world, key) == NOW


@pytest.mark.parametrize("emoji", ["", " ", "a b", "a\tb", "x" * 17, "👍👍👍👍👍", "\u00a0", "\n", None])
def test_what_is_no_emoji_is_refused(world: World, emoji: str | None) -> None:
    number = say(world, "cy", make(world))
    with refused("invalid-input"):
        call(world, "cy", "comments.react", id=number, emoji=emoji, on=True)


def test_a_comment_has_fifty_different_reactions(world: World) -> None:
    number = say(world, "cy", make(world))
    for count in range(50):
        call(world, "cy", "comments.react", id=number, emoji=f"e{count}", on=True)
    with refused("conflict"):
        call(world, "cy", "comments.react", id=number, emoji="e50", on=True)
    call(world, "di", "comments.react", id=number, emoji="e1", on=True)
    with refused("not-found"):
        call(world, "di", "comments.react", id=99, emoji="e1", on=True)


def test_who_only_looks_takes_their_reaction_back_and_gives_none(world: World) -> None:
    invite(world, "member")
    key = make(world)
    number = say(world, "cy", key)
    call(world, "gus", "comments.react", id=number, emoji="+1", on=True)
    invite(world, "viewer")
    with refused("not-allowed"):
        call(world, "gus", "comments.react", id=number, emoji="-1", on=True)
    call(world, "gus", "comments.react", id=number, emoji="+1", on=False)
    assert call(world, "cy", "comments.list", subject=key)[0]["reactions"] == []


def test_an_agent_reacts_in_its_own_name(world: World) -> None:
    key = make(world)
    number = say(world, "cy", key)
    agent = hire(world, "cy")
    agent.call("comments.react", {"id": number, "emoji": "+1", "on": True})
    reaction = {"emoji": "+1", "count": 1, "mine": True, "who": ["agent:helper"]}
    assert agent.comments.list(subject=key)[0]["reactions"] == [reaction]
    assert call(world, "cy", "comments.list", subject=key)[0]["reactions"] == [reaction | {"mine": False}]


def test_many_who_react_at_once_are_counted_once_each(world: World) -> None:
    key = make(world)
    number = say(world, "cy", key)
    seq = world.database.seq
    asked = [("comments.react", {"id": number, "emoji": "+1", "on": True})] * 8
    assert slugs(together(world, "cy", asked)) == []
    assert len(world.events_since(seq)) == 1


def test_a_reaction_is_taken_back_by_undo_and_given_again(world: World) -> None:
    key = make(world)
    number = say(world, "cy", key)
    seq = world.database.seq
    call(world, "cy", "comments.react", id=number, emoji="+1", on=True)
    for step in (1, 2):
        call(world, "cy", "undo.apply", seq=seq + step)
    assert [(kind, payload["on"]) for kind, payload in payloads(world, seq)] == [
        ("comment.reacted", True),
        ("comment.reacted", False),
        ("comment.reacted", True),
    ]
    assert call(world, "cy", "comments.list", subject=key)[0]["reactions"][0]["count"] == 1


# threads


def test_a_thread_is_resolved_and_opened_again(world: World) -> None:
    key = make(world)
    number = say(world, "di", key)
    world.clock.advance(5)
    seq = world.database.seq
    for resolved in (True, True, False, False):
        assert call(world, "di", "comments.resolve", id=number, resolved=resolved) == {"id": number}
    common = {"key": key, "project": "WEB", "comment": number, "internal": False}
    assert payloads(world, seq) == [("comment.resolved", common), ("comment.reopened", common)]
    call(world, "cy", "comments.resolve", id=number, resolved=True)
    (comment,) = call(world, "cy", "comments.list", subject=key)
    assert (comment["resolved_at"], comment["resolved_by"]) == (NOW + 5, world.people["cy"].id)
    call(world, "cy", "undo.apply", seq=world.database.seq)
    assert call(world, "cy", "comments.list", subject=key) == [whole(world, "di", number)]
    assert world.events_since(seq)[-1] == ("comment.reopened", "issue:1")
    assert updated_at(world, key) == NOW + 5


def test_who_may_not_resolve_a_thread_is_refused(world: World) -> None:
    world.key("cy").projects.update(key="SEC", reporters_see="all")
    key = make(world, project="SEC")
    theirs, own = say(world, "cy", key), say(world, "di", key)
    with refused("not-allowed"):
        call(world, "di", "comments.resolve", id=theirs, resolved=True)
    call(world, "di", "comments.resolve", id=own, resolved=True)
    reply = say(world, "di", key, parent=theirs)
    seq = world.database.seq
    for number, slug in ((reply, "invalid-input"), (99, "not-found")):
        with refused(slug):
            call(world, "cy", "comments.resolve", id=number, resolved=True)
    assert world.events_since(seq) == []


# deleting


def test_a_deleted_comment_waits_in_the_trash_and_comes_back(world: World) -> None:
    key = make(world)
    number = say(world, "di", key, "Hello\n\nthere")
    call(world, "cy", "comments.react", id=number, emoji="+1", on=True)
    before = call(world, "di", "comments.list", subject=key)
    world.clock.advance(5)
    seq = world.database.seq
    assert call(world, "di", "comments.delete", id=number) == {"id": number}
    common = {"key": key, "project": "WEB", "comment": number, "internal": False}
    assert payloads(world, seq) == [("comment.deleted", common)]
    issue = call(world, "cy", "issues.get", key=key)
    assert (issue["counts"]["comments"], issue["updated_at"]) == (0, NOW + 5)
    for op, more in (
        ("comments.update", {"body": "x"}),
        ("comments.delete", {}),
        ("comments.react", {"emoji": "+1", "on": True}),
        ("comments.resolve", {"resolved": True}),
    ):
        with refused("not-found"):
            call(world, "di", op, id=number, **more)
    (entry,) = call(world, "di", "trash.list", kind="comment", project="WEB")["items"]
    assert (entry["subject"], entry["title"], entry["can_restore"]) == (
        f"comment:{number}",
        "Hello there",
        True,
    )
    assert call(world, "cy", "trash.list")["items"] == []
    assert [each["id"] for each in call(world, "cy", "trash.restore", ids=[entry["id"]])["failed"]] == [1]
    restored = call(world, "bo", "trash.restore", ids=[entry["id"]])
    assert restored == {"restored": [f"comment:{number}"], "failed": []}
    assert call(world, "di", "comments.list", subject=key) == before
    assert payloads(world, seq)[1:] == [("comment.restored", common)]
    assert call(world, "cy", "issues.get", key=key)["counts"]["comments"] == 1


def test_authors_delete_their_own_and_leads_any(world: World) -> None:
    key = make(world)
    for number in (say(world, "di", key), say(world, "bo", key)):
        with refused("not-allowed"):
            call(world, "cy", "comments.delete", id=number)
        call(world, "ana", "comments.delete", id=number)
    assert bodies(world, "cy", key) == []


def test_one_deletes_and_the_others_find_nothing(world: World) -> None:
    key = make(world)
    number = say(world, "cy", key)
    answers = together(world, "cy", [("comments.delete", {"id": number})] * 5)
    assert slugs(answers) == ["not-found"] * 4
    assert len(call(world, "cy", "trash.list")["items"]) == 1


def test_a_starter_leaves_its_place_while_replies_remain(world: World) -> None:
    key = make(world)
    first = say(world, "cy", key)
    reply = say(world, "di", key, parent=first)
    call(world, "cy", "comments.delete", id=first)
    stub = whole(world, "cy", first, author="", body="")
    assert call(world, "cy", "comments.list", subject=key) == [stub, whole(world, "di", reply, parent=first)]
    assert call(world, "cy", "issues.get", key=key)["counts"]["comments"] == 1
    call(world, "cy", "comments.resolve", id=first, resolved=True)
    call(world, "cy", "comments.resolve", id=first, resolved=False)
    last = say(world, "cy", key, parent=first)
    for number, who in ((reply, "di"), (last, "cy")):
        call(world, who, "comments.delete", id=number)
    assert call(world, "cy", "comments.list", subject=key) == []
    call(world, "di", "trash.restore", ids=[2])
    assert [row["id"] for row in call(world, "cy", "comments.list", subject=key)] == [first, reply]
    call(world, "cy", "trash.restore", ids=[1])
    assert bodies(world, "cy", key) == ["Hello", "Hello"]


def test_deleting_is_taken_back_and_done_again(world: World) -> None:
    key = make(world)
    number = say(world, "cy", key)
    seq = world.database.seq
    call(world, "cy", "comments.delete", id=number)
    call(world, "cy", "undo.apply", seq=seq + 1)
    assert (bodies(world, "cy", key), call(world, "cy", "trash.list")["items"]) == (["Hello"], [])
    call(world, "cy", "undo.apply", seq=seq + 2)
    assert [entry["subject"] for entry in call(world, "cy", "trash.list")["items"]] == [f"comment:{number}"]
    assert [kind for kind, _ in world.events_since(seq)] == [
        "comment.deleted",
        "comment.restored",
        "comment.deleted",
    ]


def test_what_is_purged_is_gone_with_all_that_was_told_of_it(world: World) -> None:
    key = make(world)
    first = say(world, "cy", key, "cnry one")
    call(world, "cy", "comments.update", id=first, body="cnry two")
    call(world, "di", "comments.react", id=first, emoji="cnry", on=True)
    reply = say(world, "di", key, parent=first)
    call(world, "cy", "comments.delete", id=first)
    seq = world.database.seq
    call(world, "bo", "trash.purge", ids=[1])
    assert world.events_since(seq)[0] == ("comment.purged", f"comment:{first}")
    held = world.database.write_now(
        lambda tx: [
            str(row)
            for table in ("comment", "reaction", "trash", "undo", "span")
            for row in tx.all(f"select * {', json(images) as j' if table == 'undo' else ''} from {table}")
        ]
    )
    assert [row for row in held if "cnry" in row] == []
    assert "cnry" not in json.dumps(told(world, "ana", 0))
    assert [event["payload"] for event in told(world, "ana", 0) if event["seq"] == seq] == [{}]
    rows = call(world, "cy", "comments.list", subject=key)
    assert [(row["id"], row["body"]) for row in rows] == [(first, ""), (reply, "Hello")]
    say(world, "cy", key, parent=reply)
    with refused("not-found"):
        call(world, "cy", "undo.apply", seq=seq)
    for number, who in ((reply, "di"), (reply + 1, "cy")):
        call(world, who, "comments.delete", id=number)
    call(world, "bo", "trash.purge", ids=[2, 3])
    assert world.database.write_now(lambda tx: tx.value("select count(*) from comment")) == 0


def test_a_comment_whose_issue_is_gone_waits_for_it_or_goes_elsewhere(world: World) -> None:
    key, other = make(world), make(world)
    first = say(world, "cy", key)
    for number in (say(world, "cy", key, "Reply", parent=first), first):
        call(world, "cy", "comments.delete", id=number)
    call(world, "cy", "issues.delete", key=key)
    (failed,) = call(world, "cy", "trash.restore", ids=[1])["failed"]
    assert "lies in the trash, too" in failed["reason"]
    assert call(world, "cy", "trash.restore", ids=[1], parent=other)["failed"] == []
    (comment,) = call(world, "cy", "comments.list", subject=other)
    assert (comment["body"], comment["parent"]) == ("Reply", None)
    call(world, "bo", "trash.purge", ids=[3])
    assert call(world, "cy", "trash.list")["items"] == []
    assert world.database.write_now(lambda tx: tx.column("select id from comment")) == [comment["id"]]


def test_the_trash_lets_go_of_old_comments_by_itself(world: World) -> None:
    number = say(world, "cy", make(world))
    call(world, "cy", "undo.apply", seq=world.database.seq)
    world.clock.advance(31 * 86400)
    sweep = next(
        one for one in world.database.write_now(lambda tx: tx.registry.schedules) if one.name == "trash.sweep"
    )
    world.database.write_now(sweep.run)
    assert world.database.write_now(lambda tx: tx.stored("comment", [number])) is None


# notes for the team


def test_a_note_stays_unseen_by_guests_whatever_happens_to_it(world: World) -> None:
    invite(world, "member")
    key = make(world)
    seq = world.database.seq
    note = say(world, "cy", key, "Secret", internal=True)
    reply = say(world, "cy", key, "Secret", parent=note)
    world.clock.advance(5)
    call(world, "cy", "comments.update", id=note, body="Secret @gus @di")
    call(world, "cy", "comments.react", id=note, emoji="+1", on=True)
    call(world, "cy", "comments.resolve", id=note, resolved=True)
    call(world, "cy", "comments.delete", id=note)
    with refused("invalid-input"):
        call(world, "gus", "issues.split", key=key, parts=[{"title": "x", "comments": [reply]}])
    for op, more in (
        ("comments.update", {"body": "x"}),
        ("comments.delete", {}),
        ("comments.react", {"emoji": "+1", "on": True}),
        ("comments.resolve", {"resolved": True}),
    ):
        for number in (note, reply):
            with refused("not-found"):
                call(world, "gus", op, id=number, **more)
    call(world, "cy", "trash.restore", ids=[1])
    call(world, "cy", "comments.delete", id=note)
    call(world, "cy", "undo.apply", seq=world.database.seq)
    assert told(world, "gus", seq) == []
    assert call(world, "gus", "activity.list", subject=key, since=seq) == []
    assert call(world, "gus", "trash.list")["items"] == []
    assert call(world, "gus", "comments.list", subject=key) == []
    assert call(world, "gus", "issues.get", key=key)["counts"]["comments"] == 0
    kinds = [event["kind"] for event in told(world, "di", seq)]
    assert kinds == [
        "comment.created",
        "comment.created",
        "comment.updated",
        "comment.reacted",
        "comment.resolved",
        "comment.deleted",
        "comment.restored",
        "comment.deleted",
        "comment.restored",
    ]
    assert updated_at(world, key) == NOW


# mentions


def mentions(world: World, seq: int) -> list[Any]:
    return [payload.get("mentions") for _, payload in payloads(world, seq)]


def test_a_mention_is_told_to_who_sees_the_comment(world: World) -> None:
    ids = {who: person.id for who, person in world.people.items()}
    key, secret = make(world), make(world, project="SEC")
    hire(world, "di")
    call(world, "di", "teams.save", name="Crew", handle="crew")
    seq = world.database.seq
    say(world, "cy", key, "@di, (@Ana) and @bo. Also @di and @nobody, @gus; @crew @helper")
    say(world, "cy", secret, "@di @crew @helper and @ana")
    say(world, "cy", key, "`@di` di@acme.example [@ana](x) \\@bo")
    assert mentions(world, seq) == [
        [ids["di"], ids["ana"], ids["bo"], "team:1", "agent:helper"],
        [ids["ana"]],
        None,
    ]


def test_only_new_mentions_of_a_changed_comment_are_told(world: World) -> None:
    key = make(world)
    number = say(world, "cy", key, "@di")
    seq = world.database.seq
    for body in ("@di!", "Yes, @di.", "@di @ana", "@ana", "nobody"):
        call(world, "cy", "comments.update", id=number, body=body)
    assert mentions(world, seq) == [None, None, [world.people["ana"].id], None, None]


def test_a_note_for_the_team_mentions_no_guest(world: World) -> None:
    invite(world, "member")
    key = make(world)
    seq = world.database.seq
    say(world, "cy", key, "@gus @di", internal=True)
    say(world, "cy", key, "@gus @di")
    gus, di = (world.people[who].id for who in ("gus", "di"))
    assert mentions(world, seq) == [[di], [gus, di]]


def test_an_import_and_who_left_are_not_mentioned(world: World) -> None:
    key = make(world)
    call(world, "bo", "members.deactivate", id="@di", on=True)
    seq = world.database.seq
    call(world, "bo", "comments.import", subject=key, author="Ada", body="@ana")
    say(world, "cy", key, "@di")
    assert mentions(world, seq) == [None, None]


# in a brief


def test_a_brief_tells_the_comments_that_one_sees(world: World) -> None:
    invite(world, "member")
    key = make(world)
    first = say(world, "cy", key, "One")
    say(world, "di", key, "Note", internal=True)
    call(world, "bo", "comments.import", subject=key, author="Ada Old", body="Two", created_at=0)
    hire(world, "di").comments.create(subject=key, body="Three")
    say(world, "di", key, "Reply", parent=first)
    call(world, "cy", "comments.delete", id=first)

    def brief(who: str) -> list[str]:
        member = world.people[who].id
        return world.database.write_now(lambda tx: cascade.text(visibility.as_member(tx, member), "issue:1"))

    assert brief("gus") == [
        "**Ada Old**, 1970-01-01:\n\nTwo",
        "**The helper**, 2027-01-15:\n\nThree",
        "**Di Park**, 2027-01-15:\n\nReply",
    ]
    assert brief("cy")[1] == "**Di Park**, 2027-01-15 (internal note):\n\nNote"


def test_a_reporter_takes_back_what_they_changed_on_anothers_issue(world: World) -> None:
    world.key("cy").projects.update(key="SEC", reporters_see="all")
    key = make(world, project="SEC")
    number = say(world, "di", key)
    call(world, "di", "comments.update", id=number, body="Other")
    answer = call(world, "di", "undo.apply", seq=world.database.seq)
    assert (bodies(world, "cy", key), answer["kept"]) == (["Hello"], [])
    call(world, "di", "comments.react", id=number, emoji="+1", on=True)
    answer = call(world, "di", "undo.apply", seq=world.database.seq)
    assert call(world, "cy", "comments.list", subject=key)[0]["reactions"] == []
    call(world, "di", "comments.resolve", id=number, resolved=True)
    call(world, "di", "undo.apply", seq=world.database.seq)
    assert call(world, "cy", "comments.list", subject=key)[0]["resolved_at"] is None
    call(world, "di", "comments.update", id=number, body="Other")
    world.database.write_now(lambda tx: tx.execute("update issue set locked = 1"))
    answer = call(world, "di", "undo.apply", seq=world.database.seq)
    assert (bodies(world, "cy", key), answer["undone"]) == (["Other"], [])
