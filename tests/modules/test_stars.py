"""Stars: what somebody wants at hand, for themselves alone."""

from typing import Any

import pytest

from kbwork.contract.kbwork_client import Kbwork
from kbwork.core.access import callers, scopes
from kbwork.db.tx import Write
from kbwork.modules.stars import ops
from tests.conftest import World
from tests.modules.calls import call, eventually, refused
from tests.modules.grants import ConnectedClient
from tests.modules.together import slugs, together


def issue(world: World, who: str = "cy", **more: Any) -> str:
    return str(call(world, who, "issues.create", **{"project": "WEB", "title": "Cart"} | more)["key"])


def starred(
    world: World, subject: str, who: str = "cy", *, on: bool = True, **more: Any
) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = call(world, who, "stars.set", subject=subject, on=on, **more)
    assert found == call(world, who, "stars.list")
    return found


def subjects(world: World, who: str = "cy") -> list[str]:
    return [star["subject"] for star in call(world, who, "stars.list")]


def stored(world: World) -> list[str]:
    return world.database.write_now(lambda tx: tx.column("select subject from star order by id"))


def level(world: World, key: str, to: str) -> None:
    """Owned by Ana, so that Cy loses sight of it where it is private."""
    call(world, "ana", "issues.update", key=key, reporter="@ana")
    call(world, "ana", "issues.level_set", key=key, level=to)


def test_what_is_starred_is_listed_whole_and_nobody_is_told(world: World) -> None:
    issue(world)
    seq = world.database.seq
    starred(world, "WEB-1", folder="Shop", label="The cart")
    assert starred(world, "project:WEB") == [
        {
            "id": 1,
            "subject": "issue:1",
            "title": "WEB-1 Cart",
            "label": "The cart",
            "folder": "Shop",
            "position": 0,
        },
        {
            "id": 2,
            "subject": "project:WEB",
            "title": "Website",
            "label": None,
            "folder": None,
            "position": 1,
        },
    ]
    assert world.events_since(seq) == []
    assert [subjects(world, who) for who in ("ana", "bo", "di", "gus")] == [[], [], [], []]
    assert [one["seq"] for one in call(world, "cy", "undo.list") if one["seq"] > seq] == []
    assert starred(world, "issue:WEB-1", on=False)[0]["subject"] == "project:WEB"
    assert len(starred(world, "issue:WEB-1", on=False)) == 1, "twice is no change"


def test_a_folder_and_a_label_change_where_they_are_given(world: World) -> None:
    starred(world, "project:WEB", folder="One", label="Web")
    found = [
        starred(world, "project:WEB", **more)[0]
        for more in ({}, {"folder": "Two"}, {"label": None}, {"folder": None})
    ]
    assert [(star["folder"], star["label"]) for star in found] == [
        ("One", "Web"),
        ("Two", "Web"),
        ("Two", None),
        (None, None),
    ]
    with refused("invalid-input"):
        starred(world, "project:WEB", folder="x" * 101)


def test_stars_are_put_in_order_and_into_folders(world: World) -> None:
    for _ in range(4):
        starred(world, issue(world))

    def order() -> list[int]:
        return [star["id"] for star in call(world, "cy", "stars.list")]

    call(world, "cy", "stars.reorder", ids=[4, 3, 2, 1])
    assert order() == [4, 3, 2, 1]
    call(world, "cy", "stars.reorder", ids=[1, 4, 1])
    assert order() == [1, 3, 2, 4], "they share out their places"
    found = call(world, "cy", "stars.reorder", ids=[3, 2], folder="Shop")
    assert [(star["id"], star["folder"]) for star in found] == [
        (1, None),
        (3, "Shop"),
        (2, "Shop"),
        (4, None),
    ]
    assert call(world, "cy", "stars.reorder", ids=[3], folder=None)[1]["folder"] is None
    level(world, "WEB-3", "private")
    for ids in ([9], [3], [1, 3]):
        with refused("not-found"):
            call(world, "cy", "stars.reorder", ids=ids)
    with refused("not-found"):
        call(world, "di", "stars.reorder", ids=[1])
    call(world, "cy", "stars.reorder", ids=[4, 2, 1])
    level(world, "WEB-3", "project")
    assert order() == [4, 3, 2, 1], "what was not seen kept its place"


def test_what_is_seen_no_more_is_left_out_and_comes_back(world: World) -> None:
    issue(world)
    said = call(world, "cy", "comments.create", subject="WEB-1", body="Seen")["id"]
    for subject in ("issue:1", f"comment:{said}", "@di", "project:WEB"):
        starred(world, subject)
    every = subjects(world)
    level(world, "WEB-1", "private")
    assert subjects(world) == [f"member:{world.people['di'].id}", "project:WEB"]
    for on in (True, False):
        with refused("not-found"):
            call(world, "cy", "stars.set", subject="WEB-1", on=on)
    level(world, "WEB-1", "project")
    assert subjects(world) == every
    call(world, "ana", "issues.delete", key="WEB-1")
    assert len(subjects(world)) == 2
    (entry,) = call(world, "ana", "trash.list")["items"]
    call(world, "ana", "trash.restore", ids=[entry["id"]])
    assert subjects(world) == every


