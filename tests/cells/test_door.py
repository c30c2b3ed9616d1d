"""A door before two orgs: each wakes at its first request, is asked by its own name, and sleeps again."""

import http.client
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from kbwork.cells import idle
from kbwork.cells.door import status
from kbwork.cli.machines.cells import status as told
from tests.conftest import Person
from tests.modules.calls import eventually

_QUICK = 0.005
"""Minutes."""


@dataclass
class RunningDoor:
    """`kbwork cells` as a process of its own."""

    folder: Path
    process: "subprocess.Popen[str]"
    port: int

    def ask(self, host: str, path: str = "/healthz", **headers: str) -> tuple[int, Any]:
        """By a connection of its own."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=20) as sock:
            return answered(sock, host, path, **headers)

    def states(self) -> dict[str, str]:
        return {one["name"]: one["state"] for one in status(self.folder)}

    def of(self, name: str) -> dict[str, Any]:
        return next(one for one in status(self.folder) if one["name"] == name)


def answered(sock: socket.socket, host: str, path: str, **headers: str) -> tuple[int, Any]:
    lines = [
        f"GET {path} HTTP/1.1",
        f"Host: {host}",
        *(f"{name}: {value}" for name, value in headers.items()),
    ]
    sock.sendall("\r\n".join([*lines, "", ""]).encode())
    answer = http.client.HTTPResponse(sock)
    answer.begin()
    body = answer.read()
    return answer.status, (dict(answer.getheaders()), json.loads(body or b"null"))


def laid(folder: Path, template: Path, settings: str = "") -> None:
    folder.mkdir(parents=True)
    shutil.copytree(template, folder / "kbwork-data")
    idle.note(folder / "kbwork-data", 1 << 40)
    if settings:
        (folder / "kbwork.toml").write_text(settings)


@pytest.fixture
def folder(tmp_path: Path, template: tuple[Path, dict[str, Person]]) -> Path:
    laid(tmp_path / "cells" / "acme.example.org", template[0])
    more = f'[server]\nbase_url = "http://bolt.example.org"\nidle_stop_minutes = {_QUICK}\n'
    laid(tmp_path / "cells" / "bolt", template[0], more + 'trusted_proxies = ["127.0.0.1"]\n')
    (tmp_path / "cells" / "notes").mkdir()
    return tmp_path / "cells"


@pytest.fixture
def door(folder: Path) -> Iterator[RunningDoor]:
    process = subprocess.Popen(
        [sys.executable, "-m", "kbwork", "cells", str(folder), "--port", "0", "--scheme", "http"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert process.stdout is not None
    line = process.stdout.readline()
    yield RunningDoor(folder, process, int(line.split(",")[0].rpartition(":")[2]))
    process.terminate()
    told, _ = process.communicate(timeout=30)
    assert process.returncode == 0, told


def test_an_org_wakes_at_its_first_request_and_sleeps_again(door: RunningDoor) -> None:
    assert door.states() == {"acme.example.org": "asleep", "bolt": "asleep"}
    assert door.ask("bolt.example.org")[0] == 200
    assert door.states()["acme.example.org"] == "asleep"
    status_code, (_, problem) = door.ask("other.example.org")
    assert (status_code, problem["detail"]) == (
        404,
        "There is no org by the name other.example.org here: look at the address.",
    )
    eventually(lambda: door.states()["bolt"] == "asleep", every=0.1)
    assert door.of("bolt")["wakes_at"] > door.of("bolt")["since"] + idle.SOON_S
    assert door.ask("bolt.example.org")[0] == 200
    assert door.of("bolt")["starts"] == 2


def test_a_folder_has_one_door(door: RunningDoor) -> None:
    words = [sys.executable, "-m", "kbwork", "cells", str(door.folder), "--port", "0"]
    ran = subprocess.run(words, capture_output=True, text=True, timeout=30, check=False)
    assert (ran.returncode, "is served by another kbwork cells: end that one first" in ran.stderr) == (
        2,
        True,
    )


def test_a_connection_is_served_by_the_org_itself(door: RunningDoor) -> None:
    with socket.create_connection(("127.0.0.1", door.port), timeout=20) as sock:
        assert answered(sock, "ACME.example.org:8080", "/healthz")[0] == 200
        assert answered(sock, "acme.example.org", "/healthz")[0] == 200, "the connection stays"
        code, (_, problem) = answered(sock, "bolt.example.org", "/api/v1/openapi.json")
        assert (code, "does not go by the name bolt.example.org" in problem["detail"]) == (421, True)
    code, (headers, _) = door.ask("bolt.example.org", "/healthz", **{"X-Forwarded-For": "192.0.2.7"})
    assert (code, headers["connection"]) == (200, "close"), "a proxy asks for others by the next connection"
    with socket.create_connection(("127.0.0.1", door.port), timeout=20) as sock:
        sock.sendall(b"GET /healthz HTTP/1.1\r\nHo")
        threading.Event().wait(0.1)  # the door looks at that much
        sock.sendall(b"st: acme.example.org\r\n\r\n")
        answer = http.client.HTTPResponse(sock)
        answer.begin()
        assert answer.status == 200
    for head in (b"GET / HTTP/1.1\r\n\r\n", b"GET / HTTP/1.1\r\nHost: a b\r\n\r\n"):
        with socket.create_connection(("127.0.0.1", door.port), timeout=20) as sock:
            sock.sendall(head)
            assert sock.recv(100).startswith(b"HTTP/1.1 400 Bad Request\r\n")


def test_who_is_killed_loses_no_connection(door: RunningDoor) -> None:
    assert door.ask("acme.example.org")[0] == 200
    os.kill(door.of("acme.example.org")["pid"], signal.SIGSTOP)
    with socket.create_connection(("127.0.0.1", door.port), timeout=20) as sock:
        sock.sendall(b"GET /healthz HTTP/1.1\r\nHost: acme.example.org\r\n\r\n")
        os.kill(door.of("acme.example.org")["pid"], signal.SIGKILL)
        answer = http.client.HTTPResponse(sock)
        answer.begin()
        assert answer.status == 200, "it was started again for whoever waited"
    eventually(lambda: door.ask("acme.example.org")[0] == 200, every=1.1)


def test_an_org_that_does_not_start_is_told_apart(folder: Path, door: RunningDoor) -> None:
    (folder / "bolt" / "kbwork-data" / "kbwork.db").write_bytes(b"no data file at all" * 100)
    code, (headers, problem) = door.ask("bolt.example.org")
    assert (code, int(headers["retry-after"]) >= 1) == (503, True)
    assert "kbwork cells status" in problem["detail"]
    assert door.ask("acme.example.org")[0] == 200
    assert door.ask("bolt.example.org")[0] == 503
    assert door.states() == {"acme.example.org": "awake", "bolt": "failed"}
    ran = CliRunner().invoke(told, [str(folder)])
    assert (ran.exit_code, "failed bolt (bolt.example.org) since" in ran.output) == (1, True)
    assert door.of("bolt")["trouble"] in ran.output


@pytest.fixture
def cold(folder: Path) -> Path:
    """An org that has something to do when the door is opened."""
    laid(folder / "cold.example.org", folder / "bolt" / "kbwork-data")
    idle.note(folder / "cold.example.org" / "kbwork-data", 1)
    return folder / "cold.example.org" / "kbwork-data"


def test_an_org_wakes_for_what_is_due(cold: Path, door: RunningDoor) -> None:
    eventually(lambda: door.of("cold.example.org")["starts"])
    eventually(lambda: idle.noted(cold) is None)
    os.kill(door.of("cold.example.org")["pid"], signal.SIGKILL)
    eventually(lambda: door.of("cold.example.org")["starts"] == 2)
