"""Programs of ours that run beside the server, without a shell and without its environment: what somebody sent may mean
harm, and takes neither the server's time nor what it knows."""

import atexit
import contextlib
import json
import os
import re
import selectors
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from kbwork.base.clock import monotonic
from kbwork.core import fork_server

_NOTHING: Mapping[str, str] = MappingProxyType({})
_NEEDED = (
    "HOME",
    "LD_LIBRARY_PATH",
    "OPENSSL_CONF",
    "PYTHONHOME",
    "PYTHONPATH",
    "PYTHONPYCACHEPREFIX",
    "PYTHONUSERBASE",
)
"""Of our environment the process that is copied gets what finds programs and libraries, and nothing that is secret."""
_Lines = tuple[socket.socket, socket.socket]
_STATUS = re.compile(re.escape(fork_server.ENDED) + rb"(-?\d{1,3})\Z")
_CHUNK_BYTES = 1 << 18
_ENDS_S = 5.0
_TRIES = 5


def run(
    module: str, *argv: str, given: bytes, most_s: float | None = None
) -> "subprocess.CompletedProcess[bytes]":
    """What a program answers: work for a thread.

    Raises subprocess.TimeoutExpired, with what was answered until then, where it is killed for its time.
    """
    return OwnProgram(module, argv).communicate(given, most_s)


def make_ready() -> None:
    """Start the process that programs are copied from, where none is there."""
    _SERVER.start()


class OwnProgram:
    """A module with `main(argv)` that runs in a process of its own (see core/fork_server.py): what it is given is its
    stdin, what it answers its stdout."""

    def __init__(self, module: str, argv: tuple[str, ...] = (), env: Mapping[str, str] = _NOTHING) -> None:
        self._module = module
        self._argv = argv
        self._env = env
        self._killed = threading.Event()
        self._lines: _Lines | None = None

    def communicate(self, given: bytes, most_s: float | None = None) -> "subprocess.CompletedProcess[bytes]":
        """Run it with this, and wait for its end, once: work for a thread. Raises subprocess.TimeoutExpired."""
        ends = None if most_s is None else monotonic() + most_s
        for _ in range(_TRIES):  # the process that was asked may end in this moment, and begin nothing
            heard = self._run(given, ends)
            if heard.told or heard.late or self._killed.is_set():
                break
        if heard.late:
            raise subprocess.TimeoutExpired(self._module, most_s or 0, heard.answer)
        errors, status = heard.end()
        return subprocess.CompletedProcess(self._module, status, heard.answer, errors)

    def kill(self) -> None:
        """End it, from any thread; `communicate` answers when it has ended."""
        self._killed.set()
        if self._lines is not None:
            _end(self._lines)

    def _run(self, given: bytes, ends: float | None) -> "_Heard":
        data, told = self._lines = _SERVER.begin(self._module)
        if self._killed.is_set():
            _end(self._lines)
        with data, told:
            asked = {"argv": self._argv, "env": dict(self._env), "folder": _folder(), "nice": _niceness()}
            text = json.dumps(asked).encode()
            head = len(text).to_bytes(fork_server.LENGTH_BYTES, "big") + text
            return self._heard(not _given(data, (head, given), ends), ends)

    def _heard(self, late: bool, ends: float | None) -> "_Heard":
        """What it says until it has ended. One that is late is ended, and so is one that is killed: then it is gone in
        a moment, unless the machine has other things to do."""
        assert self._lines is not None
        data, told = self._lines
        said = {data: bytearray(), told: bytearray()}
        ended = False
        with selectors.DefaultSelector() as waiting:
            for line in self._lines:
                waiting.register(line, selectors.EVENT_READ, line)
            while waiting.get_map():
                over = ends is not None and monotonic() >= ends
                if ended and over:
                    break
                if not ended and (late or over or self._killed.is_set()):
                    late, ended, ends = late or over, True, monotonic() + _ENDS_S
                    _end(self._lines)
                for key, _ in waiting.select(_left(ends)):
                    part = _received(key.data)
                    said[key.data] += part
                    if not part:
                        waiting.unregister(key.data)
        return _Heard(bytes(said[data]), bytes(said[told]), late)


class _Heard(NamedTuple):
    """What came from a program."""

    answer: bytes
    told: bytes
    late: bool

    def end(self) -> tuple[bytes, int]:
        """(what it wrote to stderr, its exit status: that of a killed one where nobody is there to tell)."""
        told = self.told.removeprefix(fork_server.BEGUN)
        match = _STATUS.search(told)
        return (told, -signal.SIGKILL) if match is None else (told[: match.start()], int(match[1]))


def _end(lines: _Lines) -> None:
    """Hang up, and hear how it ends."""
    data, told = lines
    for line, how in ((told, socket.SHUT_WR), (data, socket.SHUT_RDWR)):
        with contextlib.suppress(OSError):  # it is gone already
            line.shutdown(how)


def _given(data: socket.socket, parts: Iterable[bytes], ends: float | None) -> bool:
    """Whether it was given all in time. One that reads no further, or is gone, says so itself."""
    try:
        for part in parts:
            data.settimeout(_left(ends))
            data.sendall(part)
        data.shutdown(socket.SHUT_WR)
    except TimeoutError:
        return False
    except OSError:
        pass
    return True


def _left(ends: float | None) -> float | None:
    return None if ends is None else max(0.001, ends - monotonic())


def _folder() -> str:
    try:
        return str(Path.cwd())
    except FileNotFoundError:  # it was taken away: whoever is given whole paths needs none
        return "/"


def _niceness() -> int:
    """Of this thread, where a thread has one of its own."""
    return os.getpriority(os.PRIO_PROCESS, threading.get_native_id() if sys.platform == "linux" else 0)


def _is_over(line: socket.socket) -> bool:
    """Whether nobody is at the other end; nothing is ever said there."""
    try:
        return line.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT) == b""
    except BlockingIOError:
        return False
    except OSError:
        return True


def _received(line: socket.socket) -> bytes:
    try:
        return line.recv(_CHUNK_BYTES)
    except (ConnectionError, TimeoutError):
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
        """Where it does not run, or makes no more copies."""
        with self._lock:
            if self._line is None or _is_over(self._line):
                self._start()

    def begin(self, module: str) -> _Lines:
        """(by which a program is given something and answers, by which it tells)."""
        data, its_data = socket.socketpair()
        told, its_told = socket.socketpair()
        try:
            with its_data, its_told, self._lock:
                self._ask(module.encode(), [its_data.fileno(), its_told.fileno()])
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
        except ConnectionError:  # it ended by itself
            self._start()
            self._send(message, fds)

    def _send(self, message: bytes, fds: list[int]) -> None:
        assert self._line is not None
        sent = socket.send_fds(self._line, [message], fds)
        self._line.sendall(message[sent:])

    def _start(self) -> None:
        before, (self._line, its) = self._line, socket.socketpair()
        if before is not None:
            before.close()  # what runs there still comes to its end
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
