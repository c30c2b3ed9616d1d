"""What is sent: the body, its signature, its order, and what becomes of it."""

import json
from typing import Any

import pytest

from kbwork.contract.kbwork_client import KbworkProblem
from kbwork.core.seal import Seal
from kbwork.db.tx import Write
from kbwork.modules.webhooks.delivery import follower, sender
from kbwork.modules.webhooks.delivery.outcome import RETRIES_S
from tests.conftest import NOW, World
from tests.core.events.rounds import falls, narrowed, rounds, told_by_the_doctor
from tests.modules.calls import call, eventually, refused
from tests.modules.subjects.test_unfurl import DISGUISES
from tests.modules.webhooks.hooks import deliveries, follow, hook, issue, one
from tests.modules.webhooks.receiver import Came, Receiver

DAY_S = 86_400


def settled(world: World, receiver: Receiver, number: int) -> list[Came]:
    """So many have come, in all, and are written down."""
    follow(world)
    eventually(lambda: len(receiver.came) >= number)
    eventually(lambda: _in_flight(world) == 0)
    assert len(receiver.came) == number
    return receiver.came


def _in_flight(world: World) -> int:
    def count(tx: Write) -> int:
        return len(sender.due(tx))

    return world.database.write_now(count)


def test_an_event_is_posted_signed_with_all_that_is_said_of_it(world: World, receiver: Receiver) -> None:
    made = hook(world, receiver, fields=["title", "status"])
    seq = world.database.seq + 1
    issue(world, title="The cart is empty")
    (came,) = settled(world, receiver, 1)
    (entry,) = deliveries(world, 1)
    assert came.body == {
        "id": entry["id"],
        "webhook": 1,
        "events": [
            {
                "seq": seq,
                "kind": "issue.created",
                "subject": "issue:1",
                "actor": world.people["ana"].id,
                "actor_kind": "human",
                "created_at": NOW,
                "payload": came.body["events"][0]["payload"],
                "via": None,
                "origin": came.body["events"][0]["origin"],
            }
        ],
        "data": {"title": "The cart is empty", "status": came.body["data"]["status"]},
        "org": "acme",
    }
    headers = {name: value for name, value in came.headers.items() if name.startswith("x-kb-")}
    assert headers == {
        "x-kb-event": "issue.created",
        "x-kb-delivery": str(entry["id"]),
        "x-kb-seq": str(seq),
        "x-kb-timestamp": str(NOW),
        "x-kb-signature": headers["x-kb-signature"],
    }
    assert (came.headers["user-agent"], came.headers["content-type"]) == ("kbwork", "application/json")
    assert came.signed_by(made["secret"], NOW)
    assert not came.signed_by(made["secret"] + "x", NOW)
    assert not came.signed_by(made["secret"], NOW + 301)
    assert entry == {
        "id": entry["id"],
        "webhook": 1,
        "event": "issue.created",
        "seq": seq,
        "state": "sent",
        "tries": 1,
        "status": 204,
        "ms": entry["ms"],
        "error": None,
        "request": came.raw.decode(),
        "response": "",
        "at": NOW,
        "next_at": None,
    }
    shown = one(world, 1)
    assert (shown["state"], shown["last_at"], shown["last_status"], shown["failures"]) == ("ok", NOW, 204, 0)


def test_sending_writes_no_event(world: World, receiver: Receiver) -> None:
    hook(world, receiver, events=["*"])
    seq = world.database.seq
    issue(world)
    settled(world, receiver, 1)
    assert world.events_since(seq) == [("issue.created", "issue:1")]


def test_nothing_is_sent_of_what_was_taken_back(world: World, receiver: Receiver) -> None:
    hook(world, receiver)
    with refused("invalid-input"):
        batch = [
            {"op": "issues.create", "input": {"project": "WEB", "title": "Never"}},
            {"op": "issues.create", "input": {"project": "WEB", "title": ""}},
        ]
        call(world, "ana", "api.batch", ops=batch)
    issue(world, title="For good")
    (came,) = settled(world, receiver, 1)
    assert came.body["events"][0]["payload"]["title"] == "For good"


