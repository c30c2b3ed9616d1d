"""Channels hear of issues: once each, in order, as the author may hear of it, whatever the platform does."""

import json
from http.server import BaseHTTPRequestHandler
from typing import Any
from urllib.parse import urlencode

import pytest

from kbwork.db.tx import Write
from kbwork.modules.chat import jobs
from kbwork.modules.chat.platform import slack
from kbwork.modules.chat.subscription import follower
from tests.conftest import World
from tests.core.events.rounds import falls, narrowed, rounds, told_by_the_doctor
from tests.modules.calls import call, eventually, refused
from tests.modules.chat.platforms import by_slack, connected, linked, take
from tests.modules.webhooks.receiver import Came, Receiver

EVENTS = ["issue.created", "issue.updated", "issue.assigned", "issue.deleted", "comment.created"]


def subscribed(
    world: World, receiver: Receiver, provider: str = "slack", who: str = "bo", **more: Any
) -> int:
    connection = connected(world, provider)["id"]
    value = {
        "connection": connection,
        "name": "#shop",
        "events": EVENTS,
        "webhook_url": receiver.url("channel"),
    }
    return int(call(world, who, "chat.subscription_save", **value | more)["id"])


def issue(world: World, who: str = "cy", **more: Any) -> str:
    return str(call(world, who, "issues.create", **{"project": "WEB", "title": "Cart"} | more)["key"])


def texts(receiver: Receiver) -> list[str]:
    return [str(one.body["text"]) for one in receiver.of("channel")]


def heard(world: World, receiver: Receiver, number: int) -> list[str]:
    """The first so many posts; no more come."""
    eventually(lambda: len(receiver.of("channel")) >= number)
    eventually(lambda: waiting(world) == 0)
    assert len(texts(receiver)) == number
    return texts(receiver)


def waiting(world: World) -> int:
    def count(tx: Write) -> int:
        behind = follower.FOLLOW.look(tx)
        return int(tx.value("select count(*) from chat_post")) + (
            len(behind.taken.found.wanted) if behind is not None else 0
        )

    return world.database.write_now(count)


def test_a_channel_hears_what_happens_in_words_and_in_order(world: World, receiver: Receiver) -> None:
    ident = subscribed(world, receiver, origin="https://kb.acme.example/")
    key = issue(world, title="The <cart> is *empty*")
    call(world, "bo", "issues.update", key=key, priority="high")
    call(world, "cy", "issues.assign", key=key, assignees=["@di"])
    call(world, "di", "comments.create", subject=f"issue:{key}", body="Seen\n\n<@U1> twice")
    call(world, "di", "comments.create", subject=f"issue:{key}", body="Hush", internal=True)
    call(world, "cy", "issues.transition", key=key, to_status="in_progress")
    link = f"<https://kb.acme.example/issues/{key}|{key}>"
    found = heard(world, receiver, 5)
    title = "*The &lt;cart&gt; is \N{ASTERISK OPERATOR}empty\N{ASTERISK OPERATOR}*"
    assert found[0] == f"{link} {title}: created by Cy Moss"
    assert found[1] == f"{link} {title}: priority changed by Bo Tran"
    assert found[2].endswith("assigned by Cy Moss")
    assert found[3].endswith("Di Park says: Seen &lt;@U1&gt; twice")
    assert found[4].endswith("moved to In progress by Cy Moss")
    eventually(lambda: call(world, "cy", "chat.subscriptions")[0]["sent"] == 5)
    [shown] = call(world, "bo", "chat.subscriptions")
    assert (shown["id"], shown["last_sent_at"], shown["events"]) == (ident, world.clock.now(), EVENTS)
    assert receiver.url("channel") not in json.dumps(call(world, "bo", "audit.list"))


