"""The only file that knows every room: settings to a running application."""

import asyncio
import logging
import threading
from functools import cache
from pathlib import Path
from typing import Any

from starlette.types import Receive, Scope, Send

from kbwork.api.errors import not_found
from kbwork.api.health import Health, Metrics
from kbwork.api.mcp import McpDoor, own_hosts
from kbwork.api.rest import Rest
from kbwork.api.stream import Stream
from kbwork.api.web import Web
from kbwork.base.clock import Clock, SystemClock
from kbwork.core.dispatch import Dispatcher
from kbwork.core.limits import Limits
from kbwork.core.registry import Registry, collect
from kbwork.db.database import Database
from kbwork.modules import MODULES
from kbwork.settings import Settings
from kbwork.worker.outbound import Outbound
from kbwork.worker.run import Worker

log = logging.getLogger("kbwork")


@cache
def registry() -> Registry:
    """The operations of this version, read off the modules once."""
    return collect(MODULES)


def open_data(folder: Path, clock: Clock | None = None) -> Database:
    """The folder's data file, open for service. Raises Unusable with one line for the operator."""
    database = Database(folder, clock or SystemClock())
    found = registry()
    database.know(found, found.access_tables, found.tracked)
    return database


class App:
    """One ASGI application over one data file: the doors, the dispatcher and the worker."""

    def __init__(
        self, settings: Settings, database: Database, *, address: str, clock: Clock | None = None
    ) -> None:
        """`address` is how others reach this server: scheme, host and port, without a slash at the end."""
        self.settings = settings
        self.database = database
        self.dispatcher = Dispatcher(
            registry(),
            database,
            Limits(settings.rates),
            clock or SystemClock(),
            Outbound(settings.outbound.allow).fetch,
        )
        laid = settings.backup.directory
        database.lay_backups(Path(laid).absolute() if laid else None, settings.places)
        self.metrics = Metrics()
        base_url = settings.server.base_url
        self.stream = Stream(self.dispatcher, settings.streams, base_url=base_url)
        self._rest = Rest(
            self.dispatcher,
            base_url=base_url,
            max_body_bytes=settings.server.max_body_mb * 1024 * 1024,
            observe=self.metrics.observe,
        )
        self._mcp = McpDoor(
            self.dispatcher,
            base_url=address,
            hosts=own_hosts(address, settings.server.host),
            observe=self.metrics.observe,
        )
        self._health = Health(self.dispatcher, self.metrics, base_url=base_url)
        self._web = Web(self.dispatcher, settings, self.metrics.observe)
        self._worker = Worker(self.dispatcher)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._lifespan(receive, send)
            return
        if scope["type"] != "http":
            return
        path: str = scope["path"]
        if path.startswith("/api/v1/"):
            await self._api(path)(scope, receive, send)
        elif path == "/mcp":
            await self._mcp(scope, receive, send)
        elif path in ("/healthz", "/readyz", "/metrics"):
            await self._health(scope, receive, send)
        else:
            await self._web(scope, receive, send)

    def _api(self, path: str) -> Any:
        if path == "/api/v1/stream":
            return self.stream
        if path == "/api/v1/openapi.json":
            return self._web
        if "." in path:
            return self._rest
        return not_found

    async def _lifespan(self, receive: Receive, send: Send) -> None:
        while True:
            message = await receive()
            if message["type"] == "lifespan.startup":
                await self.start()
                await send({"type": "lifespan.startup.complete"})
            elif message["type"] == "lifespan.shutdown":
                await self.stop()
                await send({"type": "lifespan.shutdown.complete"})
                return

    async def start(self) -> None:
        """Attach to the running loop, start the worker, and warm the slow imports up behind the open port."""
        self.database.attach(asyncio.get_running_loop())
        self._worker.start()
        await self._mcp.start()
        threading.Thread(target=self._mcp.warm, name="kbwork-warm", daemon=True).start()

    async def stop(self) -> None:
        """End streams and the worker; the data file is closed by whoever opened it."""
        self.stream.end_all()
        await self._worker.stop()
        await self._mcp.stop()
