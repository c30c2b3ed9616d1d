"""kill -9 under load: every acknowledged write exists once, the sequence never goes back, the file is sound.

python -m tests.bench kill --rounds 50
"""

import json
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

import apsw

from kbwork.contract.kbwork_client import Kbwork, KbworkError
from kbwork.db.archives.check import check

WRITERS = 8
_FOLLOWS = {
    "history": "select count(*) from issue i where not exists"
    " (select 1 from spell s where s.subject = 'issue:' || i.id and s.field = 'lane')",
    "words": "select count(*) from issue i join search_doc d on d.kind = 'issue' and d.ref = i.id"
    " where d.id not in (select id from search_text_docsize) and d.id not in (select id from search_waiting)",
    "records for undo": "select count(*) from issue i where not exists (select 1 from events e"
    " join undo u on u.seq = (select max(seq) from undo where seq <= e.seq) and u.last_seq >= e.seq"
    " where e.subject = 'issue:' || i.id)",
}
"""What follows from an issue, be it written already or waiting: how many have none."""
_START_S = 20


@dataclass
class Server:
    """`kbwork serve` as a process of its own."""

    folder: Path
    key: str
    port: int
    process: "subprocess.Popen[bytes]"

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(timeout=10)


@dataclass
class Tally:
    """What the writers know: titles and bodies that were acknowledged, and those that may or may not be there."""

    acknowledged: dict[str, str] = field(default_factory=dict)
    unknown: dict[str, dict[str, Any]] = field(default_factory=dict)
    last_seq: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)


def init(folder: Path) -> str:
    """Make a data folder; answers the owner's key."""
    key_file = folder.with_suffix(".key")
    command = [sys.executable, "-m", "kbwork", "init", "--data", str(folder), "--org", "Acme"]
    command += [
        "--email",
        "ana@acme.example",
        "--name",
        "Ana Lund",
        "--password-stdin",
        "--key-file",
        str(key_file),
    ]
    subprocess.run(command, input=b"correct horse battery\n", check=True, capture_output=True, timeout=60)
    return key_file.read_text().strip()


def serve(folder: Path, key: str, log: IO[bytes] | None = None, /, **environ: str) -> Server:
    """Start a server on a free port and wait until it answers; what it logs goes to where ours does, or to `log`."""
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        port = sock.getsockname()[1]
    command = [sys.executable, "-m", "kbwork", "serve", "--data", str(folder), "--port", str(port)]
    process = subprocess.Popen(
        command,
        env=os.environ | {"KBWORK_LIMITS_ENABLED": "false", "KBWORK_LOG_LEVEL": "error"} | environ,
        stdout=subprocess.DEVNULL,
        stderr=log,
    )
    until = time.monotonic() + _START_S
    while time.monotonic() < until:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            if process.poll() is not None:
                break
            time.sleep(0.005)
        else:
            return Server(folder, key, port, process)
    process.kill()
    raise TimeoutError(f"the server did not start (exit code {process.poll()})")


def run(folder: Path, rounds: int, *, seed: int = 1, report: Any = print) -> dict[str, int]:
    """So many rounds of load, kill, check and resend; answers the counts. Raises AssertionError at the first fault."""
    chance = random.Random(seed)
    key = init(folder)
    server = serve(folder, key)
    with Kbwork(server.url, key) as client:
        client.projects.create(key="KIL", name="Killed")
    tally = Tally()
    slowest_s = 0.0
    try:
        for number in range(rounds):
            _load(server, tally, 0.15 + chance.random() * 0.5)
            faults = list(check(folder / "kbwork.db"))
            assert not faults, faults
            started = time.monotonic()
            server = serve(folder, key)
            _resend(server, tally)
            slowest_s = max(slowest_s, time.monotonic() - started)
            _verify(server, tally)
            report(f"round {number + 1}: {len(tally.acknowledged)} acknowledged, seq {tally.last_seq}")
    finally:
        server.kill()
    return {
        "rounds": rounds,
        "acknowledged": len(tally.acknowledged),
        "ready_ms_worst": int(slowest_s * 1000),
    }


def _load(server: Server, tally: Tally, seconds: float) -> None:
    """Eight writers, then SIGKILL while they write."""
    threads = [threading.Thread(target=_write, args=(server, tally, number)) for number in range(WRITERS)]
    for thread in threads:
        thread.start()
    time.sleep(seconds)
    server.kill()
    for thread in threads:
        thread.join(timeout=30)
        assert not thread.is_alive()
    assert tally.acknowledged, "nobody wrote anything"


def _write(server: Server, tally: Tally, number: int) -> None:
    """Issues, comments and batches, each with a key of its own, until the server is gone."""
    client = Kbwork(server.url, server.key)
    client.retries = 0
    count = 0
    while True:
        count += 1
        mark = f"{os.urandom(6).hex()}-{number}-{count}"
        calls = [{"op": "issues.create", "input": {"project": "KIL", "title": mark, "body": mark * 20}}]
        if count % 5 == 0:
            calls.append({"op": "labels.save", "input": {"name": mark, "project": "KIL"}})
        with tally.lock:
            tally.unknown[mark] = {"ops": calls}
        try:
            client.call("api.batch", {"ops": calls}, idempotency_key=mark)
        except (KbworkError, OSError):
            return
        with tally.lock:
            tally.acknowledged[mark] = mark * 20
            del tally.unknown[mark]
            tally.last_seq = max(tally.last_seq, client.last_seq or 0)


def _resend(server: Server, tally: Tally) -> None:
    """What got no answer is sent again under its key, and is there once afterwards."""
    with Kbwork(server.url, server.key) as client:
        before = client.call("api.changes", {"since": 0, "limit": 1})
        assert before is not None
        assert (client.last_seq or 0) >= tally.last_seq, "the sequence went back"
        for mark, body in list(tally.unknown.items()):
            client.call("api.batch", body, idempotency_key=mark)
            tally.acknowledged[mark] = mark * 20
            del tally.unknown[mark]
        tally.last_seq = max(tally.last_seq, client.last_seq or 0)


def _verify(server: Server, tally: Tally) -> None:
    """Every acknowledged issue is there once, whole; every event has a number of its own, without gaps."""
    connection = apsw.Connection(str(server.folder / "kbwork.db"), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        found: dict[str, list[str]] = {}
        for title, body in connection.execute("select title, body from issue"):
            found.setdefault(title, []).append(body)
        assert {title: [body] for title, body in tally.acknowledged.items()} == found
        count, last = connection.execute("select count(*), max(seq) from events").fetchall()[0]
        assert count == last, f"{count} events, the last is {last}"
        for what, sql in _FOLLOWS.items():
            assert connection.execute(sql).get == 0, f"issues without {what}"
    finally:
        connection.close()
    with Kbwork(server.url, server.key) as client:
        for mark in random.sample(sorted(tally.acknowledged), min(5, len(tally.acknowledged))):
            hits = client.call("search.query", {"q": mark.partition("-")[0], "kinds": ["issue"]})
            assert len(hits["items"]) == 1, f"{mark} is not found"


def main(arguments: list[str]) -> None:
    """`kill [--rounds N]`."""
    rounds = int(arguments[arguments.index("--rounds") + 1]) if "--rounds" in arguments else 50
    with tempfile.TemporaryDirectory() as folder:
        print(json.dumps(run(Path(folder) / "data", rounds)))
