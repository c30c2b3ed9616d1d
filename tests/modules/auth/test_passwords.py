"""What a stored password costs whoever guesses, and what a flood of sign-ins costs the server."""

import http.client
import json
import re
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from typing import Any
from urllib.parse import urlsplit

import pytest
from argon2 import PasswordHasher

from kbwork.core.operations import turns
from kbwork.modules.auth import passwords
from tests.conftest import World
from tests.modules.calls import eventually

_FLOOD = """
import asyncio, resource
from kbwork.core.operations.turns import in_turn
from kbwork.modules.auth import passwords

async def flood():
    await asyncio.gather(*(in_turn(passwords.verified, None, "wrong") for _ in range(16)))

passwords.verified(None, "warm")
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
asyncio.run(flood())
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""


def cost(stored: str) -> tuple[int, int, int]:
    """(KiB, passes, lanes) of a hash by argon2id."""
    found = re.match(r"\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$", stored)
    assert found is not None
    return int(found[1]), int(found[2]), int(found[3])


@pytest.mark.usefixtures("earnest_passwords")
def test_a_hash_costs_what_is_asked_of_it_and_so_does_an_address_that_nobody_has() -> None:
    kib, passes, _ = cost(passwords.hashed("correct horse battery"))
    assert kib >= 19 * 1024
    assert passes >= 2
    assert cost(passwords._NOBODY) == cost(passwords.hashed("another"))


@pytest.mark.usefixtures("earnest_passwords")
def test_sixteen_sign_ins_at_once_hold_the_memory_of_four_at_most() -> None:
    """In a process of its own, whose peak of memory is its own."""
    kib, _, _ = cost(passwords._NOBODY)
    done = subprocess.run(
        [sys.executable, "-c", _FLOOD], capture_output=True, text=True, timeout=60, check=True
    )
    assert int(done.stdout) < 4.5 * kib


def asked(world: World, method: str, path: str, body: bytes = b"", **headers: str) -> tuple[int, str | None]:
    """(status, Retry-After)."""
    with closing(http.client.HTTPConnection(urlsplit(world.url).netloc, timeout=30)) as connection:
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        answer.read()
        return answer.status, answer.getheader("Retry-After")


class Held(PasswordHasher):
    """Judges nothing before it is let go."""

    def __init__(self) -> None:
        super().__init__(time_cost=1, memory_cost=8, parallelism=1)
        self.judging = threading.Semaphore(0)
        self.let_go = threading.Event()

    def verify(self, *args: Any, **more: Any) -> Any:
        self.judging.release()
        self.let_go.wait(30)
        return super().verify(*args, **more)


def test_nothing_waits_behind_those_who_sign_in_and_they_wait_in_a_short_queue(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = Held()
    monkeypatch.setattr(passwords, "_hasher", lambda: held)
    most = turns.AT_ONCE + turns.MOST_WAITING
    told: list[tuple[int, str | None]] = []

    def sign_in(number: int) -> None:
        tried = json.dumps({"email": f"somebody{number}@acme.example", "password": "wrong"}).encode()
        told.append(asked(world, "POST", "/api/v1/auth.login", tried, **{"Content-Type": "application/json"}))

    with ThreadPoolExecutor(most + 3) as people:
        try:
            signing_in = [people.submit(sign_in, number) for number in range(most + 3)]
            for _ in range(turns.AT_ONCE):
                assert held.judging.acquire(timeout=20)
            eventually(lambda: len(told) == 3)
            assert told == [(503, "2")] * 3
            assert not held.judging.acquire(blocking=False)
            assert asked(world, "GET", "/docs") == (200, None)
            token = f"Bearer {world.people['ana'].key}"
            assert asked(world, "POST", "/files/upload?name=a", b"Hello", Authorization=token) == (200, None)
        finally:
            held.let_go.set()
        for each in signing_in:
            each.result(20)
    assert told[3:] == [(401, None)] * most
