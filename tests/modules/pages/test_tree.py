"""Where pages stand: moved, copied, archived, deleted and brought back."""

from typing import Any

import pytest

from kbwork.contract.kbwork_client import KbworkProblem
from tests.conftest import World
from tests.modules.calls import call, refused
from tests.modules.issues.test_issues import payloads
from tests.modules.pages.wiki import outline, page, space, titles
from tests.modules.together import slugs, together


@pytest.fixture
def tree(world: World) -> dict[str, str]:
    """[A [B [C]], D]: title -> id."""
    space(world)
    found = {"A": page(world, "A")}
    found["B"] = page(world, "B", parent=found["A"])
    found["C"] = page(world, "C", parent=found["B"])
    found["D"] = page(world, "D")
    return found


def test_pages_move_below_others_and_to_the_top(world: World, tree: dict[str, str]) -> None:
    seq = world.database.seq
    moved = call(world, "di", "pages.move", ids=[tree["B"]], parent=tree["D"])
    assert [(one["title"], one["parent"]) for one in moved] == [("B", tree["D"])]
    assert outline(world) == ["A", ["D", [["B", ["C"]]]]]
    assert world.events_since(seq) == [("page.moved", f"page:{tree['B']}")]
    assert payloads(world, seq, "page.moved")[0]["changes"] == {
        "parent": {"from": tree["A"], "to": tree["D"]}
    }
    call(world, "di", "pages.move", ids=[tree["C"], tree["D"]], top=True, after=tree["A"])
    assert outline(world) == ["A", "C", ["D", ["B"]]]
    seq = world.database.seq
    call(world, "di", "pages.move", ids=[tree["D"]], after=tree["A"])
    assert outline(world) == ["A", ["D", ["B"]], "C"]
    assert payloads(world, seq, "page.moved")[0].get("changes") is None


@pytest.mark.parametrize(
    ("asked", "slug"),
    [
        ({"ids": ["A"], "parent": "C"}, "conflict"),
        ({"ids": ["A"], "parent": "A"}, "conflict"),
        ({"ids": ["A"], "parent": "D", "top": True}, "invalid-input"),
        ({"ids": ["A"], "after": "A"}, "invalid-input"),
        ({"ids": ["A"], "after": "C"}, "invalid-input"),
        ({"ids": ["A", "C"]}, "invalid-input"),
        ({"ids": ["A"], "space": "NONE"}, "not-found"),
        ({"ids": ["A"], "parent": "99"}, "not-found"),
    ],
)
def test_moves_that_cannot_be_are_refused(
    world: World, tree: dict[str, str], asked: dict[str, Any], slug: str
) -> None:
    named = {
        name: tree.get(value, value) if isinstance(value, str) else value for name, value in asked.items()
    }
    named["ids"] = [tree[title] for title in asked["ids"]]
    with refused(slug):
        call(world, "cy", "pages.move", **named)


def test_of_two_moves_that_make_a_circle_together_one_is_refused(world: World) -> None:
    space(world)
    one, other = page(world, "One"), page(world, "Other")
    answers = together(
        world,
        "cy",
        [("pages.move", {"ids": [one], "parent": other}), ("pages.move", {"ids": [other], "parent": one})],
    )
    assert slugs(answers) == ["conflict"]
    assert len(outline(world)) == 1


def test_a_tree_has_twenty_levels(world: World) -> None:
    space(world)
    parent = None
    for number in range(20):
        parent = page(world, f"Level {number}", **({"parent": parent} if parent else {}))
    with refused("conflict"):
        page(world, "Too deep", parent=parent)
    other = page(world, "Other")
    page(world, "Below", parent=other)
    nineteenth = call(world, "cy", "pages.get", id=parent)["parent"]
    with refused("conflict"):
        call(world, "cy", "pages.move", ids=[other], parent=nineteenth)


