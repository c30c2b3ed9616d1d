"""What rules that no event sets off are refused: too wide a query, one that cannot be asked, an author who is none."""

import itertools
from typing import Any

import pytest

from kbwork.db.tx import Read, Write
from kbwork.modules.automation.engine import follower, states, steps, timetable
from tests.conftest import World
from tests.core.events.rounds import falls, narrowed, rounds, told_by_the_doctor
from tests.modules.automation.rules import CREATED, RAISE, field, issue, log, one, rule, said, work
from tests.modules.automation.test_ingest import send
from tests.modules.calls import call, eventually, refused
from tests.modules.notifications.inboxes import told

SAY = {"op": "comments.create", "input": {"subject": "{{issue}}", "body": "Still?"}}
EACH_MINUTE = {"kind": "schedule", "every": "* * * * *"}
BUTTON = {"kind": "button", "label": "Go"}
STATE = {"kind": "state", "minutes": 30}
TIMED = [EACH_MINUTE, BUTTON, STATE]


def look(world: World) -> None:
    """At the states, as each minute."""

    def once(tx: Write) -> None:
        if found := states.changes(tx):
            states.write(tx, found)

    world.database.write_now(once)


def set_off(world: World, made: dict[str, Any], who: str = "bo") -> None:
    """Have it run by what its trigger says."""
    kind = made["trigger"]["kind"]
    if kind == "button":
        call(world, who, "automation.run", id=made["id"])
    elif kind == "state":
        with world.at_rest():
            look(world)
    else:
        before = len(log(world, who))
        world.advance(60)
        eventually(lambda: len(log(world, who)) > before)


