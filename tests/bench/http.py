"""REST and MCP against a bare echo, in one run: `python -m tests.bench http [--issues N] [--rounds N]`."""

import itertools
import json
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from kbwork.contract.kbwork_client import Kbwork
from tests.bench import kill
from tests.bench.load import Make, Result, burst, request

_SECONDS = 1.0
_HOT, _KNOWN_S = 5_000, 3.0
"""So many issues are asked for again and again, once they were all asked for: fewer than are kept as documents."""
_BLANK = str.maketrans("01", " \t")


@dataclass
class Row:
    """One line of the table: a median rate, the ratio to the echo of the same rounds, and the goal."""

    name: str
    rate: float
    ratio: float
    goal: float
    p99_ms: float

    def __str__(self) -> str:
        met = "met" if self.ratio >= self.goal else "not met"
        return f"{self.name:44} {self.rate:9.0f}/s {self.ratio:7.2f} {self.goal:7.2f}  {met:8} p99 {self.p99_ms:.1f} ms"


class Bench:
    """One echo and one kbwork, asked in turn."""

    def __init__(self, folder: Path, issues: int, rounds: int) -> None:
        self._rounds = rounds
        self._key = kill.init(folder)
        self.server = kill.serve(folder, self._key)
        self._echo_port = free_port()
        self._echo = subprocess.Popen([sys.executable, "-m", "tests.bench.echo", str(self._echo_port)])
        self._issues = issues
        try:
            wait_for(self._echo_port)
            self._fill()
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        self.server.kill()
        self._echo.kill()
        self._echo.wait(timeout=10)

    def _fill(self) -> None:
        with Kbwork(self.server.url, self._key) as client:
            client.projects.create(key="BEN", name="Bench")
            for name in ("bug", "ui", "slow"):
                client.labels.save(name=name)
            for start in range(0, self._issues, 50):
                calls = [
                    {"op": "issues.create", "input": _issue(n)}
                    for n in range(start, min(start + 50, self._issues))
                ]
                client.call("api.batch", {"ops": calls})

    def make(self, op: str, body: Callable[[int], object], **headers: str) -> Make:
        """Requests of an operation; blanks and tabs behind the body say its number, so that none is asked twice."""
        return lambda n: request(
            f"/api/v1/{op}",
            json.dumps(body(n)).encode() + f"{n:b}".translate(_BLANK).encode(),
            self._key,
            **headers,
        )

    def row(
        self,
        name: str,
        make: Make,
        goal: float,
        *,
        connections: int,
        expected: int = 200,
        cold: bool = False,
        known: bool = False,
    ) -> Row:
        """Median of the rounds; each round asks the echo as well.

        `cold`: no issue is kept as a document when a round begins. With fewer than are asked for in it some come twice.
        `known`: what is asked was asked before, in a round that does not count.
        """
        ratios, rates, late = [], [], []
        if known:
            burst(self.server.port, make, connections=connections, seconds=_KNOWN_S)
        for number in range(self._rounds):
            if cold:
                self._rename_a_label(f"slow {number}")
            echo = burst(self._echo_port, _echo, connections=connections, seconds=_SECONDS)
            found = burst(
                self.server.port, make, connections=connections, seconds=_SECONDS, first=number * 1_000_000
            )
            _require(found, expected)
            rates.append(found.rate)
            ratios.append(found.rate / echo.rate)
            late.append(found.percentile_ms(0.99))
        return Row(name, statistics.median(rates), statistics.median(ratios), goal, statistics.median(late))

    def _rename_a_label(self, name: str) -> None:
        """Which ends all that is kept of issues."""
        with Kbwork(self.server.url, self._key) as client:
            found = next(label for label in client.labels.list() if label["name"].startswith("slow"))
            client.labels.save(id=found["id"], name=name)

    def rows(self) -> list[Row]:
        issues = self._issues
        with Kbwork(self.server.url, self._key) as client:
            etag = client.ask("projects.list", {}).etag or ""
        fixed = b"{}"
        unchanged = request("/api/v1/projects.list", fixed, self._key, If_None_Match=etag)
        dispatch = self.make("subjects.resolve", lambda _: {"refs": []})
        again = dispatch(0)
        get = self.make("issues.get", lambda n: {"key": f"BEN-{n % issues + 1}"})
        hot = self.make("issues.get", lambda n: {"key": f"BEN-{n % min(issues, _HOT) + 1}"})
        fifty = self.make("issues.list", lambda _: {"project": "BEN", "limit": 50})
        create = self.make("issues.create", _issue, Idempotency_Key="bench")

        calls = itertools.count()

        def keyed(n: int) -> bytes:
            """Under a key of its own in every round of every row: else the answers of an earlier one come again."""
            key = f"Idempotency-Key: {os.getpid()}-{next(calls)}"
            return create(n).replace(b"Idempotency-Key: bench", key.encode())

        return [
            self.row("dispatch and validation", dispatch, 2.0, connections=8),
            self.row("dispatch, what was asked before", lambda _: again, 2.0, connections=8),
            self.row("issues.get, cold", get, 0.5, connections=8, cold=True),
            self.row("issues.get", hot, 1.4, connections=8, known=True),
            self.row("issues.list, 50", fifty, 0.3, connections=8),
            self.row("304 on an unchanged list", lambda _: unchanged, 2.0, connections=8, expected=304),
            self.row("issues.create, 32 connections", keyed, 0.15, connections=32),
            self.row("issues.create, 1 connection", keyed, 0.12, connections=1),
        ]

    def batch(self) -> float:
        """How many times faster 50 creates are in one batch than one by one."""
        create = self.make("issues.create", _issue)
        many = self.make(
            "api.batch", lambda n: {"ops": [{"op": "issues.create", "input": _issue(n)} for _ in range(50)]}
        )
        singles = burst(self.server.port, create, connections=1, seconds=2).rate
        return 50 * burst(self.server.port, many, connections=1, seconds=2).rate / singles

    def mcp(self) -> float:
        """A tools/call of a read as a share of the same read over REST."""

        def call(n: int) -> bytes:
            arguments = {"name": "issues_get", "arguments": {"key": f"BEN-{n % self._issues + 1}"}}
            body = json.dumps(
                {"jsonrpc": "2.0", "id": n, "method": "tools/call", "params": arguments}
            ).encode()
            accept = "application/json, text/event-stream"
            return request("/mcp", body, self._key, Accept=accept, MCP_Protocol_Version="2025-11-25")

        read = self.make("issues.get", lambda n: {"key": f"BEN-{n % self._issues + 1}"})
        burst(self.server.port, call, connections=1, seconds=3)
        shares = []
        for _ in range(self._rounds):
            rest = burst(self.server.port, read, connections=8, seconds=_SECONDS)
            found = burst(self.server.port, call, connections=8, seconds=_SECONDS)
            _require(found, 200)
            shares.append(found.rate / rest.rate)
        return statistics.median(shares)