def test_a_tree_moves_to_another_space_and_old_addresses_lead_on(world: World, tree: dict[str, str]) -> None:
    call(world, "cy", "spaces.save", key="OPS", name="Operations")
    page(world, "C", space="OPS")
    page(world, "Names it", body="See [[HAND/c]]")
    call(world, "cy", "pages.move", ids=[tree["B"]], space="OPS")
    assert outline(world) == ["A", "D", "Names it"]
    assert outline(world, key="OPS") == ["C", ["B", ["C"]]]
    moved = call(world, "cy", "pages.get", id="HAND/c")
    assert (moved["id"], moved["space"], moved["slug"]) == (tree["C"], "OPS", "c-2")
    assert titles(call(world, "cy", "pages.backlinks", id=tree["C"])) == ["Names it"]
    assert call(world, "cy", "pages.broken_links", space="HAND") == []


def test_nobody_takes_a_page_of_others_into_a_space_of_their_own(world: World, tree: dict[str, str]) -> None:
    call(world, "di", "spaces.save", key="MINE", name="Mine", kind="personal")
    with refused("not-allowed"):
        call(world, "di", "pages.move", ids=[tree["A"]], space="MINE")
    call(world, "di", "pages.copy", id=tree["A"], space="MINE", children=True)
    assert outline(world, "di", key="MINE") == [["A", [["B", ["C"]]]]]


def test_a_page_is_copied_with_what_is_below(world: World, tree: dict[str, str]) -> None:
    call(world, "bo", "labels.save", name="howto")
    call(world, "cy", "pages.update", id=tree["B"], body="Text", labels=["howto"])
    seq = world.database.seq
    made = call(world, "di", "pages.copy", id=tree["B"], title="Copy", children=True)
    assert (made["title"], made["slug"], made["labels"], made["body"]) == ("Copy", "copy", ["howto"], "Text")
    assert made["created_by"] == world.people["di"].id
    assert outline(world) == [["A", [["B", ["C"]], ["Copy", ["C"]]]], "D"]
    assert [kind for kind, _ in world.events_since(seq)] == ["page.created"] * 2
    assert payloads(world, seq, "page.created")[0]["copy_of"] == tree["B"]


def test_an_archived_page_is_read_and_takes_no_change(world: World, tree: dict[str, str]) -> None:
    seq = world.database.seq
    done = call(world, "di", "pages.archive", id=tree["B"], on=True, children=True)
    assert done["state"] == "archived"
    assert [kind for kind, _ in world.events_since(seq)] == ["page.archived"] * 2
    assert outline(world) == ["A", "D"]
    assert titles(call(world, "di", "pages.list", state="archived")["items"]) == ["C", "B"]
    assert titles(call(world, "di", "pages.list")["items"]) == ["D", "A"]
    for op, value in (
        ("pages.update", {"body": "x"}),
        ("pages.append", {"body": "x"}),
        ("pages.publish", {}),
        ("pages.lock", {"on": True}),
    ):
        with refused("conflict"):
            call(world, "cy", op, id=tree["B"], **value)
    with refused("conflict"):
        call(world, "cy", "comments.create", subject=f"page:{tree['B']}", body="x")
    with refused("conflict"):
        call(world, "cy", "pages.move", ids=[tree["B"]], top=True)
    call(world, "di", "pages.archive", id=tree["B"], on=False, children=True)
    assert outline(world) == [["A", [["B", ["C"]]]], "D"]
    call(world, "cy", "pages.archive", id=tree["D"], on=True)
    seq = world.database.seq
    call(world, "cy", "undo.apply", seq=seq)
    assert payloads(world, seq, "page.archived")[0]["on"] is False
    assert call(world, "cy", "pages.get", id=tree["D"])["state"] == "published"


