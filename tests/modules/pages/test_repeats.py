"""A page is made once under one Idempotency-Key, and read once while nothing changes; others write at the same time."""

from typing import Any

from tests.conftest import World
from tests.house.conftest import Door
from tests.modules.calls import call, refused
from tests.modules.pages.wiki import outline, page, space
from tests.modules.together import slugs, together


def test_a_repeated_call_makes_one_page(world: World) -> None:
    space(world)
    door, token = Door(world), world.people["cy"].session
    asked = {"space": "HAND", "title": "Once"}
    first = door.post("pages.create", asked, token, **{"Idempotency-Key": "k1"})
    again = door.post("pages.create", asked, token, **{"Idempotency-Key": "k1"})
    assert (first[0], again[0], first[2]) == (200, 200, again[2])
    assert outline(world) == ["Once"]


def test_a_page_that_did_not_change_is_not_sent_twice(world: World) -> None:
    space(world)
    page(world, "Welcome", body="one")
    door, token = Door(world), world.people["di"].session
    for op, value in (("pages.get", {"id": "1"}), ("pages.list", {}), ("spaces.tree", {"key": "HAND"})):
        tag = door.post(op, value, token)[1]["etag"]
        assert door.post(op, value, token, **{"If-None-Match": tag})[0] == 304
        call(world, "cy", "pages.update", id="1", title=f"Welcome {op}")
        assert door.post(op, value, token, **{"If-None-Match": tag})[0] == 200


def test_pages_of_one_title_made_at_once_have_slugs_and_places_of_their_own(world: World) -> None:
    space(world)
    made = together(world, "cy", [("pages.create", {"space": "HAND", "title": "Same"})] * 8)
    assert slugs(made) == []
    assert len({one["slug"] for one in made}) == 8
    assert outline(world) == ["Same"] * 8


def test_of_many_lines_added_at_once_none_is_lost(world: World) -> None:
    space(world)
    page(world, "Log")
    calls: list[tuple[str, dict[str, Any]]] = [
        ("pages.append", {"id": "1", "body": f"- line {number}"}) for number in range(8)
    ]
    assert slugs(together(world, "cy", calls)) == []
    body = call(world, "cy", "pages.get", id="1")["body"]
    assert all(f"- line {number}" in body for number in range(8))


def test_a_page_is_deleted_or_gets_one_below_and_none_hangs_on_nothing(world: World) -> None:
    space(world)
    above = page(world, "Above")
    calls: list[tuple[str, dict[str, Any]]] = [
        ("pages.delete", {"id": above}),
        ("pages.create", {"space": "HAND", "title": "Below", "parent": above}),
    ]
    slow = slugs(together(world, "cy", calls))
    assert slow in ([], ["not-found"])
    assert outline(world) == ([] if slow else ["Below"])


def test_a_batch_is_taken_back_as_a_whole(world: World) -> None:
    space(world)
    ops = [
        {"op": "pages.create", "input": {"space": "HAND", "title": "One"}},
        {"op": "pages.create", "input": {"space": "NONE", "title": "Two"}},
    ]
    with refused("not-found"):
        call(world, "cy", "api.batch", ops=ops)
    assert outline(world) == []
