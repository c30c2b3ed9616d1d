"""What is said to customers, mailed to them, and who they are."""

import pytest

from tests.conftest import World
from tests.modules.calls import call, eventually, refused
from tests.modules.desk.helpdesk import HelpDesk, customer, open_desk
from tests.modules.desk.test_customers import letters
from tests.modules.desk.test_intake import mail, token
from tests.modules.workflows.sample_workflows import flow

CANARY = "canaryword"


def test_an_answer_is_mailed_and_a_note_never_is(mailed: World) -> None:
    open_desk(mailed, reply_to="help@acme.example")
    with customer(mailed, "rita") as rita, customer(mailed, "nat") as nat:
        key = rita.ask()
        call(mailed, "cy", "comments.create", subject=f"issue:{key}", body=CANARY, internal=True)
        assert letters(mailed, rita.email) == []
        seq = mailed.database.seq
        call(mailed, "cy", "comments.create", subject=f"issue:{key}", body="Which <order>?")
        assert mailed.events_since(seq) == [("comment.created", "issue:1"), ("desk.replied", "issue:1")]
        (letter,) = letters(mailed, rita.email)
        assert letter["subject"] == f"[{key}] My order did not come"
        assert letter["text"].startswith(f"Web help wrote on your request {key}")
        assert "Which &lt;order&gt;?" in letter["html"]
        assert letter["reply_to"].startswith("help+r1.")
        call(mailed, "cy", "desk.requester_set", key=key, add=[nat.email])
        rita.call("desk.portal_comment", key=key, body="Number 17")
        assert [one["text"].partition(" wrote")[0] for one in letters(mailed, nat.email)] == ["Rita Rivers"]
        assert len(letters(mailed, rita.email)) == 1
        call(mailed, "cy", "comments.create", subject=f"issue:{key}", body="Thanks")
        again = letters(mailed, rita.email)[1]
        assert (again["thread"], again["message_id"] != letter["message_id"]) == (letter["thread"], True)
        path = token(mailed)
        for more in ({"in_reply_to": letter["thread"]}, {"to": [letter["reply_to"]]}):
            found = mail(mailed, path, rita.email, subject="Re: something else", text="By mail", **more)
            assert (found["key"], found["result"]) == (key, "commented")
        forged = letter["thread"].replace("request-1.", "request-1.0")
        assert mail(mailed, path, rita.email, in_reply_to=forged)["result"] == "created"


def test_whoever_mails_is_told_that_it_is_here(mailed: World) -> None:
    open_desk(mailed)
    key = mail(mailed, token(mailed))["key"]
    (letter,) = letters(mailed, "rita@rivers.example")
    assert letter["subject"] == f"[{key}] It is broken"
    call(mailed, "ana", "desk.save", project="WEB", enabled=False)
    call(mailed, "cy", "comments.create", subject=f"issue:{key}", body="Anybody there?")
    assert len(letters(mailed, "rita@rivers.example")) == 1


def test_a_reply_is_said_shared_and_moves(help_desk: HelpDesk) -> None:
    world, rita, nat = help_desk.world, help_desk.rita, help_desk.nat
    key = rita.ask()
    seq = world.database.seq
    said = call(
        world, "cy", "desk.send_reply", key=key, body="On its way", to=[nat.email], status="in_progress"
    )
    assert [kind for kind, _ in world.events_since(seq)] == [
        "desk.request_shared",
        "comment.created",
        "desk.replied",
        "issue.updated",
        "issue.transitioned",
    ]
    thread = nat.thread(key)
    assert (thread["request"]["category"], thread["comments"][0]["id"]) == ("in_progress", said["id"])
    with refused("conflict"):
        other = call(world, "cy", "issues.create", project="WEB", title="No request")["key"]
        call(world, "cy", "desk.send_reply", key=other, body="Hello")


def test_people_of_a_request_are_set(help_desk: HelpDesk) -> None:
    world, rita, nat = help_desk.world, help_desk.rita, help_desk.nat
    issue = call(world, "cy", "issues.create", project="WEB", title="Told by phone", body="All of it")
    call(world, "cy", "comments.create", subject=f"issue:{issue['key']}", body=CANARY)
    key = issue["key"]
    with refused("conflict"):
        call(world, "cy", "desk.requester_set", key=key, add=[str(rita.id)])
    found = call(world, "cy", "desk.requester_set", key=key, requester=rita.email, add=["new@rivers.example"])
    assert found["requester"]["id"] == rita.id
    assert [one["email"] for one in found["participants"]] == ["new@rivers.example"]
    assert rita.thread(key)["comments"] == []  # what was said before it was a request
    found = call(world, "cy", "desk.requester_set", key=key, requester=str(nat.id))
    assert found["requester"]["id"] == nat.id
    with refused("not-found"):
        rita.thread(key)
    with refused("invalid-input"):
        call(world, "cy", "desk.requester_set", key=key, remove=[str(nat.id)])
    gone = [str(found["participants"][0]["id"])]
    assert call(world, "cy", "desk.requester_set", key=key, remove=gone)["participants"] == []
    with refused("not-allowed"):
        call(world, "gus", "desk.requester_set", key=key, requester=rita.email)
    sec = call(world, "cy", "issues.create", project="SEC", title="Elsewhere")["key"]
    with refused("not-found"):
        call(world, "cy", "desk.requester_set", key=sec, requester=rita.email)