def test_what_is_below_a_deleted_page_moves_up_and_it_comes_back_where_it_was(
    world: World, tree: dict[str, str]
) -> None:
    second = page(world, "B2", parent=tree["A"])
    call(world, "cy", "comments.create", subject=f"page:{tree['B']}", body="okapi")
    seq = world.database.seq
    gone = call(world, "di", "pages.delete", id=tree["B"])
    assert gone["ok"] is True
    assert world.events_since(seq) == [
        ("page.moved", f"page:{tree['C']}"),
        ("page.deleted", f"page:{tree['B']}"),
    ]
    assert outline(world) == [["A", ["C", "B2"]], "D"]
    assert call(world, "cy", "search.query", q="okapi")["items"] == []
    with refused("not-found"):
        call(world, "cy", "pages.get", id=tree["B"])
    entry = call(world, "di", "trash.list", space="HAND")["items"][0]
    assert (entry["subject"], entry["title"], entry["can_restore"]) == (f"page:{tree['B']}", "B", True)
    seq = world.database.seq
    assert call(world, "di", "trash.restore", ids=[entry["id"]])["restored"] == [f"page:{tree['B']}"]
    assert world.events_since(seq) == [("page.restored", f"page:{tree['B']}")]
    assert outline(world) == [["A", ["B", "C", "B2"]], "D"]
    assert len(call(world, "cy", "search.query", q="okapi")["items"]) == 1
    assert second


def test_a_tree_goes_to_the_trash_as_a_whole_and_comes_back_so(world: World, tree: dict[str, str]) -> None:
    call(world, "cy", "pages.delete", id=tree["A"], children="delete")
    assert outline(world) == ["D"]
    entry = call(world, "cy", "trash.list")["items"][0]
    assert entry["items"] == 3
    call(world, "cy", "trash.restore", ids=[entry["id"]])
    assert outline(world) == [["A", [["B", ["C"]]]], "D"]
    seq = world.database.seq
    call(world, "cy", "pages.delete", id=tree["A"], children="delete")
    call(world, "cy", "undo.apply", seq=world.database.seq)
    assert outline(world) == [["A", [["B", ["C"]]]], "D"]
    assert [kind for kind, _ in world.events_since(seq)] == ["page.deleted", "page.restored"]
    assert call(world, "cy", "trash.list")["items"] == []


def test_a_page_whose_parent_is_gone_stays_in_the_trash_unless_another_is_named(
    world: World, tree: dict[str, str]
) -> None:
    call(world, "cy", "pages.delete", id=tree["C"])
    call(world, "cy", "pages.delete", id=tree["B"])
    entry = next(one for one in call(world, "cy", "trash.list")["items"] if one["title"] == "C")
    assert call(world, "cy", "trash.restore", ids=[entry["id"]])["failed"][0]["id"] == entry["id"]
    seq = world.database.seq
    for unknown in ("999", "HAND/nowhere", tree["B"], tree["C"], "x" * 3000):
        (failed,) = call(world, "cy", "trash.restore", ids=[entry["id"]], parent=unknown)["failed"]
        assert (failed["id"], "no page" in failed["reason"]) == (entry["id"], True)
    assert world.events_since(seq) == []
    assert outline(world) == ["A", "D"]
    call(world, "cy", "trash.restore", ids=[entry["id"]], parent=tree["D"])
    assert outline(world) == ["A", ["D", ["C"]]]


def test_what_is_purged_is_gone_for_good_with_its_texts(world: World, tree: dict[str, str]) -> None:
    call(world, "cy", "pages.update", id=tree["B"], body="canary", note="canary")
    call(world, "cy", "comments.create", subject=f"page:{tree['B']}", body="canary")
    call(world, "cy", "access.grant_set", subject=f"page:{tree['B']}", who="@gus", level="view")
    call(world, "cy", "pages.delete", id=tree["A"], children="delete")
    entry = call(world, "bo", "trash.list")["items"][0]
    assert call(world, "bo", "trash.purge", ids=[entry["id"]]) == {"purged": 1}

    def left(table: str, column: str = "body") -> int:
        return int(
            world.database.write_now(
                lambda tx: tx.value(f"select count(*) from {table} where instr({column}, 'canary')")
            )
        )

    assert [left("page"), left("page_version"), left("page_version", "note"), left("comment")] == [0, 0, 0, 0]
    rows = world.database.write_now(
        lambda tx: tx.column("select count(*) from page union all select count(*) from access_grant")
    )
    assert rows == [1, 1]
    assert outline(world) == ["D"]


