"""The world that tests live in: a real server on a free port over a real file, and people with keys and sessions."""

import asyncio
import gc
import importlib
import itertools
import os
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Coroutine, Generator, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

import hypothesis
import pytest
from argon2 import PasswordHasher

from kbwork.app import App, open_data, registry
from kbwork.base.caller import SYSTEM, Caller
from kbwork.base.clock import FixedClock
from kbwork.contract.kbwork_client import Kbwork
from kbwork.core.access import callers, scopes
from kbwork.core.events import cursors
from kbwork.core.operations.dispatch import run_in
from kbwork.core.operations.validate import validate
from kbwork.db import readers
from kbwork.db.database import Database
from kbwork.db.folder import RESERVE_BYTES
from kbwork.db.tx import DryRun, Write
from kbwork.db.writer import Outcome, Task, Writer
from kbwork.modules.auth import hashed, passwords
from kbwork.modules.notifications.follow import follower
from kbwork.modules.org.setup import create_org
from kbwork.settings import LimitSettings, MailSettings, Settings
from tests.github_archive import archive_file
from tests.servers import OwnServer, SharedServer

# A suite that is started in the background has Ctrl-C ignored, and so would whatever it starts.
signal.signal(signal.SIGINT, signal.default_int_handler)

# How long a value takes to make says nothing of the product: the first text waits for the tables of all characters.
hypothesis.settings.register_profile(
    "kbwork", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow]
)
hypothesis.settings.load_profile("kbwork")

T = TypeVar("T")
NOW = 1_800_000_000
_IN_MEMORY_BYTES = 4 * 1024**3
PASSWORD = "correct horse battery"
_BUDGET_S = readers.BUDGET_S
_IN_EARNEST = passwords._hasher, passwords._NOBODY
PEOPLE = {
    "ana": ("Ana Lund", "owner"),
    "bo": ("Bo Tran", "admin"),
    "cy": ("Cy Moss", "member"),
    "di": ("Di Park", "member"),
    "gus": ("Gus Field", "guest"),
}


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--steps", type=int, default=400, help="how much happens in tests against a model")


def pytest_configure(config: pytest.Config) -> None:
    """Lay the data of tests in memory where there is some, and what is compiled where pytest keeps its own.

    None of the data has to outlive the machine.
    """
    memory = Path("/dev/shm")
    if memory.is_dir() and shutil.disk_usage(memory).free > _IN_MEMORY_BYTES:
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(memory))
    if sys.dont_write_bytecode and config.cache is not None:
        # Hundreds of processes are started, and for each to compile the product is half of what it does till it serves.
        compiled = str(config.cache.mkdir("compiled"))
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        os.environ["PYTHONPYCACHEPREFIX"] = sys.pycache_prefix = compiled
        sys.dont_write_bytecode = False


def pytest_xdist_auto_num_workers() -> int:
    """One more than there are cores: a fifth of the time a worker waits for a process, a browser or the disk. With as
    many as cores the whole takes a tenth more."""
    return (os.cpu_count() or 1) + 1


def pytest_sessionstart(session: pytest.Session) -> None:
    """Where all tests run, each worker begins to import them at another place.

    Pytest compiles them in its own way and keeps what comes of it, so that each finds what the others have done.
    """
    worker = getattr(session.config, "workerinput", None)
    if worker is None or session.config.args != session.config.getini("testpaths"):
        return
    files = sorted(Path(__file__).parent.rglob("test_*.py"))
    first = int(worker["workerid"].removeprefix("gw")) * len(files) // int(worker["workercount"])
    for file in files[first:] + files[:first]:
        importlib.import_module(".".join(file.relative_to(session.config.rootpath).with_suffix("").parts))


@pytest.hookimpl(wrapper=True)
def pytest_collection_modifyitems(
    config: pytest.Config, items: list[pytest.Item]
) -> Generator[None, None, None]:
    """Mark what is quick, before it is chosen by marks; what remains is put in order."""
    for item in items:
        if isinstance(item, pytest.Function) and _is_quick(item):
            item.add_marker(pytest.mark.quick)
    yield
    workers = int(getattr(config, "workerinput", {}).get("workercount", 1))
    items[:] = _long_first(items, workers)


