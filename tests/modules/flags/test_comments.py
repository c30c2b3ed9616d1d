"""Comments on flags and on change requests, and what happened to a change request as a subject of its own."""

from typing import Any

import pytest

from kbwork.core.access import visibility
from kbwork.core.ports.comments import CommentTarget
from kbwork.db.tx import Write
from tests.conftest import World
from tests.house import company
from tests.modules.calls import call, eventually, refused
from tests.modules.flags.flag_project import flag, shop
from tests.modules.issues.test_issues import make

ON = {"kind": "turnFlagOn"}
FLAG = "flag:shop/checkout"


def ask(world: World, who: str = "cy", environment: str = "production") -> str:
    """A change request, as a subject."""
    made = call(
        world,
        who,
        "flags.change_create",
        project="shop",
        kind="flag",
        target="checkout",
        environment=environment,
        instructions=[ON],
    )
    return f"flag_change:{made['id']}"


def say(world: World, who: str, subject: str, body: str = "From when on?", **more: Any) -> int:
    made: int = call(world, who, "comments.create", subject=subject, body=body, **more)["id"]
    return made


def said(world: World, who: str, subject: str) -> list[str]:
    return [one["body"] for one in call(world, who, "comments.list", subject=subject)]


def kinds(world: World, who: str, subject: str) -> list[str]:
    return [event["kind"] for event in call(world, who, "activity.list", subject=subject)]


@pytest.fixture
def at_work(world: World) -> World:
    shop(world)
    flag(world)
    return world


def test_people_talk_about_a_change_and_its_activity_tells_all_of_it(at_work: World) -> None:
    world = at_work
    call(world, "ana", "flags.environment_save", project="shop", key="production", require_approval=True)
    change, other = ask(world), ask(world)
    ident = int(change.partition(":")[2])
    seq = world.database.seq
    first = say(world, "di", change, "From when on, @bo? And @gus, @nobody?")
    assert world.events_since(seq) == [("comment.created", change)]
    (event,) = call(world, "cy", "api.changes", since=seq)["events"]
    assert event["payload"] == {
        "flag_project": "shop",
        "comment": first,
        "internal": False,
        "mentions": [world.people["bo"].id],
    }
    say(world, "bo", change, "Tomorrow.", parent=first)
    call(world, "bo", "flags.change_review", project="shop", id=ident, decision="approve")
    assert said(world, "cy", change) == ["From when on, @bo? And @gus, @nobody?", "Tomorrow."]
    assert said(world, "cy", FLAG) == said(world, "cy", other) == []
    assert kinds(world, "cy", change) == [
        "change.requested",
        "comment.created",
        "comment.created",
        "change.reviewed",
        "flag.updated",
        "change.applied",
    ]
    assert kinds(world, "cy", other) == ["change.requested"]
    assert "comment.created" not in kinds(world, "cy", FLAG)
    assert call(world, "cy", "activity.seen", subject=change)["changes"] == 5
    (found, comment) = call(world, "cy", "subjects.resolve", refs=[change, f"comment:{first}"])
    assert (found["title"], found["state"]) == (f"Change {ident} of checkout in production", "applied")
    assert comment["path"] == f"/flags/shop/changes/{ident}#comment-{first}"
    assert found["path"] == f"/flags/shop/changes/{ident}"
    for op in ("comments.list", "activity.list"):
        with refused("not-found"):
            call(world, "gus", op, subject=change)


def test_a_change_of_a_segment_is_talked_about_too(at_work: World) -> None:
    world = at_work
    place = {"project": "shop", "environment": "test"}
    call(world, "cy", "flags.segment_save", **place, key="beta")
    made = call(
        world,
        "cy",
        "flags.change_create",
        **place,
        kind="segment",
        target="beta",
        instructions=[{"kind": "addIncludedTargets", "contextKind": "user", "values": ["x"]}],
    )
    assert kinds(world, "di", f"flag_change:{made['id']}") == ["change.requested"]


