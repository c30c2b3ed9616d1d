"""The only file that knows every room: settings to a running application."""

import asyncio
import dataclasses
import json
import logging
import os
from collections.abc import Callable, Iterable
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from starlette.types import Receive, Scope, Send

from kbwork.api.flags.endpoint import DOCUMENT as FLAGS_DOCUMENT
from kbwork.api.flags.endpoint import FlagRest
from kbwork.api.health import PATHS as HEALTH_PATHS
from kbwork.api.health import Health
from kbwork.api.http.body import Bodies
from kbwork.api.http.endpoint import Rim
from kbwork.api.http.exchange import Straight
from kbwork.api.http.hosts import own_hosts
from kbwork.api.http.proxies import TrustedProxies
from kbwork.api.http.site import Site
from kbwork.api.inbound.endpoint import InboundDoor
from kbwork.api.mcp.endpoint import McpDoor
from kbwork.api.metrics import Metrics
from kbwork.api.oauth.endpoint import PATHS as OAUTH_PATHS
from kbwork.api.oauth.endpoint import OAuthDoor
from kbwork.api.oauth.issuer import Issuer
from kbwork.api.pages.endpoint import Web
from kbwork.api.platform import Platform
from kbwork.api.rest import PREFIX, Rest
from kbwork.api.sdk.endpoint import SdkEndpoint
from kbwork.api.sdk.gate import SdkGate
from kbwork.api.sdk.ofrep import EVALUATION, Ofrep
from kbwork.api.sdk.sdk_v1 import Sdk
from kbwork.api.sdk.snapshot_cache import SnapshotCache
from kbwork.api.stream import EventStreamEndpoint
from kbwork.api.uploads.endpoint import Uploads
from kbwork.base.clock import Clock, SystemClock
from kbwork.base.errors import Conflict
from kbwork.core import clock_state
from kbwork.core.access import identify
from kbwork.core.mail.server import MailServer
from kbwork.core.operations.call import AuthorizedCall, Credentials
from kbwork.core.operations.dispatch import Dispatcher
from kbwork.core.operations.limits import Limits
from kbwork.core.operations.registry import Registry, collect
from kbwork.core.own_address import OwnAddress, note
from kbwork.core.ports.mail import Letter
from kbwork.core.ports.uploads import UploadPoint
from kbwork.db.database import Database
from kbwork.db.folder import Bucket, Folder, PlaceSettings
from kbwork.modules import MODULES
from kbwork.settings import ExportSettings, MailSettings, Settings
from kbwork.worker import mail_trial
from kbwork.worker.mail import MailSender
from kbwork.worker.mail_lines import WorkerMailLines
from kbwork.worker.outbound import Outbound
from kbwork.worker.worker import Worker

if TYPE_CHECKING:
    from kbwork.cells.idle import IdleStop
    from kbwork.outbox.keeper import Outbox
    from kbwork.replica.keeper import Replica

log = logging.getLogger("kbwork")
_MB = 1024 * 1024


@cache
def registry() -> Registry:
    """The operations of this version, read off the modules once."""
    return collect(MODULES)


@cache
def _targets() -> dict[bytes, str]:
    """Target -> the operation that is called there."""
    return {(PREFIX + op).encode(): op for op in registry().operations}


def open_data(folder: Path, clock: Clock | None = None, *, held: Folder | None = None) -> Database:
    """The folder's data file, open for service; `held` is the folder where the caller holds its lock already.

    Raises Unusable with one line for the operator.
    """
    database = Database(folder, clock or SystemClock(), held=held)
    found = registry()
    database.know(found, found.access_tables, found.tracked, found.documented, found.deferred)
    database.read_now(clock_state.resume)
    return database


