"""One of several has the lease, its end is judged by its own clock, and whoever is not sure of it does not write."""

import shutil
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from kbwork.db.connection import Unusable
from kbwork.replica import lease as leases
from kbwork.replica.epoch import COPIED, KNOWN, DataEpoch
from kbwork.replica.lease import GIVEN, LOST, NAME, OVER, TAKING, Lease, LeaseRecord, Passing, SeenLease
from kbwork.replica.target import FolderTarget, LastTransaction, Outdated
from tests.replica.leased import at_folder

TTL = leases.LIVES_S
HOUR = 3600.0


class SetClock(Passing):
    """Stands still until it is moved."""

    def __init__(self) -> None:
        self.passed, self.shown = 1000.0, 1_800_000_000.0
        self.passing = lambda: self.passed
        self.wall = lambda: self.shown

    def advance(self, seconds: float) -> None:
        self.passed += seconds
        self.shown += seconds


@pytest.fixture
def clock() -> SetClock:
    return SetClock()


@pytest.fixture
def target(tmp_path: Path) -> FolderTarget:
    (tmp_path / "place").mkdir()
    return FolderTarget(at_folder(tmp_path / "place"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "data").mkdir()
    return tmp_path / "data"


@pytest.fixture
def lease(target: FolderTarget, folder: Path, clock: SetClock) -> Lease:
    """Held, in the first epoch."""
    found = Lease(target, folder, clock)
    assert found.refusal() is TAKING
    assert found.step() is False
    assert (found.refusal(), found.data.epoch) == (None, 1)
    return found


def now(target: FolderTarget) -> LeaseRecord:
    seen = leases.read(target, lambda: 0.0)
    assert seen is not None
    return seen.record


def ask(target: FolderTarget, by: str = "the other one") -> None:
    """As a promotion does."""
    seen = leases.read(target, lambda: 0.0)
    assert seen is not None
    asked = replace(seen.record, state="asked", asked_by=by).marked()
    target.swap(NAME, asked.content(), seen.tag)


def test_its_end_comes_before_others_may_take_it(
    lease: Lease, target: FolderTarget, clock: SetClock, folder: Path
) -> None:
    copy = Lease(target, shutil.copytree(folder, folder.with_name("copy")), clock)
    copy.step()
    assert (copy.refusal(), copy.left_s) == (TAKING, 0)
    assert f"the lease is held by {leases.name_of(folder)}: it is taken when" in (copy.trouble or "")
    clock.advance(TTL - 2.5)
    assert lease.held
    clock.advance(1)
    assert lease.refusal() is LOST
    copy.step()
    assert not copy.held
    clock.advance(3.6)
    copy.step()
    assert (copy.held, copy.data.epoch, now(target).epoch) == (True, 2, 2)
    lease.step()
    assert (lease.refusal(), lease.over) == (OVER, True)
    assert "epoch 1 of these data is over" in (lease.trouble or "")
    assert "kbwork standby; or, to serve these data in its place: kbwork promote --as-is" in (
        lease.trouble or ""
    )


def test_a_copy_waits_for_as_long_as_the_lease_is_renewed(
    lease: Lease, target: FolderTarget, clock: SetClock, folder: Path
) -> None:
    copy = Lease(target, shutil.copytree(folder, folder.with_name("copy")), clock)
    for _ in range(20):
        clock.advance(leases.RENEW_S)
        lease.step()
        copy.step()
        assert (lease.held, copy.held) == (True, False)


def test_a_copy_that_is_older_than_the_replica_does_not_take_it(
    lease: Lease, target: FolderTarget, clock: SetClock, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / KNOWN).write_text("0001-20261127T220000Z-0a1b2c")
    copied = folder / COPIED / "ltx" / "0"
    copied.mkdir(parents=True)
    (copied / f"{3:016x}-{3:016x}.ltx").touch()
    copy = Lease(target, shutil.copytree(folder, folder.with_name("copy")), clock)
    monkeypatch.setattr(target, "newest", lambda _: LastTransaction(4, 0.0))
    copy.step()
    clock.advance(TTL + 3)
    with pytest.raises(Unusable, match=r"has newer transactions than .*copy, which is a copy of the data"):
        copy.step()
    assert (copy.held, now(target).epoch) == (False, 1)
    monkeypatch.setattr(target, "newest", lambda _: LastTransaction(3, 0.0))
    copy.step()
    assert copy.held


def test_it_outlasts_a_store_that_is_away_for_a_moment_alone(
    lease: Lease, clock: SetClock, tmp_path: Path
) -> None:
    place = tmp_path / "place"
    place.rename(tmp_path / "unmounted")
    clock.advance(10)
    with pytest.raises(Unusable, match="is not there: mount it or make it"):
        lease.step()
    assert lease.held
    clock.advance(TTL)
    assert lease.refusal() is LOST
    (tmp_path / "unmounted").rename(place)
    lease.step()
    assert lease.held


@pytest.mark.parametrize("step", [HOUR, -HOUR])
def test_a_clock_that_is_set_errs_to_no_writes(lease: Lease, clock: SetClock, step: float) -> None:
    clock.shown += step
    assert (lease.left_s, lease.refusal()) == (0, LOST)
    lease.step()
    assert lease.held


@pytest.mark.parametrize("step", [HOUR, -HOUR])
def test_a_clock_that_is_set_gives_nobody_a_lease_that_is_held(
    lease: Lease, target: FolderTarget, clock: SetClock, folder: Path, step: float
) -> None:
    """`until` in it is for people: another machine's clock is not compared with it."""
    other = SetClock()
    other.shown += step
    copy = Lease(target, shutil.copytree(folder, folder.with_name("copy")), other)
    copy.step()
    other.advance(TTL)
    clock.advance(TTL - 2.5)
    copy.step()
    assert (lease.held, copy.held) == (True, False)


def test_a_machine_that_stood_still_does_not_write(lease: Lease, clock: SetClock) -> None:
    """What passes stood still with it, the clock was set again by the network."""
    clock.shown += 40
    assert not lease.held


def test_of_many_one_has_it(target: FolderTarget, tmp_path: Path) -> None:
    several = []
    for number in range(16):
        (tmp_path / str(number)).mkdir()
        several.append(Lease(target, tmp_path / str(number)))
    begin = threading.Barrier(len(several))

    def take(one: Lease) -> None:
        begin.wait()
        one.step()

    threads = [threading.Thread(target=take, args=(one,)) for one in several]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert sum(one.held for one in several) == 1
    for one in several:
        one.step()
    assert sum(one.held for one in several) == 1


def test_it_is_given_to_whoever_asks_once_all_was_sent(
    lease: Lease, target: FolderTarget, clock: SetClock
) -> None:
    ask(target)
    assert lease.step() is True
    assert (lease.refusal(), now(target).state) == (GIVEN, "asked")
    assert lease.step() is True  # until it was released
    lease.release()
    assert (now(target).state, now(target).asked_by) == ("released", "the other one")
    lease.step()
    assert not lease.held
    clock.advance(61)
    lease.step()
    assert (lease.held, now(target).state, lease.data.epoch) == (True, "held", 1)


def test_a_folder_that_is_started_again_goes_on_in_its_epoch(
    lease: Lease, target: FolderTarget, folder: Path, clock: SetClock
) -> None:
    killed = Lease(target, folder, clock)
    killed.step()
    assert (killed.held, killed.data.epoch) == (True, 1)
    lease.step()  # as if it were a clone of the machine
    assert (lease.doubled, lease.refusal()) == (True, OVER)
    assert "is there twice, and the other one has the lease" in (lease.trouble or "")
    killed.give_up()
    killed.release()
    ended = Lease(target, folder, clock)
    ended.step()
    assert (ended.held, ended.data.epoch) == (True, 1)


def test_after_a_new_start_of_the_machine_another_epoch_begins(
    lease: Lease, target: FolderTarget, folder: Path, clock: SetClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(leases, "boot", lambda: "another start")
    again = Lease(target, folder, clock)
    again.step()
    assert again.refusal() is TAKING
    clock.advance(TTL + 3)
    again.step()
    assert (again.held, again.data.epoch) == (True, 2)


def test_data_of_no_epoch_do_not_take_it(
    lease: Lease, target: FolderTarget, tmp_path: Path, clock: SetClock
) -> None:
    (tmp_path / "restored").mkdir()
    other = Lease(target, tmp_path / "restored", clock)
    other.step()
    clock.advance(10 * TTL)
    other.step()
    assert other.refusal() is OVER
    assert "these data are of no epoch" in (other.trouble or "")


def test_a_place_that_was_emptied_takes_no_writes(lease: Lease, folder: Path, tmp_path: Path) -> None:
    (folder / KNOWN).write_text("0001-20261127T220000Z-0a1b2c")
    (tmp_path / "place" / NAME).unlink()
    lease.step()
    assert lease.refusal() is LOST
    assert "the lease of epoch 1 has gone" in (lease.trouble or "")
    assert "kbwork promote --as-is" in (lease.trouble or "")


def test_an_epoch_that_was_noted_and_not_begun_is_of_the_one_before(
    lease: Lease, target: FolderTarget, folder: Path, clock: SetClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ended between the note and the lease, the folder goes on as before."""
    monkeypatch.setattr(leases, "boot", lambda: "another start")
    DataEpoch.known(folder).followed_by(2, leases.holder_of(folder)).note(folder)
    again = Lease(target, folder, clock)
    again.step()
    clock.advance(TTL + 3)
    again.step()
    assert (again.held, again.data.epoch, now(target).epoch) == (True, 2, 2)


def test_a_first_lease_that_did_not_arrive_is_sent_again(
    target: FolderTarget, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(*_: object) -> str:
        raise Unusable("the store does not answer")

    first = Lease(target, folder)
    with monkeypatch.context() as patch:
        patch.setattr(target, "swap", away)
        with pytest.raises(Unusable):
            first.step()
    assert (first.held, DataEpoch.known(folder).epoch) == (False, 1)
    first.step()
    assert (first.held, first.data.epoch) == (True, 1)


class CarelessStore(FolderTarget):
    """Writes whatever the condition."""

    def swap(self, name: str, content: bytes, tag: str | None) -> str:
        found = self.tagged(name)
        return super().swap(name, content, None if found is None else found.tag)


class HastyStore(FolderTarget):
    """Somebody is quicker, always."""

    def swap(self, name: str, content: bytes, tag: str | None) -> str:
        raise Outdated("quicker")


def test_a_store_that_keeps_to_no_condition_gives_no_lease(
    folder: Path, target: FolderTarget, tmp_path: Path
) -> None:
    careless = Lease(CarelessStore(at_folder(tmp_path / "place")), folder)
    with pytest.raises(Unusable, match=r"writes whatever the condition .* replicate.lease to false"):
        careless.step()
    assert not careless.held
    (tmp_path / "place" / NAME).unlink()
    (folder / "replica.epoch").unlink()
    hasty = Lease(HastyStore(at_folder(tmp_path / "place")), folder)
    hasty.step()
    assert not hasty.held


def test_what_is_no_lease_is_named(lease: Lease, target: FolderTarget, folder: Path) -> None:
    target.write(NAME, b"[]")
    with pytest.raises(Unusable, match="is no lease of a replica: name another path"):
        lease.step()
    (folder / "replica.epoch").write_text("{")
    with pytest.raises(Unusable, match="which says of which epoch the data are, cannot be read"):
        Lease(target, folder)


def test_a_lease_is_over_when_it_was_seen_for_as_long_as_it_lasts() -> None:
    record = LeaseRecord(1, "a", "a", 0, TTL)
    assert SeenLease(record, "t", 100.0).over_at() == 100 + TTL + 2
    assert SeenLease(replace(record, lives_s=60), "t", 100.0).over_at() == 162