def test_what_was_before_is_not_told(world: World, receiver: Receiver) -> None:
    issue(world)
    hook(world, receiver)
    call(
        world, "bo", "webhooks.save", id=1, name="hook", url=receiver.url(), events=["issue.*"], enabled=False
    )
    issue(world)
    call(
        world, "bo", "webhooks.save", id=1, name="hook", url=receiver.url(), events=["issue.*"], enabled=True
    )
    issue(world, title="Third")
    (came,) = settled(world, receiver, 1)
    assert came.body["events"][0]["payload"]["title"] == "Third"


def test_both_secrets_sign_while_one_takes_over_from_the_other(world: World, receiver: Receiver) -> None:
    old = hook(world, receiver)["secret"]
    seq = world.database.seq
    new = call(world, "ana", "webhooks.rotate_secret", id=1, keep_hours=2)["secret"]
    assert world.events_since(seq) == [("webhook.saved", "webhook:1")]
    issue(world)
    first = settled(world, receiver, 1)[0]
    assert first.headers["x-kb-signature"].count(",") == 1
    assert first.signed_by(old, NOW)
    assert first.signed_by(new, NOW)
    world.advance(2 * 3600)
    issue(world)
    second = settled(world, receiver, 2)[1]
    assert second.headers["x-kb-signature"].count(",") == 0
    assert (second.signed_by(old, NOW + 7200), second.signed_by(new, NOW + 7200)) == (False, True)
    newest = call(world, "ana", "webhooks.rotate_secret", id=1)["secret"]
    issue(world)
    third = settled(world, receiver, 3)[2]
    assert (third.signed_by(new, NOW + 7200), third.signed_by(newest, NOW + 7200)) == (False, True)


def test_a_try_that_fails_is_made_again_under_the_same_id_until_it_is_given_up(
    world: World, receiver: Receiver
) -> None:
    hook(world, receiver)
    receiver.says["/hook"] = 500
    issue(world)
    settled(world, receiver, 1)
    waited = []
    for number, wait_s in enumerate(RETRIES_S, start=2):
        (entry,) = deliveries(world, 1, state="queued")
        waited.append(entry["next_at"] - world.clock.now())
        assert (entry["tries"], entry["status"], entry["error"]) == (
            number - 1,
            500,
            "The receiver answered 500.",
        )
        world.advance(wait_s - 1)
        assert _in_flight(world) == 0
        world.advance(1)
        settled(world, receiver, number)
    assert waited == [10, 60, 300, 1800, 7200, 21600, 43200, 86400]
    (entry,) = deliveries(world, 1)
    assert (entry["state"], entry["tries"], entry["next_at"]) == ("failed", 9, None)
    assert len({came.delivery for came in receiver.came}) == 1
    assert len({came.raw for came in receiver.came}) == 1
    assert len({came.headers["x-kb-timestamp"] for came in receiver.came}) == 9
    assert (one(world, 1)["state"], one(world, 1)["failures"]) == ("failing", 9)


def test_those_behind_wait_for_three_tries_and_overtake_then(world: World, receiver: Receiver) -> None:
    hook(world, receiver)
    first = world.database.seq + 1

    def first_alone(came: Came, handler: Any) -> None:
        handler.send_response(500 if came.seqs == [first] else 200)
        handler.send_header("Content-Length", "0")
        handler.end_headers()

    receiver.acts["/hook"] = first_alone
    for title in ("One", "Two", "Three"):
        issue(world, title=title)
    settled(world, receiver, 1)
    world.advance(10)
    settled(world, receiver, 2)
    world.advance(60)
    settled(world, receiver, 5)
    told = [came.seqs[0] - first for came in receiver.came]
    assert told == [0, 0, 0, 1, 2]
    del receiver.acts["/hook"]
    world.advance(300)
    settled(world, receiver, 6)
    assert [entry["state"] for entry in deliveries(world, 1)] == ["sent"] * 3


