"""Snapshots behind the cache of the manual: what nginx keeps, for whom, and what it answers when nobody else does."""

import contextlib
import socket
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from kbwork.flags import Client
from kbwork.flags.options import ClientOptions
from kbwork.settings import LimitSettings, ServerSettings, Settings
from tests.api.sdk.requests import SNAPSHOT, Answered, ask, revoke, sdk_key
from tests.conftest import World
from tests.modules.calls import eventually
from tests.modules.flags.flag_project import flag, serve, shop, version
from tests.proxies import cache_of_snapshots, free_port, running


class Road:
    """Leads to the server from a port of its own, until it is closed."""

    def __init__(self, to: str) -> None:
        host, port = urlsplit(to).hostname, urlsplit(to).port
        self._to = (str(host), int(port or 0))
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listening.getsockname()[1]
        self._open: list[socket.socket] = []
        threading.Thread(target=self._take, daemon=True).start()

    def _take(self) -> None:
        while True:
            try:
                near, _ = self._listening.accept()
                far = socket.create_connection(self._to)
            except OSError:
                return
            self._open += [near, far]
            for one, other in ((near, far), (far, near)):
                threading.Thread(target=_pass, args=(one, other), daemon=True).start()

    def close(self) -> None:
        """Nobody is reached by it any more."""
        with contextlib.suppress(OSError):  # it is closed already
            self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()
        for one in self._open:
            one.close()


def _pass(one: socket.socket, other: socket.socket) -> None:
    try:
        while content := one.recv(65536):
            other.sendall(content)
        other.shutdown(socket.SHUT_WR)
    except OSError:
        one.close()
        other.close()


@dataclass
class Cached:
    """A world, and a cache in front of it."""

    world: World
    url: str
    road: Road
    folder: Path
    key: str

    def ask(self, query: str = "", key: str | None = None, **headers: str) -> Answered:
        """By the cache."""
        front = World(self.world.folder, self.world.clock, self.world.people)
        front.url = self.url
        return ask(front, "GET", SNAPSHOT + query, key=key or self.key, **headers)

    def came(self, query: str = "", key: str | None = None) -> tuple[int, str]:
        """The status, and where it came from."""
        found = self.ask(query, key)
        return found.status, found.headers.get("x-cache", "")

    def served(self, wanted: int) -> bool:
        """Whether the server has this version."""
        tag = ask(self.world, "GET", SNAPSHOT, key=self.key).headers["etag"]
        return tag.startswith(f'"{wanted}-')


@pytest.fixture
def settings() -> Settings:
    return Settings(
        server=ServerSettings(trusted_proxies=("127.0.0.1",)), limits=LimitSettings(enabled=False)
    )


@pytest.fixture
def cached(world: World, tmp_path: Path) -> Iterator[Cached]:
    """nginx as the manual says it, with a port of ours and without certificates."""
    shop(world)
    flag(world)
    serve(world, 0)
    road, port = Road(world.url), free_port()
    settings = cache_of_snapshots(tmp_path, road.port, port)
    try:
        with running("nginx", tmp_path, settings, port):
            made = Cached(world, f"http://127.0.0.1:{port}", road, tmp_path / "kept", sdk_key(world))
            eventually(lambda: made.served(version(world, "test")))
            yield made
    finally:
        road.close()


def test_a_version_is_kept_by_its_number_for_each_key_apart(cached: Cached) -> None:
    query = f"?version={version(cached.world, 'test')}"
    other, client = sdk_key(cached.world), sdk_key(cached.world, "client")
    for key in (cached.key, other, client):
        assert cached.came(query, key) == (200, "MISS")
    for key in (cached.key, other, client):
        assert cached.came(query, key) == (200, "HIT")
        assert cached.ask(query, key).body == ask(cached.world, "GET", SNAPSHOT, key=key).body
    assert cached.ask(query).body != cached.ask(query, other).body
    tag = cached.ask(query).headers["etag"]
    assert cached.ask(query, If_None_Match=tag).status == 304
    kept = b"".join(path.read_bytes() for path in cached.folder.rglob("*") if path.is_file())
    assert cached.key.encode() not in kept


def test_the_newest_is_kept_for_a_second_and_what_is_not_there_yet_is_not(cached: Cached) -> None:
    assert cached.came() == (200, "MISS")
    assert cached.came() == (200, "HIT")
    eventually(lambda: cached.came()[1] in ("REVALIDATED", "EXPIRED"))
    later = f"?version={version(cached.world, 'test') + 1}"
    for _ in range(3):
        assert cached.came(later) == (200, "MISS")


def test_a_key_that_nobody_has_is_refused_each_time(cached: Cached) -> None:
    for _ in range(3):
        assert cached.came(key="srv_" + "x" * 40) == (401, "")
    revoke(cached.world, cached.key)
    eventually(lambda: cached.came()[0] == 401)


def test_while_the_server_is_away_it_is_answered_for(cached: Cached) -> None:
    query = f"?version={version(cached.world, 'test')}"
    whole = cached.ask().body
    assert cached.came(query) == (200, "MISS")
    cached.road.close()
    eventually(lambda: cached.came() == (200, "STALE"))
    assert cached.ask().body == whole
    assert cached.came(query) == (200, "HIT")
    assert cached.came(key=sdk_key(cached.world)) == (502, "")
    with Client(sdk_key=cached.key, base_url=cached.url) as client:
        assert client.ready()
        assert client.boolean("checkout", False, {"key": "ana"}) is True


def _serves(client: Client, wanted: int) -> bool:
    return client.version == wanted


@pytest.mark.parametrize("kind", ["server", "client"])
def test_no_change_stays_unseen_behind_it(cached: Cached, kind: str) -> None:
    """Somebody else asks all the time, so that what is kept is always of just now."""
    world, key = cached.world, sdk_key(cached.world, kind)
    over = threading.Event()

    def hammer() -> None:
        while not over.wait(0.05):
            cached.ask(key=key)

    asking = threading.Thread(target=hammer)
    asking.start()
    options: ClientOptions = {"base_url": cached.url}
    options |= {"sdk_key": key} if kind == "server" else {"client_id": key}
    try:
        with Client(**options) as client:
            assert client.ready()
            eventually(lambda: client.status.connected)
            for turn in range(5):
                serve(world, (turn + 1) % 2)
                eventually(partial(_serves, client, version(world, "test")))
    finally:
        over.set()
        asking.join()
