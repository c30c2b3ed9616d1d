"""Work that takes a core for a tenth of a second, such as hashing a password, in turn and behind everything else."""

import asyncio
import os
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from kbwork.base.errors import Busy
from kbwork.core import own_programs

T = TypeVar("T")
AT_ONCE = 2
"""A core each, and for a password 64 MiB: a flood of sign-ins takes neither all."""
MOST_WAITING = 20
"""So many wait for a second or two; whoever comes then is told to come again."""
_NICENESS = 10


def _stand_back() -> None:
    """Whatever else the server does goes before."""
    if sys.platform == "linux":  # where a thread has a niceness of its own
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICENESS)


class TurnPool:
    """Some that work at once, in threads of their own: no page, file or upload waits for one of them."""

    def __init__(
        self, name: str, at_once: int, most_waiting: int, told: str, *, runs_programs: bool = False
    ) -> None:
        """`told`: what whoever comes when too many wait is told. `runs_programs`: its work is done by programs."""
        self._threads = ThreadPoolExecutor(at_once, name, initializer=_stand_back)
        self.places = threading.BoundedSemaphore(at_once + most_waiting)
        self._told = told
        self._runs_programs = runs_programs

    async def run(self, work: Callable[..., T], *args: object) -> T:
        """Raises Busy where too many wait."""
        if not self.places.acquire(blocking=False):
            raise Busy(f"{self._told}; try again in a moment", retry_after_s=2)
        try:
            if self._runs_programs:
                own_programs.make_ready()  # from here: what a thread that stands back starts goes on standing back
            task = self._threads.submit(work, *args)
        except BaseException:
            self.places.release()
            raise
        task.add_done_callback(lambda _: self.places.release())
        return await asyncio.wrap_future(task)


PEOPLE = TurnPool("kbwork-turn", AT_ONCE, MOST_WAITING, "Too many people are doing this just now")
in_turn = PEOPLE.run