def pytest_collection_finish() -> None:
    """What is there now stays: to look it through for garbage again and again takes a twentieth of the time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)


def _is_quick(item: pytest.Function) -> bool:
    """Whether it needs neither a server nor a process."""
    if item.get_closest_marker("long") or "shared_server" in item.fixturenames:
        return False
    return not any(vars(item.module).get(one.__name__.rpartition(".")[2]) is one for one in _SLOW_TO_START)


def _long_first(items: list[pytest.Item], workers: int) -> list[pytest.Item]:
    """Each worker begins with its share of the long ones: begun last, one of them would be waited for at the end.

    Workers are dealt the list in as many pieces as they are, of one size.
    """
    long = [item for item in items if item.get_closest_marker("long")]
    rest = [item for item in items if not item.get_closest_marker("long")]
    files = [list(group) for _, group in itertools.groupby(long, lambda item: item.path)]
    found: list[pytest.Item] = []
    for worker in range(workers):
        first = [
            item for file in files[worker::workers] for item in file
        ]  # they share what is made for their file
        size = (len(items) - len(found)) // (workers - worker)
        others = max(0, size - len(first))
        found += first + rest[:others]
        del rest[:others]
    return found + rest


@dataclass
class Person:
    """Somebody of the org, with a key that holds every scope of their role, and an elevated session."""

    id: str
    handle: str
    role: str
    key: str
    session: str


@dataclass
class World:
    """An org at work: WEB is open to every member, SEC has Cy as lead and Di as reporter, PRV is Di's alone."""

    folder: Path
    clock: FixedClock
    people: dict[str, Person]
    url: str = ""
    app: App | None = None
    clients: dict[str, Kbwork] = field(default_factory=dict)

    def key(self, handle: str) -> Kbwork:
        """A client with this person's key."""
        return self._client(handle, self.people[handle].key)

    def session(self, handle: str) -> Kbwork:
        """A client with this person's session."""
        return self._client(f"{handle}'s session", self.people[handle].session)

    def _client(self, name: str, token: str) -> Kbwork:
        if name not in self.clients:
            self.clients[name] = Kbwork(self.url, token)
        return self.clients[name]

    def hang_up(self) -> None:
        """Close the clients' connections."""
        for client in self.clients.values():
            client.close()

    def events_since(self, seq: int) -> list[tuple[str, str]]:
        """(kind, subject) of every event after this one, as the owner hears of them, audit-only ones too."""
        found = self.database.write_now(  # in the writer's order; the loop's own reader is the server's
            lambda tx: tx.all("select kind, subject from events where seq > :seq order by seq", seq=seq)
        )
        return [(row["kind"], row["subject"]) for row in found]

    def advance(self, seconds: int) -> None:
        """Let time pass, and have done at once what is due then: by itself the server looks each second."""
        self.clock.advance(seconds)
        assert self.app is not None
        for periodic in (self.app._worker, self.app._mail):
            self.loop.call_soon_threadsafe(periodic._rounds.notify)

    def settle(self) -> None:
        """Have written what waits for a moment: by itself it would be a while later, with what comes meanwhile."""
        self.database.write_now(lambda tx: tx.value("select count(*) from span"))

    @contextmanager
    def at_rest(self) -> Iterator[None]:
        """Nothing is written but for calls."""
        assert self.app is not None
        periodic = (self.app._worker, self.app._mail)
        for one in periodic:
            self.on_loop(one.pause())
        try:
            self.settle()
            yield
        finally:
            for one in periodic:
                self.loop.call_soon_threadsafe(one.resume)

    def on_loop(self, work: Coroutine[Any, Any, T]) -> T:
        """What this comes to on the loop that the server runs on."""
        return asyncio.run_coroutine_threadsafe(work, self.loop).result()

    @property
    def loop(self) -> asyncio.AbstractEventLoop:
        """That which the server runs on."""
        found = self.database._loop
        assert found is not None
        return found

    @property
    def database(self) -> Database:
        assert self.app is not None
        return self.app.database


