"""Several who make issues as fast as they can, until the time is over or the server is killed."""

import threading
import time
from collections.abc import Callable
from typing import Any

from kbwork.contract.kbwork_client import Kbwork, KbworkError
from tests.bench import kill

WRITERS = 4
BATCH = 10
_TIMEOUT_S = 120


def written(server: kill.Server, project: str, seconds: float) -> int:
    """How many issues they make in so long."""
    until, made = time.monotonic() + seconds, [0] * WRITERS

    def write(number: int) -> None:
        with Kbwork(server.url, server.key) as client:
            while time.monotonic() < until:
                _make(client, project)
                made[number] += BATCH

    _together(write)
    return sum(made)


def killed(server: kill.Server, project: str, after_s: float) -> None:
    """Kill it behind so long, while they make some."""

    def write(_: int) -> None:
        with Kbwork(server.url, server.key) as client:
            try:
                while True:
                    _make(client, project)
            except KbworkError:
                return

    threading.Timer(after_s, server.kill).start()
    _together(write)


def _make(client: Kbwork, project: str) -> None:
    one: dict[str, Any] = {"op": "issues.create", "input": {"project": project, "title": "The cart is empty"}}
    client.call("api.batch", {"ops": [one] * BATCH})


def _together(write: Callable[[int], None]) -> None:
    threads = [threading.Thread(target=write, args=(number,)) for number in range(WRITERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(_TIMEOUT_S)
        assert not thread.is_alive()
