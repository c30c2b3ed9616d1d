"""Backups taken while eight callers write, each put back into a clean folder and asked.

python -m tests.bench backups --rounds 20

python -m tests.bench backups --size-gb 1

Of each: it opens and is sound, holds every write that was acknowledged before it began, and answers as the server does.
"""

import argparse
import hashlib
import json
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

from kbwork.contract.kbwork_client import Kbwork
from kbwork.db.archives import backup
from tests.bench import grow, kill

WRITERS = 8
READS = 50
_PAUSE_S = 0.02
GOAL_S = 60.0
"""For a gigabyte into a clean folder."""
_FILE_BYTES = 1_000_000


class Load:
    """Callers who make issues, one after the other, until they are stopped; times in seconds."""

    def __init__(self, server: kill.Server) -> None:
        self._server = server
        self._stop = threading.Event()
        self._lock = threading.Lock()
        self.keys: list[str] = []
        self.times: list[float] = []
        self._threads = [threading.Thread(target=self._write) for _ in range(WRITERS)]

    def __enter__(self) -> "Load":
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join(timeout=60)

    def known(self) -> list[str]:
        with self._lock:
            return list(self.keys)

    def taken_ms(self, share: float) -> float:
        """So late were writes since this was asked last."""
        with self._lock:
            ordered, self.times = sorted(self.times), []
        return 1000 * ordered[min(len(ordered) - 1, int(len(ordered) * share))] if ordered else 0.0

    def _write(self) -> None:
        with Kbwork(self._server.url, self._server.key) as client:
            while not self._stop.is_set():
                started = time.perf_counter()
                key = client.issues.create(project="WRI", title="Written meanwhile", body="text " * 50)["key"]
                with self._lock:
                    self.keys.append(key)
                    self.times.append(time.perf_counter() - started)
                self._stop.wait(_PAUSE_S)


def run(folder: Path, rounds: int, issues: int) -> dict[str, float]:
    """So many backups; answers the figures. Raises AssertionError at the first fault."""
    data = folder / "data"
    key = kill.init(data)
    server = kill.serve(data, key)
    with Kbwork(server.url, key) as client:
        for project in ("OLD", "WRI"):
            client.projects.create(key=project, name=project)
    server.kill()
    grower = grow.Grower(data, random.Random(1))
    grower.grow_to(issues)
    grower.close()
    server = kill.serve(data, key)
    asked = _reads(issues)
    figures: dict[str, list[float]] = {name: [] for name in ("take_s", "restore_s", "late_ms")}
    try:
        with Kbwork(server.url, key) as client, Load(server) as load:
            before = [client.call(op, args) for op, args in asked]
            time.sleep(5)
            alone_ms = load.taken_ms(0.99)
            for number in range(rounds):
                known = load.known()
                load.taken_ms(0.99)
                started = time.perf_counter()
                made = client.call("backups.create", {})
                figures["take_s"].append(time.perf_counter() - started)
                figures["late_ms"].append(load.taken_ms(0.99))
                archive = data / "backups" / f"{made['id']}.zip"
                figures["restore_s"].append(_put_back(archive, folder / "clean", known))
                _ask(folder / "clean", key, asked, before)
                shutil.rmtree(folder / "clean")
                client.call("backups.delete", {"id": made["id"]})
                print(
                    f"round {number + 1}: {len(known)} acknowledged, taken in {figures['take_s'][-1]:.1f} s,"
                    f" put back in {figures['restore_s'][-1]:.1f} s, writers' p99 {figures['late_ms'][-1]:.0f} ms"
                )
    finally:
        server.kill()
    size_mb = (data / "kbwork.db").stat().st_size / 1_000_000
    found = {name: round(statistics.median(values), 2) for name, values in figures.items()}
    return {"rounds": rounds, "file_mb": round(size_mb), "alone_p99_ms": round(alone_ms, 1)} | found


