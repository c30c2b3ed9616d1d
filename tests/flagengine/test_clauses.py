"""Dates, versions and patterns: what is one, and what is none."""

import random
import re
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any

import pytest

from kbwork.flagengine.clauses import patterns
from kbwork.flagengine.clauses.dates import instant
from kbwork.flagengine.clauses.patterns import BadPattern
from kbwork.flagengine.clauses.versions import version


@pytest.mark.parametrize(
    ("text", "ms"),
    [
        ("1970-01-01T00:00:00Z", 0),
        ("1970-01-01t00:00:00z", 0),
        ("1969-12-31T23:59:59.999Z", -1),
        ("2000-02-29T00:00:00.1239Z", 951_782_400_123),
        ("1970-01-01T00:00:00.1+00:00", 100),
        ("1970-01-01T02:00:00+02:00", 0),
        ("1969-12-31T22:30:00-01:30", 0),
        ("0000-01-01T00:00:00Z", -62_167_219_200_000),
        ("0001-01-01T00:00:00Z", -62_135_596_800_000),
        ("9999-12-31T23:59:59Z", 253_402_300_799_000),
    ],
)
def test_instants(text: str, ms: int) -> None:
    assert instant(text) == ms


@pytest.mark.parametrize(
    "text",
    [
        "2023-02-29T00:00:00Z",
        "1900-02-29T00:00:00Z",
        "2024-13-01T00:00:00Z",
        "2024-00-01T00:00:00Z",
        "2024-04-31T00:00:00Z",
        "2024-04-00T00:00:00Z",
        "2024-01-01T24:00:00Z",
        "2024-01-01T00:60:00Z",
        "2016-12-31T23:59:60Z",
        "2024-01-01T00:00:00+24:00",
        "2024-01-01T00:00:00+01:60",
        "2024-01-01T00:00:00+0100",
        "2024-01-01T00:00:00.Z",
        "2024-01-01T00:00Z",
        "2024-01-01 00:00:00Z",
        "2024-01-01T00:00:00",
        "2024-01-01",
        "2024-01-01T00:00:00Z\n",
        "٢٠٢٤-01-01T00:00:00Z",
        "1709200800000",
        "",
        True,
        None,
        [],
    ],
)
def test_no_instants(text: Any) -> None:
    assert instant(text) is None


def test_instants_agree_with_the_calendar_of_the_library() -> None:
    dice = random.Random(7)
    begin = datetime(1, 1, 1, tzinfo=UTC)
    epoch = datetime(1970, 1, 1, tzinfo=UTC)
    for _ in range(5000):
        day = begin + timedelta(days=dice.randrange(3_652_000), seconds=dice.randrange(86_400))
        expected = (day - epoch) // timedelta(milliseconds=1)
        assert instant(f"{day:%Y}".zfill(4) + f"{day:-%m-%dT%H:%M:%SZ}") == expected


ORDERED = (
    "0.0.0-0",
    "0",
    "0.9.9",
    "1.0.0-alpha",
    "1.0.0-alpha.1",
    "1.0.0-alpha.beta",
    "1.0.0-beta",
    "1.0.0-beta.2",
    "1.0.0-beta.11",
    "1.0.0-rc.1",
    "1-rc.1.0",
    "1.0.0-rc-",
    "1.0.0",
    "1.2",
    "1.10",
    "9007199254740992.0.0",
    "9007199254740993.0.0",
)


def test_versions_are_ordered_as_they_should_be() -> None:
    keys = [version(text) for text in ORDERED]
    assert None not in keys
    assert all(a < b for a, b in pairwise(keys))  # type: ignore[operator]
    assert version("1") == version("1.0.0+x.1") == version("1.0+001")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "v1",
        "1.2.3.4",
        "01.0.0",
        "1.02",
        "1.0.0-",
        "1.0.0-01",
        "1.0.0-a..b",
        "1.0.0+",
        "1 ",
        "1.0\n",
        "1.x",
        "-1",
        1,
        "\u0661",
    ],
)
def test_no_versions(text: Any) -> None:
    assert version(text) is None


