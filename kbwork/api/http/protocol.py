"""HTTP/1.1 on one connection: refuses what is not exactly right, and cuts whoever keeps the server waiting.

The parsing and the ASGI cycle are uvicorn's. What this adds: deadlines for headers and bodies, one reading of
every request (Host, lengths, targets, upgrades), bounds on all that is held for a peer, problems as answers.
"""

import asyncio
import fcntl
import http
import ipaddress
import json
import logging
import re
import sys
import termios
from collections import Counter
from dataclasses import dataclass
from typing import Any

import httptools
from uvicorn._types import ASGI3Application
from uvicorn.config import Config
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.server import ServerState

from kbwork.base import ids

log = logging.getLogger("kbwork.http")

HEADER_BYTES = 16 * 1024
_QUEUED = 64  # requests sent ahead on one connection
_POLITE = 128  # connections over a cap that are being told so; any more are cut
_LINGER_S = 2.0
_PROGRESS_BYTES = 16 * 1024  # in one stall period: less is as good as nothing
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
    """The connections of one server, counted in all and by address."""

    def __init__(self, bounds: Bounds) -> None:
        self.bounds = bounds
        self._by_address: Counter[str] = Counter()
        self.inside = 0

    def enter(self, address: str) -> str | None:
        """Count one more, or say why there is no room."""
        if self.inside >= self.bounds.connections:
            return "All connections are taken; try again in a moment"
        place = _neighbourhood(address)
        if self._by_address[place] >= self.bounds.per_address:
            return "Too many connections from this address; close some or use them again"
        self._by_address[place] += 1
        self.inside += 1
        return None

    def leave(self, address: str) -> None:
        place = _neighbourhood(address)
        self.inside -= 1
        self._by_address[place] -= 1
        if not self._by_address[place]:
            del self._by_address[place]


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


class _Line(asyncio.Transport):
    """The transport as the ASGI side has it: counts what is written, leaves hanging up to the protocol."""

    def __init__(self, wire: asyncio.Transport, protocol: "Protocol") -> None:
        super().__init__()
        self._wire = wire
        self._protocol = protocol
        self._parted = False
        self._written = 0
        self._taken = 0
        self._since: float | None = None
        self._head = b""
        """What waits for the rest of this turn of the loop."""

    def write(self, data: bytes | bytearray | memoryview) -> None:
        """Write it; the head of an answer goes with the body that mostly follows at once, as one call of the system."""
        if self._parted:
            return
        self._written += len(data)
        if self._head:
            head, self._head = self._head, b""
            self._wire.write(head + data)
        elif data[:9] == b"HTTP/1.1 ":
            self._head = bytes(data)
            self._protocol.loop.call_soon(self.flush)
        else:
            self._wire.write(data)

    def flush(self) -> None:
        """Write the head that waits."""
        if self._head:
            data, self._head = self._head, b""
            if not self._wire.is_closing():
                self._wire.write(data)

    def close(self) -> None:
        self._protocol.hang_up()

    def part(self) -> None:
        """Send what is written and then the end of the stream; what the peer still sends can be read."""
        self.flush()
        self._parted = True
        if not self._wire.is_closing():
            self._wire.write_eof()

    def is_closing(self) -> bool:
        return self._parted or self._wire.is_closing()

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return self._wire.get_extra_info(name, default)

    def pause_reading(self) -> None:
        self._wire.pause_reading()

    def resume_reading(self) -> None:
        self._wire.resume_reading()

    def stalled(self, now: float, limit_s: float) -> bool:
        """Whether for that long the peer took next to nothing of what waits for it."""
        waiting = self._wire.get_write_buffer_size()
        if not waiting:
            self._since = None
            return False
        taken = self._written - waiting - _unacknowledged(self._wire)
        if self._since is None or taken - self._taken >= _PROGRESS_BYTES:
            self._since, self._taken = now, taken
        return now - self._since >= limit_s


