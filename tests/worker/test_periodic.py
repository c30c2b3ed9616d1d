"""Rounds of work: one at a time, held and let go on, and none that fails ends the others."""

import asyncio
import logging
from collections.abc import Awaitable, Callable

import pytest

from kbwork.base.errors import Busy
from kbwork.worker.periodic import PeriodicTask

LOG = logging.getLogger("kbwork.test")
HOUR_S = 3600.0


def ran(go: Callable[[], Awaitable[None]]) -> None:
    async def bounded() -> None:
        async with asyncio.timeout(10):
            await go()

    asyncio.run(bounded())


def test_what_a_round_raises_is_logged_and_the_next_one_runs(caplog: pytest.LogCaptureFixture) -> None:
    async def go() -> None:
        faults: list[Exception] = [KeyError("lost"), Busy("The disk is full.")]
        done = asyncio.Event()

        async def work() -> None:
            if faults:
                rounds.notify()
                raise faults.pop()
            done.set()

        rounds = PeriodicTask(work, name="the test", log=LOG, every_s=HOUR_S)
        rounds.start()
        await done.wait()
        await rounds.stop()

    ran(go)
    assert caplog.messages == ["the test waits: The disk is full.", "a round of the test failed"]


def test_a_round_comes_without_a_bell() -> None:
    async def go() -> None:
        counted = asyncio.Semaphore(0)

        async def work() -> None:
            counted.release()

        rounds = PeriodicTask(work, name="the test", log=LOG, every_s=0.001)
        rounds.start()
        for _ in range(3):
            await counted.acquire()
        await rounds.stop()

    ran(go)


def test_holding_waits_for_the_round_under_way_and_begins_no_other() -> None:
    async def go() -> None:
        begun, end = asyncio.Semaphore(0), asyncio.Event()

        async def work() -> None:
            begun.release()
            await end.wait()

        rounds = PeriodicTask(work, name="the test", log=LOG, every_s=HOUR_S)
        rounds.start()
        await begun.acquire()
        holding = asyncio.create_task(rounds.pause())
        await asyncio.sleep(0)
        assert not rounds.held
        end.set()
        await holding
        rounds.notify()
        for _ in range(10):
            await asyncio.sleep(0)
        assert begun.locked()
        rounds.resume()
        await begun.acquire()
        await rounds.stop()

    ran(go)
