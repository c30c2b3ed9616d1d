"""What is lost, and whether anything is doubled, when machines, stores and lines fail at random moments under load.

`python -m tests.bench dist --rounds 20 [--store /path/to/weed]` runs them; without a store the place is a folder.
"""

import datetime
import json
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import apsw

from kbwork.base.clock import wall
from kbwork.contract.kbwork_client import Kbwork, KbworkError
from kbwork.db.archives.check import check
from tests.bench import kill
from tests.bench.store import StoredPlace

WRITERS = 4
_PATIENCE_S = 120.0
_SPAN_S = 20
_FOLLOWS_S = 5
_MOMENTS = 10
_STALLED_S = 1.0
_CURRENT_S = 6.0
"""How old it may be told to be while writes go on: the place is looked at each five seconds."""
_MOST_SAID = 4000
_KBWORK = [sys.executable, "-m", "kbwork"]
_LISTED = "select title, count(*) from issue group by title"


@dataclass
class Load:
    """What writers know: which titles were acknowledged when, by whom, and which may or may not be there."""

    url: str
    key: str
    acknowledged: dict[str, float] = field(default_factory=dict)
    tried: dict[str, float] = field(default_factory=dict)
    refused: int = 0
    slowest_s: float = 0.0
    lock: threading.Lock = field(default_factory=threading.Lock)
    ended: threading.Event = field(default_factory=threading.Event)

    def __post_init__(self) -> None:
        self._threads = [threading.Thread(target=self._write, args=(n,)) for n in range(WRITERS)]

    def __enter__(self) -> "Load":
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def end(self) -> None:
        self.ended.set()
        for thread in self._threads:
            thread.join(60)

    def first_behind(self, moment: float) -> float | None:
        """When the first write was acknowledged that was begun behind a moment."""
        with self.lock:
            found = [at for title, at in self.acknowledged.items() if self.tried[title] > moment]
        return min(found, default=None)

    def _write(self, number: int) -> None:
        client, count = Kbwork(self.url, self.key, timeout_s=20), 0
        client.retries = 0
        while not self.ended.is_set():
            count += 1
            title, began = f"{os.urandom(5).hex()}-{number}-{count}", time.monotonic()
            with self.lock:
                self.tried[title] = began
            try:
                client.call("issues.create", {"project": "DIS", "title": title})
            except (KbworkError, OSError):
                with self.lock:
                    self.refused += 1
                self.ended.wait(0.05)
            else:
                with self.lock:
                    self.acknowledged[title] = time.monotonic()
                    self.slowest_s = max(self.slowest_s, time.monotonic() - began)
            self.ended.wait(0.01)
        client.close()


@dataclass
class Row:
    """How one drill went, over all of its rounds."""

    name: str
    rounds: int = 0
    acknowledged: int = 0
    lost: int = 0
    oldest_s: float = 0.0
    """How long before the fault the oldest of the lost was acknowledged."""
    listed: int = 0
    """How many of the lost are listed by `kbwork replica late`."""
    doubled: int = 0
    refused: int = 0
    slowest_s: float = 0.0
    back_s: float = 0.0
    """The longest until a write was acknowledged again."""
    faults: list[str] = field(default_factory=list)
    """What the check of a file found."""

    def shown(self) -> str:
        return (
            f"{self.name:<28}{self.rounds:>4}{self.acknowledged:>9}{self.lost:>6}{self.oldest_s:>9.1f}{self.listed:>8}"
            f"{self.doubled:>9}{self.refused:>9}{self.slowest_s:>9.1f}{self.back_s:>8.1f}"
            f"  {'sound' if not self.faults else self.faults[0]}"
        )


HEAD = (
    f"{'drill':<28}{'n':>4}{'acked':>9}{'lost':>6}{'oldest s':>9}{'listed':>8}{'doubled':>9}{'refused':>9}"
    f"{'slowest':>9}{'back s':>8}  check"
)


