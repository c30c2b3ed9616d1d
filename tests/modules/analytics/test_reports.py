"""Reports: kept, changed and deleted by admins, run by hand and by the clock, told to those who get them."""

import datetime
import threading
import zoneinfo
from typing import Any

import pytest

from kbwork.base.errors import NotAllowed
from kbwork.contract.kbwork_client import Kbwork, KbworkProblem
from kbwork.modules.analytics import sandbox
from tests.conftest import NOW, World
from tests.modules.analytics.asked import report, save
from tests.modules.calls import call, eventually, refused
from tests.modules.grants import ConnectedClient
from tests.modules.notifications.inboxes import inbox, letters, told
from tests.modules.together import slugs, together

DAY = 86_400
ROWS = "values ('bug', 3), ('task', null)"


def ident(world: World, who: str) -> str:
    return world.people[who].id


def due(world: World, reports: int = 1) -> None:
    """Let the time come at which it runs by itself, and wait until it has."""
    found = report(world)
    world.advance(found["next_run_at"] - world.clock.now() + 1)
    eventually(lambda: (report(world)["last_run_at"] or 0) > (found["last_run_at"] or 0))


def test_a_report_is_kept_and_listed(world: World) -> None:
    seq = world.database.seq
    team = call(world, "ana", "teams.save", name="Ops")["id"]
    made = save(
        world, name=" Weekly ", sql=ROWS, every="weekly", recipients=["@cy", "team:admins", f"team:{team}"]
    )
    monday = made.pop("next_run_at")
    assert made == {
        "id": 1,
        "name": "Weekly",
        "sql": ROWS,
        "every": "weekly",
        "recipients": [ident(world, "cy"), "team:admins", f"team:{team}"],
        "created_by": ident(world, "bo"),
        "last_error": None,
        "last_result": None,
        "last_rows": None,
        "last_run_at": None,
    }
    moment = datetime.datetime.fromtimestamp(monday, datetime.UTC)
    assert (moment.isoweekday(), moment.hour, moment.minute, moment.second) == (1, 8, 0, 0)
    assert NOW < monday <= NOW + 7 * DAY
    assert call(world, "ana", "analytics.reports") == [made | {"next_run_at": monday}]
    assert world.events_since(seq)[-1] == ("report.saved", "report:1")
    (event,) = [
        one for one in call(world, "ana", "api.changes", since=seq)["events"] if one["kind"] == "report.saved"
    ]
    assert event["payload"] == {
        "name": "Weekly",
        "sql": ROWS,
        "every": "weekly",
        "recipients": made["recipients"],
    }
    assert "report.saved" not in {
        one["kind"] for one in call(world, "cy", "api.changes", since=seq)["events"]
    }


@pytest.mark.parametrize(("every", "day"), [("daily", None), ("monthly", 1)])
def test_the_next_run_is_in_the_morning_of_the_org(world: World, every: str, day: int | None) -> None:
    call(world, "ana", "org.update", zone="America/New_York")
    made = save(world, every=every)
    zone = zoneinfo.ZoneInfo("America/New_York")
    moment = datetime.datetime.fromtimestamp(made["next_run_at"], zone)
    assert (moment.hour, moment.minute) == (8, 0)
    assert made["next_run_at"] <= NOW + 32 * DAY
    assert day is None or moment.day == day


def test_changing_one_tells_what_changed_and_voids_what_another_query_found(world: World) -> None:
    save(world, sql=ROWS, recipients=["@cy"])
    call(world, "bo", "analytics.report_run", id=1)
    seq = world.database.seq
    value = {"id": 1, "name": "Kinds", "sql": ROWS, "every": "manual"}
    assert call(world, "bo", "analytics.report_save", **value) == report(
        world
    )  # nothing is other than it was
    assert world.events_since(seq) == []
    renamed = call(world, "bo", "analytics.report_save", **value | {"name": "Sorts"})
    assert (renamed["last_rows"], renamed["recipients"]) == (2, [ident(world, "cy")])
    other = call(world, "ana", "analytics.report_save", **value | {"sql": "select 1", "recipients": []})
    assert other == renamed | {
        "name": "Kinds",
        "sql": "select 1",
        "recipients": [],
        "last_rows": None,
        "last_run_at": None,
        "last_result": None,
    }
    events = [one["payload"] for one in call(world, "bo", "api.changes", since=seq)["events"]]
    assert events == [
        {"name": "Sorts", "changes": {"name": {"from": "Kinds", "to": "Sorts"}}},
        {
            "name": "Kinds",
            "changes": {
                "name": {"from": "Sorts", "to": "Kinds"},
                "sql": {"from": ROWS, "to": "select 1"},
                "recipients": {"from": [ident(world, "cy")], "to": []},
            },
        },
    ]


