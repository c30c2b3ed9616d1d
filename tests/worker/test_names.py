"""Names are looked up beside everything else."""

import asyncio
import socket
import threading
from typing import Any

import pytest

from kbwork.worker import names


@pytest.fixture
def unanswered(monkeypatch: pytest.MonkeyPatch) -> "threading.Event":
    """Names that end in `.slow` are looked up until this is set."""
    answered, real = threading.Event(), socket.getaddrinfo

    def look_up(host: str, *more: Any, **most: Any) -> Any:
        if host.endswith(".slow"):
            answered.wait(20)
            raise OSError("no name server answers")
        return real("127.0.0.1", *more, **most)

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    return answered


def test_names_that_nobody_answers_for_hold_up_no_other(unanswered: threading.Event) -> None:
    async def go() -> None:
        async with asyncio.timeout(10):
            waiting = [
                asyncio.create_task(names.addresses_of(f"{n}.slow", 80)) for n in range(names.MOST - 1)
            ]
            assert await names.addresses_of("quick.example", 80) == ["127.0.0.1"]
            assert await asyncio.to_thread(lambda: 1) == 1
            waiting.append(asyncio.create_task(names.addresses_of("last.slow", 80)))
            await asyncio.sleep(0)
            with pytest.raises(OSError, match="too many"):
                await names.addresses_of("one more.example", 80)
            waiting[0].cancel()
            unanswered.set()
            found = await asyncio.gather(*waiting, return_exceptions=True)
            assert [type(one) for one in found[1:]] == [OSError] * (names.MOST - 1)

    asyncio.run(go())
    for thread in threading.enumerate():
        if thread.name == "kbwork-name":
            thread.join(timeout=5)


def test_a_name_that_is_none_has_no_address() -> None:
    async def go() -> None:
        with pytest.raises((OSError, UnicodeError)):
            await names.addresses_of("x" * 300, 80)

    asyncio.run(go())
