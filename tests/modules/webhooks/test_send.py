"""What is sent to the address of a webhook beside events: by hand, and by rules."""

import json
from typing import Any

import pytest

from tests.conftest import NOW, World
from tests.modules.automation import rules
from tests.modules.calls import call, eventually, refused
from tests.modules.together import slugs, together
from tests.modules.webhooks.hooks import deliveries, hook, issue, one
from tests.modules.webhooks.receiver import Receiver
from tests.modules.webhooks.test_delivery import settled

TEXT = {"text": "näher", "n": [1, {"deep": None}]}
PATH = "/hook"


def send(world: World, who: str = "bo", body: Any = TEXT, ident: int = 1) -> dict[str, Any]:
    found: dict[str, Any] = call(world, who, "webhooks.send", id=ident, body=body)
    return found


def test_a_body_comes_as_it_is_signed_and_with_the_headers_of_the_webhook(
    world: World, receiver: Receiver
) -> None:
    secret = hook(world, receiver, events=[], headers={"Authorization": "Bearer abc"})["secret"]
    issue(world)  # of which it hears nothing
    queued = send(world)
    (came,) = settled(world, receiver, 1)
    assert came.body == TEXT
    assert came.signed_by(secret, NOW)
    assert (came.headers["x-kb-event"], came.headers["authorization"]) == ("message", "Bearer abc")
    (entry,) = deliveries(world, 1)
    assert (entry["id"], came.delivery) == (queued["id"], str(queued["id"]))
    assert (queued["state"], json.loads(queued["request"])) == ("queued", TEXT)
    assert (entry["state"], entry["status"], entry["request"]) == ("sent", 204, "")  # it is kept no longer


def test_what_is_not_taken_comes_again_as_it_was(world: World, receiver: Receiver) -> None:
    hook(world, receiver)
    receiver.says[PATH] = 503
    send(world)
    eventually(lambda: deliveries(world, 1)[0]["tries"] == 1)
    assert json.loads(deliveries(world, 1)[0]["request"]) == TEXT
    assert deliveries(world, 1, "ana")[0]["request"] == ""  # whoever sent it reads it
    receiver.says[PATH] = 204
    world.advance(11)
    first, again = settled(world, receiver, 2)
    assert (first.raw, first.delivery) == (again.raw, again.delivery)
    with refused("conflict"):
        call(world, "bo", "webhooks.redeliver", ids=[deliveries(world, 1)[0]["id"]])


def test_one_that_waits_is_tried_at_once_where_one_asks(world: World, receiver: Receiver) -> None:
    hook(world, receiver)
    receiver.says[PATH] = 500
    send(world)
    eventually(lambda: deliveries(world, 1)[0]["tries"] == 1)
    receiver.says[PATH] = 200
    assert call(world, "bo", "webhooks.redeliver", ids=[deliveries(world, 1)[0]["id"]]) == {"queued": 1}
    assert [came.body for came in settled(world, receiver, 2)] == [TEXT, TEXT]


def test_a_message_comes_behind_what_happened_before_and_before_what_happened_behind(
    world: World, receiver: Receiver
) -> None:
    hook(world, receiver)
    with world.at_rest():
        issue(world)
        call(
            world, "ana", "labels.save", name="slow"
        )  # what happened right before it may come in either order
        send(world)
        issue(world)
        deliveries(world, 1)
    kinds = [came.headers["x-kb-event"] for came in settled(world, receiver, 3)]
    assert kinds == ["issue.created", "message", "issue.created"]


def test_a_rule_sends_a_web_request_and_none_where_its_run_is_taken_back(
    world: World, receiver: Receiver
) -> None:
    hook(world, receiver, events=[])
    say = {
        "op": "webhooks.send",
        "input": {"id": 1, "body": {"text": "{{key}}: {{title}}", "by": "{{actor.name}}"}},
    }
    wrong = {"op": "issues.transition", "input": {"key": "{{key}}", "to_status": "nowhere"}}
    rules.rule(world, actions=[say])
    rules.rule(world, name="Fails", actions=[say, wrong])
    issue(world, title='The "cart"\n{{key}}')
    assert [ok for ok, _, _ in rules.said(world)] == [True, False]
    (came,) = settled(world, receiver, 1)
    assert came.body == {"text": 'WEB-1: The "cart" {{key}}', "by": "Ana Lund"}


@pytest.mark.parametrize("who", ["cy", "gus"])
def test_admins_send(world: World, receiver: Receiver, who: str) -> None:
    hook(world, receiver)
    with refused("insufficient-scope"):
        send(world, who)


def test_what_cannot_be_sent_is_refused(world: World, receiver: Receiver) -> None:
    made = hook(world, receiver, enabled=False)
    with refused("not-found"):
        send(world, ident=7)
    with refused("conflict"):
        send(world)
    call(world, "bo", "webhooks.save", id=1, name="hook", url=made["url"], events=[], enabled=True)
    with refused("invalid-input"):
        send(world, body={"text": "x" * 600_000})
    for body in ([1], "text", None):
        with refused("invalid-input"):
            send(world, body=body)
    assert deliveries(world, 1) == []


def test_no_more_waits_than_may(world: World, receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kbwork.modules.webhooks.jobs.MOST_WAITING", 3)
    hook(world, receiver)
    with world.at_rest():
        asked = {"id": 1, "body": TEXT}
        answers = together(world, "bo", [("webhooks.send", asked)] * 5)
    assert slugs(answers) == ["conflict"] * 2
    queued = {one["id"] for one in answers if isinstance(one, dict)}
    assert {int(came.delivery) for came in settled(world, receiver, 3)} == queued


def test_sending_tells_no_event_and_is_not_taken_back(world: World, receiver: Receiver) -> None:
    hook(world, receiver, events=[])
    seq = world.database.seq
    send(world)
    settled(world, receiver, 1)
    assert world.events_since(seq) == []
    assert [one["can"] for one in call(world, "bo", "undo.list") if one["op"] == "webhooks.send"] in (
        [],
        [False],
    )


def test_a_webhook_that_hears_nothing_is_tried_like_others(world: World, receiver: Receiver) -> None:
    hook(world, receiver, events=[])
    assert call(world, "bo", "webhooks.test", id=1)["state"] == "sent"
    assert one(world, 1)["events"] == []


def test_what_names_somebody_who_is_erased_is_kept_and_sent_no_more(world: World, receiver: Receiver) -> None:
    hook(world, receiver, "ana", events=[])
    receiver.says[PATH] = 503
    call(world, "ana", "members.update", id=world.people["cy"].id, name='Cy "the" Moss')
    for by in ('Cy "the" Moss', "Di Park"):
        send(world, "ana", {"by": by})
    eventually(lambda: deliveries(world, 1, "ana")[0]["tries"] == 1)
    call(world, "ana", "members.erase", id="@cy", confirm_name='Cy "the" Moss')
    eventually(lambda: "Cy" not in _kept(world))
    assert "Di Park" in _kept(world)


def _kept(world: World) -> str:
    return str(
        world.database.write_now(
            lambda tx: tx.column("select request from webhook_delivery where request is not null")
        )
    )
