"""The one clock, and how far it is trusted. Tests set it; the service reads it here and nowhere else."""

import threading
import time
from pathlib import Path
from typing import NamedTuple, Protocol

STEP_S = 3600
"""Where the clock went ahead of what passed by more than this, it is not trusted at once."""
LASTS_S = 86400
"""So long a step has to last until it is."""
_BOOT = Path("/proc/sys/kernel/random/boot_id")
_SLACK_S = 60
"""By so much a clock is set back now and then without having been ahead."""


class Clock(Protocol):
    """Tells Unix seconds, and seconds that pass while nobody sets the clock."""

    def now(self) -> int: ...

    def passing(self) -> float: ...

    def boot(self) -> str:
        """Since what `passing` counts: the same name, the same count, in whatever process. Empty: in this one alone."""


class SystemClock:
    """Wall time that follows the machine's clock, for stamps and for windows alike."""

    def now(self) -> int:
        return int(time.time())  # noqa: TID251 - this is the one place that reads it

    def passing(self) -> float:
        """Where there is one, by the clock that runs while the machine sleeps."""
        return time.clock_gettime(getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC))

    def boot(self) -> str:
        try:
            return _BOOT.read_text("ascii").strip() if hasattr(time, "CLOCK_BOOTTIME") else ""
        except OSError:
            return ""


class FixedClock:
    """A clock that stands still until it is moved."""

    def __init__(self, now: int) -> None:
        self._now = now
        self._passed = 0

    def now(self) -> int:
        return self._now

    def passing(self) -> float:
        return float(self._passed)

    def boot(self) -> str:
        return ""

    def advance(self, seconds: int) -> None:
        """Let time pass."""
        self._now += seconds
        self._passed += seconds

    def set(self, now: int) -> None:
        """Set it to another time while none passes."""
        self._now = now


class ClockStep(NamedTuple):
    """A time by which the clock went ahead of what passed, and how long that has lasted, in seconds."""

    ahead_s: int
    lasted_s: float


class ClockState(NamedTuple):
    """What a server has to know of the clock when it starts again: what it showed last, and the steps that it took and
    that have not lasted yet."""

    shown: int
    steps: tuple[ClockStep, ...]
    boot: str = ""
    passed: float = 0.0
    """What was counted then, since `boot`."""


class TrustedTime:
    """The time by which data go for good: a clock that runs ahead, as at a start without its battery, ends nothing.

    A step forward counts when it has lasted for a day in which the server ran, or when somebody confirmed it; a step
    back takes back what it can of those before it, and counts at once. A server that did not run for a while sees that
    as a step where the machine was started meanwhile, since it cannot know.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._passed = clock.passing()
        self._began = clock.now() - self._passed
        """What the clock showed when nothing had passed yet, as far as it was looked at."""
        self._steps: list[ClockStep] = []

    def resume(self, before: ClockState) -> None:
        """Go on from what was known when the server ran last."""
        with self._lock:
            self._steps = list(before.steps)
            same = before.boot and before.boot == self._clock.boot() and before.passed <= self._passed
            self._began = before.shown - (before.passed if same else self._passed)
            self._look()

    def now(self) -> int:
        """Unix seconds, never ahead of the clock."""
        with self._lock:
            return self._look() - sum(step.ahead_s for step in self._steps)

    def state(self) -> ClockState:
        """For `resume`, when the server starts again."""
        with self._lock:
            boot = self._clock.boot()
            return ClockState(self._look(), tuple(self._steps), boot, self._passed if boot else 0.0)

    def confirm(self) -> None:
        """Trust the clock as it is."""
        with self._lock:
            self._look()
            self._steps.clear()

    def _look(self) -> int:
        """What the clock shows."""
        passed, shown = self._clock.passing(), self._clock.now()
        since, self._passed = passed - self._passed, passed
        lasted = (step._replace(lasted_s=step.lasted_s + since) for step in self._steps)
        self._steps = [step for step in lasted if step.lasted_s < LASTS_S]
        ahead = round(shown - passed - self._began)
        self._began += ahead
        if ahead > STEP_S:
            self._steps.append(ClockStep(ahead, 0.0))
        elif ahead < -_SLACK_S:
            self._take_back(-ahead)
        return shown

    def _take_back(self, behind_s: int) -> None:
        while behind_s > 0 and self._steps:
            last = self._steps.pop()
            if last.ahead_s > behind_s:
                self._steps.append(last._replace(ahead_s=last.ahead_s - behind_s))
            behind_s -= last.ahead_s


def monotonic() -> float:
    """Seconds from an arbitrary start, for budgets, waits and rates: it never jumps."""
    return time.monotonic()


def wall() -> float:
    """Seconds of the machine's clock with their parts, as files are stamped: to be compared with such stamps alone."""
    return time.time()  # noqa: TID251 - likewise
