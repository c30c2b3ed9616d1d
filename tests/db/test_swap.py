"""One file takes another's place: whole or not at all, wherever it is cut off."""

import asyncio
import hashlib
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from kbwork.app import open_data
from kbwork.base.clock import FixedClock
from kbwork.base.errors import Busy, Conflict
from kbwork.db import migrate, swap
from kbwork.db.archives.check import check
from kbwork.db.connection import APPLICATION_ID, FolderLocked, Unusable, connect
from kbwork.db.database import Database
from kbwork.db.tx import Read, Write
from tests.conftest import NOW

_CHILDREN = """
import asyncio, os, sys
from pathlib import Path
from kbwork.app import open_data, registry
from kbwork.base.clock import FixedClock

def exchange(at, folder):
    database = open_data(folder, FixedClock(1))
    for number in range(20):
        database.write_now(lambda tx: tx.insert("setting", name=f"last-{number}", value="1"))
    print("acknowledged", end=" ", flush=True)
    seen = 0

    def hook(event, args):
        nonlocal seen
        if event in ("open", "os.link", "os.rename", "os.remove", "shutil.rmtree", "shutil.copyfile"):
            seen += 1
            if seen == at:
                os._exit(9)

    sys.addaudithook(hook)
    asyncio.run(database.swap(lambda tx: None, lambda _: folder / "new.db", folder / "kbwork-replaced-5.db"))
    print("exchanged", end=" ", flush=True)
    os._exit(0)

registry()
for line in sys.stdin:
    at, _, folder = line.rstrip().partition(" ")
    child = os.fork()
    if child == 0:
        try:
            exchange(int(at), Path(folder))
        finally:
            os._exit(1)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""
"""For each line from outside a process of its own, which does not have to import everything first."""

_READER = """
import apsw, sys
connection = apsw.Connection(sys.argv[1])
connection.execute("select * from setting").get
print("open", flush=True)
sys.stdin.read()
"""


def put(name: str) -> Callable[[Write], None]:
    def write(tx: Write) -> None:
        tx.insert("setting", name=name, value="1")

    return write


def names(database: Database) -> list[str]:
    return database.read_now(lambda tx: tx.column("select name from setting order by name"))


def laid(folder: Path, name: str, file: Path) -> Path:
    """A closed data file in which this name stands."""
    database = open_data(folder / "other", FixedClock(NOW))
    database.write_now(put(name))
    database.close()
    shutil.copy(folder / "other" / "kbwork.db", file)
    shutil.rmtree(folder / "other")
    return file


@pytest.fixture
def exchange_in_a_child() -> Iterator[Callable[[int, Path], list[str]]]:
    """A process that dies at so many steps, or ends; answers the words that it said, and its status behind them."""
    with subprocess.Popen(
        [sys.executable, "-c", _CHILDREN], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as parent:
        asked, answers = parent.stdin, parent.stdout
        assert asked is not None
        assert answers is not None

        def exchange_in_one(at: int, folder: Path) -> list[str]:
            print(at, folder, file=asked, flush=True)
            return answers.readline().split()

        yield exchange_in_one
        parent.communicate(timeout=60)
    assert parent.returncode == 0


@pytest.mark.long
@pytest.mark.timeout(300)
def test_killed_at_any_step_the_file_is_the_old_one_or_the_new_one(
    tmp_path: Path, exchange_in_a_child: Callable[[int, Path], list[str]]
) -> None:
    first = tmp_path / "first"
    database = open_data(first, FixedClock(NOW))
    database.write_now(put("old"))
    database.close()
    new = laid(tmp_path, "new", tmp_path / "new.db")
    outcomes: list[str] = []
    for at in range(1, 60):
        folder = tmp_path / str(at)
        shutil.copytree(first, folder)
        shutil.copy(new, folder / "new.db")
        *said, status = exchange_in_a_child(at, folder)
        assert status in ("0", "9")
        assert "acknowledged" in said
        again = open_data(folder, FixedClock(NOW))
        found = names(again)
        again.close()
        kept = folder / "kbwork-replaced-5.db"
        assert list(check(folder / "kbwork.db")) == []
        if found == ["new"]:
            assert list(check(kept)) == []
            kept.rename(folder / "kbwork.db")
            whole = open_data(folder, FixedClock(NOW))
            found = names(whole)
            whole.close()
            outcomes.append("new")
        else:
            assert not kept.exists()
            outcomes.append("old")
        assert found == sorted(["old", *(f"last-{number}" for number in range(20))])
        shutil.rmtree(folder)
        if status == "0":
            break
    assert "exchanged" in said
    assert set(outcomes) == {"old", "new"}
    assert outcomes == sorted(outcomes, reverse=True)


def exchanged(database: Database, new: Path, kept: Path) -> None:
    asyncio.run(database.swap(lambda _: None, lambda _: new, kept))


def test_what_began_before_does_not_touch_the_new_data(tmp_path: Path) -> None:
    database = open_data(tmp_path / "data", FixedClock(NOW))
    database.write_now(put("old"))
    version, access = database.version, database.access

    async def call() -> None:
        database.begin()
        other = asyncio.create_task(
            asyncio.to_thread(
                asyncio.run,
                database.swap(lambda _: None, lambda _: new, kept),
            )
        )
        await other
        with pytest.raises(Busy):
            await database.read(lambda tx: tx.value("select 1"))
        with pytest.raises(Busy):
            await database.write(put("late"))
        database.begin()
        await database.write(put("in time"))

    new, kept = laid(tmp_path, "new", tmp_path / "data" / "new.db"), tmp_path / "data" / "kept.db"
    asyncio.run(call())
    assert names(database) == ["in time", "new"]
    assert (database.version > version, database.access > access) == (True, True)
    database.close()


def test_while_it_lasts_reads_and_writes_are_refused(tmp_path: Path) -> None:
    database = open_data(tmp_path / "data", FixedClock(NOW))
    new = laid(tmp_path, "new", tmp_path / "data" / "new.db")
    refusals: list[str] = []

    def lay(last: str) -> Path:
        for attempt in (names, lambda found: found.write_now(put("late"))):
            with pytest.raises(Busy) as refused:
                attempt(database)
            refusals.append(refused.value.headers["Retry-After"])
        assert last == "read"
        return new

    def last(tx: Read) -> str:
        assert tx.value("select 1") == 1
        return "read"

    asyncio.run(database.swap(last, lay, tmp_path / "data" / "kept.db"))
    assert refusals == ["2", "2"]
    assert names(database) == ["new"]
    database.close()


@pytest.mark.parametrize("fault", ["lay", "open", "missing", "held"])
def test_what_cannot_be_exchanged_leaves_the_old_data_in_service(tmp_path: Path, fault: str) -> None:
    database = open_data(tmp_path / "data", FixedClock(NOW))
    database.write_now(put("old"))
    era = database.era
    new = laid(tmp_path, "new", tmp_path / "data" / "new.db")
    kept = tmp_path / "data" / "kept.db"

    def lay(_: None) -> Path:
        if fault == "lay":
            raise Conflict("no")
        if fault == "missing":
            new.unlink()
        if fault == "open":
            new.write_bytes(b"this is no database" * 100)
        return new

    if fault == "held":
        with swap.steady(tmp_path / "data"), pytest.raises(FolderLocked):
            exchanged(database, new, kept)
    else:
        with pytest.raises(Exception, match=r"no|cannot be replaced|not a database"):
            asyncio.run(database.swap(lambda _: None, lay, kept))
    database.write_now(put("more"))
    assert (names(database), database.era) == (["more", "old"], era)
    database.close()
    again = open_data(tmp_path / "data", FixedClock(NOW))
    assert names(again) == ["more", "old"]
    again.close()


def test_a_file_that_somebody_has_open_is_not_replaced(tmp_path: Path) -> None:
    database = open_data(tmp_path / "data", FixedClock(NOW))
    database.write_now(put("old"))
    reading = subprocess.Popen(
        [
            sys.executable,
            "-c",
            _READER,
            str(tmp_path / "data" / "kbwork.db"),
        ],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    try:
        assert reading.stdout is not None
        assert reading.stdout.readline() == b"open\n"
        new = laid(tmp_path, "new", tmp_path / "data" / "new.db")
        with pytest.raises(Unusable, match="another program has"):
            exchanged(database, new, tmp_path / "data" / "kept.db")
    finally:
        reading.communicate(timeout=20)
    assert names(database) == ["old"]
    exchanged(database, new, tmp_path / "data" / "kept.db")
    assert names(database) == ["new"]
    database.close()


def test_copies_of_starts_with_new_migrations_are_kept_for_two(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir(mode=0o700)
    connection = connect(folder / "kbwork.db", writer=True)
    connection.execute(f"pragma application_id = {APPLICATION_ID}")
    connection.execute(f"create table {migrate._RAN}")
    for name, text in migrate.files()[:-1]:
        for statement in migrate.statements(text):
            connection.execute(statement)
        checksum = hashlib.sha256(text.encode()).hexdigest()
        connection.execute("insert into schema_migration values (?, ?, 1)", (name, checksum))
    connection.close()
    for at in ("5", "30", "200", "mine"):
        (folder / f"kbwork-before-{at}.db").write_text("")
    open_data(folder, FixedClock(NOW)).close()
    assert sorted(path.stem.removeprefix("kbwork-before-") for path in folder.glob("kbwork-before-*")) == [
        str(NOW),
        "200",
        "mine",
    ]
    assert list(check(folder / "kbwork.db")) == []
