"""Patterns: what is in the subset, what each piece means, and that none is slow."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kbwork.flagengine.clauses.patterns import BadPattern, check, matches, printed


@pytest.mark.parametrize(
    ("pattern", "fits", "fails"),
    [
        ("b", ["abc"], ["ac", "B"]),
        ("", ["", "x"], []),
        ("^ab$", ["ab"], ["xab", "abx", "ab\n", "\nab"]),
        ("a.c", ["abc", "a\U0001f600c"], ["a\nc", "a\rc", "a\u2028c", "ac"]),
        (r"^\d+$", ["0189"], ["\u0661", ""]),
        (r"^\w$", ["_", "Z"], ["\u00e9", "-"]),
        (r"^\s$", [" ", "\t", "\u00a0", "\ufeff", "\u3000", "\v"], ["x", "\u200b"]),
        (r"^\D\W\S$", ["a-b"], ["1-b"]),
        (r"^[\D]$", ["a"], ["1"]),
        (r"^[^\S]$", [" "], ["a"]),
        (r"\bcat\b", ["a cat."], ["cats"]),
        (r"\Bat", ["cat"], ["at"]),
        (r"\B", ["ab", "\u00e9", "a\u00e9\u00e9b"], ["a\u00e9b", "a\U0001f600b", "a"]),
        (r"\Bx*|z", ["a\u00e9z"], ["a\u00e9b"]),
        (r"^\x41\u00e9\/\.\$$", ["A\u00e9/.$"], ["A\u00e9/x$"]),
        (r"^[a-c\]\-^]+$", ["ab]-^"], ["d"]),
        (r"^[^a-c]$", ["d", "\u00e9"], ["b"]),
        ("^[a-]$", ["a", "-"], ["b"]),
        ("^(a|bc)(?:d)?$", ["a", "bcd"], ["b"]),
        ("^a{2}b{1,}c{0,2}$", ["aabcc", "aabb"], ["abc", "aabccc"]),
        ("^a+?b*?c??$", ["aabbc"], ["b"]),
        ("^\U0001f600?$", ["", "\U0001f600"], ["x"]),
        ("\\t\\n\\r\\f\\v", ["\t\n\r\f\v"], ["tnrfv"]),
    ],
)
def test_a_pattern_means_what_it_says(pattern: str, fits: list[str], fails: list[str]) -> None:
    assert [matches(pattern, text) for text in fits] == [True] * len(fits)
    assert [matches(pattern, text) for text in fails] == [False] * len(fails)


@pytest.mark.parametrize(
    "pattern",
    [
        "(",
        ")",
        "a)",
        "[",
        "[]",
        "[^]",
        "[b-a]",
        "[[:alpha:]]",
        "[a",
        r"[\d-z]",
        r"[\b]",
        "*",
        "+a",
        "a**",
        "a++",
        "a{2}{3}",
        "^*",
        r"\b+",
        "{",
        "}",
        "]",
        "a{",
        "a{x}",
        "a{2,1}",
        "a{1001}",
        "a{0,9999}",
        r"(a)\1",
        "(?=a)",
        "(?!a)",
        "(?<=a)",
        "(?P<x>a)",
        "(?<x>a)",
        "(?i)a",
        "(?i:a)",
        r"\p{L}",
        r"\A",
        r"\z",
        r"\Q",
        r"\C",
        r"\x4",
        r"\u12g4",
        r"\ud800",
        r"\a",
        "\\",
        "(a+)+",
        "(a*b)*",
        "((a|b+){2,})c{3,}" + "|((x*)y)+",
        "(a{100}){11}",
        "((a{10}){10}){11}",
        "(" * 51 + ")" * 51,
        "a" * 513,
    ],
)
def test_what_is_outside_the_subset_is_refused(pattern: str) -> None:
    with pytest.raises(BadPattern):
        check(pattern)


def test_a_text_is_looked_at_as_far_as_4096_signs() -> None:
    assert matches("b", "a" * 4095 + "b")
    assert not matches("b", "a" * 4096 + "b")


@pytest.mark.parametrize("pattern", ["(a|aa)+$", "(a|a)*b", "(.*)(.*)(.*)x", "(a{1,10}){1,100}$"])
def test_no_pattern_is_slow_on_a_hostile_text(pattern: str) -> None:
    try:
        check(pattern)
    except BadPattern:
        return
    begun = time.process_time()
    matches(pattern, "a" * 4095 + "!")
    assert time.process_time() - begun < 1


@settings(max_examples=500)
@given(
    pattern=st.text(r"ab^$.*+?()[]{}|\-dwsDbxu019,:=!<", max_size=20), text=st.text("ab01 \n-", max_size=12)
)
def test_whatever_is_written_is_read_or_refused(pattern: str, text: str) -> None:
    try:
        matches(pattern, text)
    except BadPattern:
        return
    assert printed(pattern).isascii()
