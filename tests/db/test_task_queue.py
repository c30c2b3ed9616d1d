"""The queue of the writer: nobody who waits for a task sleeps on when it is there."""

import threading
import time
from concurrent.futures import Future, ThreadPoolExecutor

import pytest

from kbwork.base.caller import SYSTEM
from kbwork.db.writer import Task, TaskQueue

EACH, THREADS = 4000, 4


def task() -> Task:
    return Task(lambda _: None, SYSTEM, essential=False, future=Future())


def test_who_takes_is_woken_whoever_adds_at_the_same_moment() -> None:
    queue = TaskQueue()

    def add() -> None:
        for number in range(EACH):
            queue.put(task())
            if number % 16 == 0:
                time.sleep(0)  # now and then the taker empties it and sleeps

    with ThreadPoolExecutor(THREADS) as pool:
        for _ in range(THREADS):
            pool.submit(add)
        taken = 0
        while taken < EACH * THREADS:
            assert queue.wait(1, 10) or len(queue), "a wake was lost"
            while queue.take() is not None:
                taken += 1
    assert not queue.wait(1, 0.0)


def test_who_wants_several_sleeps_until_they_are_there_and_no_longer_than_it_said() -> None:
    queue = TaskQueue()
    queue.put(task())
    assert not queue.wait(2, 0.01)

    def add() -> None:
        queue.put(task())
        queue.put(task())

    adds = threading.Timer(0.02, add)
    adds.start()
    assert queue.wait(3, 10)
    assert len(queue) == 3
    adds.join()


def test_a_wake_that_came_late_is_nobody_elses() -> None:
    queue = TaskQueue()
    queue._wakes.release()
    assert not queue.wait(1, 0.01)
    assert not queue.wait(1, -1.0)


class Coming(TaskQueue):
    """A queue to which so many come in each time that somebody waits for them."""

    def __init__(self, *each: int) -> None:
        super().__init__()
        self._each = list(each)

    def wait(self, wanted: int, seconds: float | None) -> bool:
        for _ in range(self._each.pop(0)):
            self.put(task())
        return super().wait(wanted, 0.0)


@pytest.mark.parametrize(
    ("each", "found"),
    [
        ([5, 1], 5),
        ([2, 2, 2, 1], 6),
        ([0, 5], 0),
        ([1, 1, 0, 5], 2),
        ([1, 1, 1, 1, 1], 4),
    ],
)
def test_a_group_fills_as_long_as_more_come_and_it_is_not_full(each: list[int], found: int) -> None:
    """At most four times, and for five."""
    queue = Coming(*each)
    queue.fill(5, 0.001, 4)
    assert len(queue) == found
