"""How much of a rate is left, for whom, and who is forgotten when very many call."""

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest

from kbwork.base.errors import RateLimited
from kbwork.core.operations import limits
from kbwork.core.operations.limits import MOST_BUCKETS, Limits, Rate, Rates, nobody_at

SLOW = Rate(0.0001, 2)


def slow() -> Limits:
    """Two calls each, and none comes back while a test runs."""
    return Limits(Rates(read=SLOW, write=SLOW, public=SLOW))


def flood(kept: Limits, count: int, first: int = 0) -> None:
    """A call from each of so many networks."""
    for number in range(first, first + count):
        kept.take(nobody_at(f"2001:db8:{number >> 16:x}:{number & 0xFFFF:x}::1"), "public")


def steps(work: Callable[[], Any]) -> int:
    """How many lines of the limits are run for this."""
    found, before = 0, sys.gettrace()

    def trace(frame: FrameType, event: str, argument: object) -> Any:
        nonlocal found
        if frame.f_code.co_filename != limits.__file__:
            return None
        found += event == "line"
        return trace

    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(before)
    return found


def test_what_is_taken_is_gone_and_the_refusal_says_when_to_come_again() -> None:
    kept = Limits(Rates(public=Rate(0.1, 2)))
    assert [kept.take("address:x", "public")["RateLimit-Remaining"] for _ in range(2)] == ["1", "0"]
    with pytest.raises(RateLimited) as refusal:
        kept.take("address:x", "public")
    assert refusal.value.headers["Retry-After"] in ("9", "10")
    assert refusal.value.headers["RateLimit-Remaining"] == "0"
    kept.give_back("address:x", "public")
    assert kept.take("address:x", "public")["RateLimit-Remaining"] == "0"


def test_a_network_of_ipv6_has_one_rate_however_many_addresses_it_calls_from() -> None:
    kept = slow()
    for number in (1, 2):
        kept.take(nobody_at(f"2001:db8::{number}"), "public")
    with pytest.raises(RateLimited):
        kept.take(nobody_at("2001:db8::ffff:3"), "public")
    kept.take(nobody_at("2001:db8:0:1::1"), "public")
    kept.take(nobody_at("192.0.2.7"), "public")
    kept.take(nobody_at("::ffff:192.0.2.7"), "public")
    with pytest.raises(RateLimited):
        kept.take(nobody_at("192.0.2.7"), "public")
    kept.take(nobody_at(None), "public")


def test_of_too_many_the_one_goes_that_called_longest_ago_and_the_others_stay() -> None:
    kept = slow()
    for name in ("oldest", "next"):
        for _ in range(2):
            kept.take(name, "read")
    flood(kept, MOST_BUCKETS - 1)
    assert len(kept._buckets) == MOST_BUCKETS
    with pytest.raises(RateLimited):
        kept.take("next", "read")
    assert kept.take("oldest", "read")["RateLimit-Remaining"] == "1"
    assert len(kept._buckets) == MOST_BUCKETS


@pytest.mark.parametrize("spent", [False, True])
def test_who_calls_on_in_a_flood_is_not_forgotten_served_or_refused(spent: bool) -> None:
    kept = Limits(Rates(read=Rate(0.0001, 2 if spent else 100)))
    served = 0
    for turn in range(6):
        try:
            kept.take("steady", "read")
            served += 1
        except RateLimited:
            pass
        for number in range(MOST_BUCKETS // 2):
            kept.take(f"{turn} {number}", "read")
    assert served == (2 if spent else 6)
    left = kept._buckets["steady", "read"][0]
    assert int(left) == (0 if spent else 94)


def test_a_call_in_a_flood_takes_as_many_steps_as_any_other() -> None:
    kept = slow()
    kept.take("first", "read")
    alone = steps(lambda: kept.take("second", "read"))
    flood(kept, MOST_BUCKETS)
    assert alone <= steps(lambda: flood(kept, 1, MOST_BUCKETS)) <= 2 * alone
