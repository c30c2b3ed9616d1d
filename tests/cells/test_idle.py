"""When something is due next, and that a server stops when nothing is, on whose socket ever."""

import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import httpx2
import pytest

from kbwork.app import registry
from kbwork.cells import idle, moments
from tests.conftest import World
from tests.modules.calls import call, eventually


def following(world: World) -> int:
    """Seconds until something is due."""
    moment = world.database.read_now(lambda tx: moments.following(tx, registry(), sends_mail=True))
    return moment - world.clock.now()


def test_what_is_due_next_is_found_to_the_minute(world: World) -> None:
    eventually(lambda: following(world) > 0)
    assert following(world) == moments.LONGEST_S
    call(world, "ana", "backups.schedule_set", every="daily", keep=3)
    eventually(lambda: 0 < following(world) < moments.LONGEST_S)
    ahead = following(world)
    seq = world.database.seq
    world.advance(ahead - 60)
    eventually(lambda: 0 < following(world) <= 120)
    assert world.events_since(seq) == [], "rather too early"
    world.advance(180)
    eventually(lambda: ("backup.created", "org:1") in world.events_since(seq))


@pytest.mark.parametrize("how", ["own", "held"])
def test_a_server_that_nobody_asks_stops(empty_folder: Path, how: str) -> None:
    """By itself, or on a socket that a supervisor holds; a stream keeps it."""
    listening = socket.create_server(("127.0.0.1", 0))
    port = listening.getsockname()[1]
    environ = os.environ | {"KBWORK_SERVER_IDLE_STOP_MINUTES": "0.01"}
    words = [sys.executable, "-m", "kbwork", "serve", "--data", str(empty_folder), "--port", str(port)]
    if how == "held":
        run = "import os, sys; os.dup2(int(sys.argv[1]), 3); os.environ['LISTEN_PID'] = str(os.getpid());"
        run += "os.environ['LISTEN_FDS'] = '1'; os.execv(sys.argv[2], sys.argv[2:])"
        words = [sys.executable, "-c", run, str(listening.fileno()), *words]
        process = subprocess.Popen(
            words, env=environ, pass_fds=(listening.fileno(),), stdout=subprocess.DEVNULL
        )
    else:
        listening.close()
        process = subprocess.Popen(words, env=environ, stdout=subprocess.DEVNULL)

    def serves() -> bool:
        try:
            return httpx2.get(f"http://127.0.0.1:{port}/healthz", timeout=20).status_code == 200
        except httpx2.TransportError:
            return False

    try:
        eventually(serves)
        assert process.wait(timeout=20) == 0
        told = json.loads((empty_folder / idle.NEXT_WAKE).read_text())
        assert told["at"] == idle.noted(empty_folder)
    finally:
        process.kill()
        process.wait()
        listening.close()


def test_a_descriptor_that_is_none_is_refused(empty_folder: Path) -> None:
    run = "import os, sys; os.dup2(0, 3); os.environ['LISTEN_PID'] = str(os.getpid());"
    run += "os.environ['LISTEN_FDS'] = '1'; os.execv(sys.argv[1], sys.argv[1:])"
    words = [sys.executable, "-c", run, sys.executable, "-m", "kbwork", "serve", "--data", str(empty_folder)]
    ran = subprocess.run(
        words, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=30, check=False
    )
    assert (ran.returncode, "Traceback" in ran.stderr) == (2, False)
