"""How much people have before them, day by day."""

import datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kbwork.contract.kbwork_client import Kbwork
from kbwork.modules.members.workload import spread
from tests.conftest import World
from tests.modules.calls import call, refused
from tests.modules.issues.test_issues import make
from tests.modules.sprints.sprint_calls import done, sprint

WEEK = {"from": "2027-01-18", "to": "2027-01-24"}
"""Monday to Sunday."""
days = st.dates(datetime.date(2026, 1, 1), datetime.date(2027, 12, 31))


def asked(world: World, who: str = "cy", **fields: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = call(world, who, "members.workload", **WEEK | fields)
    return found


def planned(world: World, of: str, **fields: Any) -> list[float]:
    """What somebody has before them on each day of the week."""
    (found,) = asked(world, members=[f"@{of}"], **fields)
    return [day["planned"] for day in found["days"]]


def test_an_estimate_is_spread_over_the_working_days_of_its_issue(world: World) -> None:
    key = make(world, estimate=6, assignees=["@di"], start_date="2027-01-14", due_date="2027-01-19")
    (found,) = asked(world)  # two of its four working days are in the week before
    assert found == {
        "member": world.people["di"].id,
        "days": [
            {"date": f"2027-01-{day}", "planned": amount, "capacity": None}
            for day, amount in zip(range(18, 25), (1.5, 1.5, 0, 0, 0, 0, 0), strict=True)
        ],
        "over": False,
        "issues": [key],
    }
    assert planned(world, "di", unit="issues") == [1, 1, 0, 0, 0, 0, 0]
    assert planned(world, "di", unit="hours") == planned(world, "di")


def test_what_has_one_date_stands_on_it_and_what_has_none_nowhere(world: World) -> None:
    make(world, estimate=3, assignees=["me"], due_date="2027-01-20")
    make(world, estimate=2, assignees=["me"], start_date="2027-01-23")  # a Saturday is asked for
    make(world, estimate=8, assignees=["me"])
    make(world, assignees=["me"], due_date="2027-01-20")  # nobody said how much it is
    assert planned(world, "cy") == [0, 0, 3, 0, 0, 2, 0]
    assert planned(world, "cy", unit="issues") == [0, 0, 2, 0, 0, 1, 0]


def test_sprints_say_the_dates_that_are_missing_and_what_people_can(world: World) -> None:
    made = sprint(world)["id"]
    call(world, "cy", "sprints.capacity_set", id=made, capacity={"@di": 20, "@bo": 5})
    first = make(world, estimate=20, assignees=["@di", "@bo"])
    late = make(world, estimate=4, assignees=["@di"], start_date="2027-01-27")
    call(world, "cy", "sprints.add", id=made, keys=[first, late])
    of_bo, of_di = asked(world)
    assert (of_bo["issues"], of_bo["over"]) == ([], False)  # it counts for whoever leads it
    assert [day["capacity"] for day in of_bo["days"]] == [0.5] * 5 + [0, 0]
    assert (of_di["issues"], of_di["over"]) == ([first], False)
    assert [(day["planned"], day["capacity"]) for day in of_di["days"]] == [(2, 2)] * 5 + [(0, 0)] * 2
    make(world, estimate=0.5, assignees=["@di"], due_date="2027-01-24")  # on a day on which nobody works
    assert asked(world, members=["@di"])[0]["over"]
    assert asked(world, members=["@di"], unit="issues")[0]["days"][0] == {
        "date": "2027-01-18",
        "planned": 1,
        "capacity": None,
    }
    call(world, "bo", "org.modules_set", off=["sprints"])
    (found,) = asked(world)
    assert [day["planned"] for day in found["days"]] == [0, 0, 0, 0, 0, 0, 0.5]


def test_what_is_due_before_its_sprint_stands_on_that_day(world: World) -> None:
    made = sprint(world, start_date="2027-01-20")["id"]
    key = make(world, estimate=1, assignees=["me"], due_date="2027-01-18")
    call(world, "cy", "sprints.add", id=made, keys=[key])
    assert planned(world, "cy") == [1, 0, 0, 0, 0, 0, 0]


def test_what_is_done_or_archived_or_not_seen_is_not_before_anybody(world: World) -> None:
    day: dict[str, Any] = {"assignees": ["@di"], "estimate": 1, "due_date": "2027-01-20"}
    for end in (
        lambda key: done(world, key),
        lambda key: call(world, "cy", "issues.archive", keys=[key], on=True),
    ):
        end(make(world, **day))
    make(world, "di", **day | {"project": "PRV", "estimate": 5})
    assert asked(world) == []
    assert planned(world, "di") == [0] * 7
    (own,) = asked(world, "di")
    assert [one["planned"] for one in own["days"]] == [0, 0, 5, 0, 0, 0, 0]


def test_a_team_is_asked_for_with_those_who_have_nothing(world: World) -> None:
    team = call(world, "ana", "teams.save", name="Shop")
    for who in ("@di", "@bo"):
        call(world, "ana", "teams.member_set", id=team["id"], who=who, role="member")
    make(world, assignees=["@cy"], due_date="2027-01-20")
    found = asked(world, team=team["id"])
    assert [one["member"] for one in found] == [
        world.people[who].id for who in ("ana", "bo", "di")
    ]  # who made it too
    assert asked(world, team=team["id"], members=["@cy", "@di"])[0]["member"] == world.people["di"].id


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"to": "2027-01-17"}, "to"),
        ({"to": "2027-04-20"}, "to"),
        ({"from": "2027-02-30"}, "from"),
        ({"members": ["@nobody"]}, "members"),
        ({"members": []}, "members"),
        ({"team": 99}, "team"),
        ({"unit": "days"}, "unit"),
    ],
)
def test_what_cannot_be_asked_is_refused_at_its_field(
    world: World, wrong: dict[str, Any], field: str
) -> None:
    with refused("invalid-input") as told:
        asked(world, **wrong)
    assert [error["path"] for error in told.value.errors] == [field]


