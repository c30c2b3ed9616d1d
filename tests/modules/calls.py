"""Calling operations in tests as one of the people of the world."""

import threading
from collections.abc import Callable
from typing import Any

import pytest

from kbwork.contract.kbwork_client import Kbwork, KbworkProblem
from tests.conftest import World


def call(world: World, who: str, op: str, /, **value: Any) -> Any:
    """By session, which is elevated. `from_` is sent as `from`."""
    return world.session(who).call(op, {name.rstrip("_"): item for name, item in value.items()})


def call_nobody(world: World, op: str, /, **value: Any) -> Any:
    """Without signing in."""
    with Kbwork(world.url, "") as nobody:
        return nobody.call(op, value)


def refused(slug: str) -> "pytest.RaisesExc[KbworkProblem]":
    """A refusal of this type."""
    return pytest.RaisesExc(KbworkProblem, check=lambda problem: problem.slug == slug)


def eventually(check: Callable[[], object], *, seconds: float = 30, every: float = 0.02) -> None:
    """Wait for what happens beside the test, asking so often, so long at most."""
    for _ in range(round(seconds / every)):
        if check():
            return
        threading.Event().wait(every)
    raise TimeoutError("it did not happen")
