"""The process of the engine: whenever it is to end, it has ended and nothing of it is open."""

import asyncio
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from kbwork.replica.child import EngineChild

_SPEAKS = "import time; print('up', flush=True); time.sleep(60)"


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
        child = EngineChild(tmp_path, lambda: ([sys.executable, "-c", _SPEAKS], dict(os.environ)))
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