@pytest.mark.parametrize("trigger", TIMED)
def test_a_query_that_fits_too_many_runs_for_none(
    world: World, trigger: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kbwork.modules.automation.engine.states.MOST_ISSUES", 1)
    monkeypatch.setattr("kbwork.modules.automation.engine.timetable.MOST_ISSUES", 1)
    keys = [issue(world) for _ in range(2)]
    made = rule(world, trigger=trigger | {"tql": "project = WEB"})
    seq = world.database.seq
    set_off(world, made)
    first = log(world)[0]
    assert (first["ok"], first["message"]) == (False, "More than 1 issues fit its query: narrow it.")
    assert log(world, "cy")[0]["message"] == "Failed."  # how many fit is known with its author's eyes
    assert world.events_since(seq)[0] == ("rule.failed", f"rule:{made['id']}")
    assert [field(world, key) for key in keys] == ["none"] * 2
    assert one(world, made["id"])["enabled"]


@pytest.mark.parametrize("trigger", TIMED)
def test_a_query_that_cannot_be_asked_any_more_says_so(world: World, trigger: dict[str, Any]) -> None:
    """As one is that an older version took."""
    key = issue(world)
    made = rule(world, trigger=trigger | {"tql": "open"})
    world.database.write_now(
        lambda tx: tx.execute("update rule set trigger = json_set(trigger, '$.tql', 'severity > 1')")
    )
    set_off(world, made)
    first = log(world)[0]
    assert (first["ok"], "severity" in first["message"]) == (False, True)
    assert log(world, "cy")[0]["message"] == "Failed."
    assert field(world, key) == "none"


@pytest.mark.parametrize("tql", ["project = WEB", "severity > 1"])
def test_who_runs_one_by_hand_that_cannot_run_is_answered_why(
    world: World, tql: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kbwork.modules.automation.engine.timetable.MOST_ISSUES", 1)
    for _ in range(2):
        issue(world)
    made = rule(world, trigger=BUTTON | {"tql": "open"})
    world.database.write_now(
        lambda tx: tx.execute("update rule set trigger = json_set(trigger, '$.tql', :tql)", tql=tql)
    )
    entry = call(world, "bo", "automation.run", id=made["id"])["log"]
    assert [(one["id"], one["ok"]) for one in log(world)] == [(entry, False)]


@pytest.mark.parametrize("trigger", [EACH_MINUTE, STATE])
def test_one_whose_author_is_no_admin_is_switched_off_when_its_time_comes(
    world: World, trigger: dict[str, Any]
) -> None:
    key = issue(world)
    made = rule(world, trigger=trigger | {"tql": "project = WEB"})
    with world.at_rest():
        call(world, "ana", "members.update", id=world.people["bo"].id, role="member")
        seq = world.database.seq
        if trigger is STATE:
            look(world)
            assert not one(world, made["id"], "ana")["enabled"]
    if trigger is EACH_MINUTE:
        world.advance(60)
    eventually(lambda: not one(world, made["id"], "ana")["enabled"])
    assert world.events_since(seq) == [("rule.disabled", f"rule:{made['id']}")]
    assert told(world, "ana") == [(f"rule:{made['id']}", "rule", ["rule.disabled"])]
    assert (log(world, "ana"), field(world, key)) == ([], "none")


def test_a_button_with_a_query_runs_for_each_that_fits(world: World) -> None:
    keys = [issue(world) for _ in range(2)]
    other = issue(world, priority="low")
    made = rule(world, trigger=BUTTON | {"tql": "priority = none"})
    entry = call(world, "ana", "automation.run", id=made["id"])["log"]
    found = log(world)
    assert [(one["ok"], one["message"]) for one in found if one["id"] == entry] == [
        (True, "Runs for 2 issues.")
    ]
    assert [field(world, key) for key in (*keys, other)] == ["high", "high", "low"]
    assert sorted(label for ok, label, _ in said(world) if label and ok) == sorted(keys)


def test_for_which_issues_a_state_would_run_now(world: World) -> None:
    made = rule(world, trigger=STATE | {"tql": "priority = none"})
    call(world, "bo", "automation.run", id=made["id"])
    keys = [issue(world) for _ in range(2)]
    private = call(world, "di", "issues.create", project="PRV", title="Own")["key"]
    call(world, "ana", "automation.run", id=made["id"])
    none, some = (message for _, _, message in said(world))
    assert none == "0 issues fit now; it runs for each that does so for 30 minutes."
    assert some.startswith("2 issues fit now; it runs for each that does so for 30 minutes: ")
    assert all(key in some for key in keys)
    assert private not in some
    assert [field(world, key) for key in keys] == ["none"] * 2


def test_conditions_that_do_not_hold_do_nothing_by_hand(world: World) -> None:
    make = {"op": "issues.create", "input": {"project": "WEB", "title": "Made"}}
    made = rule(
        world, trigger=BUTTON | {"tql": "project = WEB"}, conditions=[{"role": "guest"}], actions=[make]
    )
    issue(world)
    call(world, "bo", "automation.run", id=made["id"])
    work(world)
    assert len(call(world, "ana", "issues.list", project="WEB")["items"]) == 1
    assert [message for _, _, message in said(world)] == ["Runs for 1 issue."]


def test_all_or_any_of_some_conditions_hold(world: World) -> None:
    low, cart = (
        {"field": "priority", "op": "=", "value": "low"},
        {"field": "title", "op": "~", "value": "cart"},
    )
    rule(world, name="All", conditions=[{"all": [low, cart]}], actions=[SAY])
    rule(world, name="Any", conditions=[{"any": [low, cart]}])
    both, either, neither = (
        issue(world, priority="low"),
        issue(world, title="Stock", priority="low"),
        issue(world, title="Stock"),
    )
    work(world)
    assert [field(world, key) for key in (both, either, neither)] == ["high", "high", "none"]
    comments = [
        len(call(world, "ana", "comments.list", subject=f"issue:{key}")) for key in (both, either, neither)
    ]
    assert comments == [1, 0, 0]


def test_more_than_may_wait_are_not_run_and_said_so(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kbwork.modules.automation.engine.queue.MOST_WAITING", 1)
    rule(world)
    with world.at_rest():
        keys = [issue(world) for _ in range(2)]
    assert [(ok, label) for ok, label, _ in said(world)] == [(False, keys[1]), (True, keys[0])]
    assert said(world)[0][2] == "Not run: 1 runs of this rule wait already."
    assert [field(world, key) for key in keys] == ["high", "none"]


def test_what_somebody_else_queued_is_not_queued_again(world: World) -> None:
    rule(world, actions=[SAY])
    with world.at_rest():
        key = issue(world)
        found = world.database.write_now(follower.FOLLOW.look)
        assert found is not None
        for _ in range(2):
            world.database.write_now(lambda tx: follower.FOLLOW.write(tx, found))
    work(world)
    assert len(call(world, "ana", "comments.list", subject=f"issue:{key}")) == 1


def test_a_state_that_changed_since_it_was_looked_at_is_not_written_down(world: World) -> None:
    made = rule(world, trigger=STATE | {"tql": "project = WEB"})
    with world.at_rest():
        issue(world)
        found = world.database.write_now(states.changes)
        call(world, "bo", "automation.save", id=made["id"], trigger=STATE | {"tql": "priority = low"})
        world.database.write_now(lambda tx: states.write(tx, found))
        assert world.database.write_now(lambda tx: tx.value("select count(*) from rule_state")) == 0
        call(world, "bo", "automation.delete", id=made["id"])
        world.database.write_now(lambda tx: states.write(tx, found))
    assert world.database.write_now(lambda tx: tx.value("select count(*) from rule_state")) == 0


def test_where_the_module_is_off_no_state_is_looked_at(world: World) -> None:
    rule(world, trigger=STATE | {"tql": "project = WEB"})
    issue(world)
    call(world, "ana", "org.modules_set", off=["automation"])
    assert world.database.write_now(states.changes) == []
    call(world, "ana", "org.modules_set", on=["automation"])
    assert len(world.database.write_now(states.changes)) <= 1


def test_an_action_whose_issues_cannot_be_named_may_be_left_out(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kbwork.modules.automation.engine.steps.MOST_EACH", 1)
    each = RAISE | {"each": "project = WEB", "on_error": "go_on"}
    rule(world, trigger=CREATED | {"tql": "title ~ stock"}, actions=[each, SAY | {"on_error": "go_on"}])
    first = issue(world)
    key = issue(world, title="Stock")
    ((ok, _, message),) = said(world)
    assert ok
    assert message.startswith("Ran 1 operation. 1 left out, the first: More than 1 issues fit")
    assert [field(world, one) for one in (first, key)] == ["none", "none"]
    assert len(call(world, "ana", "comments.list", subject=f"issue:{key}")) == 1


@pytest.mark.parametrize(
    ("trigger", "place"),
    [
        ({"kind": "event"}, "trigger.event"),
        ({"kind": "schedule"}, "trigger.every"),
        ({"kind": "button"}, "trigger.label"),
        ({"kind": "state", "minutes": 5}, "trigger.tql"),
        ({"kind": "state", "tql": ""}, "trigger.tql"),
        ({"kind": "state", "tql": "open"}, "trigger.minutes"),
        ({"kind": "schedule", "every": "0 9 * *"}, "trigger.every"),
        ({"kind": "schedule", "every": "* * * * *", "zone": "Europe/Berln"}, "trigger.zone"),
        ({"kind": "button", "label": "Go", "event": "issue.created"}, "trigger.event"),
    ],
)
def test_a_trigger_that_lacks_what_it_needs_is_refused_with_its_place(
    world: World, trigger: dict[str, Any], place: str
) -> None:
    with refused("invalid-input") as problem:
        rule(world, trigger=trigger)
    assert [error["path"] for error in problem.value.errors] == [place]
    assert call(world, "bo", "automation.list") == []


def test_conditions_need_an_issue_that_they_could_ask(world: World) -> None:
    with refused("invalid-input") as problem:
        rule(world, trigger=BUTTON, conditions=[{"field": "title", "op": "empty"}])
    assert [error["path"] for error in problem.value.errors] == ["conditions"]
    assert rule(world, trigger=BUTTON | {"tql": "open"}, conditions=[{"field": "title", "op": "empty"}])[
        "enabled"
    ]


def test_rules_of_one_time_are_set_off_bit_by_bit(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timetable, "_STEP_S", -1.0, raising=False)
    issue(world)
    for name in ("One", "Two", "Three"):
        rule(world, name=name, trigger=EACH_MINUTE | {"tql": "project = WEB"}, actions=[SAY])
    with world.at_rest():
        world.clock.advance(60)
        waiting = []
        for _ in range(4):
            world.database.write_now(timetable._run)
            waiting.append(world.database.read_now(lambda tx: tx.value("select count(*) from rule_run")))
    assert waiting == [1, 2, 3, 3]


def _fired(world: World, made: dict[str, Any]) -> None:
    """By hand, or by a request from outside."""
    if path := made["trigger"]["path"]:
        assert send(world, path, {})[0] == 200
    else:
        call(world, "bo", "automation.run", id=made["id"])


@pytest.mark.parametrize("trigger", [BUTTON, STATE, {"kind": "hook"}])
def test_a_query_that_takes_long_holds_no_write_up(
    world: World, trigger: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    made = rule(world, trigger=trigger | {"tql": "project = WEB"}, actions=[SAY])
    issue(world)
    found: list[bool] = []
    listed = steps.listed

    def slow(tx: Read, *more: Any) -> list[int]:
        found.append(isinstance(tx, Write))
        return listed(tx, *more)

    monkeypatch.setattr("kbwork.modules.automation.engine.steps.listed", slow)
    with world.at_rest():
        _fired(world, made)
    assert set(found) == {False}


@pytest.mark.parametrize("trigger", [BUTTON, {"kind": "hook"}])
def test_a_rule_that_is_changed_while_its_query_is_asked_runs_for_nothing(
    world: World, trigger: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    made = rule(world, trigger=trigger | {"tql": "project = WEB"}, actions=[SAY])
    issue(world)
    listed, numbers = steps.listed, itertools.count()

    def meanwhile(tx: Read, *more: Any) -> list[int]:
        """To another query each time: what takes long begins anew, and sees what was written before."""
        other = f'project = SEC and title ~ "{next(numbers)}"'
        narrower = "update rule set trigger = json_set(trigger, '$.tql', :other) where id = :id"
        world.database.write_now(lambda tx: tx.execute(narrower, other=other, id=made["id"]))
        return listed(tx, *more)

    monkeypatch.setattr("kbwork.modules.automation.engine.steps.listed", meanwhile)
    if path := made["trigger"]["path"]:
        assert send(world, path, {})[0] == 409
    else:
        with refused("conflict"):
            call(world, "bo", "automation.run", id=made["id"])
    work(world)
    assert log(world, rule=made["id"]) == []


@pytest.mark.parametrize(
    ("place", "given"),
    [
        ("kbwork.modules.automation.engine.occasion:of_event", lambda row, depth, payload: row["seq"]),
        ("kbwork.modules.automation.engine.queue:add", lambda tx, number, about: about.seq),
    ],
)
def test_an_event_that_cannot_be_taken_is_left_out_and_the_others_set_rules_off(
    world: World, monkeypatch: pytest.MonkeyPatch, place: str, given: Any
) -> None:
    rule(world)
    with world.at_rest():
        keys = [issue(world) for _ in range(5)]
        asked = "select seq from events where kind = 'issue.created' and subject = 'issue:3'"
        bad = world.database.write_now(lambda tx: tx.value(asked))
        falls(monkeypatch, place, lambda *args: given(*args) == bad)
        assert narrowed(rounds(world.database, follower.FOLLOW))
        told_of = f"automation left out the event {bad} (issue.created) at "
        assert told_by_the_doctor(world.database)[0][1].startswith(told_of)
    work(world)
    assert [field(world, key) for key in keys] == ["high", "high", "none", "high", "high"]