def test_what_is_not_seen_is_not_starred(world: World) -> None:
    issue(world, "di", project="PRV")
    call(world, "di", "views.save", name="Own", tql="open")
    for subject in ("PRV-1", "issue:1", "project:PRV", "view:1", "issue:9", "issue:new", "nothing", "page:x"):
        with refused("not-found"):
            call(world, "cy", "stars.set", subject=subject, on=True)
    assert stored(world) == []


def test_keys_and_clients_have_the_stars_of_their_owner_as_far_as_they_see(world: World) -> None:
    issue(world)
    for subject in ("WEB-1", "project:SEC", "@di"):
        starred(world, subject)

    def narrow(tx: Write) -> str:
        ident = tx.value("select id from project where key = 'WEB'")
        made = {"name": "narrow", "scopes": sorted(scopes.MEMBER), "projects": f"[{ident}]"}
        return callers.add_key(tx, world.people["cy"].id, made)[1]

    with Kbwork(world.url, world.database.write_now(narrow)) as key:
        assert "project:SEC" not in [star["subject"] for star in key.call("stars.list", {})]
    assert len(world.key("cy").call("stars.list", {})) == 3
    client = ConnectedClient(world, "cy", {"stars", "issues"})
    assert [star["subject"] for star in client.call("stars.list")] == ["issue:1"]


def test_a_project_that_has_another_key_keeps_its_star(world: World) -> None:
    starred(world, "project:WEB")
    assert call(world, "cy", "tql.run", tql="from projects starred")["subjects"] == ["project:WEB"]
    call(world, "ana", "projects.key_change", key="WEB", new_key="SHOP")
    assert [star["subject"] for star in starred(world, "project:SHOP")] == ["project:SHOP"]
    assert call(world, "cy", "tql.run", tql="from projects starred")["subjects"] == ["project:SHOP"]
    assert call(world, "di", "tql.run", tql="from projects starred")["subjects"] == []
    assert starred(world, "project:SHOP", on=False) == []


def test_an_issue_says_whether_the_caller_starred_it(world: World) -> None:
    for _ in range(3):
        issue(world)
    starred(world, "WEB-2")

    def shown(who: str) -> dict[str, bool]:
        return {one["key"]: one["starred"] for one in call(world, who, "issues.list")["items"]}

    for _ in range(2):  # made, and kept
        assert shown("cy") == {"WEB-1": False, "WEB-2": True, "WEB-3": False}
        assert set(shown("di").values()) == {False}
        assert world.key("cy").issues.get(key="WEB-2")["starred"]
    assert call(world, "cy", "issues.update", key="WEB-2", title="Till")["starred"]
    assert call(world, "cy", "tql.run", tql="starred")["subjects"] == ["issue:2"]
    assert call(world, "cy", "tql.count", tql="not starred") == {"count": 2}
    starred(world, "WEB-2", on=False)
    assert set(shown("cy").values()) == {False}
    assert call(world, "cy", "tql.count", tql="starred") == {"count": 0}


def test_stars_are_purged_with_what_they_are_on(world: World) -> None:
    issue(world)
    said = call(world, "cy", "comments.create", subject="WEB-1", body="Seen")["id"]
    for subject in ("issue:1", f"comment:{said}", "project:WEB"):
        starred(world, subject)
    call(world, "ana", "issues.delete", key="WEB-1")
    (entry,) = call(world, "ana", "trash.list")["items"]
    call(world, "ana", "trash.purge", ids=[entry["id"]])
    eventually(lambda: stored(world) == ["project:WEB"])


def test_whoever_is_erased_leaves_no_star(world: World) -> None:
    starred(world, "project:WEB")
    starred(world, "project:WEB", "di")
    call(world, "ana", "members.erase", id="@cy", confirm_name="Cy Moss")
    eventually(lambda: stored(world) == ["project:WEB"])
    assert len(subjects(world, "di")) == 1


def test_stars_are_so_many_and_hidden_ones_make_room(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ops, "MOST", 3)
    for _ in range(4):
        issue(world)
    for number in range(1, 4):
        starred(world, f"WEB-{number}")
    with refused("conflict"):
        call(world, "cy", "stars.set", subject="WEB-4", on=True)
    starred(world, "WEB-3", folder="Shop")
    level(world, "WEB-2", "private")
    starred(world, "WEB-4")
    assert stored(world) == ["issue:1", "issue:3", "issue:4"]


def test_of_many_that_star_a_thing_at_once_one_star_stays(world: World) -> None:
    issue(world)
    calls = [("stars.set", {"subject": "WEB-1", "on": True, "label": f"Tab {tab}"}) for tab in range(6)]
    answers = together(world, "cy", calls)
    assert slugs(answers) == []
    assert stored(world) == ["issue:1"]
