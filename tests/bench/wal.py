"""Writes while another program reads one snapshot and does not let go: how the WAL grows, and how late writes are.

python -m tests.bench wal --seconds 600
"""

import json
import tempfile
import threading
import time
from pathlib import Path

import apsw

from kbwork.contract.kbwork_client import Kbwork
from tests.bench import kill
from tests.bench.load import Result, burst, request

_CONNECTIONS = 8
_SLICE_S = 5.0
_MB = 1024 * 1024


def run(folder: Path, seconds: float) -> dict[str, float]:
    """Write without the reader, with it for so many seconds, and after it; times in ms, sizes in MB."""
    key = kill.init(folder)
    server = kill.serve(folder, key, KBWORK_LOG_LEVEL="warning")
    found: dict[str, float] = {}
    try:
        with Kbwork(server.url, key) as client:
            client.projects.create(key="WAL", name="Growing")
        found |= _shown("alone", _slices(server, key, 2 * _SLICE_S, folder))
        reader = apsw.Connection(str(folder / "kbwork.db"), flags=apsw.SQLITE_OPEN_READONLY)
        reader.execute("begin")
        reader.execute("select count(*) from issue").get  # noqa: B018 - the snapshot begins with the first read
        held = _slices(server, key, seconds, folder)
        found |= _shown("held", held)
        reader.execute("rollback")
        reader.close()
        found |= _shown("after", _slices(server, key, 2 * _SLICE_S, folder))
        found["wal_mb_at_the_end"] = round(_wal_mb(folder), 1)
    finally:
        server.kill()
    return found


def _slices(server: kill.Server, key: str, seconds: float, folder: Path) -> tuple[Result, float]:
    """One result of many bursts, and the largest WAL between and in them."""
    whole = Result(0.0)
    largest = 0.0
    done = threading.Event()

    def watch() -> None:
        nonlocal largest
        while not done.wait(0.1):
            largest = max(largest, _wal_mb(folder))

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            part = burst(
                server.port,
                lambda n: _create(key, n),
                connections=_CONNECTIONS,
                seconds=min(_SLICE_S, seconds),
            )
            whole.seconds += part.seconds
            whole.latencies_s += part.latencies_s
            for status, count in part.statuses.items():
                whole.statuses[status] = whole.statuses.get(status, 0) + count
            print(
                f"{part.rate:7.0f}/s  p99 {part.percentile_ms(0.99):8.1f} ms  worst {part.percentile_ms(1):8.1f} ms"
                f"  WAL {_wal_mb(folder):7.1f} MB  {part.statuses}"
            )
    finally:
        done.set()
        watcher.join()
    return whole, largest


def _create(key: str, number: int) -> bytes:
    body = {
        "project": "WAL",
        "title": f"Number {number}",
        "body": "What happened, and what should have. " * 60,
    }
    return request("/api/v1/issues.create", json.dumps(body).encode(), key)


def _shown(name: str, of: tuple[Result, float]) -> dict[str, float]:
    found, largest = of
    assert set(found.statuses) == {200}, found.statuses
    return {
        f"{name}_writes": len(found.latencies_s),
        f"{name}_p99_ms": round(found.percentile_ms(0.99), 1),
        f"{name}_worst_ms": round(found.percentile_ms(1), 1),
        f"{name}_wal_mb": round(largest, 1),
    }


def _wal_mb(folder: Path) -> float:
    wal = folder / "kbwork.db-wal"
    return wal.stat().st_size / _MB if wal.exists() else 0.0


def main(arguments: list[str]) -> None:
    """`wal [--seconds N]`; ten minutes unless given."""
    seconds = float(arguments[arguments.index("--seconds") + 1]) if "--seconds" in arguments else 600.0
    with tempfile.TemporaryDirectory() as folder:
        print(json.dumps(run(Path(folder) / "data", seconds)))
