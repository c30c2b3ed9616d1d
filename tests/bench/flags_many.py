"""An environment of ten thousand flags: the first answer, what a change costs the server and its clients, and how soon
it is there.

python -m tests.bench flags_many [--changes N]

The server and the clients are processes of their own, and processor time is theirs alone. Each change is of one flag.
What a whole snapshot costs is measured in the same run: it is what each change cost before there were deltas.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import apsw

from kbwork.base.clock import monotonic
from kbwork.contract.kbwork_client import Kbwork
from kbwork.flagengine import Snapshot
from kbwork.flagengine.envelope import open_
from kbwork.flags import Client
from kbwork.flags.wire import ServiceAnswer, Wire
from tests import packages
from tests.bench import kill
from tests.bench.http import number

_FLAGS = 10_000
_ROOT = Path(__file__).parents[2]
_BETWEEN_S = 0.9
"""Longer than a change takes to be everywhere, so that each is one of its own."""
_ANA = {"kind": "user", "key": "ana", "plan": "gold"}
_STARTS = 5
"""The least counts: other programs on the machine only add."""
_GOALS = {"python": 150.0, "node": 60.0}


class Follows:
    """A client in a process of its own, which is asked by lines."""

    def __init__(self, name: str, command: list[str], environ: dict[str, str], folder: Path) -> None:
        self.name = name
        self._process = subprocess.Popen(
            command,
            cwd=folder,
            env=os.environ | environ,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.first_ms: float = self._answer()["first"]

    def ask(self, line: str) -> Any:
        assert self._process.stdin is not None
        self._process.stdin.write(f"{line}\n")
        self._process.stdin.flush()
        return self._answer()

    def _answer(self) -> Any:
        assert self._process.stdout is not None
        return json.loads(self._process.stdout.readline())

    def close(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(timeout=20)


def main(arguments: list[str]) -> None:
    """Prints the rows; the last line is all figures as JSON."""
    if arguments[:1] == ["--follow"]:
        _follow()
        return
    with tempfile.TemporaryDirectory() as folder:
        found = run(Path(folder), number(arguments, "--changes", 30))
    print(json.dumps(found))


def run(folder: Path, changes: int) -> dict[str, Any]:
    """Measure with so many changes; answers the figures."""
    data = folder / "data"
    key = kill.init(data)
    server = kill.serve(data, key)
    sdk_key, client_id = _begun(server)
    server.kill()
    _fill(data / "kbwork.db")
    server = kill.serve(data, key)
    try:
        with Kbwork(server.url, key) as admin, _following(folder, server.url, sdk_key) as clients:
            return _Measures(server, admin, clients, sdk_key, client_id).all(changes)
    finally:
        server.kill()


def _begun(server: kill.Server) -> tuple[str, str]:
    """A flag project with one flag; answers a server key and a client-side ID."""
    with Kbwork(server.url, server.key) as admin:
        admin.call("flags.project_save", {"project": "shop"})
        admin.call("flags.environment_save", {"project": "shop", "key": "live"})
        admin.call("flags.create", {"project": "shop", "key": "f0", "client_side": True})
        where = {"project": "shop", "environment": "live"}
        made = [admin.call("flags.key_create", where | {"kind": kind}) for kind in ("server", "client")]
        return str(made[0]["secret"]), str(made[1]["secret"])


def _fill(file: Path) -> None:
    """The first flag again and again under other keys, with a rule; the server is not there meanwhile."""
    clause = {"contextKind": "user", "attribute": "plan", "op": "in", "values": ["gold"], "negate": False}
    rule = {"id": "r", "clauses": [clause], "variation": 1, "description": "", "trackEvents": False}
    connection = apsw.Connection(str(file))
    try:
        connection.create_scalar_function("title_written", lambda *_: None)
        connection.execute(
            "with recursive n(n) as (select 1 union all select n + 1 from n where n < ?)"
            " insert into flag (project, key, first_key, meta, archived, version, created_at, salt)"
            " select project, 'f' || n, 'f' || n, meta, 0, 1, created_at, lower(hex(randomblob(8)))"
            " from flag join n where key = 'f0'",
            (_FLAGS - 1,),
        )
        connection.execute(
            "insert into flag_config (flag, environment, config, version, changed_at)"
            " select f.id, c.environment, json_set(c.config, '$.salt', f.salt, '$.rules', json(?)), 1, c.changed_at"
            " from flag f join flag_config c on c.flag = (select id from flag where key = 'f0') where f.key <> 'f0'",
            (json.dumps([rule]),),
        )
    finally:
        connection.close()


@contextmanager
def _following(folder: Path, url: str, sdk_key: str) -> Iterator[list[Follows]]:
    """A client in Python and one in Node, both with a snapshot."""
    environ = {"KBWORK_URL": url, "FLAGS_KEY": sdk_key}
    script = folder / "flags_many.mjs"
    script.write_bytes((_ROOT / "tests" / "bench" / "flags_many.mjs").read_bytes())
    packages.install("flags", folder)
    clients: list[Follows] = []
    try:
        python = [sys.executable, "-m", "tests.bench", "flags_many", "--follow"]
        for name, command, at in (("python", python, _ROOT), ("node", ["node", str(script)], folder)):
            firsts = []
            for _ in range(_STARTS):
                client = Follows(name, command, environ, at)
                firsts.append(client.first_ms)
                if len(firsts) < _STARTS:
                    client.close()
            client.first_ms = min(firsts)
            clients.append(client)
        yield clients
    finally:
        for client in clients:
            client.close()


class _Measures:
    def __init__(
        self, server: kill.Server, admin: Kbwork, clients: list[Follows], sdk_key: str, client_id: str
    ) -> None:
        self._server = server
        self._admin = admin
        self._clients = clients
        self._keys = {"server": sdk_key, "client": client_id}
        self._changed = 0

    def all(self, changes: int) -> dict[str, Any]:
        found: dict[str, Any] = {
            f"first_ms_{client.name}": round(client.first_ms, 1) for client in self._clients
        }
        for client in self._clients:
            _row(f"first answer, {client.name}", client.first_ms, "ms", _GOALS[client.name])
            client.ask("ask")
        self._change()
        time.sleep(_BETWEEN_S)
        found |= self._cost(changes) | self._wholes(max(3, changes // 5)) | self._stalls(changes)
        _row("server, one change: deltas to the whole", found["server_ms"] / found["whole_server_ms"], "x")
        return found

    def _change(self) -> float:
        """Switch one flag on; answers when that was so."""
        self._changed += 1
        asked = {"project": "shop", "environment": "live", "key": f"f{self._changed}"}
        self._admin.call("flags.update", asked | {"instructions": [{"kind": "turnFlagOn"}]})
        return monotonic()

    def _cost(self, changes: int) -> dict[str, Any]:
        """Processor time of all, and how soon it was there."""
        before = {client.name: client.ask("cpu") for client in self._clients}
        version = self._clients[0].ask("seen")[-1][0]
        began = _cpu_ms(self._server.process.pid)
        time.sleep(changes * _BETWEEN_S / 2)
        idle_ms = 2 * (_cpu_ms(self._server.process.pid) - began) / changes
        began = _cpu_ms(self._server.process.pid)
        at: list[float] = []
        for _ in range(changes):
            at.append(self._change())
            time.sleep(_BETWEEN_S)
        server_ms = (_cpu_ms(self._server.process.pid) - began) / changes - idle_ms
        _row(f"server, a change in all (beside {idle_ms:.1f} ms of the time between)", server_ms, "ms", 30)
        found: dict[str, Any] = {"server_ms": round(server_ms, 1)}
        time.sleep(_BETWEEN_S)
        late: list[float] = []
        for client in self._clients:
            cpu_ms = (client.ask("cpu") - before[client.name]) / changes
            _row(f"{client.name}, a change", cpu_ms, "ms", 20)
            found[f"client_ms_{client.name}"] = round(cpu_ms, 2)
            seen = client.ask("seen")
            for place, sent in enumerate(at, version + 1):
                late.append(1000 * (next(there for known, there in seen if known >= place) - sent))
        late.sort()
        found["p50_ms"], found["p95_ms"] = (round(late[int(share * len(late))]) for share in (0.5, 0.95))
        _row("a change is in both clients, p95", found["p95_ms"], "ms", 700)
        return found

    def _wholes(self, changes: int) -> dict[str, Any]:
        """What the same costs where the whole is asked for."""
        self._asked("server", since=False)
        began = _cpu_ms(self._server.process.pid)
        for _ in range(changes):
            self._change()
            time.sleep(_BETWEEN_S)
            self._asked("server", since=False)
        server_ms = (_cpu_ms(self._server.process.pid) - began) / changes
        _row("server, a change with a whole besides", server_ms, "ms")
        body = self._asked("server", since=False)
        started = time.process_time()
        Snapshot.loads(open_(body, self._keys["server"]).content)
        client_ms = 1000 * (time.process_time() - started)
        _row("python, a whole", client_ms, "ms")
        sizes: dict[str, int] = {}
        for kind in self._keys:
            self._asked(kind, since=False)
        self._change()
        time.sleep(_BETWEEN_S)
        for kind in self._keys:
            whole, delta = (len(self._asked(kind, since=since)) for since in (False, True))
            _row(f"bytes to a {kind}, delta of {whole:,}", delta, "")
            sizes |= {f"delta_bytes_{kind}": delta, f"whole_bytes_{kind}": whole}
        return {"whole_server_ms": round(server_ms, 1), "whole_python_ms": round(client_ms, 1), **sizes}

    def _asked(self, kind: str, *, since: bool) -> bytes:
        version = self._clients[0].ask("seen")[-1][0] - 1
        url = f"{self._server.url}/sdk/v1/snapshot" + (f"?since={version}" if since else "")
        request = urllib.request.Request(url, headers={"Authorization": f"Bearer {self._keys[kind]}"})
        with urllib.request.urlopen(request, timeout=20) as answer:
            body: bytes = answer.read()
        return body

    def _stalls(self, changes: int) -> dict[str, Any]:
        """The longest time between two answers of a program that asks on and on, around a change and without one.

        The middle of many counts: on a machine with other programs each window has pauses that are not ours.
        """
        found = {}
        for client in self._clients:
            longest: dict[bool, list[float]] = {False: [], True: []}
            for place in range(2 * max(5, changes // 3)):
                moving = place % 2 == 1
                client.ask("tick")
                if moving:
                    self._change()
                time.sleep(_BETWEEN_S)
                longest[moving].append(client.ask("tock"))
            quiet, moved = (statistics.median(longest[moving]) for moving in (False, True))
            _row(f"{client.name}, longest stall ({quiet:.1f} ms without a change)", moved, "ms", 10)
            found[f"stall_ms_{client.name}"] = [round(quiet, 1), round(moved, 1)]
        return found


def _cpu_ms(pid: int) -> float:
    """Processor time of a process."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return 1000 * (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _row(name: str, value: float, unit: str, goal: float | None = None) -> None:
    met = "" if goal is None else f"  goal {goal:g}  {'met' if value <= goal else 'not met'}"
    print(f"{name:58} {value:10,.1f} {unit}{met}", flush=True)


