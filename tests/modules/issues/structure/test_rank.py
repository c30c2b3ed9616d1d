"""The order of a project's issues: ranks as texts, and moving issues in it."""

import itertools
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kbwork.core.things import rank_keys
from tests.conftest import World
from tests.modules.calls import call, eventually, refused
from tests.modules.issues.test_issues import make, payloads
from tests.modules.together import slugs, together


def order(world: World, who: str = "cy") -> list[str]:
    return [issue["key"] for issue in call(world, who, "issues.list", project="WEB", limit=200)["items"]]


def made(world: World, count: int) -> list[str]:
    return [make(world) for _ in range(count)]


def ranks(world: World, who: str = "cy") -> dict[str, str]:
    found = call(world, who, "issues.list", project="WEB", limit=200)["items"]
    return {issue["key"]: issue["rank"] for issue in found}


def crowd(world: World, keys: list[str], length: int) -> None:
    """Put the last two behind the first in turn, until a rank has so many signs."""
    for moving in itertools.cycle(keys[-2:]):
        answer: dict[str, Any] = call(world, "cy", "issues.rank", keys=[moving], after=keys[0])
        if max(map(len, answer["ranks"].values())) >= length:
            return


def spread(world: World, keys: list[str]) -> None:
    """The same until its neighbours make room."""
    with world.at_rest():
        for moving in itertools.cycle(keys[-2:]):
            answer: dict[str, Any] = call(world, "cy", "issues.rank", keys=[moving], after=keys[0])
            if len(answer["ranks"]) > 1:
                return


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
    answer = call(world, "cy", "issues.rank", keys=[four, one], after=two)
    assert order(world) == [two, four, one, three]
    assert answer == {"ok": True, "ranks": {key: ranks(world)[key] for key in (four, one)}}
    assert world.events_since(seq) == [("issue.ranked", "issue:4"), ("issue.ranked", "issue:1")]
    assert payloads(world, seq, "issue.ranked")[0] == {
        "key": four,
        "project": "WEB",
        "after": two,
        "before": three,
        "rank": answer["ranks"][four],
    }
    call(world, "cy", "issues.rank", keys=[three], before=two)
    assert order(world) == [three, two, four, one]
    call(world, "cy", "issues.rank", keys=[three], after=one)
    assert order(world) == [two, four, one, three]
    assert [*order(world), make(world)] == order(world)


def test_moving_to_where_it_is_tells_nothing_and_a_move_changes_seq_alone(world: World) -> None:
    one, two, three = made(world, 3)
    before = call(world, "cy", "issues.get", key=two)
    seq = world.database.seq
    nothing = {"ok": True, "ranks": {}}
    assert call(world, "cy", "issues.rank", keys=[two], after=one) == nothing
    assert call(world, "cy", "issues.rank", keys=[one, two], before=three) == nothing
    assert call(world, "cy", "issues.rank", keys=[three], after=two) == nothing
    assert world.events_since(seq) == []
    world.clock.advance(60)
    answer = call(world, "cy", "issues.rank", keys=[two], after=three)
    after = call(world, "cy", "issues.get", key=two)
    assert after == before | {"rank": answer["ranks"][two], "seq": world.database.seq}
    with refused("stale"):
        call(world, "cy", "issues.update", key=two, title="Other", if_seq=before["seq"])


def test_a_move_is_taken_back(world: World) -> None:
    one, two, three = made(world, 3)
    call(world, "cy", "issues.rank", keys=[three], before=one)
    before = call(world, "cy", "issues.get", key=three)
    world.clock.advance(60)
    seq = world.database.seq
    call(world, "cy", "undo.apply", seq=seq)
    assert order(world) == [one, two, three]
    after = call(world, "cy", "issues.get", key=three)
    assert after == before | {"rank": ranks(world)[three], "seq": seq + 1}
    assert payloads(world, seq, "issue.ranked") == [
        {"key": three, "project": "WEB", "after": two, "before": None, "rank": after["rank"], "undo": seq}
    ]


def test_moving_to_the_same_gap_over_and_over_never_ends(world: World) -> None:
    one, two, three, four = made(world, 4)
    call(world, "cy", "issues.rank", keys=[four, three], after=one)
    for number in range(150):
        moving, other = (four, three) if number % 2 else (three, four)
        call(world, "cy", "issues.rank", keys=[moving], after=one)
        assert order(world) == [one, moving, other, two]
    assert max(map(len, ranks(world).values())) <= rank_keys.LONGEST


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


# room


