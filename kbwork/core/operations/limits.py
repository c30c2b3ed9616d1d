"""Rate limits: a token bucket per key or session, and per peer where nobody is signed in."""

import math
from collections import OrderedDict
from typing import Literal

from kbwork.base.clock import monotonic
from kbwork.base.dataclasses import dataclass
from kbwork.base.errors import RateLimited
from kbwork.base.peers import peer_of

MOST_BUCKETS = 50_000


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


def nobody_at(address: str | None) -> str:
    """Who takes where nobody is signed in."""
    return f"address:{peer_of(address or '')}"


class Limits:
    """Counts in memory: a restart starts full, and so does who came back after 50,000 others."""

    def __init__(self, rates: Rates) -> None:
        self._rates = rates
        self._buckets: OrderedDict[tuple[str, str], tuple[float, float]] = OrderedDict()
        """(who, what) -> (how many are left, since when); who asked last is at the end, refused or not."""

    def take(self, who: str, what: Literal["read", "write", "public"]) -> dict[str, str]:
        """Take one; answers the `RateLimit-*` headers. Raises RateLimited with `Retry-After`."""
        if not self._rates.enabled:
            return {}
        rate: Rate = getattr(self._rates, what)
        now = monotonic()
        left, at = self._buckets.get((who, what), (float(rate.burst), now))
        left = min(rate.burst, left + (now - at) * rate.per_second)
        self._keep((who, what), left if left < 1 else left - 1, now)
        if left < 1:
            wait_s = math.ceil((1 - left) / rate.per_second)
            problem = RateLimited(f"Slow down: try again in {wait_s} s", retry_after_s=wait_s)
            problem.headers |= self._headers(rate, 0)
            raise problem
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

    def _keep(self, bucket: tuple[str, str], left: float, now: float) -> None:
        """Write down what is left; of too many buckets the one goes that was asked for longest ago."""
        self._buckets[bucket] = (left, now)
        self._buckets.move_to_end(bucket)
        if len(self._buckets) > MOST_BUCKETS:
            self._buckets.popitem(last=False)