@pytest.mark.parametrize(
    ("pattern", "text", "expected"),
    [
        ("", "", True),
        ("^$", "", True),
        ("^a$", "a\n", False),
        ("a.c", "a\nc", False),
        ("a.c", "a\u2028c", False),
        ("a.c", "a\u0085c", True),
        ("^.$", "\U0001f600", True),
        (r"\d", "٣", False),
        (r"\w", "é", False),
        (r"\bé", "é", False),
        (r"^\s$", "\ufeff", True),
        (r"^\s$", "\u0085", False),
        (r"^\S$", "\u0085", True),
        (r"^[^\s]$", "\u3000", False),
        (r"[^\S\t]", "\t", False),
        (r"[\s\S]", "\n", True),
        (r"[^\s\S]", "a", False),
        (r"[\]\-a]", "-", True),
        ("[a-]", "-", True),
        (r"[+--]", ",", True),
        ("[^a-c]", "b", False),
        (r"\x41\u0042\uD83D\uDE00", "AB\U0001f600", True),
        (r"\/\.\-\$", "/.-$", True),
        ("a{2}", "aa", True),
        ("^a{2,}?$", "aaa", True),
        ("^(?:ab|c){1,2}$", "abc", True),
        ("(a|)b", "b", True),
        ("a{0}b", "b", True),
    ],
)
def test_patterns(pattern: str, text: str, expected: bool) -> None:
    found = patterns.found_in(pattern)
    assert found is not None
    assert found(text) is expected


@pytest.mark.parametrize(
    "pattern",
    [
        "(", ")", "[", "[]", "[^]", "a)", "(a", "*a", "a**", "a++", "a*+", "^*", r"\b+", "a{", "a{}", "a{1",
        "a{,2}", "{", "}", "]", "a{2,1}", "a{1001}", "a{99999999999}", "(a{100}){11}", "(a+)+", "(a*)*",
        "((a+)b)*", "(?:a{2,}){3,}", "(?=a)", "(?!a)", "(?<=a)", "(?P<n>a)", "(?<n>a)", "(?i)a", r"(a)\1",
        r"\p{L}", r"\A", r"\z", r"\Z", r"\0", r"\cA", r"\k", r"\x4", r"\u12", r"\uD800", r"\uDE00", "\\", "[\\",
        "[b-a]", r"[a-\d]", r"[\d-z]", r"[\b]", "[[a]", "a|*", "a" * 513, r"\u{41}", "a{1}{2}",
    ],
)  # fmt: skip
def test_outside_the_subset(pattern: str) -> None:
    with pytest.raises(BadPattern) as told:
        patterns.check(pattern)
    assert len(str(told.value)) > 10
    assert patterns.found_in(pattern) is None


def test_a_refusal_says_where() -> None:
    with pytest.raises(BadPattern, match=r"^at character 3: a repeat|^at character \d+: ") as told:
        patterns.check("ab(?=c)")
    assert "character 3" in str(told.value)


def test_only_the_beginning_of_a_long_text_is_read() -> None:
    found = patterns.found_in("z")
    assert found is not None
    assert found("a" * 4095 + "z")
    assert not found("a" * 4096 + "z")


def test_patterns_of_ascii_mean_what_they_mean_in_python() -> None:
    dice = random.Random(11)
    pieces = [
        "a",
        "b",
        ".",
        "[ab]",
        "[^a]",
        r"\d",
        r"\W",
        "(a|b)",
        "(?:ab)",
        "x?",
        "a*",
        "b+?",
        "c{1,2}",
        r"\b",
        "1",
        " ",
    ]
    for _ in range(3000):
        pattern = "".join(dice.choice(pieces) for _ in range(dice.randint(1, 5)))
        text = "".join(dice.choice("ab c1x_") for _ in range(dice.randint(0, 8)))
        found = patterns.found_in(pattern)
        assert found is not None
        assert found(text) is (re.search(pattern, text, re.ASCII) is not None), (pattern, text)