@pytest.mark.parametrize("provider", ["teams", "discord"])
def test_each_platform_is_written_to_as_it_reads(world: World, receiver: Receiver, provider: str) -> None:
    subscribed(world, receiver, provider)
    issue(world, title="The *cart* @everyone")
    eventually(lambda: receiver.of("channel"))
    body = receiver.of("channel")[0].body
    if provider == "discord":
        assert body["content"].startswith("**WEB\\-1 The \\*cart\\* @everyone**: created by Cy Moss")
        assert body["allowed_mentions"] == {"parse": []}
    else:
        card = body["attachments"][0]["content"]
        assert card["body"][0]["text"] == "WEB\\-1 The \\*cart\\* @everyone"
        assert card["actions"][0]["url"].endswith("/issues/WEB-1")


def test_only_what_its_author_hears_and_its_query_fits(world: World, receiver: Receiver) -> None:
    call(world, "cy", "projects.create", key="OWN", name="Own", visibility="private")
    subscribed(world, receiver, tql="priority = high")
    issue(world, project="OWN", title="Hush", priority="high")
    issue(world, title="Low", priority="low")
    issue(world, title="High", priority="high")
    assert "High" in heard(world, receiver, 1)[0]


def test_what_is_out_of_sight_before_it_is_sent_is_not_sent(world: World, receiver: Receiver) -> None:
    receiver.says["/channel"] = 503
    subscribed(world, receiver)
    key = issue(world, title="Hush")
    eventually(lambda: receiver.of("channel"))
    call(world, "ana", "issues.level_set", key=key, level="private")
    call(world, "ana", "members.update", id=world.people["bo"].id, role="member")
    receiver.says["/channel"] = 200
    world.advance(60)
    eventually(lambda: waiting(world) == 0)
    assert len(receiver.of("channel")) == 1


