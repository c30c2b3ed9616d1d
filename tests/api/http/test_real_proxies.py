"""Behind the proxies that the manual describes, with what it says to put into their settings."""

import http.client
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import pytest

import kbwork
from kbwork.settings import LimitSettings, ServerSettings, Settings
from tests.conftest import PASSWORD, World

_MANUAL = Path(kbwork.__file__).parent / "docs" / "operations-manual.md"
_BLOCK = re.compile(r"^```ini\n(.*?)^```", re.DOTALL | re.MULTILINE)
_NAME = "work.example.org"
_START_S = 10
A, B = "127.0.0.2", "127.0.0.3"


@dataclass
class Proxy:
    """One that runs. Those behind it come from addresses of loopback."""

    world: World
    port: int

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def ask(
        self, path: str, value: object = None, *, come_from: str = A, **headers: str
    ) -> tuple[int, dict[str, str], bytes]:
        connection = http.client.HTTPConnection(
            "127.0.0.1", self.port, timeout=20, source_address=(come_from, 0)
        )
        try:
            body = json.dumps(value).encode() if value is not None else None
            sent = {"Content-Type": "application/json", "Host": _NAME} | {
                name.replace("_", "-"): text for name, text in headers.items()
            }
            connection.request("POST" if body is not None else "GET", path, body, sent)
            answer = connection.getresponse()
            return answer.status, dict(answer.getheaders()), answer.read()
        finally:
            connection.close()

    def sign_in(self, email: str, password: str, *, come_from: str, **headers: str) -> int:
        value = {"email": email, "password": password}
        return self.ask("/api/v1/auth.login", value, come_from=come_from, **headers)[0]


@pytest.fixture
def settings() -> Settings:
    return Settings(
        server=ServerSettings(hosts=(_NAME,), trusted_proxies=("127.0.0.1",)),
        limits=LimitSettings(enabled=False),
    )


@pytest.fixture(params=["caddy", "nginx"])
def proxy(request: pytest.FixtureRequest, world: World, tmp_path: Path) -> Iterator[Proxy]:
    name: str = request.param
    program = shutil.which(name, path=_path())
    if program is None:
        pytest.skip(f"{name} is not installed")
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port = found.getsockname()[1]
    command = [program, *_COMMANDS[name](tmp_path, _settings_of(name, world, port))]
    log = (tmp_path / "log").open("wb")
    process = subprocess.Popen(command, cwd=tmp_path, stdout=log, stderr=log, env={"HOME": str(tmp_path)})
    try:
        until = time.monotonic() + _START_S
        while not _answers(port):
            assert process.poll() is None, (tmp_path / "log").read_text()
            assert time.monotonic() < until, "the proxy did not start"
            time.sleep(0.02)
        yield Proxy(world, port)
    finally:
        process.terminate()
        process.wait(10)
        log.close()


def _path() -> str:
    """Where a proxy may be: beside the packages, or installed."""
    beside = Path(sys.prefix)
    return f"{beside}/bin:{beside}/nginx/usr/sbin:{os.environ['PATH']}:/usr/sbin"


def _settings_of(name: str, world: World, port: int) -> str:
    """What the manual says, with our ports in place of its own and without certificates."""
    begins = {"caddy": f"{_NAME} {{", "nginx": "server {"}[name]
    found: str = next(
        text for text in _BLOCK.findall(_MANUAL.read_text(encoding="utf-8")) if text.startswith(begins)
    )
    told = found.replace("127.0.0.1:8080", urlsplit(world.url).netloc)
    if name == "caddy":
        return told.replace(begins, f"http://:{port} {{\nbind 127.0.0.1")
    return told.replace("443 ssl", f"127.0.0.1:{port}")


def _caddy(folder: Path, told: str) -> list[str]:
    (folder / "Caddyfile").write_text(f"{{\nadmin off\nauto_https off\n}}\n{told}")
    return ["run", "--config", str(folder / "Caddyfile")]


def _nginx(folder: Path, told: str) -> list[str]:
    kept = "".join(
        f"{part}_temp_path {folder}/{part};\n"
        for part in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    (folder / "nginx.conf").write_text(
        f"daemon off;\nmaster_process off;\npid {folder}/pid;\nerror_log stderr;\nevents {{}}\n"
        f"http {{\naccess_log off;\n{kept}{told}}}\n"
    )
    return ["-p", str(folder), "-c", str(folder / "nginx.conf"), "-e", "stderr"]


_COMMANDS = {"caddy": _caddy, "nginx": _nginx}


def _answers(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
    except OSError:
        return False
    return True


def test_whoever_guesses_locks_themselves_out_and_nobody_else(proxy: Proxy) -> None:
    found = [proxy.sign_in(f"n{number % 7}@acme.example", "wrong", come_from=A) for number in range(55)]
    assert found == [401] * 50 + [429] * 5
    for lie in ({}, {"X_Forwarded_For": "192.0.2.1"}, {"Forwarded": "for=192.0.2.1"}):
        assert proxy.sign_in("ana@acme.example", PASSWORD, come_from=A, **lie) == 429
    assert proxy.sign_in("ana@acme.example", PASSWORD, come_from=B) == 200
    session = proxy.world.session("ana").call("auth.sessions", {})
    assert B in [one["address"] for one in session]


def test_streams_come_as_they_are_told_and_bodies_as_they_are_sent(proxy: Proxy) -> None:
    key = proxy.world.people["ana"].key
    stream = http.client.HTTPConnection("127.0.0.1", proxy.port, timeout=10)
    stream.request("GET", "/api/v1/stream", headers={"Authorization": f"Bearer {key}", "Host": _NAME})
    answer = stream.getresponse()
    assert answer.status == 200
    while b"event: hello" not in answer.readline():
        pass
    proxy.world.key("ana").labels.save(name="told at once")
    lines = [answer.readline()]
    while b"label." not in lines[-1]:
        lines.append(answer.readline())
    answer.close()
    stream.close()
    body = b"x" * 3_000_000
    upload = http.client.HTTPConnection("127.0.0.1", proxy.port, timeout=20)
    upload.request(
        "POST", "/files/upload?name=a.json", body, {"Authorization": f"Bearer {key}", "Host": _NAME}
    )
    told = upload.getresponse()
    assert (told.status, json.loads(told.read())["size"]) == (200, len(body))
    upload.close()


def test_the_server_is_asked_by_its_own_name(proxy: Proxy) -> None:
    assert proxy.ask("/docs")[0] == 200
    status, _, body = proxy.ask("/docs", Host="evil.example")
    assert (status, json.loads(body)["status"]) == (421, 421)
    assert proxy.ask("/metrics")[0] == 401


def test_etags_and_problems_pass(proxy: Proxy) -> None:
    who = {"Authorization": f"Bearer {proxy.world.people['ana'].key}"}
    status, headers, _ = proxy.ask("/api/v1/labels.list", {}, **who)
    assert status == 200
    etag = {name.lower(): value for name, value in headers.items()}["etag"]
    assert proxy.ask("/api/v1/labels.list", {}, If_None_Match=etag, **who)[0] == 304
    status, headers, body = proxy.ask("/api/v1/labels.save", {"name": ""}, **who)
    assert (status, json.loads(body)["type"]) == (422, "/problems/invalid-input")
