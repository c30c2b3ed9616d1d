"""Making, changing, looking at and deleting sprints, and who may."""

from typing import Any

import pytest

from tests.conftest import World
from tests.modules.calls import call, eventually, refused
from tests.modules.issues.test_issues import make, payloads
from tests.modules.sprints.sprint_calls import DAYS, running, sprint, sprint_of, three

NOTHING = {"issues": 0, "done": 0, "estimate": 0, "estimate_done": 0, "added": 0, "removed": 0}


def test_a_sprint_is_made_changed_and_looked_at(world: World) -> None:
    seq = world.database.seq
    made = sprint(world, goal="To sell")
    assert made == DAYS | {
        "id": 1,
        "name": "One",
        "projects": ["WEB"],
        "team": None,
        "state": "planned",
        "goal": "To sell",
        "started_at": None,
        "completed_at": None,
        "capacity": {},
        "counts": NOTHING,
        "retro": None,
        "cadence": None,
    }
    changed = call(world, "cy", "sprints.update", id=1, name="First", goal="", end_date="2027-01-29")
    assert changed == made | {"name": "First", "goal": "", "end_date": "2027-01-29"}
    call(world, "cy", "sprints.update", id=1, name="First")
    assert call(world, "di", "sprints.get", id=1) == changed
    assert world.events_since(seq) == [("sprint.created", "sprint:1"), ("sprint.updated", "sprint:1")]
    told = payloads(world, seq, "sprint.updated")
    assert told[0]["changes"]["name"] == {"from": "One", "to": "First"}
    call(world, "cy", "undo.apply", seq=world.database.seq)
    assert call(world, "cy", "sprints.get", id=1) == made


@pytest.mark.parametrize(
    ("fields", "slug"),
    [
        ({"projects": []}, "invalid-input"),
        ({"projects": ["NONE"]}, "not-found"),
        ({"projects": ["PRV"]}, "not-found"),
        ({"team": 99}, "invalid-input"),
        ({"end_date": "2027-01-01"}, "invalid-input"),
        ({"end_date": "2028-03-01"}, "invalid-input"),
        ({"end_date": "soon"}, "invalid-input"),
        ({"name": " "}, "invalid-input"),
    ],
)
def test_a_sprint_that_cannot_be_says_why(world: World, fields: dict[str, Any], slug: str) -> None:
    with refused(slug):
        sprint(world, **fields)


def test_nobody_makes_a_sprint_of_an_archived_project(world: World) -> None:
    sprint(world)
    call(world, "bo", "projects.archive", key="WEB", on=True)
    for op, more in (("sprints.update", {"name": "New"}), ("sprints.start", {}), ("sprints.delete", {})):
        with refused("conflict"):
            call(world, "cy", op, id=1, **more)
    with refused("conflict"):
        sprint(world)


def test_what_there_is_no_page_of_is_no_retro(world: World) -> None:
    sprint(world)
    with refused("invalid-input"):
        call(world, "cy", "sprints.update", id=1, retro="p_1")
    assert call(world, "cy", "sprints.update", id=1, retro=None)["retro"] is None


def test_sprints_are_listed_the_active_ones_first(world: World) -> None:
    running(world, name="Old")
    call(world, "cy", "sprints.complete", id=1, unfinished="backlog")
    for name, day in (("Later", "2027-03-01"), ("Soon", "2027-02-01")):
        sprint(world, name=name, start_date=day, end_date="2027-03-20")
    running(world, name="Now")
    names = [one["name"] for one in call(world, "di", "sprints.list")]
    assert names == ["Now", "Soon", "Later", "Old"]
    assert [one["name"] for one in call(world, "di", "sprints.list", state="planned")] == ["Soon", "Later"]
    assert call(world, "cy", "sprints.list", project="SEC") == []
    with refused("not-found"):
        call(world, "di", "sprints.list", project="PRIV")
    with refused("invalid-input"):
        call(world, "di", "sprints.list", team=99)


