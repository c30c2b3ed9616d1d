"""By which names the server is called: its own, and no other at any door."""

import http.client
import json
from contextlib import closing
from urllib.parse import urlsplit

import pytest

from kbwork.api.http.hosts import LOOPBACK, of_address, own_hosts
from kbwork.settings import LimitSettings, ServerSettings, Settings
from tests.conftest import World

DOORS = (
    ("GET", "/"),
    ("GET", "/docs"),
    ("GET", "/static/kbwork.css"),
    ("GET", "/metrics"),
    ("GET", "/api/v1/openapi.json"),
    ("GET", "/api/v1/stream"),
    ("POST", "/api/v1/subjects.resolve"),
    ("POST", "/api/v1/auth.login"),
    ("POST", "/mcp"),
    ("POST", "/ofrep/v1/evaluate/flags/a"),
    ("GET", "/sdk/v1/snapshot"),
    ("GET", "/api/v1/me"),
    ("GET", "/api/orgs/1/projects"),
    ("POST", "/files/upload?name=a"),
    ("GET", "/.well-known/oauth-authorization-server"),
    ("POST", "/signin"),
    ("GET", "/healthz/more"),
)
STRANGE = ("evil.example", "127.0.0.1.evil.example", "localhost.evil.example:80", "[::2]", "127.0.0.2")


@pytest.fixture
def settings() -> Settings:
    return Settings(limits=LimitSettings(enabled=False), server=ServerSettings(hosts=("Work.lan",)))


def connected(world: World) -> http.client.HTTPConnection:
    return http.client.HTTPConnection(urlsplit(world.url).netloc, timeout=20)


def status(connection: http.client.HTTPConnection, method: str, path: str, host: str, token: str = "") -> int:
    body = b'{"refs": []}' if method == "POST" else None
    headers = {"Host": host, "Content-Type": "application/json", "Authorization": f"Bearer {token}"}
    connection.request(method, path, body, headers)
    answer = connection.getresponse()
    text = answer.read()
    if answer.status == 421:
        assert json.loads(text)["title"] == "Misdirected Request"
        assert answer.getheader("Content-Type") == "application/problem+json"
    return answer.status


@pytest.mark.parametrize("host", STRANGE)
def test_no_door_answers_to_a_name_of_somebody_else(world: World, host: str) -> None:
    token = world.people["ana"].key
    for method, path in DOORS:
        with closing(connected(world)) as connection:
            assert status(connection, method, path, host, token) == 421, path


@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/healthz?from=afar"])
def test_who_watches_a_machine_knows_it_by_other_names(world: World, path: str) -> None:
    with closing(connected(world)) as connection:
        assert status(connection, "GET", path, "evil.example") == 200
        assert status(connection, "GET", "/metrics", "evil.example") == 421


def test_a_name_is_judged_at_each_request_of_a_connection(world: World) -> None:
    token = world.people["ana"].key
    with closing(connected(world)) as connection:
        for _ in range(3):
            assert status(connection, "POST", "/api/v1/subjects.resolve", "localhost", token) == 200
        assert status(connection, "POST", "/api/v1/subjects.resolve", "evil.example", token) == 421


def test_own_names_are_answered_with_any_port(world: World) -> None:
    token = world.people["ana"].key
    for host in ("localhost", "LOCALHOST:1", "127.0.0.1:9", "[::1]:80"):
        with closing(connected(world)) as connection:
            assert status(connection, "POST", "/api/v1/subjects.resolve", host, token) == 200


def test_names_of_the_settings_are_own_ones(world: World) -> None:
    with closing(connected(world)) as connection:
        assert status(connection, "GET", "/", "work.LAN:8080") in (200, 303)
        assert status(connection, "GET", "/", "work.lan.example") == 421


def test_the_own_names_are_those_of_the_address_of_the_settings_and_of_the_machine() -> None:
    assert own_hosts("https://kb.example.com", "10.0.0.5") == {"kb.example.com"}
    assert own_hosts("https://kb.example.com:8443", "127.0.0.1") == LOOPBACK | {"kb.example.com"}
    assert own_hosts("http://[::1]:8080", "::1") == LOOPBACK
    assert own_hosts("http://wiki", "localhost") == LOOPBACK | {"wiki"}
    assert own_hosts("http://wiki", "0.0.0.0", ["Other"]) == LOOPBACK | {"wiki", "other"}


@pytest.mark.parametrize(
    ("address", "name"),
    [
        ("192.168.1.5", "192.168.1.5"),
        ("::ffff:192.168.1.5", "192.168.1.5"),
        ("fd00::1", "[fd00::1]"),
        ("/run/kbwork.sock", ""),
    ],
)
def test_the_address_that_a_connection_came_to_is_a_name(address: str, name: str) -> None:
    assert of_address(address) == name
