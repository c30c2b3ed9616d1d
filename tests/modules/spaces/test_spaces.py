"""Spaces: made, changed, archived, deleted; who sees and manages which."""

from typing import Any

import pytest

from kbwork.contract.kbwork_client import Kbwork
from tests.conftest import World
from tests.modules.calls import call, eventually, refused
from tests.modules.issues.test_issues import payloads
from tests.modules.pages.wiki import outline, page, space


def shape(world: World, **more: Any) -> dict[str, Any]:
    """A space of Cy's as it is answered where nothing else was said."""
    return {
        "key": "HAND",
        "name": "Handbook",
        "kind": "team",
        "description": "",
        "icon": None,
        "project": None,
        "visibility": "org",
        "home": None,
        "owner": world.people["cy"].id,
        "review_days": None,
        "pages": 0,
        "my_level": "manage",
        "archived_at": None,
        "former_keys": [],
    } | more


def keys(world: World, who: str, **asked: Any) -> list[str]:
    return [one["key"] for one in call(world, who, "spaces.list", **asked)]


def test_a_space_is_made_and_told_of(world: World) -> None:
    seq = world.database.seq
    assert call(world, "cy", "spaces.save", key="hand", name="Handbook") == shape(world)
    assert world.events_since(seq) == [("space.created", "space:HAND")]
    assert payloads(world, seq, "space.created") == [{"space": "HAND", "name": "Handbook"}]
    assert call(world, "di", "spaces.get", key="Hand") == shape(world, my_level="edit")
    assert keys(world, "di", q="book") == ["HAND"]
    assert keys(world, "di", kind="kb") == []
    assert keys(world, "gus") == []


def test_a_change_tells_what_changed_and_nothing_where_nothing_does(world: World) -> None:
    space(world)
    home = page(world, "Home")
    seq = world.database.seq
    assert call(world, "cy", "spaces.save", key="HAND", name="Handbook")["pages"] == 1
    assert world.events_since(seq) == []
    changed = call(
        world,
        "cy",
        "spaces.save",
        key="HAND",
        name="Manual",
        kind="kb",
        description="All",
        home=home,
        review_days=30,
    )
    assert changed == shape(
        world, name="Manual", kind="kb", description="All", home=home, review_days=30, pages=1
    )
    assert payloads(world, seq, "space.updated")[0]["changes"] == {
        "name": {"from": "Handbook", "to": "Manual"},
        "kind": {"from": "team", "to": "kb"},
        "description": {"from_size": 0, "to_size": 3, "revision": None},
        "home": {"from": None, "to": home},
        "review_days": {"from": None, "to": 30},
    }
    call(world, "cy", "undo.apply", seq=world.database.seq)
    assert call(world, "cy", "spaces.get", key="HAND") == shape(world, pages=1)
    call(world, "cy", "spaces.save", key="HAND", name="Handbook", home=home)
    call(world, "cy", "pages.restrict", id=home, view=["@cy"])
    assert call(world, "di", "spaces.get", key="HAND")["home"] is None


def test_icon_project_and_visibility_are_changed_and_told(world: World) -> None:
    space(world)
    call(world, "bo", "projects.create", key="SHOP", name="Shop", visibility="members")
    seq = world.database.seq
    assert call(world, "cy", "spaces.save", key="HAND", name="Handbook", icon="box")["icon"] == "box"
    closed = call(world, "cy", "spaces.save", key="HAND", name="Handbook", visibility="members")
    assert closed == shape(world, icon="box", visibility="members")
    assert keys(world, "di") == []
    cleared = call(world, "cy", "spaces.save", key="HAND", name="Handbook", icon="", visibility="org")
    assert cleared == shape(world)
    assert keys(world, "di") == ["HAND"]
    assert [one["changes"] for one in payloads(world, seq, "space.updated")] == [
        {"icon": {"from": None, "to": "box"}},
        {"visibility": {"from": "org", "to": "members"}},
        {"icon": {"from": "box", "to": None}, "visibility": {"from": "members", "to": "org"}},
    ]
    call(world, "bo", "spaces.save", key="SITE", name="Site", kind="project", project="WEB")
    seq = world.database.seq
    moved = call(world, "bo", "spaces.save", key="SITE", name="Site", project="SHOP")
    assert (moved["project"], moved["visibility"]) == ("SHOP", "members")
    assert payloads(world, seq, "space.updated")[0]["changes"] == {"project": {"from": "WEB", "to": "SHOP"}}
    assert keys(world, "cy") == ["HAND"]
    call(world, "bo", "undo.apply", seq=world.database.seq)
    assert keys(world, "cy") == ["HAND", "SITE"]
    for asked in ({"visibility": "org"}, {"kind": "team"}):
        with refused("invalid-input"):
            call(world, "bo", "spaces.save", key="SITE", name="Site", **asked)


