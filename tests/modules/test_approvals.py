"""Asking others to agree before an issue moves: who is asked, who decides, what ends a request, and the move itself."""

from typing import Any

import pytest

from tests.conftest import NOW, World
from tests.modules.calls import call, refused
from tests.modules.notifications.inboxes import follow, inbox, told
from tests.modules.together import slugs, together
from tests.modules.workflows.sample_workflows import flow, in_force

SCOPES = ["issues:read", "issues:write", "notifications:read"]


def ident(world: World, who: str) -> str:
    return world.people[who].id


def made(world: World, who: str = "cy", **more: Any) -> str:
    return str(call(world, who, "issues.create", project="WEB", title="One", **more)["key"])


def ask(world: World, who: str = "cy", key: str = "WEB-1", to: str = "in_progress", **more: Any) -> Any:
    return call(world, who, "approvals.request", key=key, to_status=to, **more)


def decide(world: World, who: str, request: int = 1, approve: bool = True, **more: Any) -> Any:
    return call(world, who, "approvals.decide", id=request, approve=approve, **more)


def of(world: World, key: str = "WEB-1", who: str = "cy") -> list[Any]:
    found: list[Any] = call(world, who, "approvals.list", key=key)
    return found


def state(world: World) -> str:
    return str(of(world)[0]["state"])


def lane(world: World, key: str = "WEB-1") -> str:
    return str(call(world, "cy", "issues.get", key=key)["lane"])


def happened(world: World, since: int) -> list[dict[str, Any]]:
    """Events of approvals since then, as whoever sees the issue reads them."""
    found = call(world, "cy", "api.changes", since=since)["events"]
    return [one for one in found if one["kind"].startswith("approval.")]


def test_one_who_is_asked_agrees_and_the_issue_moves_at_once(world: World) -> None:
    in_force(world, approvers=["@bo", "@di"])
    made(world)
    seq = world.database.seq
    asked = ask(world, note="Tried on the copy")
    assert asked == {
        "id": 1,
        "key": "WEB-1",
        "title": "One",
        "to_status": "in_progress",
        "transition": "start_work",
        "approvers": [ident(world, "bo"), ident(world, "di")],
        "needed": 1,
        "approvals": 0,
        "note": "Tried on the copy",
        "requested_by": ident(world, "cy"),
        "state": "pending",
        "created_at": NOW,
        "decided_at": None,
        "votes": [],
        "can_decide": False,
    }
    assert of(world, who="bo") == [asked | {"can_decide": True}]
    assert (asked["can_decide"], lane(world)) == (False, "todo")
    told = decide(world, "bo", note="Go on")
    vote = {"who": ident(world, "bo"), "approve": True, "note": "Go on", "at": NOW}
    done = asked | {"approvals": 1, "state": "done", "decided_at": NOW, "votes": [vote]}
    assert told == {"request": done, "moved": True}
    assert lane(world) == "in_progress"
    about = {"key": "WEB-1", "project": "WEB", "request": 1, "to_status": "in_progress"}
    assert [(one["kind"], one["actor"], one["payload"]) for one in happened(world, seq)] == [
        ("approval.requested", ident(world, "cy"), about | {"note": "Tried on the copy"}),
        (
            "approval.voted",
            ident(world, "bo"),
            about | {"who": ident(world, "bo"), "approve": True, "note": "Go on"},
        ),
        ("approval.approved", ident(world, "bo"), about | {"who": ident(world, "bo"), "note": "Go on"}),
        ("approval.moved", ident(world, "cy"), about),
    ]
    moves = [
        one
        for one in call(world, "cy", "api.changes", since=seq)["events"]
        if one["kind"] == "issue.transitioned"
    ]
    assert [(one["actor"], one["payload"]["transition"]) for one in moves] == [
        (ident(world, "cy"), "start_work")
    ]


