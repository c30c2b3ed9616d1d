"""How many there are at most, and what else is refused where a page does not fit where it is to be."""

from typing import Any

import pytest

from tests.conftest import World
from tests.modules.calls import call, refused
from tests.modules.pages.wiki import outline, page, space

PAGES = "kbwork.modules.pages"


@pytest.fixture
def tree(world: World) -> str:
    """The id of a page, below which there are two."""
    space(world)
    top = page(world, "Top")
    page(world, "One", parent=top)
    page(world, "Two", parent=top)
    return top


@pytest.mark.parametrize(
    ("bound", "op", "asked"),
    [
        (("tree.archive.MOST", 2), "pages.archive", {"on": True, "children": True}),
        (("tree.copy.MOST", 2), "pages.copy", {"children": True}),
        (("tree.delete.MOST", 2), "pages.delete", {"children": "delete"}),
        (("tree.order.MOST_CHILDREN", 1), "pages.copy", {}),
        (("people.watch.MOST", 0), "pages.watch", {"on": True}),
    ],
)
def test_more_pages_than_fit_are_refused(
    tree: str, bound: tuple[str, int], op: str, asked: dict[str, Any], request: pytest.FixtureRequest
) -> None:
    world: World = request.getfixturevalue("world")
    monkeypatch: pytest.MonkeyPatch = request.getfixturevalue("monkeypatch")
    (name, most), before, seq = bound, outline(world), world.database.seq
    monkeypatch.setattr(f"{PAGES}.{name}", most)
    with refused("conflict"):
        call(world, "cy", op, id=tree, **asked)
    assert (outline(world), world.events_since(seq)) == (before, [])
    monkeypatch.setattr(f"{PAGES}.{name}", most + 1)
    call(world, "cy", op, id=tree, **asked)


def test_a_place_takes_so_many_pages(world: World, tree: str, monkeypatch: pytest.MonkeyPatch) -> None:
    other = page(world, "Other")
    monkeypatch.setattr(f"{PAGES}.tree.order.MOST_CHILDREN", 2)
    for op, asked in (
        ("pages.create", {"space": "HAND", "title": "Three", "parent": tree}),
        ("pages.create", {"space": "HAND", "title": "Three"}),
        ("pages.move", {"ids": [other], "parent": tree}),
        ("pages.import", {"space": "HAND", "parent": tree, "format": "md", "data": "IyBBCg=="}),
    ):
        with refused("conflict"):
            call(world, "cy", op, **asked)
    call(world, "cy", "pages.create", space="HAND", title="Three", parent=other)


def test_so_many_pages_change_their_space_at_once(
    world: World, tree: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    space(world, key="BACK", name="Back")
    monkeypatch.setattr(f"{PAGES}.tree.move.MOST", 2)
    with refused("conflict"):
        call(world, "cy", "pages.move", ids=[tree], space="BACK")
    assert outline(world, key="BACK") == []
    monkeypatch.setattr(f"{PAGES}.tree.move.MOST", 3)
    call(world, "cy", "pages.move", ids=[tree], space="BACK")


def test_an_org_has_so_many_templates_and_spaces(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    space(world)
    call(world, "cy", "pages.template_save", name="Visit", body="x", space="HAND")
    monkeypatch.setattr(f"{PAGES}.templates.templates.MOST", 1)
    monkeypatch.setattr("kbwork.modules.spaces.ops.MOST", 1)
    with refused("conflict"):
        call(world, "cy", "pages.template_save", name="Other", body="x", space="HAND")
    with refused("conflict"):
        space(world, key="MORE", name="More")
    assert space(world, name="Another name") == "HAND"


def test_texts_have_an_end(world: World, tree: str) -> None:
    call(world, "cy", "pages.update", id=tree, body="x" * 999_990)
    for op, asked in (
        ("pages.append", {"id": tree, "body": "y" * 20}),
        ("pages.update", {"id": tree, "body": "y" * 1_000_001}),
    ):
        with refused("invalid-input"):
            call(world, "cy", op, **asked)
    assert len(call(world, "cy", "pages.get", id=tree)["body"]) == 999_990


@pytest.mark.parametrize("op", ["pages.create", "pages.import"])
def test_a_place_that_is_none_is_refused(world: World, tree: str, op: str) -> None:
    space(world, key="BACK", name="Back")
    gone = page(world, "Gone")
    call(world, "cy", "pages.archive", id=gone, on=True)
    asked = {"title": "New"} if op == "pages.create" else {"format": "md", "data": "IyBBCg=="}
    for parent, key in ((tree, "BACK"), (gone, "HAND")):
        with refused("invalid-input"):
            call(world, "cy", op, space=key, parent=parent, **asked)


@pytest.mark.parametrize(
    ("op", "asked", "slug"),
    [
        ("pages.get", {"version": 1, "draft": True}, "invalid-input"),
        ("pages.get", {"version": 99}, "not-found"),
        ("pages.update", {"owner": "@gus"}, "invalid-input"),
        ("pages.update", {"owner": "@nobody"}, "invalid-input"),
        ("pages.restrict", {"view": ["@me", "@away"]}, "invalid-input"),
        ("pages.restrict", {"view": ["team:99"]}, "invalid-input"),
    ],
)
def test_what_no_page_can_be_is_refused(
    world: World, tree: str, op: str, asked: dict[str, Any], slug: str
) -> None:
    call(world, "ana", "members.deactivate", id=world.people["di"].id, on=True)
    asked = {
        name: [one.replace("@away", world.people["di"].id) for one in value] if name == "view" else value
        for name, value in asked.items()
    }
    with refused(slug):
        call(world, "cy", op, id=tree, **asked)


def test_a_home_is_a_page_of_its_space(world: World, tree: str) -> None:
    space(world, key="BACK", name="Back")
    hidden = page(world, "Hidden", who="di")
    call(world, "di", "pages.restrict", id=hidden, view=["@di"])
    call(world, "ana", "access.grant_set", subject="space:HAND", who="@bo", level="manage")
    for key, home in (("BACK", tree), ("HAND", "99"), ("HAND", hidden)):
        with refused("invalid-input"):
            call(world, "cy", "spaces.save", key=key, name="Any", home=home)
    with refused("not-found"):
        call(world, "cy", "spaces.tree", key="HAND", parent=hidden)


def test_of_a_group_of_labels_a_page_carries_one(world: World, tree: str) -> None:
    for name in ("risk/low", "risk/high"):
        call(world, "ana", "labels.save", name=name, group="risk")
    with refused("invalid-input"):
        call(world, "cy", "pages.update", id=tree, labels=["risk/low", "risk/high"])
    changed = call(world, "cy", "pages.update", id=tree, labels=["risk/low"])
    assert changed["labels"] == ["risk/low"]
    changed = call(world, "cy", "pages.update", id=tree, labels=["risk/high"])
    assert changed["labels"] == ["risk/high"]
