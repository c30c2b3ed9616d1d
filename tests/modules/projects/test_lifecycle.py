"""What becomes of projects: archived, renamed by key, deleted, copied, made from templates, reported on."""

from typing import Any

import pytest

from kbwork.contract.kbwork_client import KbworkProblem
from tests.conftest import World
from tests.modules.calls import call, eventually, refused
from tests.modules.fields.sample_values import field
from tests.modules.issues.test_issues import make, payloads
from tests.modules.workflows.sample_workflows import flow, in_force


def project(world: World, key: str, who: str = "bo") -> dict[str, Any]:
    found: dict[str, Any] = call(world, who, "projects.get", key=key)
    return found


def keys(world: World, who: str = "cy", **filters: Any) -> list[str]:
    return [one["key"] for one in call(world, who, "projects.list", **filters)]


def ended(world: World, who: str, job: int) -> dict[str, Any]:
    eventually(lambda: bool(call(world, who, "jobs.get", id=job)["ended_at"]))
    found: dict[str, Any] = call(world, who, "jobs.get", id=job)
    assert found["state"] == "done", found
    return found


# put aside


def test_an_archived_project_is_read_and_takes_no_change(world: World) -> None:
    key = make(world)
    seq = world.database.seq
    with refused("not-allowed"):
        call(world, "cy", "projects.archive", key="WEB", on=True)
    assert call(world, "bo", "projects.archive", key="WEB", on=True)["archived_at"] == world.clock.now()
    call(world, "bo", "projects.archive", key="WEB", on=True)
    assert world.events_since(seq) == [("project.archived", "project:WEB")]
    assert keys(world) == ["SEC"]
    assert keys(world, archived=True) == ["SEC", "WEB"]
    assert call(world, "cy", "issues.get", key=key)["key"] == key
    for op, value in (
        ("projects.update", {"key": "WEB", "name": "x"}),
        ("issues.create", {"project": "WEB", "title": "x"}),
        ("issues.update", {"key": key, "title": "x"}),
        ("components.save", {"project": "WEB", "name": "x"}),
    ):
        with refused("conflict"):
            call(world, "bo", op, **value)
    call(world, "bo", "undo.apply", seq=world.database.seq)
    assert project(world, "WEB")["archived_at"] is None


# another key


def test_a_project_changes_its_key_and_the_old_ones_keep_working(world: World) -> None:
    key = make(world)
    seq = world.database.seq
    with refused("insufficient-scope"):
        call(world, "cy", "projects.key_change", key="WEB", new_key="SHOP")
    changed = call(world, "bo", "projects.key_change", key="WEB", new_key="shop")
    assert (changed["key"], changed["former_keys"]) == ("SHOP", ["WEB"])
    assert payloads(world, seq, "project.key_changed")[0]["changes"] == {"key": {"from": "WEB", "to": "SHOP"}}
    assert call(world, "cy", "issues.get", key=key)["key"] == "SHOP-1"
    assert make(world, project="WEB") == "SHOP-2"
    for taken in ("SEC", "PRV"):
        with refused("conflict"):
            call(world, "bo", "projects.key_change", key="SHOP", new_key=taken)
    with refused("conflict"):
        call(world, "bo", "projects.create", key="WEB", name="Again")
    told = [event["kind"] for event in call(world, "bo", "activity.list", subject="project:SHOP")]
    assert told == ["project.created", "project.key_changed"]
    call(world, "bo", "undo.apply", seq=seq + 1)
    assert project(world, "SHOP")["key"] == "WEB"
    assert call(world, "bo", "projects.key_change", key="WEB", new_key="SHOP")["key"] == "SHOP"
    assert call(world, "bo", "projects.key_change", key="SHOP", new_key="WEB")["former_keys"] == ["SHOP"]


# the trash


def test_a_deleted_project_takes_its_issues_along_and_brings_them_back(world: World) -> None:
    key = make(world, title="Canary", level="public")
    seq = world.database.seq
    with refused("invalid-input"):
        call(world, "bo", "projects.delete", key="WEB", confirm_key="WBE")
    with refused("insufficient-scope"):
        call(world, "cy", "projects.delete", key="WEB", confirm_key="WEB")
    assert call(world, "bo", "projects.delete", key="WEB", confirm_key="web") == {"ok": True, "trash": 1}
    assert world.events_since(seq) == [("project.deleted", "project:WEB")]
    for who in ("cy", "bo"):
        with refused("not-found"):
            call(world, who, "issues.get", key=key)
        with refused("not-found"):
            project(world, "WEB", who)
    with refused("conflict"):
        call(world, "bo", "projects.create", key="WEB", name="Again")
    assert call(world, "cy", "trash.list")["items"] == []
    (entry,) = call(world, "bo", "trash.list")["items"]
    assert (entry["kind"], entry["title"], entry["items"]) == ("project", "WEB Website", 2)
    assert call(world, "bo", "trash.restore", ids=[1])["restored"] == ["project:WEB"]
    assert call(world, "cy", "issues.get", key=key)["title"] == "Canary"
    call(world, "bo", "projects.delete", key="WEB", confirm_key="WEB")
    call(world, "bo", "undo.apply", seq=world.database.seq)
    assert call(world, "bo", "trash.list")["items"] == []
    assert project(world, "WEB")["counts"]["open"] == 1


