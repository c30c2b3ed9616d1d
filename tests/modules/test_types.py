"""Issue types: what sorts of issues there are, on which level, and which a project has."""

from collections.abc import Iterable, Mapping
from typing import Any

import pytest

from kbwork.contract.kbwork_client import KbworkProblem
from tests.conftest import World
from tests.modules.calls import refused
from tests.modules.together import slugs, together
from tests.modules.workflows.sample_workflows import flow

FIRST = ["epic", "story", "task", "bug", "subtask"]


def keys(rows: Iterable[Mapping[str, Any]]) -> list[str]:
    return [row["key"] for row in rows]


def of(world: World, who: str, key: str) -> dict[str, Any]:
    """A type as somebody sees it."""
    (found,) = [row for row in world.key(who).types.list() if row["key"] == key]
    return dict(found)


def test_the_types_of_a_new_org(world: World) -> None:
    rows = world.key("cy").types.list()
    assert keys(rows) == FIRST
    assert {row["key"]: row["level"] for row in rows} == {
        "epic": 1,
        "story": 0,
        "task": 0,
        "bug": 0,
        "subtask": -1,
    }
    assert rows[3] == {
        "key": "bug",
        "name": "Bug",
        "icon": "bug",
        "color": "#d64545",
        "level": 0,
        "workflow": None,
        "template": None,
        "description": "It does not do what it should",
        "projects": ["SEC", "WEB"],
        "issues": 0,
    }


def test_everybody_sees_the_projects_and_issues_that_are_theirs(world: World) -> None:
    cy, di = world.key("cy"), world.key("di")
    cy.issues.create(project="SEC", title="Cy's")
    di.issues.create(project="SEC", title="Di's")
    cy.issues.create(project="WEB", title="Between Cy and the leads", level="private")
    di.issues.create(project="PRV", title="Di's alone")
    seen = {
        who: (of(world, who, "task")["projects"], of(world, who, "task")["issues"])
        for who in ("ana", "bo", "cy", "di")
    }
    assert seen == {
        "ana": (["SEC", "WEB"], 3),
        "bo": (["SEC", "WEB"], 3),
        "cy": (["SEC", "WEB"], 3),
        "di": (["PRV", "SEC", "WEB"], 2),
    }
    assert world.key("gus").types.list() == []
    with refused("not-found"):
        world.key("gus").types.list(project="WEB")
    world.session("bo").projects.member_set(key="WEB", who="@gus", role="viewer")
    assert keys(world.key("gus").types.list()) == FIRST
    assert keys(world.key("cy").types.list(project="WEB"))[0] == "task"


def test_an_admin_makes_a_type_and_the_members_hear_of_it(world: World) -> None:
    bo = world.key("bo")
    seq = world.database.seq
    rows = bo.types.save(key="idea", name=" Idea ", level=2, color="#ABCDEF", description="D", icon="bulb")
    assert keys(rows) == ["idea", *FIRST]
    assert rows[0] == {
        "key": "idea",
        "name": "Idea",
        "icon": "bulb",
        "color": "#abcdef",
        "level": 2,
        "workflow": None,
        "template": None,
        "description": "D",
        "projects": [],
        "issues": 0,
    }
    assert world.events_since(seq) == [("type.saved", "org:1")]
    (event,) = world.key("cy").api.changes(since=seq)["events"]
    assert event["payload"] == {"key": "idea", "name": "Idea"}
    assert world.key("gus").api.changes(since=seq)["events"] == []


def test_fields_that_are_not_named_stay_and_the_same_is_no_event(world: World) -> None:
    bo = world.key("bo")
    seq = world.database.seq
    bo.types.save(key="bug", name="Fault", workflow=1)
    assert (of(world, "bo", "bug")["name"], of(world, "bo", "bug")["workflow"]) == ("Fault", 1)
    (event,) = bo.api.changes(since=seq)["events"]
    assert event["payload"] == {
        "key": "bug",
        "name": "Fault",
        "changes": {"name": {"from": "Bug", "to": "Fault"}, "workflow": {"from": None, "to": 1}},
    }
    seq = world.database.seq
    bo.types.save(key="bug", name="Fault")
    assert world.events_since(seq) == []
    bo.call("types.save", {"key": "bug", "name": "Fault", "workflow": None})
    assert of(world, "bo", "bug")["workflow"] is None


