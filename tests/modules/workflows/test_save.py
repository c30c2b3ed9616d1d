"""Making, changing, drafting, copying and deleting workflows."""

from typing import Any

import pytest

from kbwork.contract.kbwork_client import KbworkProblem
from tests.conftest import NOW, World
from tests.modules.calls import refused
from tests.modules.together import slugs, together
from tests.modules.workflows.sample_workflows import LANES, flow, in_force, kept

SHORT = [
    kept("start_work", "Start work", ["todo"], "in_progress"),
    kept("finish", "Finish", ["in_progress"], "done"),
    kept("take_up_again", "Take up again", ["done"], "todo"),
]


def names(world: World, who: str) -> list[tuple[str, bool]]:
    return [(each["name"], each["draft"]) for each in world.key(who).call("workflows.list", {})]


def standing(world: World, key: str) -> str:
    return str(world.key("cy").issues.get(key=key)["lane"])


def told(world: World, seq: int) -> Any:
    """The payload of the only event since."""
    (event,) = world.key("bo").api.changes(since=seq)["events"]
    return event["payload"]


def test_an_admin_makes_a_workflow_and_the_members_hear_of_it(world: World) -> None:
    bo, seq = world.key("bo"), world.database.seq
    made = bo.call("workflows.save", flow())
    lanes = made.pop("lanes")
    assert [lane["key"] for lane in lanes] == LANES
    assert made == {
        "id": 2,
        "name": "Short",
        "start": "todo",
        "transitions": SHORT,
        "used_by": [],
        "draft": False,
        "updated_at": NOW,
    }
    assert world.events_since(seq) == [("workflow.saved", "org:1")]
    (event,) = world.key("cy").api.changes(since=seq)["events"]
    assert event["payload"] == {"id": 2, "name": "Short"}
    assert world.key("gus").api.changes(since=seq)["events"] == []
    bo.undo.apply(seq=seq + 1)
    assert names(world, "bo") == [("Standard", False)]
    assert [kind for kind, _ in world.events_since(seq + 1)] == ["workflow.deleted"]


def test_lanes_are_named_by_key_or_name_without_case(world: World) -> None:
    asked = flow() | {"start": "TO DO", "lanes": ["To do", "in progress", "DONE", "todo"]}
    asked["transitions"][0]["from"] = ["to do"]
    made = world.key("bo").call("workflows.save", asked)
    assert ([lane["key"] for lane in made["lanes"]], made["start"]) == (LANES, "todo")
    assert made["transitions"] == SHORT


def test_keys_are_made_from_names_and_stay_with_their_transition(world: World) -> None:
    bo = world.key("bo")
    asked = flow()
    for number, name in enumerate(("Weiter!", "Начать", "weiter?")):
        asked["transitions"][number]["name"] = name
    made = bo.call("workflows.save", asked)
    assert [one["key"] for one in made["transitions"]] == ["weiter", "to_done", "weiter_2"]
    made["transitions"][0]["name"] = "On"
    again = bo.call(
        "workflows.save", {"id": made["id"], **asked, "transitions": list(reversed(made["transitions"]))}
    )
    assert [(one["key"], one["name"]) for one in again["transitions"]] == [
        ("weiter_2", "weiter?"),
        ("to_done", "Начать"),
        ("weiter", "On"),
    ]
    other = bo.call("workflows.save", {**asked, "name": "Other", "transitions": made["transitions"]})
    assert [one["key"] for one in other["transitions"]] == ["on", "to_done", "weiter"]
    doubled = [made["transitions"][0], *made["transitions"]]
    with refused("invalid-input"):
        bo.call("workflows.save", {"id": made["id"], **asked, "transitions": doubled})


@pytest.mark.parametrize(
    ("asked", "path"),
    [
        ({"lanes": [*LANES, "in_review"]}, "lanes[3]"),
        ({"lanes": ["todo", "in_progress"], "transitions": []}, "lanes"),
        ({"start": "in_review"}, "start"),
        ({"lanes": [*LANES, "nowhere"]}, "lanes[3]"),
        ({"transitions": flow()["transitions"][:1]}, "lanes[0]"),
        (
            {
                "lanes": [*LANES, "in_review"],
                "transitions": [
                    *flow()["transitions"],
                    {"name": "Look", "from": ["todo"], "to": "in_review"},
                ],
            },
            "lanes[3]",
        ),
        ({"transitions": [{"name": "Stay", "from": ["todo"], "to": "To do"}]}, "transitions[0].to"),
        ({"transitions": [{"name": "Out", "from": ["todo"], "to": "in_review"}]}, "transitions[0].to"),
        (
            {"transitions": [{"name": "Out", "from": ["todo", "backlog"], "to": "done"}]},
            "transitions[0].from[1]",
        ),
    ],
)
def test_a_graph_that_issues_cannot_live_in_is_refused(
    world: World, asked: dict[str, Any], path: str
) -> None:
    seq = world.database.seq
    for draft in (False, True):
        with pytest.raises(KbworkProblem) as refusal:
            world.key("bo").call("workflows.save", flow() | asked | {"draft": draft})
        assert (refusal.value.slug, refusal.value.extra["errors"][0]["path"]) == ("invalid-input", path)
    assert world.events_since(seq) == []