class App:
    """One ASGI application over one data file: the doors, the dispatcher and the worker."""

    idle: "IdleStop | None" = None
    """What ends a server that nobody asks, where there is one."""

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
        self.dispatcher.lines = WorkerMailLines(settings.outbound.allow)
        laid = settings.backup.directory
        buckets = {name: Bucket(**found) for name, found in settings.buckets.items()}
        database.set_backup_places(Path(laid).absolute() if laid else None, settings.places, buckets)
        database.set_export_place(_export_place(settings.export))
        self.metrics = Metrics()
        self.replica = _replica(settings, database, self.metrics, self.dispatcher.clock)
        self.outbox = _outbox(settings, database, self.metrics)
        server = settings.server
        origin, fixed = server.base_url.rstrip("/") or address, bool(server.base_url)
        note(database, OwnAddress(origin, fixed))
        proxies = TrustedProxies(server.trusted_proxies)
        bodies = Bodies(server.max_body_mb * _MB)
        self.metrics.watch("kbwork_bodies", "Bodies of requests on their way", lambda: bodies.figures)
        site = Site(self.dispatcher, server.base_url, self.metrics.observe, bodies, proxies)
        self.stream = EventStreamEndpoint(site, settings.streams)
        self.delivery = SnapshotCache(self.dispatcher)
        self.metrics.watch("kbwork_flag_streams", "Streams of flags", lambda: self.delivery.figures)
        self.metrics.watch("kbwork_streams", "Event streams", lambda: self.stream.figures)
        self._hosts = own_hosts(address, server.host, server.hosts)
        self._mcp = McpDoor(dataclasses.replace(site, base_url=address), fixed=fixed)
        self._web = Web(site)
        uploads = Uploads(site, max_bytes=server.max_upload_mb * _MB, piece_s=server.body_seconds)
        flags = FlagRest(site)
        self._gate = SdkGate(self.delivery.keys, Limits(settings.sdk_rates))
        sdk = Sdk(self.delivery, self._gate, settings.streams, self.dispatcher.clock)
        self._rest = rest = Rest(site)
        self._ofrep = SdkEndpoint(site, Ofrep(self.delivery, self._gate))
        self._straight: dict[bytes, Straight] = {b"/mcp": self._mcp.call}
        """Target -> who answers it, as far as it was asked for."""
        self._at: dict[str, Rim] = {
            "/api/v1/stream": self.stream,
            "/api/v1/openapi.json": self._web,
            "/api/v1/me": flags,
            FLAGS_DOCUMENT: flags,
            "/mcp": self._mcp,
            **dict.fromkeys(OAUTH_PATHS, OAuthDoor(site, home=Issuer(origin, fixed=fixed))),
            **dict.fromkeys(uploads.paths, uploads),
            **dict.fromkeys(HEALTH_PATHS, self._health(site)),
        }
        """Path -> the door that it is of."""
        self._below: tuple[tuple[str, Rim], ...] = (
            ("/api/v1/orgs/", flags),
            ("/api/v1/", rest),
            ("/ofrep/", self._ofrep),
            ("/sdk/v1/", SdkEndpoint(site, sdk)),
            ("/api/orgs/", Platform(site)),
            ("/in/", InboundDoor(site)),
            *((beginning, uploads) for beginning in uploads.below),
        )
        """Beginning -> the door of the other paths below it, longer and busier ones first; all else are pages."""
        self._worker = Worker(self.dispatcher)
        self._mail = MailSender(
            database, _mail_server(settings.mail), origin=origin, allowed=settings.outbound.allow
        )

    def straight(self, target: bytes) -> Straight | None:
        """Who answers calls to a target past ASGI; None where the application itself is to be asked."""
        found = self._straight.get(target)
        if found is None and target in _targets():
            found = self._straight[target] = partial(self._rest.call, _targets()[target])
        elif found is None and EVALUATION.fullmatch(target):
            return partial(self._ofrep.call, target.decode())
        return found

    def _health(self, site: Site) -> Health:
        replica = self.replica
        return Health(site, self.metrics, None if replica is None else lambda: replica.age_s)

    def goes_by(self, host: str) -> bool:
        """Whether a name, in lower case and without a port, is one of this server's."""
        return host in self._hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._lifespan(receive, send)
            return
        if scope["type"] != "http":
            return
        self.database.begin()
        await self._door(scope["path"])(scope, receive, send)

    def _door(self, path: str) -> Rim:
        door = self._at.get(path)
        if door is not None:
            return door
        for beginning, door in self._below:
            if path.startswith(beginning):
                return door
        return self._web

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
        """Attach to the running loop and start the worker."""
        self.database.attach(asyncio.get_running_loop())
        self._worker.start()
        self._mail.start()
        self.delivery.start()
        for beside in self._beside:
            beside.start()
        await self._mcp.start()

    def end_streams(self) -> None:
        """End every open stream at once."""
        self.stream.end_all()
        self.delivery.end_streams()

    async def stop(self) -> None:
        """End streams and the worker; the data file is closed by whoever opened it."""
        self.end_streams()
        await self.delivery.stop()
        await self._worker.stop()
        await self._mail.stop()
        await self._mcp.stop()
        for beside in reversed(self._beside):
            await beside.stop()

    @property
    def _beside(self) -> "list[Replica | Outbox | IdleStop]":
        """What carries the data elsewhere; the replica ends last, behind all that is written."""
        return [one for one in (self.replica, self.outbox, self.idle) if one is not None]

    def stop_when_idle(
        self, *, asked: Callable[[], int], answering: Callable[[], bool], end: Callable[[], None]
    ) -> None:
        """Before `start`: call `end` once nobody asked for so long as the settings say, and nothing is due."""
        minutes = self.settings.server.idle_stop_minutes
        if not minutes:
            return
        from kbwork.cells.idle import IdleStop, ServedTraffic  # noqa: PLC0415 - few servers stop by themselves

        traffic = ServedTraffic(asked, answering, self._waits)
        self.idle = IdleStop(self.database, registry(), traffic, minutes=minutes, end=end)

    def _waits(self) -> bool:
        """Whether something that was written is not elsewhere yet."""
        return (self.outbox is not None and self.outbox.waits) or (
            self.replica is not None and self.replica.age_s > 0
        )


