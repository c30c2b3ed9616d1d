"""Webhooks under load: events written and told in a second, and nothing lost where the server is killed in between.

python -m tests.bench webhooks --seconds 5 --hooks 4 --kills 10
"""

import argparse
import json
import random
import tempfile
import threading
import time
from collections import defaultdict
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import apsw

from kbwork.contract.kbwork_client import Kbwork
from tests.bench import kill, writers

_TIMEOUT_S = 120
_KILLED_AFTER_S = (0.3, 1.6)


class Takers:
    """Receivers of many webhooks on one port: each path keeps (delivery, sequence numbers) as they came."""

    def __init__(self) -> None:
        self.came: dict[str, list[tuple[str, list[int]]]] = defaultdict(list)
        takers = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                told = self.headers["X-Kb-Delivery"], [event["seq"] for event in body["events"]]
                takers.came[self.path].append(told)
                self.send_response(204)
                self.end_headers()

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        class Server(ThreadingHTTPServer):
            request_queue_size = 128
            daemon_threads = True

            def handle_error(self, *_: object) -> None:
                """Who sends is killed now and then."""

        self._server = Server(("127.0.0.1", 0), Handler)
        self.place = f"127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()

    def number(self) -> int:
        return sum(len(told) for told in self.came.values())

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


def run(folder: Path, seconds: float, *, hooks: int = 4, kills: int = 0, seed: int = 1) -> dict[str, float]:
    """So much load; answers the figures. Raises AssertionError where an event is lost, or an id tells two things."""
    chance, takers = random.Random(seed), Takers()
    key = kill.init(folder)
    environ = {"KBWORK_OUTBOUND_ALLOW": takers.place}
    server = kill.serve(folder, key, **environ)
    try:
        with Kbwork(server.url, key) as client:
            client.projects.create(key="HKS", name="Hooked")
        quiet = writers.written(server, "HKS", seconds)
        with Kbwork(server.url, key) as client:
            for number in range(hooks):
                saved = {"name": f"Hook {number}", "url": f"http://{takers.place}/{number}"}
                client.call("webhooks.save", saved | {"events": ["issue.*"]})
            since = client.last_seq or 0
        begun = time.monotonic()
        written = writers.written(server, "HKS", seconds)
        _wait(takers, folder, since, hooks)
        told_s = takers.number() / (time.monotonic() - begun)
        for _ in range(kills):
            writers.killed(server, "HKS", chance.uniform(*_KILLED_AFTER_S))
            server = kill.serve(folder, key, **environ)
        _wait(takers, folder, since, hooks)
    finally:
        server.kill()
        takers.close()
    return {
        "events a second without webhooks": quiet / seconds,
        f"events a second with {hooks}": written / seconds,
        "deliveries a second": told_s,
        **_judge(takers, _stored(folder, since), hooks),
    }


def _stored(folder: Path, since: int) -> list[int]:
    """The events that were to be told."""
    found: list[int] = []
    with apsw.Connection(str(folder / "kbwork.db")) as data:
        rows = data.execute(
            "select seq from events where seq > ? and kind glob 'issue.*' order by seq", (since,)
        )
        found += [int(seq) for (seq,) in rows]
    return found


def _wait(takers: Takers, folder: Path, since: int, hooks: int) -> None:
    """Until each receiver was told of all that there is."""
    expected, until = set(_stored(folder, since)), time.monotonic() + _TIMEOUT_S
    for number in range(hooks):
        while True:
            came = {seq for _, seqs in list(takers.came[f"/{number}"]) for seq in seqs}
            if expected <= came:
                break
            assert time.monotonic() < until, f"hook {number} misses {len(expected - came)} events"
            time.sleep(0.05)


def _judge(takers: Takers, expected: list[int], hooks: int) -> dict[str, float]:
    """Each event came to each, for the first time in its order; an id always told the same."""
    again = 0
    for number in range(hooks):
        told: dict[str, list[int]] = {}
        first: list[int] = []
        for delivery, seqs in takers.came[f"/{number}"]:
            assert told.setdefault(delivery, seqs) == seqs, "an id told two things"
            again += seqs[0] in first[-200:]
            if not first or seqs[-1] > first[-1]:
                first += seqs
        every = [seq for seqs in told.values() for seq in seqs]
        assert sorted(every) == expected, "an event is lost, or was told under two ids"
        assert first == expected, "the order is another one"
    return {"events": len(expected), "told again": again}


def main(argv: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench webhooks")
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--hooks", type=int, default=4)
    parser.add_argument("--kills", type=int, default=0)
    args = parser.parse_args(argv)
    with tempfile.TemporaryDirectory() as folder:
        found = run(Path(folder) / "data", args.seconds, hooks=args.hooks, kills=args.kills)
    for name, value in found.items():
        print(f"{name:36}{value:12,.1f}")
    print(json.dumps(found))
