"""How far a clock is trusted: steps forward count when they have lasted, steps back at once."""

import pytest

from kbwork.base.clock import LASTS_S, STEP_S, ClockState, ClockStep, FixedClock, SystemClock, TrustedTime

START = 1_800_000_000
DAY = 86400


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock(START)


@pytest.fixture
def time(clock: FixedClock) -> TrustedTime:
    return TrustedTime(clock)


def test_time_that_passes_is_trusted(clock: FixedClock, time: TrustedTime) -> None:
    for seconds in (1, STEP_S, STEP_S + 1, 400 * DAY):
        clock.advance(seconds)
        assert time.now() == clock.now()


def test_a_step_ahead_counts_when_it_has_lasted_for_a_day(clock: FixedClock, time: TrustedTime) -> None:
    clock.set(START + 400 * DAY)
    assert time.now() == START
    clock.advance(LASTS_S - 1)
    assert time.now() == START + LASTS_S - 1
    clock.advance(1)
    assert time.now() == clock.now() == START + 401 * DAY


def test_a_step_of_an_hour_counts_at_once(clock: FixedClock, time: TrustedTime) -> None:
    clock.set(START + STEP_S)
    assert time.now() == clock.now()


def test_a_step_that_is_taken_back_leaves_nothing(clock: FixedClock, time: TrustedTime) -> None:
    clock.set(START + 400 * DAY)
    assert time.now() == START
    clock.advance(75)
    clock.set(START + 75)
    assert time.now() == START + 75
    assert time.state().steps == ()


def test_a_step_may_be_taken_back_in_part_and_the_latest_goes_first(
    clock: FixedClock, time: TrustedTime
) -> None:
    for days in (10, 30):
        clock.set(clock.now() + days * DAY)
        assert time.now() == START
    clock.set(clock.now() - 35 * DAY)
    assert time.now() == START
    assert time.state() == ClockState(START + 5 * DAY, (ClockStep(5 * DAY, 0.0),))


def test_a_clock_that_was_behind_is_trusted_as_far_as_it_goes_back(
    clock: FixedClock, time: TrustedTime
) -> None:
    clock.set(START - 400 * DAY)
    assert time.now() == START - 400 * DAY
    clock.set(START)
    assert time.now() == START - 400 * DAY
    clock.advance(LASTS_S)
    assert time.now() == START + LASTS_S


def test_each_step_lasts_for_itself(clock: FixedClock, time: TrustedTime) -> None:
    clock.set(START + 2 * DAY)
    assert time.now() == START
    clock.advance(LASTS_S - 10)
    clock.set(clock.now() + 400 * DAY)
    assert time.now() == START + LASTS_S - 10
    clock.advance(10)
    assert time.now() == clock.now() - 400 * DAY


def test_whoever_confirms_it_trusts_it_at_once(clock: FixedClock, time: TrustedTime) -> None:
    clock.set(START + 400 * DAY)
    assert time.now() == START
    time.confirm()
    assert time.now() == clock.now()


def test_a_server_that_starts_again_knows_what_it_knew(clock: FixedClock, time: TrustedTime) -> None:
    clock.set(START + 400 * DAY)
    clock.advance(LASTS_S // 2)
    half = time.state()
    assert half == ClockState(clock.now(), (ClockStep(400 * DAY, 0.0),))
    clock.advance(60)
    again = TrustedTime(clock)
    again.resume(time.state())
    assert again.now() == clock.now() - 400 * DAY
    clock.advance(LASTS_S - 61)
    assert again.now() == clock.now() - 400 * DAY
    clock.advance(1)
    assert again.now() == clock.now()


def test_time_in_which_no_server_ran_is_a_step(clock: FixedClock) -> None:
    again = TrustedTime(clock)
    again.resume(ClockState(START - 3 * DAY, ()))
    assert again.now() == START - 3 * DAY
    soon = TrustedTime(clock)
    soon.resume(ClockState(START - STEP_S, ()))
    assert soon.now() == START
    back = TrustedTime(clock)
    back.resume(ClockState(START + 400 * DAY, (ClockStep(400 * DAY, 5.0),)))
    assert back.now() == START


class _SameBoot(FixedClock):
    """Its count goes on while no server runs, as that of a machine does until it is started again."""

    name = "a"

    def boot(self) -> str:
        return self.name


def test_time_in_which_no_server_ran_is_known_where_the_machine_went_on() -> None:
    clock = _SameBoot(START)
    before = TrustedTime(clock).state()
    clock.advance(3 * DAY)
    again = TrustedTime(clock)
    again.resume(before)
    assert again.now() == clock.now(), "an org that slept ends what is over"
    clock.set(clock.now() + 400 * DAY)
    ahead = TrustedTime(clock)
    ahead.resume(before)
    assert ahead.now() == clock.now() - 400 * DAY
    clock.name = "b"
    other = TrustedTime(clock)
    other.resume(before)
    assert other.now() == START


class _Rough(FixedClock):
    """Shows whole seconds of a time that passes in parts, as a machine's clock does."""

    def __init__(self) -> None:
        super().__init__(START)
        self.passed = 0.0

    def now(self) -> int:
        return START + 40 * DAY + int(self.passed + 0.3) if self.passed else START

    def passing(self) -> float:
        return self.passed


def test_parts_of_seconds_wear_no_step_away() -> None:
    clock = _Rough()
    time = TrustedTime(clock)
    for _ in range(5000):
        clock.passed += 0.37
        assert abs(time.now() - (clock.now() - 40 * DAY)) <= 1


def test_the_clock_of_the_machine_is_trusted_as_it_goes() -> None:
    clock = SystemClock()
    time = TrustedTime(clock)
    assert abs(time.now() - clock.now()) <= 1
