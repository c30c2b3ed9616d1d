"""The stream: the feed as it happens, for as long as the caller may hear it."""

import asyncio
import http.client
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from typing import Any
from urllib.parse import urlsplit

import pytest
from starlette.types import Message

from kbwork.base.caller import SYSTEM, Caller
from kbwork.base.errors import Busy
from kbwork.contract.kbwork_client import KbworkProblem
from kbwork.core.jobs import kinds
from kbwork.db.tx import Read
from kbwork.settings import LimitSettings, Settings, StreamSettings
from tests.conftest import World
from tests.wireless import Wireless


@pytest.fixture
def settings() -> Settings:
    return Settings(
        limits=LimitSettings(enabled=False),
        streams=StreamSettings(per_member=2, per_key=2, all=3, ping_seconds=0.2),
    )


class Listener:
    """One open stream."""

    def __init__(self, world: World, token: str, query: str = "", **headers: str) -> None:
        self._connection = http.client.HTTPConnection(urlsplit(world.url).netloc, timeout=10)
        found = {"Authorization": f"Bearer {token}", **{k.replace("_", "-"): v for k, v in headers.items()}}
        self._connection.request("GET", f"/api/v1/stream{query}", headers=found)
        self.answer = self._connection.getresponse()

    def messages(self) -> Iterator[dict[str, str]]:
        """Each message as its fields; comments have the field `""`. Ends when the stream does."""
        fields: dict[str, str] = {}
        while line := self.answer.readline().decode():
            if line == "\n":
                yield fields
                fields = {}
            else:
                name, _, value = line.rstrip("\n").partition(": ")
                fields[name.rstrip(":")] = value

    def events(self, count: int) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = []
        for message in self.messages():
            if "id" in message:
                found.append(json.loads(message["data"]))
                if len(found) == count:
                    break
        return found

    def close(self) -> None:
        self.answer.close()
        self._connection.close()


@contextmanager
def listening(
    world: World, who: str, query: str = "", *, session: bool = False, **headers: str
) -> Iterator[Listener]:
    person = world.people[who]
    listener = Listener(world, person.session if session else person.key, query, **headers)
    try:
        yield listener
    finally:
        listener.close()


def test_it_begins_with_hello_and_tells_what_happens_from_now_on(world: World) -> None:
    with listening(world, "ana") as listener:
        messages = listener.messages()
        hello = next(messages)
        assert (hello["event"], json.loads(hello["data"])["seq"]) == ("hello", world.database.seq)
        world.key("ana").labels.save(name="bug")
        event = next(message for message in messages if "id" in message)
        assert (event["event"], event["id"]) == ("label.saved", str(world.database.seq))
        assert json.loads(event["data"])["payload"] == {"label": 1, "name": "bug"}


def test_what_happens_while_hello_is_on_its_way_is_told(world: World) -> None:
    """It tells of everything behind the number that hello says."""
    ana = Wireless(world, world.people["ana"].key)
    told: list[bytes] = []

    async def listen() -> None:
        gone = asyncio.Event()

        async def receive() -> Message:
            await gone.wait()
            return {"type": "http.disconnect"}

        async def send(message: Message) -> None:
            text = message.get("body", b"")
            if text.startswith(b"event: hello"):
                assert (await ana.call("labels.save", {"name": "bug"}))[0] == 200
            told.append(text)
            if b": ping" in text or b"label.saved" in text:
                gone.set()

        assert world.app is not None
        await world.app(ana.scope("GET", "/api/v1/stream"), receive, send)

    world.on_loop(listen())
    assert b"event: label.saved" in b"".join(told)


def test_since_tells_what_was_and_last_event_id_wins(world: World) -> None:
    ana = world.key("ana")
    seq = world.database.seq
    for name in ("one", "two", "three"):
        ana.labels.save(name=name)
    feed = ana.api.changes(since=seq)["events"]
    with listening(world, "ana", f"?since={seq}") as listener:
        assert listener.events(3) == feed
    with listening(world, "ana", "?since=0", Last_Event_ID=str(seq + 2)) as listener:
        assert listener.events(1) == feed[2:]


