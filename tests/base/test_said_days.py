"""Days as people say them."""

import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as some

from kbwork.base.day_words import BY_LANGUAGE, ENGLISH
from kbwork.base.said_days import MOST_WORDS, said

WEDNESDAY = datetime.date(2026, 11, 25)


def day_of(text: str, today: datetime.date = WEDNESDAY, **more: object) -> str | None:
    """The day that all words name together."""
    found = said(text.split(), today, **more)  # type: ignore[arg-type]
    return found[1].isoformat() if found is not None and found[0] == len(text.split()) else None


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("today", "2026-11-25"),
        ("Tomorrow", "2026-11-26"),
        ("fri", "2026-11-27"),
        ("wed", "2026-12-02"),
        ("tues", "2026-12-01"),
        ("next fri", "2026-12-04"),
        ("next mon", "2026-11-30"),
        ("next week", "2026-11-30"),
        ("next month", "2026-12-01"),
        ("in 2w", "2026-12-09"),
        ("2w", "2026-12-09"),
        ("+10d", "2026-12-05"),
        ("in 3 days", "2026-11-28"),
        ("in a week", "2026-12-02"),
        ("in one month", "2026-12-25"),
        ("in 1 year", "2027-11-25"),
        ("3 months", "2027-02-25"),
        ("5 dec", "2026-12-05"),
        ("Dec 5", "2026-12-05"),
        ("dec 5th", "2026-12-05"),
        ("5. december 2027", "2027-12-05"),
        ("nov 25", "2026-11-25"),
        ("24 nov", "2027-11-24"),
        ("29 feb", "2028-02-29"),
        ("5.12.", "2026-12-05"),
        ("5.12.2027", "2027-12-05"),
        ("25/12", "2026-12-25"),
        ("12/25/2027", "2027-12-25"),
        ("6/6", "2027-06-06"),
        ("eow", "2026-11-27"),
        ("end of week", "2026-11-27"),
        ("eom", "2026-11-30"),
        ("end of quarter", "2026-12-31"),
        ("eoy", "2026-12-31"),
        ("2027-02-28", "2027-02-28"),
    ],
)
def test_what_people_say_is_a_day(text: str, day: str) -> None:
    assert day_of(text) == day


@pytest.mark.parametrize(
    "text",
    ["5", "process", "in", "in 0 days", "next", "next year", "ma", "30 feb", "31.4.", "5/12", "2027-02-30", "40 dec",
     "in 2 cows", "2027", "end of time", "dec", "in WEB"],
)  # fmt: skip
def test_what_is_no_day_is_left(text: str) -> None:
    assert day_of(text) is None


@pytest.mark.parametrize(
    ("locale", "text", "day"),
    [
        ("de", "heute", "2026-11-25"),
        ("de-AT", "fr", "2026-11-27"),
        ("de", "nächsten Freitag", "2026-12-04"),
        ("de", "in 2 Wochen", "2026-12-09"),
        ("de", "5. Dez", "2026-12-05"),
        ("de", "5/12", "2026-12-05"),
        ("de", "next fri", "2026-12-04"),
        ("en-US", "12/5", "2026-12-05"),
        ("en-GB", "12/5", "2027-05-12"),
        ("en-US", "5.12.", "2026-12-05"),
        ("fr-FR", "demain", "2026-11-26"),
        ("fr", "vendredi prochain", "2026-12-04"),
        ("fr", "dans 3 jours", "2026-11-28"),
        ("es", "mañana", "2026-11-26"),
        ("it", "tra 2 settimane", "2026-12-09"),
        ("nl", "over 2 weken", "2026-12-09"),
        ("pt-BR", "5 dez", "2026-12-05"),
        ("xx", "5 dec", "2026-12-05"),
    ],
)
def test_the_language_of_the_locale_is_read_beside_english(locale: str, text: str, day: str) -> None:
    assert day_of(text, locale=locale) == day


@pytest.mark.parametrize(("week_start", "day"), [(0, "2026-11-29"), (1, "2026-11-30"), (6, "2026-11-28")])
def test_a_week_begins_where_the_org_has_it(week_start: int, day: str) -> None:
    assert day_of("next week", week_start=week_start) == day


def test_the_last_of_a_month_stays_in_the_month() -> None:
    assert day_of("1 month", datetime.date(2027, 1, 31)) == "2027-02-28"
    assert day_of("eow", datetime.date(2026, 11, 28)) == "2026-12-04"


def test_as_many_words_are_taken_as_name_a_day() -> None:
    assert said(["5", "dec", "2027", "at", "noon"], WEDNESDAY) == (3, datetime.date(2027, 12, 5))
    assert said(["fri,", "5", "people"], WEDNESDAY) == (1, datetime.date(2026, 11, 27))
    assert said(["next", "to", "it"], WEDNESDAY) is None


@given(some.lists(some.text(max_size=12) | some.sampled_from(["in", "5", "next", "dec", "9999", "999y", "0.0."]),
                  min_size=1, max_size=6), some.dates(), some.sampled_from([*BY_LANGUAGE, "en-US"]))  # fmt: skip
def test_whatever_is_written_is_read_or_left(words: list[str], today: datetime.date, locale: str) -> None:
    found = said(words, today, locale=locale)
    assert found is None or 1 <= found[0] <= min(len(words), MOST_WORDS)


@pytest.mark.parametrize("language", [ENGLISH, *BY_LANGUAGE.values()])
def test_every_name_is_known_whole_and_cut(language: object) -> None:
    locale = next((name for name, one in BY_LANGUAGE.items() if one is language), "en")
    words = BY_LANGUAGE.get(locale, ENGLISH)
    assert (len(words.weekdays), len(words.months), len(words.units)) == (7, 12, 4)
    for at, name in enumerate(words.weekdays):
        assert datetime.date.fromisoformat(day_of(name, locale=locale) or "").weekday() == at
    for at, name in enumerate(words.months):
        assert (day_of(f"1 {name} 2030", locale=locale) or "")[:7] == f"2030-{at + 1:02}"
