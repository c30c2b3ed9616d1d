"""A server on a disk that fails: writes are refused, reads go on, and it mends without a restart."""

import asyncio
import random
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest

from kbwork.app import open_data
from kbwork.base.clock import FixedClock
from kbwork.base.errors import Busy
from kbwork.contract.kbwork_client import Kbwork, KbworkProblem
from kbwork.db import writer
from tests.conftest import NOW, World, run
from tests.db.faulty_disk import Disk


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Disk]:
    with Disk(tmp_path / "data") as made:
        yield made


def create(client: Kbwork, title: str) -> int:
    """Answers the status."""
    try:
        client.call("issues.create", {"project": "WEB", "title": title}, idempotency_key=title)
    except KbworkProblem as error:
        return error.status
    return 200


def titles(client: Kbwork) -> Counter[str]:
    found: Counter[str] = Counter()
    cursor = None
    while True:
        page = client.call("issues.list", {"project": "WEB", "limit": 200, "cursor": cursor})
        found.update(issue["title"] for issue in page["items"])
        cursor = page.get("next")
        if cursor is None:
            return found


def recovered(client: Kbwork) -> bool:
    """Whether a write is taken within five seconds."""
    for number in range(50):
        if create(client, f"again {number}") == 200:
            return True
        threading.Event().wait(0.1)
    return False


@pytest.mark.parametrize(
    ("code", "status"),
    [(apsw.SQLITE_IOERR_WRITE, 503), (apsw.SQLITE_FULL, 507), (apsw.SQLITE_IOERR_FSYNC, 503)],
)
def test_where_two_writes_in_a_hundred_fail_none_is_a_false_yes_and_reads_go_on(
    disk: Disk, world: World, code: int, status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "_CHECK_SPACE_S", 0.0)  # the 400 may be over within the second that it waits
    client = world.key("cy")
    client.retries = 0
    chance = random.Random(code)
    op, share = ("sync", 0.05) if code == apsw.SQLITE_IOERR_FSYNC else ("write", 0.02)
    disk.fault = lambda found, name: code if found == op and chance.random() < share else None
    told = {}
    for number in range(400):
        title = f"issue {number}"
        told[title] = create(client, title)
        if number % 40 == 0:
            titles(client)
    disk.fault = None
    assert disk.failed > 1
    assert set(told.values()) == {200, status}
    assert recovered(client)
    found = titles(client)
    yes = {title for title, answer in told.items() if answer == 200}
    assert {title: found[title] for title in yes} == dict.fromkeys(yes, 1)
    assert all(count == 1 for count in found.values())


def test_a_folder_that_becomes_read_only_refuses_writes_reads_on_and_recovers(
    disk: Disk, world: World
) -> None:
    client = world.key("cy")
    client.retries = 0
    assert create(client, "before") == 200
    disk.read_only = True
    assert [create(client, f"refused {number}") for number in range(3)] == [503] * 3
    assert titles(client)["before"] == 1
    world.database.start_on_thread("issues.list")
    assert titles(client)["before"] == 1
    disk.read_only = False
    assert create(client, "after") == 200
    assert set(titles(client)) == {"before", "after"}


class Untidy:
    """A connection that closes, and then tells that it could not take the WAL along: the last one may find so."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection

    def close(self, force: bool) -> None:
        self._connection.close(force)
        raise apsw.exception_for(apsw.SQLITE_IOERR)


def test_a_folder_is_let_go_though_a_reader_could_not_tidy_up(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """It is locked while it is served, and would stay so."""
    database = open_data(tmp_path / "data", FixedClock(NOW))
    reader = database._readers._loop_reader
    reader.connection = Untidy(reader.connection)  # type: ignore[assignment]
    database.close()
    assert [record.levelname for record in caplog.records] == ["WARNING"]
    open_data(tmp_path / "data", FixedClock(NOW)).close()


def test_a_group_that_is_there_though_its_commit_failed_is_not_written_again(
    disk: Disk, world: World
) -> None:
    """Here the automatic checkpoint fails, which apsw tells to the commit before it: that one is in the file."""
    wanted = 0

    async def group() -> None:
        nonlocal wanted
        calls = []
        for _ in range(10):
            wanted += 1
            body = {"project": "WEB", "title": f"issue {wanted}", "body": "x" * 4000}
            calls.append(
                world.database.write(lambda tx, body=body: run(tx, world.people["cy"], "issues.create", body))  # type: ignore[misc]  # bound by default
            )
        answers = await asyncio.gather(*calls, return_exceptions=True)
        assert all(isinstance(answer, dict | Busy) for answer in answers), answers

    disk.fail(apsw.SQLITE_IOERR_FSYNC, "sync", "kbwork.db")
    while not disk.failed:
        asyncio.run(group())
        assert wanted < 3000, "there was no checkpoint"
    asyncio.run(group())
    assert titles(world.key("cy")) == {f"issue {number}": 1 for number in range(1, wanted + 1)}
