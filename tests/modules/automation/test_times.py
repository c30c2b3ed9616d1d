"""Times as cron writes them, over the days on which clocks change."""

import datetime
from zoneinfo import ZoneInfo

import pytest

from kbwork.modules.automation.rule import cron

BERLIN = ZoneInfo("Europe/Berlin")
LORD_HOWE = ZoneInfo("Australia/Lord_Howe")
"""Its clocks change by half an hour."""


def times(text: str, begin: str, number: int, zone: ZoneInfo = BERLIN) -> list[str]:
    """So many behind a time there, as clocks there and their distance from UTC show them."""
    read = cron.read(text, "every")
    after = int(datetime.datetime.fromisoformat(begin).replace(tzinfo=zone).timestamp())
    found = []
    for _ in range(number):
        next_one = cron.following(read, after, zone)
        assert next_one is not None
        found.append(f"{datetime.datetime.fromtimestamp(next_one, zone):%d %H:%M %z}")
        after = next_one
    return found


@pytest.mark.parametrize(
    ("text", "begin", "found"),
    [
        # at two it becomes three
        ("30 2 * * *", "2026-03-28T12:00", ["29 03:30 +0200", "30 02:30 +0200"]),
        ("0 * * * *", "2026-03-29T00:30", ["29 01:00 +0100", "29 03:00 +0200", "29 04:00 +0200"]),
        ("*/30 * * * *", "2026-03-29T01:00", ["29 01:30 +0100", "29 03:00 +0200", "29 03:30 +0200"]),
        # at three it becomes two
        ("30 2 * * *", "2026-10-24T12:00", ["25 02:30 +0200", "26 02:30 +0100"]),
        ("0 2,3 * * *", "2026-10-25T00:00", ["25 02:00 +0200", "25 03:00 +0100", "26 02:00 +0100"]),
        ("0 * * * *", "2026-10-25T01:30", ["25 02:00 +0200", "25 02:00 +0100", "25 03:00 +0100"]),
        ("*/30 * * * *", "2026-10-25T02:00", ["25 02:30 +0200", "25 02:00 +0100", "25 02:30 +0100"]),
    ],
)
def test_when_clocks_change(text: str, begin: str, found: list[str]) -> None:
    assert times(text, begin, len(found)) == found


def test_where_clocks_change_by_half_an_hour() -> None:
    assert times("15 * * * *", "2026-10-04T01:00", 3, LORD_HOWE) == [
        "04 01:15 +1030",
        "04 02:45 +1100",
        "04 03:15 +1100",
    ]
    assert times("45 * * * *", "2026-04-05T01:00", 3, LORD_HOWE) == [
        "05 01:45 +1100",
        "05 01:45 +1030",
        "05 02:45 +1030",
    ]


@pytest.mark.parametrize(
    ("text", "begin", "found"),
    [
        ("0 9 * * mon-fri", "2026-11-27T09:00", ["30 09:00 +0100", "01 09:00 +0100"]),
        ("0 0 13 * fri", "2026-11-10T00:00", ["13 00:00 +0100", "20 00:00 +0100"]),  # either sort of day
        ("0 0 29 2 *", "2026-03-01T00:00", ["29 00:00 +0100"]),
        ("5/20 0 1 jan,jul *", "2026-11-10T00:00", ["01 00:05 +0100", "01 00:25 +0100", "01 00:45 +0100"]),
        ("0 0 * * 7", "2026-11-27T00:00", ["29 00:00 +0100"]),
        ("0 0 * * 0", "2026-11-27T00:00", ["29 00:00 +0100"]),
    ],
)
def test_on_which_days(text: str, begin: str, found: list[str]) -> None:
    assert times(text, begin, len(found)) == found
