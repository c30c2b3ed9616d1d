"""Presence: who is where right now, told to those who see the thing, and kept by nobody."""

import json
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest

from kbwork.contract.kbwork_client import Kbwork
from kbwork.core.access import callers, scopes
from kbwork.core.events import presence
from kbwork.db.tx import Write
from kbwork.settings import LimitSettings, Settings, StreamSettings
from tests.api.test_stream import Listener
from tests.conftest import NOW, World
from tests.modules.calls import call, refused
from tests.modules.grants import ConnectedClient
from tests.modules.together import slugs, together


@pytest.fixture
def settings() -> Settings:
    return Settings(limits=LimitSettings(enabled=False), streams=StreamSettings(ping_seconds=0.2))


def issue(world: World, who: str = "cy", **more: Any) -> str:
    return str(call(world, who, "issues.create", **{"project": "WEB", "title": "Cart"} | more)["key"])


def beat(world: World, who: str, subject: str = "WEB-1", state: str = "viewing", **more: Any) -> list[Any]:
    found: list[Any] = call(world, who, "presence.beat", subject=subject, state=state, **more)["people"]
    return found


def there(world: World, who: str, *subjects: str) -> dict[str, dict[str, str]]:
    """Subject -> handle -> state."""
    handles = {person.id: handle for handle, person in world.people.items()}
    return {
        one["subject"]: {handles.get(each["who"], each["who"]): each["state"] for each in one["people"]}
        for one in call(world, who, "presence.list", subjects=list(subjects or ("WEB-1",)))
    }


def told(listener: Listener) -> Iterator[tuple[str, list[str]]]:
    """(subject, who is there) of each message of presence."""
    for message in listener.messages():
        if message.get("event") == "presence":
            assert "id" not in message
            found = json.loads(message["data"])
            yield found["subject"], [one["who"] for one in found["people"]]


def test_who_is_there_is_told_and_nothing_is_stored(world: World) -> None:
    issue(world)
    with world.at_rest():
        seq, version = world.database.seq, world.database.version
        cursor = {"field": "title", "at": 3}
        assert beat(world, "cy", cursor=cursor) == [
            {"who": world.people["cy"].id, "state": "viewing", "since": NOW, "cursor": cursor}
        ]
        world.clock.advance(5)
        assert len(beat(world, "di", "issue:1", "editing")) == 2
        assert there(world, "ana") == {"issue:1": {"cy": "viewing", "di": "editing"}}
        assert beat(world, "cy", state="replying")[1]["since"] == NOW + 5
        assert there(world, "cy", "WEB-1", "issue:1", "project:WEB") == {
            "issue:1": {"di": "editing", "cy": "replying"},
            "project:WEB": {},
        }
        assert [one["who"] for one in beat(world, "di", state="left")] == [world.people["cy"].id]
        assert (world.database.seq, world.database.version) == (seq, version)


def test_whoever_says_nothing_for_half_a_minute_is_gone(world: World) -> None:
    issue(world)
    beat(world, "cy")
    beat(world, "di")
    world.clock.advance(20)
    beat(world, "cy")
    assert there(world, "ana")["issue:1"] == {"cy": "viewing", "di": "viewing"}
    world.clock.advance(11)
    assert there(world, "ana")["issue:1"] == {"cy": "viewing"}
    world.clock.set(NOW - 3600)
    assert there(world, "ana")["issue:1"] == {}, "a clock that was set back keeps nobody"


def test_windows_speak_for_themselves(world: World) -> None:
    issue(world)
    beat(world, "cy", state="editing", window="one")
    assert [one["state"] for one in beat(world, "cy", window="two")] == ["editing"]
    world.key("cy").call("presence.beat", {"subject": "WEB-1", "state": "replying"})
    assert there(world, "di")["issue:1"] == {"cy": "editing"}
    beat(world, "cy", state="viewing", window="one")
    assert there(world, "di")["issue:1"] == {"cy": "replying"}
    for window in ("one", "two"):
        beat(world, "cy", state="left", window=window)
    assert there(world, "di")["issue:1"] == {"cy": "replying"}
    world.key("cy").call("presence.beat", {"subject": "WEB-1", "state": "left"})
    assert there(world, "di")["issue:1"] == {}