def test_deleting_one_keeps_what_it_said_in_its_event(world: World) -> None:
    save(world, recipients=["@cy"])
    kept = save(world, name="Other")
    seq = world.database.seq
    assert call(world, "ana", "analytics.report_delete", id=1) == [kept]
    (event,) = call(world, "bo", "api.changes", since=seq)["events"]
    assert (event["kind"], event["subject"]) == ("report.deleted", "report:1")
    assert event["payload"] == {
        "name": "Kinds",
        "sql": "select 'all' as kind, 7 as number",
        "every": "manual",
        "recipients": [ident(world, "cy")],
    }
    for op, value in (
        ("run", {}),
        ("delete", {}),
        ("save", {"name": "x", "sql": "select 1", "every": "manual"}),
    ):
        with refused("not-found"):
            call(world, "bo", f"analytics.report_{op}", id=1, **value)


def test_what_cannot_run_is_not_kept(world: World) -> None:
    for sql in (
        "delete from events",
        "select * from member",
        "select nothing from events",
        "select 1; select 2",
    ):
        with pytest.raises(KbworkProblem) as seen:
            save(world, sql=sql)
        assert (seen.value.slug, seen.value.errors[0]["path"]) == ("invalid-input", "sql")
    assert call(world, "bo", "analytics.reports") == []


def test_recipients_are_here_and_no_guests(world: World) -> None:
    for who in ("@gus", "@nobody", "team:77", "team:x", "label:1"):
        with pytest.raises(KbworkProblem) as seen:
            save(world, recipients=["@cy", who])
        assert (seen.value.slug, seen.value.errors[0]["path"]) == ("invalid-input", "recipients[1]")
    made = save(world, recipients=["me", "@bo", "team:0", f"member:{ident(world, 'cy')}"])
    assert made["recipients"] == [ident(world, "bo"), "team:admins", ident(world, "cy")]


