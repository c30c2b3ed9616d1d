"""Pages: made, read, changed and published; who sees which."""

from typing import Any

import pytest

from kbwork.contract.kbwork_client import KbworkProblem
from tests.conftest import NOW, World
from tests.modules.calls import call, refused
from tests.modules.issues.test_issues import payloads
from tests.modules.pages.wiki import outline, page, roads, space, titles


def shape(world: World, **more: Any) -> dict[str, Any]:
    """A page of Cy's as it is answered where nothing else was said."""
    cy = world.people["cy"].id
    return {
        "id": "1",
        "space": "HAND",
        "parent": None,
        "title": "Welcome",
        "slug": "welcome",
        "icon": None,
        "cover": None,
        "labels": [],
        "properties": {},
        "owner": cy,
        "state": "published",
        "has_draft": False,
        "version": 1,
        "locked": False,
        "restricted": False,
        "verified_until": None,
        "verified_by": None,
        "counts": {"comments": 0, "open_threads": 0, "views_30d": 0, "children": 0, "backlinks": 0},
        "created_at": NOW,
        "created_by": cy,
        "updated_at": NOW,
        "updated_by": cy,
        "my_level": "manage",
        "path": "/pages/1",
        "body": "",
        "body_doc": None,
        "headings": [],
        "watching": False,
        "limits": {"view": [], "edit": []},
    } | more


def plain(shown: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in shown.items() if name != "seq"}


def test_a_page_is_made_and_told_of(world: World) -> None:
    space(world)
    seq = world.database.seq
    made = call(
        world, "cy", "pages.create", space="hand", title=" Welcome ", body="# Hello\n\nText", icon="wave"
    )
    assert plain(made) == shape(
        world,
        body="# Hello\n\nText",
        icon="wave",
        headings=[{"level": 1, "text": "Hello", "anchor": "hello"}],
    )
    assert world.events_since(seq) == [("page.created", "page:1")]
    assert payloads(world, seq, "page.created") == [{"title": "Welcome", "space": "HAND", "version": 1}]
    assert made["seq"] == seq + 1
    for ref in ("1", "HAND/welcome", "hand/Welcome"):
        assert call(world, "di", "pages.get", id=ref) == made | {"my_level": "edit", "limits": None}


def test_pages_stand_in_a_tree_in_their_order(world: World) -> None:
    space(world)
    first, third = page(world, "First"), page(world, "Third")
    page(world, "Second", after=first)
    page(world, "Below", parent=third)
    deep = page(world, "Last below", parent=third)
    page(world, "Deep", parent=deep)
    assert outline(world) == ["First", "Second", ["Third", ["Below", ["Last below", ["Deep"]]]]]
    assert outline(world, parent=third) == ["Below", ["Last below", ["Deep"]]]
    assert call(world, "cy", "spaces.tree", key="HAND")[2] == {
        "id": third,
        "title": "Third",
        "icon": None,
        "children": 2,
    }
    assert titles(call(world, "di", "pages.children", id=third)) == ["Below", "Last below"]
    assert titles(call(world, "di", "pages.children", id=third, depth=2)) == ["Below", "Last below", "Deep"]
    assert call(world, "di", "spaces.get", key="HAND")["pages"] == 6


def test_an_update_changes_what_is_named_and_says_what(world: World) -> None:
    space(world)
    page(world, "Welcome", body="One")
    seq = world.database.seq
    changed = call(
        world,
        "cy",
        "pages.update",
        id="1",
        title="Hello",
        body="Three",
        cover="/files/a",
        owner="@di",
        properties={"team": ["a"]},
        note="Better",
    )
    di = world.people["di"].id
    assert plain(changed) == shape(
        world,
        title="Hello",
        slug="hello",
        body="Three",
        cover="/files/a",
        owner=di,
        properties={"team": ["a"]},
        version=2,
    )
    cy = world.people["cy"].id
    assert payloads(world, seq, "page.updated") == [
        {
            "title": "Hello",
            "space": "HAND",
            "version": 2,
            "note": "Better",
            "changes": {
                "title": {"from": "Welcome", "to": "Hello"},
                "body": {"from_size": 3, "to_size": 5, "revision": 1},
                "cover": {"from": None, "to": "/files/a"},
                "owner": {"from": cy, "to": di},
                "properties": {"from": {}, "to": {"team": ["a"]}},
            },
        }
    ]
    seq = world.database.seq
    assert call(world, "cy", "pages.update", id="HAND/welcome", title="Hello")["version"] == 2
    assert world.events_since(seq) == []


def test_a_draft_is_seen_by_its_author_and_those_who_may_edit_until_it_is_published(world: World) -> None:
    space(world, visibility="members")
    call(world, "cy", "access.grant_set", subject="space:HAND", who="@di", level="view")
    call(world, "cy", "access.grant_set", subject="space:HAND", who="@gus", level="edit")
    page(world, "Welcome", who="gus", draft=True)
    assert call(world, "cy", "pages.get", id="1")["state"] == "draft"
    assert call(world, "gus", "pages.get", id="1")["state"] == "draft"
    with refused("not-found"):
        call(world, "di", "pages.get", id="1")
    seq = world.database.seq
    done = call(world, "gus", "pages.publish", id="1", note="Here it is")
    assert (done["state"], done["version"]) == ("published", 1)
    assert world.events_since(seq) == [("page.published", "page:1")]
    assert payloads(world, seq, "page.published")[0]["note"] == "Here it is"
    assert call(world, "di", "pages.get", id="1")["title"] == "Welcome"