@pytest.mark.parametrize(
    ("asked", "slug"),
    [
        ({"name": "BUG"}, "conflict"),
        ({"workflow": 9}, "invalid-input"),
        ({"level": 6}, "invalid-input"),
        ({"level": -3}, "invalid-input"),
        ({"key": "Idea"}, "invalid-input"),
        ({"key": "1dea"}, "invalid-input"),
        ({"name": ""}, "invalid-input"),
        ({"color": "red"}, "invalid-input"),
        ({"levle": 1}, "unknown-field"),
    ],
)
def test_what_does_not_fit_a_type_is_refused(world: World, asked: dict[str, Any], slug: str) -> None:
    seq = world.database.seq
    with refused(slug):
        world.key("bo").call("types.save", {"key": "idea", "name": "Idea"} | asked)
    assert world.events_since(seq) == []


def test_types_are_kept_by_admins(world: World) -> None:
    for who in ("cy", "gus"):
        with refused("insufficient-scope"):
            world.key(who).types.save(key="idea", name="Idea")


def test_a_level_changes_only_where_parents_and_children_still_fit(world: World) -> None:
    cy, bo = world.key("cy"), world.key("bo")
    epic = cy.issues.create(project="WEB", title="E", type="epic")["key"]
    cy.issues.create(project="WEB", title="T", parent=epic)
    for key, name, level in (("epic", "Epic", 0), ("task", "Task", 1)):
        with refused("conflict"):
            bo.types.save(key=key, name=name, level=level)
    bo.types.save(key="epic", name="Epic", level=3)
    assert cy.issues.get(key=epic)["level_no"] == 3
    bo.undo.apply(seq=world.database.seq)
    assert cy.issues.get(key=epic)["level_no"] == 1


def test_a_lead_says_which_types_a_project_has(world: World) -> None:
    cy = world.key("cy")
    before = cy.types.list(project="SEC")
    seq = world.database.seq
    rows = cy.types.projects_set(project="sec", types=["Bug", "story", "bug", "task"], default="story")
    assert keys(rows) == ["bug", "story", "task"]
    assert cy.projects.get(key="SEC")["default_type"] == "story"
    assert world.events_since(seq) == [("type.saved", "project:SEC")]
    (event,) = cy.api.changes(since=seq)["events"]
    assert event["payload"] == {
        "project": "SEC",
        "changes": {
            "types": {"from": keys(before), "to": ["bug", "story", "task"]},
            "default": {"from": "task", "to": "story"},
        },
    }
    assert world.key("gus").api.changes(since=seq)["events"] == []
    with refused("invalid-input"):
        cy.issues.create(project="SEC", title="E", type="epic")
    cy.undo.apply(seq=seq + 1)
    assert cy.types.list(project="SEC") == before
    assert cy.projects.get(key="SEC")["default_type"] == "task"
    at = world.database.seq
    cy.types.projects_set(project="SEC", types=keys(before))
    assert world.events_since(at) == []


def test_a_default_that_goes_is_the_first_that_stays(world: World) -> None:
    cy = world.key("cy")
    cy.types.projects_set(project="SEC", types=["bug", "story"])
    assert cy.projects.get(key="SEC")["default_type"] == "bug"
    assert cy.issues.create(project="SEC", title="One")["type"] == "bug"


def test_a_type_that_issues_have_is_not_taken_off(world: World) -> None:
    cy = world.key("cy")
    cy.issues.create(project="SEC", title="One")
    with pytest.raises(KbworkProblem) as refusal:
        cy.types.projects_set(project="SEC", types=["bug"])
    assert (refusal.value.slug, refusal.value.extra["uses"]) == ("in-use", 1)


def test_the_types_of_a_project_are_set_by_its_leads(world: World) -> None:
    for who, project, slug in (
        ("di", "SEC", "not-allowed"),
        ("cy", "WEB", "not-allowed"),
        ("cy", "PRV", "not-found"),
    ):
        with refused(slug):
            world.key(who).types.projects_set(project=project, types=["task"])
    wrong: list[dict[str, Any]] = [{"types": []}, {"types": ["ideas"]}, {"types": ["task"], "default": "bug"}]
    for asked in wrong:
        with refused("invalid-input"):
            world.key("cy").call("types.projects_set", {"project": "SEC"} | asked)
    world.database.write_now(lambda tx: tx.update("project", 2, archived_at=5))
    with refused("conflict"):
        world.key("cy").types.projects_set(project="SEC", types=["task"])