def test_kinds_and_subjects_narrow_it(world: World) -> None:
    ana = world.key("ana")
    seq = world.database.seq
    ana.labels.save(name="bug")
    ana.issues.create(project="WEB", title="One")
    with listening(world, "ana", f"?since={seq}&kinds=issue.*") as listener:
        assert [event["kind"] for event in listener.events(1)] == ["issue.created"]
    with listening(world, "ana", f"?since={seq}&subjects=org:1") as listener:
        assert [event["kind"] for event in listener.events(1)] == ["label.saved"]


def test_what_the_caller_may_not_see_is_not_told(world: World) -> None:
    seq = world.database.seq
    world.key("di").issues.create(project="PRV", title="Di's own")
    world.key("ana").issues.create(project="WEB", title="For all")
    with listening(world, "cy", f"?since={seq}") as listener:
        assert [event["payload"]["key"] for event in listener.events(1)] == ["WEB-1"]


def test_streams_of_one_caller_hear_the_same_and_others_what_is_theirs(world: World) -> None:
    with listening(world, "di") as one, listening(world, "di") as two, listening(world, "cy") as other:
        for listener in (one, two, other):
            assert next(listener.messages())["event"] == "hello"
        for title in ("Di's own", "and one more"):
            world.key("di").issues.create(project="PRV", title=title)
        world.key("ana").issues.create(project="WEB", title="For all")
        heard = one.events(3)
        assert [event["payload"]["key"] for event in heard] == ["PRV-1", "PRV-2", "WEB-1"]
        assert two.events(3) == heard
        assert other.events(1) == heard[2:]


@pytest.mark.parametrize("fails", [False, True])
def test_streams_at_one_place_share_a_read_and_not_its_failure(
    world: World, monkeypatch: pytest.MonkeyPatch, fails: bool
) -> None:
    inner, ready, reads = world.database.read, threading.Event(), []

    async def read(fn: Callable[[Read], Any], caller: Caller = SYSTEM, *, name: str = "") -> Any:
        if name == "stream" and ready.is_set():
            reads.append(caller)
            await asyncio.sleep(0.1)
            if fails and len(reads) == 1:
                raise Busy("The data are exchanged.")
        return await inner(fn, caller, name=name)

    monkeypatch.setattr(world.database, "read", read)
    with listening(world, "di") as one, listening(world, "di") as two:
        for listener in (one, two):
            messages = listener.messages()
            assert [next(messages).get("event"), next(messages)] == ["hello", {"": "ping"}]
        ready.set()
        world.key("ana").labels.save(name="bug")
        heard = [len(listener.events(1)) for listener in (one, two)]
    assert sorted(heard) == [0, 1] if fails else heard == [1, 1]
    assert len(reads) == 1 + fails


@pytest.mark.parametrize("end", ["key", "session", "member"])
def test_it_ends_when_the_callers_rights_do(world: World, end: str) -> None:
    ana = world.session("ana")
    with listening(world, "cy", session=end == "session") as listener:
        messages = listener.messages()
        assert next(messages)["event"] == "hello"
        if end == "member":
            ana.call("members.deactivate", {"id": world.people["cy"].id, "on": True})
        elif end == "key":
            (held,) = [
                key for key in ana.call("keys.list", {"all": True}) if key["owner"] == world.people["cy"].id
            ]
            ana.call("keys.revoke", {"id": held["id"]})
        else:
            world.session("cy").call("auth.logout", {})
        assert all("id" not in message for message in messages)


class _Meanwhile:
    """Lets something happen between the look at who asks and the read that answers them, once."""

    def __init__(self, world: World, name: str, act: Callable[[], object]) -> None:
        self._read = world.database.read
        self._name = name
        self._act: Callable[[], object] | None = act
        self.ready = threading.Event()

    async def read(self, fn: Callable[[Read], Any], caller: Caller = SYSTEM, *, name: str = "") -> Any:
        if name == self._name and self.ready.is_set() and (act := self._act) is not None:
            self._act = None
            await asyncio.to_thread(act)
        return await self._read(fn, caller, name=name)


def deactivate(world: World, who: str) -> object:
    return world.session("ana").call("members.deactivate", {"id": world.people[who].id, "on": True})


