import json
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import apsw
import httpx2
import pytest
import uvicorn
from prometheus_client.parser import text_string_to_metric_families

from kbwork import __version__
from kbwork.api.health import Health
from kbwork.api.http.body import Bodies
from kbwork.api.http.site import Site
from kbwork.api.metrics import Metrics
from kbwork.base import ids
from kbwork.base.clock import SystemClock
from kbwork.core.operations.dispatch import Dispatcher
from kbwork.core.operations.limits import Limits, Rates
from kbwork.core.operations.registry import Registry
from kbwork.db.database import Database
from kbwork.db.tx import Write

ADMIN, MEMBER = ids.token("kb_"), ids.token("kb_")
PROXIED = {"X-Forwarded-For": "203.0.113.9"}


class Server(uvicorn.Server):
    """Says when it listens."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.up = threading.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.up.set()


class Served:
    """The health endpoint on a free port of 127.0.0.1."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.metrics = Metrics()
        registry = Registry([], [], [], [])
        database.know(registry, frozenset(), {})
        dispatcher = Dispatcher(registry, database, Limits(Rates(enabled=False)), SystemClock())
        health = Health(Site(dispatcher, "http://127.0.0.1:1", self.metrics.observe, Bodies(0)), self.metrics)
        config = uvicorn.Config(health, port=0, log_config=None, lifespan="off", proxy_headers=False)
        self.server = Server(config)
        self.thread = threading.Thread(target=self.server.run)

    def ask(
        self, path: str, *, method: str = "GET", headers: dict[str, str] | None = None
    ) -> httpx2.Response:
        port = self.server.servers[0].sockets[0].getsockname()[1]
        return httpx2.request(method, f"http://127.0.0.1:{port}{path}", headers=headers, timeout=20)

    def figures(self) -> dict[str, float]:
        """Every sample, by its name and labels."""
        found: dict[str, float] = {}
        for family in text_string_to_metric_families(self.ask("/metrics").text):
            for sample in family.samples:
                labels = ",".join(f"{name}={value}" for name, value in sorted(sample.labels.items()))
                found[f"{sample.name}{{{labels}}}" if labels else sample.name] = sample.value
        return found


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    database = Database(tmp_path / "data", SystemClock())
    try:
        database.write_now(_people)
        served = Served(database)
        served.thread.start()
        assert served.server.up.wait(timeout=20)
        try:
            yield served
        finally:
            served.server.should_exit = True
            served.thread.join(timeout=20)
            assert not served.thread.is_alive()
    finally:
        database.close()


def _people(tx: Write) -> None:
    for token, role, held in ((ADMIN, "owner", ["admin"]), (MEMBER, "member", ["issues:read"])):
        tx.execute(
            "insert into member (id, name, handle, role, state, created_at)"
            " values (:role, :role, :role, :role, 'active', 0)",
            role=role,
        )
        tx.execute(
            "insert into key (id, digest, name, kind, owner, last4, scopes, projects, networks, created_at)"
            " values (:owner, :digest, 'k', 'personal', :owner, 'last', :scopes, '[]', '[]', 0)",
            digest=ids.digest(token),
            owner=role,
            scopes=json.dumps(held),
        )


@pytest.mark.parametrize("path", ["/healthz", "/readyz"])
def test_a_server_that_is_well_says_so_to_everybody(served: Served, path: str) -> None:
    answer = served.ask(path, headers=PROXIED)
    assert (answer.status_code, answer.json()) == (200, {"ok": True})
    assert (answer.headers["content-type"], answer.headers["cache-control"]) == (
        "application/json",
        "no-store",
    )
    head = served.ask(path, method="HEAD")
    assert (head.status_code, head.content) == (200, b"")


@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/metrics"])
def test_other_methods_are_refused(served: Served, path: str) -> None:
    answer = served.ask(path, method="POST")
    assert (answer.status_code, answer.headers["allow"]) == (405, "GET, HEAD")
    assert answer.json()["type"] == "/problems/method-not-allowed"


def test_while_writes_are_held_up_it_is_alive_but_not_ready(served: Served) -> None:
    other = apsw.Connection(str(served.database.folder.file))
    other.execute("begin immediate")
    try:
        answer = served.ask("/readyz")
        assert served.ask("/healthz").status_code == 200
    finally:
        other.execute("rollback")
        other.close()
    document = answer.json()
    assert document.pop("request_id")
    assert document == {
        "type": "/problems/busy",
        "title": "The server is busy",
        "status": 503,
        "detail": "The data file did not answer in 0.8 s.",
    }
    assert answer.headers["retry-after"] == "1"


def test_being_asked_often_writes_once(served: Served) -> None:
    before = served.database.version
    for _ in range(20):
        assert served.ask("/readyz").status_code == 200
    assert served.database.version - before <= 2


def test_requests_are_counted_and_timed_by_door_class_and_status(served: Served) -> None:
    for status, seconds in ((200, 0.0004), (200, 0.003), (409, 20.0)):
        served.metrics.observe("rest", "write", status, seconds)
    served.metrics.observe("mcp", "read", 200, 0.001)
    found = served.figures()
    counts = {name: value for name, value in found.items() if name.startswith("kbwork_requests_total")}
    assert counts == {
        "kbwork_requests_total{class=write,door=rest,status=200}": 2,
        "kbwork_requests_total{class=write,door=rest,status=409}": 1,
        "kbwork_requests_total{class=read,door=mcp,status=200}": 1,
    }
    assert found["kbwork_request_seconds_bucket{class=write,door=rest,le=0.0005}"] == 1
    assert found["kbwork_request_seconds_bucket{class=write,door=rest,le=0.005}"] == 2
    assert found["kbwork_request_seconds_bucket{class=write,door=rest,le=+Inf}"] == 3
    assert found["kbwork_request_seconds_sum{class=write,door=rest}"] == pytest.approx(20.0034)


def test_the_figures_of_the_file_the_process_and_the_build_are_shown(served: Served) -> None:
    served.metrics.watch("kbwork_stream", "Event streams", lambda: {"open": 3})
    found = served.figures()
    assert found["kbwork_db_seq"] == 0
    assert found["kbwork_db_writes_waiting"] == 0
    assert found["kbwork_db_file_bytes"] > 0
    assert found["kbwork_stream_open"] == 3
    assert found["process_resident_memory_bytes"] > 0
    assert found[f"kbwork_build_info{{version={__version__}}}"] == 1


def test_figures_are_for_this_machine_and_for_admins(served: Served) -> None:
    assert served.ask("/metrics").status_code == 200
    answers = {
        None: (401, "/problems/unauthenticated"),
        ids.token("kb_"): (401, "/problems/unauthenticated"),
        MEMBER: (403, "/problems/insufficient-scope"),
    }
    for token, (status, problem) in answers.items():
        bearer = {"Authorization": f"Bearer {token}"} if token else {}
        answer = served.ask("/metrics", headers=PROXIED | bearer)
        assert (answer.status_code, answer.json()["type"]) == (status, problem)
        assert answer.headers.get("www-authenticate") == ("Bearer" if status == 401 else None)
    admin = served.ask("/metrics", headers=PROXIED | {"Authorization": f"Bearer {ADMIN}"})
    assert admin.status_code == 200
    assert admin.headers["content-type"].startswith("text/plain; version=")


def test_another_path_is_not_found(served: Served) -> None:
    assert served.ask("/health").status_code == 404
