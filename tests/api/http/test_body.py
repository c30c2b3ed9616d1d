"""How much of the bodies on their way a server holds: of all, of one address, and of people it does not know."""

import contextlib
import http.client
import json
import socket
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode, urlsplit

import pytest

from kbwork.api.http.body import ALWAYS_BYTES, PUBLIC_BYTES
from kbwork.app import registry
from kbwork.settings import LimitSettings, ServerSettings, Settings
from tests.conftest import World
from tests.modules.calls import eventually

MB = 1024 * 1024
"""The largest body here: two of them may be on their way from one address, three in all, one of people unknown."""
PUBLIC = sorted(op.id for op in registry().operations.values() if op.public)
SIGN_IN = "/api/v1/auth.login"
WRONG = json.dumps({"email": "eva@acme.example", "password": "wrong horse battery"}).encode()


@pytest.fixture
def settings() -> Settings:
    return Settings(server=ServerSettings(max_body_mb=1), limits=LimitSettings(enabled=False))


class Sender:
    """Who sends a body piece by piece, from an address of its own."""

    def __init__(
        self, world: World, path: str, address: int, *, who: str | None = "ana", **more: str
    ) -> None:
        self._connection = http.client.HTTPConnection(
            urlsplit(world.url).netloc, timeout=20, source_address=(f"127.0.0.{address}", 0)
        )
        self._connection.putrequest("POST", path)
        headers = {"Content-Type": "application/json", "Transfer-Encoding": "chunked"} | {
            name.replace("_", "-"): value for name, value in more.items()
        }
        if who is not None:
            headers["Authorization"] = f"Bearer {world.people[who].key}"
        for name, value in headers.items():
            self._connection.putheader(name, value)
        self._connection.endheaders()

    def send(self, size: int) -> None:
        """So much more of the body; whoever is refused may be cut while they send."""
        with contextlib.suppress(ConnectionError):
            self._connection.send(b"%x\r\n%b\r\n" % (size, b" " * size))

    def end(self, last: bytes = b"{}") -> tuple[int, dict[str, Any]]:
        """The end of the body, and how it was answered."""
        with contextlib.suppress(ConnectionError):
            self._connection.send(b"%x\r\n%b\r\n0\r\n\r\n" % (len(last), last))
        return self.answer()

    def answer(self) -> tuple[int, dict[str, Any]]:
        answer = self._connection.getresponse()
        self.headers = answer.headers
        found = answer.read()
        return answer.status, json.loads(found) if "json" in answer.headers["Content-Type"] else {}

    def leave(self) -> None:
        self._connection.close()


