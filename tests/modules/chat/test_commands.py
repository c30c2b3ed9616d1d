"""Commands of a chat: proven, taken once, done as whoever linked the account, and answered in words."""

import json
from typing import Any

import pytest

from kbwork.contract.kbwork_client import Kbwork
from kbwork.core.access import callers, scopes
from tests.conftest import World
from tests.modules.calls import call, refused
from tests.modules.chat.platforms import (
    SECRETS,
    Somebody,
    by_discord,
    by_itself,
    by_slack,
    by_teams,
    connected,
    linked,
    take,
)

EACH = pytest.mark.parametrize("provider", ["slack", "teams", "discord"])


@EACH
def test_who_is_linked_acts_as_themselves(world: World, provider: str) -> None:
    rita = linked(world, connected(world, provider))
    assert "WEB" in rita.hears("create The cart <b>forgets</b> its vouchers").replace("\\", "")
    found = call(world, "cy", "issues.get", key="WEB-1")
    assert (found["title"], found["reporter"]) == (
        "The cart <b>forgets</b> its vouchers" if provider != "teams" else "The cart forgets its vouchers",
        world.people["cy"].id,
    )
    assert "In progress" in rita.hears("status web-1 In progress")
    assert call(world, "cy", "issues.get", key="WEB-1")["lane"] == "in_progress"
    assert "It is said" in rita.hears("comment WEB-1 Seen *twice* today")
    [said] = call(world, "cy", "comments.list", subject="issue:WEB-1")
    assert (said["author"], said["body"]) == (world.people["cy"].id, "Seen *twice* today")
    assert "cart" in rita.hears("find vouchers")
    assert "link" in rita.hears("dance")
    event = next(
        one
        for one in call(world, "cy", "activity.list", subject="issue:WEB-1")
        if one["kind"] == "issue.created"
    )
    assert (event["actor"], event["via"]) == (world.people["cy"].id, f"chat:{rita.connection['id']}")


@EACH
def test_what_is_not_signed_or_comes_again_is_refused(world: World, provider: str) -> None:
    connection = connected(world, provider)
    rita = Somebody(world, connection)
    ident = connection["id"]
    headers, body = rita.signed("help")
    for name in headers.keys() - {"content-type"}:
        for wrong in ({name: ""}, {name: headers[name][:-2] + "xx"}, {name: "0" * 13}, {name: "é"}):
            assert take(world, ident, headers | wrong, body) == {"reply": None, "result": "refused"}
        assert (
            take(world, ident, {k: v for k, v in headers.items() if k != name}, body)["result"] == "refused"
        )
    assert take(world, ident, headers, body + " ")["result"] == "refused"
    assert take(world, ident, headers, body)["result"] == "accepted"
    assert take(world, ident, headers, body)["result"] == "refused"
    old = rita.signed("help")
    world.clock.advance(301)
    assert take(world, ident, *old)["result"] == "refused"
    ahead = rita.signed("help")
    world.clock.advance(-602)
    assert take(world, ident, *ahead)["result"] == "refused"
    [shown] = call(world, "bo", "chat.connections")
    assert shown["requests"] >= 10
    assert "refused" in shown["last_error"]
    assert "last_error" in call(world, "cy", "chat.connections")[0]
    assert call(world, "cy", "chat.connections")[0]["last_error"] is None


def test_the_same_message_under_another_signature_is_taken_once(world: World) -> None:
    rita = linked(world, connected(world))
    rita.says("create Once")
    rita.said -= 1
    world.clock.advance(5)
    assert rita.says("create Once") == {"reply": None, "result": "accepted"}
    assert len(call(world, "cy", "issues.list", project="WEB")["items"]) == 1


@EACH
def test_who_is_linked_to_nobody_does_and_sees_nothing(world: World, provider: str) -> None:
    call(world, "cy", "issues.create", project="WEB", title="Hush")
    stranger = Somebody(world, connected(world, provider), "U9")
    for text in ("find hush", "status WEB-1", "status WEB-1 Done", "comment WEB-1 Hello", "create Mine"):
        assert "Hush" not in stranger.hears(text)
    assert len(call(world, "cy", "issues.list", project="WEB")["items"]) == 1
    assert "create TITLE" in stranger.hears("")


