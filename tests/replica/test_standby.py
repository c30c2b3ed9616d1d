"""A second machine follows, and is promoted: nothing that was acknowledged is missing."""

import io
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2
import pytest
from click.testing import CliRunner

from kbwork.app import open_data
from kbwork.cli.machines import standby as commands
from kbwork.cli.machines.standby import promote, standby
from kbwork.contract.kbwork_client import Kbwork
from kbwork.db.archives.backup import facts
from kbwork.db.connection import Unusable
from kbwork.db.folder import Folder
from kbwork.modules.backups.carry_over import LEAP
from kbwork.replica import escrow
from kbwork.replica import standby as standbys
from kbwork.replica.standby import Standby, StandbyState
from kbwork.replica.target import FolderTarget
from kbwork.settings import ReplicateSettings, Settings
from tests.conftest import World
from tests.modules.calls import eventually
from tests.replica.leased import at_folder, filled, held, promoted, write

WORDS = "correct horse battery staple"


@pytest.fixture
def settings(leased: Settings) -> Settings:
    return leased


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Folder]:
    found = Folder(tmp_path / "standby")
    found.prepare()
    found.lock()
    yield found
    found.unlock()


@contextmanager
def running(follower: Standby) -> Iterator[None]:
    stop = threading.Event()
    thread = threading.Thread(target=follower.run, args=(stop,))
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join(20)


def has(folder: Folder, world: World) -> bool:
    """Whether all came that the server wrote."""
    return folder.file.exists() and facts(folder.file)[0] == world.database.seq


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(standbys, "EVERY_S", 0.05)
    monkeypatch.setattr(standbys, "_LIST_S", 0.1)
    monkeypatch.setattr(standbys, "_PAUSES_S", (0.05,))


@pytest.mark.usefixtures("quick")
def test_it_follows_what_is_written_and_each_new_epoch(
    world: World,
    settings: Settings,
    folder: Folder,
    tmp_path: Path,
) -> None:
    follower = Standby(settings.replicate, folder, os.environ)
    with running(follower):
        eventually(lambda: follower.state.behind_s == 0.0)
        write(world)
        eventually(lambda: has(folder, world))
        state = StandbyState.known(folder.path)
        assert state is not None
        assert (state.epoch, state.pid, state.healthy()) == (1, os.getpid(), True)
        with pytest.raises(Unusable, match="follows the data of another server: put it into service with"):
            open_data(folder.path, held=folder)
        with promoted(world, tmp_path / "other", settings) as other:
            write(other, "In the next epoch")
            eventually(lambda: follower.state.epoch == 2)
            eventually(lambda: has(folder, other))
    assert follower._process is None


@pytest.mark.usefixtures("quick")
def test_it_begins_anew_where_the_program_ends(
    world: World,
    settings: Settings,
    folder: Folder,
    caplog: pytest.LogCaptureFixture,
) -> None:
    follower = Standby(settings.replicate, folder, os.environ)
    with running(follower):
        eventually(lambda: follower.state.behind_s == 0.0)
        assert follower._process is not None
        first = follower._process.pid
        os.kill(first, signal.SIGKILL)
        eventually(lambda: follower._process is not None and follower._process.pid != first)
        write(world)
        eventually(lambda: has(folder, world))
        eventually(lambda: follower.state.behind_s == 0.0)
    assert "Litestream ended and is started again" in caplog.text


def test_a_place_without_data_or_that_is_away_is_named(
    place: Path, engine: Path, folder: Folder, caplog: pytest.LogCaptureFixture
) -> None:
    follower = Standby(ReplicateSettings(to=str(place), engine=str(engine), lease=True), folder, {})
    follower.round()
    assert "holds no data yet: start the server that fills it" in (follower.state.trouble or "")
    place.rmdir()
    follower.round()
    assert "is not there: mount it or make it" in (follower.state.trouble or "")
    assert not follower.state.healthy()
    assert "holds no data yet" in caplog.text


