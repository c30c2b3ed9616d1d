"""Streams tell of one's own inbox, and of nobody else's."""

import asyncio
import json
from contextlib import closing

import pytest
from starlette.types import Send

from kbwork.api import stream
from tests.api.test_stream import Listener
from tests.conftest import World
from tests.modules.calls import call
from tests.modules.notifications.inboxes import follow, issue


def test_the_stream_tells_that_an_inbox_changed_to_its_owner_alone(world: World) -> None:
    """By itself, a moment after the event."""
    of_cy, of_di = (Listener(world, world.people[who].key, "?kinds=notifications") for who in ("cy", "di"))
    with closing(of_cy), closing(of_di):
        heard = of_cy.messages()
        assert [next(stream)["event"] for stream in (heard, of_di.messages())] == ["hello", "hello"]
        key = issue(world, assignees=["@cy"])
        world.advance(1)
        message = next(one for one in heard if one.get("event"))
        assert (message["event"], json.loads(message["data"])) == ("notifications", {"number": 1})
        assert call(world, "cy", "notifications.count")["unread"] == 1
        call(world, "cy", "notifications.read", subject=key)
        message = next(one for one in heard if one.get("event"))
        assert json.loads(message["data"]) == {"number": 2}, "in the other tabs too"
        call(world, "ana", "issues.assign", key=key, assignees=["@di"])
        world.advance(1)
        assert next(one for one in of_di.messages() if one.get("event"))["event"] == "notifications"


def test_what_changes_while_hello_is_on_its_way_is_told(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever asks for their inbox at hello has the answer of before."""
    say = stream._say

    async def slow(send: Send, text: bytes) -> None:
        await say(send, text)
        if b"event: hello" in text:
            await asyncio.to_thread(issue, world, assignees=["@cy"])
            await asyncio.to_thread(follow, world)

    monkeypatch.setattr(stream, "_say", slow)
    with closing(Listener(world, world.people["cy"].key, "?rows=1")) as listener:
        assert any(one.get("event") == "notifications" for one in listener.messages())


def test_an_entry_that_slept_is_told_of_when_it_wakes(world: World) -> None:
    issue(world, assignees=["@cy"])
    world.advance(1)
    with closing(Listener(world, world.people["cy"].key, "?rows=1")) as listener:
        heard = listener.messages()
        assert next(heard)["event"] == "hello"
        while not (found := call(world, "cy", "notifications.list")["items"]):
            next(heard)
        call(world, "cy", "notifications.snooze", ids=[found[0]["id"]], until=world.clock.now() + 60)
        asleep = world.database.read_now(lambda tx: tx.value("select max(number) from inbox"))
        world.advance(61)
        told = (json.loads(one["data"])["number"] for one in heard if one.get("event") == "notifications")
        # What moved before it woke may be told in two messages, in one, or in one with that it woke.
        assert next(number for number in told if number > asleep) == asleep + 1
        assert call(world, "cy", "notifications.count")["unread"] == 1
