"""What fields were: every row of the document's table, at its edges."""

import pytest

from kbwork.tql.checker.query import check
from kbwork.tql.evaluator.conditions import Evaluator
from kbwork.tql.items import Record, Spell
from tests.tql.office import Office, ago, at, holds, issue
from tests.tql.world import SmallWorld

PAST = issue(
    created=at("2026-09-01T09:00"),
    status="review",
    past={
        "status": [
            Spell("todo", at("2026-09-01T09:00"), at("2026-09-10T09:00"), "m1"),
            Spell("done", at("2026-09-10T09:00"), at("2026-10-05T12:00"), "m2"),
            Spell("review", at("2026-10-05T12:00"), None, "m1"),
        ],
        "due": [
            Spell("2026-10-01", at("2026-09-02T09:00"), at("2026-09-20T09:00"), "m1"),
            Spell("2026-10-20", at("2026-09-20T09:00"), at("2026-10-01T09:00"), "m2"),
            Spell("2026-12-01", at("2026-10-10T09:00"), None, "m2"),
        ],
        "label": [
            Spell("1", at("2026-09-01T09:00"), at("2026-09-05T09:00"), "m1"),
            Spell("2", at("2026-09-05T09:00")),
        ],
    },
)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("status was done", True),
        ("status was in (done, todo)", True),
        ("status was dropped", False),
        ("status was not dropped", True),
        ("status was review", True),
        ("status was done before 2026-09-11", True),
        ("status was done before 2026-09-10T09:00", False),
        ("status was done after 2026-10-04", True),
        ("status was done after 2026-10-05", False),
        ("status was done since 2026-10-05", True),
        ("status was done since 2026-10-05T12:00", False),
        ("status was done at 2026-10-04", True),
        ("status was done at 2026-10-05", False),
        ("status was review at 2026-10-05", True),
        ("status was done on 2026-10-05", True),
        ("status was done during 2026-Q4", True),
        ("status was done during 2026-11", False),
        ("status was done during 2026-09-01..2026-09-09", False),
        ("status was done during 2026-09-01..2026-09-10", True),
        ("status was done by @sam.k", True),
        ("status was done by me()", False),
        ("status was done by (me(), @sam.k)", True),
        ("status was done for >= 25d", True),
        ("status was done for > 26d", False),
        ("status was review for >= 45d", True),
        ("status was done during 2026-10 for >= 4d", True),
        ("status was done during 2026-10 for >= 5d", False),
        ("status was not done at -7d", True),
        ("status was empty", False),
        ("due was empty", True),
        ("due was empty at 2026-10-05", True),
        ("due was empty at 2026-09-25", False),
        ("due was 2026-10", True),
        ("due was 2026-11", False),
        ("assignee was empty", True),
    ],
)
def test_what_a_field_was(text: str, found: bool) -> None:
    assert holds(text, PAST) == found
    assert holds(f"not ({text})", PAST) != found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("status changed", True),
        ("priority changed", False),
        ("status changed from done", True),
        ("status changed from todo to done by @sam.k during 2026-09", True),
        ("status changed from todo to done by me()", False),
        ("status changed from todo to review", False),
        ("status changed to review since 2026-10-05", True),
        ("status changed to review after 2026-10-05", False),
        ("status changed to review before 2026-10-05", False),
        ("status changed to review on 2026-10-05", True),
        ("status changed = 2 times", True),
        ("status changed > 2 times", False),
        ("status changed >= 1 times by me()", True),
        ("due changed >= 3 times", True),
        ("due changed = 4 times", True),
        ("due changed from empty to 2026-10-01 by me()", True),
        ("due changed from empty to 2026-10-01 before 2026-09-02", False),
        ("due changed from empty = 2 times", True),
        ("label changed from empty to security", False),
        ("status changed from empty", False),
        ("due changed to empty", True),
        ("due changed from empty to 2026-12-01", True),
        ("label changed from security", True),
        ("label changed to customer", True),
        ("label changed = 2 times", True),
    ],
)
def test_how_a_field_changed(text: str, found: bool) -> None:
    assert holds(text, PAST) == found


def test_the_present_state_has_an_age() -> None:
    still = issue(created=ago(days=40), past={"status": [Spell("todo", ago(days=14))]})
    assert holds("status unchanged for 14d", still)
    assert not holds("status unchanged for 337h", still)
    assert holds("priority unchanged for 40d and not priority unchanged for 41d", still)
    assert holds("status unchanged for 10wd and not status unchanged for 11wd", still)


def test_a_thing_that_starts_or_ends_gives_a_time() -> None:
    sprint = Record("11", {"started": at("2026-09-07T10:00"), "start": "2026-09-07", "end": "2026-09-20"})
    carried = issue(past=PAST.past, links={"sprint": [sprint]})
    assert holds("status was todo at startOf(sprint)", carried)
    assert holds("status was done at endOf(sprint)", carried)
    assert not holds("status was done at endOf(sprint)", issue(past=PAST.past)), "a time that is missing"


def test_as_of_reads_what_was() -> None:
    query = check("status = done", SmallWorld()).query
    assert Evaluator(Office(), as_of=at("2026-09-30T00:00")).matches(query.where, PAST)
    assert not Evaluator(Office(), as_of=at("2026-10-06T00:00")).matches(query.where, PAST)
    assert not Evaluator(Office()).matches(query.where, PAST)
