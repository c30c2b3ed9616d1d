"""Start, memory and the command line: `python -m tests.bench start [--issues N] [--rest S]`."""

import argparse
import itertools
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

from kbwork.contract.kbwork_client import Kbwork
from tests.bench import kill

_ROUNDS = 7
_BATCH = 50
_LISTS = 1000
_CALLS = 5000
Row = tuple[str, float, float | None]
"""What was measured, what was found, and the goal where there is one."""


def _seconds(command: list[str]) -> float:
    """Median wall time of five runs."""
    times = []
    for _ in range(5):
        started = time.perf_counter()
        subprocess.run(
            [sys.executable, "-m", "kbwork", *command], check=True, capture_output=True, timeout=30
        )
        times.append(time.perf_counter() - started)
    return statistics.median(times)


def pss_mib(pid: int) -> float:
    """What a process holds of memory, its share of what it shares."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1024


def _cpu_s(pid: int) -> float:
    """The time that all threads of a process have run."""
    threads = Path(f"/proc/{pid}/task").iterdir()
    return sum(int((thread / "schedstat").read_text().split()[0]) for thread in threads) / 1e9


def _starts(data: Path, key: str) -> Iterator[Row]:
    """From the start of the process to the first answer, in the time of the clock and of the processor."""
    walls, cpus = [], []
    for number in range(_ROUNDS + 1):
        started = time.perf_counter()
        server = kill.serve(data, key)
        urllib.request.urlopen(f"{server.url}/healthz", timeout=5).read()
        wall, cpu = time.perf_counter() - started, _cpu_s(server.process.pid)
        server.kill()
        if number:  # the first one compiles what was not compiled
            walls.append(wall)
            cpus.append(cpu)
    yield "start to first answer, s", round(statistics.median(walls), 2), 0.45
    yield "the same, s of CPU", round(statistics.median(cpus), 2), 0.45


def _memory(data: Path, key: str, issues: int, rest_s: float) -> Iterator[Row]:
    """What one server holds after each sort of work, in MiB."""
    server = kill.serve(data, key)
    try:
        yield "PSS after start, MiB", pss_mib(server.process.pid), None
        with Kbwork(server.url, key) as client:
            for name, work in _phases(client, issues):
                work()
                yield f"... after {name}", pss_mib(server.process.pid), None
            time.sleep(rest_s)
            yield f"... {rest_s:.0f} s later", pss_mib(server.process.pid), 130
            _ask_mcp(server)
            yield "... after a call over MCP", pss_mib(server.process.pid), None
    finally:
        server.kill()


def _phases(client: Kbwork, issues: int) -> Iterator[tuple[str, Callable[[], None]]]:
    """Each sort of work, by name. No input comes twice where the answer would be kept."""

    def make() -> None:
        """Four of five in batches."""
        client.projects.create(key="BEN", name="Bench")
        client.labels.save(name="bug")
        for start in range(0, issues * 4 // 5, _BATCH):
            calls = [{"op": "issues.create", "input": _issue(n)} for n in range(start, start + _BATCH)]
            client.call("api.batch", {"ops": calls})
        for number in range(issues // 5):
            client.call("issues.create", _issue(number), idempotency_key=f"bench-{number}")

    def read() -> None:
        for number in range(issues):
            client.call("issues.get", {"key": f"BEN-{number + 1}"})

    def look() -> None:
        """By pages, with limits that make each of them another one."""
        cursor = None
        limits = itertools.cycle(range(41, 60))
        for _ in range(_LISTS):
            page = client.call("issues.list", {"project": "BEN", "limit": next(limits), "cursor": cursor})
            cursor = page["next"]

    def call() -> None:
        for number in range(_CALLS):
            client.call("labels.list", {"q": f"b{number}"})

    yield f"{issues:,} issues were made", make
    yield "each was read once", read
    yield f"{_LISTS:,} lists of fifty", look
    yield f"{_CALLS:,} small calls", call


def _issue(number: int) -> dict[str, object]:
    return {
        "project": "BEN",
        "title": f"Issue number {number} about something",
        "body": "Some words of a body. " * 10,
        "labels": ["bug"],
        "priority": "high",
    }


def _ask_mcp(server: kill.Server) -> None:
    """List the tools: the first such call imports the package."""
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}).encode()
    headers = {
        "Authorization": f"Bearer {server.key}",
        "Content-Type": "application/json",
        "Accept": "application/json, text/event-stream",
    }
    urllib.request.urlopen(urllib.request.Request(f"{server.url}/mcp", body, headers), timeout=20).read()


def main(argv: list[str]) -> None:
    """Prints a table and a line of JSON."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench start")
    parser.add_argument("--issues", type=int, default=10_000)
    parser.add_argument("--rest", type=float, default=30)
    options = parser.parse_args(argv)
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # else every start compiles all that it imports
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "data"
        key = kill.init(data)
        for name, value, goal in itertools.chain(
            _starts(data, key),
            _memory(data, key, options.issues, options.rest),
            (
                (f"kbwork {' '.join(words)}, s", round(_seconds(words), 2), 0.15)
                for words in (["--version"], ["issues", "list", "--help"])
            ),
        ):
            found[name] = round(value, 2)
            print(f"{name:44} {value:8.2f} {f'(goal {goal})' if goal else ''}".rstrip(), flush=True)
    print(json.dumps(found))
