"""One org: the process that serves it, from its first request until it stops by itself, and when it wakes."""

import asyncio
import contextlib
import logging
import os
import socket
import sys
from collections.abc import Callable
from enum import StrEnum

from kbwork.base.clock import monotonic, wall
from kbwork.base.dataclasses import dataclass
from kbwork.cells import idle
from kbwork.cells.handover import VARIABLE, GivingEnd
from kbwork.cells.register import CellFolder

log = logging.getLogger("kbwork.cells")
_PAUSES_S = (1, 2, 5, 10, 30, 60)
_STEADY_S = 30.0
_END_S = 20.0
_START_S = 60.0
_MOST_LIVES = 3
_SOON_AGAIN = 2
_MOST_WAITING = 1000
_GREETING = "kbwork is at "
_NOT_FOR_CELLS = ("KBWORK_SERVER_", "NOTIFY_SOCKET", "LISTEN_")
"""What is said of the door alone."""
_LONGEST_LINE = 64 * 1024


class CellState(StrEnum):
    """What an org does."""

    ASLEEP = "asleep"
    AWAKE = "awake"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class CellDefaults:
    """What holds for cells that do not say it themselves."""

    minutes: float
    scheme: str
    proxies: tuple[str, ...] = ()


class Cell:
    """Of one folder. `refuse` answers a connection that nobody can serve."""

    def __init__(
        self,
        folder: CellFolder,
        defaults: CellDefaults,
        starts: asyncio.Semaphore,
        refuse: "Callable[[socket.socket, Cell], None]",
    ) -> None:
        self.folder = folder
        self._defaults = defaults
        self._starts = starts
        self._refuse = refuse
        self._process: asyncio.subprocess.Process | None = None
        self._end: GivingEnd | None = None
        self._queue: list[socket.socket] = []
        """Connections that wait for the process to be there."""
        self._task: asyncio.Task[None] | None = None
        self._failures = 0
        self._stopping = self._served = False
        self._last_line = ""
        self.retry_at = 0.0
        self.trouble: str | None = folder.trouble
        self.wakes_at = _wakes_at(folder)
        self.since = wall()
        self.starts = 0

    @property
    def state(self) -> CellState:
        if self._process is not None or self._task is not None:
            return CellState.AWAKE
        return CellState.FAILED if self.trouble else CellState.ASLEEP

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process is not None else None

    def give(self, sock: socket.socket) -> None:
        """Have a connection served: at once, or once the org is awake."""
        waiting = len(self._queue) + (self._end.backlog if self._end is not None else 0)
        rests = self._task is None and monotonic() < self.retry_at
        if self.folder.trouble or rests or waiting >= _MOST_WAITING:
            self._refuse(sock, self)
        elif self._end is not None:
            self._end.give(sock)
        else:
            self._queue.append(sock)
            self.wake()

    def wake(self) -> None:
        """Start it where it sleeps."""
        if self._task is None:
            self._task = asyncio.create_task(self._live(), name=f"cell {self.folder.name}")

    def is_now(self, folder: CellFolder) -> None:
        """Its settings changed: they hold from its next start on, and what failed is tried again."""
        self.folder, self.trouble, self.retry_at = folder, folder.trouble, 0.0

    @property
    def is_due(self) -> bool:
        """Whether it sleeps, and has something to do."""
        if self._task is not None or self.folder.trouble or monotonic() < self.retry_at:
            return False
        return self.wakes_at is not None and self.wakes_at <= wall()

    async def stop(self) -> None:
        """End it, as a supervisor would."""
        self._stopping = True
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                self._process.terminate()
        if self._task is not None:
            await asyncio.wait([self._task], timeout=_END_S)
            if self._process is not None:
                with contextlib.suppress(ProcessLookupError):
                    self._process.kill()
            if self._task is not None:
                await asyncio.wait([self._task], timeout=_END_S)

    async def _live(self) -> None:
        """One life, and another where something was given that nobody took."""
        try:
            for _ in range(_MOST_LIVES):
                await self._life()
                if not self._queue or self._stopping:
                    break
            for sock in self._left():
                self._refuse(sock, self)
        finally:
            self._task = None

    async def _life(self) -> None:
        """From its start to its end. What was not taken is in the queue again."""
        began, end = monotonic(), GivingEnd()
        self._served, self._last_line = False, ""
        try:
            async with self._starts:
                if self._stopping:
                    return
                process = await self._started(end)
                self._process, self._end, self.since = process, end, wall()
                self.starts += 1
                for sock in self._left():
                    end.give(sock)
                ready = asyncio.Event()
                hearing = asyncio.create_task(self._hear(process, ready))
                await self._until(ready, process)
            await hearing
            code: int | str = await process.wait()
        except OSError as error:
            code = f"it cannot be started: {error.strerror}"
        finally:
            end.theirs.close()
            self._process, self._end, self.since = None, None, wall()
            self._queue = end.close() + self._queue
        self.wakes_at = _wakes_at(self.folder)
        if code == 0:
            self._failures, self.trouble, self.retry_at = 0, None, 0.0
            return
        self._note_failure(code, lived_s=monotonic() - began)
        if not self._served or self._failures > _SOON_AGAIN:
            for sock in self._left():
                self._refuse(sock, self)

    def _note_failure(self, code: int | str, *, lived_s: float) -> None:
        """One that served and crashed is started again at once, for those who wait and for what may be due."""
        self._failures = 1 if lived_s > _STEADY_S else self._failures + 1
        if isinstance(code, int):
            code = f"it was ended by signal {-code}" if code < 0 else f"it ended with {code}"
        self.trouble = f"{code}: {self._last_line}" if self._last_line else code
        soon = self._served and self._failures <= _SOON_AGAIN
        pause = 0 if soon else _PAUSES_S[min(self._failures, len(_PAUSES_S)) - 1]
        self.retry_at = monotonic() + pause
        log.warning("%s: %s", self.folder.name, self.trouble)

    def _left(self) -> list[socket.socket]:
        left, self._queue = self._queue, []
        return left

    async def _started(self, end: GivingEnd) -> asyncio.subprocess.Process:
        folder, environ = self.folder, dict(os.environ)
        for name in [name for name in environ if name.startswith(_NOT_FOR_CELLS)]:
            del environ[name]
        environ[VARIABLE] = str(end.theirs.fileno())
        if not folder.stops:
            environ["KBWORK_SERVER_IDLE_STOP_MINUTES"] = str(self._defaults.minutes)
        if not folder.trusts and self._defaults.proxies:
            environ["KBWORK_SERVER_TRUSTED_PROXIES"] = ",".join(self._defaults.proxies)
        words = [sys.executable, "-m", "kbwork", "serve"]
        if folder.config is not None:
            words += ["--config", str(folder.config)]
        if not folder.base_url:
            environ["KBWORK_SERVER_BASE_URL"] = f"{self._defaults.scheme}://{min(folder.hosts)}"
        return await asyncio.create_subprocess_exec(
            *words,
            cwd=folder.path,
            env=environ,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            pass_fds=(end.theirs.fileno(),),
            limit=_LONGEST_LINE,
        )

    async def _until(self, ready: asyncio.Event, process: asyncio.subprocess.Process) -> None:
        try:
            await asyncio.wait_for(ready.wait(), _START_S)
        except TimeoutError:
            self._last_line = f"it did not start within {_START_S:.0f} s"
            with contextlib.suppress(ProcessLookupError):
                process.kill()

    async def _hear(self, process: asyncio.subprocess.Process, ready: asyncio.Event) -> None:
        """Pass on what it says, under its name."""
        assert process.stdout is not None
        try:
            while True:
                try:
                    line = await process.stdout.readline()
                except ValueError:  # longer than any line of it
                    continue
                if not line:
                    return
                text = line.decode(errors="replace").rstrip()
                if text.startswith(_GREETING):
                    self._served, self.trouble = True, None
                    ready.set()
                self._last_line = text if not self._served else ""
                sys.stdout.write(f"{self.folder.name}: {text}\n")
                sys.stdout.flush()
        finally:
            ready.set()


def _wakes_at(folder: CellFolder) -> int | None:
    """When it has something to do. One that did not stop by itself may have something to do now."""
    noted = idle.noted(folder.data)
    if noted is None and (folder.data / "kbwork.db").exists():
        return int(wall())
    return noted