def test_teams_and_fields_are_asked_as_the_people_they_stand_for_then(world: World) -> None:
    call(world, "bo", "fields.save", key="owner", name="Owner", kind="members")
    call(world, "bo", "teams.save", name="Shop")
    call(world, "bo", "teams.member_set", id=1, who="@di", role="member")
    in_force(world, approvers=["team:1", "field:owner", "team:admins", "@di"], needed=2)
    made(world, values={"owner": ["@cy", "@bo"]})
    asked = ask(world)
    assert asked["approvers"] == [ident(world, who) for who in ("bo", "di", "cy", "ana")]
    call(world, "cy", "issues.update", key="WEB-1", values={"owner": None})
    call(world, "bo", "teams.member_set", id=1, who="@di", role="none")
    assert of(world)[0]["approvers"] == asked["approvers"]
    with refused("not-allowed"):
        decide(world, "cy")
    assert decide(world, "di")["request"]["approvals"] == 1
    assert decide(world, "ana")["moved"]


def test_a_field_that_names_nobody_is_said_before_anybody_waits(world: World) -> None:
    call(world, "bo", "fields.save", key="owner", name="Owner", kind="member")
    in_force(world, approvers=["field:owner"])
    made(world)
    with refused("conflict"):
        ask(world)
    assert of(world) == []


def test_what_cannot_be_asked_is_refused(world: World) -> None:
    in_force(world, approvers=["@bo"], who=["member"])
    made(world)
    for to in ("nowhere", "done", "todo"):
        with refused("invalid-input") as refusal:
            ask(world, to=to)
        assert refusal.value.errors[0]["path"] == "to_status"
    with refused("not-found"):
        ask(world, key="WEB-9")
    with refused("not-found"):
        ask(world, "gus")
    ask(world)
    with refused("conflict"):
        ask(world, "di")
    call(world, "bo", "approvals.cancel", id=1)
    call(world, "bo", "issues.archive", keys=["WEB-1"], on=True)
    with refused("conflict"):
        ask(world)


def test_a_way_that_asks_nobody_is_gone_without_asking(world: World) -> None:
    in_force(world)
    made(world)
    with refused("invalid-input"):
        ask(world)


def test_who_may_not_move_it_may_not_ask(world: World) -> None:
    in_force(world, approvers=["@bo"], who=["lead"])
    made(world)
    with refused("workflow-refused") as refusal:
        ask(world)
    assert refusal.value.extra["rule"] == "who"


def test_who_may_only_report_moves_nothing_by_asking(world: World) -> None:
    in_force(world, "SEC", approvers=["@bo"])
    call(world, "di", "issues.create", project="SEC", title="Theirs")
    with refused("workflow-refused"):
        ask(world, "di", "SEC-1")


def test_nobody_decides_what_asks_others_or_their_own(world: World) -> None:
    in_force(world, approvers=["@bo", "@cy"])
    made(world)
    ask(world)
    for who in ("di", "cy"):
        with refused("not-allowed"):
            decide(world, who)
    with refused("not-found"):
        decide(world, "gus")
    with refused("not-found"):
        decide(world, "bo", 2)
    assert of(world)[0]["votes"] == []


def test_one_may_decide_ones_own_where_the_way_says_so(world: World) -> None:
    in_force(world, approvers=["@cy"], self_approval=True)
    made(world)
    assert ask(world)["can_decide"]
    assert decide(world, "cy")["moved"]


def test_agents_ask_and_never_decide(world: World) -> None:
    in_force(world, approvers=["@bo", "@di"])
    made(world)
    value = {"name": "robot", "kind": "agent", "agent": "builder", "scopes": SCOPES}
    agent = world._client("builder", call(world, "bo", "keys.create", **value)["secret"])
    ask(world)
    assert agent.call("approvals.list", {"key": "WEB-1"})[0]["can_decide"] is False
    assert agent.call("approvals.mine", {}) == []
    with refused("not-allowed"):
        agent.call("approvals.decide", {"id": 1, "approve": True})
    call(world, "cy", "approvals.cancel", id=1)
    assert agent.call("approvals.request", {"key": "WEB-1", "to_status": "in_progress"})[
        "requested_by"
    ] == ident(world, "bo")
    with refused("not-allowed"):  # it was asked in their own name
        decide(world, "bo", 2)
    decide(world, "di", 2, approve=False)
    follow(world)
    (entry,) = agent.call("notifications.list", {})["items"]
    assert (entry["reason"], entry["events"][0]["kind"]) == ("approval", "approval.rejected")


