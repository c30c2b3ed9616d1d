"""Operations that wait for the outside: what concludes them, and what a retry after a crash is answered."""

import asyncio
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from kbwork.app import open_data
from kbwork.base.caller import SYSTEM
from kbwork.base.clock import FixedClock
from kbwork.base.errors import Internal, InvalidInput
from kbwork.base.model import Input
from kbwork.core.operations.call import Credentials, OperationResult
from kbwork.core.operations.declare import write
from kbwork.core.operations.dispatch import Dispatcher
from kbwork.core.operations.external import External
from kbwork.core.operations.limits import Limits, Rates
from kbwork.core.operations.registry import Registry
from kbwork.core.own_programs import OwnProgram
from kbwork.db.database import Database
from kbwork.db.tx import Write
from tests.conftest import Person, World


class CountOnce(Input):
    fail: bool = False
    """The process ends between the effect and the answer."""
    refuse: bool = False


class Counter:
    """An operation of the test's own, run under one and the same Idempotency-Key."""

    def __init__(self, database: Database, clock: FixedClock, token: str) -> None:
        self._database = database
        self._clock = clock
        self._token = token

        @write("settings.count", scope="projects:read", emits=[], example={})
        async def count(out: External, args: CountOnce) -> dict[str, int]:
            """Count one more."""
            answer = await out.conclude(lambda tx: None if args.refuse else more(tx))
            if answer is None or args.fail:
                raise InvalidInput("refused, or dead before it answered")
            return answer

        operation: Any = count
        self._registry = Registry([operation.__operation__], [], [], [])

    def ask(self, body: bytes) -> OperationResult:
        async def go() -> OperationResult:
            self._database.attach(asyncio.get_running_loop())
            dispatcher = Dispatcher(self._registry, self._database, Limits(Rates(enabled=False)), self._clock)
            call = dispatcher.admit("settings.count", Credentials(token=self._token))
            return await dispatcher.run(call, body, key="once")

        return asyncio.run(go())

    @property
    def counted(self) -> int:
        return self._database.write_now(held)


def held(tx: Write) -> int:
    return int(tx.value("select value from setting where name = 'test.count'") or 0)


def more(tx: Write) -> dict[str, int]:
    count = held(tx) + 1
    tx.execute(
        "insert into setting (name, value) values ('test.count', :n) on conflict do update set value = :n",
        n=str(count),
    )
    return {"count": count}


@pytest.fixture
def counter(template: tuple[Path, dict[str, Person]], tmp_path: Path, clock: FixedClock) -> Iterator[Counter]:
    shutil.copytree(template[0], tmp_path / "data")
    database = open_data(tmp_path / "data", clock)
    yield Counter(database, clock, template[1]["ana"].key)
    database.close()


def test_a_retry_of_what_died_behind_its_effect_is_answered_from_that_effect(counter: Counter) -> None:
    with pytest.raises(InvalidInput):
        counter.ask(b'{"fail": true}')
    assert counter.counted == 1
    again = counter.ask(b'{"fail": true}')
    assert (again.replayed, again.body, counter.counted) == (True, b'{"count":1}', 1)


def test_a_refusal_is_not_kept(counter: Counter) -> None:
    with pytest.raises(InvalidInput):
        counter.ask(b'{"refuse": true}')
    answer = counter.ask(b"{}")
    assert (answer.replayed, answer.body, counter.counted) == (False, b'{"count":1}', 1)


def test_a_process_that_ends_before_it_has_read_all_is_told_of_with_what_it_said(world: World) -> None:
    out = External(world.database, SYSTEM, lambda fn: fn)
    with pytest.raises(Internal) as refused:
        world.on_loop(out.process("kbwork.nowhere", given=b" " * 1_000_000))
    assert "No module named 'kbwork.nowhere'" in str(refused.value.internal)


def test_a_process_ends_with_the_call_that_waits_for_it(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended: list[int] = []
    communicate = OwnProgram.communicate

    def noted(self: OwnProgram, given: bytes) -> Any:
        done = communicate(self, given)
        ended.append(done.returncode)
        return done

    async def call_off() -> None:
        waits_for_ever = External(world.database, SYSTEM, lambda fn: fn).process(
            "timeit", "-n", str(10**12), "0"
        )
        await asyncio.wait_for(waits_for_ever, 0.05)

    monkeypatch.setattr(OwnProgram, "communicate", noted)
    with pytest.raises(TimeoutError):
        world.on_loop(call_off())
    assert ended == [-signal.SIGKILL]
