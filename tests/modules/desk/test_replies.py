"""What is said to customers, mailed to them, and who they are."""

from typing import Any

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


def test_nobody_learns_of_customers_of_other_desks_by_taking_them_out(help_desk: HelpDesk) -> None:
    world, key = help_desk.world, help_desk.rita.ask()
    call(world, "ana", "projects.create", key="API", name="Interface", visibility="private")
    open_desk(world, "API")
    call(
        world,
        "ana",
        "desk.request_create",
        project="API",
        type=3,
        customer="tess@rivers.example",
        title="Theirs",
    )
    texts = set()
    for address in ("tess@rivers.example", "nobody@rivers.example"):
        with refused("invalid-input") as told:
            call(world, "cy", "desk.requester_set", key=key, remove=[address])
        texts.add(told.value.detail.replace(address, ""))
    assert len(texts) == 1
    found = call(world, "cy", "desk.requester_set", key=key, remove=[help_desk.nat.email])
    assert found["participants"] == []


def careful(world: World, approvers: list[str], **more: Any) -> int:
    """A request type of the desk whose requests these agree to first; answers its id."""
    made = call(world, "ana", "workflows.save", **flow("Careful", approvers=["@ana", "@bo"], **more))
    call(world, "ana", "workflows.assign", id=made["id"], project="WEB", types=["task"])
    asked = {"project": "WEB", "name": "New laptop", "issue_type": "task", "fields": []}
    return int(call(world, "ana", "desk.request_type_save", **asked, approvers=approvers)[-1]["id"])


@pytest.mark.parametrize("phoned", [False, True])
def test_nobody_agrees_to_what_they_asked_for_themselves(help_desk: HelpDesk, phoned: bool) -> None:
    world, rita, nat = help_desk.world, help_desk.rita, help_desk.nat
    kind = careful(world, [f"customer:{rita.id}", f"customer:{nat.id}"])
    if phoned:
        asked = {"project": "WEB", "type": kind, "customer": rita.email, "title": "A laptop"}
        key = call(world, "cy", "desk.request_create", **asked)["key"]
    else:
        key = rita.ask("A laptop", kind)
    seq = world.database.seq
    for action in ("approve", "reject"):
        with refused("not-allowed"):
            rita.call("desk.portal_transition", key=key, action=action, note="It is mine")
    assert world.events_since(seq) == []
    assert nat.call("desk.portal_transition", key=key, action="approve")["category"] == "in_progress"


def test_where_nobody_else_may_decide_a_request_those_who_lead_the_project_are_asked(
    help_desk: HelpDesk,
) -> None:
    world, rita = help_desk.world, help_desk.rita
    made = call(world, "ana", "workflows.save", **flow("Careful", approvers=["@di"]))
    call(world, "ana", "workflows.assign", id=made["id"], project="WEB", types=["task"])
    asked = {"project": "WEB", "name": "New laptop", "issue_type": "task", "fields": []}
    kinds = call(world, "ana", "desk.request_type_save", **asked, approvers=[f"customer:{rita.id}"])
    call(world, "ana", "members.deactivate", id=world.people["di"].id, on=True)
    (waiting,) = call(world, "ana", "approvals.list", key=rita.ask("A laptop", kinds[-1]["id"]))
    assert waiting["approvers"] == [f"customer:{rita.id}", world.people["bo"].id]
    assert "leads too" in waiting["note"]
    assert call(world, "bo", "approvals.decide", id=waiting["id"], approve=True)["moved"]


def test_a_way_lets_them_agree_to_their_own(help_desk: HelpDesk) -> None:
    world, rita = help_desk.world, help_desk.rita
    key = rita.ask("A laptop", careful(world, [f"customer:{rita.id}"], self_approval=True))
    assert rita.call("desk.portal_transition", key=key, action="approve")["category"] == "in_progress"


def test_who_was_blocked_agrees_no_more_and_is_not_asked(help_desk: HelpDesk) -> None:
    world, rita, nat = help_desk.world, help_desk.rita, help_desk.nat
    with customer(world, "tess") as tess:
        kind = careful(world, [f"customer:{nat.id}", f"customer:{tess.id}"], needed=2)
        key = rita.ask("A laptop", kind)
        nat.call("desk.portal_transition", key=key, action="approve")
        call(world, "ana", "desk.customer_block", id=nat.id, blocked=True)
        tess.call("desk.portal_transition", key=key, action="approve")
        assert call(world, "ana", "approvals.list", key=key)[0]["state"] == "pending"
        assert call(world, "ana", "approvals.decide", id=1, approve=True)["moved"]
        (asked,) = call(world, "ana", "approvals.list", key=rita.ask("Another laptop", kind))
        assert asked["approvers"] == [f"customer:{tess.id}", *(world.people[who].id for who in ("ana", "bo"))]


def test_what_moves_here_by_a_merge_is_not_shown(help_desk: HelpDesk) -> None:
    world, rita, nat = help_desk.world, help_desk.rita, help_desk.nat
    one, other = rita.ask(f"{CANARY} of Rita"), nat.ask()
    call(world, "cy", "comments.create", subject=f"issue:{one}", body=f"Dear Rita, {CANARY}")
    rita.call("desk.portal_comment", key=one, body=f"It is me, {CANARY}")
    call(world, "cy", "issues.merge", from_=[one], into=other)
    assert CANARY not in str(nat.thread(other))
    assert rita.thread(one)["request"]["category"] == "done"


