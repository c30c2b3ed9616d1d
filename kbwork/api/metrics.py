"""What is counted of this server. How Prometheus reads it stands in `prometheus.py`, which few servers need."""

from bisect import bisect_left
from collections.abc import Callable, Mapping

from kbwork.base.dataclasses import dataclass

BUCKETS_S = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
Figures = Callable[[], Mapping[str, float]]


@dataclass(slots=True)
class Times:
    """How many requests took how long, by bucket, and all of them together."""

    buckets: list[int]
    seconds: float = 0.0


class Metrics:
    """Answered requests and their times, counted on the loop alone, and figures that are read when they are asked for.

    No label holds anything that a user chose.
    """

    def __init__(self) -> None:
        self.times: dict[tuple[str, str, int], Times] = {}
        """By door, class and status."""
        self.watched: list[tuple[str, str, Figures]] = []
        """(beginning of the names, what it is about, figures)."""

    def observe(self, door: str, cls: str, status: int, seconds: float) -> None:
        """Count one answered request: `rest`, `write`, 200, 0.0012."""
        times = self.times.get((door, cls, status))
        if times is None:
            times = self.times[door, cls, status] = Times([0] * (len(BUCKETS_S) + 1))
        times.buckets[bisect_left(BUCKETS_S, seconds)] += 1
        times.seconds += seconds

    def watch(self, prefix: str, about: str, figures: Figures) -> None:
        """Show figures, each as `<prefix>_<name>`."""
        self.watched.append((prefix, about, figures))