# -- the client in Python -------------------------------------------------------------------------------


def _follow() -> None:
    """As flags_many.mjs."""
    arrived = [0.0]
    ask = Wire._ask

    def timed(wire: Wire, *asked: Any) -> ServiceAnswer:
        answer = ask(wire, *asked)
        if answer.status == 200:  # a stream that opens asks once more, and there is nothing new
            arrived[0] = time.process_time()
        return answer

    Wire._ask = timed  # type: ignore[assignment, method-assign]
    seen: list[tuple[int | None, float]] = []
    sdk_key, base_url = os.environ["FLAGS_KEY"], os.environ["KBWORK_URL"]
    with Client(sdk_key=sdk_key, base_url=base_url, send_events=False) as client:
        client.subscribe(lambda: seen.append((client.version, monotonic())))
        client.ready(20_000)
        client.boolean("f7", False, _ANA)
        _say({"first": 1000 * (time.process_time() - arrived[0])})
        ticker = _Ticker(client)
        for line in sys.stdin:
            if line == "cpu\n":
                _say(1000 * time.process_time())
            elif line == "seen\n":
                _say(seen)
            elif line == "ask\n":
                _say(sum(client.boolean(f"f{n}", False, _ANA) for n in range(_FLAGS)))
            elif line == "tick\n":
                ticker.start()
                _say(True)
            else:
                _say(ticker.end())


class _Ticker:
    def __init__(self, client: Client) -> None:
        self._client = client
        self._thread: threading.Thread | None = None
        self._ends = False
        self._longest_s = 0.0

    def start(self) -> None:
        self._ends, self._longest_s = False, 0.0
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def end(self) -> float:
        assert self._thread is not None
        self._ends = True
        self._thread.join()
        return 1000 * self._longest_s

    def _run(self) -> None:
        before = time.perf_counter()
        while not self._ends:
            self._client.boolean("f7", False, _ANA)
            now = time.perf_counter()
            self._longest_s = max(self._longest_s, now - before)
            before = now


def _say(value: Any) -> None:
    print(json.dumps(value), flush=True)