def test_a_code_is_good_once_for_ten_minutes_and_by_a_session_alone(world: World) -> None:
    connection = connected(world)
    rita = Somebody(world, connection)
    first = rita.hears("link").rpartition(" ")[2]
    code = rita.hears("link").rpartition(" ")[2]
    with refused("invalid-input"):
        call(world, "cy", "members.chat_link", code=first)  # another was handed out
    assert len(call(world, "cy", "members.chat_link", code=f" {code.lower()} ")) == 1
    with refused("invalid-input"):
        call(world, "di", "members.chat_link", code=code)
    late = rita.hears("link").rpartition(" ")[2]
    world.clock.advance(601)
    with refused("invalid-input"):
        call(world, "di", "members.chat_link", code=late)
    [account] = call(world, "cy", "members.chat_accounts")
    assert (account["chat_user"], account["name"], account["connection"]) == ("U1", "Rita", connection["id"])
    with refused("not-found"):
        call(world, "di", "members.chat_unlink", id=account["id"])
    assert call(world, "bo", "chat.connections")[0]["linked"] == 1
    assert call(world, "cy", "members.chat_unlink", id=account["id"]) == []
    assert "link" in rita.hears("create Mine")


def test_an_account_is_one_members_and_ends_with_them(world: World) -> None:
    connection = connected(world)
    rita = linked(world, connection, "cy")
    code = rita.hears("link").rpartition(" ")[2]
    call(world, "di", "members.chat_link", code=code)
    assert call(world, "cy", "members.chat_accounts") == []
    rita.says("create By di")
    assert call(world, "cy", "issues.get", key="WEB-1")["reporter"] == world.people["di"].id
    call(world, "ana", "members.deactivate", id="@di", on=True)
    assert "link" in rita.hears("create Not any more")


def test_a_chat_sees_what_its_member_sees_and_no_more_than_it_is_told(world: World) -> None:
    call(world, "cy", "projects.create", key="OWN", name="Own", visibility="private")
    hidden = call(world, "cy", "issues.create", project="OWN", title="Hush")["key"]
    connection = connected(world)
    cy, di = linked(world, connection, "cy", "U1"), linked(world, connection, "di", "U2")
    assert "Hush" in cy.hears(f"status {hidden}")
    assert "Hush" not in di.hears(f"status {hidden}") + di.hears("find hush")
    members: dict[str, Any] = {world.people["cy"].id: {"scopes": ["issues:read"], "teams": []}}
    assert "Hush" in cy.says(f"status {hidden}", members=members)["reply"]["text"]
    assert "scope" in cy.says("create Not so", members=members)["reply"]["text"]
    assert "link" in di.says("create Not so", members=members)["reply"]["text"]
    assert call(world, "cy", "issues.list", project="WEB")["items"] == []


def test_what_is_said_cannot_be_form_or_call_others(world: World) -> None:
    call(
        world, "cy", "issues.create", project="WEB", title="<!channel> <@U2> @everyone *b* [x](javascript:1)"
    )
    for provider, raw in (("slack", "<!channel>"), ("discord", "](javascript"), ("teams", "<!channel>")):
        somebody = linked(world, connected(world, provider))
        answer = somebody.says("status WEB-1")["reply"]
        assert raw not in json.dumps(answer)
        if provider == "discord":
            assert answer["data"]["allowed_mentions"] == {"parse": []}


def test_greetings_are_answered_and_what_is_unknown_is_passed_over(world: World) -> None:
    now = world.clock.now()
    slack, discord = connected(world)["id"], connected(world, "discord")["id"]
    body = json.dumps({"type": "url_verification", "challenge": "abc"})
    assert take(world, slack, *by_slack(body, now))["reply"] == {"challenge": "abc"}
    assert take(world, discord, *by_discord('{"type": 1}', now))["reply"] == {"type": 1}
    for text in (
        "",
        "[]",
        "{}",
        "null",
        '{"type": "event_callback"}',
        '{"type": 2, "data": 3}',
        "\u00e9{",
        "[" * 500,
    ):
        for connection, signed in ((slack, by_slack(text, now)), (discord, by_discord(text, now))):
            assert take(world, connection, *signed) == {"reply": None, "result": "accepted"}, text
    teams = connected(world, "teams")["id"]
    for text in ("", "[]", "{}", '{"timestamp": 5}', '{"timestamp": "2026-01-01T00:00:00"}'):
        assert take(world, teams, *by_teams(text))["result"] == "refused", text