def test_an_issue_of_a_deleted_project_waits_for_it(world: World) -> None:
    key = make(world)
    call(world, "bo", "issues.delete", key=key)
    call(world, "bo", "projects.delete", key="WEB", confirm_key="WEB")
    found = call(world, "bo", "trash.restore", ids=[1, 2])
    assert found["restored"] == ["project:WEB"]
    assert call(world, "bo", "trash.restore", ids=[1])["restored"] == ["issue:1"]


def test_a_purged_project_leaves_its_key_and_nothing_else(world: World) -> None:
    call(world, "bo", "projects.update", key="WEB", description="canary text")
    call(world, "bo", "labels.save", name="canary-label", project="WEB")
    call(world, "bo", "components.save", project="WEB", name="canary-part")
    call(
        world,
        "bo",
        "issues.template_save",
        project="WEB",
        name="canary-t",
        type="bug",
        input={"body": "canary"},
    )
    call(world, "bo", "projects.status_post", key="WEB", health="paused", body="canary said")
    for number in range(3):
        make(world, title=f"canary {number}", labels=["canary-label"], components=["canary-part"])
    call(world, "bo", "projects.delete", key="WEB", confirm_key="WEB")
    assert call(world, "bo", "trash.purge", ids=[1]) == {"purged": 1}
    eventually(lambda: "anary" not in _dump(world))
    with refused("conflict"):
        call(world, "bo", "projects.create", key="WEB", name="Again")
    assert call(world, "bo", "trash.list")["items"] == []


def _dump(world: World) -> str:
    def texts(tx: Any) -> str:
        tables = tx.column("select name from sqlite_schema where type = 'table' and name not like 'sqlite%'")
        found = [tx.all(f"select * from {table}") for table in tables if table != "idempotency"]
        found.append(tx.all("select json(payload) from events"))
        found.append(tx.all("select json(images) from undo"))
        return repr(found)

    return world.database.write_now(texts)


# how it goes


def test_what_is_said_of_a_project_is_its_health(world: World) -> None:
    seq = world.database.seq
    make(world, assignees=["@cy"], due_date="2020-01-01")
    done = make(world)
    call(world, "cy", "issues.transition", key=done, to_status="done")
    with refused("not-allowed"):
        call(world, "cy", "projects.status_post", key="WEB", health="on_track", body="Fine")
    with refused("invalid-input"):
        call(world, "bo", "projects.status_post", key="WEB", health="fine", body="Fine")
    said = call(world, "bo", "projects.status_post", key="WEB", health="at_risk", body="One is late")
    facts = {"open": 1, "done": 1, "late": 1, "blocked": 0, "unassigned": 0, "stale": 0}
    assert said == {
        "id": 1,
        "project": "WEB",
        "health": "at_risk",
        "body": "One is late",
        "author": world.people["bo"].id,
        "at": world.clock.now(),
        "facts": facts,
    }
    assert project(world, "WEB", "cy")["health"] == "at_risk"
    assert payloads(world, seq, "project.status_posted") == [{"key": "WEB", "status": 1, "health": "at_risk"}]
    found = call(world, "cy", "projects.health", key="WEB")
    assert found == facts | {
        "sprint": None,
        "next_milestone": None,
        "spent": None,
        "budget": None,
        "last_status": said,
    }
    assert call(world, "cy", "projects.statuses") == [said]
    assert call(world, "gus", "projects.statuses") == []
    with refused("not-found"):
        call(world, "di", "projects.status_delete", id=99)
    with refused("not-allowed"):
        call(world, "di", "projects.status_delete", id=1)
    assert call(world, "bo", "projects.status_delete", id=1) == []
    call(world, "bo", "undo.apply", seq=world.database.seq)
    assert call(world, "cy", "projects.statuses", key="WEB") == [said]