def test_an_org_has_a_hundred(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    from kbwork.modules.analytics import ops

    monkeypatch.setattr(ops, "MOST", 1)
    save(world)
    with refused("conflict"):
        save(world)
    save(world, id=1, name="Still")


def test_running_one_keeps_the_first_rows_and_tells_who_gets_it(world: World) -> None:
    save(world, "ana", sql=ROWS, recipients=["@bo", "@cy", "team:admins"])
    seq = world.database.seq
    ran = call(world, "ana", "analytics.report_run", id=1)
    assert (ran["last_run_at"], ran["last_rows"], ran["last_error"]) == (NOW, 2, None)
    assert ran["last_result"] == {"columns": ["column1", "column2"], "rows": [["bug", 3], ["task", None]]}
    assert world.events_since(seq) == [("report.ran", "report:1")]
    assert told(world, "bo") == [("report:1", "report", ["report.ran"])]
    assert told(world, "cy") == [("report:1", "report", ["report.ran"])]
    assert told(world, "ana") == told(world, "di") == []
    (admin,), (other,) = inbox(world, "bo"), inbox(world, "cy")
    assert admin["events"][0]["summary"] == "ran it: column1, column2: bug, 3; task, -"
    assert (other["title"], other["events"][0]["summary"]) == ("Kinds", "ran it")


def test_who_is_no_admin_learns_nothing_but_the_name(world: World) -> None:
    save(world, sql="select 'classified'", recipients=["@cy"])
    seq = world.database.seq
    call(world, "bo", "analytics.report_run", id=1)
    (event,) = call(world, "cy", "api.changes", since=seq)["events"]
    assert event["payload"] == {"report": 1, "name": "Kinds"}
    assert call(world, "di", "api.changes", since=seq)["events"] == []
    for op, value in (
        ("notifications.list", {}),
        ("activity.recent", {}),
        ("subjects.resolve", {"refs": ["report:1"]}),
    ):
        assert "classified" not in str(call(world, "cy", op, **value))
    text = "".join(str(letter) for letter in letters(world))
    assert "classified" not in text


def test_an_admin_who_is_none_any_more_reads_the_name_from_then_on(world: World) -> None:
    save(world, "ana", sql="select 'classified'", recipients=["@bo"])
    call(world, "ana", "analytics.report_run", id=1)
    assert "classified" in str(inbox(world, "bo"))
    call(world, "ana", "members.update", id=ident(world, "bo"), role="member")
    assert "classified" not in str(inbox(world, "bo"))
    assert told(world, "bo") == [("report:1", "report", ["report.ran"])]


def test_those_of_a_team_are_told_as_it_is_when_it_runs(world: World) -> None:
    team = call(world, "ana", "teams.save", name="Ops")["id"]
    call(world, "ana", "teams.member_set", id=team, who="@di", role="member")
    save(world, recipients=[f"team:{team}"])
    call(world, "bo", "analytics.report_run", id=1)
    assert ("report:1", "report", ["report.ran"]) in told(world, "di")
    call(world, "ana", "teams.delete", id=team)
    assert report(world)["recipients"] == []
    assert told(world, "di") == []


def test_a_run_that_fails_keeps_why_and_what_was_found_before(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    sql = "select json(kind || '{') from events where kind = 'issue.created'"
    save(world, "ana", sql=sql, recipients=["@cy"])
    assert call(world, "ana", "analytics.report_run", id=1)["last_rows"] == 0
    call(world, "ana", "issues.create", project="WEB", title="Cart")
    seq = world.database.seq
    failed = call(world, "bo", "analytics.report_run", id=1)
    assert failed["last_error"] == "The query cannot run: malformed JSON."
    assert (failed["last_rows"], failed["last_result"]["rows"]) == (0, [])
    assert call(world, "cy", "api.changes", since=seq)["events"] == []
    assert [one["events"][0]["summary"] for one in inbox(world, "ana")] == [
        "could not run it: The query cannot run: malformed JSON."
    ]
    call(world, "ana", "analytics.report_save", id=1, name="Kinds", sql="select 1", every="manual")
    assert call(world, "ana", "analytics.report_run", id=1)["last_error"] is None


def test_one_that_is_changed_while_it_runs_keeps_nothing_of_it(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    save(world, sql="select 1")
    begun, go, asked = threading.Event(), threading.Event(), sandbox._asked

    def slow(*args: Any) -> Any:
        if args[2]:
            begun.set()
            go.wait(10)
        return asked(*args)

    monkeypatch.setattr(sandbox, "_asked", slow)
    seen: list[str] = []

    def run() -> None:
        with (
            Kbwork(world.url, world.people["ana"].session) as client,
            pytest.raises(KbworkProblem) as refused_,
        ):
            client.call("analytics.report_run", {"id": 1})
        seen.append(refused_.value.slug)

    running = threading.Thread(target=run)
    running.start()
    assert begun.wait(10)
    save(world, id=1, sql="select 2")
    go.set()
    running.join(15)
    assert seen == ["conflict"]
    assert report(world)["last_run_at"] is None


def test_it_runs_by_itself_once_for_each_time(world: World) -> None:
    made = save(world, sql=ROWS, every="daily", recipients=["@bo"])
    seq = world.database.seq
    due(world)
    found = report(world)
    assert (found["last_rows"], found["next_run_at"]) == (2, made["next_run_at"] + DAY)
    assert [kind for kind, _ in world.events_since(seq) if kind.startswith("report.")] == ["report.ran"]
    assert told(world, "bo") == [("report:1", "report", ["report.ran"])]
    world.advance(5 * DAY)  # the server was down: it is made up for once
    eventually(lambda: report(world)["last_run_at"] > found["last_run_at"])
    assert report(world)["next_run_at"] > world.clock.now()
    assert [kind for kind, _ in world.events_since(seq) if kind.startswith("report.")] == ["report.ran"] * 2


def test_it_stops_when_whoever_saved_it_is_no_admin_any_more(world: World) -> None:
    made = save(world, every="daily", recipients=["@cy"])
    call(world, "ana", "members.update", id=ident(world, "bo"), role="member")
    world.advance(made["next_run_at"] - NOW + 1)
    eventually(lambda: report(world, who="ana")["last_error"])
    found = report(world, who="ana")
    assert (found["last_run_at"], found["next_run_at"]) == (None, None)
    assert (
        found["last_error"] == "Whoever saved it last is no admin any more: another admin saves it to go on."
    )
    again = call(world, "ana", "analytics.report_save", id=1, name="Kinds", sql=found["sql"], every="daily")
    assert again["last_error"] is None
    assert again["next_run_at"] > world.clock.now()
    assert again["created_by"] == ident(world, "bo")


@pytest.mark.parametrize("meanwhile", ["deleted", "changed", "run", "author"])
def test_what_is_other_when_its_time_comes_or_its_answer_keeps_nothing_of_it(
    world: World, monkeypatch: pytest.MonkeyPatch, meanwhile: str
) -> None:
    made = save(world, sql="select 1", every="daily", recipients=["@cy"])
    begun, go, asked = threading.Event(), threading.Event(), sandbox._asked

    def slow(file: Any, sql: str, look: bool) -> Any:
        if look and not begun.is_set():
            begun.set()
            go.wait(10)
        return asked(file, sql, look)

    monkeypatch.setattr(sandbox, "_asked", slow)
    world.advance(made["next_run_at"] - NOW + 1)
    assert begun.wait(10)
    if meanwhile == "deleted":
        call(world, "bo", "analytics.report_delete", id=1)
    elif meanwhile == "changed":
        save(world, id=1, sql="select 2", every="daily")
    elif meanwhile == "run":
        call(world, "ana", "analytics.report_run", id=1)
    else:
        call(world, "ana", "members.update", id=ident(world, "bo"), role="member")
    go.set()
    ended = "select count(*) from job where kind = 'analytics.run' and ended_at is not null"
    eventually(lambda: world.database.read_now(lambda tx: tx.value(ended)) == 1)
    runs = [kind for kind, _ in world.events_since(0) if kind == "report.ran"]
    assert len(runs) == (1 if meanwhile == "run" else 0)
    if meanwhile in ("changed", "author"):
        assert report(world, who="ana")["last_run_at"] is None


def test_a_module_that_is_off_runs_nothing(world: World) -> None:
    made = save(world, every="daily")
    call(world, "ana", "org.modules_set", off=["analytics"])
    world.advance(made["next_run_at"] - NOW + 60)
    world.settle()
    stored = world.database.read_now(lambda tx: tx.one("select * from report"))
    assert stored is not None
    assert stored["last_run_at"] is None


def test_who_is_erased_is_told_of_nothing_and_stands_in_no_result(world: World) -> None:
    save(world, "ana", sql="select actor from events", recipients=["@cy", "@di"])
    call(world, "ana", "analytics.report_run", id=1)
    call(world, "ana", "members.erase", id="@cy", confirm_name="Cy Moss")
    eventually(lambda: report(world)["recipients"] == [ident(world, "di")])
    assert report(world)["last_result"] is None


def test_what_is_purged_stands_in_no_result(world: World) -> None:
    call(world, "ana", "issues.create", project="WEB", title="Cart")
    save(world, sql="select payload ->> '$.title' from events where kind = 'issue.created'")
    assert "Cart" in str(call(world, "bo", "analytics.report_run", id=1)["last_result"])
    call(world, "ana", "issues.delete", key="WEB-1")
    call(world, "ana", "trash.purge", ids=[one["id"] for one in call(world, "ana", "trash.list")["items"]])
    eventually(lambda: report(world)["last_result"] is None)


def test_it_is_deleted_once_and_told_to_admins_alone(world: World) -> None:
    save(world)
    seq = world.database.seq
    answers = together(world, "bo", [("analytics.report_delete", {"id": 1})] * 4)
    assert slugs(answers) == ["not-found"] * 3
    assert world.events_since(seq) == [("report.deleted", "report:1")]
    assert call(world, "cy", "api.changes", since=seq)["events"] == []


def test_a_connected_client_that_was_given_some_modules_reads_none(world: World) -> None:
    save(world)
    client = ConnectedClient(world, "bo", ["analytics", "issues"])
    asked: dict[str, dict[str, Any]] = {
        "analytics.query": {"sql": "select 1"},
        "analytics.export": {"format": "ndjson", "from": "2026-01-01", "to": "2026-01-01"},
        "analytics.reports": {},
        "analytics.report_save": {"name": "One", "sql": "select 1", "every": "manual"},
        "analytics.report_run": {"id": 1},
        "analytics.report_delete": {"id": 1},
    }
    for op, value in asked.items():
        with pytest.raises(NotAllowed):
            client.call(op, **value)
    assert report(world)["last_run_at"] is None