def test_who_asked_for_what_was_merged_goes_on_reading_what_they_were_told(mailed: World) -> None:
    """And nothing else: not what stands where it went, not even what is noted in the thread."""
    open_desk(mailed)
    with customer(mailed, "rita") as rita, customer(mailed, "nat") as nat:
        one, other = rita.ask(), nat.ask()
        said = call(mailed, "cy", "comments.create", subject=f"issue:{one}", body="Dear Rita")["id"]
        call(mailed, "cy", "comments.create", subject=f"issue:{one}", body=CANARY, internal=True)
        rita.call("desk.portal_comment", key=one, body="It is me")
        file = rita.call("desk.portal_upload", key=one, name="a.txt", data="TnVtYg==")["id"]
        call(mailed, "cy", "comments.create", subject=f"issue:{other}", body=f"Dear Nat, {CANARY}")
        call(mailed, "cy", "comments.create", subject=f"issue:{other}", body=CANARY, internal=True)
        before = rita.thread(one)
        call(mailed, "cy", "issues.merge", from_=[one], into=other)
        after = rita.thread(one)
        assert (after["comments"], after["files"]) == (before["comments"], before["files"])
        assert after["request"]["updated_at"] >= before["request"]["updated_at"]
        assert rita.call("desk.portal_view_file", key=one, id=file)["data"] == "TnVtYg=="
        with refused("not-found"):
            nat.call("desk.portal_view_file", key=other, id=file)
        seq, moved = mailed.database.seq, f"issue:{other}"
        call(mailed, "cy", "comments.create", subject=moved, body="Rita, it is on its way", parent=said)
        assert mailed.events_since(seq) == [("comment.created", "issue:2"), ("desk.replied", "issue:1")]
        call(mailed, "cy", "comments.create", subject=moved, body="Nat, yours is, too")
        call(mailed, "cy", "comments.create", subject=f"issue:{one}", body="And here, Rita")
        told = [one["body"] for one in rita.thread(one)["comments"]]
        assert told == ["Dear Rita", "It is me", "Rita, it is on its way", "And here, Rita"]
        assert [one["body"] for one in nat.thread(other)["comments"]] == [
            f"Dear Nat, {CANARY}",
            "Nat, yours is, too",
        ]
        mailed.advance(1)
        eventually(lambda: len(letters(mailed, nat.email)) == 2)
        eventually(lambda: len(letters(mailed, rita.email)) == 3)
        assert "And here, Rita" not in str(letters(mailed, nat.email))
        assert CANARY not in str(letters(mailed, rita.email))
        with refused("conflict"):
            call(mailed, "cy", "desk.send_reply", key=other, body="See this", attachments=[file])
        call(mailed, "ana", "issues.delete", key=one)
        call(mailed, "cy", "comments.create", subject=moved, body="Rita, are you there?", parent=said)
        assert "are you there" not in str(nat.thread(other))


def test_whoever_took_on_what_was_merged_hears_of_its_customer(help_desk: HelpDesk) -> None:
    """Who watched it watches what it went into; who worked on that, even where it went further, is told, too."""
    world, rita, nat = help_desk.world, help_desk.rita, help_desk.nat
    one, other, last = rita.ask(), nat.ask(), nat.ask()
    call(world, "di", "issues.watch", key=one, on=True)
    call(world, "bo", "issues.watch", key=last, on=True)
    call(world, "cy", "issues.merge", from_=[one], into=other)
    call(world, "cy", "issues.merge", from_=[other], into=last)

    def told(who: str, kind: str) -> list[str]:
        """By whom, as far as they did not read it."""
        items = call(world, who, "notifications.list", state="unread", subject=f"issue:{one}")["items"]
        return [it["actor"] for item in items for it in item["events"] if it["kind"] == kind]

    def both(kind: str) -> list[list[str]]:
        eventually(lambda: told("bo", kind))
        return [told("di", kind), told("bo", kind)]

    rita.call("desk.portal_comment", key=one, body="It is still so")
    assert both("comment.created") == [[f"customer:{rita.id}"]] * 2
    call(world, "cy", "comments.create", subject=f"issue:{one}", body="We know, Rita")
    rita.call("desk.portal_transition", key=one, action="reopen")
    assert both("issue.transitioned") == [[f"customer:{rita.id}"]] * 2
    assert both("comment.created") == [[f"customer:{rita.id}"]] * 2, "it is no issue of theirs otherwise"


def test_a_thread_of_a_customer_that_went_to_the_team_stays_there(help_desk: HelpDesk) -> None:
    """On an issue that is no request nobody of the team speaks to customers, also not where a merge brought them."""
    world, rita = help_desk.world, help_desk.rita
    one = rita.ask()
    rita.call("desk.portal_comment", key=one, body="It is me")
    bug = call(world, "cy", "issues.create", project="WEB", title="The cause")["key"]
    call(world, "cy", "issues.merge", from_=[one], into=bug)
    call(world, "cy", "comments.create", subject=f"issue:{bug}", body=CANARY, parent=1)
    assert [said["body"] for said in rita.thread(one)["comments"]] == ["It is me"]


def test_members_hear_of_what_customers_say(help_desk: HelpDesk) -> None:
    world, rita = help_desk.world, help_desk.rita
    key = rita.ask()
    call(world, "cy", "comments.create", subject=f"issue:{key}", body="Which order?")
    rita.call("desk.portal_comment", key=key, body="Number 17, @ana")
    eventually(lambda: call(world, "cy", "notifications.list")["items"])
    (told,) = call(world, "cy", "notifications.list")["items"]
    assert told["events"][0]["actor"] == f"customer:{rita.id}"
    assert call(world, "ana", "notifications.list")["items"] == []