def test_making_a_type_is_taken_back_unless_issues_have_it(world: World) -> None:
    bo = world.key("bo")
    seq = world.database.seq
    bo.types.save(key="idea", name="Idea")
    bo.undo.apply(seq=seq + 1)
    assert keys(bo.types.list()) == FIRST
    assert [kind for kind, _ in world.events_since(seq + 1)] == ["type.deleted"]
    bo.undo.apply(seq=seq + 2)
    bo.types.projects_set(project="WEB", types=["idea", "task", "epic", "story", "bug", "subtask"])
    bo.issues.create(project="WEB", title="One", type="idea")
    with refused("conflict"):
        bo.undo.apply(seq=seq + 3)
    assert of(world, "bo", "idea")["issues"] == 1


def test_a_new_type_serves_within_the_batch_that_makes_it(world: World) -> None:
    made = world.key("bo").batch(
        [
            ("issues.create", {"project": "WEB", "title": "Before"}),
            ("types.save", {"key": "idea", "name": "Idea"}),
            ("types.projects_set", {"project": "WEB", "types": ["task", "idea"]}),
            ("issues.create", {"project": "WEB", "title": "After", "type": "idea"}),
        ]
    )
    assert made[3]["type"] == "idea"


def test_a_name_is_unique_without_case_in_any_script(world: World) -> None:
    bo = world.key("bo")
    bo.types.save(key="risk", name="Ärger")
    with refused("conflict"):
        bo.types.save(key="risk2", name="ÄRGER")
    bo.types.save(key="risk", name="ärger")
    assert of(world, "bo", "risk")["name"] == "ärger"
    answers = together(
        world, "bo", [("types.save", {"key": f"k{n}", "name": name}) for n, name in enumerate("ßẞ")]
    )
    assert slugs(answers) == ["conflict"]


def test_a_type_offers_a_template_of_the_org(world: World) -> None:
    bo = world.key("bo")
    saved = bo.issues.template_save(name="Report", type="bug", input={"body": "Steps"})
    template = saved[0]["id"]
    bo.issues.template_save(name="Own", type="bug", project="WEB", input={"body": "Steps"})
    bo.types.save(key="bug", name="Bug", template="REPORT")
    assert of(world, "cy", "bug")["template"] == template
    bo.types.save(key="bug", name="Bug")
    bo.types.save(key="bug", name="Bug", template=str(template))
    assert of(world, "cy", "bug")["template"] == template
    for key, ref in (("bug", "Own"), ("bug", "none"), ("task", "Report"), ("new", "Report")):
        with refused("invalid-input"):
            bo.types.save(key=key, name=key, template=ref)
    bo.call("types.save", {"key": "bug", "name": "Bug", "template": None})
    assert of(world, "cy", "bug")["template"] is None
    bo.types.save(key="bug", name="Bug", template="report")
    bo.call("issues.template_delete", {"id": template})
    assert of(world, "cy", "bug")["template"] is None


def test_a_type_that_nothing_is_of_just_goes(world: World) -> None:
    bo = world.key("bo")
    seq = world.database.seq
    left = bo.call("types.delete", {"key": "Story"})
    assert keys(left) == ["epic", "task", "bug", "subtask"]
    assert world.events_since(seq) == [("type.deleted", "org:1")]
    (event,) = world.key("cy").api.changes(since=seq)["events"]
    assert event["payload"] == {"key": "story", "name": "Story"}
    assert keys(bo.types.list(project="WEB")) == ["task", "epic", "bug", "subtask"]
    bo.call("types.delete", {"key": "task"})
    assert bo.projects.get(key="WEB")["default_type"] == "epic"
    bo.undo.apply(seq=world.database.seq)
    bo.undo.apply(seq=seq + 1)
    assert keys(bo.types.list()) == FIRST
    assert keys(bo.types.list(project="WEB")) == ["task", "epic", "story", "bug", "subtask"]
    assert bo.projects.get(key="WEB")["default_type"] == "task"


