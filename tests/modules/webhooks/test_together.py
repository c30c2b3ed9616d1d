"""Several at once: each webhook is made, rotated, sent again and deleted as if one came after the other."""

from tests.conftest import NOW, World
from tests.modules.calls import call, eventually
from tests.modules.together import slugs, together
from tests.modules.webhooks.hooks import deliveries, follow, hook, issue
from tests.modules.webhooks.receiver import Receiver


def test_the_last_secret_that_was_made_signs(world: World, receiver: Receiver) -> None:
    hook(world, receiver)
    answers = together(world, "bo", [("webhooks.rotate_secret", {"id": 1})] * 8)
    assert len({answer["secret"] for answer in answers}) == 8
    call(world, "bo", "webhooks.test", id=1)
    assert [receiver.came[0].signed_by(answer["secret"], NOW) for answer in answers].count(True) == 1


def test_it_is_deleted_once(world: World, receiver: Receiver) -> None:
    hook(world, receiver)
    seq = world.database.seq
    answers = together(world, "bo", [("webhooks.delete", {"id": 1})] * 6)
    assert slugs(answers) == ["not-found"] * 5
    assert world.events_since(seq) == [("webhook.deleted", "webhook:1")]


def test_one_that_is_deleted_while_it_sends_sends_nothing_more(world: World, receiver: Receiver) -> None:
    hook(world, receiver)
    receiver.acts["/hook"] = receiver.never
    issue(world)
    issue(world)
    follow(world)
    eventually(lambda: receiver.came)
    assert call(world, "bo", "webhooks.delete", id=1) == []
    receiver.over.set()
    hook(world, receiver, name="other")
    issue(world)
    follow(world)
    eventually(lambda: receiver.of("other"))
    assert len(receiver.of("hook")) == 1


def test_what_is_sent_again_by_several_is_sent_again_once(world: World, receiver: Receiver) -> None:
    hook(world, receiver)
    issue(world)
    follow(world)
    eventually(lambda: deliveries(world, 1)[0]["state"] == "sent")
    ident = deliveries(world, 1)[0]["id"]
    with world.at_rest():
        answers = together(world, "bo", [("webhooks.redeliver", {"ids": [ident]})] * 5)
        assert answers == [{"queued": 1}] * 5
    eventually(lambda: deliveries(world, 1)[0]["state"] == "sent")
    assert len(receiver.came) == 2


def test_writers_and_a_change_of_the_webhook_lose_no_event(world: World, receiver: Receiver) -> None:
    made = hook(world, receiver)
    same = {"id": 1, "url": made["url"], "events": ["issue.*"]}
    calls = [("issues.create", {"project": "WEB", "title": f"Number {n}"}) for n in range(6)]
    calls += [("webhooks.save", same | {"name": f"name {n}"}) for n in range(4)]
    assert slugs(together(world, "bo", calls)) == []
    follow(world)
    eventually(lambda: len(receiver.came) == 6)
    assert sorted(seq for came in receiver.came for seq in came.seqs) == sorted(
        {seq for came in receiver.came for seq in came.seqs}
    )
