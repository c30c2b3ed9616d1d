"""Who and what changed the scope of a sprint, day by day."""

from typing import Any

import pytest

from kbwork.modules.sprints import scope_changes
from tests.conftest import World
from tests.modules.calls import call
from tests.modules.issues.test_issues import make
from tests.modules.sprints.sprint_calls import done, running, sprint, three

DAY_S = 86_400


def told(world: World, who: str = "cy") -> list[list[tuple[str, str, float, str | None]]]:
    """Of each day (`+` or `-`, key, size, whose handle)."""
    handles = {person.id: handle for handle, person in world.people.items()}
    return [
        [
            ("+" if one["added"] else "-", one["key"], one["size"], handles.get(one["by"], one["by"]))
            for one in day["changes"]
        ]
        for day in days(world, who)
    ]


def days(world: World, who: str = "cy") -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = call(world, who, "sprints.report", id=1)["days"]
    return found


def test_each_day_says_who_put_in_and_took_out_what(world: World) -> None:
    keys = three(world)
    running(world, *keys[:2])
    assert told(world) == [[]]
    world.advance(DAY_S)
    call(world, "bo", "sprints.add", id=1, keys=[keys[2]])
    world.advance(60)
    call(world, "cy", "issues.update", key=keys[0], sprint=None)
    world.advance(2 * DAY_S)
    call(world, "bo", "sprints.remove", id=1, keys=[keys[1]])
    assert told(world) == [
        [],
        [("+", keys[2], 3, "bo"), ("-", keys[0], 1, "cy")],
        [],
        [("-", keys[1], 2, "bo")],
    ]
    assert [day["scope"] for day in days(world)] == [3, 5, 5, 3]
    assert days(world)[1]["changes"][0]["title"] == "Number 3"
    call(world, "bo", "undo.apply", seq=world.database.seq)
    assert told(world)[3] == [("-", keys[1], 2, "bo"), ("+", keys[1], 2, "bo")]


def test_what_comes_in_on_the_day_of_the_start_is_told_and_the_plan_is_not(world: World) -> None:
    keys = three(world)
    running(world, *keys[:2])
    call(world, "cy", "sprints.add", id=1, keys=[keys[2]])
    world.advance(60)
    call(world, "cy", "sprints.remove", id=1, keys=[keys[0]])
    assert told(world) == [[("+", keys[2], 3, "cy"), ("-", keys[0], 1, "cy")]]


def test_completing_takes_nothing_out_and_what_leaves_behind_it_is_not_told(world: World) -> None:
    keys = three(world)
    running(world, *keys)
    done(world, keys[0])
    world.advance(60)
    call(world, "cy", "sprints.complete", id=1, unfinished="backlog")
    world.advance(60)
    call(world, "cy", "issues.update", key=keys[0], sprint=None)
    assert told(world) == [[]]
    call(world, "cy", "sprints.reopen", id=1)
    back = [("-", keys[1], 2, "cy"), ("-", keys[2], 3, "cy")]
    assert told(world)[0][:2] == back
    assert sorted(told(world)[0][-2:]) == [("+", keys[1], 2, "cy"), ("+", keys[2], 3, "cy")]


def test_a_planned_one_has_no_changes_and_of_none_estimated_each_counts_one(world: World) -> None:
    keys = [make(world), make(world)]
    sprint(world)
    call(world, "cy", "sprints.add", id=1, keys=keys[:1])
    assert days(world) == []
    call(world, "cy", "sprints.start", id=1)
    call(world, "cy", "sprints.add", id=1, keys=keys[1:])
    assert told(world) == [[("+", keys[1], 1, "cy")]]


def test_what_one_does_not_see_is_a_number_for_admins_and_nothing_for_others(world: World) -> None:
    key, hidden = make(world), make(world, "di", project="PRV")
    sprint(world, "di", projects=["WEB", "PRV"])
    call(world, "di", "sprints.start", id=1)
    call(world, "di", "sprints.add", id=1, keys=[key, hidden])
    for who, keys, count in (("di", [key, hidden], 0), ("cy", [key], 0), ("bo", [key], 1)):
        [day] = days(world, who)
        assert (sorted(one["key"] for one in day["changes"]), day["hidden"]) == (sorted(keys), count), who
    call(world, "di", "issues.delete", key=hidden)
    assert days(world, "bo")[0]["hidden"] == 0


def test_who_took_it_out_is_known_as_long_as_events_are_kept(world: World) -> None:
    [key, *_] = keys = three(world)
    running(world, *keys)
    world.advance(60)
    call(world, "cy", "sprints.remove", id=1, keys=[key])
    world.database.write_now(lambda tx: tx.execute("delete from events where kind = 'sprint.scope_changed'"))
    assert told(world) == [[("-", key, 1, None)]]


def test_a_day_tells_so_many_and_counts_the_rest(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scope_changes, "_MOST_TOLD", 2)
    running(world)
    call(world, "cy", "sprints.add", id=1, keys=[make(world) for _ in range(5)])
    [day] = days(world)
    assert (len(day["changes"]), day["more"]) == (2, 3)