@pytest.fixture(scope="session", autouse=True)
def light_passwords() -> Iterator[None]:
    """Whoever guesses a password is to spend 100 ms on each guess, which a test need not wait for.

    The same code hashes and judges, only with fewer passes over less memory.
    """
    light = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(passwords, "_hasher", lambda: light)
        patch.setattr(passwords, "_NOBODY", light.hash("nobody's"))
        yield


@pytest.fixture(scope="session", autouse=True)
def patient_loop() -> Iterator[None]:
    """A read has 2 ms on the loop of a server that others ask, and is begun anew on a thread where it takes longer.

    Here several processes share two cores, and each world reads for the first time: of a thousand tests every second
    had a read begun anew, and a connection opened for that, a tenth of what they take.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(readers, "BUDGET_S", 25 * readers.BUDGET_S)
        yield


@pytest.fixture
def earnest_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reads have the time on the loop that they have in the product."""
    monkeypatch.setattr(readers, "BUDGET_S", _BUDGET_S)


@pytest.fixture
def earnest_passwords(monkeypatch: pytest.MonkeyPatch) -> None:
    """Passwords at what they cost in the product."""
    hasher, nobody = _IN_EARNEST
    monkeypatch.setattr(passwords, "_hasher", hasher)
    monkeypatch.setattr(passwords, "_NOBODY", nobody)


@pytest.fixture(scope="session")
def empty_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder in which nothing was done yet, made once: its first start runs every migration there was."""
    folder = tmp_path_factory.mktemp("empty") / "data"
    open_data(folder, FixedClock(NOW)).close()
    return folder


@pytest.fixture
def empty_folder(empty_template: Path, tmp_path: Path) -> Path:
    """Such a folder, of a test that is not about how it is made."""
    return shutil.copytree(empty_template, tmp_path / "data", copy_function=_copy)


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Person]]:
    """The world's data folder, made once and copied for each test."""
    folder = tmp_path_factory.mktemp("template") / "data"
    database = open_data(folder, FixedClock(NOW))
    try:
        password_hash = hashed(PASSWORD)
        people = database.write_now(lambda tx: _people(tx, password_hash))
        database.write_now(lambda tx: _projects(tx, people))
        # nobody is told of how the world was made
        database.write_now(lambda tx: cursors.move(tx, follower.FOLLOWER.name, tx.seq))
    finally:
        database.close()
    return folder, people


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock(NOW)


@pytest.fixture
def steps(pytestconfig: pytest.Config) -> int:
    """How much happens in a test against a model: `pytest --timeout 0 --steps 30000` takes ten minutes for a kind."""
    found: int = pytestconfig.getoption("--steps")
    return found


@pytest.fixture
def settings() -> Settings:
    """Without rate limits; a test of limits asks for its own."""
    return Settings(limits=LimitSettings(enabled=False))


@pytest.fixture(scope="session")
def shared_server() -> Iterator[SharedServer]:
    """The server that the tests of this process use, one after the other."""
    with SharedServer() as server:
        yield server