def test_events_are_told_in_their_order(world: World, receiver: Receiver) -> None:
    hook(world, receiver)
    for number in range(60):
        issue(world, title=f"Number {number}")
    came = settled(world, receiver, 60)
    seqs = [one.seqs[0] for one in came]
    assert seqs == sorted(seqs)


def test_events_are_gathered_for_so_long_as_is_asked(world: World, receiver: Receiver) -> None:
    hook(world, receiver, batch_seconds=30, fields=["title"])
    first = world.database.seq + 1
    for title in ("One", "Two"):
        issue(world, title=title)
        follow(world)
    world.advance(29)
    assert _in_flight(world) == 0
    issue(world, title="Three")
    follow(world)
    world.advance(1)
    (came,) = settled(world, receiver, 1)
    assert came.seqs == [first, first + 1, first + 2]
    assert (came.headers["x-kb-event"], came.headers["x-kb-seq"]) == ("batch", str(first + 2))
    assert came.body["data"] == {f"issue:{n}": {"title": t} for n, t in enumerate(("One", "Two", "Three"), 1)}
    issue(world, title="Four")
    follow(world)
    world.advance(30)
    second = settled(world, receiver, 2)[1]
    assert (second.headers["x-kb-event"], second.body["data"]) == ("issue.created", {"title": "Four"})