class Drills:
    """Two machines, which are folders, and a place between them."""

    def __init__(self, root: Path, engine: str, weed: str | None, chance: random.Random) -> None:
        self._root = root
        self._engine = engine
        self._place = StoredPlace(root, weed)
        self._chance = chance
        self._number = 0
        self._log = (root / "servers.log").open("ab")

    def close(self) -> None:
        self._place.close()
        self._log.close()

    def begin(self) -> None:
        """What servers log is of the next round."""
        self._log.truncate(0)

    @property
    def said(self) -> str:
        """The last that servers logged in this round."""
        return Path(self._log.name).read_text("utf-8", "replace")[-_MOST_SAID:]

    def environ(self, *, lease: bool, cut: bool = False) -> dict[str, str]:
        """`cut`: by the line to the place that can be cut."""
        return {
            **self._place.settings(cut=cut),
            "KBWORK_REPLICATE_ENGINE": self._engine,
            "KBWORK_REPLICATE_LEASE": str(lease).lower(),
            "KBWORK_LIMITS_ENABLED": "false",
            "KBWORK_LOG_LEVEL": "warning",
        }

    @contextmanager
    def served(self, *, lease: bool = False, cut: bool = False) -> Iterator[kill.Server]:
        """A server over new data, with a place of its own."""
        self._number += 1
        self._place.begin(f"round-{self._number}")
        folder = self._root / f"data-{self._number}"
        key = kill.init(folder)
        server = kill.serve(folder, key, self._log, **self.environ(lease=lease, cut=cut))
        try:
            _until(lambda: _writes(server.url, key), "the server takes writes")
            with Kbwork(server.url, key) as client:
                client.projects.create(key="DIS", name="Far away")
            _until(lambda: _age(server.url) == 0, "the replica is filled")
            yield server
        finally:
            with suppress(ProcessLookupError):
                server.process.kill()
            server.process.wait(20)
            _end_engine(folder)
            self._place.mend()
            shutil.rmtree(folder, ignore_errors=True)

    @contextmanager
    def _served_at(self, server: kill.Server, *, lease: bool) -> Iterator[kill.Server]:
        """The same data at the same port, as behind a kill."""
        process = subprocess.Popen(
            [*_KBWORK, "serve", "--data", str(server.folder), "--port", str(server.port)],
            env=os.environ | self.environ(lease=lease),
            stdout=subprocess.DEVNULL,
            stderr=self._log,
        )
        try:
            yield kill.Server(server.folder, server.key, server.port, process)
        finally:
            process.kill()
            process.wait(20)

    def some_time(self, least: float = 1.5) -> None:
        time.sleep(least + self._chance.random() * 2)

    def restored(self, *, lease: bool = False, at: int | None = None) -> Path:
        """What comes out of the place, the newest or as it was at a time in Unix seconds."""
        folder = self._root / f"restored-{self._number}"
        shutil.rmtree(folder, ignore_errors=True)
        environ = os.environ | self.environ(lease=lease) | {"KBWORK_SERVER_DATA": str(folder)}
        words = [] if at is None else ["--at", f"{datetime.datetime.fromtimestamp(at, datetime.UTC):%FT%TZ}"]
        ran = subprocess.run(
            [*_KBWORK, "replica", "restore", *words],
            env=environ,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert ran.returncode == 0, ran.stderr
        return folder

    def server_killed(self, row: Row, *, lease: bool = False, in_sync: bool = False) -> None:
        """`in_sync`: between the writing of a commit and the moment from which on it is there for others."""
        with self.served(lease=lease) as server, Load(server.url, server.key) as load:
            self.some_time()
            if in_sync:
                _kill_in_sync(server.process)
            else:
                server.kill()
            fault = time.monotonic()
            with self._served_at(server, lease=lease) as again:
                row.back_s = max(row.back_s, _back(load, fault))
                self.some_time()
                load.end()
                _until(lambda: _age(again.url) == 0, "the replica caught up", steady_s=6)
                self._judge(row, load, self.restored(lease=lease), fault)

    def engine_killed(self, row: Row) -> None:
        with self.served() as server, Load(server.url, server.key) as load:
            self.some_time()
            os.kill(int((server.folder / "replica.lock").read_text()), signal.SIGKILL)
            fault = time.monotonic()
            self.some_time()
            load.end()
            _until(lambda: _age(server.url) == 0, "the replica caught up", steady_s=6)
            row.back_s = max(row.back_s, load.slowest_s)
            self._judge(row, load, self.restored(), fault)

    def copied_twice(self, row: Row) -> None:
        """Somebody starts another one for the same file, as it is without settings: ours waits for its end."""
        with self.served() as server, Load(server.url, server.key) as load:
            config = server.folder / "another.yml"
            replica = {"type": "file", "path": str(server.folder / "another")}
            config.write_text(
                json.dumps({"dbs": [{"path": str(server.folder / "kbwork.db"), "replica": replica}]})
            )
            self.some_time()
            with subprocess.Popen(
                [self._engine, "replicate", "-config", str(config)], stdout=self._log, stderr=self._log
            ) as another:
                try:
                    _until(lambda: _figure(server.url, "others") == 1, "it is found")
                    self.some_time(10)
                finally:
                    another.terminate()
            fault = time.monotonic()
            _until(lambda: _figure(server.url, "running") == 1, "ours goes on")
            _until(lambda: _age(server.url) < _CURRENT_S, "the replica keeps up again")
            row.back_s = max(row.back_s, time.monotonic() - fault)
            self.some_time()
            load.end()
            _until(lambda: _age(server.url) == 0, "the replica caught up", steady_s=6)
            self._judge(row, load, self.restored(), fault)
            if load.slowest_s > _STALLED_S:
                row.faults.append(f"a write took {load.slowest_s:.1f} s")

    def folder_deleted(self, row: Row) -> None:
        """The machine is lost: what is lost is younger than the age that was told last, and than it takes to look."""
        with self.served() as server, Load(server.url, server.key) as load:
            self.some_time(8)
            age = _age(server.url)
            server.kill()
            _end_engine(server.folder, signal.SIGKILL)
            fault = time.monotonic()
            shutil.rmtree(server.folder)
            load.end()
            folder = self.restored()
            row.back_s = max(row.back_s, time.monotonic() - fault)
            before = row.oldest_s
            row.oldest_s = 0.0
            self._judge(row, load, folder, fault)
            if row.oldest_s > age + 8:
                row.faults.append(f"a write {row.oldest_s:.1f} s old is lost, told was {age:.1f} s")
            row.oldest_s = max(before, row.oldest_s)

    def moments(self, row: Row) -> None:
        """Times while it was busy, to the second: what was acknowledged a second before is there, and nothing
        that was begun a second behind."""
        with self.served() as server, Load(server.url, server.key) as load:
            began = int(wall()) + 2
            time.sleep(_SPAN_S)
            load.end()
            _until(lambda: _age(server.url) == 0, "the replica caught up", steady_s=6)
            by_clock = wall() - time.monotonic()
            for at in sorted(self._chance.sample(range(began, began + _SPAN_S - 2), _MOMENTS)):
                since = time.monotonic()
                folder = self.restored(at=at)
                row.back_s = max(row.back_s, time.monotonic() - since)
                moment = at - by_clock
                self._judge(row, load, folder, moment, until=moment - 1)
                found = self._found(folder)
                if any(load.tried[title] > moment + 1 for title in found if title in load.tried):
                    row.faults.append("what was begun a second behind the time asked for is there")

    def store_away(self, row: Row, *, lease: bool, away_s: float) -> None:
        with self.served(lease=lease) as server, Load(server.url, server.key) as load:
            self.some_time()
            self._place.stop()
            time.sleep(away_s)
            fault = time.monotonic()
            self._place.start()
            row.back_s = max(row.back_s, _back(load, fault))
            self.some_time()
            load.end()
            _until(lambda: _age(server.url) == 0, "the replica caught up", steady_s=6)
            self._judge(row, load, self.restored(lease=lease), fault)

    def split(self, row: Row) -> None:
        """One is cut off from the place and goes on to write, the other is promoted; then the line is mended."""
        with self.served(lease=True, cut=True) as server, Load(server.url, server.key) as load:
            other = self._root / f"other-{self._number}"
            follower = self._standby(other, server)
            self.some_time()
            self._place.cut()
            fault = time.monotonic()
            time.sleep(self._chance.random() * 4)
            second = self._promoted(other, server.key)
            with Load(second.url, server.key) as after:
                row.back_s = max(row.back_s, _back(after, fault))
                self.some_time()
                self._place.mend()
                _until(lambda: _figure(server.url, "late_events") > 0, "the old one says what is late")
                _until(lambda: _figure(server.url, "age_seconds") == 0, "the old one sent it", steady_s=6)
            load.end()
            first = min(after.acknowledged.values())
            overlap = [at for at in load.acknowledged.values() if at > first]
            if overlap:
                row.faults.append(
                    f"{len(overlap)} writes of the old one are newer than the first of the new one"
                )
            listed = self._listed(1)
            lost = self._judge(row, load, other, fault)
            self._judge(row, after, other, fault)
            row.listed += min(len(lost), listed)
            if listed < len(lost):
                row.faults.append(f"{len(lost)} are lost, {listed} are listed")
            second.process.terminate()
            second.process.wait(30)
            follower.wait(20)
            shutil.rmtree(other)

    def there_and_back(self, row: Row) -> None:
        """A promotion while all is well, and one back: nothing is lost."""
        with self.served(lease=True) as server, Load(server.url, server.key) as load:
            other, back = (self._root / f"{name}-{self._number}" for name in ("other", "back"))
            follower = self._standby(other, server)
            self.some_time()
            began = time.monotonic()
            second = self._promoted(other, server.key)
            with Load(second.url, server.key) as after:
                row.back_s = max(row.back_s, _back(after, began))
                load.end()
                again = self._standby(back, server)
                self.some_time()
                began = time.monotonic()
                third = self._promoted(back, server.key)
                with Load(third.url, server.key) as last:
                    row.back_s = max(row.back_s, _back(last, began))
                    self.some_time()
            for one in (load, after, last):
                self._judge(row, one, back, began)
            for process in (second.process, third.process):
                process.terminate()
                process.wait(30)
            for process in (follower, again):
                process.wait(20)
            for folder in (other, back):
                shutil.rmtree(folder)

    def followed(self, row: Row) -> None:
        """How long what was acknowledged is not in a standby's file while all is well: that is told as what it takes
        until a write is taken again."""
        with self.served(lease=True) as server, Load(server.url, server.key) as load:
            other = self._root / f"other-{self._number}"
            follower = self._standby(other, server)
            _until(lambda: self._behind(load, other) < _FOLLOWS_S, "the standby has nearly all")
            ends = time.monotonic() + _SPAN_S
            while time.monotonic() < ends:
                time.sleep(0.05)
                row.back_s = max(row.back_s, self._behind(load, other))
            load.end()
            _until(lambda: self._behind(load, other) == 0, "the standby has all")
            self._judge(row, load, other, time.monotonic())
            follower.terminate()
            follower.wait(20)
            shutil.rmtree(other)

    def _behind(self, load: Load, folder: Path) -> float:
        """How many seconds ago the oldest write was acknowledged that is not in a file."""
        now = time.monotonic()
        with load.lock:
            acknowledged = dict(load.acknowledged)
        try:
            found = self._found(folder)
        except (apsw.CantOpenError, apsw.SQLError):  # nothing was restored yet
            return float("inf")
        return max((now - at for title, at in acknowledged.items() if title not in found), default=0.0)

    def _standby(self, folder: Path, server: kill.Server) -> "subprocess.Popen[bytes]":
        """In this folder, which has nothing but the key of that server."""
        shutil.copytree(server.folder, folder, ignore=lambda _, names: {*names} - {"master.key"})
        port = _free_port()
        process = subprocess.Popen(
            [*_KBWORK, "standby", "--data", str(folder), "--port", str(port)],
            env=os.environ | self.environ(lease=True),
            stdout=subprocess.DEVNULL,
        )
        _until(lambda: _ready(port), "the standby follows")
        return process

    def _promoted(self, folder: Path, key: str) -> kill.Server:
        port = _free_port()
        process = subprocess.Popen(
            [*_KBWORK, "promote", "--data", str(folder)],
            env=os.environ | self.environ(lease=True) | {"KBWORK_SERVER_PORT": str(port)},
            stdout=subprocess.DEVNULL,
            stderr=self._log,
        )
        return kill.Server(folder, key, port, process)

    def _listed(self, epoch: int) -> int:
        """How many issues `kbwork replica late` lists."""
        ran = subprocess.run(
            [*_KBWORK, "replica", "late", str(epoch)],
            env=os.environ | self.environ(lease=True),
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert ran.returncode in (0, 1), ran.stderr
        return ran.stdout.count("issue.created")

    def _found(self, folder: Path) -> dict[str, int]:
        """How often each title is there."""
        connection = apsw.Connection(str(folder / "kbwork.db"), flags=apsw.SQLITE_OPEN_READONLY)
        connection.set_busy_timeout(2000)
        try:
            return dict(connection.execute(_LISTED))
        finally:
            connection.close()

    def _judge(
        self, row: Row, load: Load, folder: Path, fault: float, *, until: float = float("inf")
    ) -> list[str]:
        """Count what is missing of what was acknowledged until a moment; answers that."""
        row.faults += list(check(folder / "kbwork.db"))
        found = self._found(folder)
        wanted = [title for title, at in load.acknowledged.items() if at <= until]
        lost = [title for title in wanted if title not in found]
        row.acknowledged += len(wanted)
        row.lost += len(lost)
        row.doubled += sum(times > 1 for times in found.values())
        row.refused += load.refused
        row.slowest_s = max(row.slowest_s, load.slowest_s)
        row.oldest_s = max([row.oldest_s, *(fault - load.acknowledged[title] for title in lost)])
        return lost


def run(root: Path, engine: str, weed: str | None, *, rounds: int, away_s: float, only: str) -> list[Row]:
    """So many rounds of each."""
    drills = Drills(root, engine, weed, random.Random(1))
    known: dict[str, Callable[[Row], None]] = {
        "kill -9 kbwork": drills.server_killed,
        "kill -9 kbwork, lease": lambda row: drills.server_killed(row, lease=True),
        "kill -9 in a sync": lambda row: drills.server_killed(row, in_sync=True),
        "kill -9 Litestream": drills.engine_killed,
        "two Litestreams": drills.copied_twice,
        "folder deleted": drills.folder_deleted,
        "ten times of the past": drills.moments,
        "store away, no lease": lambda row: drills.store_away(row, lease=False, away_s=away_s),
        "store away, lease": lambda row: drills.store_away(row, lease=True, away_s=away_s),
        "standby follows": drills.followed,
        "split brain": drills.split,
        "promote and come back": drills.there_and_back,
    }
    rows = []
    print(HEAD, flush=True)
    try:
        for name, drill in known.items():
            if only not in name:
                continue
            if "sync" in name and shutil.which("strace") is None:
                print(f"{name:<28} skipped: there is no strace here, which ends it at that moment")
                continue
            row = Row(name)
            for _ in range(rounds):
                drills.begin()
                try:
                    drill(row)
                except Exception:
                    print(drills.said, file=sys.stderr)
                    raise
                row.rounds += 1
            print(row.shown(), flush=True)
            rows.append(row)
    finally:
        drills.close()
    return rows


def _until(check: Callable[[], bool], what: str, *, steady_s: float = 0.0) -> None:
    began = since = time.monotonic()
    while time.monotonic() - began < _PATIENCE_S:
        if not check():
            since = time.monotonic()
        elif time.monotonic() - since >= steady_s:
            return
        time.sleep(0.05)
    raise TimeoutError(f"it did not come to pass that {what}")


def _back(load: Load, fault: float) -> float:
    """Seconds from a fault to the first write that was begun and acknowledged behind it."""
    _until(lambda: load.first_behind(fault) is not None, "writes are taken again")
    found = load.first_behind(fault)
    assert found is not None
    return found - fault


def _get(url: str) -> str | None:
    try:
        with urllib.request.urlopen(url, timeout=2) as answer:
            text: str = answer.read().decode()
            return text
    except (OSError, urllib.error.HTTPError):
        return None


def _age(url: str) -> float:
    found = _get(f"{url}/readyz")
    return float("inf") if found is None else float(json.loads(found)["replica_age_seconds"])


def _ready(port: int) -> bool:
    return _get(f"http://127.0.0.1:{port}/healthz") is not None


def _figure(url: str, name: str) -> float:
    """A metric of the replica; -1: it is not told."""
    for line in (_get(f"{url}/metrics") or "").splitlines():
        if line.startswith(f"kbwork_replica_{name} "):
            return float(line.split()[1])
    return -1.0


def _writes(url: str, key: str) -> bool:
    return _get(f"{url}/readyz") is not None and bool(key)


def _end_engine(folder: Path, number: int = signal.SIGTERM) -> None:
    """The program that a killed server left."""
    with suppress(OSError, ValueError):
        os.kill(int((folder / "replica.lock").read_text()), number)


def _kill_in_sync(process: "subprocess.Popen[bytes]") -> None:
    """At its next flush of the log to the disk."""
    traced = ["-e", "trace=fdatasync,fsync", "-e", "inject=fdatasync,fsync:signal=KILL:when=1"]
    with subprocess.Popen(["strace", "-f", "-p", str(process.pid), *traced], stderr=subprocess.DEVNULL):
        process.wait(_PATIENCE_S)


def _free_port() -> int:
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        port: int = sock.getsockname()[1]
        return port