def test_an_agent_is_there_under_its_own_name(world: World) -> None:
    issue(world)
    client = ConnectedClient(world, "cy", None)
    (found,) = client.call("presence.beat", subject="WEB-1", state="editing")["people"]
    assert found["who"].startswith("agent:client-")
    assert len(beat(world, "cy")) == 2
    with refused("not-found"):
        beat(world, "cy", "PRV-1")
    assert ConnectedClient(world, "cy", {"presence"}).call("presence.list", subjects=["WEB-1"]) == []


def test_what_is_not_seen_is_as_if_it_were_not_there(world: World) -> None:
    issue(world, "di", project="PRV")
    call(world, "di", "views.save", name="Own", tql="open")
    beat(world, "di", "PRV-1")
    beat(world, "di", "view:1")
    for subject in ("PRV-1", "issue:1", "view:1", "issue:9", "project:PRV", "nothing", "issue:new"):
        for state in ("viewing", "left"):
            with refused("not-found"):
                beat(world, "cy", subject, state)
    assert there(world, "cy", "PRV-1", "view:1", "issue:9", "project:WEB") == {"project:WEB": {}}
    assert there(world, "di", "PRV-1", "view:1") == {
        "issue:1": {"di": "viewing"},
        "view:1": {"di": "viewing"},
    }


def test_what_is_lost_from_sight_is_gone_with_the_next_look(world: World) -> None:
    issue(world)
    beat(world, "di")
    assert there(world, "cy") == {"issue:1": {"di": "viewing"}}
    call(world, "ana", "issues.update", key="WEB-1", reporter="@ana")
    call(world, "ana", "issues.level_set", key="WEB-1", level="private")
    assert there(world, "cy") == {}


def test_guests_are_told_of_those_whom_they_may_know(world: World) -> None:
    issue(world, "ana")
    call(world, "ana", "projects.member_set", key="WEB", who="@gus", role="reporter")
    call(world, "ana", "projects.update", key="WEB", reporters_see="all")
    known = {one["id"] for one in call(world, "gus", "members.list")["items"]}

    def stranger(tx: Write) -> str:
        member = callers.add_member(tx, name="Far Away", email="far@acme.example", role="member")
        return callers.add_key(tx, member, {"name": "far", "scopes": sorted(scopes.MEMBER)})[1]

    with Kbwork(world.url, world.database.write_now(stranger)) as far:
        far.call("presence.beat", {"subject": "WEB-1", "state": "viewing"})
    beat(world, "ana")
    shown = {one["who"] for one in beat(world, "gus")}
    assert world.people["gus"].id in shown
    assert shown <= known
    assert len(there(world, "cy")["issue:1"]) == 3


def test_the_stream_tells_it_to_those_who_see_the_thing(world: World) -> None:
    issue(world)
    issue(world, "di", project="PRV")
    di, cy = world.people["di"].id, world.people["cy"].id
    streams = [Listener(world, world.people[who].key, "?kinds=presence") for who in ("cy", "di")]
    with closing(streams[0]) as of_cy, closing(streams[1]) as of_di:
        heard_by_cy, heard_by_di = told(of_cy), told(of_di)
        for stream in streams:
            assert next(stream.messages())["event"] == "hello"
        beat(world, "di", "PRV-1")
        assert next(heard_by_di) == ("issue:2", [di])
        beat(world, "di")
        assert next(heard_by_cy) == ("issue:1", [di]), "and nothing of what they do not see"
        assert next(heard_by_di) == ("issue:1", [di])
        beat(world, "cy")
        assert sorted(next(heard_by_cy)[1]) == sorted([di, cy])
        beat(world, "di", state="left")
        assert next(heard_by_cy) == ("issue:1", [cy])
        world.clock.advance(31)
        assert next(heard_by_cy) == ("issue:1", [])