@pytest.mark.parametrize(
    ("asked", "slug"),
    [
        ({"key": "1X"}, "invalid-input"),
        ({"kind": "project"}, "invalid-input"),
        ({"project": "WEB"}, "invalid-input"),
        ({"kind": "project", "project": "SEC"}, "not-allowed"),
        ({"kind": "project", "project": "PRV"}, "not-found"),
        ({"kind": "personal", "visibility": "org"}, "invalid-input"),
        ({"home": "1"}, "invalid-input"),
    ],
)
def test_a_space_that_does_not_fit_is_refused(world: World, asked: dict[str, Any], slug: str) -> None:
    with refused(slug):
        call(
            world,
            "cy" if asked.get("project") == "PRV" else "di",
            "spaces.save",
            **{"key": "X1", "name": "X"} | asked,
        )


def test_a_space_is_changed_by_those_who_manage_it(world: World) -> None:
    space(world)
    with refused("not-allowed"):
        call(world, "di", "spaces.save", key="HAND", name="Mine")
    with refused("not-allowed"):
        call(world, "di", "spaces.archive", key="HAND", on=True)
    with refused("not-allowed"):
        call(world, "gus", "spaces.save", key="GUS", name="Mine")
    assert call(world, "bo", "spaces.save", key="HAND", name="Ours")["name"] == "Ours"
    with refused("invalid-input"):
        call(world, "cy", "spaces.save", key="HAND", name="Ours", kind="personal")


def test_who_sees_a_space_follows_its_kind(world: World) -> None:
    call(world, "cy", "spaces.save", key="OPEN", name="1")
    call(world, "cy", "spaces.save", key="FEW", name="2", visibility="members")
    call(world, "cy", "spaces.save", key="OWN", name="3", kind="personal")
    call(world, "cy", "spaces.save", key="SECS", name="4", kind="project", project="SEC")
    call(world, "di", "spaces.save", key="PRVS", name="5", kind="project", project="PRV")
    assert keys(world, "cy") == ["OPEN", "FEW", "OWN", "SECS"]
    assert keys(world, "di") == ["OPEN", "SECS", "PRVS"]
    assert keys(world, "bo") == ["OPEN", "FEW", "SECS"]
    assert keys(world, "gus") == []
    assert call(world, "di", "spaces.get", key="SECS")["my_level"] == "comment"
    with refused("conflict"):
        call(world, "di", "spaces.save", key="FEW", name="Taken")
    call(world, "cy", "access.grant_set", subject="space:FEW", who="@gus", level="comment")
    assert call(world, "gus", "spaces.get", key="FEW")["my_level"] == "comment"
    call(world, "cy", "projects.member_set", key="SEC", who="@di", role="none")
    assert keys(world, "di") == ["OPEN", "PRVS"]


def test_a_key_of_some_projects_sees_the_spaces_of_these_alone(world: World) -> None:
    space(world)
    call(world, "bo", "spaces.save", key="SITE", name="Site", kind="project", project="WEB")
    scopes = ["pages:read", "pages:write", "search:read"]
    made = call(world, "cy", "keys.create", name="narrow", scopes=scopes, projects=["WEB"])
    with Kbwork(world.url, made["secret"]) as narrow:
        assert [one["key"] for one in narrow.call("spaces.list", {})] == ["SITE"]
        page(world, "Zebra")
        assert narrow.call("pages.list", {})["items"] == []
        assert narrow.call("search.query", {"q": "zebra"})["items"] == []
        with refused("not-allowed"):
            narrow.call("spaces.save", {"key": "OTHER", "name": "Other"})