class Crowd:
    """All who send in one test."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.senders: list[Sender] = []

    def sender(self, path: str, address: int, **more: Any) -> Sender:
        self.senders.append(Sender(self.world, path, address, **more))
        return self.senders[-1]

    def drip(self, address: int, size: int, path: str = "/api/v1/labels.save", **more: Any) -> Sender:
        """Somebody whose body never ends: so much of it is held when this returns."""
        before = self.held()
        sender = self.sender(path, address, **more)
        sender.send(size)
        eventually(lambda: self.held() >= before + size)
        return sender

    def held(self) -> int:
        return int(self.figure("kbwork_bodies_bytes"))

    def figure(self, name: str) -> float:
        connection = http.client.HTTPConnection(urlsplit(self.world.url).netloc, timeout=20)
        try:
            connection.request("GET", "/metrics")
            lines = connection.getresponse().read().decode().splitlines()
        finally:
            connection.close()
        return next(float(line.split()[1]) for line in lines if line.startswith(f"{name} "))


@pytest.fixture
def crowd(world: World) -> Iterator[Crowd]:
    found = Crowd(world)
    yield found
    for sender in found.senders:
        sender.leave()
    eventually(lambda: found.held() == 0)


@pytest.mark.parametrize("op", PUBLIC)
def test_a_call_without_a_sign_in_holds_64_kb(world: World, crowd: Crowd, op: str) -> None:
    announced = socket.create_connection(("127.0.0.1", urlsplit(world.url).port), timeout=20)
    with announced:
        lines = [f"POST /api/v1/{op} HTTP/1.1", "Host: 127.0.0.1", "Content-Type: application/json"]
        lines.append(f"Content-Length: {PUBLIC_BYTES + 1}")
        announced.sendall("\r\n".join(lines).encode() + b"\r\n\r\n")
        assert announced.recv(1000).startswith(b"HTTP/1.1 413 ")
    counted = crowd.sender(f"/api/v1/{op}", 1, who=None)
    counted.send(PUBLIC_BYTES)
    status, problem = counted.end()
    assert (status, problem["type"]) == (413, "/problems/too-large")
    assert problem["detail"] == f"A body holds at most {PUBLIC_BYTES} bytes."


def test_one_address_has_two_of_the_largest_bodies_on_their_way(crowd: Crowd) -> None:
    first, _ = [crowd.drip(2, MB - 2) for _ in range(2)]
    third = crowd.sender("/api/v1/labels.save", 2)
    third.send(ALWAYS_BYTES + 3)
    status, problem = third.answer()
    assert (status, problem["type"]) == (503, "/problems/busy")
    assert problem["detail"].startswith("More is being sent from this address than")
    assert (third.headers["Retry-After"], third.headers["Connection"]) == ("2", "close")
    other = crowd.sender("/api/v1/labels.save", 3)
    other.send(MB - 2)
    assert other.end()[0] == 422
    assert first.end()[0] == 422
    again = crowd.sender("/api/v1/labels.save", 2)
    again.send(MB - 2)
    assert again.end()[0] == 422
    assert crowd.figure("kbwork_bodies_refused_total") == 1


def test_three_of_the_largest_bodies_are_on_their_way_in_all_and_small_ones_beside(crowd: Crowd) -> None:
    for address in (2, 2, 3):
        crowd.drip(address, MB)
    late = crowd.sender("/api/v1/labels.save", 4)
    late.send(ALWAYS_BYTES + 1)
    status, problem = late.answer()
    assert (status, problem["type"]) == (503, "/problems/busy")
    assert problem["detail"].startswith("The server is taking in as much as it can hold")
    small = crowd.drip(4, ALWAYS_BYTES - 2)
    assert small.end()[0] == 422
    sign_in = crowd.sender(SIGN_IN, 4, who=None)
    sign_in.send(100)
    assert sign_in.end(WRONG)[0] == 401


def test_people_unknown_have_one_of_the_largest_bodies_on_its_way_among_them(crowd: Crowd) -> None:
    for number in range(16):
        crowd.drip(5 + number, PUBLIC_BYTES, SIGN_IN, who=None)
    late = crowd.sender(SIGN_IN, 4, who=None)
    late.send(ALWAYS_BYTES + 1)
    assert late.answer()[0] == 503
    client_side = crowd.sender("/ofrep/v1/evaluate/flags/a", 4, who=None)
    client_side.send(ALWAYS_BYTES + 1)
    assert client_side.answer()[0] in (401, 503)
    known = crowd.sender("/api/v1/labels.save", 4)
    known.send(MB - 2)
    assert known.end()[0] == 422


@pytest.mark.parametrize(
    ("path", "who"),
    [("/mcp", "ana"), ("/api/v1/orgs/1/projects", "ana"), ("/api/orgs/1/invites", "ana")],
)
def test_every_door_counts_what_it_holds(crowd: Crowd, path: str, who: str) -> None:
    for address in (2, 2, 3):
        crowd.drip(address, MB)
    late = crowd.sender(path, 4, who=who)
    late.send(ALWAYS_BYTES + 1)
    assert late.answer()[0] == 503


def test_a_file_comes_in_beside_a_crowd(world: World, crowd: Crowd) -> None:
    for address in (2, 2, 3):
        crowd.drip(address, MB)
    upload = crowd.sender("/files/upload?name=a.json", 2)
    for _ in range(8):
        upload.send(100_000)
    status, told = upload.end()
    assert (status, told["size"]) == (200, 800_002)
    assert crowd.held() == 3 * MB


def test_a_form_of_somebody_unknown_holds_64_kb(world: World, crowd: Crowd) -> None:
    page = {"Origin": world.url, "Content_Type": "application/x-www-form-urlencoded"}
    form = urlencode({"name": "x" * PUBLIC_BYTES}).encode()
    nobody = crowd.sender("/signin", 2, who=None, **page)
    assert nobody.end(form)[0] == 413
    cookie = f"kb={world.people['ana'].session}"
    known = crowd.sender("/keys/new", 2, who=None, Cookie=cookie, **page)
    assert known.end(form)[0] == 422
