"""Many event streams at once: memory for each, how late an event reaches all, and how late writes are meanwhile.

python -m tests.bench streams --count 10000

The listeners are sessions of so many members as the settings ask for, and come from so many addresses of loopback.
"""

import asyncio
import json
import resource
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

import uvloop

from kbwork.app import open_data
from kbwork.contract.kbwork_client import Kbwork
from kbwork.core.access import callers
from kbwork.db.tx import Write
from tests.bench import kill
from tests.bench.load import Result, request

_PER_MEMBER = 20
_PER_ADDRESS = 900
_AT_ONCE = 50
_OPEN_S = 300
_REACH_S = 60
_EVENTS = 5
_WRITES = 100


@dataclass
class Board:
    """What the listeners wait for, and who has heard it."""

    mark: bytes = b"\0"
    heard: int = 0
    wanted: int = 0
    all_heard: asyncio.Event = field(default_factory=asyncio.Event)
    heard_s: float = 0.0
    ended: int = 0


class _Listener(asyncio.Protocol):
    """One stream; keeps no more than the end of what it read."""

    def __init__(self, board: Board, token: str) -> None:
        self._board = board
        self._token = token
        self._tail = b""
        self.head: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        self.transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)
        lines = ["GET /api/v1/stream HTTP/1.1", "Host: 127.0.0.1", f"Authorization: Bearer {self._token}"]
        self.transport.write("\r\n".join(lines).encode() + b"\r\n\r\n")

    def data_received(self, data: bytes) -> None:
        read = self._tail + data
        if not self.head.done() and (b"event: hello" in read or b" 200 " not in read[:16]):
            self.head.set_result(read)
        if self._board.mark in read:
            self._board.heard += 1
            read = b""
            if self._board.heard == self._board.wanted:
                self._board.heard_s = time.monotonic()
                self._board.all_heard.set()
        self._tail = read[-400:]

    def connection_lost(self, exc: Exception | None) -> None:
        self._board.ended += 1
        if not self.head.done():
            self.head.set_result(b"")


def people(folder: Path, count: int) -> list[str]:
    """So many members; answers a session of each."""

    def add(tx: Write) -> list[str]:
        found = []
        for number in range(count):
            member = callers.add_member(
                tx, name=f"Listener {number}", email=f"l{number}@acme.example", role="member"
            )
            found.append(callers.add_session(tx, member, kind="app", client="bench"))
        return found

    database = open_data(folder)
    try:
        return database.write_now(add)
    finally:
        database.close()


def pss_kb(pid: int) -> int:
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("Pss:"))


class Bench:
    """A server and its listeners."""

    def __init__(self, server: kill.Server, sessions: list[str], count: int) -> None:
        self._server = server
        self._sessions = sessions
        self._count = count
        self._board = Board()
        self._listeners: list[_Listener] = []

    async def run(self) -> dict[str, float]:
        idle_kb = pss_kb(self._server.process.pid)
        started = time.monotonic()
        async with asyncio.timeout(_OPEN_S):
            for first in range(0, self._count, _AT_ONCE):
                numbers = range(first, min(first + _AT_ONCE, self._count))
                heads = await asyncio.gather(*(self._open(number) for number in numbers))
                assert all(b" 200 " in head[:16] for head in heads), heads[0]
        found = {
            "streams": float(self._count),
            "open_s": round(time.monotonic() - started, 1),
            "kb_each": round((pss_kb(self._server.process.pid) - idle_kb) / self._count, 1),
        }
        over = await self._open(self._count)
        assert over.startswith(b"HTTP/1.1 503 "), over[:200]
        assert b"\r\nretry-after: " in over.lower(), over
        await self._leave(self._listeners.pop())
        reach, answered = await self._reach()
        found |= {"reach_s_worst": round(max(reach), 2), "answered_ms_worst": round(1000 * max(answered), 1)}
        writes, heard_s = await self._writes()
        found |= {
            "write_p50_ms": round(writes.percentile_ms(0.5), 1),
            "write_p99_ms": round(writes.percentile_ms(0.99), 1),
            "writes_a_second": round(writes.rate, 1),
            "reach_s_under_writes": round(heard_s, 2),
            "kb_each_after": round((pss_kb(self._server.process.pid) - idle_kb) / self._count, 1),
            "ended_early": float(self._board.ended),
        }
        for listener in self._listeners:
            if listener.transport is not None:
                listener.transport.abort()
        return found

    async def _open(self, number: int) -> bytes:
        """Open one more; answers the beginning of its answer."""
        address = f"127.0.{1 + number // _PER_ADDRESS // 250}.{2 + number // _PER_ADDRESS % 250}"
        token = self._sessions[number // _PER_MEMBER]
        _, listener = await asyncio.get_running_loop().create_connection(
            lambda: _Listener(self._board, token), "127.0.0.1", self._server.port, local_addr=(address, 0)
        )
        self._listeners.append(listener)
        return await asyncio.wait_for(listener.head, 30)

    async def _leave(self, over: _Listener) -> None:
        """Let the one over the cap go; whoever ends from here on was cut."""
        assert over.transport is not None
        over.transport.abort()
        await asyncio.sleep(0.1)
        self._board.ended = 0

    async def _reach(self) -> tuple[list[float], list[float]]:
        """(until all heard of a write, until it was answered), in seconds, one write at a time."""
        reached, answered = [], []
        for number in range(_EVENTS):
            mark = f"reaches-all-{number}-"
            self._wait_for(mark)
            started = time.monotonic()
            await self._write(mark)
            answered.append(time.monotonic() - started)
            await asyncio.wait_for(self._board.all_heard.wait(), _REACH_S)
            reached.append(self._board.heard_s - started)
        return reached, answered

    async def _writes(self) -> tuple[Result, float]:
        """Writes one after another, each as soon as the last is answered; and when all had heard of the first."""
        result = Result(0.0)
        self._wait_for("one of many 0-")
        started = time.monotonic()
        while len(result.latencies_s) < _WRITES or not self._board.all_heard.is_set():
            at = time.monotonic()
            assert at - started < _REACH_S, self._board
            await self._write(f"one of many {len(result.latencies_s)}-")
            result.latencies_s.append(time.monotonic() - at)
        result.seconds = time.monotonic() - started
        result.statuses[200] = len(result.latencies_s)
        return result, self._board.heard_s - started

    def _wait_for(self, mark: str) -> None:
        board = self._board
        board.mark, board.heard, board.wanted = mark.encode(), 0, self._count
        board.all_heard.clear()

    async def _write(self, title: str) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", self._server.port)
        body = json.dumps({"project": "STR", "title": title}).encode()
        writer.write(request("/api/v1/issues.create", body, self._server.key, Connection="close"))
        head = await asyncio.wait_for(reader.readline(), _REACH_S)
        assert b" 200 " in head, head
        writer.close()


def main(arguments: list[str]) -> None:
    """`streams [--count N]`; 10,000 unless given."""
    count = int(arguments[arguments.index("--count") + 1]) if "--count" in arguments else 10_000
    files, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    assert most > count + 500, f"{most} open files are too few for {count} streams (it was {files})"
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "data"
        key = kill.init(data)
        sessions = people(data, -(-(count + 1) // _PER_MEMBER))
        server = kill.serve(data, key, KBWORK_STREAMS_ALL=str(count))
        try:
            with Kbwork(server.url, key) as client:
                client.projects.create(key="STR", name="Streams")
            with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
                print(json.dumps(runner.run(Bench(server, sessions, count).run())))
        finally:
            server.kill()