def test_a_customer_closes_and_reopens(help_desk: HelpDesk) -> None:
    world, rita = help_desk.world, help_desk.rita
    call(world, "ana", "desk.save", project="WEB", reopen_days=2)
    key = rita.ask()
    closed = rita.call("desk.portal_transition", key=key, action="close", note="It came")
    assert closed["category"] == "done"
    issue = call(world, "cy", "issues.get", key=key)
    assert (issue["outcome"], issue["done_at"]) == ("completed", world.clock.now())
    told = call(world, "cy", "activity.list", subject="issue:1")
    assert {one["actor"] for one in told} == {f"customer:{rita.id}"}
    with refused("conflict"):
        rita.call("desk.portal_transition", key=key, action="close")
    assert rita.call("desk.portal_transition", key=key, action="reopen")["category"] != "done"
    rita.call("desk.portal_transition", key=key, action="close")
    world.advance(2 * 86400 + 1)
    with refused("conflict"):
        rita.call("desk.portal_transition", key=key, action="reopen")
    with refused("not-found"):
        help_desk.nat.call("desk.portal_transition", key=key, action="close")
    with refused("conflict"):
        rita.call("desk.portal_transition", key=key, action="approve")


@pytest.mark.parametrize("action", ["approve", "reject"])
def test_a_customer_agrees_where_they_are_asked(help_desk: HelpDesk, action: str) -> None:
    world, rita, nat = help_desk.world, help_desk.rita, help_desk.nat
    asked = {"project": "WEB", "name": "New laptop", "issue_type": "task", "fields": []}
    with refused("invalid-input"):
        call(world, "ana", "desk.request_type_save", **asked, approvers=[f"customer:{nat.id}"])
    made = call(world, "ana", "workflows.save", **flow("Careful", approvers=["@ana"]))
    call(world, "ana", "workflows.assign", id=made["id"], project="WEB", types=["task"])
    kinds = call(world, "ana", "desk.request_type_save", **asked, approvers=[f"customer:{nat.id}"])
    key = rita.ask("A laptop", kinds[-1]["id"])
    (waiting,) = call(world, "ana", "approvals.list", key=key)
    assert waiting["approvers"] == [f"customer:{nat.id}", world.people["ana"].id]
    assert waiting["requested_by"] == f"customer:{rita.id}"
    with refused("conflict"):
        rita.call("desk.portal_transition", key=key, action=action)
    found = nat.call("desk.portal_transition", key=key, action=action)
    state = call(world, "ana", "approvals.list", key=key)[0]["state"]
    assert (found["category"], state) == (
        ("in_progress", "done") if action == "approve" else ("todo", "rejected")
    )


def test_what_moves_here_by_a_merge_is_not_shown(help_desk: HelpDesk) -> None:
    world, rita, nat = help_desk.world, help_desk.rita, help_desk.nat
    one, other = rita.ask(f"{CANARY} of Rita"), nat.ask()
    call(world, "cy", "comments.create", subject=f"issue:{one}", body=f"Dear Rita, {CANARY}")
    rita.call("desk.portal_comment", key=one, body=f"It is me, {CANARY}")
    call(world, "cy", "issues.merge", from_=[one], into=other)
    assert CANARY not in str(nat.thread(other))
    assert rita.thread(one)["request"]["category"] == "done"


def test_members_hear_of_what_customers_say(help_desk: HelpDesk) -> None:
    world, rita = help_desk.world, help_desk.rita
    key = rita.ask()
    call(world, "cy", "comments.create", subject=f"issue:{key}", body="Which order?")
    rita.call("desk.portal_comment", key=key, body="Number 17, @ana")
    eventually(lambda: call(world, "cy", "notifications.list")["items"])
    (told,) = call(world, "cy", "notifications.list")["items"]
    assert told["events"][0]["actor"] == f"customer:{rita.id}"
    assert call(world, "ana", "notifications.list")["items"] == []
