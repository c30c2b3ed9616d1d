"""The HTTP server: its process, its socket, and how it ends."""

import asyncio
import contextlib
import faulthandler
import gc
import itertools
import logging
import os
import resource
import signal
import socket
import sys
from collections.abc import Callable, Sequence
from email.utils import formatdate
from functools import partial
from types import FrameType
from typing import Any

import uvicorn
from starlette.types import ASGIApp

from kbwork.api.http.exchange import Straight
from kbwork.api.http.protocol import Bounds, ConnectionLimits, Doors, Protocol
from kbwork.api.http.proxies import TrustedProxies
from kbwork.base.clock import Clock, SystemClock, monotonic
from kbwork.settings import Settings

log = logging.getLogger("kbwork.http")

_SPARE_FILES = 256  # for the data file, its readers, backups and calls to the outside
_MOST_FILES = 1_048_576
_TICK_S = 0.1
_SWEEP_TICKS = 5
_DATE_TICKS = 10
_LAST_S = 0.5
_TURN_S = 0.0002


class CannotListen(Exception):
    """The address cannot be had; the text is for the operator."""


def bounds(settings: Settings) -> Bounds:
    """What the settings grant to a connection, as far as the limit on open files allows it."""
    at = settings.server
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return Bounds(
        header_s=at.header_seconds,
        body_s=at.body_seconds,
        unread_bytes=at.max_body_mb * 1024 * 1024,
        connections=min(at.max_connections, max(files - _SPARE_FILES, files // 2)),
        per_address=at.max_connections_per_address,
    )


def config(
    app: ASGIApp,
    settings: Settings,
    granted: Bounds | None = None,
    find: Callable[[bytes], Straight | None] = lambda _: None,
    goes_by: Callable[[str], bool] = lambda _: True,
) -> uvicorn.Config:
    """How uvicorn serves this application: our protocol, nothing from the environment, no logs of its own.

    `find` says who answers calls to a target straight, past ASGI, and `goes_by` whether a name in `Host` is ours.
    """
    proxies = TrustedProxies(settings.server.trusted_proxies)
    crowd = ConnectionLimits(granted or bounds(settings), trusts=proxies.trusts)
    protocol: Any = partial(Protocol, crowd=crowd, doors=Doors(find, goes_by))  # it is called like the class
    asgi: Any = app  # uvicorn and starlette spell the same protocol differently
    return uvicorn.Config(
        asgi,
        http=protocol,
        ws="none",
        loop="uvloop",
        lifespan="on",
        interface="asgi3",
        workers=1,
        timeout_keep_alive=5,
        server_header=False,
        proxy_headers=False,
        forwarded_allow_ips=[],
        access_log=False,
        log_config=None,
    )


class Server(uvicorn.Server):
    """Serves until a signal comes; then ends the streams, answers what was asked, and returns.

    Each of `on_serving` is called once it serves, each of `on_exit` as soon as the end is known, in the event loop. A
    second signal ends the waiting for answers. The clock is the one by which things are stamped: an answer's `Date`
    is by it, too, so that who reads both can tell how long ago something was.
    """

    def __init__(
        self,
        config: uvicorn.Config,
        *,
        drain_s: float = 5,
        on_exit: Sequence[Callable[[], None]] = (),
        on_serving: Sequence[Callable[[], None]] = (),
        clock: Clock | None = None,
    ) -> None:
        super().__init__(config)
        self.clock = clock or SystemClock()
        self.on_serving = list(on_serving)
        self.ended_by: signal.Signals | None = None
        self._drain_s = drain_s
        self.on_exit = list(on_exit)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._ending = asyncio.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        self._loop = asyncio.get_running_loop()
        await super().startup(sockets)
        for serving in self.on_serving if self.started else ():
            serving()

    async def take(self, sock: socket.socket) -> None:
        """Serve a connection that somebody else accepted for us."""

        def made() -> asyncio.Protocol:
            found: Any = self.config.http_protocol_class
            protocol: Protocol = found(self.config, self.server_state, self.lifespan.state)
            protocol.handed = True
            return protocol

        await asyncio.get_running_loop().connect_accepted_socket(made, sock)

    @property
    def asked(self) -> int:
        """How many requests were answered."""
        return self.server_state.total_requests

    @property
    def answering(self) -> bool:
        """Whether an answer is under way, such as a stream."""
        return bool(self.server_state.tasks)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Begin to end. uvicorn would raise the signal once more at the end; here `run` returns instead."""
        self.force_exit = self.ended_by is not None
        self.ended_by = signal.Signals(sig)
        self.end()

    def end(self) -> None:
        """Begin to end, be it from another thread."""
        self.should_exit = True
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._announce)

    async def main_loop(self) -> None:
        """As uvicorn's, but whoever ends it wakes it, too."""
        for counter in itertools.count():
            if await self.on_tick(counter):
                return
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._ending.wait(), _TICK_S)

    async def on_tick(self, counter: int) -> bool:
        if counter % _SWEEP_TICKS == 0:
            self._sweep()
        if counter % _DATE_TICKS == 0:
            self.tell_time()
        return self.should_exit

    def tell_time(self) -> None:
        """Write the `Date` of the answers of the next second."""
        date = formatdate(self.clock.now(), usegmt=True).encode()
        self.server_state.default_headers = [(b"date", date), *self.config.encoded_headers]

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Take no more connections, answer what was asked, cut what takes longer than the drain time."""
        self._announce()
        for server in self.servers:
            server.close()
        for sock in sockets or []:
            sock.close()
        for connection in list(self.server_state.connections):
            connection.shutdown()
        if not await self._quiet(self._drain_s, lambda: self.force_exit):
            await self._cut()
        await self.lifespan.shutdown()

    def _announce(self) -> None:
        self._ending.set()
        callbacks, self.on_exit = self.on_exit, []
        for callback in callbacks:
            callback()

    def _sweep(self) -> None:
        for connection in list(self.server_state.connections):
            if isinstance(connection, Protocol):
                connection.sweep()

    async def _quiet(self, within_s: float, hurried: Callable[[], bool] = lambda: False) -> bool:
        """Whether all connections and tasks have ended before the time is up or somebody is in a hurry."""
        until = monotonic() + within_s
        while self.server_state.connections or self.server_state.tasks:
            if monotonic() >= until or hurried():
                return False
            await asyncio.sleep(0.02)
        return True

    async def _cut(self) -> None:
        """Cut what is left; its tasks see a disconnect, and are cancelled if that does not end them."""
        log.warning(
            "cut %d connections and %d tasks that were still open at the end",
            len(self.server_state.connections),
            len(self.server_state.tasks),
        )
        for connection in list(self.server_state.connections):
            if isinstance(connection, Protocol):
                connection.abort()
        if not await self._quiet(_LAST_S):
            for task in list(self.server_state.tasks):
                task.cancel()
            await self._quiet(_LAST_S)


def bind(host: str, port: int) -> socket.socket:
    """A bound socket that does not listen yet: its port is known though 0 was asked. Raises CannotListen."""
    try:
        family, kind, number, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
    except OSError as error:
        raise CannotListen(f"{host} is no address of this machine: {error.strerror}") from None
    except ValueError:
        raise CannotListen(f"{host} is no name that an address could have; change server.host") from None
    try:
        sock = socket.socket(family, kind, number)
    except OSError as error:
        raise CannotListen(
            f"this machine has no addresses such as {host}: {error.strerror}; change server.host"
        ) from None
    try:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        sock.bind(address)
    except OSError as error:
        sock.close()
        raise CannotListen(
            f"cannot listen on {host}, port {port}: {error.strerror}; change server.host or server.port"
        ) from None
    sock.setblocking(False)
    return sock


def settle() -> None:
    """Make the process fit for thousands of streams, and for a loop and a writer that take turns.

    What is in memory at the start stays: the collector of cycles need not look at it again, whose full rounds would
    stop the loop for tenths of a second. Imports leave 0.2 MB of cycles behind, which would take 40 ms to find. The
    writer gives the interpreter back at each statement, and a busy loop would keep it for five milliseconds each time.
    """
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)
    sys.setswitchinterval(_TURN_S)


def harden() -> None:
    """Set this process up to serve.

    Its files are private, it leaves no core dumps, it may open as many files as it is let, and a crash leaves
    its trace on standard error.
    """
    os.umask(0o077)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    files = _MOST_FILES if most == resource.RLIM_INFINITY else min(most, _MOST_FILES)
    resource.setrlimit(resource.RLIMIT_NOFILE, (files, most))
    if sys.__stderr__ is not None:
        faulthandler.enable(sys.__stderr__)
