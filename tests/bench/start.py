"""Start, memory and the command line: `python -m tests.bench start`."""

import json
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

from kbwork.contract.kbwork_client import Kbwork
from tests.bench import kill


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


def main(_: list[str]) -> None:
    """Prints a table and a line of JSON."""
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "data"
        key = kill.init(data)
        starts = []
        for _round in range(5):
            started = time.perf_counter()
            server = kill.serve(data, key)
            urllib.request.urlopen(f"{server.url}/healthz", timeout=5).read()
            starts.append(time.perf_counter() - started)
            server.kill()
        server = kill.serve(data, key)
        try:
            with Kbwork(server.url, key) as client:
                client.labels.list()
            body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}).encode()
            headers = {
                "Authorization": f"Bearer {key}",
                "Content-Type": "application/json",
                "Accept": "application/json, text/event-stream",
            }
            urllib.request.urlopen(
                urllib.request.Request(f"{server.url}/mcp", body, headers), timeout=20
            ).read()
            time.sleep(30)
            memory = pss_mib(server.process.pid)
        finally:
            server.kill()
    found = {
        "start to first answer, s": round(statistics.median(starts), 2),
        "PSS 30 s after start and one MCP call, MiB": round(memory),
        "kbwork --version, s": round(_seconds(["--version"]), 2),
        "kbwork issues list --help, s": round(_seconds(["issues", "list", "--help"]), 2),
    }
    for (name, value), goal in zip(found.items(), (1, 120, 0.3, 0.3), strict=True):
        print(f"{name:44} {value:8} (goal {goal})")
    print(json.dumps(found))
