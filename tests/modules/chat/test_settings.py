"""Connections and subscriptions: what is told of them and to whom, who keeps them, and how many there are."""

import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from kbwork.base.errors import NotAllowed
from tests.conftest import World
from tests.modules.calls import call, refused
from tests.modules.chat.platforms import SECRETS, by_itself, connected, linked, take
from tests.modules.chat.test_posts import subscribed
from tests.modules.grants import ConnectedClient
from tests.modules.webhooks.receiver import Receiver

SHOP: dict[str, Any] = {"name": "Shop", "provider": "slack", "project": "WEB", "secret": SECRETS["slack"]}


def happened(world: World, since: int, who: str = "ana") -> list[tuple[str, str, dict[str, Any]]]:
    """(kind, subject, payload) of what was told of chats since then."""
    found = call(world, who, "api.changes", since=since)["events"]
    return [(one["kind"], one["subject"], one["payload"]) for one in found if one["kind"].startswith("chat.")]


def test_what_becomes_of_a_connection_is_told_to_admins_without_its_secrets(world: World) -> None:
    seq = world.database.seq
    made = call(world, "bo", "chat.connection_save", **SHOP, bot_token="xoxb-1")
    same = {"id": made["id"], "name": "Shop", "project": "WEB"}
    call(world, "bo", "chat.connection_save", **same)  # it is so already
    call(world, "bo", "chat.connection_save", **same | {"name": "Till"}, bot_token="")
    assert call(world, "ana", "chat.connection_delete", id=made["id"])["name"] == "Till"
    about = {"connection": made["id"], "name": "Shop"}
    assert happened(world, seq) == [
        ("chat.connection_saved", "org:1", about | {"provider": "slack"}),
        ("chat.connection_saved", "org:1", about | {"name": "Till", "changed": ["bot_token", "name"]}),
        ("chat.connection_deleted", "org:1", about | {"name": "Till"}),
    ]
    assert happened(world, seq, "cy") == []
    with refused("not-found"):
        call(world, "bo", "chat.connection_delete", id=made["id"])


def test_what_becomes_of_a_subscription_is_told_to_admins_without_its_address(
    world: World, receiver: Receiver
) -> None:
    seq = world.database.seq
    ident = subscribed(world, receiver)
    call(world, "bo", "chat.subscription_save", id=ident, name="#shop")
    call(world, "bo", "chat.subscription_save", id=ident, name="#till", tql="project = WEB")
    call(world, "ana", "chat.subscription_save", id=ident)  # it has another author
    call(world, "ana", "chat.subscription_delete", id=ident)
    about = {"subscription": ident, "name": "#shop"}
    assert happened(world, seq)[1:] == [
        ("chat.subscription_saved", "org:1", about),
        ("chat.subscription_saved", "org:1", about | {"name": "#till", "changed": ["name", "tql"]}),
        ("chat.subscription_saved", "org:1", about | {"name": "#till", "changed": []}),
        ("chat.subscription_deleted", "org:1", about | {"name": "#till"}),
    ]
    assert receiver.place not in json.dumps(happened(world, seq))
    assert happened(world, seq, "cy") == []
    with refused("not-found"):
        call(world, "bo", "chat.subscription_delete", id=ident)


def test_who_links_an_account_and_lets_it_go_is_told_to_admins(world: World) -> None:
    connection = connected(world)
    seq = world.database.seq
    linked(world, connection, "cy")
    (account,) = call(world, "cy", "members.chat_accounts")
    call(world, "cy", "members.chat_unlink", id=account["id"])
    told = {"connection": connection["id"]}
    assert happened(world, seq) == [
        ("chat.linked", "org:1", told | {"on": True}),
        ("chat.linked", "org:1", told | {"on": False}),
    ]
    assert happened(world, seq, "di") == []


def test_an_org_has_so_many_at_most(
    world: World, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kbwork.modules.chat.connection.ops.MOST", 1)
    monkeypatch.setattr("kbwork.modules.chat.subscription.ops.MOST", 1)
    ident = subscribed(world, receiver)
    with refused("conflict"):
        call(world, "bo", "chat.connection_save", **SHOP)
    more = {"connection": 1, "name": "#two", "events": ["issue.created"], "webhook_url": receiver.url("two")}
    with refused("conflict"):
        call(world, "bo", "chat.subscription_save", **more)
    assert call(world, "bo", "chat.subscription_save", id=ident, name="#one")["name"] == "#one"


def test_only_slack_has_a_bot_also_where_a_connection_is_changed(world: World) -> None:
    made = connected(world, "discord")
    with refused("invalid-input"):
        call(world, "bo", "chat.connection_save", id=made["id"], bot_token="x")
    assert by_itself(world, "chat.bot_token", id=made["id"]) == {"token": ""}


def test_a_connected_client_that_was_given_some_modules_keeps_none(world: World, receiver: Receiver) -> None:
    ident = subscribed(world, receiver)
    client = ConnectedClient(world, "bo", ["chat"])
    for op, value in (
        ("chat.connection_save", SHOP),
        ("chat.connection_save", {"id": 1, "secret": "f" * 32}),
        ("chat.subscription_save", {"id": ident, "name": "x"}),
    ):
        with pytest.raises(NotAllowed):
            client.call(op, **value)
    assert happened(world, world.database.seq) == []


@pytest.mark.parametrize("who", ["cy", "gus"])
def test_admins_alone_keep_them_and_members_read_what_is_there(
    world: World, receiver: Receiver, who: str
) -> None:
    ident = subscribed(world, receiver)
    for op, value in (
        ("chat.connection_save", SHOP),
        ("chat.connection_delete", {"id": 1}),
        ("chat.subscription_save", {"id": ident, "name": "x"}),
        ("chat.subscription_test", {"id": ident}),
        ("chat.subscription_delete", {"id": ident}),
        ("chat.bot_token", {"id": 1}),
        ("chat.ingest", {"connection": 1, "headers": {}, "body": ""}),
    ):
        with refused("insufficient-scope"):
            call(world, who, op, **value)
    assert receiver.came == []
    assert len(call(world, "di", "chat.subscriptions")) == 1
    with refused("insufficient-scope"):
        call(world, "gus", "chat.subscriptions")


def test_a_project_that_one_does_not_see_is_not_named(world: World) -> None:
    call(world, "ana", "projects.create", key="OWN", name="Own", visibility="private")
    call(world, "ana", "chat.connection_save", **SHOP | {"project": "OWN"})
    assert [call(world, who, "chat.connections")[0]["project"] for who in ("ana", "bo", "cy")] == [
        "OWN",
        "(gone)",
        "(gone)",
    ]


def test_a_command_that_comes_several_times_at_once_is_done_once(world: World) -> None:
    headers, body = linked(world, connected(world)).signed("create Once")
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: take(world, 1, headers, body)["result"], range(4), timeout=60))
    assert sorted(found) == ["accepted", "refused", "refused", "refused"]
    assert len(call(world, "cy", "issues.list", project="WEB")["items"]) == 1