@pytest.mark.parametrize("subject", [FLAG, "change"])
def test_comments_are_changed_resolved_deleted_and_brought_back(at_work: World, subject: str) -> None:
    world = at_work
    subject = ask(world) if subject == "change" else subject
    number = say(world, "cy", subject)
    for op, more in (("comments.update", {"body": "x"}), ("comments.delete", {})):
        with refused("not-allowed"):
            call(world, "di", op, id=number, **more)
    call(world, "cy", "comments.update", id=number, body="When?")
    call(world, "di", "comments.react", id=number, emoji="👍", on=True)
    call(world, "di", "comments.resolve", id=number, resolved=True)
    assert kinds(world, "cy", subject)[-4:] == [
        "comment.created",
        "comment.updated",
        "comment.reacted",
        "comment.resolved",
    ]
    call(world, "cy", "comments.delete", id=number)
    assert call(world, "di", "trash.list", kind="comment")["items"] == []
    (entry,) = call(world, "cy", "trash.list", kind="comment")["items"]
    assert call(world, "bo", "trash.list", kind="comment")["items"] == [entry]
    assert said(world, "di", subject) == []
    assert call(world, "cy", "trash.restore", ids=[entry["id"]])["failed"] == []
    assert said(world, "di", subject) == ["When?"]
    call(world, "bo", "comments.delete", id=number)
    seq = world.database.seq
    call(world, "bo", "undo.apply", seq=seq)
    assert said(world, "di", subject) == ["When?"]


def test_what_does_not_fit_is_refused(at_work: World) -> None:
    world = at_work
    with refused("invalid-input"):
        say(world, "cy", FLAG, internal=True)
    with refused("invalid-input"):
        call(world, "ana", "comments.import", subject=FLAG, author="Ada", body="x", internal=True)
    for subject in ("segment:shop/test/beta", "flag_project:shop", "nothing:1"):
        with refused("invalid-input"):
            say(world, "cy", subject)
    for subject in ("flag:shop/nope", "flag:nope/checkout", "flag_change:99", "flag_change:x", "flag:"):
        with refused("not-found"):
            say(world, "cy", subject)
    number = say(world, "cy", FLAG)
    with refused("not-found"):
        say(world, "cy", ask(world), parent=number)
    with refused("invalid-input"):
        call(world, "cy", "attachments.list", subject=f"comment:{number}")
    blind = call(world, "cy", "keys.create", name="blind", scopes=["comments:read", "comments:write"])
    with refused("not-found"):
        world._client("blind", blind["secret"]).call("comments.list", {"subject": FLAG})


def test_an_internal_note_does_not_come_back_on_a_flag(at_work: World) -> None:
    world = at_work
    key = make(world)
    number = say(world, "cy", f"issue:{key}", internal=True)
    call(world, "cy", "comments.delete", id=number)
    call(world, "bo", "issues.delete", key=key)
    entries = call(world, "bo", "trash.list", kind="comment")["items"]
    restored = call(world, "bo", "trash.restore", ids=[entries[0]["id"]], parent=FLAG)
    assert [one["id"] for one in restored["failed"]] == [entries[0]["id"]]
    assert said(world, "cy", FLAG) == []


def test_the_project_of_work_says_who_talks(world: World) -> None:
    shop(world, work_project="SEC")
    flag(world)
    call(world, "cy", "projects.member_set", key="SEC", who="@di", role="viewer")
    number = say(world, "cy", FLAG)
    assert said(world, "di", FLAG) == ["From when on?"]
    with refused("not-allowed"):
        say(world, "di", FLAG)
    call(world, "cy", "projects.member_set", key="SEC", who="@di", role="reporter")
    say(world, "di", FLAG, "I too")
    with refused("not-allowed"):
        call(world, "di", "comments.resolve", id=number, resolved=True)
    call(world, "cy", "comments.delete", id=number + 1)
    call(world, "cy", "projects.archive", key="SEC", on=True)
    with refused("conflict"):
        say(world, "cy", FLAG)


def test_what_is_archived_takes_comments_of_admins_alone(at_work: World) -> None:
    world = at_work
    call(world, "cy", "flags.update", project="shop", key="checkout", instructions=[{"kind": "archiveFlag"}])
    with refused("not-allowed"):
        say(world, "cy", FLAG)
    say(world, "bo", FLAG, "Gone since May.")
    assert said(world, "cy", FLAG) == ["Gone since May."]