def test_a_name_is_unique_without_case_in_any_script(world: World) -> None:
    bo = world.key("bo")
    bo.call("workflows.save", flow("Ängste"))
    for name in ("ÄNGSTE", "standard"):
        with refused("conflict"):
            bo.call("workflows.save", flow(name))
        with refused("conflict"):
            bo.call("workflows.copy", {"id": 1, "name": name})
    answers = together(world, "bo", [("workflows.save", flow(name)) for name in ("Straße", "STRASSE")])
    assert slugs(answers) == ["conflict"]


def test_workflows_are_kept_by_admins(world: World) -> None:
    calls: list[tuple[str, dict[str, Any]]] = [
        ("workflows.save", flow()),
        ("workflows.copy", {"id": 1, "name": "Other"}),
        ("workflows.delete", {"id": 1}),
        ("workflows.assign", {"id": 1, "project": "WEB"}),
    ]
    for who in ("cy", "gus"):
        for op, asked in calls:
            with refused("insufficient-scope"):
                world.key(who).call(op, asked)


def test_what_is_not_there_is_not_found(world: World) -> None:
    bo = world.key("bo")
    for op, more in (
        ("save", flow()),
        ("copy", {"name": "C"}),
        ("delete", {}),
        ("assign", {"project": "WEB"}),
    ):
        with refused("not-found"):
            bo.call(f"workflows.{op}", {"id": 9, **more})


def test_a_change_is_told_transition_by_transition_and_taken_back(world: World) -> None:
    bo = world.key("bo")
    made = bo.call("workflows.save", flow())
    seq = world.database.seq
    assert bo.call("workflows.save", flow() | {"id": 2}) == made
    assert world.events_since(seq) == []
    asked = flow("Shorter", who=["lead"]) | {"id": 2}
    asked["transitions"].append({"name": "Drop", "from": ["*"], "to": "done"})
    bo.call("workflows.save", asked)
    assert told(world, seq) == {
        "id": 2,
        "name": "Shorter",
        "changes": {
            "name": {"from": "Short", "to": "Shorter"},
            "order": {
                "from": ["start_work", "finish", "take_up_again"],
                "to": ["start_work", "finish", "take_up_again", "drop"],
            },
            "transitions.start_work": {"from": SHORT[0], "to": SHORT[0] | {"who": ["lead"]}},
            "transitions.drop": {"from": None, "to": kept("drop", "Drop", ["*"], "done")},
        },
    }
    bo.undo.apply(seq=seq + 1)
    assert bo.call("workflows.get", {"id": 2}) == made


def test_issues_of_a_lane_that_goes_move_as_statuses_says(world: World) -> None:
    bo, cy = world.key("bo"), world.key("cy")
    in_force(world)
    cy.issues.create(project="WEB", title="One")
    cy.issues.create(project="WEB", title="Two", status="in_progress")
    cy.issues.create(project="SEC", title="Elsewhere", status="in_progress")
    asked: dict[str, Any] = {
        "id": 2,
        "name": "Short",
        "start": "todo",
        "lanes": ["todo", "done"],
        "transitions": [{"name": "Finish", "from": ["todo"], "to": "done"}],
    }
    with pytest.raises(KbworkProblem) as refusal:
        bo.call("workflows.save", asked)
    assert refusal.value.slug == "conflict"
    assert {name: refusal.value.extra[name] for name in ("statuses", "lanes")} == {
        "statuses": ["in_progress"],
        "lanes": ["todo", "done"],
    }
    for statuses in ({"in_progress": "in_review"}, {"todo": "done"}, {"ideas": "done"}):
        with refused("invalid-input"):
            bo.call("workflows.save", asked | {"statuses": statuses})
    assert standing(world, "WEB-2") == "in_progress"
    seq = world.database.seq
    bo.call("workflows.save", asked | {"statuses": {"In progress": "Done"}})
    assert world.events_since(seq) == [
        ("workflow.saved", "org:1"),
        ("issue.updated", "issue:2"),
        ("issue.transitioned", "issue:2"),
    ]
    moved = cy.issues.get(key="WEB-2")
    assert (moved["lane"], moved["outcome"], moved["done_at"]) == ("done", "completed", NOW)
    assert standing(world, "SEC-1") == "in_progress"
    (change,) = cy.issues.history(key="WEB-2", field="status")["items"]
    assert (change["from"], change["to"]) == ("In progress", "Done")
    event = cy.api.changes(since=seq)["events"][-1]
    assert event["payload"]["transition"] == "workflow_changed"
    bo.undo.apply(seq=seq + 1)
    assert (standing(world, "WEB-2"), cy.issues.get(key="WEB-2")["done_at"]) == ("in_progress", None)
    assert [lane["key"] for lane in bo.call("workflows.get", {"id": 2})["lanes"]] == LANES


