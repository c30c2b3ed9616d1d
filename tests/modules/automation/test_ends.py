"""What rules ran for, who wrote them and what they name comes to an end: they stop, forget, and say why."""

from typing import Any

import pytest

from kbwork.base.errors import Internal
from kbwork.db.tx import Write
from kbwork.modules.automation import jobs
from kbwork.modules.automation.engine import steps
from tests.conftest import World
from tests.modules.automation.rules import (
    CREATED,
    RAISE,
    field,
    follow,
    issue,
    log,
    one,
    rule,
    said,
    some_runs,
    work,
)
from tests.modules.calls import call, eventually, refused
from tests.modules.notifications.inboxes import told
from tests.modules.together import slugs, together

SAY = {"op": "comments.create", "input": {"subject": "{{issue}}", "body": "Still?"}}


def count(world: World, table: str) -> int:
    return world.database.write_now(lambda tx: int(tx.value(f"select count(*) from {table}")))


def test_a_run_that_the_server_cannot_make_holds_up_the_others_for_three_tries(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    perform = steps.perform

    def fall(tx: Write, actions: list[dict[str, Any]], *rest: Any) -> Any:
        if actions[0]["op"] == "comments.create":
            raise RuntimeError("a fault of ours")
        return perform(tx, actions, *rest)

    monkeypatch.setattr(steps, "perform", fall)
    broken, whole = rule(world, name="Say", actions=[SAY]), rule(world)
    with world.at_rest():
        key = issue(world)
        follow(world)
        for _ in range(3):
            with pytest.raises(Internal):
                some_runs(world)
        assert (some_runs(world), some_runs(world), some_runs(world)) == (True, True, False)
    assert said(world, rule=broken["id"]) == [
        (False, key, "It could not be run, and was given up: the server's log says more.")
    ]
    assert said(world, rule=whole["id"]) == [(True, key, "Ran 1 operation.")]
    assert field(world, key) == "high"


def test_where_the_module_is_off_nothing_runs_and_nothing_is_made_up_for(world: World) -> None:
    rule(world, actions=[SAY | {"delay_minutes": 5}])
    key = issue(world)
    work(world)
    assert count(world, "rule_run") == 1
    call(world, "ana", "org.modules_set", off=["automation"])
    issue(world)
    follow(world)
    world.clock.advance(301)
    eventually(lambda: count(world, "rule_run") == 0)
    with refused("not-found"):
        call(world, "bo", "automation.list")
    call(world, "ana", "org.modules_set", on=["automation"])
    assert said(world) == [(True, key, "Ran 0 operations. The rest waits 5 minutes.")]


def test_what_is_purged_stays_in_no_log_and_runs_no_more(world: World) -> None:
    rule(world, actions=[SAY, RAISE | {"delay_minutes": 10}])
    key = issue(world, title="Hush")
    work(world)
    assert (count(world, "rule_log"), count(world, "rule_run")) == (1, 1)
    entry = call(world, "ana", "issues.delete", key=key)["trash"]
    assert log(world, "cy") == []
    call(world, "ana", "trash.purge", ids=[entry])
    assert (count(world, "rule_log"), count(world, "rule_run")) == (0, 0)


def test_what_waits_for_something_in_the_trash_fails_and_says_so(world: World) -> None:
    made = rule(world, actions=[RAISE | {"delay_minutes": 10}])
    key = issue(world)
    work(world)
    entry = call(world, "ana", "issues.delete", key=key)["trash"]
    world.clock.advance(601)
    work(world)
    call(world, "ana", "trash.restore", ids=[entry])
    assert [ok for ok, _, _ in said(world, rule=made["id"])] == [True, False]
    assert field(world, key) == "none"


def test_the_rules_of_an_erased_member_are_off_and_name_them_no_more(world: World) -> None:
    made = rule(world, actions=[SAY | {"input": {"subject": "{{issue}}", "body": "By {{me.name}}"}}])
    failing = rule(
        world, actions=[{"op": "issues.assign", "input": {"key": "{{key}}", "assignees": ["Bo Tran"]}}]
    )
    issue(world)
    assert any("Bo Tran" in message for _, _, message in said(world, rule=failing["id"]))
    call(world, "ana", "members.erase", id="@bo", confirm_name="Bo Tran")
    eventually(lambda: not one(world, made["id"], "ana")["enabled"])
    eventually(lambda: "Bo Tran" not in str(call(world, "ana", "automation.log")))


def test_no_entry_is_called_after_an_erased_member(world: World) -> None:
    key = issue(world)
    rule(
        world,
        trigger={"kind": "event", "event": "member.*"},
        actions=[{"op": "comments.create", "input": {"subject": f"issue:{key}", "body": "Who?"}}],
    )
    call(world, "ana", "members.update", id="@cy", role="guest")
    assert [label for _, label, _ in said(world, "ana")] == ["Cy Moss"]
    call(world, "ana", "members.erase", id="@cy", confirm_name="Cy Moss")
    eventually(lambda: count(world, "member where state = 'erased'") == 1)
    assert [label for _, label, _ in said(world, "ana")] == ["former member"] * 3


def test_old_entries_are_forgotten(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    made = rule(world)
    for _ in range(4):
        issue(world)
    work(world)
    monkeypatch.setattr(jobs, "MOST_KEPT", 3)
    world.database.write_now(jobs._sweep)
    assert len(log(world, rule=made["id"])) == 3
    monkeypatch.setattr(jobs, "KEPT_S", 60)
    world.clock.advance(61)
    world.database.write_now(jobs._sweep)
    assert log(world, rule=made["id"]) == []


@pytest.mark.parametrize("gone", ["field", "team", "lane", "project"])
def test_a_rule_that_names_what_is_gone_says_so_and_is_read_all_the_same(world: World, gone: str) -> None:
    more = _naming(world, gone)
    made = rule(world, trigger={"kind": "event", "event": "comment.created"}, actions=[RAISE], **more)
    key = issue(world)
    _remove(world, gone)
    call(world, "ana", "comments.create", subject=f"issue:{key}", body="Does it run?")
    work(world)
    assert field(world, key) == "none"
    assert one(world, made["id"])["name"] == "Raise"
    for ok, _, message in said(world, rule=made["id"]):
        assert (ok, gone in message.lower() or "condition" in message.lower()) == (False, True), message


def _naming(world: World, what: str) -> dict[str, Any]:
    if what == "field":
        call(world, "bo", "fields.save", key="severity", name="Severity", kind="text")
        return {"conditions": [{"field": "severity", "op": "=", "value": "high"}]}
    if what == "team":
        team = call(world, "bo", "teams.save", name="Movers", handle="movers")["id"]
        return {"conditions": [{"role": f"team:{team}"}]}
    if what == "lane":
        call(world, "ana", "lanes.save", key="waits", name="Waits", category="in_progress")
        return {"conditions": [{"tql": "status = Waits"}]}
    call(world, "ana", "projects.create", key="TMP", name="For a while")
    return {"conditions": [{"tql": "project = TMP"}]}


def _remove(world: World, what: str) -> None:
    if what == "field":
        call(world, "bo", "fields.delete", key="severity")
    elif what == "team":
        movers = next(one for one in call(world, "bo", "teams.list") if one["handle"] == "movers")
        call(world, "bo", "teams.delete", id=movers["id"])
    elif what == "lane":
        call(world, "ana", "lanes.delete", key="waits", move_to="todo")
    else:
        entry = call(world, "ana", "projects.delete", key="TMP", confirm_key="TMP")["trash"]
        call(world, "ana", "trash.purge", ids=[entry])


def test_where_an_author_lost_the_role_those_who_could_go_on_with_the_rule_are_told(world: World) -> None:
    made = rule(world)
    call(world, "ana", "members.update", id=world.people["bo"].id, role="member")
    eventually(lambda: not one(world, made["id"], "ana")["enabled"])
    assert told(world, "ana") == [(f"rule:{made['id']}", "rule", ["rule.disabled"])]
    assert told(world, "bo") == []


def test_several_who_press_the_button_or_delete_it_at_once(world: World) -> None:
    key = issue(world)
    say = {"op": "comments.create", "input": {"subject": f"issue:{key}", "body": "Pressed"}}
    made = rule(world, trigger={"kind": "button", "label": "Say"}, actions=[say])
    answers = together(world, "bo", [("automation.run", {"id": made["id"]})] * 6)
    assert len({answer["log"] for answer in answers}) == 6
    assert len(call(world, "ana", "comments.list", subject=f"issue:{key}")) == 6
    seq = world.database.seq
    answers = together(world, "bo", [("automation.delete", {"id": made["id"]})] * 4)
    assert slugs(answers) == ["not-found"] * 3
    assert world.events_since(seq) == [("rule.deleted", f"rule:{made['id']}")]


def test_one_that_is_switched_off_or_changed_drops_what_waits(world: World) -> None:
    made = rule(world, actions=[RAISE | {"delay_minutes": 10}])
    keys = [issue(world) for _ in range(2)]
    work(world)
    call(world, "bo", "automation.save", id=made["id"], enabled=False)
    call(world, "bo", "automation.save", id=made["id"], enabled=True)
    world.clock.advance(601)
    work(world)
    assert [field(world, key) for key in keys] == ["none"] * 2
    keys = [issue(world)]
    work(world)
    call(world, "bo", "automation.save", id=made["id"], name="Another name")  # it does the same
    world.clock.advance(601)
    work(world)
    assert [field(world, key) for key in keys] == ["high"]


def test_the_log_says_nothing_of_private_projects_to_others(world: World) -> None:
    call(world, "ana", "projects.create", key="OWN", name="Hush", visibility="private")
    call(world, "ana", "projects.member_set", key="OWN", who="@bo", role="member")
    each = {"op": "issues.update", "input": {"key": "{{key}}", "priority": "high"}, "each": "project = OWN"}
    rule(world, trigger={"kind": "event", "event": "issue.created", "tql": "project = OWN"})
    wide = rule(world, trigger=CREATED | {"tql": "project = WEB"}, actions=[each])
    hidden = call(world, "ana", "issues.create", project="OWN", title="Hush")["key"]
    shown = issue(world)
    work(world)
    assert {label for _, label, _ in said(world, "bo")} == {hidden, shown}
    for who in ("cy", "di"):
        assert said(world, who) == [(True, shown, "Ran.")]
        assert "OWN" not in str(log(world, who)) + str(call(world, who, "automation.list"))
    assert said(world, "bo", rule=wide["id"]) == [(True, shown, "Ran 1 operation.")]


def test_why_a_run_for_nothing_in_particular_failed_is_for_its_author(world: World) -> None:
    call(world, "ana", "projects.create", key="HUSHED", name="Hush", visibility="private")
    make = {"op": "issues.create", "input": {"project": "HUSHE", "title": "{{today}}"}}
    made = rule(world, "ana", trigger={"kind": "button", "label": "Go"}, actions=[make])
    seq = world.database.seq
    call(world, "ana", "automation.run", id=made["id"])
    ((_, _, message),) = said(world, "ana")
    assert "HUSHED" in message
    for who in ("bo", "cy"):
        assert said(world, who) == [(False, "", "Failed.")]
        assert "HUSHED" not in str(call(world, who, "api.changes", since=seq))


def test_why_an_action_was_refused_is_for_its_author_also_where_all_see_the_issue(world: World) -> None:
    """It names what the author sees: another thing that the action is for, or what is in the issue's way."""
    call(world, "ana", "projects.create", key="HUSHED", name="Hush", visibility="private")
    rule(world, "ana", actions=[{"op": "issues.create", "input": {"project": "HUSHE", "title": "{{title}}"}}])
    seq = world.database.seq
    key = issue(world)
    work(world)
    ((_, _, message),) = said(world, "ana")
    assert "HUSHED" in message
    for who in ("bo", "cy"):
        assert said(world, who) == [(False, key, "Failed.")]
        assert "HUSHED" not in str(call(world, who, "api.changes", since=seq))
