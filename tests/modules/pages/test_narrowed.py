"""Narrowed pages that change their place: who takes a page out of what narrows it, and what a copy keeps."""

from typing import Any

import pytest

from tests.conftest import World
from tests.modules.calls import call, refused
from tests.modules.desk.test_at_once import asks, at_once
from tests.modules.pages.wiki import outline, page, space


@pytest.fixture
def tree(world: World) -> dict[str, str]:
    """[Secret [Plans], Open], where Secret is narrowed to Bo, who manages the space, and Di, who edits; not to Cy."""
    space(world, "bo")
    found = {"Secret": page(world, "Secret", "bo")}
    found["Plans"] = page(world, "Plans", "bo", parent=found["Secret"], body="canary")
    found["Open"] = page(world, "Open", "bo")
    call(world, "bo", "pages.restrict", id=found["Secret"], view=["@bo", "@di"])
    return found


def seen(world: World, who: str, ident: str) -> str | None:
    """What somebody may do with a page, None where they do not see it."""
    rows = call(world, who, "pages.list")["items"]
    return next((row["my_level"] for row in rows if row["id"] == ident), None)


@pytest.mark.parametrize("level", ["view", "edit"])
@pytest.mark.parametrize("to", [{"top": True}, {"parent": "Open"}, {"space": "OPS"}])
def test_only_who_may_narrow_takes_a_page_out_of_a_narrowed_branch(
    world: World, tree: dict[str, str], level: str, to: dict[str, Any]
) -> None:
    space(world, key="OPS", name="Operations")
    limits: dict[str, list[str]] = {"view": [], "edit": []} | {level: ["@bo", "@di"]}
    call(world, "bo", "pages.restrict", id=tree["Secret"], **limits)
    named = {name: tree.get(value, value) if isinstance(value, str) else value for name, value in to.items()}
    seq = world.database.seq
    with refused("not-allowed"):
        call(world, "di", "pages.move", ids=[tree["Plans"]], **named)
    assert world.events_since(seq) == []
    assert outline(world, "di") == [["Secret", ["Plans"]], "Open"]
    call(world, "bo", "pages.move", ids=[tree["Plans"]], **named)
    assert seen(world, "cy", tree["Plans"]) in ("edit", "manage")


def test_the_owner_of_what_narrows_takes_a_page_out_of_it(world: World, tree: dict[str, str]) -> None:
    call(world, "bo", "pages.update", id=tree["Secret"], owner="@di")
    call(world, "di", "pages.move", ids=[tree["Plans"]], top=True)
    assert seen(world, "cy", tree["Plans"]) == "edit"


def test_a_page_moves_within_a_narrowed_branch_and_takes_along_what_narrows_itself(
    world: World, tree: dict[str, str]
) -> None:
    beside = page(world, "Beside", "di", parent=tree["Secret"])
    call(world, "di", "pages.move", ids=[tree["Plans"]], parent=beside)
    call(world, "di", "pages.move", ids=[tree["Plans"]], parent=tree["Secret"])
    call(world, "di", "pages.move", ids=[tree["Secret"]], parent=tree["Open"])
    assert outline(world, "di") == [["Open", [["Secret", ["Beside", "Plans"]]]]]
    assert [seen(world, "cy", ident) for ident in (tree["Secret"], tree["Plans"])] == [None, None]


def test_a_page_leaves_not_along_with_what_narrows_it(world: World, tree: dict[str, str]) -> None:
    with refused("not-allowed"):
        call(world, "di", "pages.move", ids=[tree["Secret"], tree["Plans"]], parent=tree["Open"])
    assert outline(world, "di") == [["Secret", ["Plans"]], "Open"]


def test_undo_of_a_move_takes_no_page_out_of_what_narrows_it_now(world: World, tree: dict[str, str]) -> None:
    call(world, "di", "pages.move", ids=[tree["Open"]], parent=tree["Secret"])
    moved = world.database.seq
    call(world, "bo", "pages.update", id=tree["Open"], body="canary")
    with refused("conflict"):
        call(world, "di", "undo.apply", seq=moved)
    assert seen(world, "cy", tree["Open"]) is None
    call(world, "bo", "pages.restrict", id=tree["Secret"], view=[])
    call(world, "di", "undo.apply", seq=moved)
    assert outline(world) == [["Secret", ["Plans"]], "Open"]


