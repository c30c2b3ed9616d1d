"""Metrics in the exposition format of Prometheus. Importing this imports its package."""

from collections.abc import Iterator
from itertools import accumulate

from prometheus_client import CollectorRegistry, ProcessCollector, generate_latest
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    InfoMetricFamily,
    Metric,
)
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from prometheus_client.registry import Collector

import kbwork
from kbwork.api.metrics import BUCKETS_S, Metrics, Times

CONTENT_TYPE = CONTENT_TYPE_LATEST


def text(metrics: Metrics) -> bytes:
    """All of it."""
    registry = CollectorRegistry()
    ProcessCollector(registry=registry)
    registry.register(_Told(metrics))
    return generate_latest(registry)


class _Told(Collector):
    """The package's own counters take a lock for each request."""

    def __init__(self, metrics: Metrics) -> None:
        self._metrics = metrics

    def collect(self) -> Iterator[Metric]:
        yield from self._requests()
        yield InfoMetricFamily("kbwork_build", "What is running.", {"version": kbwork.__version__})
        for prefix, about, figures in self._metrics.watched:
            for name, value in figures().items():
                yield GaugeMetricFamily(f"{prefix}_{name}", f"{about}: {name.replace('_', ' ')}.", value)

    def _requests(self) -> Iterator[Metric]:
        labels = ("door", "class")
        answered = CounterMetricFamily("kbwork_requests", "Answered requests.", labels=(*labels, "status"))
        together: dict[tuple[str, str], Times] = {}
        for (door, cls, status), times in self._metrics.times.items():
            answered.add_metric((door, cls, str(status)), sum(times.buckets))
            every = together.setdefault((door, cls), Times([0] * len(times.buckets)))
            every.buckets = [one + other for one, other in zip(every.buckets, times.buckets, strict=True)]
            every.seconds += times.seconds
        yield answered
        about = "From the head of a request to the end of its answer."
        took = HistogramMetricFamily("kbwork_request_seconds", about, labels=labels)
        names = (*(str(float(bound)) for bound in BUCKETS_S), "+Inf")
        for place, times in together.items():
            took.add_metric(place, list(zip(names, accumulate(times.buckets), strict=True)), times.seconds)
        yield took