def test_what_is_not_taken_is_tried_again_and_given_up(world: World, receiver: Receiver) -> None:
    def slow_down(_: Came, handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(429)
        handler.send_header("Retry-After", "120")
        handler.send_header("Content-Length", "0")
        handler.end_headers()

    receiver.acts["/channel"] = slow_down
    subscribed(world, receiver)
    issue(world)
    issue(world, title="Behind it")
    eventually(lambda: receiver.of("channel"))
    eventually(lambda: "429" in (call(world, "bo", "chat.connections")[0]["last_error"] or ""))
    world.advance(60)
    assert len(receiver.of("channel")) == 1  # it said two minutes
    del receiver.acts["/channel"]
    world.advance(61)
    found = heard(world, receiver, 3)
    assert ["Behind it" in text for text in found] == [False, False, True]
    assert call(world, "bo", "chat.connections")[0]["last_error"] is None
    receiver.says["/channel"] = 404
    issue(world, title="Gone")
    eventually(lambda: "404" in (call(world, "bo", "chat.connections")[0]["last_error"] or ""))
    eventually(lambda: waiting(world) == 0)
    kinds = [kind for kind, _ in world.events_since(0)]
    assert (kinds.count("chat.posted"), kinds.count("chat.failed")) == (2, 1)


def test_a_clock_that_runs_ahead_gives_nothing_up(world: World, receiver: Receiver) -> None:
    receiver.says["/channel"] = 503
    subscribed(world, receiver)
    issue(world, title="Late")
    eventually(lambda: "503" in (call(world, "bo", "chat.connections")[0]["last_error"] or ""))
    world.clock.set(world.clock.now() + 400 * 86_400)
    world.advance(1)
    eventually(lambda: world.database.write_now(lambda tx: tx.value("select tries from chat_post")) == 2)
    receiver.says["/channel"] = 200
    world.advance(60)
    assert "Late" in heard(world, receiver, 3)[-1]


@pytest.mark.parametrize("act", ["never", "drips", "floods", "hangs_up", "babbles"])
def test_a_platform_that_misbehaves_holds_up_nobody(
    world: World, receiver: Receiver, act: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kbwork.modules.chat.subscription.sender.DEADLINE_S", 0.5)
    if hasattr(receiver, act):
        receiver.acts["/channel"] = getattr(receiver, act)
    else:
        receiver.says["/channel"] = 500
    subscribed(world, receiver)
    call(
        world,
        "bo",
        "chat.subscription_save",
        connection=1,
        name="other",
        events=EVENTS,
        webhook_url=receiver.url("other"),
    )
    issue(world)
    eventually(lambda: receiver.of("other"))
    eventually(lambda: receiver.of("channel"))


def test_what_is_brought_in_or_undone_is_not_posted(world: World, receiver: Receiver) -> None:
    subscribed(world, receiver)
    key = issue(world)
    done = call(world, "cy", "issues.bulk", keys=[key], changes={"priority": "low"})
    call(world, "cy", "undo.apply", token=done["undo"])
    assert len(heard(world, receiver, 2)) == 2


def test_a_channel_is_tried_and_what_it_answers_is_told(world: World, receiver: Receiver) -> None:
    ident = subscribed(world, receiver)
    assert call(world, "bo", "chat.subscription_test", id=ident) == {"id": ident}
    assert "A try of #shop, by Bo Tran" in texts(receiver)[0]
    receiver.says["/channel"] = 403
    with refused("upstream-failed"):
        call(world, "bo", "chat.subscription_test", id=ident)
    call(world, "bo", "chat.subscription_save", id=ident, webhook_url="http://127.0.0.1:9/x")
    with refused("upstream-failed"):
        call(world, "bo", "chat.subscription_test", id=ident)
    with refused("not-found"):
        call(world, "bo", "chat.subscription_test", id=99)


def test_what_cannot_be_is_refused_with_its_place(world: World, receiver: Receiver) -> None:
    ident = subscribed(world, receiver, tql="project = WEB")
    for wrong, slug in (
        ({"name": "x"}, "invalid-input"),
        ({"id": 99, "name": "x"}, "not-found"),
        ({"id": ident, "connection": 99}, "not-found"),
        ({"id": ident, "events": ["issue.moved"]}, "invalid-input"),
        ({"id": ident, "events": []}, "invalid-input"),
        ({"id": ident, "tql": "priorty = high"}, "tql-name"),
        ({"id": ident, "webhook_url": "ftp://x"}, "invalid-input"),
        ({"id": ident, "webhook_url": "https://:80/x"}, "invalid-input"),
        ({"id": ident, "origin": "https://x:99999"}, "invalid-input"),
    ):
        with refused(slug):
            call(world, "bo", "chat.subscription_save", **wrong)
    with refused("insufficient-scope"):
        call(world, "cy", "chat.subscription_save", id=ident, name="x")
    assert call(world, "cy", "chat.subscriptions")[0]["tql"] == ""
    assert call(world, "bo", "chat.subscriptions")[0]["tql"] == "project = WEB"
    assert call(world, "bo", "chat.subscription_save", id=ident, tql="")["tql"] == ""
    assert call(world, "bo", "chat.subscription_delete", id=ident) == {"id": ident}
    assert call(world, "bo", "chat.subscriptions") == []


def test_a_connection_goes_with_its_project_and_accounts_with_their_member(
    world: World, receiver: Receiver
) -> None:
    call(world, "ana", "projects.create", key="TMP", name="For a while")
    connection = call(
        world, "ana", "chat.connection_save", name="x", provider="slack", project="TMP", secret="s" * 32
    )["id"]
    subscribed(world, receiver, connection=connection, who="ana")
    other = connected(world)
    linked(world, other, "cy")
    entry = call(world, "ana", "projects.delete", key="TMP", confirm_key="TMP")["trash"]
    call(world, "ana", "trash.purge", ids=[entry])
    eventually(lambda: connection not in [one["id"] for one in call(world, "bo", "chat.connections")])
    assert call(world, "bo", "chat.subscriptions") == []
    call(world, "ana", "members.erase", id="@cy", confirm_name="Cy Moss")
    eventually(
        lambda: (
            [one["linked"] for one in call(world, "bo", "chat.connections") if one["id"] == other["id"]]
            == [0]
        )
    )


def test_links_and_mentions_are_answered_by_the_bot(
    world: World, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(slack, "API", f"http://{receiver.place}/api")

    def okay(_: Came, handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        body = b'{"ok": true}'
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body)

    for path in ("/api/chat.unfurl", "/api/chat.postMessage"):
        receiver.acts[path] = okay
    key = issue(world, title="The cart")
    connection = connected(world, bot_token="xoxb-7")
    linked(world, connection, "cy")
    origin = call(world, "ana", "org.get").get("origin") or world.url
    links = [{"url": f"{origin}/issues/{key}"}, {"url": f"https://evil.example/issues/{key}"}]
    for number, user in enumerate(("U1", "U9")):
        event = {"type": "link_shared", "user": user, "channel": "C1", "message_ts": "1.2", "links": links}
        _event(world, connection["id"], f"E{number}", event)
    eventually(lambda: receiver.of("api/chat.unfurl"))
    [came] = receiver.of("api/chat.unfurl")
    assert came.headers["authorization"] == "Bearer xoxb-7"
    assert list(came.body["unfurls"]) == [f"{origin}/issues/{key}"]
    assert "The cart" in json.dumps(came.body["unfurls"])
    mention = {
        "type": "app_mention",
        "user": "U1",
        "channel": "C1",
        "ts": "1.3",
        "text": f"<@U0KB> status {key}",
    }
    _event(world, connection["id"], "E9", mention)
    eventually(lambda: receiver.of("api/chat.postMessage"))
    said = receiver.of("api/chat.postMessage")[0].body
    assert (said["channel"], said["thread_ts"], "The cart" in said["text"]) == ("C1", "1.3", True)
    eventually(lambda: waiting(world) == 0)


def _event(world: World, connection: int, ident: str, event: dict[str, Any]) -> None:
    body = json.dumps({"type": "event_callback", "event_id": ident, "event": event})
    assert take(world, connection, *by_slack(body, world.clock.now())) == {
        "reply": None,
        "result": "accepted",
    }


def test_a_message_becomes_an_issue_and_the_answer_comes_behind(world: World, receiver: Receiver) -> None:
    connection = connected(world)
    linked(world, connection, "cy")
    told = {
        "type": "message_action",
        "trigger_id": "t.1",
        "user": {"id": "U1", "name": "rita"},
        "channel": {"id": "C1"},
        "message": {"text": "The cart is empty\nSince Monday"},
        "response_url": receiver.url("answer"),
    }
    signed = by_slack(
        urlencode({"payload": json.dumps(told)}), world.clock.now(), "application/x-www-form-urlencoded"
    )
    assert take(world, connection["id"], *signed)["reply"] is None
    found = call(world, "cy", "issues.get", key="WEB-1")
    assert (found["title"], found["body"]) == ("The cart is empty", "Since Monday")
    eventually(lambda: receiver.of("answer"))
    assert "WEB-1 is made" in receiver.of("answer")[0].body["text"]


def test_what_came_long_ago_is_forgotten(world: World) -> None:
    linked(world, connected(world))
    world.clock.advance(jobs.KEPT_S + 1)

    def swept(tx: Write) -> list[int]:
        jobs._sweep(tx)
        return [int(tx.value(f"select count(*) from {table}")) for table in ("chat_taken", "chat_code")]

    assert world.database.write_now(swept) == [0, 0]


@pytest.mark.parametrize(
    ("function", "given"), [("_is_told", lambda row, kinds: row["seq"]), ("_queue", lambda tx, one, seq: seq)]
)
def test_an_event_that_cannot_be_taken_is_left_out_and_the_others_are_posted(
    world: World, receiver: Receiver, monkeypatch: pytest.MonkeyPatch, function: str, given: Any
) -> None:
    subscribed(world, receiver, events=["issue.created"])
    with world.at_rest():
        for number in range(5):
            issue(world, title=f"Cart {number}")
        asked = "select seq from events where kind = 'issue.created' and subject = 'issue:3'"
        bad = world.database.write_now(lambda tx: tx.value(asked))
        falls(
            monkeypatch,
            f"kbwork.modules.chat.subscription.follower:{function}",
            lambda *args: given(*args) == bad,
        )
        assert narrowed(rounds(world.database, follower.FOLLOW))
        said = f"chat left out the event {bad} (issue.created) at "
        assert told_by_the_doctor(world.database)[0][1].startswith(said)
    found = heard(world, receiver, 4)
    assert [text.partition("Cart ")[2][0] for text in found] == ["0", "1", "3", "4"]