def test_undo_puts_a_page_back_into_what_narrows_it(world: World, tree: dict[str, str]) -> None:
    call(world, "bo", "pages.move", ids=[tree["Plans"]], top=True)
    call(world, "bo", "undo.apply", seq=world.database.seq)
    assert seen(world, "cy", tree["Plans"]) is None


@pytest.mark.parametrize("to", ["", "Open"])
def test_a_page_comes_back_from_the_trash_below_what_narrows_it(
    world: World, tree: dict[str, str], to: str
) -> None:
    entry = call(world, "di", "pages.delete", id=tree["Plans"])["trash"]
    failed = call(world, "di", "trash.restore", ids=[entry], parent=tree.get(to, ""))["failed"]
    assert [(one["id"], "narrowed" in one["reason"]) for one in failed] == [(entry, True)]
    assert call(world, "bo", "trash.restore", ids=[entry], parent=tree.get(to, ""))["failed"] == []
    assert seen(world, "cy", tree["Plans"]) == "edit"


@pytest.mark.parametrize("title", ["Secret", "Plans", "Open"])
def test_who_may_edit_a_page_does_not_take_it_to_narrow_it(
    world: World, tree: dict[str, str], title: str
) -> None:
    """Be it narrowed or not: its owner says who sees it, and with that shuts others out."""
    seq = world.database.seq
    for owner in ("@di", "@cy"):
        with refused("not-allowed"):
            call(world, "di", "pages.update", id=tree[title], owner=owner, title="Mine")
    assert (world.events_since(seq), outline(world, "di")) == ([], [["Secret", ["Plans"]], "Open"])
    call(world, "di", "pages.update", id=tree[title], owner="@bo", title="Theirs")
    call(world, "bo", "pages.update", id=tree[title], owner="@di")
    call(world, "di", "pages.update", id=tree[title], owner="@bo")
    call(world, "ana", "pages.update", id=tree[title], owner="@di")
    assert call(world, "di", "pages.get", id=tree[title])["owner"] == world.people["di"].id


def test_who_gave_a_narrowed_page_away_takes_it_not_back(world: World, tree: dict[str, str]) -> None:
    call(world, "bo", "pages.update", id=tree["Secret"], owner="@di")
    call(world, "di", "pages.update", id=tree["Secret"], owner="@cy")
    given = world.database.seq
    assert seen(world, "cy", tree["Secret"]) == "edit"
    with refused("conflict"):
        call(world, "di", "undo.apply", seq=given)
    assert seen(world, "cy", tree["Secret"]) == "edit"


def test_who_gave_a_page_away_by_mistake_takes_that_back(world: World, tree: dict[str, str]) -> None:
    own = page(world, "Own", "di")
    call(world, "di", "pages.update", id=own, owner="@cy")
    call(world, "di", "undo.apply", seq=world.database.seq)
    assert call(world, "di", "pages.get", id=own)["owner"] == world.people["di"].id


def test_of_two_at_once_none_lets_others_see_what_is_narrowed(world: World, tree: dict[str, str]) -> None:
    """What an editor takes elsewhere goes there as long as that is narrowed, whichever call comes first."""
    for _ in range(6):
        put, taken = at_once(
            asks(world, "bo", "pages.move", ids=[tree["Open"]], parent=tree["Secret"]),
            asks(world, "di", "pages.move", ids=[tree["Plans"]], parent=tree["Open"]),
        )
        assert isinstance(put, list)
        assert taken == "not-allowed" or isinstance(taken, list)
        assert seen(world, "cy", tree["Plans"]) is None
        call(world, "bo", "pages.move", ids=[tree["Plans"]], parent=tree["Secret"])
        put, taken = at_once(
            asks(world, "bo", "pages.move", ids=[tree["Open"]], top=True),
            asks(world, "di", "pages.move", ids=[tree["Plans"]], parent=tree["Open"]),
        )
        assert isinstance(put, list)
        # It went along with what bo, who may, took out; or stayed.
        inside = call(world, "bo", "pages.get", id=tree["Plans"])["parent"] == tree["Secret"]
        assert inside == (taken == "not-allowed")
        assert (seen(world, "cy", tree["Plans"]) is None) == inside
        call(world, "bo", "pages.move", ids=[tree["Plans"]], parent=tree["Secret"])