def _put_back(archive: Path, clean: Path, known: list[str]) -> float:
    started = time.perf_counter()
    command = [sys.executable, "-m", "kbwork", "restore", str(archive), "--data", str(clean)]
    subprocess.run(command, check=True, capture_output=True, timeout=600)
    took_s = time.perf_counter() - started
    with backup.opened(clean / "kbwork.db") as connection:
        held = {
            f"{key}-{number}"
            for key, number in connection.execute(
                "select p.key, i.number from issue i join project p on p.id = i.project where p.key = 'WRI'"
            )
        }
    lost = set(known) - held
    assert not lost, f"{len(lost)} acknowledged writes are not in it"
    return took_s


def _ask(clean: Path, key: str, asked: list[tuple[str, dict[str, Any]]], before: list[Any]) -> None:
    server = kill.serve(clean, key)
    try:
        with Kbwork(server.url, key) as client:
            for (op, args), answer in zip(asked, before, strict=True):
                assert client.call(op, args) == answer, (op, args)
    finally:
        server.kill()


def _reads(issues: int) -> list[tuple[str, dict[str, Any]]]:
    """Of what nobody changes meanwhile."""
    chance = random.Random(2)
    asked: list[tuple[str, dict[str, Any]]] = [("labels.list", {}), ("projects.templates", {})]
    while len(asked) < READS:
        ident = chance.randrange(issues) + 1
        asked += [("issues.get", {"key": f"issue:{ident}"}), ("comments.list", {"subject": f"issue:{ident}"})]
    return asked


def put_back(folder: Path, size_gb: float) -> dict[str, float]:
    """A file of this size, two thirds of it rows and their indexes and the rest attachments, backed up and put back.

    Once into a clean folder, once where data of the same size lie, which go into a safety copy first.
    """
    data = folder / "data"
    key = kill.init(data)
    server = kill.serve(data, key)
    with Kbwork(server.url, key) as client:
        client.projects.create(key="OLD", name="OLD")
    server.kill()
    _fill(data, int(size_gb * 1_000_000_000))
    archive = folder / "archive.zip"
    figures: dict[str, float] = {"file_mb": round((data / "kbwork.db").stat().st_size / 1_000_000)}
    figures["take_s"] = _timed("backup", "--data", data, archive)
    figures["archive_mb"] = round(archive.stat().st_size / 1_000_000)
    figures["restore_clean_s"] = _timed("restore", archive, "--data", folder / "clean")
    shutil.rmtree(folder / "clean")
    figures["restore_over_s"] = _timed("restore", archive, "--data", data)
    assert figures["restore_clean_s"] <= GOAL_S * max(1.0, size_gb), figures
    return figures


def _fill(data: Path, size: int) -> None:
    chance = random.Random(1)
    grower = grow.Grower(data, chance)
    issues = 0
    while (data / "kbwork.db").stat().st_size < size * 2 // 3:
        issues += 20_000
        grower.grow_to(issues)
    grower.close()
    with backup.opened(data / "kbwork.db", write=True) as connection:
        left = size - (data / "kbwork.db").stat().st_size
        for _ in range(left // _FILE_BYTES):
            content = chance.randbytes(_FILE_BYTES)
            connection.execute(
                "insert into blob (hash, size, bytes) values (?, ?, ?)",
                (hashlib.sha256(content).digest(), len(content), content),
            )


def _timed(*argv: str | Path) -> float:
    started = time.perf_counter()
    command = [sys.executable, "-m", "kbwork", *map(str, argv)]
    subprocess.run(command, check=True, capture_output=True, timeout=1800)
    took_s = round(time.perf_counter() - started, 1)
    print(f"{argv[0]}: {took_s} s", flush=True)
    return took_s


def main(arguments: list[str]) -> None:
    """Prints a line a round, and a line of JSON."""
    parser = argparse.ArgumentParser(prog="backups")
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--issues", type=int, default=20_000)
    parser.add_argument("--size-gb", type=float, help="Instead: put one backup of a file of this size back.")
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        if given.size_gb is not None:
            found = put_back(Path(folder), given.size_gb)
        else:
            found = run(Path(folder), given.rounds, given.issues)
    print(json.dumps(found))
