"""kill -9 while a whole backup is restored: at the next start the data are the old ones whole or the new ones whole.

python -m tests.bench restore --rounds 50

What was acknowledged before is in the data, in the safety copy, or in the file that is still to be packed.
"""

import argparse
import json
import random
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

from kbwork.contract.kbwork_client import Kbwork, KbworkError, KbworkProblem
from kbwork.db.archives import backup
from kbwork.db.archives.check import check
from tests.bench import kill

PASSWORD = "correct horse battery"
WRITERS = 2


class _Writers:
    """Make issues until the server is gone; what was acknowledged is known by its title."""

    def __init__(self, server: kill.Server, mark: str) -> None:
        self.acknowledged: list[str] = []
        self._stop = threading.Event()
        self._threads = [
            threading.Thread(target=self._write, args=(server, f"{mark}-{number}"))
            for number in range(WRITERS)
        ]
        for thread in self._threads:
            thread.start()

    def join(self) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join(timeout=60)
            assert not thread.is_alive()

    def _write(self, server: kill.Server, mark: str) -> None:
        with Kbwork(server.url, server.key) as client:
            client.retries = 0
            count = 0
            while not self._stop.is_set():
                count += 1
                title = f"{mark}-{count}"
                try:
                    client.issues.create(project="KIL", title=title)
                except KbworkProblem as problem:
                    assert problem.slug == "busy", problem  # noqa: PT017 - in a thread, where nothing is raised
                except KbworkError:
                    return
                else:
                    self.acknowledged.append(title)


def run(folder: Path, rounds: int, *, seed: int = 1, report: Any = print) -> dict[str, int]:
    """So many rounds; answers how they ended. Raises AssertionError at the first fault."""
    chance = random.Random(seed)
    data = folder / "data"
    key = kill.init(data)
    server = kill.serve(data, key)
    try:
        with Kbwork(server.url, key) as client:
            client.projects.create(key="KIL", name="Killed")
            client.issues.create(project="KIL", title="old")
            archive = client.call("backups.create", {})["id"]
        took_s = _whole(server, archive)
        ended = {"old": 0, "new": 0, "packed": 0}
        for number in range(rounds):
            writers = _Writers(server, str(number))
            job = _begin(server, archive)
            time.sleep(chance.random() * took_s * 1.2)
            server.kill()
            writers.join()
            how = _judge(data, job, writers.acknowledged)
            ended[how] += 1
            report(f"round {number + 1}: {how}, {len(writers.acknowledged)} acknowledged")
            server = kill.serve(data, key)
            _clear(server, data, number)
    finally:
        server.kill()
    return ended


def _clear(server: kill.Server, data: Path, number: int) -> None:
    """What was cut off would be taken up again, or refused, when its lease of a minute is over."""
    with Kbwork(server.url, server.key) as client:
        for job in client.call("jobs.list", {"kind": "backups.restore"}):
            if job["ended_at"] is None:
                client.call("jobs.cancel", {"id": job["id"]})
        client.issues.create(project="KIL", title=f"after {number}")
    for path in data.glob("kbwork-replaced-*"):
        path.unlink()


def _owner(server: kill.Server) -> Kbwork:
    with Kbwork(server.url, "") as nobody:
        found = nobody.call("auth.login", {"email": "ana@acme.example", "password": PASSWORD})
    return Kbwork(server.url, found["token"])


def _begin(server: kill.Server, archive: str) -> int:
    with _owner(server) as client:
        return int(client.call("backups.restore", {"id": archive})["job"])


def _whole(server: kill.Server, archive: str) -> float:
    """How long one takes, in seconds."""
    started = time.monotonic()
    job = _begin(server, archive)
    with Kbwork(server.url, server.key) as client:
        while client.call("jobs.get", {"id": job, "wait_seconds": 1})["ended_at"] is None:
            assert time.monotonic() < started + 60
    return time.monotonic() - started


def _judge(data: Path, job: int, acknowledged: list[str]) -> str:
    faults = list(check(data / "kbwork.db"))
    assert not faults, faults
    restored, titles = _look(data / "kbwork.db", job)
    if not restored:
        assert set(acknowledged) <= titles, "acknowledged writes are gone"
        return "old"
    assert "old" in titles
    late = set(acknowledged) - titles
    if any(_look(path, job)[1] >= late for path in data.glob("kbwork-replaced-*.db")):
        return "new"
    copies = sorted((data / "backups").glob("*-safety-*.zip"), key=lambda path: path.stat().st_mtime)
    backup.unpack(copies[-1], data / "seen.db")
    held = _look(data / "seen.db", job)[1]
    (data / "seen.db").unlink()
    assert late <= held, "acknowledged writes are in neither"
    return "packed"


def _look(path: Path, job: int) -> tuple[bool, set[str]]:
    """(whether these are the data that this job restored, titles)."""
    with backup.opened(path, write=True) as connection:
        found = connection.execute("select args from job where id = ?", (job,)).get
        titles = {title for (title,) in connection.execute("select title from issue")}
    return json.loads(found or "{}").get("step") == "keep", titles


def main(arguments: list[str]) -> None:
    """Prints a line a round, and a line of JSON."""
    parser = argparse.ArgumentParser(prog="restore")
    parser.add_argument("--rounds", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        found = run(Path(folder), given.rounds, seed=given.seed)
    print(json.dumps(found))