def test_comments_go_with_the_change_and_with_the_flag(world: World) -> None:
    call(world, "di", "projects.member_set", key="PRV", who="@ana", role="lead")
    shop(world, work_project="PRV")
    flag(world, who="di")
    change = ask(world, "di")
    for subject in (change, FLAG):
        call(world, "di", "comments.delete", id=say(world, "di", subject))
        say(world, "di", subject)
    call(world, "ana", "flags.environment_delete", project="shop", key="production")
    eventually(lambda: _stored(world) == [FLAG, FLAG])
    with refused("not-found"):
        call(world, "di", "comments.list", subject=change)
    call(world, "ana", "projects.delete", key="PRV", confirm_key="PRV")
    (entry,) = call(world, "ana", "trash.list", kind="project")["items"]
    call(world, "ana", "trash.purge", ids=[entry["id"]])
    eventually(lambda: _stored(world) == [])


def _stored(world: World) -> list[str]:
    found: list[str] = world.database.write_now(
        lambda tx: tx.column("select subject from comment order by id")
    )
    return found


def test_a_flags_comment_is_never_taken_for_one_on_an_issue(world: World) -> None:
    key = make(world)
    call(world, "ana", "flags.project_save", project="x1")
    call(world, "ana", "flags.create", project="x1", key="checkout")
    say(world, "bo", "flag:x1/checkout", f"zebra crossing, see {key}")
    assert world.database.write_now(lambda tx: tx.value("select comments from issue")) == 0
    assert said(world, "cy", f"issue:{key}") == []
    (hit,) = call(world, "cy", "search.query", q="zebra")["items"]
    assert (hit["title"], hit["path"], hit["project"]) == ("checkout", "/flags/x1/checkout#comment-1", None)
    assert call(world, "gus", "search.query", q="zebra")["items"] == []
    assert call(world, "cy", "issues.backlinks", key=key) == []
    asked = "from comments where text ~ zebra select on, issue.key"
    assert call(world, "cy", "tql.run", tql=asked)["rows"] == [["flag:x1/checkout", None]]
    assert call(world, "cy", "tql.run", tql=f"from comments on = {key}")["rows"] == []


@pytest.mark.parametrize("work", [None, "SEC", "PRV", "WEB", "WEB, deleted"])
def test_one_look_finds_those_whom_each_one_s_own_look_finds(world: World, work: str | None) -> None:
    company.employ(world)
    if work == "PRV":
        call(world, "di", "projects.member_set", key="PRV", who="@ana", role="member")
    shop(world, **({"work_project": work.partition(",")[0]} if work else {}))
    flag(world, who="ana")
    if work == "WEB, deleted":
        call(world, "bo", "projects.delete", key="WEB", confirm_key="WEB")

    def look(tx: Write) -> set[str]:
        eyes = {
            member: visibility.as_member(tx, member)
            for member in tx.column("select id from member where state = 'active'")
        }
        teams = {
            f"team:{team}": {world.people[who].id for who in there} for team, there in company.TEAMS.items()
        }
        venues = {who: venue for who, theirs in eyes.items() if (venue := _venue(theirs)) is not None}
        seers = set(venues)
        found = set(venues[world.people["ana"].id].audience([*eyes, *teams], internal=False))
        return found ^ (seers | {team for team, there in teams.items() if there & seers})

    assert world.database.write_now(look) == set()


def _venue(tx: Any) -> CommentTarget | None:
    comments = visibility.things(tx)["flag"].comments
    assert comments is not None
    return comments.target(tx, "shop/checkout")


def test_undo_asks_for_the_right_to_what_it_is_on(world: World) -> None:
    call(world, "bo", "projects.create", key="OWN", name="Own", visibility="private")
    call(world, "bo", "projects.member_set", key="OWN", who="@di", role="member")
    call(world, "bo", "flags.project_save", project="shop", work_project="OWN")
    call(world, "bo", "flags.environment_save", project="shop", key="production")
    flag(world, who="bo")
    for subject in (FLAG, ask(world, "bo")):
        number = say(world, "di", subject)
        seqs = []
        for op, more in (
            ("comments.update", {"body": "Else"}),
            ("comments.react", {"emoji": "x", "on": True}),
            ("comments.resolve", {"resolved": True}),
        ):
            call(world, "di", op, id=number, **more)
            seqs.append(world.database.seq)
        call(world, "bo", "projects.member_set", key="OWN", who="@di", role="none")
        for seq in seqs:
            assert call(world, "di", "undo.apply", seq=seq)["undone"] == []
        (one,) = call(world, "bo", "comments.list", subject=subject)
        assert (one["body"], one["resolved_at"] is None, len(one["reactions"])) == ("Else", False, 1)
        call(world, "bo", "projects.member_set", key="OWN", who="@di", role="member")
        for seq in reversed(seqs):
            assert call(world, "di", "undo.apply", seq=seq)["kept"] == []


