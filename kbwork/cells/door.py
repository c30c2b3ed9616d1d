"""The door of many orgs: it holds the one address, reads by which name a connection asks, and has the org serve it.

Nothing is passed through: the head is looked at where it lies, and the connection itself goes to the process of the
org, which reads it from its beginning. What the door takes it for decides who serves it, never what it says.
"""

import asyncio
import contextlib
import fcntl
import json
import logging
import os
import re
import socket
from pathlib import Path
from typing import Any

from kbwork.base.clock import monotonic
from kbwork.cells.cell import Cell, CellDefaults, CellState
from kbwork.cells.register import CellRegister
from kbwork.worker.periodic import PeriodicTask

log = logging.getLogger("kbwork.cells")
STATUS = "cells.sock"
_LOCK = "cells.lock"
_HEAD_BYTES = 16 * 1024
_HEAD_S = 10.0
_POLL_S = 0.02
_LONGEST_POLL_S = 0.5
_MOST_WAITING = 4000
_STARTS_AT_ONCE = 4
_READ_AGAIN_S = 2.0
_ROUND_S = 5.0
_LINGER_S = 1.0
_HOST = re.compile(rb"\r\nhost:[ \t]*(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d{1,5})?[ \t]*\r\n", re.IGNORECASE)
_TITLES = {400: "Bad Request", 404: "Not Found", 408: "Request Timeout", 503: "Service Unavailable"}


class DoorTaken(Exception):
    """The folder has a door; the text is for the operator."""