def test_a_lane_that_holds_issues_is_not_taken_back_by_undo(world: World) -> None:
    bo, cy = world.key("bo"), world.key("cy")
    in_force(world)
    seq = world.database.seq
    asked = flow() | {"id": 2, "lanes": [*LANES, "in_review"]}
    asked["transitions"] += [
        {"name": "Show", "from": ["todo"], "to": "in_review"},
        {"name": "Seen", "from": ["in_review"], "to": "done"},
    ]
    bo.call("workflows.save", asked)
    cy.issues.create(project="WEB", title="One", status="in_review")
    with refused("conflict"):
        bo.undo.apply(seq=seq + 1)
    cy.issues.transition(key="WEB-1", to_status="done")
    bo.undo.apply(seq=seq + 1)
    assert [lane["key"] for lane in bo.call("workflows.get", {"id": 2})["lanes"]] == LANES


def test_a_draft_stands_beside_what_is_in_force_until_it_takes_its_place(world: World) -> None:
    bo, cy = world.key("bo"), world.key("cy")
    in_force(world)
    cy.issues.create(project="WEB", title="One")
    seq = world.database.seq
    asked = flow(who=["lead"]) | {"draft": True}
    draft = bo.call("workflows.save", asked | {"id": 2})
    assert (draft["id"], draft["draft"], draft["used_by"], draft["transitions"][0]["who"]) == (
        3,
        True,
        [],
        ["lead"],
    )
    assert told(world, seq) == {"id": 3, "name": "Short", "draft": True}
    assert cy.api.changes(since=seq)["events"] == []
    assert bo.call("workflows.save", asked | {"id": 2})["id"] == 3
    assert (names(world, "bo"), names(world, "cy")) == (
        [("Short", False), ("Short", True), ("Standard", False)],
        [("Short", False), ("Standard", False)],
    )
    with refused("not-found"):
        cy.call("workflows.get", {"id": 3})
    for op, asked_of in (("workflows.assign", {"project": "WEB"}),):
        with refused("conflict"):
            bo.call(op, {"id": 3, **asked_of})
    assert cy.call("issues.transitions", {"key": "WEB-1"})[0]["allowed"] is True
    seq = world.database.seq
    done = bo.call("workflows.save", asked | {"id": 3, "draft": False})
    assert (done["id"], done["draft"], done["transitions"][0]["key"]) == (2, False, "start_work")
    assert list(told(world, seq)["changes"]) == ["transitions.start_work"]
    assert names(world, "bo") == [("Short", False), ("Standard", False)]
    assert cy.call("issues.transitions", {"key": "WEB-1"})[0]["allowed"] is False
    bo.undo.apply(seq=seq + 1)
    assert names(world, "bo") == [("Short", False), ("Short", True), ("Standard", False)]
    bo.call("workflows.delete", {"id": 3})
    assert names(world, "bo") == [("Short", False), ("Standard", False)]


def test_a_new_workflow_may_begin_as_a_draft(world: World) -> None:
    bo = world.key("bo")
    made = bo.call("workflows.save", flow() | {"draft": True})
    assert made["draft"] is True
    with refused("conflict"):
        bo.call("workflows.save", flow("SHORT"))
    with refused("invalid-input"):
        bo.call("types.save", {"key": "bug", "name": "Bug", "workflow": made["id"]})
    assert bo.call("workflows.save", flow("Shorter") | {"id": made["id"]})["draft"] is True
    seq = world.database.seq
    assert bo.call("workflows.save", flow("Shorter") | {"id": made["id"], "draft": False})["draft"] is False
    assert told(world, seq)["changes"] == {"draft": {"from": True, "to": False}}
    assert names(world, "cy") == [("Shorter", False), ("Standard", False)]


def test_a_copy_is_like_its_source_and_in_no_use(world: World) -> None:
    bo, seq = world.key("bo"), world.database.seq
    copy = bo.call("workflows.copy", {"id": 1, "name": "Another"})
    source = bo.call("workflows.get", {"id": 1})
    assert copy == source | {"id": 2, "name": "Another", "used_by": []}
    assert told(world, seq) == {"id": 2, "name": "Another"}
    bo.undo.apply(seq=seq + 1)
    assert names(world, "bo") == [("Standard", False)]


