"""An edge beside its server, as processes: how fast, how soon, how exact, and without the server; and an nginx between.

python -m tests.bench edge [--changes N] [--kills N] [--cached N] [--starts N] [--away SECONDS]
python -m tests.bench edge --day

`pytest tests/edge/test_model.py --steps 10000` holds its answers against the server's by ten thousand contexts. The
rows of nginx are left out where there is none. `--day` has nginx alone live a day in two minutes, by `faketime`.
"""

import json
import os
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from kbwork.contract.kbwork_client import Kbwork
from kbwork.flags import Client
from tests.bench import kill
from tests.bench.http import free_port, number
from tests.bench.load import burst, request
from tests.proxies import cache_of_snapshots, running

_FLAG = "checkout"
_PLACE = {"project": "shop", "key": _FLAG, "environment": "live"}
_ONE = f"/ofrep/v1/evaluate/flags/{_FLAG}"
_ALL = "/ofrep/v1/evaluate/flags"
_ASKED = json.dumps({"context": {"targetingKey": "ana", "plan": "pro"}}).encode()
_FLAGS = 50
_PATIENCE_S = 30
_LOST_S = 3.5
"""What a kill may take: a round of three seconds, and what is on its way to the disk."""
_TIMES = 720
"""So many seconds of the day of nginx pass in one."""


@dataclass
class Edge:
    """`kbwork edge` as a process of its own."""

    folder: Path
    upstream: str
    key: str
    port: int
    process: "subprocess.Popen[bytes]"

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def end(self, how: signal.Signals = signal.SIGKILL) -> None:
        self.process.send_signal(how)
        self.process.wait(timeout=20)

    def cpu_s(self) -> float:
        return _cpu_s(self.process.pid)


def main(arguments: list[str]) -> None:
    """Prints a row for each, and all of them as JSON."""
    rows: dict[str, float] = {}
    with tempfile.TemporaryDirectory(prefix="kbwork-edge-") as name:
        folder = Path(name)
        key = kill.init(folder / "data")
        server = kill.serve(folder / "data", key)
        try:
            sdk_key = _filled(server.url, key)
            if "--day" in arguments:
                print(json.dumps(_day(folder, server, (sdk_key, _another(server.url, key)))))
                return
            rows |= _rates(folder, server, sdk_key)
            rows |= _seen(folder, server, sdk_key, number(arguments, "--changes", 100))
            rows |= _counted(folder, server, sdk_key, number(arguments, "--kills", 20))
            rows |= _cached(folder, server, sdk_key, number(arguments, "--cached", 1000))
            server, found = _away(folder, server, sdk_key, number(arguments, "--away", 30))
            rows |= found | _starts(folder, server, sdk_key, number(arguments, "--starts", 20))
        finally:
            server.kill()
    print(json.dumps(rows))


def _row(name: str, value: float, unit: str, goal: str = "") -> None:
    print(f"{name:52} {value:12,.2f} {unit:10} {goal}", flush=True)


def _filled(url: str, key: str) -> str:
    """Fifty flags with a rule each; answers a server key."""
    with Kbwork(url, key) as client:
        client.call("flags.project_save", {"project": "shop"})
        client.call("flags.environment_save", {"project": "shop", "key": "live"})
        pro = {"attribute": "plan", "op": "in", "values": ["free"]}
        rule = {"kind": "addRule", "clauses": [pro], "variation": 1}
        for place in range(_FLAGS):
            name = _FLAG if not place else f"flag-{place}"
            client.call("flags.create", {"project": "shop", "key": name})
            asked = _PLACE | {"key": name, "instructions": [{"kind": "turnFlagOn"}, rule]}
            client.call("flags.update", asked)
    return _another(url, key)


def _another(url: str, key: str) -> str:
    """One more server key."""
    with Kbwork(url, key) as client:
        made = client.call("flags.key_create", {"project": "shop", "environment": "live", "kind": "server"})
    return str(made["secret"])


