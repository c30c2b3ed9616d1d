"""While somebody says that nothing may be written nothing is, whatever it is for; reads go on."""

import asyncio

import pytest

from kbwork.base.errors import Busy
from kbwork.db.database import Database
from kbwork.db.tx import Write

WHY = "This server takes no writes: another one does"


def put(tx: Write, name: str) -> None:
    tx.insert("setting", name=name, value="1")


def names(database: Database) -> list[str]:
    return database.read_now(lambda tx: tx.column("select name from setting order by name"))


class Fence:
    """Open until it is shut."""

    def __init__(self, database: Database) -> None:
        self.why: str | None = None
        database.fenced_by(lambda: self.why)


def test_nothing_is_written_behind_a_fence(database: Database) -> None:
    fence = Fence(database)
    database.write_now(lambda tx: put(tx, "before"))
    fence.why = WHY
    version = database.version
    assert database.fenced
    with pytest.raises(Busy, match=f"{WHY}. Nothing was changed") as refused:
        database.write_now(lambda tx: put(tx, "meanwhile"))
    assert refused.value.headers["Retry-After"] == "5"

    async def essential() -> None:
        await database.write(lambda tx: put(tx, "meanwhile"), essential=True)

    with pytest.raises(Busy):
        asyncio.run(essential())
    assert (names(database), database.version) == (["before"], version)
    fence.why = None
    database.write_now(lambda tx: put(tx, "after"))
    assert names(database) == ["after", "before"]


def test_what_was_being_written_when_it_was_shut_is_not_acknowledged(database: Database) -> None:
    fence = Fence(database)

    def slow(tx: Write) -> None:
        put(tx, "doubtful")
        fence.why = WHY

    with pytest.raises(Busy, match="may be missing later: look before you send it again"):
        database.write_now(slow)
    assert names(database) == ["doubtful"]


def test_what_waits_for_a_moment_waits_on(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """The writer does by itself what operations left for later: not behind a fence, and not in a circle."""
    fence, tried = Fence(database), []
    waiting = database._writer._catalogue.waiting
    monkeypatch.setattr(waiting, "is_late", lambda: True)
    monkeypatch.setattr(waiting, "patience", lambda: 0.01)
    monkeypatch.setattr(waiting, "put_off", lambda: tried.append(1))
    fence.why = WHY
    version = database.version
    with pytest.raises(Busy):
        database.write_now(lambda tx: put(tx, "wakes"))
    for _ in range(200):
        if tried:
            break
        asyncio.run(asyncio.sleep(0.01))
    assert tried
    assert (names(database), database.version) == ([], version)
