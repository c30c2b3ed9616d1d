"""Errands: side by side by their numbers, none twice at once, and none that fails ends another."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from kbwork.core.jobs.chores import Errand
from kbwork.db.tx import Read
from kbwork.worker.errands import ErrandRunner

LOG = logging.getLogger("kbwork.test")


class _Data:
    """As the database answers, without one."""

    fenced = False

    def start_on_thread(self, name: str) -> None:
        """There are none."""

    async def read(self, fn: Callable[[Any], Any], *_: object, **__: object) -> Any:
        return fn(None)

    async def write(self, fn: Callable[[Any], Any], *_: object, **__: object) -> None:
        fn(_Tx())


class _Tx:
    op = ""


class _Work:
    """Numbers with so much to do for each."""

    def __init__(self, left: dict[int, int]) -> None:
        self.left = left
        self.running: set[int] = set()
        self.most = 0
        self.held = asyncio.Event()
        self.stuck: set[int] = set()
        self.faulty: set[int] = set()

    def look(self, _: Read, number: int) -> int | None:
        return number if self.left[number] else None

    async def wait(self, _: object, number: int) -> int:
        assert number not in self.running, "twice at once"
        self.running.add(number)
        self.most = max(self.most, len(self.running))
        try:
            await (self.held.wait() if number in self.stuck else asyncio.sleep(0))
        finally:
            self.running.discard(number)
        if number in self.faulty:
            raise KeyError("lost")
        return number

    def write(self, _: object, number: int) -> None:
        self.left[number] -= 1

    def errand(self, most: int) -> Errand:
        return Errand(
            name="test",
            home=__name__,
            most=most,
            due=lambda _: [number for number, left in self.left.items() if left],
            look=self.look,
            wait=self.wait,
            write=self.write,
        )


def ran(work: _Work, go: Callable[[ErrandRunner], Awaitable[None]], most: int = 10) -> None:
    async def bounded() -> None:
        data: Any = _Data()
        nothing: Any = object
        runner = ErrandRunner(work.errand(most), data, nothing, LOG)
        async with asyncio.timeout(10):
            runner.start()
            await go(runner)
            await runner.stop()

    asyncio.run(bounded())


async def until(check: Callable[[], bool]) -> None:
    for _ in range(5000):
        if check():
            return
        await asyncio.sleep(0.001)
    raise TimeoutError("it did not happen")


def test_who_takes_long_holds_up_no_other() -> None:
    async def go(runner: ErrandRunner) -> None:
        await until(lambda: work.left == {1: 3, 2: 0, 3: 0})
        for _ in range(3):
            runner.notify()
            await asyncio.sleep(0.005)
        assert work.running == {1}
        work.held.set()
        await until(lambda: work.left[1] == 0)

    work = _Work({1: 3, 2: 50, 3: 50})
    work.stuck = {1}
    ran(work, go)


def test_no_more_are_under_way_than_may() -> None:
    async def go(runner: ErrandRunner) -> None:
        while any(work.left.values()):
            runner.notify()
            await asyncio.sleep(0.001)

    work = _Work(dict.fromkeys(range(10), 5))
    ran(work, go, most=3)
    assert work.most == 3


def test_what_one_raises_is_logged_and_the_others_go_on(caplog: pytest.LogCaptureFixture) -> None:
    async def go(_: ErrandRunner) -> None:
        await until(lambda: work.left == {1: 1, 2: 0})

    work = _Work({1: 1, 2: 20})
    work.faulty = {1}
    ran(work, go)
    assert caplog.messages == ["test 1 failed"]


def test_a_pause_cuts_what_waits_and_begins_nothing_until_it_ends() -> None:
    async def go(runner: ErrandRunner) -> None:
        await until(lambda: work.running == {1})
        await runner.pause()
        assert work.running == set()
        runner.notify()
        await asyncio.sleep(0.01)
        assert work.running == set()
        work.held.set()
        runner.resume()
        await until(lambda: work.left == {1: 0})

    work = _Work({1: 1})
    work.stuck = {1}
    ran(work, go)