def test_nobody_decides_about_an_archived_issue_until_it_is_back(world: World) -> None:
    in_force(world, approvers=["@bo"])
    made(world)
    ask(world)
    call(world, "bo", "issues.archive", keys=["WEB-1"], on=True)
    assert not of(world, who="bo")[0]["can_decide"]
    with refused("conflict"):
        decide(world, "bo")
    call(world, "bo", "issues.archive", keys=["WEB-1"], on=False)
    assert decide(world, "bo")["moved"]


def test_what_was_asked_about_an_issue_is_told_to_who_sees_it(world: World) -> None:
    call(world, "bo", "projects.member_set", key="WEB", who="@gus", role="viewer")
    in_force(world, approvers=["@bo", "@gus"])
    made(world, level="private")
    seq = world.database.seq
    ask(world)
    assert of(world)[0]["state"] == "pending"
    for who in ("di", "gus"):
        with refused("not-found"):
            of(world, who=who)
        with refused("not-found"):
            call(world, who, "approvals.cancel", id=1)
        assert call(world, who, "api.changes", since=seq)["events"] == []
    assert call(world, "gus", "approvals.mine") == []
    with refused("not-found"):
        decide(world, "gus")


def test_a_personal_key_decides(world: World) -> None:
    in_force(world, approvers=["@bo"])
    made(world)
    ask(world)
    assert world.key("bo").call("approvals.decide", {"id": 1, "approve": True})["moved"]


def test_one_no_rejects_and_the_issue_stays(world: World) -> None:
    in_force(world, approvers=["@bo", "@di"], needed=2)
    made(world)
    ask(world)
    decide(world, "bo")
    seq = world.database.seq
    told = decide(world, "di", approve=False, note="Not this week")
    assert (told["moved"], told["request"]["state"], told["request"]["approvals"]) == (False, "rejected", 1)
    assert [one["kind"] for one in happened(world, seq)] == ["approval.voted", "approval.rejected"]
    assert lane(world) == "todo"
    for who in ("bo", "di"):
        with refused("conflict"):
            decide(world, who)
    with refused("conflict"):
        call(world, "cy", "approvals.cancel", id=1)
    assert ask(world)["id"] == 2


def test_a_vote_may_be_changed_while_others_are_waited_for(world: World) -> None:
    in_force(world, approvers=["@bo", "@di"], needed=2)
    made(world)
    ask(world)
    decide(world, "bo")
    seq = world.database.seq
    decide(world, "bo")
    assert happened(world, seq) == []
    world.advance(60)
    told = decide(world, "bo", note="With the new text")
    vote = {"who": ident(world, "bo"), "approve": True, "note": "With the new text", "at": NOW + 60}
    assert told["request"]["votes"] == [vote]
    assert decide(world, "bo", approve=False)["request"]["state"] == "rejected"


def test_what_stands_against_the_move_is_told_and_whoever_asked_moves_it_later(world: World) -> None:
    in_force(world, approvers=["@bo"], ask=[{"field": "estimate", "required": True}])
    made(world)
    ask(world)
    seq = world.database.seq
    told = decide(world, "bo")
    assert (told["moved"], told["request"]["state"]) == (False, "approved")
    assert told["blocked"] == "Start work asks for Estimate."
    assert [one["kind"] for one in happened(world, seq)] == ["approval.voted", "approval.approved"]
    with refused("approval-needed"):
        call(world, "di", "issues.transition", key="WEB-1", to_status="in_progress", values={"estimate": 2})
    (way,) = call(world, "cy", "issues.transitions", key="WEB-1")
    assert (way["allowed"], way["why"]) == (True, None)
    steps = call(world, "cy", "workflows.simulate", id=2, key="WEB-1", to_status="in_progress")["steps"]
    assert {one["rule"]: one["passed"] for one in steps}["approvers"]
    seq = world.database.seq
    call(world, "cy", "issues.transition", key="WEB-1", to_status="in_progress", values={"estimate": 2})
    assert (state(world), lane(world)) == ("done", "in_progress")
    assert [one["kind"] for one in happened(world, seq)] == ["approval.moved"]
    call(world, "cy", "issues.transition", key="WEB-1", to_status="done")
    call(world, "cy", "issues.transition", key="WEB-1", to_status="todo")
    with refused("approval-needed"):  # it was good for one move
        call(world, "cy", "issues.transition", key="WEB-1", to_status="in_progress")