def test_of_who_narrows_and_who_moves_at_once_one_comes_first(world: World, tree: dict[str, str]) -> None:
    for _ in range(6):
        call(world, "bo", "pages.restrict", id=tree["Secret"], view=[])
        _, moved = at_once(
            asks(world, "bo", "pages.restrict", id=tree["Secret"], view=["@bo", "@di"]),
            asks(world, "di", "pages.move", ids=[tree["Plans"]], top=True),
        )
        assert moved == "not-allowed" or isinstance(moved, list)
        assert (seen(world, "cy", tree["Plans"]) is None) == (moved == "not-allowed")
        call(world, "bo", "pages.move", ids=[tree["Plans"]], parent=tree["Secret"])


def test_a_copy_is_for_those_who_see_the_page(world: World, tree: dict[str, str]) -> None:
    below = call(world, "di", "pages.copy", id=tree["Plans"], title="Below")
    assert below["parent"] == tree["Secret"]
    seq = world.database.seq
    out = call(world, "di", "pages.copy", id=tree["Plans"], parent=tree["Open"], title="Out")
    assert world.events_since(seq) == [("page.created", f"page:{out['id']}")]
    named = sorted(world.people[who].id for who in ("bo", "di"))
    assert {**out["limits"], "view": sorted(out["limits"]["view"])} == {"view": named, "edit": []}
    assert (out["restricted"], out["my_level"]) == (True, "edit")
    assert [seen(world, who, out["id"]) for who in ("bo", "cy", "di")] == ["manage", None, "edit"]
    beside = call(world, "di", "pages.copy", id=tree["Secret"], children=True, title="Again")
    children = call(world, "di", "pages.children", id=beside["id"])
    assert [one["title"] for one in children] == ["Plans", "Below"]
    assert [seen(world, "cy", one["id"]) for one in (beside, *children)] == [None] * 3
    assert call(world, "bo", "pages.get", id=children[0]["id"])["limits"] == {"view": [], "edit": []}
    own = call(world, "di", "pages.copy", id=below["id"], parent=beside["id"])
    assert own["limits"]["view"] != []


def test_a_copy_of_a_page_that_several_narrow_is_for_those_whom_all_let_in(
    world: World, tree: dict[str, str]
) -> None:
    team = call(world, "bo", "teams.save", name="Writers")["id"]
    call(world, "bo", "pages.restrict", id=tree["Secret"], view=["@cy", "@di"], edit=["@di", "@bo"])
    call(world, "bo", "pages.restrict", id=tree["Plans"], view=["@cy", "@bo", f"team:{team}"], edit=["@bo"])
    call(world, "bo", "pages.update", id=tree["Secret"], owner="@ana")
    call(world, "bo", "pages.update", id=tree["Plans"], owner="@ana")
    with refused("not-found"):
        call(world, "di", "pages.copy", id=tree["Plans"], space="HAND")
    call(world, "cy", "pages.copy", id=tree["Plans"], parent=tree["Open"], title="Mine")
    copied = call(world, "cy", "pages.list", q="Mine")["items"][0]["id"]
    people = {world.people[who].id: who for who in world.people}
    limits = call(world, "cy", "pages.get", id=copied)["limits"]
    assert {level: sorted(people[who] for who in held) for level, held in limits.items()} == {
        "view": ["ana", "bo", "cy"],
        "edit": ["ana", "bo"],
    }
    assert [seen(world, who, copied) for who in ("cy", "di")] == ["edit", None]
