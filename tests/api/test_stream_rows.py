"""The stream with `rows=1`: the delta of each commit, for clients that keep what there is."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from kbwork.api import stream_rows
from kbwork.core.operations import nested
from kbwork.db.tx import Read
from kbwork.modules.sync import changed
from kbwork.settings import LimitSettings, Settings, StreamSettings
from tests.api.test_stream import Listener, listening
from tests.conftest import World
from tests.modules.calls import call
from tests.modules.fields.sample_values import acting
from tests.modules.test_sync import Store, Team, issue


@pytest.fixture
def settings() -> Settings:
    return Settings(limits=LimitSettings(enabled=False), streams=StreamSettings(ping_seconds=0.2))


def told(listener: Listener) -> Iterator[dict[str, Any]]:
    """The data of each message but pings, with its number and name."""
    for message in listener.messages():
        if "data" in message:
            yield json.loads(message["data"]) | {"_id": message.get("id"), "_event": message.get("event")}


def kinds(delta: dict[str, Any]) -> list[str]:
    return [rows["kind"] for rows in delta["upserts"]]


def test_a_commit_is_one_delta_of_what_there_is_then(world: World) -> None:
    with listening(world, "cy", "?rows=1") as listener:
        messages = told(listener)
        hello = next(messages)
        snapshot = call(world, "cy", "sync.snapshot", parts=[])
        assert (hello["_event"], hello["seq"]) == ("hello", snapshot["seq"])
        assert hello["access"] == snapshot["access"]
        call(
            world,
            "cy",
            "api.batch",
            ops=[
                {"op": "issues.create", "input": {"project": "WEB", "title": "One"}},
                {"op": "issues.create", "input": {"project": "WEB", "title": "Two"}},
                {"op": "issues.update", "input": {"key": "WEB-1", "title": "Three"}},
            ],
        )
        delta = next(messages)
        assert (delta["_event"], delta["_id"]) == ("rows", str(world.database.seq))
        assert delta["seq"] == world.database.seq
        (rows,) = delta["upserts"]
        title = rows["columns"].index("title")
        assert [row[title] for row in rows["rows"]] == ["Three", "Two"]
        assert (delta["gone"], delta["reset"]) == ([], False)


def test_small_kinds_come_when_they_changed(world: World) -> None:
    with listening(world, "cy", "?rows=1") as listener:
        messages = told(listener)
        next(messages)
        call(world, "ana", "labels.save", name="bug")
        assert kinds(next(messages)) == ["label"]
        issue(world)
        assert kinds(next(messages)) == ["issue"]
        call(world, "bo", "views.save", name="Private to Bo", tql="assignee = me")
        issue(world)
        assert kinds(next(messages)) == ["issue"]


def test_small_kinds_come_with_the_last_of_several_deltas(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(changed, "_EVENTS", 2)
    with listening(world, "cy", "?rows=1") as listener:
        messages = told(listener)
        next(messages)
        made = [{"op": "issues.create", "input": {"project": "WEB", "title": f"{n}"}} for n in range(5)]
        ops = [{"op": "labels.save", "input": {"name": "bug"}}, *made]
        call(world, "ana", "api.batch", ops=ops)
        heard: list[str] = []
        while "label" not in heard:
            heard += kinds(next(messages))
        assert "issue" in heard


def test_what_happens_while_it_begins_is_told(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    snapshot = call(world, "cy", "sync.snapshot")
    begin = stream_rows.begin
    names = iter(("bug", "flaw"))

    def meanwhile(tx: Read, *of: Any) -> stream_rows.RowsBegun:
        label = {"name": next(names)}  # a read that takes long is done again on a thread
        acting(world, "ana", lambda tx: nested.run(tx, "labels.save", label))
        return begin(tx, *of)

    monkeypatch.setattr(stream_rows, "begin", meanwhile)
    with listening(world, "cy", f"?rows=1&since={snapshot['seq']}") as listener:
        messages = told(listener)
        assert next(messages)["seq"] > snapshot["seq"]
        assert "label" in kinds(next(messages))


def test_who_keeps_no_project_hears_of_no_issue(world: World) -> None:
    with listening(world, "cy", "?rows=1&projects=,") as listener:
        messages = told(listener)
        next(messages)
        issue(world)
        call(world, "ana", "labels.save", name="bug")
        assert kinds(next(messages)) + kinds(next(messages)) == ["label"]


def test_what_happened_meanwhile_is_told_first(world: World) -> None:
    snapshot = call(world, "cy", "sync.snapshot")
    key = issue(world)
    starts: tuple[tuple[str, dict[str, Any]], ...] = (
        (f"?rows=1&since={snapshot['seq']}", {}),
        ("?rows=1&since=0", {"Last_Event_ID": str(snapshot["seq"])}),
    )
    for query, headers in starts:
        with listening(world, "cy", f"{query}&access={snapshot['access']}", **headers) as listener:
            messages = told(listener)
            next(messages)
            delta = next(messages)
            assert "issue" in kinds(delta)
            assert key in str(delta["upserts"])


def test_who_comes_from_other_data_or_saw_something_else_begins_anew(world: World) -> None:
    snapshot = call(world, "cy", "sync.snapshot")
    for query in (f"since={snapshot['seq'] + 5}", f"since={snapshot['seq']}&access={snapshot['access'] + 1}"):
        with listening(world, "cy", f"?rows=1&{query}") as listener:
            messages = told(listener)
            next(messages)
            delta = next(messages)
            assert (delta["reset"], delta["upserts"], delta["access"]) == (True, [], snapshot["access"])


def test_what_somebody_loses_is_told_to_them_alone(world: World) -> None:
    key = issue(world, "ana")
    number = call(world, "ana", "issues.get", key=key)["id"]
    with listening(world, "cy", "?rows=1") as cy, listening(world, "bo", "?rows=1") as bo:
        heard_by_cy, heard_by_bo = told(cy), told(bo)
        next(heard_by_cy), next(heard_by_bo)
        call(world, "ana", "issues.level_set", key=key, level="private")
        lost = next(heard_by_cy)
        assert (lost["gone"], lost["upserts"]) == ([{"kind": "issue", "ids": [number]}], [])
        assert next(heard_by_bo)["gone"] == []
        call(world, "ana", "issues.update", key=key, title="Among us")
        seen = issue(world, "ana")
        delta = next(heard_by_cy)
        assert (delta["gone"], [row[1] for row in delta["upserts"][0]["rows"]]) == ([], [seen])


def test_a_lost_project_begins_it_anew_and_it_goes_on(world: World) -> None:
    call(world, "cy", "projects.member_set", key="SEC", who="@di", role="viewer")
    with listening(world, "di", "?rows=1&projects=SEC,WEB&closed_days=30") as listener:
        messages = told(listener)
        access = next(messages)["access"]
        call(world, "cy", "projects.member_set", key="SEC", who="@di", role="none")
        delta = next(messages)
        assert delta["reset"]
        assert delta["access"] == call(world, "di", "sync.snapshot", parts=[])["access"] != access
        issue(world, "cy", project="SEC")
        key = issue(world, "cy")
        delta = next(messages)
        assert (delta["reset"], delta["gone"]) == (False, [])
        assert [row[1] for row in delta["upserts"][0]["rows"]] == [key]


def test_messages_without_names_have_the_kind_in_their_data(world: World) -> None:
    with listening(world, "cy", "?plain=1") as events, listening(world, "cy", "?plain=1&rows=1") as rows:
        of_events, of_rows = told(events), told(rows)
        assert {(one["kind"], one["_event"]) for one in (next(of_events), next(of_rows))} == {("hello", None)}
        issue(world)
        event, delta = next(of_events), next(of_rows)
        assert (event["kind"], event["_event"]) == ("issue.created", None)
        assert (delta["kind"], delta["_event"], delta["_id"]) == ("rows", None, str(world.database.seq))
        call(world, "cy", "presence.beat", subject="WEB-1", state="viewing")
        assert {next(of_events)["kind"], next(of_rows)["kind"]} == {"presence"}
        call(world, "ana", "members.deactivate", id=world.people["cy"].id, on=True)
        assert [(one["kind"], one.get("reason")) for one in of_rows if one["kind"] == "bye"] == [
            ("bye", "unauthenticated")
        ]


@pytest.mark.parametrize("query", ["", "?rows=1"])
def test_it_says_why_it_ends(world: World, query: str) -> None:
    with listening(world, "cy", query, session=True) as listener:
        messages = told(listener)
        next(messages)
        world.session("cy").call("auth.logout", {})
        last = list(messages)[-1]
        assert (last["_event"], last["reason"], last["_id"]) == ("bye", "unauthenticated", None)


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("rows=2", "rows"),
        ("plain=yes", "plain"),
        ("projects=WEB", "projects"),
        ("rows=1&closed_days=4000", "closed_days"),
        ("rows=1&closed_days=-1", "closed_days"),
        ("rows=1&projects=" + "A," * 501, "projects"),
        ("rows=1&access=x", "access"),
        ("rows=1&since=x", "since"),
        ("rows=1&project=WEB", "project"),
    ],
)
def test_a_query_that_does_not_fit_is_named(world: World, query: str, field: str) -> None:
    with listening(world, "cy", f"?{query}") as listener:
        assert listener.answer.status == 422
        assert [error["path"] for error in json.loads(listener.answer.read())["errors"]] == [field]


class StreamStore(Store):
    """A client that follows its stream."""

    def __init__(self, world: World, who: str) -> None:
        super().__init__(world.session(who))
        person = world.people[who]
        self._world = world
        self.listener = Listener(world, person.session, f"?rows=1&since={self.seq}&access={self.access}")
        self._messages = told(self.listener)

    def hear(self) -> None:
        """Until it heard of an issue that is made for it."""
        key = issue(self._world, "ana", title="The last of these")
        while key not in self.held():
            delta = next(self._messages)
            if delta["_event"] == "rows" and delta["seq"] >= self.seq:  # else a snapshot has it
                self.put_delta(delta)


@pytest.mark.parametrize("seed", range(3))
def test_whatever_happens_streams_keep_what_there_is(world: World, seed: int) -> None:
    team = Team(world, seed + 100)
    stores = {who: StreamStore(world, who) for who in ("ana", "cy", "di", "gus")}
    call(world, "ana", "projects.member_set", key="WEB", who="@gus", role="viewer")
    try:
        for _ in range(6):
            for _ in range(8):
                team.step()
            for who, one in stores.items():
                one.hear()
                fresh = Store(world.session(who))
                assert {kind: rows for kind, rows in one.kinds.items() if rows} == {
                    kind: rows for kind, rows in fresh.kinds.items() if rows
                }
    finally:
        for one in stores.values():
            one.listener.close()
