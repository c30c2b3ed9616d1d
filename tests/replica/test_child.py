"""The process of the engine: whenever it is to end, it has ended and nothing of it is open."""

import asyncio
import fcntl
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import kbwork
from kbwork.db.folder import ENGINE_LOCK, taken
from kbwork.replica import child
from kbwork.replica.child import EngineChild
from tests.modules.calls import eventually

_LINGERS = """
import signal, time
signal.signal(signal.SIGTERM, lambda *_: (time.sleep(0.3), exit()))
print("up", flush=True)
time.sleep(60)
"""
_SPEAKS = "import time; print('up', flush=True); time.sleep(60)"


def _engine(folder: Path, text: str) -> EngineChild:
    """One that runs this program."""
    return EngineChild(folder, lambda: ([sys.executable, "-c", text], dict(os.environ)), list)


def test_a_stop_in_the_midst_of_a_start_leaves_no_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[asyncio.subprocess.Process] = []
    start = asyncio.create_subprocess_exec

    async def slow(*words: str, **options: Any) -> asyncio.subprocess.Process:
        made.append(await start(*words, **options))
        await asyncio.sleep(0.1)
        return made[0]

    async def stopped() -> EngineChild:
        child = _engine(tmp_path, _SPEAKS)
        child.start()
        while not made:  # noqa: ASYNC110  # the fake above is all that says so
            await asyncio.sleep(0.01)
        await child.stop()
        return child

    monkeypatch.setattr(asyncio, "create_subprocess_exec", slow)
    child = asyncio.run(stopped())
    (process,) = made
    assert process.returncode is not None
    assert process.stdout is not None
    assert process.stdout.at_eof()
    assert not child.alive


def test_one_that_is_ending_ends_before_another_life_begins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two may say so at once, the keeper and who holds the lease."""
    made: list[asyncio.subprocess.Process] = []
    start = asyncio.create_subprocess_exec

    async def noted(*words: str, **options: Any) -> asyncio.subprocess.Process:
        made.append(await start(*words, **options))
        return made[-1]

    async def lives(count: int) -> None:
        while len(made) < count:  # noqa: ASYNC110  # the fake above is all that says so
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.3)  # it has said what it does at its end

    async def ended_twice() -> None:
        child = _engine(tmp_path, _LINGERS)
        child.start()
        await lives(1)
        first = asyncio.create_task(child.stop())
        await asyncio.sleep(0.05)
        child.start()
        await child.stop()
        assert made[0].returncode is not None
        await first
        child.start()
        await lives(2)
        await child.stop()
        assert len(made) == 2

    monkeypatch.setattr(asyncio, "create_subprocess_exec", noted)
    asyncio.run(asyncio.wait_for(ended_twice(), 20))


def test_there_is_one_for_each_data_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who holds the place of it and does not end keeps ours out, which takes it once it is free."""
    other = os.open(tmp_path / ENGINE_LOCK, os.O_RDWR | os.O_CREAT, 0o600)
    fcntl.flock(other, fcntl.LOCK_EX)
    monkeypatch.setattr(child, "_END_S", 0.1)
    monkeypatch.setattr(child, "_PAUSES_S", (0.05,))

    async def kept_out() -> str:
        ours = _engine(tmp_path, _SPEAKS)
        ours.start()
        while (trouble := ours.trouble) is None:  # noqa: ASYNC110  # nobody is told of it
            await asyncio.sleep(0.01)
        assert (ours.alive, ours.starts) == (False, 0)
        os.close(other)
        while not ours.alive:  # noqa: ASYNC110  # likewise
            await asyncio.sleep(0.01)
        assert (ours.trouble, ours.starts) == (None, 1)
        await ours.stop()
        return trouble

    said = asyncio.run(asyncio.wait_for(kept_out(), 20))
    assert (
        said
        == f"another Litestream holds {tmp_path / ENGINE_LOCK}: end it, there can be one for each data file"
    )


_SERVER = """
import asyncio, os, sys
from pathlib import Path
from kbwork.replica.child import EngineChild

async def serve():
    program = "from pathlib import Path; import time; Path('runs').touch(); time.sleep(60)"
    child = EngineChild(Path("."), lambda: ([sys.executable, "-c", program], dict(os.environ)), list)
    child.start()
    while not (child.alive and (Path("runs").exists() or sys.argv[1] == "at once")):
        await asyncio.sleep(0.001)
    print("up", flush=True)
    await asyncio.sleep(60)

asyncio.run(serve())
"""


@pytest.mark.parametrize("killed", ["at work", "at once"])
def test_it_dies_with_a_server_that_is_killed(tmp_path: Path, killed: str) -> None:
    """What it did by itself then could not be gone on with."""
    words = [sys.executable, "-c", _SERVER, killed]
    environ = os.environ | {"PYTHONPATH": str(Path(kbwork.__file__).parents[1])}
    with subprocess.Popen(words, cwd=tmp_path, env=environ, stdout=subprocess.PIPE) as server:
        assert server.stdout is not None
        assert server.stdout.readline() == b"up\n"
        engine = int((tmp_path / ENGINE_LOCK).read_text())
        os.kill(engine, 0)
        server.kill()
        server.wait(10)
    lock = os.open(tmp_path / ENGINE_LOCK, os.O_RDWR)
    eventually(lambda: taken(lock), seconds=10)
    os.close(lock)


def test_why_it_does_not_start_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(child, "_PAUSES_S", (30,))
    (tmp_path / "program").write_bytes(b"\x00")
    (tmp_path / "program").chmod(0o700)

    async def told() -> str:
        ours = EngineChild(tmp_path, lambda: ([str(tmp_path / "program")], {}), list)
        ours.start()
        while (trouble := ours.trouble) is None:  # noqa: ASYNC110  # nobody is told of it
            await asyncio.sleep(0.01)
        await ours.stop()
        return trouble

    said = asyncio.run(asyncio.wait_for(told(), 20))
    why = f"{tmp_path}/program cannot be started: Exec format error"
    assert said == f"the replica's engine ended with 1 ({why}): it is started again"
