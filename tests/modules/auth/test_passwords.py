"""What a stored password costs whoever guesses, and what a flood of sign-ins costs the server."""

import re
import subprocess
import sys

import pytest

from kbwork.modules.auth import passwords

pytestmark = pytest.mark.usefixtures("earnest_passwords")

_FLOOD = """
import resource, threading
from kbwork.modules.auth import passwords
passwords.verified(None, "warm")
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
threads = [threading.Thread(target=passwords.verified, args=(None, "wrong")) for _ in range(16)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""


def cost(stored: str) -> tuple[int, int, int]:
    """(KiB, passes, lanes) of a hash by argon2id."""
    found = re.match(r"\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$", stored)
    assert found is not None
    return int(found[1]), int(found[2]), int(found[3])


def test_a_hash_costs_what_is_asked_of_it_and_so_does_an_address_that_nobody_has() -> None:
    kib, passes, _ = cost(passwords.hashed("correct horse battery"))
    assert kib >= 19 * 1024
    assert passes >= 2
    assert cost(passwords._NOBODY) == cost(passwords.hashed("another"))


def test_sixteen_sign_ins_at_once_hold_the_memory_of_four_at_most() -> None:
    """In a process of its own, whose peak of memory is its own."""
    kib, _, _ = cost(passwords._NOBODY)
    done = subprocess.run(
        [sys.executable, "-c", _FLOOD], capture_output=True, text=True, timeout=60, check=True
    )
    assert int(done.stdout) < 4.5 * kib
