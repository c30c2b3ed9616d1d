"""The command of an edge: how it starts, hears, is killed and starts again, and what its counts come to."""

import os
import re
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.api.sdk.requests import SNAPSHOT, ask, evaluate, sdk_key
from tests.conftest import NOW, World
from tests.modules.calls import eventually
from tests.modules.flags.flag_project import flag, serve, shop

_AT = re.compile(rb"kbwork edge is at (http://\S+), of ")


@dataclass
class Process:
    """`kbwork edge` as a process of its own."""

    world: World
    folder: Path

    @property
    def key_file(self) -> Path:
        return self.folder / "keys"

    @property
    def spool(self) -> Path:
        return self.folder / "state" / "spool"

    def write_keys(self, *keys: str) -> None:
        self.key_file.write_text("\n".join(keys))
        self.key_file.chmod(0o600)

    def command(self, *more: str) -> list[str]:
        given = [
            "--upstream",
            self.world.url,
            "--keys",
            str(self.key_file),
            "--state",
            str(self.folder / "state"),
        ]
        return [sys.executable, "-m", "kbwork", "edge", *given, "--port", "0", *more]

    def refused(self, *more: str) -> tuple[int, str]:
        """The exit code and what it says, where it does not start."""
        ran = subprocess.run(self.command(*more), capture_output=True, text=True, timeout=30, check=False)
        return ran.returncode, ran.stderr

    @contextmanager
    def running(self, how: signal.Signals = signal.SIGTERM) -> Iterator["Running"]:
        """At work until the end, which comes by this signal."""
        environ = os.environ | {"KBWORK_LIMITS_ENABLED": "false"}
        log = (self.folder / "log").open("ab")
        process = subprocess.Popen(self.command(), stdout=subprocess.PIPE, stderr=log, env=environ)
        try:
            assert process.stdout is not None
            found = _AT.match(process.stdout.readline())
            assert found is not None, (self.folder / "log").read_text()
            front = World(self.folder, self.world.clock, {})
            front.url = found[1].decode()
            yield Running(front, process)
        finally:
            process.send_signal(how)
            process.wait(20)
            log.close()
            if process.stdout is not None:
                process.stdout.close()


@dataclass
class Running:
    """What it is asked by."""

    front: World
    process: "subprocess.Popen[bytes]"

    def ready(self) -> None:
        """Wait until it serves every key."""
        eventually(self._is_ready, every=0.005)

    def _is_ready(self) -> bool:
        try:
            return ask(self.front, "GET", "/readyz").status == 200
        except ConnectionError:  # it says where it is before it listens there
            return False


@pytest.fixture
def edge(world: World, tmp_path: Path) -> Process:
    shop(world)
    flag(world)
    serve(world, 0)
    found = Process(world, tmp_path)
    found.write_keys(sdk_key(world))
    return found


def total(world: World) -> int:
    found: int = world.database.write_now(
        lambda tx: tx.value("select coalesce(sum(count), 0) from flag_count")
    )
    return found


def test_what_it_counted_outlives_a_kill_but_for_the_last_seconds(world: World, edge: Process) -> None:
    key = edge.key_file.read_text()
    with edge.running(signal.SIGKILL) as one:
        one.ready()
        for _ in range(20):
            assert evaluate(one.front, key, "checkout").status == 200
        eventually(lambda: list(edge.spool.glob("*.json")) != [])  # within three seconds
        for _ in range(7):
            assert evaluate(one.front, key, "checkout").status == 200
    with edge.running() as one:
        one.ready()
        eventually(lambda: total(world) >= 20)
        assert evaluate(one.front, key, "checkout").status == 200
    assert 21 <= total(world) <= 28
    assert list(edge.spool.iterdir()) == []


def test_it_is_private_and_says_no_key(edge: Process) -> None:
    key = edge.key_file.read_text()
    with edge.running() as one:
        one.ready()
        assert evaluate(one.front, key, "none").status == 404
        command = Path(f"/proc/{one.process.pid}/cmdline")
        if command.exists():
            assert key.encode() not in command.read_bytes()
        assert edge.refused() == (
            2,
            f"kbwork: {edge.folder}/state is in use by another edge: name another folder by --state\n",
        )
    for path in (edge.folder / "state").rglob("*"):
        assert stat.S_IMODE(path.stat().st_mode) & 0o077 == 0, path
        assert path.is_dir() or key.encode() not in path.read_bytes()
    assert key not in (edge.folder / "log").read_text()


def test_it_reads_the_file_again_when_told(world: World, edge: Process) -> None:
    key, new = edge.key_file.read_text(), sdk_key(world, "client")
    with edge.running() as one:
        one.ready()
        edge.write_keys(key, new)
        one.process.send_signal(signal.SIGHUP)
        eventually(lambda: ask(one.front, "GET", SNAPSHOT, key=new).status == 200)
        assert one.process.poll() is None


def test_what_cannot_be_is_said_in_a_line(edge: Process) -> None:
    def said(*more: str) -> str:
        code, text = edge.refused(*more)
        assert code == 2
        assert text.count("\n") == 1
        return text

    assert "--upstream should be an address such as" in said("--upstream", "work.example")
    edge.key_file.chmod(0o644)
    assert f"{edge.key_file} has the mode 644, and holds secrets: chmod 600 {edge.key_file}" in said()
    edge.write_keys("# none")
    assert f"{edge.key_file} names no key" in said()
    edge.key_file.unlink()
    assert "cannot be read: No such file or directory" in said()


def test_it_starts_without_the_server(edge: Process) -> None:
    """With room for a machine that has more to do: `python -m tests.bench edge` measures it."""
    with edge.running() as one:
        one.ready()
    world, edge.world = edge.world, World(edge.folder, edge.world.clock, {})
    edge.world.url = "http://127.0.0.1:9"
    began = time.monotonic()
    with edge.running() as one:
        one.ready()
        assert evaluate(one.front, edge.key_file.read_text(), "checkout").json["value"] is True
        assert time.monotonic() - began < 5
    assert world.clock.now() == NOW