def test_issues_of_a_type_that_goes_become_of_another_with_history(world: World) -> None:
    bo, cy = world.key("bo"), world.key("cy")
    bo.call("fields.save", {"key": "severity", "name": "Severity", "kind": "number", "types": ["bug"]})
    bo.call("fields.save", {"key": "points", "name": "Points", "kind": "number", "types": ["bug", "story"]})
    layout = {
        "project": "WEB",
        "type": "bug",
        "create": ["severity"],
        "edit": ["severity", "points"],
        "required": [],
    }
    bo.call("fields.layout_save", layout)
    bo.issues.template_save(name="Report", type="bug", input={"body": "Steps"})
    bo.call("types.projects_set", {"project": "WEB", "types": ["bug", "story"]})
    cy.issues.create(project="WEB", title="One", type="bug", values={"severity": 3}, status="in_review")
    cy.issues.create(project="SEC", title="Two", type="bug")
    with pytest.raises(KbworkProblem) as refusal:
        bo.call("types.delete", {"key": "bug"})
    assert (refusal.value.slug, refusal.value.extra["uses"]) == ("in-use", 4)
    for wrong in ("bug", "ideas"):
        with refused("invalid-input"):
            bo.call("types.delete", {"key": "bug", "move_to": wrong})
    seq = world.database.seq
    left = bo.call("types.delete", {"key": "bug", "move_to": "task"})
    assert keys(left) == ["epic", "story", "task", "subtask"]
    assert world.events_since(seq) == [
        ("type.deleted", "org:1"),
        ("issue.updated", "issue:1"),
        ("issue.converted", "issue:1"),
        ("issue.updated", "issue:2"),
        ("issue.converted", "issue:2"),
    ]
    events = cy.api.changes(since=seq)["events"]
    assert events[0]["payload"] == {"key": "bug", "name": "Bug", "move_to": "task"}
    assert (events[2]["payload"]["from_type"], events[2]["payload"]["to_type"]) == ("bug", "task")
    issue = cy.issues.get(key="WEB-1")
    assert (issue["type"], issue["lane"], issue["values"]) == ("task", "in_review", {"severity": 3})
    assert keys(bo.types.list(project="WEB")) == ["task", "story"]
    assert bo.projects.get(key="WEB")["default_type"] == "task"
    assert [each["types"] for each in bo.call("fields.list", {})] == [["task"], ["story", "task"]]
    assert bo.call("fields.layout", {"project": "WEB", "type": "task"})[0]["edit"] == ["severity", "points"]
    assert bo.issues.templates()[0]["type"] == "task"
    bo.undo.apply(seq=seq + 1)
    assert (keys(bo.types.list()), cy.issues.get(key="WEB-1")["type"]) == (FIRST, "bug")
    assert keys(bo.types.list(project="WEB")) == ["bug", "story"]
    assert bo.issues.templates()[0]["type"] == "bug"


def test_issues_go_to_a_lane_that_the_other_types_workflow_has(world: World) -> None:
    bo, cy = world.key("bo"), world.key("cy")
    bo.call("workflows.save", flow())
    bo.call("workflows.assign", {"id": 2, "project": "WEB", "types": ["story"]})
    cy.issues.create(project="WEB", title="One", type="bug", status="in_review")
    seq = world.database.seq
    bo.call("types.delete", {"key": "bug", "move_to": "story"})
    assert cy.issues.get(key="WEB-1")["lane"] == "in_progress"
    assert [kind for kind, _ in world.events_since(seq)] == [
        "type.deleted",
        "issue.updated",
        "issue.converted",
        "issue.transitioned",
    ]


def test_a_type_goes_only_where_parents_and_children_fit_the_other(world: World) -> None:
    bo, cy = world.key("bo"), world.key("cy")
    epic = cy.issues.create(project="WEB", title="E", type="epic")["key"]
    cy.issues.create(project="WEB", title="T", parent=epic)
    for key, other in (("epic", "story"), ("task", "epic")):
        with refused("conflict"):
            bo.call("types.delete", {"key": key, "move_to": other})
    bo.call("types.delete", {"key": "task", "move_to": "subtask"})
    assert cy.issues.get(key="WEB-2")["level_no"] == -1


def test_the_only_type_of_a_project_or_the_org_needs_another(world: World) -> None:
    bo = world.key("bo")
    bo.call("types.projects_set", {"project": "WEB", "types": ["bug"]})
    with refused("in-use"):
        bo.call("types.delete", {"key": "bug"})
    for key in ("epic", "story", "task", "subtask"):
        bo.call("types.delete", {"key": key, "move_to": "bug"})
    with refused("conflict"):
        bo.call("types.delete", {"key": "bug"})
    bo.projects.create(key="NEW", name="New")
    assert keys(bo.types.list(project="NEW")) == ["bug"]


def test_types_are_deleted_by_admins(world: World) -> None:
    for who in ("cy", "gus"):
        with refused("insufficient-scope"):
            world.key(who).call("types.delete", {"key": "bug"})
    with refused("not-found"):
        world.key("bo").call("types.delete", {"key": "ideas"})


def test_of_two_that_delete_a_type_at_once_one_finds_it_gone(world: World) -> None:
    world.key("cy").issues.create(project="WEB", title="One", type="bug")
    answers = together(
        world, "bo", [("types.delete", {"key": "bug", "move_to": to}) for to in ("task", "story")]
    )
    assert slugs(answers) == ["not-found"]
    assert world.key("cy").issues.get(key="WEB-1")["type"] in ("task", "story")
