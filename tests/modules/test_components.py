"""Components: parts of a project, on issues, and who gets its new issues."""

from typing import Any

import pytest

from tests.conftest import World
from tests.modules.calls import call, refused
from tests.modules.issues.test_issues import make, payloads
from tests.modules.together import slugs, together


def save(world: World, who: str = "bo", **fields: Any) -> dict[str, Any]:
    found: dict[str, Any] = call(world, who, "components.save", **{"project": "WEB", "name": "Cart"} | fields)
    return found


def assignees(world: World, **fields: Any) -> list[str]:
    made = call(world, "cy", "issues.create", project="WEB", title="New", **fields)
    return list(made["assignees"])


def test_a_component_is_made_changed_and_taken_away(world: World) -> None:
    seq = world.database.seq
    made = save(world, lead="@cy", description="What one buys")
    assert made == {
        "id": 1,
        "project": "WEB",
        "name": "Cart",
        "description": "What one buys",
        "lead": world.people["cy"].id,
        "assign": "lead",
        "archived": False,
        "issues": 0,
    }
    changed = save(world, id=1, name="Basket", lead="", archived=True)
    assert changed == made | {"name": "Basket", "lead": None, "archived": True}
    save(world, id=1, name="Basket")
    assert world.events_since(seq) == [("component.saved", "project:WEB")] * 2
    told = payloads(world, seq, "component.saved")
    assert told[1]["changes"] == {
        "name": {"from": "Cart", "to": "Basket"},
        "lead": {"from": world.people["cy"].id, "to": None},
        "archived": {"from": False, "to": True},
    }
    call(world, "bo", "undo.apply", seq=world.database.seq)
    assert call(world, "cy", "components.list", project="WEB") == [made]
    assert call(world, "bo", "components.delete", id=1) == []
    call(world, "bo", "undo.apply", seq=world.database.seq)
    assert call(world, "cy", "components.list", project="WEB") == [made]


def test_a_component_that_issues_have_needs_another_for_them(world: World) -> None:
    one, other = save(world), save(world, name="Stock")
    key, both = make(world, components=["cart"]), make(world, components=["Cart", "STOCK"])
    with refused("in-use") as found:
        call(world, "bo", "components.delete", id=one["id"])
    assert found.value.extra["uses"] == 2
    for bad in (one["id"], 99, save(world, "cy", project="SEC", name="Doors")["id"]):
        with refused("invalid-input"):
            call(world, "bo", "components.delete", id=one["id"], move_to=bad)
    (left,) = call(world, "bo", "components.delete", id=one["id"], move_to=other["id"])
    assert (left["name"], left["issues"]) == ("Stock", 2)
    assert [call(world, "cy", "issues.get", key=k)["components"] for k in (key, both)] == [["Stock"]] * 2
    call(world, "bo", "undo.apply", seq=world.database.seq)
    assert call(world, "cy", "issues.get", key=both)["components"] == ["Cart", "Stock"]


@pytest.mark.parametrize(
    ("fields", "slug"),
    [
        ({"name": "CART"}, "conflict"),
        ({"name": ""}, "invalid-input"),
        ({"name": "New", "project": "XXX"}, "not-found"),
        ({"name": "New", "id": 99}, "not-found"),
        ({"name": "New", "id": 1, "project": "SEC"}, "invalid-input"),
        ({"name": "New", "lead": "@gus"}, "invalid-input"),
        ({"name": "New", "lead": "@nobody"}, "invalid-input"),
        ({"name": "New", "assign": "me"}, "invalid-input"),
    ],
)
def test_a_component_that_cannot_be_says_why(world: World, fields: dict[str, Any], slug: str) -> None:
    save(world)
    with refused(slug):
        save(world, "ana", **fields)


def test_leads_keep_components_and_whoever_sees_the_project_reads_them(world: World) -> None:
    made = save(world, "cy", project="SEC", name="Doors")
    with refused("not-allowed"):
        save(world, "cy")
    with refused("not-allowed"):
        save(world, "di", project="SEC", name="Windows")
    assert call(world, "di", "components.list", project="SEC") == [made]
    with refused("not-found"):
        call(world, "gus", "components.list", project="SEC")
    with refused("insufficient-scope"):
        call(world, "gus", "components.delete", id=made["id"])


def test_counts_are_of_what_one_sees(world: World) -> None:
    save(world)
    make(world, components=["Cart"])
    hidden = make(world, "bo", components=["Cart"], level="private")
    assert call(world, "bo", "components.list", project="WEB")[0]["issues"] == 2
    assert call(world, "cy", "components.list", project="WEB")[0]["issues"] == 1
    call(world, "bo", "issues.delete", key=hidden)
    assert call(world, "bo", "components.list", project="WEB")[0]["issues"] == 1


def test_components_of_an_issue_are_changed_as_a_list(world: World) -> None:
    for name in ("Cart", "Stock", "Old"):
        save(world, name=name)
    key = make(world, components=["Cart", "old", "1"])
    save(world, id=3, name="Old", archived=True)
    seq = world.database.seq
    assert call(world, "cy", "issues.update", key=key, components=["Stock", "Old"])["components"] == [
        "Old",
        "Stock",
    ]
    assert payloads(world, seq, "issue.updated")[0]["changes"] == {
        "components": {"from": ["Cart", "Old"], "to": ["Old", "Stock"]}
    }
    call(world, "cy", "issues.update", key=key, components=["Stock", "Old"])
    assert len(world.events_since(seq)) == 1
    call(world, "cy", "undo.apply", seq=seq + 1)
    assert call(world, "cy", "issues.get", key=key)["components"] == ["Cart", "Old"]
    call(world, "cy", "issues.update", key=key, components=[])
    for bad in ("Old", "Crat", "Doors"):
        with refused("invalid-input") as found:
            call(world, "cy", "issues.update", key=key, components=[bad])
    assert found.value.errors[0]["allowed"] == ["Cart", "Stock"]


def test_a_new_issue_goes_to_whom_component_or_project_say(world: World) -> None:
    cy, di, bo = (world.people[who].id for who in ("cy", "di", "bo"))
    save(world, lead="@cy")
    save(world, name="Stock", lead="@di", assign="project")
    save(world, name="Nobody's", assign="nobody")
    assert assignees(world) == []
    assert assignees(world, components=["Stock", "Cart"]) == [cy]
    assert assignees(world, components=["Cart"], assignees=[]) == []
    assert assignees(world, components=["Cart"], assignees=["@di"]) == [di]
    call(world, "bo", "projects.update", key="WEB", default_assignee="lead")
    assert assignees(world) == assignees(world, components=["Stock"]) == [bo]
    assert assignees(world, components=["Nobody's"]) == []
    call(world, "bo", "projects.update", key="WEB", default_assignee="rotation")
    call(world, "bo", "projects.member_set", key="WEB", who="@di", role="member")
    turns = [assignees(world)[0] for _ in range(4)]
    assert turns[:2] == turns[2:]
    assert set(turns) == {bo, di}


def test_two_who_make_one_name_at_once_make_it_once(world: World) -> None:
    asked = ("components.save", {"project": "WEB", "name": "Same"})
    assert slugs(together(world, "bo", [asked] * 6)) == ["conflict"] * 5