def test_the_trash_asks_for_the_scope_of_what_it_is_on(at_work: World) -> None:
    world = at_work
    call(world, "cy", "comments.delete", id=say(world, "cy", FLAG))
    (entry,) = call(world, "cy", "trash.list", kind="comment")["items"]
    scopes = ["activity:read", "activity:write", "comments:read", "comments:write", "issues:read"]
    blind = world._client("blind", call(world, "cy", "keys.create", name="blind", scopes=scopes)["secret"])
    assert blind.call("trash.list", {"kind": "comment"})["items"] == []
    key = make(world)
    (failed,) = blind.call("trash.restore", {"ids": [entry["id"]], "parent": f"issue:{key}"})["failed"]
    assert failed["id"] == entry["id"]
    assert call(world, "cy", "trash.list", kind="comment")["items"] == [entry]


def test_a_comment_of_an_issue_comes_back_on_an_issue_only_and_leaves_its_replies(at_work: World) -> None:
    world = at_work
    key, other = make(world), make(world)
    first = say(world, "cy", f"issue:{key}")
    say(world, "di", f"issue:{key}", "Now", parent=first)
    call(world, "cy", "comments.delete", id=first)
    call(world, "bo", "issues.delete", key=key)
    (entry,) = call(world, "bo", "trash.list", kind="comment")["items"]
    (failed,) = call(world, "bo", "trash.restore", ids=[entry["id"]], parent=FLAG)["failed"]
    assert failed["id"] == entry["id"]
    assert call(world, "bo", "trash.restore", ids=[entry["id"]], parent=f"issue:{other}")["failed"] == []
    assert said(world, "bo", f"issue:{other}") == ["From when on?"]
    call(world, "bo", "comments.delete", id=first)
    entries = call(world, "bo", "trash.list")["items"]
    call(world, "bo", "trash.purge", ids=[one["id"] for one in entries])
    eventually(lambda: _stored(world) == [])


def test_a_module_that_is_off_takes_no_comments_on_its_things(at_work: World) -> None:
    world = at_work
    key, number = make(world), say(world, "cy", FLAG)
    call(world, "cy", "flags.link", project="shop", key="checkout", issue=key, on=True)
    call(world, "ana", "org.modules_set", off=["flags"])
    for op, value in (("comments.list", {"subject": FLAG}), ("comments.update", {"id": number, "body": "x"})):
        with refused("not-found"):
            call(world, "cy", op, **value)
    assert "flags" not in call(world, "cy", "issues.get", key=key, with_=["flags"])
    call(world, "ana", "org.modules_set", on=["flags"])
    assert said(world, "cy", FLAG) == ["From when on?"]


def test_what_was_said_of_many_changes_goes_by_and_by(at_work: World) -> None:
    world = at_work
    subjects = [ask(world) for _ in range(30)]
    for subject in subjects:
        say(world, "cy", subject)
    call(world, "ana", "flags.environment_delete", project="shop", key="production", dry_run=True)
    assert len(_stored(world)) == 30
    call(world, "ana", "flags.environment_delete", project="shop", key="production")
    eventually(lambda: _stored(world) == [])


def test_a_key_that_is_taken_again_tells_nothing_of_before(world: World) -> None:
    call(world, "di", "projects.member_set", key="PRV", who="@ana", role="lead")
    shop(world, work_project="PRV")
    for number in range(25):
        flag(world, f"flag-{number}", who="di")
    flag(world, who="di", name="Secret plan")
    say(world, "di", FLAG)
    call(
        world,
        "di",
        "flags.segment_save",
        project="shop",
        environment="test",
        key="beta",
        name="Secret people",
    )
    call(world, "ana", "projects.delete", key="PRV", confirm_key="PRV")
    (entry,) = call(world, "ana", "trash.list", kind="project")["items"]
    call(world, "ana", "trash.purge", ids=[entry["id"]])
    eventually(
        lambda: world.database.write_now(lambda tx: tx.value("select count(*) from flag_project")) == 0
    )
    shop(world)
    flag(world)
    call(world, "cy", "flags.segment_save", project="shop", environment="test", key="beta")
    for subject in (FLAG, "segment:shop/test/beta", "flag_project:shop"):
        told = call(world, "cy", "activity.list", subject=subject)
        assert "Secret" not in str(told)
        assert told[-1]["payload"]
