"""A small and clean process that becomes a program of ours whenever it is asked: `-m kbwork.core.fork_server FD`.

To start Python and import what a program needs takes 50 to 150 ms; a copy of a process that did so is there within two.
Nothing runs here but that: no thread, no connection to a data file, nothing that anybody sent. A program is a module
with `main(argv)`, which answers its exit status and reads all that it is given before it answers.

FD is a socket. Each message on it is four bytes, its length, and JSON: `{"module", "argv", "env", "folder"}`. Two more
sockets come along: the program's stdin and stdout, and its stderr. On the second one stands `+` first, as soon as the
message is read, and at last a zero byte and the exit status, negative for a signal. Whoever hangs up there ends the
program. The process ends with whoever started it, and when nobody asked for a while: it is started again, then.
"""

import contextlib
import gc
import importlib
import json
import os
import selectors
import signal
import socket
import sys
import traceback
from typing import Any, NoReturn

IDLE_S = 60.0
LENGTH_BYTES = 4
BEGUN, ENDED = b"+", b"\0"
_PATIENCE_S = 5.0
"""So long the exit status waits for whoever is still to read what stands before it."""


class ForkServer:
    """The programs that run, and who hears of them."""

    def __init__(self, asked: socket.socket) -> None:
        self._asked = asked
        self._running: dict[int, socket.socket] = {}
        """By their process ids."""
        self._waiting = selectors.DefaultSelector()
        self._bell, self._rung = socket.socketpair()
        """A child that ends rings."""

    def serve(self) -> None:
        """Until whoever asks is gone, or has not asked for a while."""
        # It is for the server, which lets its programs come to an end.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        self._rung.setblocking(False)
        signal.set_wakeup_fd(self._rung.fileno(), warn_on_full_buffer=False)
        for source in (self._asked, self._bell):
            self._waiting.register(source, selectors.EVENT_READ)
        while True:
            ready = self._waiting.select(None if self._running else IDLE_S)
            if not ready and not self._running:
                return
            for key, _ in ready:
                if key.fileobj is self._bell:
                    self._bell.recv(4096)
                    self._reap()
                elif key.fileobj is not self._asked:
                    self._end(key.data)
                elif not self._take():
                    for pid in self._running:
                        os.kill(pid, signal.SIGKILL)
                    return

    def _take(self) -> bool:
        """Begin what is asked for next; False where nobody is there to ask."""
        try:
            length, fds, _, _ = socket.recv_fds(self._asked, LENGTH_BYTES, 2)
            if len(length) < LENGTH_BYTES:
                return False
            message = b""
            while len(message) < int.from_bytes(length, "big"):
                part = self._asked.recv(int.from_bytes(length, "big") - len(message))
                if not part:
                    return False
                message += part
        except ConnectionError:
            return False
        data, told = (socket.socket(fileno=fd) for fd in fds)
        with data:
            try:
                told.send(BEGUN)
                self._begin(json.loads(message), data, told)
            except OSError:  # whoever hung up meanwhile wants nothing
                told.close()
        return True

    def _begin(self, asked: dict[str, Any], data: socket.socket, told: socket.socket) -> None:
        try:
            module = importlib.import_module(asked["module"])
            gc.freeze()  # what is there stays one with its copies
            pid = os.fork()
        except Exception:
            with told:
                told.sendall(traceback.format_exc().encode(errors="replace") + ENDED + b"1")
            return
        if pid == 0:
            self._become(module, asked, data, told)
        self._running[pid] = told
        self._waiting.register(told, selectors.EVENT_READ, pid)

    def _become(
        self, module: Any, asked: dict[str, Any], data: socket.socket, told: socket.socket
    ) -> NoReturn:
        """Run the program, in the process that is it, with what it was given alone."""
        status = 1
        try:
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            self._waiting.close()
            for fd, line in enumerate((data, data, told)):
                os.dup2(line.fileno(), fd)
            for held in (self._asked, self._bell, self._rung, data, told, *self._running.values()):
                if held.fileno() > 2:  # where no stderr was handed down, one of them stood there
                    held.close()
            sys.stdin, sys.stdout, sys.stderr = (
                open(fd, mode, encoding="utf-8", errors=errors, closefd=False)  # noqa: SIM115 - as long as the process
                for fd, mode, errors in ((0, "r", "strict"), (1, "w", "strict"), (2, "w", "backslashreplace"))
            )
            os.chdir(asked["folder"])
            os.environ.clear()
            os.environ.update(asked["env"])
            sys.argv = [str(module.__file__), *asked["argv"]]
            status = module.main(asked["argv"]) or 0
            sys.stdout.flush()
        except SystemExit as ended:
            status = ended.code if isinstance(ended.code, int) else 1
        except BaseException:
            traceback.print_exc()
        finally:
            try:
                sys.stderr.flush()
            finally:
                os._exit(status)

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
            with self._running.pop(pid) as told, contextlib.suppress(OSError):
                with contextlib.suppress(KeyError):  # whoever asked hung up
                    self._waiting.unregister(told)
                told.settimeout(_PATIENCE_S)
                told.sendall(ENDED + b"%d" % os.waitstatus_to_exitcode(ended))


if __name__ == "__main__":
    ForkServer(socket.socket(fileno=int(sys.argv[1]))).serve()
