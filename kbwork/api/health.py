"""Is it alive, is it ready, how is it doing: `/healthz`, `/readyz`, `/metrics`."""

import asyncio
import ipaddress
import logging
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
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
from kbwork.api.http.endpoint import Endpoint, Site
from kbwork.api.http.problems import wrong_method
from kbwork.api.http.request import AsgiRequest, Head
from kbwork.api.http.response import response
from kbwork.base.clock import monotonic
from kbwork.base.dataclasses import dataclass
from kbwork.base.errors import Busy, InsufficientScope, NotFound, Problem
from kbwork.core.jobs import queue
from kbwork.core.operations.call import Credentials
from kbwork.db.database import Database
from kbwork.db.tx import Read, TooSlow, Write

PATHS = ("/healthz", "/readyz", "/metrics")
_BUCKETS_S = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
_PROBE_S = 0.8  # those who ask often wait for one second only
_PROBE_KEPT_S = 1.0
_FORWARDED = ("forwarded", "x-forwarded-for", "x-real-ip")
Figures = Callable[[], Mapping[str, float]]


class Metrics:
    """What Prometheus reads. No label holds anything that a user chose."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self._requests = _Requests()
        self.observe = self._requests.observe
        ProcessCollector(registry=self.registry)
        self.registry.register(self._requests)
        self.registry.register(_Build())

    def watch(self, prefix: str, about: str, figures: Figures) -> None:
        """Show figures that are read when they are asked for, each as `<prefix>_<name>`."""
        self.registry.register(_Watched(prefix, about, figures))

    def text(self) -> bytes:
        """All of it, in the exposition format of Prometheus."""
        return generate_latest(self.registry)


class _Requests(Collector):
    """Answered requests and their times, counted on the loop alone: the package's own counters take a lock for each."""

    def __init__(self) -> None:
        self._times: dict[tuple[str, str, int], _Times] = {}

    def observe(self, door: str, cls: str, status: int, seconds: float) -> None:
        """Count one answered request: `rest`, `write`, 200, 0.0012."""
        times = self._times.get((door, cls, status))
        if times is None:
            times = self._times[door, cls, status] = _Times([0] * (len(_BUCKETS_S) + 1))
        times.buckets[bisect_left(_BUCKETS_S, seconds)] += 1
        times.seconds += seconds

    def collect(self) -> Iterator[Metric]:
        labels = ("door", "class")
        answered = CounterMetricFamily("kbwork_requests", "Answered requests.", labels=(*labels, "status"))
        together: dict[tuple[str, str], _Times] = {}
        for (door, cls, status), times in self._times.items():
            answered.add_metric((door, cls, str(status)), sum(times.buckets))
            every = together.setdefault((door, cls), _Times([0] * len(times.buckets)))
            every.buckets = [one + other for one, other in zip(every.buckets, times.buckets, strict=True)]
            every.seconds += times.seconds
        yield answered
        about = "From the head of a request to the end of its answer."
        took = HistogramMetricFamily("kbwork_request_seconds", about, labels=labels)
        names = (*(str(float(bound)) for bound in _BUCKETS_S), "+Inf")
        for place, times in together.items():
            took.add_metric(place, list(zip(names, accumulate(times.buckets), strict=True)), times.seconds)
        yield took


@dataclass(slots=True)
class _Times:
    """How many requests took how long, by bucket, and all of them together."""

    buckets: list[int]
    seconds: float = 0.0


class _Build(Collector):
    def collect(self) -> Iterator[Metric]:
        yield InfoMetricFamily("kbwork_build", "What is running.", {"version": kbwork.__version__})


class _Watched(Collector):
    def __init__(self, prefix: str, about: str, figures: Figures) -> None:
        self._prefix = prefix
        self._about = about
        self._figures = figures

    def collect(self) -> Iterator[Metric]:
        for name, value in self._figures().items():
            yield GaugeMetricFamily(
                f"{self._prefix}_{name}", f"{self._about}: {name.replace('_', ' ')}.", value
            )


class Health(Endpoint):
    """An ASGI endpoint for the three paths."""

    log = logging.getLogger("kbwork.health")

    def __init__(self, site: Site, metrics: Metrics) -> None:
        super().__init__(site)
        self._metrics = metrics
        database = site.dispatcher.database
        self._probe = _Probe(database)
        self._jobs: Mapping[str, float] = {}
        metrics.watch("kbwork_db", "The data file", lambda: database.figures)
        metrics.watch("kbwork_jobs", "Jobs", lambda: self._jobs)

    async def answer(self, request: AsgiRequest) -> int:
        body, kind = await self._answer(request.scope["path"], request.head)
        await request.answer(response(200, body, {"Cache-Control": "no-store"}, content_type=kind))
        return 200

    async def _answer(self, path: str, head: Head) -> tuple[bytes, str]:
        """The body and its content type."""
        if path not in PATHS:
            raise NotFound(f"There is no {path}; there are {', '.join(PATHS)}.")
        if head.method not in ("GET", "HEAD"):
            raise wrong_method(f"{path} takes GET.", "GET, HEAD")
        if path == "/metrics":
            self._check_reader(head)
            with suppress(Problem, TooSlow):  # while the data cannot be read the last figures stand
                self._jobs = await self._dispatcher.database.read(queue.figures, name="metrics")
            return self._metrics.text(), CONTENT_TYPE_LATEST
        if path == "/readyz":
            await self._probe.check()
        return b'{"ok":true}', "application/json"

    def _check_reader(self, head: Head) -> None:
        """Figures are for this machine, to which what a proxy passes on does not belong, and for admins."""
        if _loopback(head.address) and not any(head.text(name) for name in _FORWARDED):
            return
        who = Credentials(token=head.bearer, address=head.address, request=head.request)
        caller = self._dispatcher.identify(who)
        if "admin" not in caller.scopes:
            raise InsufficientScope("This needs the scope admin.", scopes=["admin"])


class _Probe:
    """A small read and an empty write, at most once a second however many ask."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._asking = asyncio.Lock()
        self._asked = float("-inf")
        self._refusal: str | None = None

    async def check(self) -> None:
        """Raises Busy while reads or writes are refused."""
        async with self._asking:
            if monotonic() - self._asked > _PROBE_KEPT_S:
                self._refusal = await self._try()
                self._asked = monotonic()
        if self._refusal is not None:
            raise Busy(self._refusal)

    async def _try(self) -> str | None:
        try:
            async with asyncio.timeout(_PROBE_S):
                await self._database.read(_look, name="readyz")
                await self._database.write(_nothing)
        except TimeoutError:
            return f"The data file did not answer in {_PROBE_S} s."
        except TooSlow:
            return "The data file reads too slowly."
        except Problem as problem:
            return problem.detail
        return None


def _look(tx: Read) -> int:
    """As little as can be read."""
    found: int = tx.value("select 1")
    return found


def _nothing(_: Write) -> None:
    """Goes through the writer's queue and commits nothing."""


def _loopback(address: str | None) -> bool:
    try:
        return ipaddress.ip_address(address or "").is_loopback
    except ValueError:
        return False