def test_members_keep_a_sprint_and_whoever_sees_a_project_sees_it(world: World) -> None:
    made = sprint(world, "cy", projects=["SEC"])
    assert call(world, "di", "sprints.get", id=made["id"])["projects"] == ["SEC"]
    for op, more in (
        ("sprints.update", {"name": "Mine"}),
        ("sprints.start", {}),
        ("sprints.delete", {}),
        ("sprints.add", {"keys": ["SEC-1"]}),
    ):
        with refused("not-allowed"):
            call(world, "di", op, id=made["id"], **more)
    with refused("not-allowed"):
        sprint(world, "di", projects=["SEC"])
    hidden = sprint(world, "di", projects=["PRV"])
    for op in ("sprints.get", "sprints.start", "sprints.delete", "sprints.reopen"):
        with refused("not-found"):
            call(world, "cy", op, id=hidden["id"])
    assert [one["id"] for one in call(world, "cy", "sprints.list")] == [made["id"]]
    with refused("insufficient-scope"):
        call(world, "gus", "sprints.list")


def test_one_on_several_projects_is_seen_by_whoever_sees_one_of_them(world: World) -> None:
    made = sprint(world, "di", projects=["WEB", "PRV"])
    assert made["projects"] == ["PRV", "WEB"]
    assert call(world, "cy", "sprints.get", id=made["id"])["projects"] == ["WEB"]
    inside = make(world, "di", project="PRV", estimate=5)
    call(world, "di", "sprints.add", id=made["id"], keys=[inside])
    assert call(world, "di", "sprints.get", id=made["id"])["counts"]["estimate"] == 5
    assert call(world, "cy", "sprints.get", id=made["id"])["counts"] == NOTHING


def test_one_of_a_team_alone_is_its_teams(world: World) -> None:
    team = call(world, "bo", "teams.save", name="Core")["id"]
    call(world, "bo", "teams.member_set", id=team, who="@cy", role="lead")
    made = sprint(world, "cy", projects=[], team=team)
    assert (made["projects"], made["team"]) == ([], team)
    with refused("not-found"):
        call(world, "di", "sprints.get", id=made["id"])
    with refused("not-allowed"):
        sprint(world, "di", projects=[], team=team)
    assert call(world, "bo", "sprints.update", id=made["id"], goal="All")["goal"] == "All"


def test_deleting_one_puts_its_issues_back_and_undo_brings_it_back(world: World) -> None:
    keys = three(world)
    made = running(world, *keys)
    seq = world.database.seq
    assert call(world, "cy", "sprints.delete", id=made["id"]) == []
    assert [sprint_of(world, key) for key in keys] == [None] * 3
    assert world.events_since(seq) == [
        ("issue.updated", "issue:1"),
        ("issue.updated", "issue:2"),
        ("issue.updated", "issue:3"),
        ("sprint.deleted", "sprint:1"),
    ]
    assert payloads(world, seq, "sprint.deleted", "di") != []
    with refused("not-found"):
        call(world, "cy", "sprints.get", id=made["id"])
    call(world, "cy", "undo.apply", seq=world.database.seq)
    assert [sprint_of(world, key) for key in keys] == [made["id"]] * 3
    assert call(world, "cy", "sprints.get", id=made["id"])["counts"]["issues"] == 3


def test_what_was_deleted_goes_for_good_when_undo_is_over(world: World) -> None:
    sprint(world)
    call(world, "cy", "sprints.delete", id=1)
    world.advance(3 * 86_400)
    eventually(lambda: world.database.write_now(lambda tx: tx.value("select count(*) from sprint")) == 0)


def test_a_sprint_is_found_by_its_name_and_as_a_subject(world: World) -> None:
    sprint(world, name="Harvest")
    found = call(world, "di", "search.query", q="harvest")["items"]
    assert [hit["subject"] for hit in found] == ["sprint:1"]
    (told,) = call(world, "di", "subjects.resolve", refs=["sprint:1"])
    assert (told["subject"], told["title"], told["path"]) == ("sprint:1", "Harvest", "/sprints/1")