def test_neighbours_that_made_room_are_answered_and_tell_nothing(world: World) -> None:
    keys = made(world, 6)
    before: dict[str, str] = {}
    told: dict[str, str] = {}
    seq = 0
    with world.at_rest():
        for moving in itertools.cycle(keys[-2:]):
            before, seq = ranks(world), world.database.seq
            told = call(world, "cy", "issues.rank", keys=[moving], after=keys[0])["ranks"]
            if len(told) > 1:
                break
    after = ranks(world)
    assert told == {key: rank for key, rank in after.items() if rank != before[key]}
    assert len(world.events_since(seq)) == 1
    assert {call(world, "cy", "issues.get", key=key)["seq"] for key in told} == {seq + 1}


def test_an_answer_names_no_issue_that_the_caller_does_not_see(world: World) -> None:
    keys = made(world, 8)
    hidden = keys[5]
    call(world, "cy", "issues.rank", keys=[hidden], after=keys[0])
    call(world, "bo", "issues.level_set", key=hidden, level="private")
    told: dict[str, str] = {}
    before: dict[str, str] = {}
    with world.at_rest():
        for moving in itertools.cycle(keys[-2:]):
            before = ranks(world)
            told = call(world, "di", "issues.rank", keys=[moving], before=keys[1])["ranks"]
            if len(told) > 1:
                break
    changed = {key: rank for key, rank in ranks(world).items() if rank != before[key]}
    assert hidden in changed
    assert told == {key: rank for key, rank in changed.items() if key != hidden}


def test_a_move_is_taken_back_to_its_place_though_its_neighbours_made_room_since(world: World) -> None:
    one, two, three, four, *more = keys = made(world, 8)
    call(world, "cy", "issues.rank", keys=[three, two], after=four)
    seq = world.database.seq
    spread(world, keys)
    call(world, "cy", "undo.apply", seq=seq)
    shown = order(world)
    assert [key for key in shown if key not in keys[-2:]] == [one, two, three, four, *more[:-2]]
    assert shown.index(two) < shown.index(three)


def test_issues_in_the_archive_and_the_trash_come_back_where_they_stood(world: World) -> None:
    keys = made(world, 8)
    call(world, "cy", "issues.archive", keys=[keys[1]], on=True)
    call(world, "cy", "issues.delete", key=keys[2])
    spread(world, keys)
    call(world, "cy", "issues.archive", keys=[keys[1]], on=False)
    (entry,) = call(world, "cy", "trash.list")["items"]
    call(world, "cy", "trash.restore", ids=[entry["id"]])
    shown = order(world)
    assert [key for key in shown if key not in keys[-2:]] == keys[:-2]


def test_long_ranks_are_made_short_and_the_order_stays(world: World) -> None:
    keys = made(world, 6)
    with world.at_rest():
        crowd(world, keys, 30)
        call(world, "cy", "issues.archive", keys=[keys[-1]], on=True)
        before, stamps = order(world), [call(world, "cy", "issues.get", key=key)["seq"] for key in keys]
        client, long = call(world, "cy", "sync.snapshot"), ranks(world)
        seq = world.database.seq
    world.advance(61)
    eventually(lambda: max(map(len, ranks(world).values())) <= 24)
    assert (order(world), world.events_since(seq)) == (before, [])
    assert [call(world, "cy", "issues.get", key=key)["seq"] for key in keys] == stamps
    delta = call(world, "cy", "sync.delta", since=client["seq"], access=client["access"], parts=["issue"])
    told = {row[1]: row[delta["upserts"][0]["columns"].index("rank")] for row in delta["upserts"][0]["rows"]}
    assert told == {key: rank for key, rank in ranks(world).items() if rank != long[key]}
    settled = ranks(world)
    world.advance(61)
    call(world, "cy", "issues.archive", keys=[keys[-1]], on=False)
    assert {key: rank for key, rank in ranks(world).items() if key != keys[-1]} == settled


def test_moves_while_long_ranks_are_made_short_leave_an_order_of_all(world: World) -> None:
    keys = made(world, 12)
    crowd(world, keys, 30)
    moves = [("issues.rank", {"keys": [key], "after": keys[0]}) for key in keys[1:]]
    world.advance(61)
    assert slugs(together(world, "cy", moves)) == []
    shown = order(world)
    assert (shown[0], sorted(shown)) == (keys[0], sorted(keys))
    assert len(set(ranks(world).values())) == len(keys)


def test_what_ranks_were_is_forgotten_with_what_could_be_undone(world: World) -> None:
    spread(world, made(world, 4))

    def kept() -> int:
        count: int = world.database.write_now(lambda tx: tx.value("select count(*) from issue_rank_shift"))
        return count

    assert kept() > 0
    world.advance(24 * 3600 + 61)
    eventually(lambda: kept() == 0)