def test_it_is_moved_with_the_rights_of_whoever_asked(world: World) -> None:
    in_force(world, approvers=["@bo"])
    made(world)
    ask(world)
    call(world, "ana", "members.update", id=ident(world, "cy"), role="guest")
    told = decide(world, "bo")
    assert (told["moved"], told["request"]["state"], lane_by(world, "bo")) == (False, "approved", "todo")
    assert told["blocked"]


def lane_by(world: World, who: str) -> str:
    return str(call(world, who, "issues.get", key="WEB-1")["lane"])


def test_a_guest_who_is_asked_decides_though_they_may_change_nothing(world: World) -> None:
    call(world, "bo", "projects.member_set", key="WEB", who="@gus", role="viewer")
    in_force(world, approvers=["@gus"])
    made(world)
    ask(world)
    assert [one["can_decide"] for one in call(world, "gus", "approvals.mine")] == [True]
    assert decide(world, "gus")["moved"]
    assert call(world, "gus", "approvals.mine") == []


def test_what_one_may_decide_comes_first_and_then_ones_own(world: World) -> None:
    in_force(world, approvers=["@bo", "@cy"])
    for _ in range(4):
        made(world)
    for who, key in (("cy", "WEB-1"), ("di", "WEB-2"), ("bo", "WEB-3"), ("di", "WEB-4")):
        ask(world, who, key)
    assert [(one["key"], one["can_decide"]) for one in call(world, "cy", "approvals.mine")] == [
        ("WEB-2", True),
        ("WEB-3", True),
        ("WEB-4", True),
        ("WEB-1", False),
    ]
    decide(world, "cy", 2)
    decide(world, "bo", 1, approve=False)
    call(world, "bo", "issues.delete", key="WEB-4")
    assert [one["key"] for one in call(world, "cy", "approvals.mine")] == ["WEB-3"]


@pytest.mark.parametrize("who", ["cy", "bo", "ana"])
def test_whoever_asked_takes_it_back_and_so_do_leads_and_admins(world: World, who: str) -> None:
    in_force(world, approvers=["@bo"])
    made(world)
    ask(world)
    with refused("not-allowed"):
        call(world, "di", "approvals.cancel", id=1)
    with refused("not-found"):
        call(world, "gus", "approvals.cancel", id=1)
    seq = world.database.seq
    assert call(world, who, "approvals.cancel", id=1)["state"] == "cancelled"
    assert [(one["kind"], one["payload"]["who"]) for one in happened(world, seq)] == [
        ("approval.cancelled", ident(world, who))
    ]
    with refused("conflict"):
        decide(world, "bo")


@pytest.mark.parametrize(
    "change",
    [
        ("issues.update", {"key": "WEB-1", "due_date": "2027-01-01"}),
        ("issues.update", {"key": "WEB-1", "values": {"risk": 3}}),
        ("issues.update", {"key": "WEB-1", "body": "Other words"}),
        ("issues.assign", {"key": "WEB-1", "assignees": ["@di"]}),
        ("issues.bulk", {"keys": ["WEB-1"], "changes": {"due_date": "2027-01-01"}}),
    ],
)
def test_an_edit_of_a_watched_field_ends_the_request(
    world: World, change: tuple[str, dict[str, Any]]
) -> None:
    call(world, "bo", "fields.save", key="risk", name="Risk", kind="number")
    in_force(world, approvers=["@bo"], watch=["due", "risk", "body", "assignee"])
    made(world)
    ask(world)
    call(world, "di", "issues.update", key="WEB-1", title="Two", priority="high")
    assert state(world) == "pending"
    seq = world.database.seq
    op, value = change
    answer = world.session("di").call(op, value)
    assert state(world) == "cancelled"
    assert [(one["kind"], one["actor"], one["payload"]["why"]) for one in happened(world, seq)] == [
        ("approval.cancelled", ident(world, "di"), "a field changed that must stay as it is")
    ]
    with refused("conflict"):
        decide(world, "bo")
    token = answer["undo"] if op == "issues.bulk" else call(world, "di", "undo.list")[0]["token"]
    seq = world.database.seq
    call(world, "di", "undo.apply", token=token)
    assert (state(world), happened(world, seq)) == ("cancelled", [])


