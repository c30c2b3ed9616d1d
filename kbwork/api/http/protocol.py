"""HTTP/1.1 on one connection: refuses what is not exactly right, and cuts whoever keeps the server waiting.

The parsing and the ASGI cycle are uvicorn's. What this adds: deadlines for headers and bodies, one reading of
every request (Host, lengths, targets, upgrades), bounds on all that is held for a peer, problems as answers.
"""

import asyncio
import http
import json
import logging
import re
import urllib.parse
from collections import Counter
from collections.abc import Callable
from typing import Any, NamedTuple

import httptools
from uvicorn._types import ASGI3Application
from uvicorn.config import Config
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.server import ServerState

from kbwork.api.http.exchange import ANSWER, CLOSE, Exchange, Fields, Peer, Straight, head_of
from kbwork.api.http.heads import KnownHead, KnownHeads, WholeRequest, whole
from kbwork.api.http.hosts import FOR_ANYBODY, bare, of_address
from kbwork.api.http.line import Line
from kbwork.api.http.response import Response
from kbwork.base import ids
from kbwork.base.dataclasses import dataclass
from kbwork.base.peers import peer_of

log = logging.getLogger("kbwork.http")

HEADER_BYTES = 16 * 1024
_QUEUED = 64  # requests sent ahead on one connection
_TURNS = 16  # of them are answered in one turn of the loop, in which nobody else is
_POLITE = 128  # connections over a cap that are being told so; any more are cut
_LINGER_S = 2.0
_LAST = (b"connection", b"close")
_FRAMING = (b"content-length", b"transfer-encoding")
# Which part of a request comes next from the peer.
_IDLE, _HEADER, _BODY = range(3)

_HOST = re.compile(rb"(?:\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._~%-]+)(?::\d{1,5})?")


@dataclass(frozen=True, slots=True)
class Bounds:
    """What one server grants to the peers of its connections; times in seconds."""

    header_s: float = 10
    """From connecting or the first byte of a request to the end of its header."""
    body_s: float = 30
    """From the end of a header to the end of its body."""
    stall_s: float = 15
    """How long a peer may leave an answer unread."""
    unread_bytes: int = 16 * 1024 * 1024
    """How much of a body is read and dropped once the request was answered."""
    connections: int = 12_000
    per_address: int = 1000


class ConnectionLimits:
    """The connections of one server, counted in all and by peer."""

    def __init__(self, bounds: Bounds, *, trusts: Callable[[str], bool] = lambda _: False) -> None:
        """`trusts` says of which addresses there may be as many as there are in all: they ask for others."""
        self.bounds = bounds
        self.trusts = trusts
        self._by_peer: Counter[str] = Counter()
        self.inside = 0

    def enter(self, address: str) -> str | None:
        """Count one more, or say why there is no room."""
        if self.inside >= self.bounds.connections:
            return "All connections are taken; try again in a moment"
        peer = peer_of(address)
        if self._by_peer[peer] >= self.bounds.per_address and not self.trusts(address):
            return "Too many connections from this address; close some or use them again"
        self._by_peer[peer] += 1
        self.inside += 1
        return None

    def leave(self, address: str) -> None:
        peer = peer_of(address)
        self.inside -= 1
        self._by_peer[peer] -= 1
        if not self._by_peer[peer]:
            del self._by_peer[peer]


class RequestRefused(Exception):
    """A request that ends its connection, with the answer that says so."""

    def __init__(self, status: int, detail: str) -> None:
        super().__init__(detail)
        self.status = status

    def answer(self, request: str, headers: list[tuple[bytes, bytes]]) -> bytes:
        """The whole answer as bytes; `headers` are those of every answer."""
        title = http.HTTPStatus(self.status).phrase
        document = {"type": "about:blank", "title": title, "status": self.status, "detail": str(self)}
        body = json.dumps({**document, "request_id": request}).encode()
        lines = [
            f"HTTP/1.1 {self.status} {title}".encode(),
            *(name + b": " + value for name, value in headers),
        ]
        lines += [
            b"content-type: application/problem+json",
            b"content-length: %d" % len(body),
            b"connection: close",
        ]
        if self.status == 503:
            lines.append(b"retry-after: 5")
        return b"\r\n".join(lines) + b"\r\n\r\n" + body


