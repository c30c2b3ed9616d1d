"""A small and clean process that becomes a program of ours whenever it is asked: `-m kbwork.core.fork_server FD`.

To start Python and import what a program needs takes 50 to 150 ms; a copy of a process that did so is there within two.
Nothing runs here but that: no thread, no connection to a data file, and nothing is read but names of modules, so that
no copy finds what another was given. A program is a module with `main(argv)`, which answers its exit status and reads
all that it is given before it answers.

FD is a socket. Each message on it is four bytes, its length, and the name of a module; two more sockets come along. On
the first the program reads what it is told (four bytes, the length, and JSON: `{"argv", "env", "folder", "nice"}`) and
what it is given, and writes its answer. On the second stands `+` first, as soon as the message is read, then what it
writes to stderr, and at last a zero byte and the exit status, negative for a signal. Whoever hangs up there ends the
program.

The process ends with whoever started it, and when nobody asked for a while. It makes no more copies when it made many,
or when one of them fell in a way by which somebody could find out what all of them have in common, such as where things
lie in memory. Whoever asks starts another one then.
"""

import contextlib
import ctypes
import gc
import importlib
import json
import os
import selectors
import signal
import socket
import sys
import traceback
from collections.abc import Callable
from typing import Any, NoReturn

IDLE_S = 60.0
MOST_COPIES = 1_000
LENGTH_BYTES = 4
BEGUN, ENDED = b"+", b"\0"
_PATIENCE_S = 5.0
"""So long the exit status waits for whoever is still to read what stands before it."""
_UNFLUSHED = 120
"""The exit status of Python where what was written does not arrive."""
_PR_SET_PDEATHSIG = 1
_FALLEN = {-signal.SIGSEGV, -signal.SIGBUS, -signal.SIGABRT, -signal.SIGILL, -signal.SIGTRAP}