class CellsDoor:
    """From `start` to `stop` on the running loop."""

    def __init__(self, folder: Path, listening: socket.socket, defaults: CellDefaults) -> None:
        self._register = CellRegister(folder)
        self._listening = listening
        self._defaults = defaults
        self._cells: dict[str, Cell] = {}
        self._starts = asyncio.Semaphore(_STARTS_AT_ONCE)
        self._tasks: set[asyncio.Task[None]] = set()
        self._read_at = float("-inf")
        self._reading = asyncio.Lock()
        self._status: asyncio.Server | None = None
        self._lock: int | None = None
        self._rounds = PeriodicTask(self._round, name="the door", log=log, every_s=_ROUND_S)

    async def start(self) -> None:
        """Begin on the running loop. Raises DoorTaken, and OSError where the folder cannot be written."""
        self._lock = _locked(self._register.folder / _LOCK)
        self._listening.listen(1024)
        self._listening.setblocking(False)
        await self._read()
        status = self._register.folder / STATUS
        status.unlink(missing_ok=True)
        self._status = await asyncio.start_unix_server(self._tell, status)
        status.chmod(0o600)
        self._keep(self._accept())
        self._rounds.start()

    async def stop(self) -> None:
        """Take no more, and end the orgs that are awake."""
        await self._rounds.stop()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._status is not None:
            self._status.close()
        (self._register.folder / STATUS).unlink(missing_ok=True)
        self._listening.close()
        await asyncio.gather(*(cell.stop() for cell in self._cells.values()))
        if self._lock is not None:
            os.close(self._lock)

    def _keep(self, work: Any) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _accept(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            try:
                sock, _ = await loop.sock_accept(self._listening)
            except OSError as error:  # out of descriptors, or whoever asked is gone
                log.warning("a connection cannot be taken: %s", error.strerror)
                await asyncio.sleep(_POLL_S)
                continue
            if len(self._tasks) > _MOST_WAITING:
                sock.close()
            else:
                self._keep(self._serve(sock))

    async def _serve(self, sock: socket.socket) -> None:
        """Find out for whom it is."""
        sock.setblocking(False)
        kept = False
        try:
            host = await _host(sock)
            if host is None:
                return
            cell = await self._cell(host)
            if cell is None:
                self._answer(sock, 404, f"There is no org by the name {host} here: look at the address.")
            else:
                cell.give(sock)
            kept = True
        except ValueError as error:
            self._answer(sock, *error.args)
            kept = True
        except OSError:
            pass
        finally:
            if not kept:
                sock.close()

    async def _cell(self, host: str) -> Cell | None:
        if host not in self._register.by_host:
            await self._read()
        folder = self._register.by_host.get(host)
        return self._cells.get(folder.name) if folder is not None else None

    async def _read(self) -> None:
        """Look into the folder, where that was not done just now."""
        async with self._reading:
            if monotonic() - self._read_at < _READ_AGAIN_S:
                return
            try:
                await asyncio.to_thread(self._register.read)
            except OSError as error:
                log.warning("%s cannot be read: %s", self._register.folder, error.strerror)
            self._read_at = monotonic()
            gone = [name for name in self._cells if name not in self._register.by_name]
            for name in gone:
                if self._cells[name].state is not CellState.AWAKE:
                    del self._cells[name]
            for name, folder in self._register.by_name.items():
                cell = self._cells.get(name)
                if cell is None:
                    self._cells[name] = Cell(folder, self._defaults, self._starts, self._refused)
                elif cell.folder is not folder:
                    cell.is_now(folder)

    async def _round(self) -> None:
        """Wake whoever has something to do."""
        await self._read()
        for cell in self._cells.values():
            if cell.is_due:
                cell.wake()

    def _refused(self, sock: socket.socket, cell: Cell) -> None:
        pause = max(1, round(cell.retry_at - monotonic()))
        self._answer(
            sock,
            503,
            "This org does not start. Try again in a moment; who runs the machine finds why by `kbwork cells status`.",
            pause,
        )

    def _answer(self, sock: socket.socket, status: int, detail: str, retry_s: int | None = None) -> None:
        self._keep(_answered(sock, status, detail, retry_s))

    async def _tell(self, _: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Say who is awake, and until when the others sleep."""
        told = [
            {
                "name": cell.folder.name,
                "hosts": sorted(cell.folder.hosts),
                "state": cell.state,
                "since": round(cell.since),
                "wakes_at": cell.wakes_at if cell.pid is None else None,
                "pid": cell.pid,
                "starts": cell.starts,
                "trouble": cell.trouble,
            }
            for _, cell in sorted(self._cells.items())
        ]
        with contextlib.suppress(OSError):
            writer.write(json.dumps(told).encode() + b"\n")
            await writer.drain()
            writer.close()


def _locked(path: Path) -> int:
    """Held as long as this process lives. Raises DoorTaken."""
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(handle)
        raise DoorTaken(f"{path.parent} is served by another kbwork cells: end that one first") from None
    return handle


async def _host(sock: socket.socket) -> str | None:
    """The name that the first head asks for; None where nobody asks. Raises ValueError with what is answered."""
    until = monotonic() + _HEAD_S
    loop = asyncio.get_running_loop()
    readable = asyncio.Event()
    loop.add_reader(sock, readable.set)
    try:
        await asyncio.wait_for(readable.wait(), _HEAD_S)
    except TimeoutError:
        return None
    finally:
        loop.remove_reader(sock)
    pause = _POLL_S
    while monotonic() < until:
        head = sock.recv(_HEAD_BYTES, socket.MSG_PEEK)
        if not head:
            return None
        end = head.find(b"\r\n\r\n")
        if end < 0 and len(head) < _HEAD_BYTES:
            await asyncio.sleep(pause)
            pause = min(2 * pause, _LONGEST_POLL_S)
            continue
        found = _HOST.search(head, 0, end + 2 if end >= 0 else len(head))
        if found is None:
            raise ValueError(400, "The Host header should be a host with or without a port.")
        return found[1].decode("ascii").lower()
    raise ValueError(408, "The request's header did not arrive in time; send it again without pauses.")


async def _answered(sock: socket.socket, status: int, detail: str, retry_s: int | None) -> None:
    """Answer, and read on for a moment: closing on unread bytes would take the answer away."""
    loop = asyncio.get_running_loop()
    body = json.dumps(
        {"type": "about:blank", "title": _TITLES[status], "status": status, "detail": detail}
    ).encode()
    lines = [
        f"HTTP/1.1 {status} {_TITLES[status]}",
        "content-type: application/problem+json",
        f"content-length: {len(body)}",
        "cache-control: no-store",
        "connection: close",
        *([f"retry-after: {retry_s}"] if retry_s is not None else []),
    ]
    with contextlib.suppress(OSError, TimeoutError), sock:
        async with asyncio.timeout(_LINGER_S):
            await loop.sock_sendall(sock, "\r\n".join(lines).encode() + b"\r\n\r\n" + body)
            sock.shutdown(socket.SHUT_WR)
            while await loop.sock_recv(sock, _HEAD_BYTES):
                pass


def status(folder: Path) -> list[dict[str, Any]]:
    """What the door of a folder says. Raises OSError where there is none."""
    with socket.socket(socket.AF_UNIX) as asked:
        asked.settimeout(5)
        asked.connect(os.fspath(folder / STATUS))
        pieces = b"".join(iter(lambda: asked.recv(65_536), b""))
    found: list[dict[str, Any]] = json.loads(pieces)
    return found