def test_a_draft_holds_the_facts_that_one_sees(world: World) -> None:
    make(world, due_date="2020-01-01")
    done = make(world)
    call(world, "cy", "issues.transition", key=done, to_status="done")
    make(world, "bo", level="private")
    world.clock.advance(60)
    draft = call(world, "cy", "projects.status_draft", key="WEB")
    assert {fact["fact"]: fact["keys"] for fact in draft["facts"]} == {
        "made": ["WEB-2", "WEB-1"],
        "started": [],
        "closed": ["WEB-2"],
        "overdue": ["WEB-1"],
        "blocked": [],
    }
    assert "- closed: 1 (WEB-2)" in draft["text"]
    assert call(world, "bo", "projects.status_draft", key="WEB")["facts"][0]["count"] == 3
    assert (
        call(world, "cy", "projects.status_draft", key="WEB", since=world.clock.now())["facts"][0]["count"]
        == 0
    )


# templates and copies


def test_a_project_begins_with_what_its_template_says(world: World) -> None:
    built_in = call(world, "cy", "projects.templates")
    assert [one["name"] for one in built_in] == ["Bug tracking", "Kanban", "Product team"]
    for one in built_in:
        made = call(world, "cy", "projects.create", key=f"T{one['id']}", name=one["name"], template=one["id"])
        assert made["default_type"] == one["content"]["types"][0]
        known = [kind["key"] for kind in call(world, "cy", "types.list", project=made["key"])]
        assert sorted(known) == sorted(one["content"]["types"])
    bugs = next(one for one in built_in if one["name"] == "Bug tracking")
    (template,) = call(world, "cy", "issues.templates", project=f"T{bugs['id']}")
    made = call(
        world,
        "cy",
        "issues.create",
        project=f"T{bugs['id']}",
        title="x",
        body="It broke",
        template=template["id"],
    )
    assert made["body"].startswith("## What happened\n\nIt broke\n")
    with refused("not-found"):
        call(world, "cy", "projects.create", key="NOPE", name="x", template=99)


def test_templates_are_taken_off_projects_and_kept_by_admins(world: World) -> None:
    call(world, "bo", "labels.save", name="own", project="WEB")
    call(world, "bo", "components.save", project="WEB", name="Cart", assign="nobody")
    call(world, "bo", "projects.update", key="WEB", blockers="refuse", default_type="bug")
    seq = world.database.seq
    with refused("insufficient-scope"):
        call(world, "cy", "projects.template_save", name="Mine", from_="WEB")
    saved = call(world, "bo", "projects.template_save", name="Shops", from_="WEB")
    mine = next(one for one in saved if one["name"] == "Shops")
    assert mine["content"]["components"] == [{"name": "Cart", "assign": "nobody"}]
    assert world.events_since(seq) == [("project_template.saved", "org:1")]
    made = call(world, "cy", "projects.create", key="NEW", name="New", template=mine["id"])
    assert (made["default_type"], made["blockers"]) == ("bug", "refuse")
    assert [label["name"] for label in call(world, "cy", "labels.list", project="NEW")] == ["own"]
    for bad, slug in (
        ({"name": "SHOPS", "from_": "WEB"}, "conflict"),
        ({"name": "x"}, "invalid-input"),
        ({"name": "x", "from_": "WEB", "content": {}}, "invalid-input"),
        ({"name": "x", "content": {"colour": "red"}}, "unknown-field"),
        ({"name": "x", "id": 1}, "conflict"),
        ({"name": "x", "id": 99}, "not-found"),
    ):
        with refused(slug):
            call(world, "bo", "projects.template_save", **bad)
    with refused("conflict"):
        call(world, "bo", "projects.template_delete", id=1)
    assert len(call(world, "bo", "projects.template_delete", id=mine["id"])) == 3
    call(world, "bo", "undo.apply", seq=world.database.seq)
    assert len(call(world, "cy", "projects.templates")) == 4


def test_a_project_of_a_template_or_a_copy_moves_along_the_same_workflows(world: World) -> None:
    short, own = in_force(world), call(world, "bo", "workflows.save", **flow(name="Own"))["id"]
    call(world, "bo", "workflows.assign", id=own, project="WEB", types=["bug"])
    saved = call(world, "bo", "projects.template_save", name="Shops", from_="WEB")
    shops = next(one for one in saved if one["name"] == "Shops")
    assert (shops["content"]["workflow"], shops["content"]["workflows"]) == (short, {"bug": own})
    call(world, "cy", "projects.create", key="NEW", name="New", template=shops["id"])
    call(world, "bo", "projects.copy", key="WEB", new_key="TWO", name="Two")
    both = [call(world, "bo", "workflows.get", id=ident)["used_by"] for ident in (short, own)]
    assert [(one["project"], one["types"]) for one in both[1]] == [
        (key, ["bug"]) for key in ("NEW", "TWO", "WEB")
    ]
    along = {one["project"]: set(one["types"]) for one in both[0]}
    assert along["NEW"] == along["TWO"] == along["WEB"] == {"task", "story", "epic", "subtask"}
    call(world, "bo", "projects.template_save", id=shops["id"], name="Shops", content={"workflow": 99})
    with pytest.raises(KbworkProblem) as found:
        call(world, "cy", "projects.create", key="ODD", name="Odd", template=shops["id"])
    assert found.value.errors[0]["path"] == "content.workflow"


