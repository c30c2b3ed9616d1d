"""The bell: who is woken by a commit, and in which order."""

import asyncio

from kbwork.core.events.bus import Bus
from kbwork.db.writer import Group

_COMMIT = Group(seq=1, woken=False, tables=frozenset())


async def _listen(bus: Bus, name: int, rounds: int, heard: list[int]) -> None:
    for _ in range(rounds):
        assert await bus.wait(5)
        heard.append(name)


async def _turns(count: int) -> None:
    for _ in range(count):
        await asyncio.sleep(0)


async def _heard(listeners: int, rings: int) -> list[int]:
    bus, heard = Bus(), list[int]()
    async with asyncio.timeout(5), asyncio.TaskGroup() as tasks:
        for name in range(listeners):
            tasks.create_task(_listen(bus, name, rings, heard))
        for _ in range(rings):
            await _turns(2)
            bus.notify(_COMMIT)
            await _turns(listeners)
    return heard


def test_those_who_wait_are_woken_in_the_order_they_came() -> None:
    assert asyncio.run(_heard(listeners=20, rings=3)) == [*range(20)] * 3


def test_others_have_their_turn_while_many_are_woken() -> None:
    async def heard_in_ten_turns() -> int:
        bus, heard = Bus(), list[int]()
        async with asyncio.timeout(5), asyncio.TaskGroup() as tasks:
            for name in range(100):
                tasks.create_task(_listen(bus, name, 1, heard))
            await _turns(2)
            bus.notify(_COMMIT)
            await _turns(10)
            early = len(heard)
        assert len(heard) == 100
        return early

    assert 1 <= asyncio.run(heard_in_ten_turns()) <= 50


def test_a_quiet_time_is_told() -> None:
    assert asyncio.run(Bus().wait(0.01)) is False