def test_undoing_an_edit_ends_what_was_asked_after_it(world: World) -> None:
    in_force(world, approvers=["@bo"], watch=["due"])
    made(world)
    call(world, "cy", "issues.update", key="WEB-1", due_date="2027-01-01")
    ask(world)
    call(world, "cy", "undo.apply", token=call(world, "cy", "undo.list")[1]["token"])
    assert call(world, "cy", "issues.get", key="WEB-1")["due_date"] is None
    assert state(world) == "cancelled"


@pytest.mark.parametrize("approved", [False, True])
def test_moving_it_otherwise_ends_the_request(world: World, approved: bool) -> None:
    flow_ = flow(approvers=["@bo"], ask=[{"field": "estimate", "required": True}])
    flow_["transitions"].append({"name": "Drop", "from": ["todo"], "to": "done"})
    saved = call(world, "bo", "workflows.save", **flow_)
    call(world, "bo", "workflows.assign", id=saved["id"], project="WEB")
    made(world)
    ask(world)
    if approved:
        decide(world, "bo")
    seq = world.database.seq
    call(world, "di", "issues.transition", key="WEB-1", to_status="done")
    assert [(one["kind"], one["payload"]["why"]) for one in happened(world, seq)] == [
        ("approval.cancelled", "the issue moved otherwise")
    ]
    call(world, "di", "issues.transition", key="WEB-1", to_status="todo")
    assert state(world) == "cancelled"


@pytest.mark.parametrize(
    ("change", "left"),
    [
        (("issues.move", {"keys": ["WEB-1"], "project": "SEC"}), "cancelled"),
        (("issues.merge", {"from": ["WEB-1"], "into": "WEB-2"}), "cancelled"),
        (("issues.convert", {"key": "WEB-1", "type": "bug"}), "pending"),
        (("issues.convert", {"key": "WEB-1", "type": "story"}), "cancelled"),
        (("lanes.delete", {"key": "in_progress", "move_to": "in_review"}), "cancelled"),
    ],
)
def test_what_takes_the_way_away_ends_the_request(
    world: World, change: tuple[str, dict[str, Any]], left: str
) -> None:
    in_force(world, approvers=["@bo"])
    call(world, "bo", "workflows.assign", id=1, project="WEB", types=["story"])
    for _ in range(2):
        made(world)
    ask(world)
    op, value = change
    world.session("bo").call(op, value)
    key = call(world, "cy", "issues.get", key="issue:1")["key"]
    assert of(world, key)[0]["state"] == left


def test_what_is_undone_of_a_move_keeps_what_was_decided(world: World) -> None:
    in_force(world, approvers=["@bo"], ask=[{"field": "estimate", "required": True}])
    made(world)
    ask(world)
    decide(world, "bo")
    call(world, "cy", "issues.transition", key="WEB-1", to_status="in_progress", values={"estimate": 2})
    seq = world.database.seq
    call(world, "cy", "undo.apply", token=call(world, "cy", "undo.list")[0]["token"])
    assert (lane(world), state(world), happened(world, seq)) == ("todo", "done", [])
    with refused("approval-needed"):
        call(world, "cy", "issues.transition", key="WEB-1", to_status="in_progress", values={"estimate": 2})


def test_a_decision_is_not_undone(world: World) -> None:
    in_force(world, approvers=["@bo"])
    made(world)
    ask(world)
    decide(world, "bo")
    (last, *_) = call(world, "bo", "undo.list")
    with refused("conflict"):
        call(world, "bo", "undo.apply", token=last["token"])
    assert lane(world) == "in_progress"