def test_a_template_that_no_longer_fits_says_where_and_makes_nothing(world: World) -> None:
    saved = call(
        world, "bo", "projects.template_save", name="Odd", content={"labels": [{"name": "a"}, {"nam": "b"}]}
    )
    odd = next(one["id"] for one in saved if one["name"] == "Odd")
    with pytest.raises(KbworkProblem) as found:
        call(world, "cy", "projects.create", key="ODD", name="Odd", template=odd)
    assert found.value.detail.startswith("content.labels[1]: ")
    with refused("not-found"):
        project(world, "ODD")


def test_a_copy_goes_on_past_an_issue_that_is_refused_and_names_it(world: World) -> None:
    epic = make(world, type="epic", title="Top")
    make(world, parent=epic, title="Unfit", type="bug")
    make(world, parent=epic, title="Under")
    field(world, "severity", "number")
    named = {"create": ["severity"], "edit": ["severity"], "required": ["severity"]}
    asked = {"project": "WEB", "type": "bug"} | named
    call(world, "bo", "fields.layout_save", **asked)
    job = call(world, "cy", "projects.copy", key="WEB", new_key="TWO", name="Two", with_=["issues"])["job"]
    result = ended(world, "cy", job)["result"]
    assert (result["issues"], [one["key"] for one in result["skipped"]]) == (2, ["WEB-2"])
    assert result["skipped"][0]["reason"]
    items = call(world, "cy", "issues.list", project="TWO", sort="key")["items"]
    assert [(one["title"], one["parent"]) for one in items] == [("Top", None), ("Under", "TWO-1")]


def test_a_copy_computes_what_is_computed_and_takes_what_was_filled_in(world: World) -> None:
    def values(key: str) -> Any:
        return call(world, "cy", "issues.get", key=key)["values"]

    field(world, "risk", "number")
    for key, kind, formula in (("twice", "formula", "cf.risk * 2"), ("below", "rollup", "sum(estimate)")):
        call(world, "bo", "fields.save", key=key, name=key.title(), kind=kind, formula=formula)
    top = make(world, type="epic", title="Top", values={"risk": 4})
    make(world, parent=top, title="Under", estimate=3)
    assert values(top) == {"risk": 4, "twice": 8, "below": 3}
    job = call(world, "cy", "projects.copy", key="WEB", new_key="TWO", name="Two", with_=["issues"])["job"]
    assert ended(world, "cy", job)["result"] == {"project": "TWO", "issues": 2, "skipped": []}
    assert values("TWO-1") == {"risk": 4, "twice": 8, "below": 3}
    call(world, "cy", "issues.update", key="TWO-2", estimate=5)
    assert values("TWO-1")["below"] == 5
    assert values(top)["below"] == 3


def test_a_project_is_copied_with_what_is_named(world: World) -> None:
    call(world, "bo", "labels.save", name="own", project="WEB")
    call(world, "bo", "projects.member_set", key="WEB", who="@gus", role="viewer")
    epic = make(world, type="epic", title="Top", labels=["own"])
    make(world, parent=epic, title="Under", body="text")
    make(world, "bo", title="hidden", level="private")
    job = call(
        world, "cy", "projects.copy", key="WEB", new_key="TWO", name="Two", with_=["issues", "members"]
    )["job"]
    assert ended(world, "cy", job)["result"] == {"project": "TWO", "issues": 2, "skipped": []}
    items = call(world, "cy", "issues.list", project="TWO", sort="key")["items"]
    assert [(one["key"], one["title"], one["parent"]) for one in items] == [
        ("TWO-1", "Top", None),
        ("TWO-2", "Under", "TWO-1"),
    ]
    assert items[0]["labels"] == ["own"]
    people = {one["who"]: one["role"] for one in call(world, "cy", "projects.members", key="TWO")}
    assert people[world.people["gus"].id] == "viewer"
    assert people[world.people["cy"].id] == "lead"
    with refused("conflict"):
        call(world, "cy", "projects.copy", key="WEB", new_key="TWO", name="Again")
    with refused("not-found"):
        call(world, "cy", "projects.copy", key="PRV", new_key="THREE", name="Private")
