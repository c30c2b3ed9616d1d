"""Requests by mail and by chat, as the operations take them."""

import json
from typing import Any

import pytest
from pydantic_core import to_json

from kbwork.app import registry
from kbwork.base.caller import SYSTEM
from kbwork.base.errors import NotFound
from kbwork.core.operations.call import AuthorizedCall, Credentials
from kbwork.core.operations.dispatch import run_in
from kbwork.core.operations.validate import validate
from kbwork.db.tx import Write
from kbwork.modules.desk.requests import creation
from tests.conftest import World
from tests.modules.calls import call, refused
from tests.modules.desk.helpdesk import HelpDesk, customer, open_desk


def as_system(world: World, op_id: str, /, **value: Any) -> Any:
    """Run an operation of the server itself."""
    op = registry().require(op_id)
    if op.road == "outside":
        assert world.app is not None
        dispatcher, given = world.app.dispatcher, {name.rstrip("_"): item for name, item in value.items()}
        asked = AuthorizedCall(op, SYSTEM, Credentials(), world.database.access, "inbound")
        return json.loads(world.on_loop(dispatcher.run(asked, to_json(given))).body)

    def one(tx: Write) -> Any:
        tx.caller = SYSTEM
        return run_in(tx, op, validate(op.input, {name.rstrip("_"): item for name, item in value.items()}))

    return world.database.write_now(one)


def token(world: World, project: str = "WEB") -> str:
    path: str = call(world, "ana", "desk.email_address", project=project)["path"]
    assert path.startswith("/in/email/")
    return path.removeprefix("/in/email/")


def mail(
    world: World, token: str, sender: str = "Rita Rivers <rita@rivers.example>", /, **more: Any
) -> dict[str, Any]:
    given = {"subject": "It is broken", "text": "Since Tuesday"} | more
    found: dict[str, Any] = as_system(world, "desk.email_ingest", from_=sender, token=token, **given)
    return found


def chat(world: World, text: str, user: str = "U1", **more: Any) -> dict[str, Any]:
    given = {"connection": 1, "project": "WEB", "provider": "slack", "chat_name": "Rita"} | more
    found: dict[str, Any] = as_system(world, "desk.chat_request", chat_user=user, text=text, **given)
    return found


def test_the_address_stays_the_same_and_is_for_leads(world: World) -> None:
    open_desk(world)
    assert token(world) == token(world)
    with refused("insufficient-scope"):
        call(world, "cy", "desk.email_address", project="WEB")


def test_another_address_takes_the_place_of_the_former_one(world: World) -> None:
    open_desk(world)
    before = token(world)
    path: str = call(world, "ana", "desk.email_address", project="WEB", renew=True)["path"]
    assert path == f"/in/email/{token(world)}" != f"/in/email/{before}"
    assert mail(world, token(world))["result"] == "created"
    with pytest.raises(NotFound):
        mail(world, before)


def test_a_mail_of_somebody_new_is_a_request(world: World) -> None:
    open_desk(world)
    path, seq = token(world), world.database.seq
    assert mail(world, path, message_id="<1@rivers.example>") == {
        "key": "WEB-1",
        "reply": "Your request is here: it is WEB-1.",
        "result": "created",
    }
    assert world.events_since(seq) == [
        ("desk.customer_created", "customer:1"),
        ("issue.created", "issue:1"),
        ("desk.request_created", "issue:1"),
    ]
    issue = call(world, "cy", "issues.get", key="WEB-1")
    assert (issue["title"], issue["body"], issue["request"]["channel"]) == (
        "It is broken",
        "Since Tuesday",
        "mail",
    )
    assert call(world, "cy", "desk.customers")[0]["active"] is False
    assert mail(world, path, message_id="<1@rivers.example>") == {
        "key": "WEB-1",
        "reply": "",
        "result": "ignored",
    }