def test_a_deleted_issue_waits_no_more_and_comes_back_without(world: World) -> None:
    in_force(world, approvers=["@bo"])
    made(world)
    ask(world)
    call(world, "bo", "issues.delete", key="WEB-1")
    assert call(world, "bo", "approvals.mine") == []
    with refused("not-found"):
        decide(world, "bo")
    (entry,) = call(world, "bo", "trash.list")["items"]
    call(world, "bo", "trash.restore", ids=[entry["id"]])
    assert state(world) == "cancelled"


def test_a_way_that_the_workflow_loses_waits_for_nobody(world: World) -> None:
    workflow = in_force(world, approvers=["@bo"])
    made(world)
    ask(world)
    changed = flow(approvers=["@bo"])
    changed["transitions"][0] |= {"key": "start_work", "name": "Begin"}
    call(world, "bo", "workflows.save", id=workflow, **changed)
    assert state(world) == "pending"
    call(
        world,
        "bo",
        "workflows.save",
        id=workflow,
        **(changed | {"draft": True, "transitions": others(changed)}),
    )
    assert state(world) == "pending"
    seq = world.database.seq
    call(world, "bo", "workflows.save", id=workflow, **(changed | {"transitions": others(changed)}))
    assert [(one["kind"], one["payload"]["why"]) for one in happened(world, seq)] == [
        ("approval.cancelled", "the workflow has this way no more")
    ]


def others(changed: dict[str, Any]) -> list[Any]:
    return [{"name": "Other", "from": ["todo"], "to": "in_progress"}, *changed["transitions"][1:]]


def test_another_workflow_for_the_project_ends_what_its_ways_waited_for(world: World) -> None:
    in_force(world, approvers=["@bo"])
    made(world)
    ask(world)
    call(world, "bo", "workflows.assign", id=1, project="WEB")
    assert state(world) == "cancelled"


def test_what_is_asked_stays_as_it_was_when_the_way_asks_more(world: World) -> None:
    workflow = in_force(world, approvers=["@bo", "@di"])
    made(world)
    ask(world)
    changed = flow(approvers=["@ana"])
    changed["transitions"][0]["key"] = "start_work"
    call(world, "bo", "workflows.save", id=workflow, **changed)
    with refused("not-allowed"):
        decide(world, "ana")
    assert decide(world, "di")["moved"]


def test_who_left_agrees_no_more(world: World) -> None:
    in_force(world, approvers=["@bo", "@di", "@ana"], needed=2)
    made(world)
    ask(world)
    decide(world, "di")
    assert of(world)[0]["approvals"] == 1
    call(world, "ana", "members.deactivate", id=ident(world, "di"), on=True)
    assert of(world)[0]["approvals"] == 0  # what is shown is what counts
    found = decide(world, "bo")["request"]
    assert (found["state"], found["approvals"]) == ("pending", 1)
    assert decide(world, "ana")["moved"]


@pytest.mark.parametrize(("approvers", "needed"), [(["@cy"], 1), (["@cy", "@bo"], 2)])
def test_nobody_asks_for_what_too_few_could_decide(world: World, approvers: list[str], needed: int) -> None:
    in_force(world, approvers=approvers, needed=needed)
    made(world)
    with refused("conflict") as told:
        ask(world)
    assert f"needs {needed} to agree, and {needed - 1} could" in told.value.detail
    assert of(world) == []
    call(world, "ana", "members.deactivate", id=ident(world, "bo"), on=True)
    with refused("conflict"):
        ask(world)


def test_two_who_decide_at_once_move_it_once(world: World) -> None:
    in_force(world, approvers=["@bo"])
    made(world)
    ask(world)
    vote = ("approvals.decide", {"id": 1, "approve": True})
    answers = together(world, "bo", [vote, vote, vote])
    assert slugs(answers) == ["conflict", "conflict"]
    assert len([one for one in happened(world, 0) if one["kind"] == "approval.moved"]) == 1


def test_two_who_ask_at_once_ask_once(world: World) -> None:
    in_force(world, approvers=["@bo"])
    made(world)
    asking = ("approvals.request", {"key": "WEB-1", "to_status": "in_progress"})
    assert slugs(together(world, "cy", [asking, asking])) == ["conflict"]
    assert len(of(world)) == 1