def test_an_archived_space_takes_no_change(world: World) -> None:
    space(world)
    page(world, "Zebra")
    seq = world.database.seq
    assert call(world, "cy", "spaces.archive", key="HAND", on=True)["archived_at"] is not None
    assert payloads(world, seq, "space.archived") == [{"space": "HAND", "name": "Handbook", "on": True}]
    assert (keys(world, "di"), keys(world, "di", archived=True)) == ([], ["HAND"])
    for op, value in (
        ("pages.create", {"space": "HAND", "title": "x"}),
        ("pages.update", {"id": "1", "body": "x"}),
        ("comments.create", {"subject": "page:1", "body": "x"}),
        ("spaces.save", {"key": "HAND", "name": "x"}),
    ):
        with refused("conflict"):
            call(world, "cy", op, **value)
    assert call(world, "di", "search.query", q="zebra")["items"] == []
    assert len(call(world, "di", "search.query", q="is:archived zebra")["items"]) == 1
    call(world, "cy", "undo.apply", seq=world.database.seq)
    assert keys(world, "di") == ["HAND"]


def test_a_deleted_space_comes_back_with_its_pages_and_gives_its_key_to_nobody(world: World) -> None:
    space(world)
    above = page(world, "Zebra")
    page(world, "Below", parent=above)
    with refused("insufficient-scope"):
        call(world, "cy", "spaces.delete", key="HAND", confirm_key="HAND")
    with refused("invalid-input"):
        call(world, "bo", "spaces.delete", key="HAND", confirm_key="HANS")
    seq = world.database.seq
    gone = call(world, "bo", "spaces.delete", key="HAND", confirm_key="hand")
    assert world.events_since(seq) == [("space.deleted", "space:HAND")]
    for op, value in (("spaces.get", {"key": "HAND"}), ("pages.get", {"id": "1"})):
        with refused("not-found"):
            call(world, "cy", op, **value)
    assert call(world, "cy", "search.query", q="zebra")["items"] == []
    with refused("conflict"):
        call(world, "cy", "spaces.save", key="HAND", name="Again")
    assert call(world, "cy", "trash.list")["items"] == []
    assert call(world, "bo", "trash.list")["items"][0]["items"] == 3
    assert call(world, "bo", "trash.restore", ids=[gone["trash"]])["restored"] == ["space:HAND"]
    assert outline(world) == [["Zebra", ["Below"]]]
    gone = call(world, "bo", "spaces.delete", key="HAND", confirm_key="HAND")
    call(world, "bo", "trash.purge", ids=[gone["trash"]])
    with refused("conflict"):
        call(world, "cy", "spaces.save", key="HAND", name="Again")
    eventually(lambda: _left(world) == [("", 0)])


def test_the_spaces_of_a_project_go_with_it(world: World) -> None:
    call(world, "bo", "spaces.save", key="SITE", name="Site", kind="project", project="WEB")
    page(world, "Zebra", space="SITE", who="bo")
    call(world, "bo", "projects.delete", key="WEB", confirm_key="WEB")
    assert keys(world, "bo") == []
    entry = call(world, "bo", "trash.list")["items"][0]["id"]
    call(world, "bo", "trash.restore", ids=[entry])
    assert keys(world, "bo") == ["SITE"]
    call(world, "bo", "projects.delete", key="WEB", confirm_key="WEB")
    entry = call(world, "bo", "trash.list")["items"][0]["id"]
    call(world, "bo", "trash.purge", ids=[entry])
    eventually(lambda: _left(world) == [("", 0)])


def _left(world: World) -> list[tuple[str, int]]:
    """The name of each space, and how many pages there are."""
    return world.database.write_now(
        lambda tx: tx.tuples("select name, (select count(*) from page) from space")
    )