class Protocol(HttpToolsProtocol):
    """One connection.

    `scope["extensions"]["kbwork.body_time"]["allow"]` is for an application whose bodies take longer than the
    usual time: it takes the seconds from now in which the body that is coming in may arrive.
    """

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
        *,
        crowd: ConnectionLimits,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._crowd = crowd
        self._bounds = crowd.bounds
        self._counted: str | None = None
        self._wire: asyncio.Transport
        self._line: _Line
        self._extensions = {"kbwork.body_time": {"allow": self.allow_body}}
        self._running: RequestResponseCycle | None = None
        self._last_words: bytes | None = None
        self._deaf = False
        """What comes in is dropped: the connection ends when what was asked before is answered."""
        self._stage = _IDLE
        self._due: asyncio.TimerHandle | None = None
        self.url = b""
        self._host: bytes | None = None
        """The last that was found to be one."""
        self._dropped_bytes = 0
        self._delivered = False
        """Whether the parser came to the end of a header, a piece of a body or the end of a message."""
        self._quiet_bytes = 0
        """Taken in since then: header, trailer or chunk extension, held for what is still to come."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as in the base class
        self._wire = transport
        self._line = _Line(transport, self)
        super().connection_made(self._line)
        address = self.client[0] if self.client else ""
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

    def cut_if_stalled(self) -> None:
        """Cut it when the peer does not read its answer; asked now and then by the server."""
        if self._line.stalled(self.loop.time(), self._bounds.stall_s):
            log.info("cut %s: it does not read its answer", self._peer())
            self.abort()

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
        if self._stage == _BODY:
            self._abandon(self.cycle)
        if not self._answering():
            self._say_last_words()

    def _abandon(self, cycle: RequestResponseCycle) -> None:
        """Give up the request whose body broke off: its application sees a disconnect."""
        if self.pipeline:
            self.pipeline.popleft()
            return
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
        return bool(self.pipeline) or (self._running is not None and not self._running.response_complete)

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
        if self._stage == _IDLE and (self._answering() or self.timeout_keep_alive_task is not None):
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
        self._unset_keepalive_if_required()
        if len(data) <= HEADER_BYTES:
            self._feed(data)
        else:
            whole = memoryview(data)
            for start in range(0, len(data), HEADER_BYTES):
                if not self._feed(whole[start : start + HEADER_BYTES]):
                    return
        self._watch()

    def _feed(self, data: bytes | memoryview) -> bool:
        """Parse one piece; False where nothing behind it counts any more."""
        self._delivered = False
        try:
            self.parser.feed_data(data)
        except httptools.HttpParserUpgrade:
            self._deaf = True  # what follows would be in a protocol that is not spoken here
        except httptools.HttpParserError as error:
            self._refuse(_refusal(error))
        else:
            self._quiet_bytes = 0 if self._delivered else self._quiet_bytes + len(data)
            if self._quiet_bytes > HEADER_BYTES:
                self._refuse(_too_long(self.url))
        return not self._deaf

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._stage = _HEADER
        self._dropped_bytes = 0
        self._disarm()

    def on_headers_complete(self) -> None:
        method, upgrade = self.parser.get_method(), self.parser.should_upgrade()
        host, has_body = _judge_headers(self.parser.get_http_version(), self.url, self.headers)
        if host != self._host and not _HOST.fullmatch(host):
            raise RequestRefused(400, "The Host header should be a host with or without a port")
        self._host = host
        if b"#" in self.url:
            raise RequestRefused(400, "The address of a request has no fragment")
        if self.url[:1] != b"/":
            self.url = _origin_form(method, self.url, host)
        if upgrade and (method == b"CONNECT" or has_body):
            raise RequestRefused(
                400, "Neither CONNECT nor Upgrade is offered here; send the request without it"
            )
        if len(self.pipeline) >= _QUEUED:
            raise RequestRefused(
                503, f"More than {_QUEUED} requests were sent ahead; wait for answers in between"
            )
        self.scope["extensions"] = self._extensions  # type: ignore[typeddict-item]  # ours, beside the published ones
        super().on_headers_complete()
        if upgrade:
            self.cycle.keep_alive = False
        self.headers = []  # trailers go where nobody reads them
        self._stage = _BODY
        self._delivered = True
        self._disarm()

    def on_body(self, body: bytes) -> None:
        self._delivered = True
        if self.cycle.response_complete:
            self._dropped_bytes += len(body)
            if self._dropped_bytes > self._bounds.unread_bytes:
                raise RequestRefused(413, "The request was answered before its body ended")
        super().on_body(body)

    def on_message_complete(self) -> None:
        super().on_message_complete()
        self._stage = _IDLE
        self._delivered = True
        self._disarm()

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


def _judge_headers(version: str, target: bytes, headers: list[tuple[bytes, bytes]]) -> tuple[bytes, bool]:
    """The host and whether a body follows, where there is exactly one reading of that. Raises RequestRefused."""
    size, hosts, framing = len(target), [], []
    for name, value in headers:
        size += len(name) + len(value) + 4  # what stands between and behind them on the wire
        if name == b"host":
            hosts.append(value)
        elif name in _FRAMING:
            framing.append((name, value))
    if size > HEADER_BYTES:
        raise _too_long(target)
    if version not in ("1.0", "1.1"):
        raise RequestRefused(505, "HTTP/1.1 is spoken here")
    if len(hosts) != 1:
        raise RequestRefused(400, f"A request has exactly one Host header, this one has {len(hosts)}")
    if len(framing) > 1:
        raise RequestRefused(
            400, "A request has one Content-Length or one Transfer-Encoding, not both and none twice"
        )
    if not framing:
        return hosts[0], False
    name, value = framing[0]
    if name == b"transfer-encoding" and (value.lower() != b"chunked" or version == "1.0"):
        raise RequestRefused(400, "The only Transfer-Encoding taken is chunked, in HTTP/1.1")
    return hosts[0], value != b"0"


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
        log.error("a request could not be taken in", exc_info=cause)
        return RequestRefused(500, "The request could not be taken in")
    return RequestRefused(400, f"The request cannot be read: {error}")


def _neighbourhood(address: str) -> str:
    """What one peer has for itself: an IPv4 address, or the /64 of an IPv6 address."""
    if ":" not in address:
        return address
    found = ipaddress.IPv6Address(address)
    return str(found.ipv4_mapped) if found.ipv4_mapped else found.packed[:8].hex()


def _unacknowledged(wire: asyncio.Transport) -> int:
    """Bytes that the kernel holds because the peer has not taken them yet; 0 where it cannot tell."""
    try:
        held = fcntl.ioctl(wire.get_extra_info("socket").fileno(), termios.TIOCOUTQ, bytes(4))
    except (OSError, ValueError):
        return 0
    return int.from_bytes(held, sys.byteorder)
