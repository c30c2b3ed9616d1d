"""What a client that keeps issues asks: a snapshot, what it costs to have one already, deltas, and rows on its stream.

python -m tests.bench sync --open 5000

Beside it stands what the same issues cost by `issues.list`, a page of 200 after another. Bytes are those of bodies as
they go over the wire, packed by Brotli, as a browser asks for them over https.
"""

import argparse
import gzip
import http.client
import json
import random
import statistics
import tempfile
import threading
import time
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import apsw
import brotli

from kbwork.contract.kbwork_client import Kbwork
from tests.bench import kill
from tests.bench.grow import Grower, founded

_DELTAS = 50
_CHANGES = 100


class Line:
    """One connection that takes packed answers."""

    def __init__(self, url: str, token: str) -> None:
        self._http = http.client.HTTPConnection(urlsplit(url).netloc, timeout=60)
        self._head = {
            "Authorization": f"Bearer {token}",
            "Content-Type": "application/json",
            "Accept-Encoding": "gzip, br",
        }

    def call(self, op: str, **value: Any) -> tuple[Any, int, float]:
        """(answer, bytes on the wire, seconds)."""
        started = time.perf_counter()
        self._http.request("POST", f"/api/v1/{op}", json.dumps(value), self._head)
        answer = self._http.getresponse()
        body = answer.read()
        took = time.perf_counter() - started
        text = _unpacked(body, answer.getheader("content-encoding"))
        assert answer.status == 200, text
        return json.loads(text), len(body), took


def _unpacked(body: bytes, coding: str | None) -> bytes:
    if coding == "br":
        found: bytes = brotli.decompress(body)
        return found
    return gzip.decompress(body) if coding == "gzip" else body


def pages(line: Line, op: str, cursor: str, **value: Any) -> tuple[list[Any], int, float]:
    """All pages: (answers, bytes, seconds)."""
    found, size, took = [], 0, 0.0
    more: dict[str, Any] = {}
    while True:
        answer, one_size, one_took = line.call(op, **value, **more)
        found.append(answer)
        size, took = size + one_size, took + one_took
        if answer[cursor] is None:
            return found, size, took
        more = {"cursor": answer[cursor]}


def late_ms(url: str, token: str, since: int, keys: list[str]) -> list[float]:
    """How late a change of each of these stands on a stream of rows, counted from before its call."""
    stream = http.client.HTTPConnection(urlsplit(url).netloc, timeout=60)
    stream.request(
        "GET", f"/api/v1/stream?rows=1&since={since}", headers={"Authorization": f"Bearer {token}"}
    )
    lines = stream.getresponse()
    heard: dict[str, float] = {}
    made: dict[str, float] = {}
    done = threading.Event()

    def listen() -> None:
        while line := lines.readline():
            if line.startswith(b"data: ") and b'"upserts"' in line:
                now, text = time.perf_counter(), line.decode()
                heard.update(
                    (title, now) for title in list(made) if title not in heard and f'"{title}"' in text
                )
                if len(heard) == len(keys):
                    done.set()
                    return

    thread = threading.Thread(target=listen, daemon=True)
    thread.start()
    with Kbwork(url, token) as client:
        for number, key in enumerate(keys):
            title = f"changed {number} of these"
            made[title] = time.perf_counter()
            client.issues.update(key=key, title=title)
    assert done.wait(30), f"{len(heard)} of {len(keys)} were heard of"
    stream.close()
    return [1000 * (heard[title] - began) for title, began in made.items()]


def main(argv: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench sync")
    parser.add_argument("--open", type=int, default=5000, help="issues that are not done")
    options = parser.parse_args(argv)
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "data"
        token = founded(folder).owner
        grow_open(folder, options.open)
        server = kill.serve(folder, token)
        try:
            show(_measured(server.url, token))
        finally:
            server.process.terminate()
            server.process.wait(timeout=30)


def grow_open(folder: Path, wanted: int) -> None:
    """Until so many are open; a first part of all is made open, so that changes have something to change."""
    made = wanted
    while True:
        grower = Grower(folder, random.Random(made))
        grower.grow_to(made)
        grower.close()
        with apsw.Connection(str(folder / "kbwork.db")) as data:
            held = data.execute("select count(*) from issue where category <> 'done'").get
            if held >= wanted:
                return
        made += max(100, wanted - held)


def _measured(url: str, token: str) -> dict[str, float]:
    line = Line(url, token)
    line.call("sync.snapshot", parts=["lane"])
    snapshot, size, took = pages(line, "sync.snapshot", "next")
    parts = [part for page in snapshot for part in page["parts"]]
    rows = [row for part in parts if part["kind"] == "issue" for row in zip(*part["values"], strict=True)]
    _, size_again, took_again = pages(line, "sync.snapshot", "next", etags=[part["etag"] for part in parts])
    listed, listed_size, listed_took = pages(line, "issues.list", "next", limit=200)
    have = {
        "access": snapshot[0]["access"],
        "etags": [part["etag"] for part in parts if part["scope"] == "org"],
    }
    keys = [row[1] for row in rows[:: max(1, len(rows) // _CHANGES)]][:_CHANGES]
    late = late_ms(url, token, snapshot[0]["seq"], keys)
    deltas = [line.call("sync.delta", since=snapshot[0]["seq"], **have) for _ in range(_DELTAS)]
    rested = [line.call("sync.delta", since=deltas[0][0]["seq"], **have) for _ in range(_DELTAS)]
    return {
        "issues in a snapshot": len(rows),
        "issues in the list": sum(len(page["items"]) for page in listed),
        "snapshot, kB": size / 1000,
        "snapshot, ms": 1000 * took,
        "snapshot that one has, kB": size_again / 1000,
        "snapshot that one has, ms": 1000 * took_again,
        "list, kB": listed_size / 1000,
        "list, ms": 1000 * listed_took,
        f"delta of {_CHANGES} changes, kB": deltas[0][1] / 1000,
        f"delta of {_CHANGES} changes, median ms": 1000 * statistics.median(one[2] for one in deltas),
        "delta of nothing, median ms": 1000 * statistics.median(one[2] for one in rested),
        "rows on the stream, median ms": statistics.median(late),
        "rows on the stream, last ms": max(late),
    }


def show(found: dict[str, float]) -> None:
    for name, value in found.items():
        print(f"{name:42}{value:12,.1f}")
    print(json.dumps(found))