def _issue(n: int) -> dict[str, object]:
    body = "What happened, and what should have."
    return {"project": "BEN", "title": f"Created by the bench {n}", "body": body, "labels": ["ui"]}


_ECHOED = request("/echo", json.dumps({"project": "BEN", "limit": 50}).encode())


def _echo(_: int) -> bytes:
    return _ECHOED


def _require(found: Result, status: int) -> None:
    assert set(found.statuses) == {status}, found.statuses


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        port: int = sock.getsockname()[1]
        return port


def wait_for(port: int) -> None:
    """Until somebody listens there. Raises TimeoutError."""
    until = time.monotonic() + 20
    while time.monotonic() < until:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.05)
        else:
            return
    raise TimeoutError("the echo did not start")


def fdatasync_ms(folder: Path) -> float:
    """The median of 200 appends of 4 kB, each made durable: what one commit cannot be faster than."""
    times = []
    with (folder / "sync").open("wb", buffering=0) as file:
        for _ in range(200):
            started = time.perf_counter()
            file.write(b"x" * 4096)
            os.fdatasync(file.fileno())
            times.append(time.perf_counter() - started)
    return 1000 * statistics.median(times)


def number(arguments: list[str], name: str, default: int) -> int:
    """The number behind an option."""
    return int(arguments[arguments.index(name) + 1]) if name in arguments else default


def main(arguments: list[str]) -> None:
    """`http [--issues N] [--rounds N]`; 100,000 issues and 5 rounds unless given."""
    issues, rounds = number(arguments, "--issues", 100_000), number(arguments, "--rounds", 5)
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(Path(folder) / "data", issues, rounds)
        try:
            rows = bench.rows()
            print("\n".join(str(row) for row in rows))
            batch, mcp, sync = bench.batch(), bench.mcp(), fdatasync_ms(Path(folder))
        finally:
            bench.close()
    print(f"batch of 50 / 50 single creates, 1 connection: {batch:.1f} (goal 8)")
    print(f"MCP tools/call of a read / the same over REST: {mcp:.2f} (goal 0.35)")
    print(f"fdatasync of 4 kB: {sync:.2f} ms")
    print(
        json.dumps(
            {row.name: round(row.ratio, 3) for row in rows} | {"batch": round(batch, 1), "mcp": round(mcp, 3)}
        )
    )
