"""Generations go when no time that is asked for needs them; what was written behind a takeover is known."""

import datetime
import struct
from pathlib import Path

import pytest

from kbwork.replica import keeper
from kbwork.replica.epoch import (
    DataEpoch,
    GenerationFacts,
    Takeover,
    generations,
    goes_on_behind,
    lay_mark,
    outlived,
    taken_over,
)
from kbwork.replica.target import FolderTarget, LastTransaction, began, epoch_of
from kbwork.settings import LimitSettings, ReplicateSettings, Settings
from tests.conftest import World
from tests.modules.calls import eventually
from tests.replica.leased import at_folder

DAY = 86_400
NOW = 1_790_000_000.0


@pytest.fixture
def settings(engine: Path, place: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    monkeypatch.setattr(keeper, "_EVERY_S", 0.05)
    return Settings(
        limits=LimitSettings(enabled=False), replicate=ReplicateSettings(to=str(place), engine=str(engine))
    )


def named(days_ago: float, epoch: int = 0) -> str:
    stamp = datetime.datetime.fromtimestamp(NOW - days_ago * DAY, datetime.UTC)
    return f"{f'{epoch:04d}-' if epoch else ''}{stamp:%Y%m%dT%H%M%SZ}-0a1b2c"


def fact(began_ago: float, last_ago: float | None, epoch: int = 0, number: int = 9) -> GenerationFacts:
    name = named(began_ago, epoch)
    last = None if last_ago is None else LastTransaction(number, NOW - last_ago * DAY)
    return GenerationFacts(name, epoch, began(name), last, "", None)


def old(found: list[GenerationFacts], living: int = -1, days: int = 7) -> list[int]:
    names = [one.name for one in found]
    return [names.index(one) for one in outlived(found, names[living], days, NOW)]


def test_generations_are_in_order_of_epoch_and_time(tmp_path: Path) -> None:
    later, first, second = named(1), named(3, 1), named(9, 12)
    for name in (second, first, later, named(2)):
        (tmp_path / name).mkdir()
    found = FolderTarget(at_folder(tmp_path)).generations()
    assert found == [named(2), later, first, second]
    assert [epoch_of(one) for one in found] == [0, 0, 1, 12]


def test_what_no_time_of_the_last_days_needs_is_old() -> None:
    assert old([fact(30, 20), fact(20, 9), fact(9, 0)]) == [0, 1]
    assert old([fact(30, 20), fact(6, 0)]) == []  # ten days ago is in none but the first
    assert old([fact(30, 6), fact(20, 0)]) == []  # its last days are not over
    assert old([fact(30, 29)], living=0) == []
    assert old([fact(30, None), fact(20, None)]) == []


def test_neither_what_is_filled_nor_what_is_of_the_newest_epoch_is_old() -> None:
    assert old([fact(30, 20), fact(20, 9), fact(9, 0)], living=0) == [1]
    assert old([fact(40, 30, 1), fact(30, 20, 2), fact(20, 10, 2), fact(9, 8, 2)], days=1) == [0]
    assert old([fact(40, 30), fact(30, 20, 1), fact(20, 19, 1)]) == [0]
    assert old([fact(40, 30, 1), fact(30, None, 2)]) == []  # the newest holds nothing yet


def test_what_lies_behind_a_takeover_is_known() -> None:
    first, again, second = fact(9, 5, 1), fact(3, 2, 1), fact(4, 0, 2)
    second = GenerationFacts(second.name, 2, second.began, second.last, "b", Takeover(first.name, 9, 400))
    assert taken_over([first, second], 1) == Takeover(first.name, 9, 400)
    assert (taken_over([first, second], 2), taken_over([first], 1)) == (None, None)
    assert goes_on_behind([first, second], first) is False
    later = GenerationFacts(first.name, 1, first.began, LastTransaction(10, NOW), "a", None)
    assert goes_on_behind([later, second], later)
    assert goes_on_behind([first, again, second], again)
    assert not goes_on_behind([first, second], second)


def test_marks_say_who_and_from_where(tmp_path: Path) -> None:
    target = FolderTarget(at_folder(tmp_path))
    lay_mark(target, named(2), "", None)
    lay_mark(target, named(1, 2), "b:/data", Takeover(named(2), 3, 40))
    target.write(f"{named(3)}/kbwork-replica", b"kbwork\n")
    found = generations(target)
    assert [(one.holder, one.after) for one in found] == [
        ("", None),
        ("", None),
        ("b:/data", Takeover(named(2), 3, 40)),
    ]
    assert [one.last for one in found] == [None] * 3


def test_of_which_epoch_data_are_is_kept_beside_them(tmp_path: Path) -> None:
    assert DataEpoch.known(tmp_path) == DataEpoch()
    assert not DataEpoch().is_of(0, "")
    second = DataEpoch(1, "a").followed_by(2, "b", Takeover("g", 1, 2))
    second.note(tmp_path)
    assert DataEpoch.known(tmp_path) == second
    assert (second.is_of(2, "b"), second.is_of(1, "a"), second.is_of(2, "a"), second.is_of(3, "b")) == (
        True,
        True,
        False,
        False,
    )


def test_a_server_deletes_what_is_old(world: World, place: Path) -> None:
    assert world.app is not None
    assert world.app.replica is not None
    eventually(lambda: world.app.replica._held > 0)  # type: ignore[union-attr]
    for name, at in (("20200101T000000Z-0a1b2c", 1_577_900_000), ("20200201T000000Z-0a1b2c", 1_580_600_000)):
        folder = place / name / "ltx" / "0"
        folder.mkdir(parents=True)
        head = struct.pack(">4s12xQQQ", b"LTX1", 1, 1, at * 1000)
        (folder / f"{1:016x}-{1:016x}.ltx").write_bytes(head)
    living = world.app.replica._generation
    world.app.replica._tidy_from = 0.0
    # the second of them is what any time before this server's own generation is restored from
    eventually(lambda: sorted(one.name for one in place.glob("2*")) == ["20200201T000000Z-0a1b2c", living])