def test_the_master_key_comes_out_of_the_place(
    world: World,
    place: Path,
    folder: Folder,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(escrow, "_COST", {"time_cost": 1, "memory_cost": 64, "parallelism": 1})
    settings = Settings(replicate=ReplicateSettings(to=str(place)))
    commands._lay_key(settings, folder, stdin=True)
    assert "has no master.key, and none lies sealed in the replica" in capsys.readouterr().err
    escrow.lay(FolderTarget(at_folder(place)), world.database.master_key, WORDS)
    monkeypatch.setattr(sys, "stdin", io.StringIO(f"{WORDS}\n"))
    commands._lay_key(settings, folder, stdin=True)
    assert folder.master_key() == world.database.master_key


def test_what_the_commands_refuse(
    place: Path, engine: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KBWORK_REPLICATE_TO", str(place))
    monkeypatch.setenv("KBWORK_REPLICATE_ENGINE", str(engine))
    monkeypatch.setenv("KBWORK_SERVER_DATA", str(tmp_path / "data"))
    without = CliRunner().invoke(promote)
    assert (without.exit_code, "set replicate.lease to true, here and on" in without.stderr) == (2, True)
    (tmp_path / "data").mkdir(mode=0o700)
    (tmp_path / "data" / "kbwork.db").touch()
    handlers = {one: signal.getsignal(one) for one in (signal.SIGTERM, signal.SIGINT)}
    try:
        full = CliRunner().invoke(standby)
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
    assert (full.exit_code, "holds data that no standby filled: name an empty folder" in full.stderr) == (
        2,
        True,
    )


def test_a_standby_is_put_into_service_by_two_commands(
    world: World,
    settings: Settings,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As the manual says."""
    eventually(lambda: filled(world))
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        port = sock.getsockname()[1]
    environ = {
        "KBWORK_REPLICATE_TO": settings.replicate.to,
        "KBWORK_REPLICATE_ENGINE": settings.replicate.engine,
        "KBWORK_REPLICATE_LEASE": "true",
        "KBWORK_SERVER_PORT": "0",
        "KBWORK_SERVER_DATA": str(world.folder),
    }
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    (tmp_path / "other").mkdir(mode=0o700)
    shutil.copy(world.folder / "master.key", tmp_path / "other")
    command = [sys.executable, "-m", "kbwork"]
    data = ["--data", str(tmp_path / "other")]
    follower = subprocess.Popen([*command, "standby", *data, "--port", str(port)], stdout=subprocess.DEVNULL)
    eventually(lambda: _healthy(port), every=0.1)
    write(world, "Just before")
    began = time.monotonic()
    server = subprocess.Popen([*command, "promote", *data], stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        lines = [server.stdout.readline(), server.stdout.readline()]
        taken_s = time.monotonic() - began
        assert lines[0].startswith(f"Epoch 2 begins in {tmp_path / 'other'} behind event ")
        url = lines[1].split()[3].rstrip(",")
        assert follower.wait(10) == 0
        with Kbwork(url, world.people["bo"].key) as client:
            found = client.call("issues.list", {"project": "WEB"})["items"]
            assert "Just before" in {one["title"] for one in found}
            client.call("issues.create", {"project": "WEB", "title": "Goes on"})
        assert taken_s < 15
        assert not held(world)
    finally:
        server.terminate()
        server.communicate(timeout=20)
    assert server.returncode == 0
    assert facts(tmp_path / "other" / "kbwork.db")[0] > LEAP
    assert json.loads((Path(settings.replicate.to) / "kbwork-lease").read_text())["state"] == "released"


def _healthy(port: int) -> bool:
    try:
        answer = httpx2.get(f"http://127.0.0.1:{port}/healthz", timeout=2)
    except httpx2.HTTPError:
        return False
    return answer.status_code == 200 and answer.json()["behind_seconds"] == 0
