"""A load generator in one process: so many connections, each asking again as soon as it is answered.

What it asks is made before the clock starts: it shares the machine with who is asked.
"""

import asyncio
import itertools
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import cast

import uvloop

Make = Callable[[int], bytes]
"""The whole request with this number."""
_AHEAD_S = 0.5
"""So long requests are made beforehand; those that are missing then are made when they are sent."""
_PACED_CONNECTIONS = 64


def request(path: str, body: bytes, key: str | None = None, **headers: str) -> bytes:
    """One HTTP/1.1 POST as bytes."""
    lines = [f"POST {path} HTTP/1.1", "Host: 127.0.0.1", "Content-Type: application/json"]
    lines.append(f"Content-Length: {len(body)}")
    if key is not None:
        lines.append(f"Authorization: Bearer {key}")
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


@dataclass
class Result:
    """What a burst of load saw."""

    seconds: float
    statuses: dict[int, int] = field(default_factory=dict)
    latencies_s: list[float] = field(default_factory=list)

    @property
    def rate(self) -> float:
        """Answers a second."""
        return sum(self.statuses.values()) / self.seconds

    def percentile_ms(self, share: float) -> float:
        ordered = sorted(self.latencies_s)
        return 1000 * ordered[min(len(ordered) - 1, int(len(ordered) * share))]


class _Client(asyncio.Protocol):
    def __init__(self, requests: Iterator[bytes], result: Result, until: float) -> None:
        self._requests, self._result, self._until = requests, result, until
        self._buffer = b""
        self._sent = 0.0
        self._transport: asyncio.Transport | None = None
        self.done: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        self._ask()

    def _ask(self) -> None:
        assert self._transport is not None
        self._sent = time.perf_counter()
        self._transport.write(next(self._requests))

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        end = self._buffer.find(b"\r\n\r\n")
        if end < 0:
            return
        head = self._buffer[:end].lower()
        status = int(head[9:12])
        if b"transfer-encoding: chunked" in head:
            if not self._buffer.endswith(b"\r\n0\r\n\r\n"):
                return
            self._answered(status, len(self._buffer))
            return
        at = head.find(b"content-length:")
        length = 0 if status == 304 or at < 0 else int(head[at + 15 :].split(b"\r\n", 1)[0])
        if len(self._buffer) < end + 4 + length:
            return
        self._answered(status, end + 4 + length)

    def _answered(self, status: int, size: int) -> None:
        self._buffer = self._buffer[size:]
        now = time.perf_counter()
        self._result.latencies_s.append(now - self._sent)
        self._result.statuses[status] = self._result.statuses.get(status, 0) + 1
        self._go_on(now)

    def _go_on(self, now: float) -> None:
        if now < self._until:
            self._ask()
        else:
            assert self._transport is not None
            self._transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        if not self.done.done():
            self.done.set_result(None)


class _Paced(_Client):
    """Asks what is due, and waits for what comes next. A write that waits for a connection waits already."""

    def __init__(self, requests: Iterator[bytes], result: Result, pool: "_Pool") -> None:
        super().__init__(requests, result, 0)
        self._pool = pool

    def _ask(self) -> None:
        self._pool.free(self)

    def send(self, due: float) -> None:
        assert self._transport is not None
        self._sent = due
        self._transport.write(next(self._requests))

    def _go_on(self, now: float) -> None:
        self._pool.answered(self)


class _Pool:
    """Connections that wait, or what waits for one; `done` when so much was answered."""

    def __init__(self, count: int) -> None:
        self._left = count
        self._idle: deque[_Paced] = deque()  # in turn: a server closes one that rests for long
        self._due: deque[float] = deque()
        self.done = asyncio.Event()

    def answered(self, client: _Paced) -> None:
        self._left -= 1
        if not self._left:
            self.done.set()
        self.free(client)

    def free(self, client: _Paced) -> None:
        if self._due:
            client.send(self._due.popleft())
        else:
            self._idle.append(client)

    def send(self, due: float) -> None:
        if self._idle:
            self._idle.popleft().send(due)
        else:
            self._due.append(due)


def paced(port: int, make: Make, *, rate: int, seconds: float, first: int = 0) -> Result:
    """Ask so often a second, whether or not what was asked before is answered; each waits from when it was due."""

    async def run() -> Result:
        loop = asyncio.get_running_loop()
        count, result = round(rate * seconds), Result(seconds)
        pool = _Pool(count)
        requests = map(make, itertools.count(first))
        for _ in range(_PACED_CONNECTIONS):
            await loop.create_connection(lambda: _Paced(requests, result, pool), "127.0.0.1", port)
        started = time.perf_counter()
        for number in range(count):
            due = started + number / rate
            if (wait := due - time.perf_counter()) > 0:
                await asyncio.sleep(wait)
            pool.send(due)
        async with asyncio.timeout(30):
            await pool.done.wait()
        result.seconds = time.perf_counter() - started
        return result

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(run())


def burst(port: int, make: Make, *, connections: int, seconds: float, first: int = 0) -> Result:
    """Ask for so many seconds over so many connections."""
    ahead, until = [make(first)], time.perf_counter() + _AHEAD_S
    while time.perf_counter() < until:
        ahead.append(make(first + len(ahead)))
    requests = itertools.chain(ahead, map(make, itertools.count(first + len(ahead))))

    async def run() -> Result:
        loop = asyncio.get_running_loop()
        started = time.perf_counter()
        result = Result(seconds)

        def client() -> _Client:
            return _Client(requests, result, started + seconds)

        clients = [(await loop.create_connection(client, "127.0.0.1", port))[1] for _ in range(connections)]
        async with asyncio.timeout(seconds + 30):
            await asyncio.gather(*(client.done for client in clients))
        result.seconds = time.perf_counter() - started
        return result

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(run())