def test_guests_hear_of_people_they_share_something_with(world: World) -> None:
    make(world, assignees=["@di"], due_date="2027-01-20")
    assert asked(world, "gus") == []
    with refused("invalid-input"):
        asked(world, "gus", members=["@di"])


@given(days, days, days, days, st.floats(0.1, 1_000))
def test_all_of_an_amount_falls_somewhere_in_its_span(
    one: datetime.date, other: datetime.date, begin: datetime.date, end: datetime.date, amount: float
) -> None:
    span = (min(one, other), max(one, other))
    window = (min(begin, end), max(begin, end))
    whole, part = spread.shares(amount, span, span), spread.shares(amount, span, window)
    assert sum(whole.values()) == pytest.approx(amount)
    assert part == {day: share for day, share in whole.items() if window[0] <= day <= window[1]}
    assert spread.working_days(*span) == sum(spread.works(day) for day in spread.between(*span))


def test_a_sprint_that_one_does_not_see_says_no_date_and_nothing_of_what_people_can(world: World) -> None:
    team = call(world, "bo", "teams.save", name="Core")["id"]
    call(world, "bo", "teams.member_set", id=team, who="@cy", role="lead")
    made = sprint(world, projects=[], team=team)["id"]
    call(world, "cy", "sprints.add", id=made, keys=[make(world, estimate=10, assignees=["@cy"])])
    call(world, "cy", "sprints.capacity_set", id=made, capacity={"@cy": 5})
    (own,) = asked(world)
    assert [(day["planned"], day["capacity"]) for day in own["days"]] == [(1, 0.5)] * 5 + [(0, 0)] * 2
    assert asked(world, "di") == []


def test_a_key_that_may_read_neither_issues_nor_sprints_counts_none(world: World) -> None:
    made = sprint(world)["id"]
    call(world, "cy", "sprints.capacity_set", id=made, capacity={"@di": 20})
    call(world, "cy", "sprints.add", id=made, keys=[make(world, estimate=1, assignees=["@di"])])
    for scopes, found in (
        (["members:read"], []),
        (["members:read", "sprints:read"], [(0, 2)]),
        (["members:read", "issues:read"], []),  # its days are those of a sprint
        (["members:read", "issues:read", "sprints:read"], [(0.1, 2)]),
    ):
        key = call(world, "cy", "keys.create", name="narrow", scopes=scopes)["secret"]
        with Kbwork(world.url, key) as narrow:
            days = [one["days"][0] for one in narrow.call("members.workload", WEEK)]
        assert [(day["planned"], day["capacity"]) for day in days] == found