def test_an_answer_is_said_on_its_request(help_desk: HelpDesk) -> None:
    world, rita = help_desk.world, help_desk.rita
    path = token(world)
    key = mail(world, path, message_id="<1@rivers.example>")["key"]
    answered = "Number 17\n\nOn Tuesday Web help wrote:\n> Which order?\n> --\n"
    for more in (
        {"references": "<0@x> <1@rivers.example>"},
        {"in_reply_to": "<1@rivers.example>"},
        {"subject": f"Re: [{key}] It is broken"},
    ):
        assert mail(world, path, text=answered, **more) == {
            "key": key,
            "reply": f"It was added to {key}.",
            "result": "commented",
        }
    assert [one["body"] for one in rita.thread(key)["comments"]] == ["Number 17"] * 3


def test_a_mail_of_another_sender_is_no_answer(help_desk: HelpDesk) -> None:
    """A sender is who they say they are, at most: what is not theirs is not even told to be there."""
    world = help_desk.world
    path = token(world)
    key = help_desk.rita.ask()
    found = mail(world, path, help_desk.nat.email, subject=f"Re: [{key}] My order did not come")
    assert (found["result"], found["key"]) == ("created", "WEB-2")
    assert help_desk.rita.thread(key)["comments"] == []


def test_what_is_not_heard_is_ignored(world: World) -> None:
    open_desk(world, reply_to="help@acme.example")
    path = token(world)
    nothing = {"key": "", "result": "ignored"}
    for more in ({"automatic": True}, {"subject": " ", "text": "\n"}):
        assert mail(world, path, **more).items() >= nothing.items()
    for sender in ("help@acme.example", "Help <help+r1.0@acme.example>", "nobody", ""):
        assert mail(world, path, sender).items() >= nothing.items(), sender
    call(world, "ana", "desk.save", project="WEB", open_signup=False)
    assert mail(world, path)["result"] == "ignored"
    with customer(world, "rita") as rita:
        assert mail(world, path)["result"] == "created"
        call(world, "ana", "desk.customer_block", id=rita.id, blocked=True)
        assert mail(world, path)["result"] == "ignored"
    call(world, "ana", "desk.save", project="WEB", enabled=False)
    with pytest.raises(NotFound, match="No desk takes mail here"):
        mail(world, path)


def test_one_sender_is_heard_twenty_times_an_hour(world: World) -> None:
    open_desk(world)
    path = token(world)
    assert {mail(world, path)["result"] for _ in range(20)} == {"created"}
    assert mail(world, path)["result"] == "ignored"
    assert mail(world, path, "nat@rivers.example")["result"] == "created"
    world.advance(3601)
    assert mail(world, path)["result"] == "created"


def test_a_message_of_a_chat_is_a_request(world: World) -> None:
    open_desk(world)
    made = chat(world, "The cart is empty\nSince Tuesday")
    assert made == {"key": "WEB-1", "reply": "Your request is here: it is WEB-1.", "result": "created"}
    issue = call(world, "cy", "issues.get", key="WEB-1")
    assert (issue["title"], issue["body"]) == ("The cart is empty", "Since Tuesday")
    assert chat(world, "WEB-1 still so")["result"] == "commented"
    assert chat(world, "WEB-1 mine, too", "U2")["key"] == "WEB-2"
    told = as_system(world, "desk.chat_status", chat_user="U1", connection=1, key="web-1")
    assert told == {"key": "WEB-1", "reply": "WEB-1 The cart is empty: To do", "result": "ignored"}
    other = as_system(world, "desk.chat_status", chat_user="U2", connection=1, key="WEB-1")
    assert other == {"key": "", "reply": "There is no request WEB-1 of yours.", "result": "ignored"}
    assert chat(world, "Hello", project="SEC")["result"] == "ignored"


def test_who_has_too_much_open_is_told_so(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Refusing the post would have the mail service send it again for days."""
    open_desk(world)
    monkeypatch.setattr(creation, "MOST_OPEN", 1)
    path = token(world)
    assert mail(world, path)["result"] == "created"
    full = mail(world, path)
    assert (full["result"], "are open" in full["reply"]) == ("ignored", True)
    assert chat(world, "One")["result"] == "created"
    assert chat(world, "Two")["result"] == "ignored"
