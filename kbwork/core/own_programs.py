"""Programs of ours that run beside the server, without a shell and without its environment: what somebody sent may mean
harm, and takes neither the server's time nor what it knows."""

import atexit
import contextlib
import json
import os
import selectors
import socket
import subprocess
import sys
import threading
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from kbwork.base.clock import monotonic
from kbwork.core import fork_server

_NOTHING: Mapping[str, str] = MappingProxyType({})
_NEEDED = ("PYTHONPATH", "PYTHONPYCACHEPREFIX")
"""Of our environment a process gets what finds its program, and nothing that is secret."""
_CHUNK_BYTES = 1 << 18
_ENDS_S = 5.0


def run(
    module: str, *argv: str, given: bytes, most_s: float | None = None
) -> "subprocess.CompletedProcess[bytes]":
    """What a program answers: work for a thread.

    Raises subprocess.TimeoutExpired, with what was answered until then, where it is killed for its time.
    """
    return OwnProgram(module, argv).communicate(given, most_s)


def make_ready() -> None:
    """Start the process that programs are copied from, where none is there: on the loop, since threads that stand back
    hand that on."""
    _SERVER.start()


class OwnProgram:
    """A module with `main(argv)` that runs in a process of its own (see core/fork_server.py): what it is given is its
    stdin, what it answers its stdout."""

    def __init__(self, module: str, argv: tuple[str, ...] = (), env: Mapping[str, str] = _NOTHING) -> None:
        self._module = module
        self._asked = json.dumps(
            {"module": module, "argv": argv, "env": dict(env), "folder": _folder()}
        ).encode()
        self._killed = threading.Event()
        self._lines = _SERVER.begin(self._asked)

    def communicate(self, given: bytes, most_s: float | None = None) -> "subprocess.CompletedProcess[bytes]":
        """Give it this, and wait for its end, once: work for a thread. Raises subprocess.TimeoutExpired."""
        ends = None if most_s is None else monotonic() + most_s
        try:
            answer, told = self._talk(given, ends)
            if (
                not told and not self._killed.is_set()
            ):  # nobody asked for a while, and its server ended in this moment
                self._hang_up()
                self._lines = _SERVER.begin(self._asked)
                if self._killed.is_set():
                    self.kill()
                answer, told = self._talk(given, ends)
        except _Late as late:
            raise subprocess.TimeoutExpired(self._module, most_s or 0, late.answered) from None
        finally:
            self._hang_up()
        errors, _, status = told[len(fork_server.BEGUN) :].rpartition(fork_server.ENDED)
        return subprocess.CompletedProcess(self._module, int(status or -9), answer, errors)

    def kill(self) -> None:
        """End it, from any thread; `communicate` answers then."""
        self._killed.set()
        for line in self._lines:
            with contextlib.suppress(OSError):
                line.shutdown(socket.SHUT_RDWR)

    def _talk(self, given: bytes, ends: float | None) -> tuple[bytes, bytes]:
        """(its answer, what it told). Raises _Late."""
        data, told = self._lines
        data.settimeout(_left(ends))
        try:
            data.sendall(given)
            data.shutdown(socket.SHUT_WR)
        except TimeoutError:
            raise _Late(b"") from None
        except OSError:  # it reads no further, or is gone: what it tells says so
            pass
        heard = {data: bytearray(), told: bytearray()}
        with selectors.DefaultSelector() as waiting:
            for line in heard:
                waiting.register(line, selectors.EVENT_READ, line)
            while waiting.get_map():
                for key, _ in waiting.select(_left(ends)):
                    part = _received(key.data)
                    heard[key.data] += part
                    if not part:
                        waiting.unregister(key.data)
                if waiting.get_map() and ends is not None and monotonic() >= ends:
                    raise _Late(bytes(heard[data]))
        return bytes(heard[data]), bytes(heard[told])

    def _hang_up(self) -> None:
        for line in self._lines:
            line.close()


class _Late(Exception):
    """Its time was over."""

    def __init__(self, answered: bytes) -> None:
        self.answered = answered
        super().__init__(answered)


def _left(ends: float | None) -> float | None:
    return None if ends is None else max(0.001, ends - monotonic())


def _folder() -> str:
    try:
        return str(Path.cwd())
    except FileNotFoundError:  # it was taken away: whoever is given whole paths needs none
        return "/"


def _received(line: socket.socket) -> bytes:
    try:
        return line.recv(_CHUNK_BYTES)
    except ConnectionError:
        return b""


class ForkServerProcess:
    """The process that becomes programs: one for all of this process, begun when the first is asked for."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._line: socket.socket | None = None

    @property
    def pid(self) -> int | None:
        """None where none runs."""
        return self._process.pid if self._process is not None else None

    def start(self) -> None:
        """Where it does not run."""
        with self._lock:
            if self._process is None or self._process.poll() is not None:
                self._start()

    def begin(self, asked: bytes) -> tuple[socket.socket, socket.socket]:
        """(by which a program is given something and answers, by which it tells)."""
        data, its_data = socket.socketpair()
        told, its_told = socket.socketpair()
        try:
            with its_data, its_told, self._lock:
                self._ask(asked, [its_data.fileno(), its_told.fileno()])
        except BaseException:
            data.close()
            told.close()
            raise
        return data, told

    def close(self) -> None:
        """Nothing is asked of it any more; what runs is ended."""
        if self._line is not None:
            self._line.close()
        if self._process is not None:
            try:
                self._process.wait(_ENDS_S)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        self._line = self._process = None

    def _ask(self, asked: bytes, fds: list[int]) -> None:
        message = len(asked).to_bytes(fork_server.LENGTH_BYTES, "big") + asked
        if self._line is None:
            self._start()
        try:
            self._send(message, fds)
        except OSError:  # it ended, since nobody asked for a while
            self._start()
            self._send(message, fds)

    def _send(self, message: bytes, fds: list[int]) -> None:
        assert self._line is not None
        sent = socket.send_fds(self._line, [message], fds)
        self._line.sendall(message[sent:])

    def _start(self) -> None:
        self.close()
        self._line, its = socket.socketpair()
        with its:
            self._process = subprocess.Popen(  # noqa: S603 - our own program, without a shell and without our environment
                [sys.executable, "-P", "-m", fork_server.__name__, str(its.fileno())],
                env={
                    **{name: os.environ[name] for name in _NEEDED if name in os.environ},
                    "PYDANTIC_DISABLE_PLUGINS": "1",  # it would look for some in each package installed
                },
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                pass_fds=[its.fileno()],
            )
        # It ends by itself at times, and is to be gone then.
        threading.Thread(target=self._process.wait, name="kbwork-fork-server", daemon=True).start()


_SERVER = ForkServerProcess()
atexit.register(_SERVER.close)
