"""Rate limits: a token bucket per key or session, and per address where nobody is signed in."""

import math
from typing import Literal

from kbwork.base.clock import monotonic
from kbwork.base.dataclasses import dataclass
from kbwork.base.errors import RateLimited

_MANY = 50_000


@dataclass(frozen=True, slots=True)
class Rate:
    """So many calls a second in the long run, so many at once."""

    per_second: float
    burst: int


@dataclass(frozen=True, slots=True)
class Rates:
    """The rates of `kbwork.toml`, `[limits]`."""

    enabled: bool = True
    read: Rate = Rate(200, 2000)
    write: Rate = Rate(100, 1000)
    public: Rate = Rate(5, 50)


class Limits:
    """Counts in memory: a restart starts full."""

    def __init__(self, rates: Rates) -> None:
        self._rates = rates
        self._buckets: dict[tuple[str, str], tuple[float, float]] = {}

    def take(self, who: str, what: Literal["read", "write", "public"]) -> dict[str, str]:
        """Take one; answers the `RateLimit-*` headers. Raises RateLimited with `Retry-After`."""
        if not self._rates.enabled:
            return {}
        rate: Rate = getattr(self._rates, what)
        now = monotonic()
        left, at = self._buckets.get((who, what), (float(rate.burst), now))
        left = min(rate.burst, left + (now - at) * rate.per_second)
        if left < 1:
            wait_s = math.ceil((1 - left) / rate.per_second)
            problem = RateLimited(f"Slow down: try again in {wait_s} s", retry_after_s=wait_s)
            problem.headers |= self._headers(rate, 0)
            raise problem
        if len(self._buckets) >= _MANY and (who, what) not in self._buckets:
            self._forget(now)
        self._buckets[who, what] = (left - 1, now)
        return self._headers(rate, int(left - 1))

    def give_back(self, who: str, what: Literal["read", "write", "public"]) -> None:
        """A replay under an Idempotency-Key does not count."""
        if (bucket := self._buckets.get((who, what))) is not None:
            self._buckets[who, what] = (bucket[0] + 1, bucket[1])

    def _headers(self, rate: Rate, left: int) -> dict[str, str]:
        full_in_s = math.ceil((rate.burst - left) / rate.per_second)
        return {
            "RateLimit-Limit": str(rate.burst),
            "RateLimit-Remaining": str(left),
            "RateLimit-Reset": str(full_in_s),
        }

    def _forget(self, now: float) -> None:
        """Drop the buckets that have filled up since: they are as good as new."""
        for key, (left, at) in list(self._buckets.items()):
            rate: Rate = getattr(self._rates, key[1])
            if left + (now - at) * rate.per_second >= rate.burst:
                del self._buckets[key]
        if len(self._buckets) >= _MANY:
            self._buckets.clear()