class Doors(NamedTuple):
    """What a connection asks of the application before it is asked itself."""

    find: Callable[[bytes], Straight | None]
    """Who answers calls to a target straight, past ASGI; None where nobody does."""
    goes_by: Callable[[str], bool]
    """Whether a name in `Host`, in lower case and without a port, is ours."""


class _Call(NamedTuple):
    """A request to somebody who answers it straight, as far as it is there."""

    straight: Straight
    fields: Fields
    parts: list[bytes]


class Protocol(HttpToolsProtocol):
    """One connection.

    `scope["extensions"]["kbwork.body_time"]["allow"]` is for an application whose bodies take longer than the
    usual time: it takes the seconds from now in which the body that is coming in may arrive.
    """

    handed = False
    """Somebody else accepted it, and chose this server by the Host of its first request."""

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
        *,
        crowd: ConnectionLimits,
        doors: Doors,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._crowd = crowd
        self._bounds = crowd.bounds
        self._counted: str | None = None
        self._wire: asyncio.Transport
        self._line: Line
        self._extensions = {"kbwork.body_time": {"allow": self.allow_body}}
        self._running: RequestResponseCycle | None = None
        self._doors = doors
        self._asks = Peer(None)
        self._turns = 0
        """So many calls more of what is being read are answered in this turn of the loop."""
        self._rests_since: float | None = None
        """When a call was answered straight, and nothing has come since."""
        self._call: _Call | None = None
        """Its head is there, and perhaps the rest in what is being read: then it goes straight to who answers it."""
        self._heads = KnownHeads()
        self._whole: WholeRequest | None = None
        """What is being parsed, if it is one request."""
        self._held: Exchange | None = None
        """A request for the application, of which the rest may be in what is being read."""
        self._last_words: bytes | None = None
        self._deaf = False
        """What comes in is dropped: the connection ends when what was asked before is answered."""
        self._stage = _IDLE
        self._due: asyncio.TimerHandle | None = None
        self.url = b""
        self._host: bytes | None = None
        """The last that was found to be ours."""
        self._dropped_bytes = 0
        self._delivered = False
        """Whether the parser came to the end of a header, a piece of a body or the end of a message."""
        self._held_bytes = 0
        """Taken in by the last piece that delivered something, and since: a header may have begun in it."""
        self._at_most = 0
        """So many bytes a header that ends in this piece has at most."""
        self._quiet_bytes = 0
        """Taken in since then: header, trailer or chunk extension, held for what is still to come."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as in the base class
        self._wire = transport
        self._line = Line(transport, self.loop, self.hang_up)
        super().connection_made(self._line)
        address = self.client[0] if self.client else ""
        self._asks.address = address or None
        full = self._crowd.enter(address)
        if full is None:
            self._counted = address
            self._watch()
        elif len(self.connections) - self._crowd.inside > _POLITE:
            self.abort()
        else:
            self._refuse(RequestRefused(503, full))

    def connection_lost(self, exc: Exception | None) -> None:
        self._disarm()
        if self._counted is not None:
            self._crowd.leave(self._counted)
            self._counted = None
        for cycle in (self._running, *(waiting for waiting, _ in self.pipeline)):
            if cycle is not None:
                cycle.disconnected = True
                cycle.message_event.set()
        self.pipeline.clear()
        super().connection_lost(exc)

    def hang_up(self) -> None:
        """Close when all is written.

        A peer that still sends gets to read the answer first: closing on unread bytes would take it away.
        """
        if self._stage == _BODY and not self._line.is_closing():
            self._part()
        else:
            self._line.flush()
            self._wire.close()

    def abort(self) -> None:
        """Cut the connection, whatever is still to be written."""
        self._wire.abort()

    def sweep(self) -> None:
        """Cut it when the peer does not read its answer, or has asked nothing for long; called by the server."""
        now = self.loop.time()
        if self._line.stalled(now, self._bounds.stall_s):
            log.info("cut %s: it does not read its answer", self._peer())
            self.abort()
        elif (
            self._rests_since is not None
            and now - self._rests_since >= self.timeout_keep_alive
            and self._stage == _IDLE
            and not self._answering()
        ):
            self._wire.close()

    def shutdown(self) -> None:
        """Close as soon as what was asked is answered."""
        if self._deaf and not self._answering():
            self._wire.close()
        else:
            super().shutdown()

    def _refuse(self, refused: RequestRefused) -> None:
        """End the connection with this answer, behind those to what was asked before."""
        self._deaf = True
        self._disarm()
        self._unset_keepalive_if_required()
        request = ids.short()
        log.info("refused %s: %d %s (request %s)", self._peer(), refused.status, refused, request)
        self._last_words = refused.answer(request, self.server_state.default_headers)
        if self._stage == _BODY and self._call is None:
            self._abandon(self.cycle)
        self._call = None
        if not self._answering():
            self._say_last_words()

    def _abandon(self, cycle: RequestResponseCycle) -> None:
        """Give up the request whose body broke off: its application sees a disconnect."""
        if self.pipeline:
            self.pipeline.popleft()
            return
        self._held = None
        if cycle.response_started:
            self._last_words = b""
        cycle.disconnected = True
        cycle.message_event.set()
        self._running = None

    def _say_last_words(self) -> None:
        self._line.write(self._last_words or b"")
        self._part()

    def _part(self) -> None:
        """Stop writing, and read on for a while, so that the peer is not reset while it sends."""
        self._deaf = True
        self._disarm()
        self.flow.resume_reading()
        self._line.part()
        self._due = self.loop.call_later(_LINGER_S, self._let_go)

    def _let_go(self) -> None:
        if self._wire.get_write_buffer_size():
            self._due = self.loop.call_later(_LINGER_S, self._let_go)
        else:
            self.abort()

    def _answering(self) -> bool:
        running = self._running
        return (
            self._held is not None
            or bool(self.pipeline)
            or (running is not None and not running.response_complete)
        )

    def _peer(self) -> str:
        return self.client[0] if self.client else "a peer"

    def allow_body(self, seconds: float) -> None:
        """Give the body that is coming in this long from now."""
        if self._stage == _BODY and not self._deaf:
            self._disarm()
            self._due = self.loop.call_later(seconds, self._expired)

    def _watch(self) -> None:
        """See to it that whatever the peer has to send next has its deadline."""
        if self._due is not None or self._deaf:
            return
        if self._stage == _IDLE and (
            self._rests_since is not None or self._answering() or self.timeout_keep_alive_task is not None
        ):
            return
        wait_s = self._bounds.body_s if self._stage == _BODY else self._bounds.header_s
        self._due = self.loop.call_later(wait_s, self._expired)

    def _disarm(self) -> None:
        if self._due is not None:
            self._due.cancel()
            self._due = None

    def _expired(self) -> None:
        self._due = None
        if self.flow.read_paused:
            self._watch()  # it is the server that does not read
        elif self._stage == _IDLE:
            self._wire.close()
        else:
            part = "header" if self._stage == _HEADER else "body"
            self._refuse(
                RequestRefused(
                    408, f"The request's {part} did not arrive in time; send it again without pauses"
                )
            )

    def data_received(self, data: bytes) -> None:
        if self._deaf:
            return
        self._rests_since = None
        self._turns = _TURNS
        self._unset_keepalive_if_required()
        if len(data) > HEADER_BYTES:
            view = memoryview(data)
            for start in range(0, len(data), HEADER_BYTES):
                if not self._feed(view[start : start + HEADER_BYTES]):
                    break
        elif self._stage == _IDLE and not self._quiet_bytes and (request := whole(data)) is not None:
            self._feed_whole(data, request)
        else:
            self._feed(data)
        if self._call is not None:
            self._call_by_asgi()
        if self._held is not None:
            self._begin()
        self._watch()

    def _feed_whole(self, data: bytes, request: WholeRequest) -> None:
        """Take in a piece that is one request: a head that came before is not parsed again."""
        known = self._heads.find(request)
        if known is not None and not self._occupied():
            self._disarm()
            self.url, self.expect_100_continue, self._dropped_bytes = known.url, False, 0
            fields = {**known.fields, b"content-length": request.length}
            try:
                self._answer(_Call(known.straight, fields, [request.body]))
            except Exception as error:  # as behind the parser, which hands it on
                self._refuse(_fault(error))
            return
        self._whole = request
        self._feed(data)
        self._whole = None

    def _feed(self, data: bytes | memoryview) -> bool:
        """Parse one piece; False where nothing behind it counts any more."""
        self._delivered = False
        self._at_most = self._held_bytes + len(data)
        try:
            self.parser.feed_data(data)
        except httptools.HttpParserUpgrade:
            self._deaf = True  # what follows would be in a protocol that is not spoken here
        except httptools.HttpParserError as error:
            self._refuse(_refusal(error))
        else:
            self._quiet_bytes = 0 if self._delivered else self._quiet_bytes + len(data)
            self._held_bytes = len(data) if self._delivered else self._at_most
            if self._quiet_bytes > HEADER_BYTES:
                self._refuse(_too_long(self.url))
        return not self._deaf

    def on_message_begin(self) -> None:
        self.url = b""
        self.headers = []
        self._stage = _HEADER
        self._rests_since = None
        self._dropped_bytes = 0
        if self._due is not None:
            self._disarm()

    def on_header(self, name: bytes, value: bytes) -> None:
        self.headers.append((name.lower(), value))

    def on_headers_complete(self) -> None:
        headers, self.headers = self.headers, []  # trailers go where nobody reads them
        fields = dict(headers)
        method, upgrade, version = (
            self.parser.get_method(),
            self.parser.should_upgrade(),
            self.parser.get_http_version(),
        )
        if self._at_most > HEADER_BYTES:
            _judge_size(self.url, headers)
        host, has_body = _judge_headers(version, headers, fields)
        if host != self._host and not _HOST.fullmatch(host):
            raise RequestRefused(400, "The Host header should be a host with or without a port")
        if b"#" in self.url:
            raise RequestRefused(400, "The address of a request has no fragment")
        if self.url[:1] != b"/":
            self.url = _origin_form(method, self.url, host)
        if host != self._host and self.url.partition(b"?")[0] not in FOR_ANYBODY:
            self._judge_host(host.decode("ascii").lower())
            self._host = host
        if upgrade and (method == b"CONNECT" or has_body):
            raise RequestRefused(
                400, "Neither CONNECT nor Upgrade is offered here; send the request without it"
            )
        if len(self.pipeline) >= _QUEUED:
            raise RequestRefused(
                503, f"More than {_QUEUED} requests were sent ahead; wait for answers in between"
            )
        self.expect_100_continue = fields.get(b"expect", b"").lower() == b"100-continue"
        keep_alive = not upgrade and version == "1.1" and not self._once and self.parser.should_keep_alive()
        self._stage = _BODY
        self._delivered = True
        self._disarm()
        straight = self._doors.find(self.url) if method == b"POST" and len(fields) == len(headers) else None
        if (
            straight is not None
            and keep_alive
            and self._turns > 0
            and not self.expect_100_continue
            and not self._occupied()
        ):
            self._turns -= 1
            self._call = _Call(straight, fields, [])
            return
        self._take(self._scope(method, version, headers), keep_alive=keep_alive)

    def _judge_host(self, host: str) -> None:
        """Raises RequestRefused for a name that is not ours. The address that the connection came to is."""
        name = bare(host)
        if not self._doors.goes_by(name) and (self.server is None or name != of_address(self.server[0])):
            raise RequestRefused(
                421,
                f"This server does not go by the name {name}: use its own address, or name this one in `hosts`"
                " of [server] in its settings",
            )

    @property
    def _once(self) -> bool:
        """Whether the connection ends with its first answer: a proxy would ask for other servers over it."""
        return self.handed and self._crowd.trusts(self._asks.address or "")

    def _occupied(self) -> bool:
        """Whether an answer is still to be made, or to be read by the peer."""
        return self._answering() or self.flow.write_paused

    def _scope(self, method: bytes, version: str, headers: list[tuple[bytes, bytes]]) -> Any:
        found = httptools.parse_url(self.url)
        path = found.path.decode("ascii")
        return {
            "type": "http",
            "asgi": {"version": self.asgi_version, "spec_version": "2.3"},
            "http_version": version,
            "method": method.decode("ascii"),
            "scheme": self.scheme,
            "server": self.server,
            "client": self.client,
            "root_path": "",
            "path": urllib.parse.unquote(path) if "%" in path else path,
            "raw_path": found.path,
            "query_string": found.query or b"",
            "headers": headers,
            "state": self.app_state.copy(),
        }

    def _take(self, scope: Any, *, keep_alive: bool) -> None:
        """A request for the application: it is held until what was read is parsed, or waits behind another."""
        before: RequestResponseCycle | None = self.cycle
        self.cycle = taken = self._exchange(scope, keep_alive=keep_alive)
        scope["extensions"] = {**self._extensions, ANSWER: taken.answer}
        if before is None or before.response_complete:
            self._held = taken
        else:
            self.flow.pause_reading()
            self.pipeline.appendleft((taken, self.app))

    def _exchange(self, scope: Any, *, keep_alive: bool) -> Exchange:
        return Exchange(
            scope=scope,
            transport=self._line,
            flow=self.flow,
            logger=self.logger,
            access_logger=self.access_logger,
            access_log=False,
            default_headers=[*self.server_state.default_headers, *([_LAST] if self._once else [])],
            message_event=asyncio.Event(),
            expect_100_continue=self.expect_100_continue,
            keep_alive=keep_alive,
            on_response=self.on_response_complete,
        )

    def _answer(self, call: "_Call") -> None:
        """Answer a call that is there as a whole: at once, or when what it waits for has come."""
        if self._whole is not None:
            self._heads.keep(self._whole, KnownHead(self.url, call.straight, call.fields))
        body = call.parts[0] if len(call.parts) == 1 else b"".join(call.parts)
        found = call.straight(self._asks, call.fields, body)
        if found is None:
            self._leave(call)
            super().on_message_complete()
            return
        if not isinstance(found, Response):
            work = found
            try:
                awaited = work.send(None)
            except StopIteration as end:
                found = end.value
        if isinstance(found, Response):
            self._line.write_whole(head_of(found, self.server_state.default_headers), found.body)
            self.server_state.total_requests += 1
            self._rests_since = self.loop.time()
            if CLOSE in found.lines:
                self.hang_up()
            return
        exchange = self._exchange({"method": "POST"}, keep_alive=True)
        self.cycle = self._running = exchange
        self._keep(self.loop.create_task(exchange.follow(work, awaited)))

    def _call_by_asgi(self) -> None:
        """The body of a call takes longer than its head: whoever is not let in is told before it is there."""
        call, self._call = self._call, None
        if call is not None:
            self._leave(call)

    def _leave(self, call: "_Call") -> None:
        """Leave a call to the application, with what is there of its body."""
        self._take(self._scope(b"POST", "1.1", list(call.fields.items())), keep_alive=True)
        for part in call.parts:
            super().on_body(part)

    def on_body(self, body: bytes) -> None:
        self._delivered = True
        if self._call is not None:
            self._call.parts.append(body)
            return
        if self.cycle.response_complete:
            self._dropped_bytes += len(body)
            if self._dropped_bytes > self._bounds.unread_bytes:
                raise RequestRefused(413, "The request was answered before its body ended")
        super().on_body(body)

    def on_message_complete(self) -> None:
        call, self._call = self._call, None
        if call is None:
            super().on_message_complete()
        self._stage = _IDLE
        self._delivered = True
        self._disarm()
        if call is not None:
            self._answer(call)

    def _begin(self) -> None:
        """Let the application have the request that is held."""
        held, self._held = self._held, None
        if held is None:
            return
        self._running = held
        task = held.begin(self.app, self.loop)
        if task is not None:
            self._keep(task)

    def _keep(self, task: "asyncio.Task[None]") -> None:
        """The server waits for it when it ends."""
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: ASGI3Application) -> None:
        self._running = cycle
        super()._start_asgi_task(cycle, app)

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self._line.is_closing() or self._answering():
            return
        if self._last_words is not None:
            self._unset_keepalive_if_required()
            self._say_last_words()
        elif self._stage == _BODY and self.expect_100_continue:
            self.hang_up()  # whether the body comes now is open, and with it where the next request begins
        elif self._stage != _IDLE:
            self._unset_keepalive_if_required()
            self._watch()


def _judge_size(target: bytes, headers: list[tuple[bytes, bytes]]) -> None:
    """Raises RequestRefused where a header is too long; the last four of each are what stands between and behind."""
    if len(target) + sum([len(name) + len(value) + 4 for name, value in headers]) > HEADER_BYTES:
        raise _too_long(target)


def _judge_headers(
    version: str, headers: list[tuple[bytes, bytes]], fields: dict[bytes, bytes]
) -> tuple[bytes, bool]:
    """The host and whether a body follows, where there is exactly one reading of that. Raises RequestRefused.

    `fields` are the headers by their names.
    """
    if version not in ("1.0", "1.1"):
        raise RequestRefused(505, "HTTP/1.1 is spoken here")
    once = len(fields) == len(headers)
    hosts = int(b"host" in fields) if once else sum(name == b"host" for name, _ in headers)
    if hosts != 1:
        raise RequestRefused(400, f"A request has exactly one Host header, this one has {hosts}")
    length, coding = fields.get(b"content-length"), fields.get(b"transfer-encoding")
    framings = (length is not None) + (coding is not None)
    if not once:
        framings = sum(name in _FRAMING for name, _ in headers)
    if framings > 1:
        raise RequestRefused(
            400, "A request has one Content-Length or one Transfer-Encoding, not both and none twice"
        )
    if coding is not None and (coding.lower() != b"chunked" or version == "1.0"):
        raise RequestRefused(400, "The only Transfer-Encoding taken is chunked, in HTTP/1.1")
    return fields[b"host"], coding is not None or length not in (None, b"0")


def _origin_form(method: bytes, target: bytes, host: bytes) -> bytes:
    """The target as path and query. One that names another host than the Host header is refused."""
    if method == b"CONNECT" or (target == b"*" and method == b"OPTIONS"):
        return target
    scheme, _, rest = target.partition(b"://")
    authority, _, path = rest.partition(b"/")
    if scheme.lower() not in (b"http", b"https") or authority.lower() != host.lower():
        raise RequestRefused(400, "The address should be a path, or name the same host as the Host header")
    return b"/" + path


def _too_long(target: bytes) -> RequestRefused:
    if len(target) > HEADER_BYTES:
        return RequestRefused(414, f"The address is longer than {HEADER_BYTES} bytes")
    return RequestRefused(431, f"The request's headers are longer than {HEADER_BYTES} bytes")


def _refusal(error: httptools.HttpParserError) -> RequestRefused:
    """What the parser's error means: our own refusal, a request that cannot be read, or a fault of ours."""
    cause = error.__context__
    if isinstance(cause, RequestRefused):
        return cause
    if isinstance(error, httptools.HttpParserCallbackError) and not isinstance(
        cause, httptools.HttpParserError | UnicodeError
    ):
        return _fault(cause)
    return RequestRefused(400, f"The request cannot be read: {error}")


def _fault(error: BaseException | None) -> RequestRefused:
    """What a peer is told of a fault of ours; the log says which."""
    log.error("a request could not be taken in", exc_info=error)
    return RequestRefused(500, "The request could not be taken in")