def test_the_same_vote_sent_again_has_one_effect(world: World) -> None:
    in_force(world, approvers=["@bo"])
    made(world)
    ask(world)
    value = {"id": 1, "approve": True}
    first = world.session("bo").call("approvals.decide", value, idempotency_key="vote")
    assert world.session("bo").call("approvals.decide", value, idempotency_key="vote") == first


def test_queries_ask_for_requests(world: World) -> None:
    in_force(world, approvers=["@bo", "@di"])
    for _ in range(3):
        made(world)
    ask(world)
    ask(world, key="WEB-2")
    decide(world, "bo", 2, approve=False)

    def keys(who: str, text: str) -> list[str]:
        return [key for (key,) in call(world, who, "tql.run", tql=text, fields=["key"])["rows"]]

    assert keys("bo", "approvals any (state = pending and approver = me())") == ["WEB-1"]
    assert keys("cy", "approvals any (state = pending and approver = me())") == []
    assert keys("cy", "approvals any (state = rejected and requester = me() and decided > -1d)") == ["WEB-2"]
    assert keys("cy", "approvals count = 0") == ["WEB-3"]
    with refused("tql-name"):
        keys("cy", "approvals any (state = lost)")


def test_they_go_for_good_with_their_issue(world: World) -> None:
    in_force(world, approvers=["@bo"])
    made(world)
    ask(world)
    decide(world, "bo", note="Fine")
    call(world, "bo", "issues.delete", key="WEB-1")
    (entry,) = call(world, "bo", "trash.list")["items"]
    call(world, "ana", "trash.purge", ids=[entry["id"]])
    tables = ("approval", "approval_approver", "approval_vote")
    left = world.database.read_now(lambda tx: [tx.value(f"select count(*) from {table}") for table in tables])
    assert left == [0, 0, 0]


def test_a_bulk_change_and_a_board_say_who_is_to_be_asked(world: World) -> None:
    in_force(world, approvers=["@bo"])
    made(world)
    done = call(world, "cy", "issues.bulk", keys=["WEB-1"], changes={"to_status": "in_progress"})
    (skipped,) = done["skipped"]
    assert "approvals.request" in skipped["reason"]
    board = call(world, "cy", "boards.save", name="Ours", project="WEB", tql="project = WEB")
    (column,) = (one for one in board["columns"] if "in_progress" in one["lanes"])
    with refused("approval-needed"):
        call(world, "cy", "boards.move", id=board["id"], key="WEB-1", column=column["id"])


def test_who_is_asked_hears_of_it_until_it_is_decided_and_whoever_asked_hears_how(world: World) -> None:
    in_force(world, approvers=["@bo", "@di", "@gus"], needed=1)
    made(world)
    ask(world, note="Tried on the copy")
    (entry,) = inbox(world, "bo")
    assert (entry["subject"], entry["reason"]) == ("issue:1", "approval")
    assert (
        entry["events"][0]["summary"] == "asks you to agree that it moves to In progress: Tried on the copy"
    )
    assert told(world, "di") == [("issue:1", "approval", ["approval.requested"])]
    assert (told(world, "gus"), told(world, "cy")) == ([], [])
    decide(world, "bo", approve=False, note="Not this week")
    assert told(world, "di") == []
    (entry,) = inbox(world, "cy")
    assert (entry["reason"], [one["kind"] for one in entry["events"]]) == ("approval", ["approval.rejected"])
    assert entry["events"][0]["summary"] == "refused that it moves to In progress: Not this week"


def test_who_was_not_asked_any_more_hears_why_the_request_ended(world: World) -> None:
    in_force(world, approvers=["@bo"], watch=["due"])
    made(world)
    ask(world)
    call(world, "di", "issues.update", key="WEB-1", due_date="2027-01-01")
    assert told(world, "bo") == []
    events = inbox(world, "cy")[0]["events"]
    found = {one["kind"]: one["summary"] for one in events}
    assert found["approval.cancelled"] == (
        "ended the request to move it to In progress: a field changed that must stay as it is"
    )