def test_a_full_request_goes_at_once(
    world: World, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kbwork.modules.webhooks.delivery.follower.BATCH_EVENTS", 2)
    hook(world, receiver, batch_seconds=3600)
    for _ in range(3):
        issue(world)
    (came,) = settled(world, receiver, 1)
    assert len(came.seqs) == 2


def test_who_answers_gone_is_sent_nothing_more(world: World, receiver: Receiver) -> None:
    hook(world, receiver)
    receiver.says["/hook"] = 410
    seq = world.database.seq
    issue(world)
    issue(world)
    settled(world, receiver, 1)
    assert world.events_since(seq)[2:] == [("webhook.disabled", "webhook:1")]
    assert [entry["state"] for entry in deliveries(world, 1)] == ["dropped", "dropped"]
    assert (one(world, 1)["enabled"], one(world, 1)["state"]) == (False, "disabled")
    issue(world)
    assert len(deliveries(world, 1)) == 2


def test_three_days_without_success_switch_it_off_and_its_author_is_told(
    mailed: World, receiver: Receiver
) -> None:
    world = mailed
    hook(world, receiver)
    receiver.says["/hook"] = 503
    seq = world.database.seq
    for number in range(40):
        if number % 8 == 0:
            issue(world)
            follow(world)
        eventually(lambda: _in_flight(world) == 0)
        if not one(world, 1)["enabled"]:
            break
        world.advance(DAY_S // 8)
    assert world.clock.now() - NOW == 3 * DAY_S
    assert ("webhook.disabled", "webhook:1") in world.events_since(seq)
    letter = world.database.write_now(lambda tx: tx.one("select * from mail"))
    assert letter is not None
    assert letter["member"] == world.people["bo"].id
    assert "503" in letter["text"]
    told = call(world, "bo", "notifications.list")["items"]
    assert [entry["subject"] for entry in told if entry["subject"] == "webhook:1"] == ["webhook:1"]


def test_a_success_in_between_begins_the_three_days_anew(world: World, receiver: Receiver) -> None:
    hook(world, receiver)
    receiver.says["/hook"] = 503
    issue(world)
    settled(world, receiver, 1)
    world.advance(20 * 3600)
    receiver.says["/hook"] = 200
    settled(world, receiver, 2)
    world.advance(4 * DAY_S)
    receiver.says["/hook"] = 503
    issue(world)
    settled(world, receiver, 3)
    assert (one(world, 1)["state"], one(world, 1)["failures"]) == ("failing", 1)


def test_time_in_which_nothing_was_to_be_sent_is_no_trying(world: World, receiver: Receiver) -> None:
    hook(world, receiver)
    receiver.says["/hook"] = 503
    issue(world)
    settled(world, receiver, 1)
    call(world, "bo", "issues.delete", key="WEB-1")
    world.database.write_now(
        lambda tx: tx.execute("update webhook_delivery set state = 'failed', next_at = null where tries > 0")
    )
    world.advance(10 * DAY_S)
    issue(world)
    follow(world)
    eventually(lambda: one(world, 1)["failures"] > 1)
    assert one(world, 1)["enabled"]


@pytest.mark.parametrize("fault", ["never", "drips", "floods", "babbles", "hangs_up", "redirects"])
def test_a_hostile_receiver_holds_up_nobody(
    world: World, receiver: Receiver, fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kbwork.modules.webhooks.delivery.request.DEADLINE_S", 4.0)
    receiver.acts["/bad"] = getattr(receiver, fault)
    bad = hook(world, receiver, name="bad")["id"]
    good = hook(world, receiver, name="good")["id"]
    for _ in range(5):
        issue(world)
    follow(world)
    eventually(lambda: len(receiver.of("good")) == 5, seconds=3.5)
    assert len(call(world, "cy", "issues.list", project="WEB")["items"]) == 5
    assert {entry["state"] for entry in deliveries(world, good)} <= {"sent", "queued"}
    taken = fault in ("drips", "floods")
    eventually(lambda: deliveries(world, bad)[0]["tries"] == 1)
    entry = deliveries(world, bad)[0]
    status = {"drips": 200, "floods": 200, "redirects": 307}.get(fault)
    assert (entry["state"], entry["status"]) == ("sent" if taken else "queued", status)
    assert (entry["error"] is None) == taken
    assert len((entry["response"] or "").encode()) <= 4096
    assert receiver.of("elsewhere") == []


def test_private_places_that_the_operator_does_not_list_are_not_asked(
    world: World, receiver: Receiver
) -> None:
    other = Receiver()
    try:
        places = (other.url(), f"http://localhost:{other.place.rpartition(':')[2]}/hook")
        for ident, url in enumerate(places, start=1):
            hook(world, receiver, url=url)
            entry = call(world, "bo", "webhooks.test", id=ident)
            assert (entry["state"], entry["status"], entry["response"]) == ("failed", None, None)
        assert "outbound.allow" in deliveries(world, 1)[0]["error"]
        assert other.came == []
    finally:
        other.close()


def test_a_test_is_sent_now_and_answers_what_came_of_it(world: World, receiver: Receiver) -> None:
    made = hook(world, receiver, enabled=False, fields=["title"])
    seq = world.database.seq
    entry = call(world, "bo", "webhooks.test", id=1, event="comment.created")
    (came,) = receiver.came
    assert came.signed_by(made["secret"], NOW)
    assert (came.headers["x-kb-event"], came.headers["x-kb-seq"]) == ("comment.created", "0")
    (event,) = came.body["events"]
    assert (event["seq"], event["subject"], event["payload"]) == (0, "webhook:1", {"test": True})
    assert entry == {
        "id": int(came.delivery),
        "webhook": 1,
        "event": "comment.created",
        "seq": 0,
        "state": "sent",
        "tries": 1,
        "status": 204,
        "ms": entry["ms"],
        "error": None,
        "request": came.raw.decode(),
        "response": "",
        "at": NOW,
        "next_at": None,
    }
    receiver.says["/hook"] = 500
    assert call(world, "bo", "webhooks.test", id=1)["state"] == "failed"
    assert receiver.came[1].headers["x-kb-event"].startswith("issue.")
    assert world.events_since(seq) == []
    assert one(world, 1)["failures"] == 0
    with refused("invalid-input"):
        call(world, "bo", "webhooks.test", id=1, event="isue.created")


def test_deliveries_are_paged_and_chosen_by_state(world: World, receiver: Receiver) -> None:
    hook(world, receiver)
    for _ in range(5):
        issue(world)
    settled(world, receiver, 5)
    receiver.says["/hook"] = 500
    call(world, "bo", "webhooks.test", id=1)
    every = deliveries(world, 1)
    assert len(every) == 6
    found: list[int] = []
    cursor = None
    while True:
        page = call(world, "bo", "webhooks.deliveries", id=1, limit=2, cursor=cursor)
        found += [entry["id"] for entry in page["items"]]
        if (cursor := page["next"]) is None:
            break
    assert sorted(found) == sorted(entry["id"] for entry in every)
    assert len(deliveries(world, 1, state="failed")) == 1
    assert deliveries(world, 1, state="dropped") == []


def test_what_was_sent_is_sent_again_under_its_id(world: World, receiver: Receiver) -> None:
    hook(world, receiver)
    issue(world)
    (came,) = settled(world, receiver, 1)
    assert call(world, "ana", "webhooks.redeliver", ids=[int(came.delivery)]) == {"queued": 1}
    again = settled(world, receiver, 2)[1]
    assert (again.delivery, again.raw) == (came.delivery, came.raw)
    test = call(world, "bo", "webhooks.test", id=1)["id"]
    for value, slug in (
        ({"ids": [1]}, "not-found"),
        ({"ids": []}, "invalid-input"),
        ({"ids": [test]}, "conflict"),
    ):
        with refused(slug):
            call(world, "bo", "webhooks.redeliver", **value)
    call(
        world, "bo", "webhooks.save", id=1, name="hook", url=receiver.url(), events=["issue.*"], enabled=False
    )
    with refused("conflict"):
        call(world, "bo", "webhooks.redeliver", ids=[int(came.delivery)])


def test_all_since_an_event_is_sent_again(
    world: World, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    issue(world)
    seq = world.database.seq
    issue(world, title="Two")
    call(world, "ana", "labels.save", name="bug")
    issue(world, title="Three")
    hook(world, receiver)
    hook(world, receiver, name="other")
    test = call(world, "bo", "webhooks.test", id=1)["id"]
    assert call(world, "bo", "webhooks.redeliver", ids=[test], since=seq) == {"queued": 2}
    told = [came.body["events"][0]["payload"].get("title") for came in settled(world, receiver, 3)]
    assert told[1:] == ["Two", "Three"]
    assert call(world, "bo", "webhooks.redeliver", ids=[], since=seq) == {"queued": 4}
    settled(world, receiver, 7)
    monkeypatch.setattr("kbwork.modules.webhooks.delivery.redeliver._MOST", 3)
    with refused("invalid-input"):
        call(world, "bo", "webhooks.redeliver", ids=[], since=seq)
    monkeypatch.setattr("kbwork.modules.webhooks.delivery.redeliver._MOST_LOOKED_AT", 1)
    with refused("invalid-input"):
        call(world, "bo", "webhooks.redeliver", ids=[], since=seq)


def test_what_was_sent_long_ago_is_forgotten(
    world: World, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kbwork.modules.webhooks.jobs.MOST_KEPT", 2)
    hook(world, receiver)
    for _ in range(4):
        issue(world)
    settled(world, receiver, 4)
    newest = [entry["id"] for entry in deliveries(world, 1)][2:]
    world.advance(600)
    eventually(lambda: len(deliveries(world, 1)) == 2)
    assert [entry["id"] for entry in deliveries(world, 1)] == newest
    world.database.write_now(
        lambda tx: tx.execute("update webhook_delivery set at = at - :age", age=31 * DAY_S)
    )
    world.advance(600)
    eventually(lambda: deliveries(world, 1) == [])
    assert world.database.write_now(lambda tx: tx.value("select count(*) from webhook_event")) == 0


def test_more_than_may_wait_are_dropped(
    world: World, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kbwork.modules.webhooks.jobs.MOST_WAITING", 2)
    hook(world, receiver, batch_seconds=3600)
    monkeypatch.setattr("kbwork.modules.webhooks.delivery.follower.BATCH_EVENTS", 1)
    receiver.says["/hook"] = 500
    for _ in range(4):
        issue(world)
    follow(world)
    world.advance(600)
    eventually(lambda: len(deliveries(world, 1, state="dropped")) == 2)
    assert "api.changes" in deliveries(world, 1, state="dropped")[0]["error"]


def test_a_module_that_is_off_sends_nothing(world: World, receiver: Receiver) -> None:
    hook(world, receiver)
    call(world, "ana", "org.modules_set", off=["webhooks"])
    issue(world)
    follow(world)
    call(world, "ana", "org.modules_set", on=["webhooks"])
    issue(world, title="Second")
    (came,) = settled(world, receiver, 1)
    assert came.body["events"][0]["payload"]["title"] == "Second"


def test_a_body_that_would_be_too_large_goes_without_data(
    world: World, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kbwork.modules.webhooks.delivery.request.MOST_BYTES", 2000)
    hook(world, receiver, fields=["body"])
    issue(world, body="x" * 3000)
    (came,) = settled(world, receiver, 1)
    assert came.body["data"] is None
    assert json.loads(came.raw)["events"][0]["kind"] == "issue.created"


def test_what_was_not_told_is_not_told_later_because_the_webhook_hears_more(
    world: World, receiver: Receiver
) -> None:
    hook(world, receiver, events=["issue.deleted"])
    issue(world)
    follow(world)
    call(world, "bo", "webhooks.save", id=1, name="hook", url=receiver.url(), events=["issue.*"])

    def forget(tx: Write) -> None:
        follower.FOLLOWER._passed(tx).seq = 0

    world.database.write_now(forget)  # as after a restart
    follow(world)
    assert deliveries(world, 1) == []


def test_with_another_master_key_it_says_what_mends_it(world: World, receiver: Receiver) -> None:
    hook(world, receiver, headers={"X-Token": "hush"})

    def spoil(tx: Write) -> None:
        other = Seal(b"1" * 32)
        tx.execute(
            "update webhook set secret = :s, headers = :h", s=other.seal(b"x", "x"), h=other.seal(b"y", "y")
        )

    world.database.write_now(spoil)
    issue(world)
    follow(world)
    eventually(lambda: deliveries(world, 1)[0]["tries"] == 1)
    assert "webhooks.save" in deliveries(world, 1)[0]["error"]
    with refused("master-key-lost"):
        call(world, "bo", "webhooks.test", id=1)
    same = {"id": 1, "name": "hook", "url": receiver.url(), "events": ["issue.*"]}
    call(world, "bo", "webhooks.save", **same, headers={"X-Token": "new"})
    with refused("master-key-lost"):
        call(world, "bo", "webhooks.test", id=1)
    secret = call(world, "bo", "webhooks.rotate_secret", id=1, keep_hours=1)["secret"]
    world.advance(10)
    settled(world, receiver, 1)
    assert receiver.came[0].signed_by(secret, NOW + 10)
    assert receiver.came[0].headers["x-token"] == "new"


def test_no_disguise_has_an_event_sent_to_a_private_address(world: World, receiver: Receiver) -> None:
    inner = Receiver()
    sent: list[dict[str, Any]] = []
    slugs: set[str] = set()
    try:
        for disguise in DISGUISES:
            url = disguise.format(port=inner.place.rpartition(":")[2])
            try:
                ident = hook(world, receiver, url=url)["id"]
            except KbworkProblem as problem:
                slugs.add(problem.slug)
                continue
            sent.append(call(world, "bo", "webhooks.test", id=ident))
        assert inner.came == []
    finally:
        inner.close()
    assert len(sent) > 20
    assert slugs <= {"invalid-input"}
    assert {(entry["state"], entry["status"], entry["response"]) for entry in sent} == {
        ("failed", None, None)
    }


@pytest.mark.usefixtures("twice")
def test_what_is_written_down_twice_is_sent_once(world: World, receiver: Receiver) -> None:
    """Each write runs twice: one beside it in its group is taken back."""
    hook(world, receiver)
    for _ in range(3):
        issue(world)
    came = settled(world, receiver, 3)
    assert len({one.delivery for one in came}) == 3
    assert {entry["tries"] for entry in deliveries(world, 1)} == {1}


def test_where_queries_are_slow_fewer_events_are_looked_at_at_once_and_none_is_lost(
    world: World, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kbwork.modules.webhooks.delivery.follower._QUICK_S", 0.0)
    hook(world, receiver, tql="open")
    with world.at_rest():
        for number in range(20):
            issue(world, title=f"Number {number}")
        for _ in range(12):
            issue(world, title="Another")
            follow(world)
        at_once = world.database.write_now(lambda tx: tx.beside("webhooks.pace", follower._Pace).at_once)
    assert at_once == 1
    came = settled(world, receiver, 32)
    assert [one.seqs[0] for one in came] == sorted(one.seqs[0] for one in came)


def test_of_one_that_is_deleted_while_it_is_sent_nothing_is_written_down(
    world: World, receiver: Receiver
) -> None:
    def deletes(_: Came, handler: Any) -> None:
        call(world, "ana", "webhooks.delete", id=1)
        handler.send_response(500)
        handler.send_header("Content-Length", "0")
        handler.end_headers()

    receiver.acts["/hook"] = deletes
    hook(world, receiver)
    with refused("conflict") as told:
        call(world, "bo", "webhooks.test", id=1)
    assert "the test was sent" in told.value.detail
    assert len(receiver.came) == 1
    assert world.database.write_now(lambda tx: tx.value("select count(*) from webhook_delivery")) == 0


def test_what_somebody_else_queued_or_is_switched_off_meanwhile_is_not_queued(
    world: World, receiver: Receiver
) -> None:
    same = {"id": 1, "name": "hook", "url": receiver.url(), "events": ["issue.*"]}
    count = "select count(*) from webhook_delivery"
    hook(world, receiver)
    with world.at_rest():
        issue(world)
        found = world.database.write_now(follower.FOLLOW.look)
        assert found is not None
        call(world, "bo", "webhooks.save", **same, enabled=False)
        world.database.write_now(lambda tx: follower.FOLLOW.write(tx, found))
        assert world.database.write_now(lambda tx: tx.value(count)) == 0
        call(world, "bo", "webhooks.save", **same, enabled=True)
        issue(world)
        again = world.database.write_now(follower.FOLLOW.look)
        assert again is not None
        for _ in range(2):
            world.database.write_now(lambda tx: follower.FOLLOW.write(tx, again))
        assert world.database.write_now(lambda tx: tx.value(count)) == 1


@pytest.mark.parametrize(
    ("place", "given"),
    [
        ("kbwork.modules.webhooks.delivery.sight:HookSight.is_for", lambda sight, hook, row: row["seq"]),
        ("kbwork.modules.webhooks.delivery.outcome:add", lambda tx, one: one.seq),
    ],
)
def test_an_event_that_cannot_be_taken_is_left_out_and_the_others_are_sent(
    world: World, receiver: Receiver, monkeypatch: pytest.MonkeyPatch, place: str, given: Any
) -> None:
    hook(world, receiver, events=["issue.created"])
    with world.at_rest():
        for _ in range(5):
            issue(world)
        asked = "select seq from events where kind = 'issue.created' order by seq"
        seqs = world.database.write_now(lambda tx: tx.column(asked))[-5:]
        falls(monkeypatch, place, lambda *args: given(*args) == seqs[2])
        assert narrowed(rounds(world.database, follower.FOLLOW))
        said = f"webhooks left out the event {seqs[2]} (issue.created) at "
        assert told_by_the_doctor(world.database)[0][1].startswith(said)
    came = settled(world, receiver, 4)
    assert [one.seqs[0] for one in came] == [*seqs[:2], *seqs[3:]]