def _start(folder: Path, upstream: str, key: str) -> Edge:
    """An edge with the state that it had, which may not serve yet."""
    keys, port = folder / "keys", free_port()
    keys.write_text(key)
    keys.chmod(0o600)
    command = [sys.executable, "-m", "kbwork", "edge", "--upstream", upstream, "--keys", str(keys)]
    command += ["--state", str(folder / "state"), "--port", str(port)]
    environ = os.environ | {"KBWORK_LIMITS_ENABLED": "false", "KBWORK_LOG_LEVEL": "error"}
    return Edge(
        folder, upstream, key, port, subprocess.Popen(command, env=environ, stdout=subprocess.DEVNULL)
    )


def _wait(edge: Edge) -> None:
    """Until it answers."""
    _until(lambda: _asked(edge.port, edge.key) is not None)


@contextmanager
def _edge(folder: Path, upstream: str, key: str) -> Iterator[Edge]:
    found = _start(folder, upstream, key)
    try:
        _wait(found)
        yield found
    finally:
        if found.process.poll() is None:
            found.end(signal.SIGTERM)


def _asked(port: int, key: str) -> Any:
    """The value of the flag; None where nobody answers, or not with one."""
    import http.client

    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
        connection.request("POST", _ONE, _ASKED, headers)
        return json.loads(connection.getresponse().read()).get("value")
    except (OSError, ValueError):
        return None
    finally:
        connection.close()


def _until(holds: Any, pause_s: float = 0.002) -> float:
    """Wait until this is so; answers for how long."""
    began = time.monotonic()
    while not holds():
        if time.monotonic() - began > _PATIENCE_S:
            raise TimeoutError("it did not happen")
        time.sleep(pause_s)
    return time.monotonic() - began


def _cpu_s(process: int) -> float:
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


# -- the rows ---------------------------------------------------------------------------------------


def _rates(folder: Path, server: kill.Server, key: str) -> dict[str, float]:
    """Answers in a second of processor time, of either."""
    found: dict[str, float] = {}
    with _edge(folder, server.url, key) as edge:
        for name, path, goal in (("one flag", _ONE, "goal 20,000"), (f"all of {_FLAGS} flags", _ALL, "")):
            for who, port, process in (
                ("server", server.port, server.process.pid),
                ("edge", edge.port, edge.process.pid),
            ):
                rate = _rate(port, process, request(path, _ASKED, key))
                found[f"{who}_{name.split()[0]}"] = round(rate)
                _row(f"{who}: {name}", rate, "/core-s", goal if who == "edge" else "")
        rss = int(
            next(
                line
                for line in Path(f"/proc/{edge.process.pid}/status").read_text().splitlines()
                if "VmRSS" in line
            ).split()[1]
        )
    _row("edge: memory", rss / 1024, "MB")
    return found | {"edge_rss_mb": round(rss / 1024)}


def _rate(port: int, process: int, asked: bytes) -> float:
    burst(port, lambda _: asked, connections=8, seconds=0.5)
    before = _cpu_s(process)
    found = burst(port, lambda _: asked, connections=8, seconds=3.0)
    assert set(found.statuses) == {200}, found.statuses
    return found.statuses[200] / (_cpu_s(process) - before)


def _switched(server: kill.Server, turn: int) -> bool:
    """Serve the other value; answers which."""
    with Kbwork(server.url, server.key) as client:
        served = {"kind": "updateFallthroughVariationOrRollout", "variation": turn % 2}
        client.call("flags.update", _PLACE | {"instructions": [served]})
    return turn % 2 == 0


