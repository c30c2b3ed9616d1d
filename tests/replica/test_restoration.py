"""Data come back from the replica, with the master key that a passphrase opens, and a trial finds what is not fit."""

import itertools
import struct
import time
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from kbwork.cli.machines.replica import drill, key, restore
from kbwork.db.archives.backup import FileFacts, copy, facts
from kbwork.modules.backups.carry_over import LEAP
from kbwork.replica import drill as trial
from kbwork.replica.restoration import RestoredData
from kbwork.settings import ReplicateSettings, Settings
from tests.conftest import World, serving
from tests.modules.backups.test_carry_over import opens
from tests.modules.calls import call
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


_PAST_AT = "2026-01-01T12:00:00Z"


@pytest.fixture
def past(world: World, place: Path) -> dict[str, Any]:
    """A replica of a moment, and a later part of it, before which a key, an SDK key and a trigger were ended."""
    shop(world)
    flag(world)
    where = {"project": "shop", "environment": "test"}
    made = {
        "leaky": call(world, "ana", "keys.create", name="leaky", scopes=["issues:read"]),
        "kept": call(world, "ana", "keys.create", name="kept", scopes=["issues:read"]),
        "sdk": call(world, "ana", "flags.key_create", **where, kind="server"),
        "trigger": call(world, "cy", "flags.trigger_save", **where, key="checkout", action="off"),
    }
    _lay(world, place)
    call(world, "ana", "keys.revoke", id=made["leaky"]["id"])
    call(world, "ana", "flags.key_revoke", **where, id=made["sdk"]["id"])
    call(world, "cy", "flags.trigger_delete", project="shop", id=made["trigger"]["id"])
    call(world, "ana", "members.deactivate", id=world.people["di"].id, on=True)
    assert CliRunner().invoke(key, ["--passphrase-stdin"], input=f"{WORDS}\n").exit_code == 0
    return made


def _lay(world: World, place: Path) -> None:
    (place / "snapshot.db").unlink()
    copy(world.folder / "kbwork.db", place / "snapshot.db")


def _opened(world: World, folder: Path, made: dict[str, Any]) -> tuple[bool, bool, int, int, str, int]:
    """Whether the two keys open the data of a folder, how many SDK keys and triggers live there, how somebody stands,
    and how many sessions there are."""
    with serving(World(folder, world.clock, world.people), Settings()) as other:
        values = other.database.read_now(
            lambda tx: (
                tx.value("select count(*) from sdk_key where revoked_at is null"),
                tx.value("select count(*) from flag_trigger"),
                tx.value("select state from member where id = :id", id=world.people["di"].id),
                tx.value("select count(*) from session"),
            )
        )
        return opens(other, made["leaky"]["secret"]), opens(other, made["kept"]["secret"]), *values


_SHUT_OUT = (False, True, 0, 0, "deactivated", 0)


def _newer_part(world: World, place: Path) -> None:
    folder = place.parent / "20260201T000000Z-0a1b2d" / "ltx" / "0"
    folder.mkdir(parents=True)
    head = struct.pack(">4s12xQQQ", b"LTX1", 1, 1, 1000)
    (folder / f"{1:016x}-{1:016x}.ltx").write_bytes(head)
    copy(world.folder / "kbwork.db", folder.parent.parent / "snapshot.db")


def test_who_was_shut_out_since_a_moment_stays_so_as_the_newest_of_the_replica_knows(
    world: World, place: Path, past: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _newer_part(world, place)
    monkeypatch.setenv("KBWORK_SERVER_DATA", str(tmp_path / "new"))
    seq = world.database.seq
    told = restored(tmp_path / "new", WORDS, "--at", _PAST_AT)
    assert (told.exit_code, f"as the newest in the replica have it up to event {seq:,}" in told.stderr) == (
        0,
        True,
    )
    assert f"trigger {past['trigger']['id']} of shop/checkout in test was deleted" in told.stderr
    assert sorted(one.name for one in (tmp_path / "new").iterdir()) == [
        "kbwork.db",
        "kbwork.lock",
        "master.key",
    ]
    assert _opened(world, tmp_path / "new", past) == _SHUT_OUT
    found = facts(tmp_path / "new" / "kbwork.db")
    assert found.seq > seq + LEAP


def test_the_data_that_are_there_still_know_it_where_the_replica_ends_before(
    world: World, place: Path, past: dict[str, Any], tmp_path: Path
) -> None:
    told = restored(tmp_path / "new", WORDS, "--at", _PAST_AT)
    assert (told.exit_code, f"as the data in {world.folder} have it" in told.stderr) == (0, True)
    assert _opened(world, tmp_path / "new", past) == _SHUT_OUT


def test_where_nobody_knows_what_was_revoked_since_it_is_said(
    world: World, place: Path, past: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sessions end all the same. What was to be gone back behind need not be data any more."""
    _newer_part(world, place)
    (place.parent / "20260201T000000Z-0a1b2d" / "snapshot.db").write_bytes(b"no data file" * 1000)
    (elsewhere := tmp_path / "elsewhere").mkdir(mode=0o700)
    (elsewhere / "kbwork.db").write_bytes(b"no data file" * 1000)
    monkeypatch.setenv("KBWORK_SERVER_DATA", str(elsewhere))
    told = restored(tmp_path / "new", WORDS, "--at", _PAST_AT)
    assert told.exit_code == 0
    assert [
        words in told.stderr
        for words in (
            "the newest in the replica cannot be read: ",
            f"the data in {elsewhere} cannot be read: ",
            "No newer data are at hand: keys, SDK keys, triggers,",
        )
    ] == [True, True, True]
    assert _opened(world, tmp_path / "new", past) == (True, True, 1, 1, "active", 0)
