"""The proxies that the manual describes, as processes, with what it says to put into their settings."""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

import kbwork

_DOCS = Path(kbwork.__file__).parent / "docs"
_BLOCK = re.compile(r"^```ini\n(.*?)^```", re.DOTALL | re.MULTILINE)
_START_S = 10


def told(page: str, begins: str) -> str:
    """The settings on a page of the manual that begin so."""
    text = (_DOCS / f"{page}.md").read_text(encoding="utf-8")
    found: str = next(text for text in _BLOCK.findall(text) if text.startswith(begins))
    return found


def cache_of_snapshots(folder: Path, upstream: int, port: int) -> str:
    """The settings of nginx for an edge, between two ports of loopback and without certificates; it keeps things in a
    folder of this one."""
    found = told("howto-edge", "proxy_cache_path").replace("127.0.0.1:8080", f"127.0.0.1:{upstream}")
    found = found.replace("443 ssl", f"127.0.0.1:{port}")
    return found.replace("/var/cache/nginx/flags", f"{folder}/kept")


def free_port() -> int:
    """A port of loopback that nobody has."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


@contextmanager
def running(name: str, folder: Path, settings: str, port: int, under: tuple[str, ...] = ()) -> Iterator[None]:
    """A proxy at work with these settings, which have it listen on this port, begun by the words `under`. Skips the
    test where there is none."""
    beside = Path(sys.prefix)
    places = f"{beside}/bin:{beside}/nginx/usr/sbin:{os.environ['PATH']}:/usr/sbin"
    program = shutil.which(name, path=places)
    if program is None:
        pytest.skip(f"{name} is not installed")
    command = [*under, program, *_COMMANDS[name](folder, settings)]
    log = (folder / "log").open("wb")
    process = subprocess.Popen(
        command, cwd=folder, stdout=log, stderr=log, env={"HOME": str(folder)}, start_new_session=True
    )
    try:
        until = time.monotonic() + _START_S
        while not _answers(port):
            assert process.poll() is None, (folder / "log").read_text()
            assert time.monotonic() < until, "the proxy did not start"
            time.sleep(0.02)
        yield
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGTERM)  # what began it ends, too, and does not take it along
        process.wait(10)
        log.close()


def _caddy(folder: Path, settings: str) -> list[str]:
    (folder / "Caddyfile").write_text(f"{{\nadmin off\nauto_https off\n}}\n{settings}")
    return ["run", "--config", str(folder / "Caddyfile")]


def _nginx(folder: Path, settings: str) -> list[str]:
    kept = "".join(
        f"{part}_temp_path {folder}/{part};\n"
        for part in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    user = "user root;\n" if os.geteuid() == 0 else ""
    (folder / "nginx.conf").write_text(
        f"{user}daemon off;\npid {folder}/pid;\nerror_log stderr;\nevents {{}}\n"
        f"http {{\naccess_log off;\n{kept}{settings}}}\n"
    )
    return ["-p", str(folder), "-c", str(folder / "nginx.conf"), "-e", "stderr"]


_COMMANDS = {"caddy": _caddy, "nginx": _nginx}


def _answers(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
    except OSError:
        return False
    return True