def _seen(folder: Path, server: kill.Server, key: str, changes: int) -> dict[str, float]:
    """From the answer to whoever changed a flag to the edge answering by it."""
    took = []
    with _edge(folder, server.url, key) as edge:
        for turn in range(1, changes + 1):
            wanted = _switched(server, turn)
            took.append(_until(lambda wanted=wanted: _asked(edge.port, key) is wanted))
    worst, median = max(took), statistics.median(took)
    _row("a change is seen at the edge, median", median * 1000, "ms")
    _row("a change is seen at the edge, worst", worst * 1000, "ms", "goal 600")
    return {"seen_median_ms": round(median * 1000), "seen_worst_ms": round(worst * 1000)}


def _total(server: kill.Server) -> int:
    """How often the flag answered, as the server counts it."""
    with Kbwork(server.url, server.key) as client:
        found = client.call("flags.insights", _PLACE | {"hours": 48})
    return sum(one["count"] for one in found["series"])


def _counted(folder: Path, server: kill.Server, key: str, kills: int) -> dict[str, float]:
    """Killed again and again while it answers: what was answered longer ago than a round is counted, once."""
    before, answered, may_be_lost = _total(server), 0, 0
    for turn in range(kills):
        edge = _start(folder, server.url, key)
        _wait(edge)
        times = [time.monotonic()]  # the answer that was waited for
        until = time.monotonic() + 2 + turn % 4
        while time.monotonic() < until:
            assert _asked(edge.port, key) is not None
            times.append(time.monotonic())
        edge.end()
        ended = time.monotonic()
        answered += len(times)
        may_be_lost += sum(ended - at <= _LOST_S for at in times)
    with _edge(folder, server.url, key):
        answered += 1  # by which it is known to serve
    _until(lambda: not list((folder / "state" / "spool").glob("*.json")), 0.05)
    counted = _total(server) - before
    assert answered - may_be_lost <= counted <= answered, (answered, may_be_lost, counted)
    _row(f"answers over {kills} kills", answered, "")
    _row("  lost", answered - counted, "", f"of {may_be_lost} of the last three seconds")
    return {"kills": kills, "answered": answered, "lost": answered - counted, "may_be_lost": may_be_lost}


def _cached(folder: Path, server: kill.Server, key: str, changes: int) -> dict[str, float]:
    """Changes seen by the Python library through the manual's nginx, while another client asks all the time."""
    port = free_port()
    settings = cache_of_snapshots(folder, server.port, port)
    took, over = [], threading.Event()
    try:
        with running("nginx", folder, settings, port):
            asking = threading.Thread(target=_ask_always, args=(port, key, over))
            asking.start()
            try:
                with Client(sdk_key=key, base_url=f"http://127.0.0.1:{port}") as client:
                    assert client.ready()
                    _until(lambda: client.status.connected)
                    for turn in range(1, changes + 1):
                        wanted = _switched(server, turn)
                        took.append(
                            _until(lambda wanted=wanted: client.boolean(_FLAG, not wanted, _WHO) is wanted)
                        )
            finally:
                over.set()
                asking.join()
    except pytest.skip.Exception as skipped:
        print(f"changes through nginx: {skipped}")
        return {}
    late = sum(one > 2 for one in took)
    _row(f"{changes} changes through nginx, later than 2 s", late, "", "goal 0")
    _row("  median", statistics.median(took) * 1000, "ms")
    _row("  worst", max(took) * 1000, "ms", "goal 2,000")
    return {"cached": changes, "cached_late": late, "cached_worst_ms": round(max(took) * 1000)}


