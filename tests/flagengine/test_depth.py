"""Flags and segments that rest on each other: long chains, many ways to one, circles behind what is broken."""

from typing import Any

import pytest

from tests.flagengine.test_rules import MALFORMED, USER, asked, flag

LONG = 1_000


def waiting(*keys: str, **more: Any) -> dict[str, Any]:
    """A flag that serves `yes` where those all do."""
    rests_on = [{"key": key, "variation": 0} for key in keys]
    return flag(prerequisites=rests_on, fallthrough={"variation": 0}, **more)


def asks(*keys: str) -> dict[str, Any]:
    """A rule of a flag, or of a segment."""
    return {"variation": 0, "clauses": [{"op": "segmentMatch", "values": [key]} for key in keys]}


def test_a_chain_of_prerequisites_may_be_long() -> None:
    chain = {f"p{place}": waiting(f"p{place + 1}") for place in range(LONG)}
    assert asked(USER, waiting("p0"), **chain, **{f"p{LONG}": waiting()}) == ("yes", "DEFAULT")
    assert asked(USER, waiting("p0"), **chain) == ("off", "PREREQUISITE_FAILED", "p0")


def test_a_chain_of_segments_may_be_long() -> None:
    chain = {f"s{place}": {"rules": [asks(f"s{place + 1}")]} for place in range(LONG)}
    last = f"s{LONG}"
    assert asked(USER, flag(rules=[asks("s0")]), chain | {last: {"included": ["mira"]}}) == (
        "yes",
        "TARGETING_MATCH",
        0,
    )
    assert asked(USER, flag(rules=[asks("s0")]), chain) == ("no", "DEFAULT")
    assert asked(USER, flag(rules=[asks("s0")]), chain | {last: {"rules": [None]}}) == MALFORMED
    assert asked(USER, flag(rules=[asks("s0")]), chain | {last: {"rules": [asks("s7")]}}) == MALFORMED


def test_a_long_circle_breaks_whoever_reaches_it() -> None:
    chain = {f"p{place}": waiting(f"p{place + 1}") for place in range(LONG)}
    for back in ("f", "p0", "p500", f"p{LONG}"):
        assert asked(USER, waiting("p0"), **chain, **{f"p{LONG}": waiting(back)}) == MALFORMED


@pytest.mark.parametrize("levels", [10, 60])
def test_what_many_ways_lead_to_is_asked_once(levels: int) -> None:
    flags = {f"p{place}": waiting(*[f"p{place + 1}"] * 2) for place in range(levels)}
    assert asked(USER, waiting("p0"), **flags, **{f"p{levels}": waiting()}) == ("yes", "DEFAULT")
    segments: dict[str, Any] = {
        f"s{place}": {"rules": [asks(f"s{place + 1}")] * 2} for place in range(levels)
    }
    assert asked(USER, flag(rules=[asks("s0")]), segments) == ("no", "DEFAULT")


@pytest.mark.parametrize("between", [(), ("q",)])
def test_a_circle_is_met_behind_a_flag_that_is_broken(between: tuple[str, ...]) -> None:
    broken = waiting("x", "f", offVariation=9)
    others = {"a": broken, "x": flag(), **{key: waiting("a") for key in between}}
    first = between[0] if between else "a"
    assert asked(USER, waiting(first), **others) == ("off", "PREREQUISITE_FAILED", first)
    assert asked(USER, waiting(first), **others | {"x": waiting()}) == MALFORMED
