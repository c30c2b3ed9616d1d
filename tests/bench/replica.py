"""What a replica costs those who write, and how long data take to come back from it.

python -m tests.bench replica --engine /path/to/litestream [--store /path/to/weed] [--rates 200 600] [--seconds 20]
    [--issues 300000]

Two servers on this machine, one with a replica, take issues in turns, so many a second; each is due at its time and
waits from then on. Times in ms; what is restored, in seconds for each GB of the data file: of those data, or of other
ones with so many issues.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from functools import partial
from pathlib import Path

from kbwork.contract.kbwork_client import Kbwork
from tests.bench import kill
from tests.bench.dist import caught_up
from tests.bench.grow import Grower, founded
from tests.bench.load import Result, paced, request
from tests.bench.store import StoredPlace

_TURNS = 7
_WARM_S = 3.0
_FILLED_S = 300.0
_SHARES = {"p50": 0.5, "p99": 0.99, "worst": 1.0}
_BODY = "What happened, and what should have. " * 60


def main(argv: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench replica", description=__doc__)
    parser.add_argument("--engine", required=True, help="the program of Litestream")
    parser.add_argument("--store", help="the program of SeaweedFS; a folder is the place without")
    parser.add_argument("--rates", type=int, nargs="+", default=[200, 600], help="writes a second")
    parser.add_argument("--seconds", type=float, default=10.0, help="of each turn")
    parser.add_argument("--issues", type=int, default=0, help="what is restored has so many")
    asked = parser.parse_args(argv)
    with tempfile.TemporaryDirectory(prefix="kbwork-replica-") as name:
        found = _run(Path(name), asked)
    print(json.dumps({key: round(value, 2) for key, value in found.items()}))


def _run(root: Path, asked: argparse.Namespace) -> dict[str, float]:
    place, rates = StoredPlace(root, asked.store), asked.rates
    place.begin("replica")
    environ = {**place.settings(cut=False), "KBWORK_REPLICATE_ENGINE": asked.engine}
    servers = {"without": _served(root / "without", {}), "with": _served(root / "with", environ)}
    found: dict[str, float] = {}
    try:
        for server in servers.values():
            paced(server.port, partial(_create, server.key), rate=rates[0], seconds=_WARM_S)
        for rate in rates:
            found |= _compared(servers, rate, asked.seconds)
        if asked.issues:
            place.begin("large")
            environ |= place.settings(cut=False)
            servers["large"] = _grown(root / "large", asked.issues, environ)
        last = servers["large" if asked.issues else "with"]
        last.process.terminate()  # all of it is in the place then
        last.process.wait(timeout=60)
        found |= _restored(root, last.folder, environ)
    finally:
        for server in servers.values():
            server.kill()
        place.close()
    return found


def _served(folder: Path, environ: dict[str, str]) -> kill.Server:
    key = kill.init(folder)
    server = kill.serve(folder, key, None, **environ)
    with Kbwork(server.url, key) as client:
        client.projects.create(key="REP", name="Copied")
    return server


def _grown(folder: Path, issues: int, environ: dict[str, str]) -> kill.Server:
    """Serve data with so many issues until all of them are in the place."""
    key = founded(folder).owner
    grower = Grower(folder, random.Random(issues))
    grower.grow_to(issues)
    grower.close()
    server = kill.serve(folder, key, None, **environ)
    try:
        caught_up(server, _FILLED_S)
    except BaseException:
        server.kill()
        raise
    return server


def _compared(servers: dict[str, kill.Server], rate: int, seconds: float) -> dict[str, float]:
    """The median of the turns, and how many times as long it takes with a replica."""
    late: dict[str, list[float]] = {name: [] for name in servers}
    for turn in range(_TURNS):
        for name, server in servers.items():
            result = paced(server.port, partial(_create, server.key), rate=rate, seconds=seconds)
            assert set(result.statuses) == {200}, result.statuses
            late[name].append(result.percentile_ms(0.99))
            print(f"{rate:5}/s  turn {turn + 1}  {name:<8} {_shown(result)}")
    middle = {name: sorted(p99)[_TURNS // 2] for name, p99 in late.items()}
    return {
        f"{rate}_p99_without": middle["without"],
        f"{rate}_p99_with": middle["with"],
        f"{rate}_p99_times": middle["with"] / middle["without"],
    }


def _shown(result: Result) -> str:
    at = "  ".join(f"{name} {result.percentile_ms(share):7.1f}" for name, share in _SHARES.items())
    return f"{result.rate:6.0f}/s  {at} ms"


def _restored(root: Path, folder: Path, environ: dict[str, str]) -> dict[str, float]:
    size = (folder / "kbwork.db").stat().st_size / 1e9
    began = time.monotonic()
    words = [sys.executable, "-m", "kbwork", "replica", "restore", "--to", str(root / "restored")]
    ran = subprocess.run(words, env=os.environ | environ, check=False, capture_output=True, timeout=600)
    took = time.monotonic() - began
    assert ran.returncode == 0, ran.stderr.decode()
    return {"restore_gb": size, "restore_s": took, "restore_s_per_gb": took / size}


def _create(key: str, number: int) -> bytes:
    body = {"project": "REP", "title": f"Number {number}", "body": _BODY}
    return request("/api/v1/issues.create", json.dumps(body).encode(), key)