class ForkServer:
    """The programs that run, and who hears of them."""

    def __init__(self, asked: socket.socket) -> None:
        self._asked = asked
        self._running: dict[int, socket.socket] = {}
        """By their process ids."""
        self._left = MOST_COPIES
        self._waiting = selectors.DefaultSelector()
        self._bell, self._rung = socket.socketpair()
        """A child that ends rings."""
        self._pid = os.getpid()

    def serve(self) -> None:
        """Until whoever asks is gone, or has not asked for a while, or there were enough."""
        # Both are for the server, which lets its programs come to an end.
        for one in (signal.SIGINT, signal.SIGTERM):
            signal.signal(one, signal.SIG_IGN)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        self._rung.setblocking(False)
        signal.set_wakeup_fd(self._rung.fileno(), warn_on_full_buffer=False)
        for source in (self._asked, self._bell):
            self._waiting.register(source, selectors.EVENT_READ)
        while self._left > 0 or self._running:
            ready = self._waiting.select(None if self._running else IDLE_S)
            if not ready and not self._running:
                return
            if not all(self._heard(key.fileobj, key.data) for key, _ in ready):
                for pid in self._running:
                    os.kill(pid, signal.SIGKILL)
                return
            if self._left <= 0 and self._asked.fileno() >= 0:
                self._waiting.unregister(self._asked)
                self._asked.close()  # whoever is gone hangs up on each program, too

    def _heard(self, source: object, pid: int | None) -> bool:
        """Do what somebody rang for; False where nobody is there to ask any more."""
        if source is self._asked:
            return self._left <= 0 or self._take()
        if pid is not None:
            self._end(pid)
        else:
            self._bell.recv(4096)
            self._reap()
        return True

    def _take(self) -> bool:
        """Begin what is asked for next; False where nobody is there to ask."""
        try:
            length, fds, _, _ = socket.recv_fds(self._asked, LENGTH_BYTES, 2)
            name = _received(self._asked.recv, int.from_bytes(length, "big")) if length else None
        except ConnectionError:
            return False
        lines = [socket.socket(fileno=fd) for fd in fds]
        if name is None or len(lines) < 2:
            for line in lines:
                line.close()
            return name is not None  # else there was no room for them: their owner sees that nothing began
        data, told = lines
        with data:
            try:
                told.send(BEGUN)
                self._begin(name.decode(), data, told)
            except OSError:  # whoever hung up meanwhile wants nothing
                told.close()
        return True

    def _begin(self, name: str, data: socket.socket, told: socket.socket) -> None:
        try:
            module = importlib.import_module(name)
            gc.freeze()  # what is there stays one with its copies
            pid = os.fork()
        except BaseException:
            with told:
                told.sendall(traceback.format_exc().encode(errors="replace") + ENDED + b"1")
            return
        if pid == 0:
            self._become(module, data, told)
        self._left -= 1
        self._running[pid] = told
        with contextlib.suppress(OSError):  # where there is no room: it is not ended for who hangs up
            self._waiting.register(told, selectors.EVENT_READ, pid)

    def _become(self, module: Any, data: socket.socket, told: socket.socket) -> NoReturn:
        """Run the program, in the process that is it, with what it was given alone."""
        status = 1
        try:
            self._let_go(data, told)
            asked = json.loads(_told())
            os.nice(max(0, asked["nice"] - os.nice(0)))
            with contextlib.suppress(OSError):  # where it may not be entered, this one is in it already
                os.chdir(asked["folder"])
            os.environ.clear()
            os.environ.update(asked["env"])
            sys.argv = [str(module.__file__), *asked["argv"]]
            status = _status_of(module.main(asked["argv"]))
        except SystemExit as ended:
            status = _status_of(ended.code)
        except BaseException:
            traceback.print_exc()
        finally:
            try:
                for stream in (sys.stderr, sys.stdout):
                    if not stream.closed:
                        stream.flush()
            except BaseException:
                status = _UNFLUSHED
            finally:
                os._exit(status)

    def _let_go(self, data: socket.socket, told: socket.socket) -> None:
        """Keep nothing of this process but what its copy is to have, and end with it."""
        if _LIBC is not None:
            _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != self._pid:
            os._exit(1)
        signal.set_wakeup_fd(-1)
        for one in (signal.SIGTERM, signal.SIGCHLD):
            signal.signal(one, signal.SIG_DFL)
        self._waiting.close()
        for fd, line in enumerate((data, data, told)):
            os.dup2(line.fileno(), fd)
        for held in (self._asked, self._bell, self._rung, data, told, *self._running.values()):
            if held.fileno() > 2:  # where no stderr was handed down, one of them stood there
                held.close()
        sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115 - as long as the process
        sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
        sys.stderr = open(2, "w", 1, encoding="utf-8", errors="backslashreplace", closefd=False)  # noqa: SIM115

    def _end(self, pid: int) -> None:
        """Whoever asked hung up."""
        told = self._running.get(pid)
        if told is not None:  # it is not reaped yet: the number is still its own
            self._waiting.unregister(told)
            os.kill(pid, signal.SIGKILL)

    def _reap(self) -> None:
        """Tell how those ended that did."""
        for pid in list(self._running):
            found, ended = os.waitpid(pid, os.WNOHANG)
            if found != pid:
                continue
            status = os.waitstatus_to_exitcode(ended)
            if status in _FALLEN:
                self._left = 0
            with self._running.pop(pid) as told, contextlib.suppress(OSError):
                with contextlib.suppress(KeyError):  # whoever asked hung up
                    self._waiting.unregister(told)
                told.settimeout(_PATIENCE_S)
                told.sendall(ENDED + b"%d" % status)


def _received(receive: Callable[[int], bytes], length: int) -> bytes | None:
    """So many bytes; None where they do not come."""
    found = b""
    while len(found) < length:
        part = receive(length - len(found))
        if not part:
            return None
        found += part
    return found


def _told() -> bytes:
    """What stands before that which the program is given. Raises EOFError."""
    length = _received(lambda size: os.read(0, size), LENGTH_BYTES)
    found = _received(lambda size: os.read(0, size), int.from_bytes(length, "big")) if length else None
    if found is None:
        raise EOFError("whoever asked hung up")
    return found


def _status_of(code: object) -> int:
    """What Python makes of what a program ends with."""
    if code is None or isinstance(code, int):
        return (code or 0) & 0xFF
    print(code, file=sys.stderr)  # noqa: T201 - as `sys.exit` does
    return 1


try:
    _LIBC = ctypes.CDLL(None) if sys.platform == "linux" else None
except (OSError, MemoryError):
    _LIBC = None  # memory may not be made executable: what runs is ended by whoever asked alone, then


if __name__ == "__main__":
    ForkServer(socket.socket(fileno=int(sys.argv[1]))).serve()