def test_streams_are_narrowed_as_for_events(world: World) -> None:
    issue(world)
    issue(world)
    key = world.people["cy"].key
    listening = [Listener(world, key, query) for query in ("?kinds=issue.*", "?subjects=issue:2", "")]
    try:
        for listener in listening:
            assert next(listener.messages())["event"] == "hello"
        for subject in ("issue:1", "issue:2"):
            beat(world, "di", subject)
        assert next(told(listening[1]))[0] == "issue:2"
        heard = told(listening[2])
        assert {next(heard)[0], next(heard)[0]} == {"issue:1", "issue:2"}
        call(world, "di", "issues.update", key="WEB-1", title="Till")
        kinds = (message.get("event") for message in listening[0].messages())
        assert next(kind for kind in kinds if kind is not None) == "issue.updated"
    finally:
        for listener in listening:
            listener.close()


def test_a_key_without_the_scope_is_told_of_nobody(world: World) -> None:
    issue(world)
    made = {"name": "narrow", "scopes": ["api:read", "issues:read"]}
    token = world.database.write_now(lambda tx: callers.add_key(tx, world.people["cy"].id, made)[1])
    with closing(Listener(world, token)) as listener:
        messages = listener.messages()
        assert next(messages)["event"] == "hello"
        beat(world, "di")
        call(world, "di", "issues.update", key="WEB-1", title="Till")
        kinds = (message.get("event") for message in messages)
        assert next(kind for kind in kinds if kind is not None) == "issue.updated"
        for _ in range(3):
            assert "event" not in next(messages)


def test_what_is_kept_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(presence, "MOST_EACH", 3)
    monkeypatch.setattr(presence, "MOST", 5)
    board = presence.PresenceBoard()
    rung: list[int] = []
    board.listen(lambda: rung.append(board.number))

    def places(member: str) -> list[str]:
        return [
            f"issue:{n}" for n in range(9) if member in [who for who, _ in board.people(f"issue:{n}", NOW)]
        ]

    for number in range(5):
        board.beat(presence.PresencePlace(f"issue:{number}", "m_a", "m_a", ""), "viewing", None, NOW)
    assert places("m_a") == ["issue:2", "issue:3", "issue:4"]
    board.beat(presence.PresencePlace("issue:2", "m_a", "m_a", ""), "viewing", None, NOW)
    for number in range(3):
        board.beat(presence.PresencePlace(f"issue:{number}", "m_b", "m_b", ""), "viewing", None, NOW)
    assert (places("m_a"), places("m_b")) == (["issue:2", "issue:4"], ["issue:0", "issue:1", "issue:2"])
    assert len(rung) == 8, "what changes nothing rings for nobody"
    board.clear()
    assert (places("m_a"), places("m_b")) == ([], [])


def test_many_on_one_thing_are_told_in_part() -> None:
    board = presence.PresenceBoard()
    for number in range(1000):
        place = presence.PresencePlace("issue:1", f"m_{number}", f"m_{number}", "")
        board.beat(place, "viewing", None, NOW + number // 100)
    found = [who for who, _ in board.people("issue:1", NOW + 10)]
    assert len(found) == 100
    assert {int(who.removeprefix("m_")) // 100 for who in found} == {7}


def test_windows_that_say_it_at_once_are_all_heard(world: World) -> None:
    issue(world)
    calls = [
        ("presence.beat", {"subject": "WEB-1", "state": state, "window": f"{number}"})
        for number, state in enumerate(["viewing", "editing", "replying"] * 2)
    ]
    assert slugs(together(world, "cy", calls)) == []
    assert there(world, "di") == {"issue:1": {"cy": "editing"}}
    calls = [(op, value | {"state": "left"}) for op, value in calls]
    together(world, "cy", calls)
    assert there(world, "di") == {"issue:1": {}}


def test_a_cursor_is_short(world: World) -> None:
    issue(world)
    with refused("invalid-input"):
        beat(world, "cy", cursor={"text": "x" * 1000})
    assert there(world, "cy") == {"issue:1": {}}