def test_deleting_a_tree_asks_for_the_right_to_change_all_of_it(world: World, tree: dict[str, str]) -> None:
    call(world, "cy", "pages.lock", id=tree["C"], on=True)
    with refused("not-allowed"):
        call(world, "di", "pages.delete", id=tree["A"], children="delete")
    call(world, "cy", "pages.lock", id=tree["C"], on=False)
    call(world, "cy", "pages.restrict", id=tree["C"], view=["@cy"])
    with refused("not-allowed"):
        call(world, "di", "pages.delete", id=tree["A"], children="delete")
    call(world, "di", "pages.delete", id=tree["B"])
    assert outline(world) == [["A", ["C"]], "D"]


def test_moving_is_taken_back_and_no_circle_comes_of_it(world: World, tree: dict[str, str]) -> None:
    call(world, "cy", "pages.move", ids=[tree["B"]], parent=tree["D"])
    first = world.database.seq
    call(world, "cy", "undo.apply", seq=first)
    assert outline(world) == [["A", [["B", ["C"]]]], "D"]
    call(world, "cy", "pages.move", ids=[tree["B"]], top=True)
    first = world.database.seq
    call(world, "cy", "pages.move", ids=[tree["A"]], parent=tree["C"])
    with pytest.raises(KbworkProblem):
        call(world, "cy", "undo.apply", seq=first)
    assert outline(world) == ["D", ["B", [["C", ["A"]]]]]


def test_many_moves_to_one_place_keep_an_order(world: World) -> None:
    space(world)
    pages = [page(world, f"P{number}") for number in range(6)]
    for number in range(60):
        call(world, "cy", "pages.move", ids=[pages[1 + number % 5]], after=pages[0])
    assert titles([{"title": one} for one in outline(world)]) == ["P0", "P5", "P4", "P3", "P2", "P1"]


def test_a_page_comes_back_only_to_where_its_bringer_may_put_pages(world: World) -> None:
    space(world, "bo", visibility="members")
    above, other = page(world, "Above", "bo"), page(world, "Other", "bo")
    below = page(world, "Below", "bo", parent=above)
    call(world, "bo", "access.grant_set", subject=f"page:{below}", who="@gus", level="edit")
    call(world, "bo", "access.grant_set", subject=f"page:{other}", who="@gus", level="view")
    entry = call(world, "gus", "pages.delete", id=below)["trash"]
    for parent in (other, ""):
        assert call(world, "gus", "trash.restore", ids=[entry], parent=parent)["restored"] == []
    assert call(world, "gus", "trash.restore", ids=[entry])["restored"] == [f"page:{below}"]


@pytest.mark.parametrize("closes", ["space", "edit", "view"])
def test_undo_puts_no_page_where_whoever_takes_it_back_may_put_none(world: World, closes: str) -> None:
    space(world, "bo")
    space(world, "cy", key="OPS", name="Operations")
    above = page(world, "Above", "bo")
    ident = page(world, "Plans", "cy", parent=above)
    call(world, "cy", "pages.move", ids=[ident], space="OPS")
    moved = world.database.seq
    if closes == "space":
        call(world, "bo", "spaces.save", key="HAND", name="Handbook", visibility="members")
    else:
        call(world, "bo", "pages.restrict", id=above, **{closes: ["@bo"]})
    with refused("conflict"):
        call(world, "cy", "undo.apply", seq=moved)
    assert call(world, "cy", "pages.get", id=ident)["space"] == "OPS"


def test_undo_puts_no_page_into_the_trash_below_which_others_stand(world: World) -> None:
    space(world, "bo")
    above = page(world, "Above", "bo")
    made = world.database.seq
    below = page(world, "Below", "bo", parent=above)
    call(world, "bo", "pages.restrict", id=above, view=["@bo"])
    with refused("conflict"):
        call(world, "bo", "undo.apply", seq=made)
    call(world, "bo", "pages.move", ids=[below], top=True)
    call(world, "bo", "undo.apply", seq=made)
    assert outline(world, "bo") == ["Below"]