def test_a_connection_is_kept_by_admins_and_its_secrets_by_nobody(world: World) -> None:
    made = connected(world, bot_token="xoxb-1")
    assert (made["hook_path"], made["has_bot_token"], made["linked"], made["requests"]) == (
        f"/in/chat/{made['id']}",
        True,
        0,
        0,
    )
    told = json.dumps([made, call(world, "bo", "chat.connections"), call(world, "ana", "audit.list")])
    assert SECRETS["slack"] not in told
    assert "xoxb-1" not in told
    assert by_itself(world, "chat.bot_token", id=made["id"]) == {"token": "xoxb-1"}
    with refused("insufficient-scope"):
        call(world, "ana", "chat.bot_token", id=made["id"])
    same = {"id": made["id"], "name": "Other"}
    assert call(world, "bo", "chat.connection_save", **same)["has_bot_token"]
    assert not call(world, "bo", "chat.connection_save", **same, bot_token="")["has_bot_token"]
    for wrong, slug in (
        ({"id": made["id"], "provider": "teams"}, "invalid-input"),
        ({"id": 99, "name": "x"}, "not-found"),
        ({"name": "x"}, "invalid-input"),
        ({"name": "x", "provider": "slack", "project": "NOPE", "secret": SECRETS["slack"]}, "not-found"),
        ({"name": "x", "provider": "slack", "project": "WEB", "secret": "short"}, "invalid-input"),
        ({"name": "x", "provider": "teams", "project": "WEB", "secret": "no base64!"}, "invalid-input"),
        ({"name": "x", "provider": "discord", "project": "WEB", "secret": "zz"}, "invalid-input"),
        (
            {
                "name": "x",
                "provider": "teams",
                "project": "WEB",
                "secret": SECRETS["teams"],
                "bot_token": "x",
            },
            "invalid-input",
        ),
    ):
        with refused(slug):
            call(world, "bo", "chat.connection_save", **wrong)
    with refused("insufficient-scope"):
        call(world, "cy", "chat.connection_save", **same)
    with refused("insufficient-scope"):
        call(world, "gus", "chat.connections")
    assert call(world, "bo", "chat.connection_delete", id=made["id"])["name"] == "Other"
    assert call(world, "bo", "chat.connections") == []


@EACH
def test_who_is_linked_to_nobody_is_a_customer_of_the_desk(world: World, provider: str) -> None:
    call(world, "ana", "desk.save", project="WEB", open_signup=True)
    rita, nat = (Somebody(world, connected(world, provider), user, user) for user in ("U8", "U9"))
    assert "WEB" in rita.hears("create The cart is empty")
    found = call(world, "cy", "issues.get", key="WEB-1")
    assert (found["title"], found["reporter"]) == ("The cart is empty", "customer:1")
    assert "The cart is empty" in rita.hears("status WEB-1")
    assert "The cart" not in nat.hears("status WEB-1")
    assert "link" in rita.hears("find cart")
    call(world, "ana", "org.modules_set", off=["desk"])
    assert "link" in rita.hears("create Not any more")


def test_who_does_not_see_the_project_does_not_take_over_a_connection(world: World) -> None:
    made = call(
        world,
        "ana",
        "chat.connection_save",
        name="Private",
        provider="slack",
        project="WEB",
        secret=SECRETS["slack"],
    )
    private = world.database.write_now(lambda tx: tx.value("select id from project where key = 'PRV'"))
    world.database.write_now(
        lambda tx: tx.execute("update chat_connection set project = :project", project=private)
    )
    with refused("not-allowed"):
        call(world, "bo", "chat.connection_save", id=made["id"], secret="f" * 32)


def test_a_key_that_is_limited_to_projects_keeps_no_connection(world: World) -> None:
    made = connected(world)
    web = world.database.write_now(lambda tx: tx.value("select id from project where key = 'WEB'"))
    asked = {"name": "k", "scopes": sorted(scopes.of_role("admin")), "projects": f"[{web}]"}
    _, token = world.database.write_now(lambda tx: callers.add_key(tx, world.people["bo"].id, asked))
    with Kbwork(world.url, token) as key, refused("not-allowed"):
        key.call("chat.connection_save", {"id": made["id"], "secret": "f" * 32})
