"""The order of a project's issues: ranks as texts, and moving issues in it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kbwork.modules.issues.structure import rank_keys
from tests.conftest import World
from tests.modules.calls import call, refused
from tests.modules.issues.test_issues import make, payloads
from tests.modules.together import slugs, together


def order(world: World, who: str = "cy") -> list[str]:
    return [issue["key"] for issue in call(world, who, "issues.list", project="WEB", limit=200)["items"]]


def made(world: World, count: int) -> list[str]:
    return [make(world) for _ in range(count)]


# texts


@settings(max_examples=300)
@given(st.lists(st.tuples(st.integers(0, 40), st.integers(1, 4)), max_size=60), st.integers(1, 12))
def test_there_is_always_room_and_text_order_is_the_order(moves: list[tuple[int, int]], first: int) -> None:
    ranks = [rank_keys.of_number(number + 1) for number in range(first)]
    newest = rank_keys.of_number(first + 1)
    for where, count in moves:
        at = where % (len(ranks) + 1)
        left = ranks[at - 1] if at else None
        right = ranks[at] if at < len(ranks) else None
        try:
            ranks[at:at] = rank_keys.between(left, right, count, newest=newest)
        except rank_keys.Crowded:
            ranks = rank_keys.between(None, None, len(ranks), newest=newest)
    assert ranks == sorted(set(ranks))
    assert ranks[-1] < newest
    assert max(map(len, ranks)) <= rank_keys.LONGEST


def test_putting_first_or_last_again_and_again_lengthens_nothing() -> None:
    newest = rank_keys.of_number(3)
    last, first = rank_keys.of_number(2), rank_keys.of_number(1)
    for _ in range(10_000):
        (last,) = rank_keys.between(last, None, 1, newest=newest)
        (first,) = rank_keys.between(None, first, 1, newest=newest)
    assert (len(last), len(first)) == (15, 9)
    assert first < rank_keys.of_number(1) < rank_keys.of_number(2) < last < newest


# moving


def test_issues_go_behind_or_before_another_in_the_order_named(world: World) -> None:
    one, two, three, four = made(world, 4)
    seq = world.database.seq
    call(world, "cy", "issues.rank", keys=[four, one], after=two)
    assert order(world) == [two, four, one, three]
    assert world.events_since(seq) == [("issue.ranked", "issue:4"), ("issue.ranked", "issue:1")]
    assert payloads(world, seq, "issue.ranked")[0] == {
        "key": four,
        "project": "WEB",
        "after": two,
        "before": three,
    }
    call(world, "cy", "issues.rank", keys=[three], before=two)
    assert order(world) == [three, two, four, one]
    call(world, "cy", "issues.rank", keys=[three], after=one)
    assert order(world) == [two, four, one, three]
    assert [*order(world), make(world)] == order(world)


def test_moving_to_where_it_is_tells_nothing_and_a_move_changes_no_seq(world: World) -> None:
    one, two, three = made(world, 3)
    before = call(world, "cy", "issues.get", key=two)
    seq = world.database.seq
    call(world, "cy", "issues.rank", keys=[two], after=one)
    call(world, "cy", "issues.rank", keys=[one, two], before=three)
    call(world, "cy", "issues.rank", keys=[three], after=two)
    assert world.events_since(seq) == []
    world.clock.advance(60)
    call(world, "cy", "issues.rank", keys=[two], after=three)
    after = call(world, "cy", "issues.get", key=two)
    assert after | {"rank": ""} == before | {"rank": ""}


def test_a_move_is_taken_back(world: World) -> None:
    one, two, three = made(world, 3)
    call(world, "cy", "issues.rank", keys=[three], before=one)
    call(world, "cy", "undo.apply", seq=world.database.seq)
    assert order(world) == [one, two, three]


def test_moving_to_the_same_gap_over_and_over_never_ends(world: World) -> None:
    one, two, three, four = made(world, 4)
    call(world, "cy", "issues.rank", keys=[four, three], after=one)
    for number in range(150):
        moving, other = (four, three) if number % 2 else (three, four)
        call(world, "cy", "issues.rank", keys=[moving], after=one)
        assert order(world) == [one, moving, other, two]
    ranks = [issue["rank"] for issue in call(world, "cy", "issues.list", project="WEB")["items"]]
    assert max(map(len, ranks)) <= rank_keys.LONGEST


def test_many_who_reorder_at_once_leave_an_order_of_all(world: World) -> None:
    keys = made(world, 12)
    moves = [
        ("issues.rank", {"keys": [key], "after": anchor})
        for number, key in enumerate(keys)
        if key != (anchor := keys[(number * 5 + 1) % 12])
    ]
    assert slugs(together(world, "cy", moves)) == []
    assert sorted(order(world)) == sorted(keys)


def test_what_cannot_be_ranked_says_why(world: World) -> None:
    one, two = made(world, 2)
    there = make(world, project="SEC")
    for bad in (
        {"keys": [one]},
        {"keys": [one], "after": two, "before": two},
        {"keys": [one], "after": one},
        {"keys": [one], "after": there},
        {"keys": [one, there], "after": two},
        {"keys": [one], "after": "WEB-99"},
        {"keys": [], "after": two},
    ):
        with refused("invalid-input"):
            call(world, "cy", "issues.rank", **bad)
    with refused("not-found"):
        call(world, "cy", "issues.rank", keys=["WEB-99"], after=one)
    call(world, "ana", "projects.member_set", key="WEB", who="@gus", role="viewer")
    with refused("not-allowed"):
        call(world, "gus", "issues.rank", keys=[one], after=two)
    call(world, "cy", "issues.archive", keys=[one], on=True)
    with refused("conflict"):
        call(world, "cy", "issues.rank", keys=[one], after=two)


@pytest.mark.parametrize("sign", ["", "-"])
def test_the_order_is_paged_either_way(world: World, sign: str) -> None:
    keys = made(world, 5)
    call(world, "cy", "issues.rank", keys=[keys[4]], before=keys[0])
    found: list[str] = []
    cursor = None
    while cursor or not found:
        page = call(world, "cy", "issues.list", project="WEB", limit=2, sort=f"{sign}rank", cursor=cursor)
        found += [issue["key"] for issue in page["items"]]
        cursor = page["next"]
    expected = [keys[4], *keys[:4]]
    assert found == (expected[::-1] if sign else expected)