def test_what_ends_the_rights_is_not_told_with_the_rights_it_ends(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    meanwhile = _Meanwhile(world, "stream", lambda: deactivate(world, "cy"))
    monkeypatch.setattr(world.database, "read", meanwhile.read)
    with listening(world, "cy") as listener:
        messages = listener.messages()
        assert [next(messages).get("event"), next(messages)] == ["hello", {"": "ping"}]
        meanwhile.ready.set()
        world.key("ana").labels.save(name="bug")
        assert all("id" not in message for message in messages)


def test_a_read_that_outlives_its_callers_rights_is_refused(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    cy = world.people["cy"].id
    job = world.database.write_now(lambda tx: kinds.enqueue(tx, "invites.forget", {"member": cy}, by=cy))
    meanwhile = _Meanwhile(world, "jobs.get", lambda: deactivate(world, "cy"))
    meanwhile.ready.set()
    monkeypatch.setattr(world.database, "read", meanwhile.read)
    with pytest.raises(KbworkProblem) as refused:
        world.key("cy").jobs.get(id=job)
    assert refused.value.slug == "unauthenticated"


def test_a_quiet_stream_says_that_it_is_alive(world: World) -> None:
    with listening(world, "ana") as listener:
        messages = listener.messages()
        next(messages)
        assert next(messages) == {"": "ping"}


def test_only_so_many_are_open_at_once(world: World) -> None:
    with listening(world, "ana"), listening(world, "ana"):
        with listening(world, "ana") as third:
            assert (third.answer.status, third.answer.headers["Retry-After"]) == (429, "5")
        with listening(world, "bo") as other:
            assert other.answer.status == 200
            with listening(world, "cy") as fourth:
                assert fourth.answer.status == 503


def test_a_place_is_free_again_when_a_listener_left(world: World) -> None:
    for _ in range(5):
        with listening(world, "ana") as listener:
            assert listener.answer.status == 200
            next(listener.messages())
        for _wait in range(200):
            if world.app is not None and not world.app.stream._open:
                break
            threading.Event().wait(0.01)


@pytest.mark.parametrize(
    ("query", "status"),
    [("?since=x", 422), ("?since=-1", 422), ("?tql=open", 422), ("?nonsense=1", 422), ("?since=0", 200)],
)
def test_a_query_that_does_not_fit_is_named(world: World, query: str, status: int) -> None:
    with listening(world, "ana", query) as listener:
        assert listener.answer.status == status


def test_without_a_key_or_the_scope_there_is_none(world: World) -> None:
    made = world.session("ana").call("keys.create", {"name": "narrow", "scopes": ["projects:read"]})
    for token, status in (("kb_nobody", 401), (made["secret"], 403)):
        listener = Listener(world, token)
        assert listener.answer.status == status
        listener.close()


def test_events_that_are_no_longer_kept_are_a_gap(world: World) -> None:
    world.database.write_now(lambda tx: tx.execute("delete from events where seq <= 4"))
    with listening(world, "ana", "?since=2") as listener:
        found = list(listener.messages())
    assert [message["event"] for message in found] == ["hello", "gap"]
    assert json.loads(found[1]["data"]) == {"oldest": 5}


def test_a_client_knows_its_own_events(world: World) -> None:
    own = {"Authorization": f"Bearer {world.people['ana'].key}", "Content-Type": "application/json"}
    netloc = urlsplit(world.url).netloc

    def save(name: str, **headers: str) -> tuple[int, Any]:
        connection = http.client.HTTPConnection(netloc, timeout=10)
        sent = own | {key.replace("_", "-"): value for key, value in headers.items()}
        connection.request("POST", "/api/v1/labels.save", json.dumps({"name": name}), sent)
        answer = connection.getresponse()
        with closing(connection):
            return answer.status, json.loads(answer.read())

    with listening(world, "ana", X_KB_Client="the listener") as listener:
        messages = (message for message in listener.messages() if "id" in message)
        tab = "~" * 64
        assert [save("one", X_KB_Client=tab)[0], save("two")[0], save("three", X_KB_Client="b 2")[0]] == [
            200
        ] * 3
        found = [json.loads(next(messages)["data"])["origin"] for _ in range(3)]
        assert found == [tab, None, "b 2"]
    events = world.key("ana").api.changes(since=world.database.seq - 3)["events"]
    assert [event["origin"] for event in events] == found
    for bad in ("~" * 65, "", "caf\u00e9", "a\tb"):
        status, problem = save("four", X_KB_Client=bad)
        assert (status, problem["errors"][0]["path"]) == (422, "X-KB-Client")
    assert [label["name"] for label in world.key("ana").labels.list()] == ["one", "three", "two"]