def _day(folder: Path, server: kill.Server, keys: tuple[str, str]) -> dict[str, float]:
    """Snapshots from the manual's nginx for a day behind the end of its server: asked for each hour, and by another key
    that comes back when the day is over."""
    program = shutil.which("faketime")
    if program is None:
        raise SystemExit("faketime is not on the PATH")
    port, under = free_port(), (program, "-f", f"+0 x{_TIMES}")
    often, once = keys
    refused, settings = 0, cache_of_snapshots(folder, server.port, port)
    with running("nginx", folder, settings, port, under):
        version = _snapshot(port, often)[1].strip('"').split("-")[0]
        paths = ("", f"?version={version}")
        for key in keys:
            assert [_snapshot(port, key, path)[0] for path in paths] == [200, 200]
        began = time.monotonic()
        server.kill()
        for hour in range(1, 24):
            _sleep_until(began, hour)
            refused += sum(_snapshot(port, often, path)[0] != 200 for path in paths)
        _sleep_until(began, 23.9)
        refused += sum(_snapshot(port, key, path)[0] != 200 for key in keys for path in paths)
        _sleep_until(began, 26)
        later = [_snapshot(port, once, path)[0] for path in paths]
    _row("a day of nginx without the server: refused", refused, "", "goal 0")
    print(f"  behind 26 hours it answers {later[0]} for the newest, {later[1]} for a version by its number")
    return {"day_refused": refused}


_WHO = {"key": "ana", "plan": "pro"}


def _sleep_until(began: float, hour: float) -> None:
    """This hour of that day."""
    time.sleep(max(0.0, began + hour * 3600 / _TIMES - time.monotonic()))


def _snapshot(port: int, key: str, query: str = "") -> tuple[int, str]:
    """The status and the ETag of a snapshot."""
    import http.client

    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    connection.request("GET", f"/sdk/v1/snapshot{query}", headers={"Authorization": f"Bearer {key}"})
    answer = connection.getresponse()
    answer.read()
    connection.close()
    return answer.status, answer.headers.get("ETag", "")


def _ask_always(port: int, key: str, over: threading.Event) -> None:
    while not over.wait(0.05):
        _snapshot(port, key)


def _away(folder: Path, server: kill.Server, key: str, seconds: int) -> tuple[kill.Server, dict[str, float]]:
    """The server is killed under load, and is back later: no answer fails, and all of them are counted."""
    before, answered, failed = _total(server), 1, 0
    with _edge(folder, server.url, key) as edge:
        server.kill()
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            if _asked(edge.port, key) is None:
                failed += 1
            answered += 1
        spooled = len(list((folder / "state" / "spool").glob("*.json")))
        again = _back(server)
        took = _until(lambda: _total(again) - before >= answered - failed, 0.1)
        time.sleep(1)
        assert _total(again) - before == answered - failed
    _row(f"without the server for {seconds} s: answers", answered, "")
    _row("  that failed", failed, "", "goal 0")
    _row("  batches that waited", spooled, "")
    _row("  all counted, after the server was back", took, "s")
    return again, {
        "away_s": seconds,
        "away_answers": answered,
        "away_failed": failed,
        "away_counted_s": round(took, 1),
    }


def _back(server: kill.Server) -> kill.Server:
    """The same server at the same place."""
    command = [
        sys.executable,
        "-m",
        "kbwork",
        "serve",
        "--data",
        str(server.folder),
        "--port",
        str(server.port),
    ]
    environ = os.environ | {"KBWORK_LIMITS_ENABLED": "false", "KBWORK_LOG_LEVEL": "error"}
    process = subprocess.Popen(command, env=environ, stdout=subprocess.DEVNULL)
    again = kill.Server(server.folder, server.key, server.port, process)
    _until(lambda: _is_up(again), 0.02)
    return again


def _is_up(server: kill.Server) -> bool:
    import http.client

    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=5)
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().status == 200
    except OSError:
        return False
    finally:
        connection.close()


def _starts(folder: Path, server: kill.Server, key: str, starts: int) -> dict[str, float]:
    """From the command to the first answer, where the server is away."""
    server.kill()
    took = []
    for _ in range(starts):
        began = time.monotonic()
        edge = _start(folder, server.url, key)
        _wait(edge)
        took.append(time.monotonic() - began)
        edge.end(signal.SIGTERM)
    worst, median = max(took), statistics.median(took)
    _row("start without the server, median", median, "s", "goal 0.5")
    _row("start without the server, worst", worst, "s")
    return {"start_median_s": round(median, 2), "start_worst_s": round(worst, 2)}
