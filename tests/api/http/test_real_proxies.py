"""Behind the proxies that the manual describes, with what it says to put into their settings."""

import http.client
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from kbwork.settings import LimitSettings, ServerSettings, Settings
from tests.conftest import PASSWORD, World
from tests.proxies import free_port, running, told

_NAME = "work.example.org"
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
    port = free_port()
    with running(name, tmp_path, _settings_of(name, world, port), port):
        yield Proxy(world, port)


def _settings_of(name: str, world: World, port: int) -> str:
    """What the manual says, with our ports in place of its own and without certificates."""
    begins = {"caddy": f"{_NAME} {{", "nginx": "server {"}[name]
    found = told("operations-manual", begins).replace("127.0.0.1:8080", urlsplit(world.url).netloc)
    if name == "caddy":
        return found.replace(begins, f"http://:{port} {{\nbind 127.0.0.1")
    return found.replace("443 ssl", f"127.0.0.1:{port}")


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