def test_the_workflow_of_a_new_org_is_not_deleted(world: World) -> None:
    in_force(world)
    with refused("conflict"):
        world.key("bo").call("workflows.delete", {"id": 1, "move_to": 2})


def test_a_workflow_in_use_is_deleted_with_another_in_its_place(world: World) -> None:
    bo, cy = world.key("bo"), world.key("cy")
    in_force(world)
    asked = flow("Wide") | {"lanes": [*LANES, "in_review"]}
    asked["transitions"].append({"name": "Show", "from": ["*"], "to": "in_review"})
    asked["transitions"].append({"name": "Seen", "from": ["in_review"], "to": "done"})
    bo.call("workflows.save", asked)
    bo.call("workflows.assign", {"id": 3, "project": "WEB"})
    bo.call("types.save", {"key": "bug", "name": "Bug", "workflow": 3})
    cy.issues.create(project="WEB", title="One", status="in_review")
    with pytest.raises(KbworkProblem) as refusal:
        bo.call("workflows.delete", {"id": 3})
    assert (refusal.value.slug, refusal.value.extra["uses"]) == ("in-use", 2)
    draft = bo.call("workflows.save", flow("Later") | {"draft": True})["id"]
    for wrong in (3, 9, draft):
        with refused("invalid-input"):
            bo.call("workflows.delete", {"id": 3, "move_to": wrong})
    seq = world.database.seq
    left = bo.call("workflows.delete", {"id": 3, "move_to": 2})
    assert [(each["id"], len(each["used_by"])) for each in left if not each["draft"]] == [(2, 2), (1, 1)]
    assert world.events_since(seq) == [
        ("workflow.deleted", "org:1"),
        ("issue.updated", "issue:1"),
        ("issue.transitioned", "issue:1"),
    ]
    assert standing(world, "WEB-1") == "in_progress"
    bo.undo.apply(seq=seq + 1)
    assert standing(world, "WEB-1") == "in_review"
    assert bo.call("workflows.get", {"id": 3})["used_by"] == [
        {"project": "SEC", "types": ["bug"]},
        {"project": "WEB", "types": ["task", "epic", "story", "bug", "subtask"]},
    ]


def test_a_workflow_that_nobody_uses_just_goes(world: World) -> None:
    bo = world.key("bo")
    bo.call("workflows.save", flow())
    bo.call("workflows.save", flow() | {"id": 2, "draft": True})
    seq = world.database.seq
    assert [each["name"] for each in bo.call("workflows.delete", {"id": 2})] == ["Standard"]
    assert told(world, seq) == {"id": 2, "name": "Short"}
    bo.undo.apply(seq=seq + 1)
    assert names(world, "bo") == [("Short", False), ("Short", True), ("Standard", False)]


def test_what_is_answered_can_be_saved_again(world: World) -> None:
    bo = world.key("bo")
    bo.call("fields.save", {"key": "severity", "name": "Severity", "kind": "select"})
    bo.call("fields.options_set", {"key": "severity", "options": [{"name": "High"}]})
    bo.call("fields.save", {"key": "owner", "name": "Owner", "kind": "member"})
    made = bo.call(
        "workflows.save",
        flow(
            "Short",
            **{
                "who": ["lead", "reporter"],
                "if": [{"any": [{"field": "severity", "op": "=", "value": "High"}, {"tql": "type = bug"}]}],
                "check": [{"field": "due", "op": "changed", "message": "When?"}, {"role": "member"}],
                "ask": [{"field": "severity", "required": True}, {"field": "due"}],
                "approvers": ["@ana", "field:owner"],
                "watch": ["severity", "title"],
                "then": [
                    {"op": "issues.vote", "input": {"key": "{{key}}", "on": True}, "each": "type = bug"}
                ],
                "auto_when": "estimate > 2",
            },
        ),
    )
    seq = world.database.seq
    sent = {name: made[name] for name in ("id", "name", "start", "transitions")}
    lanes = [lane["key"] for lane in made["lanes"]]
    assert bo.call("workflows.save", sent | {"lanes": lanes}) == made
    assert world.events_since(seq) == []


def test_a_lane_that_a_workflow_cannot_be_without_goes_only_for_another(world: World) -> None:
    bo = world.key("bo")
    bo.call("workflows.save", flow())
    seq = world.database.seq
    with refused("conflict"):
        bo.lanes.delete(key="in_progress")
    assert world.events_since(seq) == []
    bo.lanes.delete(key="in_progress", move_to="in_review")
    found = bo.call("workflows.get", {"id": 2})
    assert [(one["key"], one["from"], one["to"]) for one in found["transitions"]] == [
        ("start_work", ["todo"], "in_review"),
        ("finish", ["in_review"], "done"),
        ("take_up_again", ["done"], "todo"),
    ]
