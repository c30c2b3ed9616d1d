"""One ASGI application over followed snapshots: the doors of flag clients, the very ones that a server has."""

from functools import partial
from typing import Final

from starlette.types import Receive, Scope, Send

from kbwork.api.http.body import Bodies
from kbwork.api.http.endpoint import Rim
from kbwork.api.http.exchange import Straight
from kbwork.api.http.hosts import own_hosts
from kbwork.api.http.proxies import TrustedProxies
from kbwork.api.http.response import Observe
from kbwork.api.metrics import Metrics
from kbwork.api.sdk.endpoint import SdkEndpoint
from kbwork.api.sdk.gate import SdkGate
from kbwork.api.sdk.ofrep import EVALUATION, Ofrep
from kbwork.api.sdk.sdk_v1 import Sdk
from kbwork.base.clock import Clock, SystemClock
from kbwork.base.dataclasses import dataclass
from kbwork.core.operations.limits import Limits
from kbwork.edge.delivery import EdgeDelivery, EdgeOptions
from kbwork.edge.health import EdgeHealth
from kbwork.settings import Settings

_MB: Final = 1024 * 1024


@dataclass(frozen=True, slots=True)
class EdgeFrame:
    """What the doors of an edge share."""

    base_url: str
    observe: Observe
    bodies: Bodies
    proxies: TrustedProxies

    def begin(self) -> None:
        """Nothing takes the place of the data here."""


class EdgeApp:
    """The doors, and what stands behind them."""

    def __init__(
        self, settings: Settings, options: EdgeOptions, *, address: str, clock: Clock | None = None
    ) -> None:
        """`address` is how others reach it. Raises OSError where the folder of its state cannot be used."""
        known, server = clock or SystemClock(), settings.server
        metrics = Metrics()
        bodies = Bodies(server.max_body_mb * _MB)
        metrics.watch("kbwork_bodies", "Bodies of requests on their way", lambda: bodies.figures)
        frame = EdgeFrame(server.base_url, metrics.observe, bodies, TrustedProxies(server.trusted_proxies))
        self.delivery = EdgeDelivery(options, known)
        gate = SdkGate(self.delivery.keys, Limits(settings.sdk_rates))
        self._ofrep = SdkEndpoint(frame, Ofrep(self.delivery, gate))
        self._sdk = SdkEndpoint(frame, Sdk(self.delivery, gate, settings.streams, known))
        self._health = EdgeHealth(frame, metrics, self.delivery)
        self._hosts = own_hosts(address, server.host, server.hosts)

    def straight(self, target: bytes) -> Straight | None:
        """Who answers calls to a target past ASGI; None where the application itself is to be asked."""
        return partial(self._ofrep.call, target.decode()) if EVALUATION.fullmatch(target) else None

    def goes_by(self, host: str) -> bool:
        """Whether a name, in lower case and without a port, is one of this edge's."""
        return host in self._hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._lifespan(receive, send)
        elif scope["type"] == "http":
            await self._door(scope["path"])(scope, receive, send)

    def _door(self, path: str) -> Rim:
        if path.startswith("/ofrep/"):
            return self._ofrep
        return self._sdk if path.startswith("/sdk/v1/") else self._health

    async def _lifespan(self, receive: Receive, send: Send) -> None:
        while True:
            message = await receive()
            if message["type"] == "lifespan.startup":
                await self.delivery.start()
                await send({"type": "lifespan.startup.complete"})
            elif message["type"] == "lifespan.shutdown":
                await self.delivery.stop()
                await send({"type": "lifespan.shutdown.complete"})
                return

    def end_streams(self) -> None:
        """End every open stream at once."""
        self.delivery.end_streams()
