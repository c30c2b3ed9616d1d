"""A place for replicas that can be taken away: SeaweedFS behind a line that can be cut, or a folder."""

import os
import socket
import subprocess
import threading
import time
import urllib.request
from contextlib import suppress
from pathlib import Path

from obstore.store import S3Store

_BUCKET = "kbwork-dist"
_START_S = 60.0
_PIECE = 65_536
_PARTS = ("master", "volume", "filer")


class StoredPlace:
    """With a program of SeaweedFS a bucket of it, else a folder."""

    def __init__(self, root: Path, weed: str | None) -> None:
        self._root = root
        self._weed = weed
        self._process: subprocess.Popen[bytes] | None = None
        self._name = ""
        self._line: CutLine | None = None
        if weed is not None:
            self._port, *self._beside = _free_ports(4)
            self.start()
            self._line = CutLine(self._port)

    def begin(self, name: str) -> None:
        """From now on it is an empty place of this name."""
        self._name = name
        if self._weed is None:
            self._folder.mkdir(parents=True)
            self._cut_folder.symlink_to(self._folder)

    @property
    def _folder(self) -> Path:
        return self._root / "places" / self._name

    @property
    def _cut_folder(self) -> Path:
        return self._root / "places" / f"{self._name}-by-line"

    def settings(self, *, cut: bool) -> dict[str, str]:
        if self._weed is None:
            return {"KBWORK_REPLICATE_TO": str(self._cut_folder if cut else self._folder)}
        port = self._line.port if cut and self._line is not None else self._port
        return {
            "KBWORK_REPLICATE_TO": f"s3://{_BUCKET}/{self._name}",
            "KBWORK_REPLICATE_ENDPOINT": f"http://127.0.0.1:{port}",
            "AWS_ACCESS_KEY_ID": "any",
            "AWS_SECRET_ACCESS_KEY": "any",
        }

    def start(self) -> None:
        """It is there again."""
        if self._weed is None:
            if self._folder.is_file():
                self._folder.unlink()
                self._folder.with_suffix(".away").rename(self._folder)
            return
        folder = self._root / "weed"
        folder.mkdir(exist_ok=True)
        self._process = subprocess.Popen(
            [
                *(self._weed, "server", f"-dir={folder}", "-ip=127.0.0.1", "-s3", f"-s3.port={self._port}"),
                *("-volume.max=300", "-master.volumeSizeLimitMB=64", "-filer"),
                *("-s3.port.iceberg=0", "-s3.port.lance=0"),
                *(f"-{one}.port={port}" for one, port in zip(_PARTS, self._beside, strict=True)),
            ],
            stdout=subprocess.DEVNULL,
            stderr=(self._root / "weed.log").open("ab"),
            env={"PATH": os.environ["PATH"], "HOME": str(self._root)},
        )
        until = time.monotonic() + _START_S
        while not self._answers():
            if time.monotonic() > until:
                said = (self._root / "weed.log").read_text("utf-8", "replace")
                fatal = [line for line in said.splitlines() if line.startswith("F")]
                raise TimeoutError(f"SeaweedFS did not start: {fatal[:1] or said[-300:]}")
            time.sleep(0.2)

    def stop(self) -> None:
        """It is away, without a word."""
        if self._process is None:
            self._folder.rename(self._folder.with_suffix(".away"))
            self._folder.write_text("no folder")
            return
        self._process.kill()
        self._process.wait(20)

    def cut(self) -> None:
        """Whoever uses the line does not reach it any more."""
        if self._line is not None:
            self._line.cut()
        else:
            self._cut_folder.unlink()
            self._cut_folder.write_text("no folder")

    def mend(self) -> None:
        if self._line is not None:
            self._line.mend()
        elif self._cut_folder.is_file() and not self._cut_folder.is_symlink():
            self._cut_folder.unlink()
            self._cut_folder.symlink_to(self._folder)

    def close(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait(20)

    def _answers(self) -> bool:
        """Whether it takes objects; the bucket is made."""
        url = f"http://127.0.0.1:{self._port}"
        with suppress(Exception):
            urllib.request.urlopen(
                urllib.request.Request(f"{url}/{_BUCKET}", method="PUT"), timeout=2
            ).close()
        try:
            store = S3Store(
                _BUCKET,
                endpoint=url,
                access_key_id="any",
                secret_access_key="any",
                client_options={"allow_http": True},
                retry_config={"max_retries": 0},
            )
            store.put("trial", b"1")
        except Exception:  # it does not serve yet
            return False
        return True


class CutLine:
    """Passes connections on to a port until it is cut; then none is made, and those that were are closed."""

    def __init__(self, to: int) -> None:
        self._to = to
        self._open = True
        self._sockets: set[socket.socket] = set()
        self._heard = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._heard.getsockname()[1]
        threading.Thread(target=self._listen, daemon=True).start()

    def cut(self) -> None:
        self._open = False
        for one in list(self._sockets):
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)

    def mend(self) -> None:
        self._open = True

    def _listen(self) -> None:
        while True:
            near, _ = self._heard.accept()
            if not self._open:
                near.close()
                continue
            try:
                far = socket.create_connection(("127.0.0.1", self._to), timeout=5)
            except OSError:
                near.close()
                continue
            for one, other in ((near, far), (far, near)):
                self._sockets.add(one)
                threading.Thread(target=self._pass, args=(one, other), daemon=True).start()

    def _pass(self, one: socket.socket, other: socket.socket) -> None:
        with suppress(OSError):
            while piece := one.recv(_PIECE):
                other.sendall(piece)
        self._sockets.discard(one)
        with suppress(OSError):
            other.shutdown(socket.SHUT_RDWR)
        one.close()


def _free_ports(count: int) -> list[int]:
    """Ports that nobody has; of each SeaweedFS takes the one that is 10,000 above for itself, too, which is to be below
    those that connections take."""
    found: list[int] = []
    for port in range(20_100 + os.getpid() % 20 * 100, 22_700):
        if all(_is_free(one) for one in (port, port + 10_000)):
            found.append(port)
        if len(found) == count:
            break
    return found


def _is_free(port: int) -> bool:
    with socket.socket() as sock:
        return sock.connect_ex(("127.0.0.1", port)) != 0
