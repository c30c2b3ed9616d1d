"""The one clock. Tests set it; the service reads it here and nowhere else."""

import time
from typing import Protocol


class Clock(Protocol):
    """Tells Unix seconds."""

    def now(self) -> int: ...


class SystemClock:
    """Wall time that follows the machine's clock, for stamps and for windows alike."""

    def now(self) -> int:
        return int(time.time())  # noqa: TID251 - this is the one place that reads it


class FixedClock:
    """A clock that stands still until it is moved."""

    def __init__(self, now: int) -> None:
        self._now = now

    def now(self) -> int:
        return self._now

    def advance(self, seconds: int) -> None:
        self._now += seconds


def monotonic() -> float:
    """Seconds from an arbitrary start, for budgets, waits and rates: it never jumps."""
    return time.monotonic()
