"""Is it alive, is it ready, how is it doing: `/healthz`, `/readyz`, `/metrics`."""

import asyncio
import ipaddress
import json
import logging
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial

from kbwork.api.http.endpoint import Endpoint
from kbwork.api.http.problems import wrong_method
from kbwork.api.http.proxies import TrustedProxies
from kbwork.api.http.request import AsgiRequest, Head
from kbwork.api.http.response import response
from kbwork.api.http.site import Site
from kbwork.api.metrics import Metrics
from kbwork.base.clock import monotonic
from kbwork.base.errors import Busy, InsufficientScope, NotFound, Problem
from kbwork.core.figures import DataFigures
from kbwork.core.jobs import queue
from kbwork.core.operations.call import Credentials
from kbwork.db.database import Database
from kbwork.db.tx import Read, TooSlow, Write

PATHS = ("/healthz", "/readyz", "/metrics")
_PROBE_S = 0.8  # those who ask often wait for one second only
_PROBE_KEPT_S = 1.0
_FORWARDED = ("forwarded", "x-forwarded-for", "x-real-ip")


class Health(Endpoint):
    """An ASGI endpoint for the three paths."""

    log = logging.getLogger("kbwork.health")

    def __init__(self, site: Site, metrics: Metrics, replica_age: Callable[[], float] | None = None) -> None:
        """`replica_age` says by how many seconds the replica is behind, where there is one."""
        super().__init__(site)
        self._replica_age = replica_age
        self._metrics = metrics
        database = site.dispatcher.database
        self._probe = _Probe(database)
        self._read: dict[str, Mapping[str, float]] = {}
        """What was read of the data last, by the beginning of the names."""
        metrics.watch("kbwork_db", "The data file", lambda: database.figures)
        metrics.watch("kbwork_jobs", "Jobs", partial(self._last, "kbwork_jobs"))
        self._declared = site.dispatcher.registry.of(DataFigures)
        for one in self._declared:
            metrics.watch(one.prefix, one.about, partial(self._last, one.prefix))

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
                self._read = await self._dispatcher.database.read(self._figures, name="metrics")
            from kbwork.api import prometheus  # noqa: PLC0415 - its package takes 12 ms, and few servers are watched

            return prometheus.text(self._metrics), prometheus.CONTENT_TYPE
        if path == "/readyz":
            await self._probe.check()
            if self._replica_age is not None:
                age = round(self._replica_age(), 1)
                return json.dumps({"ok": True, "replica_age_seconds": age}).encode(), "application/json"
        return b'{"ok":true}', "application/json"

    def _last(self, prefix: str) -> Mapping[str, float]:
        return self._read.get(prefix, {})

    def _figures(self, tx: Read) -> dict[str, Mapping[str, float]]:
        found: dict[str, Mapping[str, float]] = {"kbwork_jobs": queue.figures(tx)}
        return found | {one.prefix: one.read(tx) for one in self._declared}

    def _check_reader(self, head: Head) -> None:
        """Figures are for admins, and for this machine where no proxy asks for others from it."""
        if is_of_this_machine(head, self._site.proxies):
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


def is_of_this_machine(head: Head, proxies: TrustedProxies) -> bool:
    """Whether somebody asks here who is here, not by a proxy."""
    return not proxies and _loopback(head.address) and not any(head.text(name) for name in _FORWARDED)


def _loopback(address: str | None) -> bool:
    try:
        return ipaddress.ip_address(address or "").is_loopback
    except ValueError:
        return False