@pytest.fixture(scope="session")
def github_archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An archive of a repository with years of work."""
    return archive_file(tmp_path_factory.mktemp("archive"))


@pytest.fixture
def world(
    template: tuple[Path, dict[str, Person]],
    tmp_path: Path,
    clock: FixedClock,
    settings: Settings,
    shared_server: SharedServer,
) -> Iterator[World]:
    """The org at work, in a data folder and behind an application of its own."""
    with at_work(template, tmp_path / "data", clock, settings, shared_server) as made:
        yield made


@pytest.fixture(scope="module")
def world_of_module(
    template: tuple[Path, dict[str, Person]],
    tmp_path_factory: pytest.TempPathFactory,
    shared_server: SharedServer,
) -> Iterator[World]:
    """One for all tests of a file, none of which asks for one of its own."""
    folder = tmp_path_factory.mktemp("module") / "data"
    settings = Settings(limits=LimitSettings(enabled=False))
    with at_work(template, folder, FixedClock(NOW), settings, shared_server) as made:
        yield made


@pytest.fixture
def mailed(
    template: tuple[Path, dict[str, Person]],
    tmp_path: Path,
    clock: FixedClock,
    settings: Settings,
    shared_server: SharedServer,
) -> Iterator[World]:
    """The org at work, with a server that sends mail. Nobody listens there: what is queued stays."""
    mail = MailSettings(host="127.0.0.1", port=9, security="none", sender="kbwork <kb@acme.example>")
    with at_work(template, tmp_path / "mailed", clock, replace(settings, mail=mail), shared_server) as made:
        for _ in range(500):
            if made.database.write_now(lambda tx: tx.value("select sends from mailer")):
                break
            threading.Event().wait(0.01)
        yield made


@contextmanager
def at_work(
    template: tuple[Path, dict[str, Person]],
    folder: Path,
    clock: FixedClock,
    settings: Settings,
    shared_server: SharedServer,
) -> Iterator[World]:
    """A copy of a world behind the shared server, or behind its own where the settings ask for other bounds."""
    shutil.copytree(template[0], folder, copy_function=_copy)
    world = World(folder, clock, template[1])
    if not shared_server.fits(settings):
        with serving(world, settings):
            yield world
        return
    world.url = shared_server.url
    with shared_server.holding(folder, clock, settings) as world.app:
        yield world
        world.hang_up()


def _copy(source: str, target: str) -> None:
    """As it is, but for the space that is laid aside, which is a hole in the copy: these tests fill no disk."""
    if source.endswith(".reserve"):
        with Path(target).open("wb") as laid:
            laid.truncate(RESERVE_BYTES)
    else:
        shutil.copy2(source, target)


@contextmanager
def serving(world: World, settings: Settings) -> Iterator[World]:
    """A server of its own over the folder of a world, for as long as it lasts."""
    with OwnServer(world.folder, world.clock, settings) as server:
        world.url, world.app = server.url, server.app
        yield world
    world.hang_up()


_SLOW_TO_START = (subprocess, OwnServer, serving)
"""A test file that names one of them has servers or processes of its own."""


def run(tx: Write, who: Person, op_id: str, value: dict[str, Any]) -> Any:
    """Run an operation as somebody, in the transaction at hand."""
    op = registry().require(op_id)
    tx.caller = Caller(
        member=who.id,
        role=who.role,
        kind="human",
        scopes=scopes.of_role(who.role),
        session="s_template",
        elevated_until=1 << 40,
    )
    tx.memo.clear()
    return run_in(tx, op, validate(op.input, value))


def _people(tx: Write, password_hash: str) -> dict[str, Person]:
    people = {}
    for handle, (name, role) in PEOPLE.items():
        email = f"{handle}@acme.example"
        if role == "owner":
            member = create_org(tx, "Acme", name, email, password_hash)
        else:
            member = callers.add_member(tx, name=name, email=email, role=role)
            tx.insert("credential", member=member, password=password_hash, changed_at=tx.now)
        tx.update("member", member, handle=handle)
        _, key = callers.add_key(tx, member, {"name": "test", "scopes": sorted(scopes.of_role(role))})
        session = callers.add_session(tx, member, kind="app", client="test")
        people[handle] = Person(member, handle, role, key, session)
    return people


def _projects(tx: Write, people: dict[str, Person]) -> None:
    run(tx, people["bo"], "projects.create", {"key": "WEB", "name": "Website"})
    run(tx, people["cy"], "projects.create", {"key": "SEC", "name": "Security", "visibility": "members"})
    run(tx, people["cy"], "projects.member_set", {"key": "SEC", "who": "@di", "role": "reporter"})
    run(tx, people["di"], "projects.create", {"key": "PRV", "name": "Private", "visibility": "private"})


@pytest.fixture
def twice(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each write runs twice: it has a neighbour in its group who is taken back."""
    attempt = Writer._attempt

    def spoil(tx: Write) -> None:
        tx.execute("insert into setting (name, value) values ('spoilt', '1')")
        raise DryRun(None)

    def beside(self: Writer, tasks: list[Task]) -> list[Outcome] | None:
        if not tasks:
            return attempt(self, tasks)
        self._careful = 0
        outcomes = attempt(self, [*tasks, Task(spoil, SYSTEM, True, Future())])
        return outcomes[:-1] if outcomes is not None else None

    monkeypatch.setattr(Writer, "_attempt", beside)
