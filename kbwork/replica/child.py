"""Litestream as a child of the server: one for each data file, started again when it dies.

It dies with a server that is killed, where the system sees to that, which Linux does: what it would do by itself then
may not be gone on with, see `Folder.end_engine`. The child holds the lock, too, so that where it outlives its server
the next one knows. Two on one file would stop its writer.
"""

import asyncio
import contextlib
import json
import logging
import os
from collections.abc import Callable
from pathlib import Path

from kbwork.base.clock import monotonic
from kbwork.base.tasks import uncut
from kbwork.db.connection import Unusable
from kbwork.db.folder import ENGINE_LOCK, taken
from kbwork.replica.engine import mortal

log = logging.getLogger("kbwork.replica")

EXPECTED_S = 30.0
"""So long after its end a child is expected back."""
_PAUSES_S = (0.5, 1, 2, 4, 8, 15, 30)
_STEADY_S = 60.0
_END_S = 10.0
_CLOSE_S = 1.0
"""So long a pipe may stay open behind it: whatever it started might hold that."""
_LOOK_S = 0.05
_TELL_AGAIN_S = 60.0
_LONGEST_LINE = 64 * 1024
_ASTRAY = "write ltx from db: read database page"
"""What it says for good then: a page that is in the log is not in the file."""

Command = Callable[[], tuple[list[str], dict[str, str]]]
"""What to start and with which environment. Raises Unusable."""


class EngineChild:
    """Runs from `start` to `stop`, but while it is held."""

    def __init__(self, folder: Path, command: Command, alone: Callable[[], object]) -> None:
        """`alone` is called before each start, when no other one runs. Both on a thread."""
        self._lock_file = folder / ENGINE_LOCK
        self._command = command
        self._alone = alone
        self._process: asyncio.subprocess.Process | None = None
        self._task: asyncio.Task[None] | None = None
        self._ends = False
        """It was told to end, and has not yet."""
        self._seen_at = monotonic()
        """When it was seen alive last, or began to be expected: what a server wrote that was killed waits for it."""
        self._told: dict[str, float] = {}
        self._said = ""
        """The last that it warned of."""
        self.alive = False
        self.starts = 0
        self.astray = False
        """It looks for pages in the file that are in the log, since it began to read that in the midst of it."""
        self.trouble: str | None = None
        """Why it does not run, in one line."""

    @property
    def copies(self) -> bool:
        """Whether it copies the log away, or is expected back soon. Asked on any thread."""
        return self.alive or monotonic() - self._seen_at < EXPECTED_S

    def start(self) -> None:
        """Begin on the running loop, where it does not run. One that is ended goes on to its end."""
        if self._task is None:
            self._seen_at = monotonic()
            self._task = asyncio.create_task(self._run(), name="the replica's engine")

    async def stop(self) -> None:
        """Let it send what there is, and end it."""
        task = self._task
        if task is None:
            return
        if not self._ends:
            self._ends = True
            task.cancel()
        await asyncio.wait([task])
        if self._task is task:
            self._task, self._ends = None, False

    async def _run(self) -> None:
        failures = 0
        while True:
            began = monotonic()
            try:
                await self._live()
            except Unusable as error:
                self._tell(str(error))
            except OSError as error:
                self._tell(f"the replica's engine cannot be started: {error.strerror or error}")
            failures = 0 if monotonic() - began > _STEADY_S else failures + 1
            await asyncio.sleep(_PAUSES_S[min(failures, len(_PAUSES_S) - 1)])

    async def _live(self) -> None:
        """One life of it. However it ends, the process has ended afterwards."""
        words, environ = await asyncio.to_thread(self._command)
        lock = await self._locked()
        try:
            await uncut(self._begin(words, environ, lock))
            code = await self._heard(set(environ.values()))
            last = f" ({self._said})" if self._said else ""
            self._tell(f"the replica's engine ended with {code}{last}: it is started again")
        finally:
            process, self._process = self._process, None
            if process is not None:
                self._seen_at, self.alive = monotonic(), False
                await uncut(_end(process))

    async def _begin(self, words: list[str], environ: dict[str, str], lock: int) -> None:
        """Start it, and leave the lock to it alone."""
        try:
            await asyncio.to_thread(self._alone)
            os.ftruncate(lock, 0)  # the number of an earlier one is nobody's to end by
            self._process = await asyncio.create_subprocess_exec(
                *mortal(words),
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.STDOUT,
                env=environ,
                pass_fds=(lock,),
                limit=_LONGEST_LINE,
                start_new_session=True,
            )
            os.pwrite(lock, f"{self._process.pid}\n".encode(), 0)
        finally:
            os.close(lock)
        self.alive, self.trouble, self.astray, self._said = True, None, False, ""
        self.starts += 1

    async def _locked(self) -> int:
        """The lock, once whoever has it has ended. Raises Unusable."""
        handle = os.open(self._lock_file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        until, free = monotonic() + _END_S, taken(handle)
        try:
            while not free and monotonic() < until:
                await asyncio.sleep(_LOOK_S)
                free = taken(handle)
        finally:
            if not free:
                os.close(handle)
        if not free:
            raise Unusable(
                f"another Litestream holds {self._lock_file}: end it, there can be one for each data file"
            )
        return handle

    async def _heard(self, secrets: set[str]) -> int:
        """Pass on what it warns of, until it ends; answers with which code it did."""
        process = self._process
        assert process is not None
        assert process.stdout is not None
        while True:
            try:
                line = await process.stdout.readline()
            except ValueError:  # longer than any line of it: what is left comes as one that is no JSON
                continue
            if not line:
                return await process.wait()
            if (said := _warned(line)) is not None and not any(
                one in said for one in secrets if len(one) > 7
            ):
                self._said = said
                self._tell(f"the replica's engine says: {said}", trouble=False)
                self.astray = self.astray or _ASTRAY in said

    def _tell(self, text: str, *, trouble: bool = True) -> None:
        """Once a minute for each text: it says some things each second."""
        if trouble:
            self.trouble = text
        now = monotonic()
        self._told = {said: at for said, at in self._told.items() if now - at < _TELL_AGAIN_S}
        if text not in self._told:
            self._told[text] = now
            log.warning("%s", text)


async def _end(process: asyncio.subprocess.Process) -> None:
    """It sends what there is and ends; one that does not is killed. Its pipe is closed behind it, as a rule."""
    with contextlib.suppress(ProcessLookupError):
        process.terminate()
    drained = asyncio.create_task(_drain(process))
    try:
        await asyncio.wait_for(process.wait(), _END_S)
    except TimeoutError:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()
    finally:
        await asyncio.wait([drained], timeout=_CLOSE_S)
        drained.cancel()


async def _drain(process: asyncio.subprocess.Process) -> None:
    """What it says at its end goes nowhere: else it might wait for its reader."""
    assert process.stdout is not None
    with contextlib.suppress(ValueError, RuntimeError):
        while await process.stdout.read(_LONGEST_LINE):
            pass


def _warned(line: bytes) -> str | None:
    """What is to be passed on of a line of its log; what is no JSON comes of a crash."""
    try:
        found = json.loads(line)
        level, said = str(found["level"]).lower(), [str(found["msg"]), str(found.get("error", ""))]
    except (ValueError, KeyError, TypeError, RecursionError):
        return line.decode(errors="replace").strip()[:300] or None
    return ": ".join(filter(None, said))[:300] if level in ("warn", "error") else None
