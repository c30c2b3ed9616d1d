"""Data come back from the replica, with the master key that a passphrase opens, and a trial finds what is not fit."""

import itertools
import struct
import time
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from kbwork.cli.machines.replica import drill, key, restore
from kbwork.db.archives.backup import FileFacts, copy, facts
from kbwork.modules.backups.carry_over import LEAP
from kbwork.replica import drill as trial
from kbwork.replica.restoration import RestoredData
from kbwork.settings import ReplicateSettings, Settings
from tests.conftest import World, serving
from tests.modules.flags.flag_project import flag, shop, version

WORDS = "correct horse battery staple"


@pytest.fixture
def place(world: World, engine: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A replica of the world."""
    folder = tmp_path / "place" / "20260101T000000Z-0a1b2c" / "ltx" / "0"
    folder.mkdir(parents=True)
    head = struct.pack(">4s12xQQQ", b"LTX1", 1, 1, 1000)
    (folder / f"{1:016x}-{1:016x}.ltx").write_bytes(head)
    copy(world.folder / "kbwork.db", folder.parent.parent / "snapshot.db")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("KBWORK_REPLICATE_TO", str(tmp_path / "place"))
    monkeypatch.setenv("KBWORK_REPLICATE_ENGINE", str(engine))
    monkeypatch.setenv("KBWORK_SERVER_DATA", str(world.folder))
    return folder.parent.parent


def restored(folder: Path, words: str = WORDS, *more: str) -> Result:
    return CliRunner().invoke(restore, ["--to", str(folder), "--passphrase-stdin", *more], input=f"{words}\n")


def test_data_and_key_come_back_into_an_empty_folder(world: World, place: Path, tmp_path: Path) -> None:
    short = CliRunner().invoke(key, ["--passphrase-stdin"], input="short\n")
    assert (short.exit_code, "should have 12 letters or more" in short.stderr) == (1, True)
    assert CliRunner().invoke(key, ["--passphrase-stdin"], input=f"{WORDS}\n").exit_code == 0
    sealed = (place.parent / "master.key.sealed").read_text()
    master = (world.folder / "master.key").read_text()
    assert master not in sealed

    wrong = restored(tmp_path / "new", "another passphrase")
    assert (wrong.exit_code, "the passphrase does not open the master key" in wrong.stderr) == (2, True)
    assert not (tmp_path / "new" / "kbwork.db").exists()
    assert restored(tmp_path / "new").exit_code == 0
    (seq, *rest), (newest, *others) = facts(place / "snapshot.db"), facts(tmp_path / "new" / "kbwork.db")
    assert (seq + LEAP, rest) == (newest, others)
    assert (tmp_path / "new" / "master.key").read_text() == master
    assert ((tmp_path / "new" / "master.key").stat().st_mode & 0o077) == 0
    (tmp_path / "other").mkdir(mode=0o700)
    (tmp_path / "other" / "master.key").write_text("ab" * 32)
    (tmp_path / "other" / "master.key").chmod(0o600)
    assert "master.key is not the one with which secrets" in restored(tmp_path / "other").stderr
    again = restored(tmp_path / "new")
    assert (again.exit_code, "holds data: name another folder" in again.stderr) == (2, True)
    before = restored(tmp_path / "older", WORDS, "--at", "2025-12-31T00:00:00Z")
    assert (before.exit_code, "holds no data of that time" in before.stderr) == (2, True)
    ahead = restored(tmp_path / "older", WORDS, "--at", "2999-01-01T00:00")
    assert (ahead.exit_code, "--at lies ahead: it is 2" in ahead.stderr) == (2, True)
    none = restored(tmp_path / "older", WORDS, "--at", "yesterday")
    assert (none.exit_code, "--at should be a time" in none.stderr) == (2, True)


def test_a_trial_finds_a_replica_that_is_not_fit(
    world: World, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kbwork.replica.drill._PAUSE_S", 0.01)
    (place / "snapshot.db").unlink()
    copy(world.folder / "kbwork.db", place / "snapshot.db")  # what a start writes is in it
    fit = CliRunner().invoke(drill)
    assert (fit.exit_code, fit.stderr, fit.stdout[:22]) == (0, "", "The replica is sound: ")
    world.key("bo").call("issues.create", {"project": "WEB", "title": "Not there"})
    late = CliRunner().invoke(drill)
    assert (late.exit_code, "the replica ends with event" in late.stderr) == (1, True)
    (place / "snapshot.db").write_bytes(b"no data file" * 1000)
    broken = CliRunner().invoke(drill)
    assert (broken.exit_code, "is not sound" in broken.stderr) == (1, True)
    assert not (world.folder / "replica-drill").exists()


def test_a_trial_beside_writes_finds_what_was_written_before_it_began(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was just written is on its way for a moment, and something is written all the time."""
    began, on_its_way = time.monotonic(), 0.1
    seq = itertools.count(1)
    written: list[tuple[float, int]] = [(began, 0)]

    def look(_: Path) -> FileFacts:
        written.append((time.monotonic(), next(seq)))
        return FileFacts(written[-1][1], "", {"events": 1})

    def there(*_: object) -> RestoredData:
        here = [number for at, number in written if at <= time.monotonic() - on_its_way]
        return RestoredData(max(here, default=0), {"events": 1}, "")

    monkeypatch.setattr(trial, "_require_epoch", lambda *_: None)
    monkeypatch.setattr(trial, "facts", look)
    monkeypatch.setattr(trial, "_restored", there)
    monkeypatch.setattr(trial, "_PAUSE_S", 2 * on_its_way)
    assert trial.tried(ReplicateSettings(), tmp_path / "kbwork.db", {}).seq >= 2


def test_a_trial_is_not_taken_in_by_rows_that_come_and_go(
    world: World, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Queues are empty and full again without an event; what the data have all the time is missed."""
    monkeypatch.setattr("kbwork.replica.drill._PAUSE_S", 0.01)
    (place / "snapshot.db").unlink()
    copy(world.folder / "kbwork.db", place / "snapshot.db")
    found = facts(place / "snapshot.db")
    (empty,) = [name for name, rows in found.counts.items() if not rows][:1]
    queued = found._replace(counts=found.counts | {empty: 3})
    looks = iter([queued, found])
    monkeypatch.setattr("kbwork.replica.drill.facts", lambda _: next(looks))
    gone = CliRunner().invoke(drill)
    assert (gone.exit_code, gone.stdout[:22]) == (0, "The replica is sound: ")
    looks = iter([queued, queued, found, found])
    late = CliRunner().invoke(drill)
    assert (late.exit_code, late.stdout[:22]) == (0, "The replica is sound: ")
    looks = itertools.repeat(queued, 6)
    lacks = CliRunner().invoke(drill)
    assert (lacks.exit_code, f"the replica has no rows of {empty}, the data have" in lacks.stderr) == (
        1,
        True,
    )


def test_no_number_that_was_given_before_is_given_again(world: World, place: Path, tmp_path: Path) -> None:
    """Events and flags that were lost had some, which clients hold."""
    shop(world)
    flag(world)
    held, seq = version(world, "test"), world.database.seq
    (place / "snapshot.db").unlink()
    copy(world.folder / "kbwork.db", place / "snapshot.db")
    assert CliRunner().invoke(key, ["--passphrase-stdin"], input=f"{WORDS}\n").exit_code == 0
    assert restored(tmp_path / "new").exit_code == 0
    with serving(World(tmp_path / "new", world.clock, world.people), Settings()) as other:
        assert version(other, "test") == held + LEAP
        flag(other, "later")
        assert other.database.seq > seq + LEAP
