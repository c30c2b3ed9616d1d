"""The replica with the real Litestream: what was acknowledged comes back after each fault.

python -m tests.bench dist --engine /path/to/litestream
python -m tests.bench dist --engine /path/to/litestream --rounds 20 [--store /path/to/weed] [--only "split brain"]

With rounds each fault comes at a random moment under load, so often, and what is lost is counted.

Without the program (`pip install 'kbwork[replica]'`) it says so and does nothing.
"""

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

from kbwork.contract.kbwork_client import Kbwork
from tests.bench import failover, kill

FAULTS = ("none", "kill -9 of the engine", "kill -9 of the server", "the place emptied")
_PATIENCE_S = 40
_CALM_S = 6
"""The place is looked at each five seconds."""


def main(argv: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench dist")
    parser.add_argument("--engine", default=shutil.which("litestream"))
    parser.add_argument("--writes", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=0, help="so many of each fault, under load")
    parser.add_argument("--store", help="the program of SeaweedFS; a folder is the place without")
    parser.add_argument("--away", type=float, default=60.0, help="so many seconds the store is away")
    parser.add_argument("--only", default="", help="those with this in the name")
    asked = parser.parse_args(argv)
    if asked.engine is None:
        print("skipped: there is no Litestream here; pip install 'kbwork[replica]', or name it by --engine")
        return
    if asked.rounds:
        with tempfile.TemporaryDirectory(prefix="kbwork-dist-") as name:
            found = failover.run(
                Path(name), asked.engine, asked.store, rounds=asked.rounds, away_s=asked.away, only=asked.only
            )
        print(json.dumps({row.name: {"lost": row.lost, "doubled": row.doubled} for row in found}))
        raise SystemExit(1 if any(row.faults or row.doubled for row in found) else 0)
    with tempfile.TemporaryDirectory(prefix="kbwork-dist-") as name:
        rows = _run(Path(name), asked.engine, asked.writes)
    for fault, seconds, said in rows:
        print(f"{fault:24} {seconds:6.1f} s  {said}")
    print(json.dumps({fault: round(seconds, 1) for fault, seconds, _ in rows}))


def _run(root: Path, engine: str, writes: int) -> list[tuple[str, float, str]]:
    """(fault, when all was in the place, what the trial said) of each."""
    folder, place = root / "data", root / "place"
    place.mkdir()
    environ = {"KBWORK_REPLICATE_TO": str(place), "KBWORK_REPLICATE_ENGINE": engine}
    key = kill.init(folder)
    server = kill.serve(folder, key, **environ)
    rows = []
    try:
        with Kbwork(server.url, key) as client:
            client.projects.create(key="DIS", name="Far away")
        for fault in FAULTS:
            _write(server, writes)
            caught_up(server)
            if fault == FAULTS[1]:
                os.kill(int((folder / "replica.lock").read_text()), signal.SIGKILL)
            elif fault == FAULTS[2]:
                server.kill()
                server = kill.serve(folder, key, **environ)
            elif fault == FAULTS[3]:
                shutil.rmtree(place)
                place.mkdir()
            _write(server, writes)
            rows.append((fault, caught_up(server), _tried(folder, environ)))
    finally:
        server.process.terminate()
        server.process.wait(timeout=30)
    return rows


def _write(server: kill.Server, writes: int) -> None:
    with Kbwork(server.url, server.key) as client:
        for number in range(writes):
            client.issues.create(project="DIS", title=f"Number {number}")


def caught_up(server: kill.Server, patience_s: float = _PATIENCE_S) -> float:
    """Seconds until nothing waited any more, and stayed so."""
    began = calm_since = time.monotonic()
    while time.monotonic() - began < patience_s:
        with urllib.request.urlopen(f"{server.url}/readyz", timeout=5) as answer:
            if json.load(answer)["replica_age_seconds"] > 0:
                calm_since = time.monotonic()
        if time.monotonic() - calm_since > _CALM_S:
            return calm_since - began
        time.sleep(0.1)
    raise TimeoutError("the replica did not catch up")


def _tried(folder: Path, environ: dict[str, str]) -> str:
    told = os.environ | environ | {"KBWORK_SERVER_DATA": str(folder)}
    command = [sys.executable, "-m", "kbwork", "replica", "drill"]
    ran = subprocess.run(command, env=told, capture_output=True, text=True, timeout=120, check=False)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout.strip()