def _replica(settings: Settings, database: Database, metrics: Metrics, clock: Clock) -> "Replica | None":
    """What copies the data elsewhere, where the settings name a place."""
    if not settings.replicate.to:
        return None
    from kbwork.replica.keeper import Replica  # noqa: PLC0415 - few servers have one

    found = Replica(settings.replicate, database, os.environ, clock)
    metrics.watch("kbwork_replica", "The replica", lambda: found.figures)
    return found


def _export_place(at: ExportSettings) -> PlaceSettings | None:
    """Where events go by the day, where the settings name a place."""
    if not at.to:
        return None
    return PlaceSettings(
        *("export", "events", "s3", at.to, at.endpoint, at.region), at.path_style, at.keys, at.seconds
    )


def _outbox(settings: Settings, database: Database, metrics: Metrics) -> "Outbox | None":
    """What sends events elsewhere, where the settings name a server."""
    if not settings.outbox.servers:
        return None
    from kbwork.outbox.keeper import Outbox  # noqa: PLC0415 - few servers have one

    found = Outbox(settings.outbox, database)
    metrics.watch("kbwork_outbox", "The outbox of events", lambda: found.figures)
    return found


def _mail_server(mail: MailSettings) -> MailServer | None:
    """The mail server of the settings, or the folder in its place, if they name one."""
    if not (mail.host or mail.folder):
        return None
    return MailServer(
        mail.host, mail.port, mail.security, mail.user, mail.password_file, mail.sender, mail.folder
    )


def send_now(mail: MailSettings, to: str, letter: Letter) -> str:
    """Hand one letter to the mail server of the settings; answers what it said. Blocks.

    Raises Conflict where they name none, and UpstreamFailed where it does not take the letter.
    """
    server = _mail_server(mail)
    if server is None:
        raise Conflict(
            "The settings name no mail server: set mail.host and mail.from in kbwork.toml, or KBWORK_MAIL_HOST and"
            " KBWORK_MAIL_FROM."
        )
    return mail_trial.send(server, to, letter, SystemClock().now())


class LocalApp:
    """A data folder at work without a door: calls of its owner, and the jobs that they start."""

    def __init__(
        self, database: Database, clock: Clock | None = None, *, allowed: Iterable[str] = ()
    ) -> None:
        """`allowed` are the private addresses, as `host:port`, that requests may go to. Raises Conflict where the
        folder has no owner."""
        owner = database.read_now(lambda tx: tx.value(_OWNER))
        caller = database.read_now(lambda tx: identify.of_member(tx, owner)) if owner else None
        if caller is None:
            raise Conflict("This folder has no org yet: make one with `kbwork init`.")
        self.caller = caller
        self.database = database
        self._dispatcher = Dispatcher(
            registry(),
            database,
            Limits(dataclasses.replace(Settings().rates, enabled=False)),
            clock or SystemClock(),
            Outbound(allowed).fetch,
        )
        self._dispatcher.lines = WorkerMailLines(allowed)
        self._worker = Worker(self._dispatcher)

    async def start(self) -> None:
        """Begin on the running loop."""
        self.database.attach(asyncio.get_running_loop())
        self._worker.start()

    async def stop(self) -> None:
        await self._worker.stop()

    async def call(self, op_id: str, fields: dict[str, Any]) -> Any:
        """Run an operation. Raises a Problem."""
        op = self._dispatcher.registry.require(op_id)
        call = AuthorizedCall(op, self.caller, Credentials(), self.database.access, "command")
        reply = await self._dispatcher.run(call, json.dumps(fields).encode())
        return json.loads(reply.body)

    def intake(self, op_id: str) -> UploadPoint:
        """Where the files for an operation come in."""
        return next(
            one
            for one in self._dispatcher.registry.of(UploadPoint)
            if op_id in [right.op for right in one.rights]
        )


_OWNER = "select id from member where role = 'owner' and state = 'active' order by created_at"