def test_search_finds_pages_and_what_is_said_on_them(world: World) -> None:
    space(world)
    page(world, "Zebra crossing", body="About the okapi")
    call(world, "cy", "comments.create", subject="page:1", body="A giraffe, too")
    found = call(world, "di", "search.query", q="okapi")["items"]
    assert [(hit["subject"], hit["title"], hit["path"], hit["space"]) for hit in found] == [
        ("page:1", "Zebra crossing", "/pages/1", "HAND")
    ]
    assert [
        hit["subject"] for hit in call(world, "di", "search.query", q="giraffe", space="HAND")["items"]
    ] == ["comment:1"]
    assert [one["title"] for one in call(world, "di", "search.suggest", q="zebr")] == ["Zebra crossing"]
    with refused("not-found"):
        call(world, "gus", "search.query", q="okapi", space="HAND")
    call(world, "di", "pages.update", id="1", body="About nothing")
    assert call(world, "di", "search.query", q="okapi")["items"] == []


@pytest.mark.parametrize(
    ("asked", "slug"),
    [
        ({"space": "NONE"}, "not-found"),
        ({"parent": "99"}, "not-found"),
        ({"after": "99"}, "invalid-input"),
        ({"template": 99}, "invalid-input"),
        ({"labels": ["none"]}, "invalid-input"),
        ({"body_doc": '{"type": "doc"}'}, "invalid-input"),
        ({"body": "x", "body_doc": '{"type": "odd"}'}, "invalid-input"),
        ({"properties": {"x": "y" * 70_000}}, "invalid-input"),
        ({"title": " "}, "invalid-input"),
    ],
)
def test_what_does_not_fit_is_refused(world: World, asked: dict[str, Any], slug: str) -> None:
    space(world)
    with refused(slug):
        call(world, "cy", "pages.create", **{"space": "HAND", "title": "Welcome"} | asked)


def canaries(world: World, who: str) -> list[str]:
    """The roads by which somebody reads of a canary."""
    found = []
    for name, ask in roads(world, who):
        try:
            answer = ask()
        except KbworkProblem as problem:
            answer = str(problem)
        if "canary" in str(answer).lower():
            found.append(name)
    return found


def hidden(world: World, who: str = "cy") -> None:
    """Pages that others are not to know of: narrowed ones with what is below, a draft, some of one's own."""
    space(world)
    open_ = page(world, "Open", body="Nothing here")
    secret = page(world, "Canary one", body="canary [[Canary two]]", parent=open_)
    page(world, "Canary two", body="canary [[Open]] [[Canary gone]]", parent=secret)
    call(world, "cy", "pages.restrict", id=secret, view=["@cy"])
    call(world, "cy", "comments.create", subject=f"page:{secret}", body="A canary sang")
    call(world, "cy", "attachments.add", subject=f"page:{secret}", name="canary.txt", data="Y2FuYXJ5")
    call(world, "cy", "pages.update", id=secret, title="Canary three", body="canary anew", draft=True)
    call(world, "cy", "spaces.save", key="OWN", name="Canary's own", kind="personal")
    page(world, "Canary four", space="OWN", body="canary [[HAND/open]]")
    call(world, "cy", "pages.update", id=open_, body="A canary to come", draft=True)
    gone = page(world, "Canary five", body="canary", parent=secret)
    call(world, "cy", "pages.delete", id=gone)


@pytest.mark.parametrize("who", ["di", "gus"])
def test_no_road_leads_to_what_is_hidden(world: World, who: str) -> None:
    hidden(world)
    call(world, "cy", "access.grant_set", subject="space:HAND", who=f"@{who}", level="view")
    if who == "di":
        call(world, "cy", "spaces.save", key="HAND", name="Handbook", visibility="members")
    page(world, "Canary six", draft=True, body="canary")
    assert canaries(world, who) == []
    assert call(world, who, "spaces.get", key="HAND")["pages"] == 1
    assert call(world, who, "pages.get", id="1")["counts"]["children"] == 0
    assert call(world, who, "pages.get", id="1")["counts"]["backlinks"] == 0
    assert outline(world, who) == ["Open"]


def test_admins_see_what_is_narrowed_and_nothing_of_personal_spaces(world: World) -> None:
    hidden(world)
    assert outline(world, "bo") == [["Open", [["Canary one", ["Canary two"]]]]]
    assert [one["key"] for one in call(world, "bo", "spaces.list")] == ["HAND"]
    with refused("not-found"):
        call(world, "bo", "pages.get", id="4")
    found = canaries(world, "cy")
    assert len(found) > 20, "the roads lead somewhere"
