"""Connections that one process accepts and another serves: their descriptors go over a socket between the two.

The one that gives keeps each until it hears that it was taken: who ends in between loses none.
"""

import asyncio
import contextlib
import os
import socket
from collections import deque
from collections.abc import Awaitable, Callable

from kbwork.base.tasks import uncut

VARIABLE = "KBWORK_DOOR_FD"
_TAKEN = b"."
_AT_ONCE = 64


class GivingEnd:
    """The door's end, for one life of a process."""

    def __init__(self) -> None:
        self._ours, self.theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        self._ours.setblocking(False)
        self._given: deque[socket.socket] = deque()
        self._waiting: deque[socket.socket] = deque()
        """What the socket between has no room for."""
        self._loop = asyncio.get_running_loop()
        self._loop.add_reader(self._ours, self._hear)

    @property
    def backlog(self) -> int:
        """How many were given and not taken yet."""
        return len(self._given) + len(self._waiting)

    def give(self, sock: socket.socket) -> None:
        """Have a connection served."""
        self._waiting.append(sock)
        self._send()

    def close(self) -> list[socket.socket]:
        """Answers those that were given and never taken."""
        self._hear()
        self._loop.remove_reader(self._ours)
        self._loop.remove_writer(self._ours)
        self._ours.close()
        return [*self._given, *self._waiting]

    def _send(self) -> None:
        while self._waiting:
            try:
                socket.send_fds(self._ours, [_TAKEN], [self._waiting[0].fileno()])
            except BlockingIOError:
                self._loop.add_writer(self._ours, self._send)
                return
            except OSError:  # it is gone: whoever waits for its end closes this
                break
            self._given.append(self._waiting.popleft())
        self._loop.remove_writer(self._ours)

    def _hear(self) -> None:
        try:
            heard = self._ours.recv(4096)
        except OSError:
            return
        if not heard:
            self._loop.remove_reader(self._ours)
        for _ in heard:
            self._given.popleft().close()


class TakingEnd:
    """The server's end, from `start` to `stop`."""

    def __init__(self, take: Callable[[socket.socket], Awaitable[None]], gone: Callable[[], None]) -> None:
        """`take` serves a connection; `gone` is called when the door has ended."""
        handle = int(os.environ.pop(VARIABLE))
        os.set_inheritable(handle, False)
        self._sock = socket.socket(fileno=handle)
        self._sock.setblocking(False)
        self._take = take
        self._gone = gone
        self._tasks: set[asyncio.Task[None]] = set()

    def start(self) -> None:
        """Begin on the running loop."""
        asyncio.get_running_loop().add_reader(self._sock, self._hear)

    def stop(self) -> None:
        """Take no more: what was given and not taken is given to another."""
        asyncio.get_running_loop().remove_reader(self._sock)

    def _hear(self) -> None:
        try:
            heard, handles, _, _ = socket.recv_fds(self._sock, _AT_ONCE, _AT_ONCE)
        except OSError:
            return
        if not heard:
            self.stop()
            self._gone()
        for handle in handles:
            task = asyncio.get_running_loop().create_task(uncut(self._taken(socket.socket(fileno=handle))))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _taken(self, sock: socket.socket) -> None:
        sock.setblocking(False)
        with contextlib.suppress(OSError):  # whoever asked is gone
            await self._take(sock)
        with contextlib.suppress(OSError):
            self._sock.send(_TAKEN)
