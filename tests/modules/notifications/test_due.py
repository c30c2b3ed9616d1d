"""Dates that are near are told once, in the morning of who has the issue."""

import datetime
import zoneinfo
from typing import Any

import pytest

from kbwork.db.tx import Write
from kbwork.modules.notifications import due
from tests.conftest import NOW, World
from tests.modules.calls import call
from tests.modules.notifications.inboxes import follow, issue, read_all, told

TODAY = datetime.datetime.fromtimestamp(NOW, datetime.UTC).date()


def day(after: int) -> str:
    return (TODAY + datetime.timedelta(days=after)).isoformat()


def at(world: World, after: int, hour: int, zone: str = "UTC") -> None:
    """Let it be this hour, so many days on."""
    moment = datetime.datetime.combine(
        TODAY + datetime.timedelta(days=after), datetime.time(hour), zoneinfo.ZoneInfo(zone)
    )
    world.clock.set(int(moment.timestamp()))


def look(world: World) -> None:
    """At the dates, at once."""
    follow(world)

    def every(tx: Write) -> None:
        tx.memo.clear()
        while (found := due.look(tx)) is not None:
            due.write(tx, found)

    world.database.write_now(every)


def summaries(world: World, who: str = "cy") -> list[str]:
    found = call(world, who, "notifications.list", reason="due")["items"]
    return [event["summary"] for one in found for event in one["events"]]


def test_it_is_told_the_day_before_and_the_day_after_and_once(world: World) -> None:
    with world.at_rest():
        issue(world, assignees=["@cy"], due_date=day(2))
        read_all(world, "cy")
        at(world, 1, 7)
        look(world)
        assert summaries(world) == []
        at(world, 1, 8)
        look(world)
        at(world, 1, 9)
        look(world)
        assert summaries(world) == [f"It is due tomorrow, on {day(2)}"]
        assert [summaries(world, who) for who in ("ana", "di")] == [[], []]
        read_all(world, "cy")
        at(world, 3, 8)
        look(world)
        assert told(world, "cy") == [("issue:1", "due", ["issue.due"])]
        assert summaries(world) == [f"It was due on {day(2)}"]


def test_the_day_begins_where_they_are(world: World) -> None:
    with world.at_rest():
        call(world, "cy", "members.preferences_set", set={"zone": "Pacific/Auckland"})
        issue(world, assignees=["@cy", "@di"], due_date=day(2))
        read_all(world, "cy", "di")
        at(world, 1, 8, "Pacific/Auckland")
        look(world)
        assert [len(summaries(world, who)) for who in ("cy", "di")] == [1, 0]
        at(world, 1, 8)
        look(world)
        assert [len(summaries(world, who)) for who in ("cy", "di")] == [1, 1]


@pytest.mark.parametrize(
    ("days", "found"), [([], 0), ([0], 1), ([0, 3], 2), ([1, 2, 3], 3)], ids=["never", "then", "two", "three"]
)
def test_days_are_as_they_chose(world: World, days: list[int], found: int) -> None:
    with world.at_rest():
        call(world, "cy", "notifications.settings_set", due_before_days=days)
        issue(world, assignees=["@cy"], due_date=day(4))
        for passed in range(1, 5):
            at(world, passed, 10)
            look(world)
        assert len([one for one in _days(world) if not one.startswith("It was")]) == found


def _days(world: World) -> list[str]:
    found: list[dict[str, Any]] = call(world, "cy", "notifications.list")["items"]
    return [event["summary"] for one in found for event in one["events"] if event["kind"] == "issue.due"]


def test_nothing_is_told_of_what_is_done_and_of_another_date_again(world: World) -> None:
    with world.at_rest():
        done = issue(world, assignees=["@cy"], due_date=day(1))
        call(world, "ana", "issues.transition", key=done, to_status="done")
        moved = issue(world, assignees=["@cy"], due_date=day(1))
        at(world, 0, 22)
        look(world)
        assert _days(world) == [f"It is due tomorrow, on {day(1)}"]
        call(world, "ana", "issues.update", key=moved, due_date=day(2))
        at(world, 1, 10)
        look(world)
        assert _days(world) == [f"It is due tomorrow, on {day(2)}", f"It is due tomorrow, on {day(1)}"]
