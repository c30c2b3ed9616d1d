"""Where another program copies the WAL away nobody else checkpoints, for as long as that one keeps up."""

from pathlib import Path

import apsw
import pytest

from kbwork.base.errors import Busy
from kbwork.db import checkpoint
from kbwork.db.database import Database
from kbwork.replica import child
from kbwork.replica.child import EngineChild
from tests.db.test_checkpoint import MB, grow, wal_bytes
from tests.db.test_writer import fail_once
from tests.modules.calls import eventually


class Copier:
    """Says that it is there for as long as it is told to."""

    def __init__(self, database: Database) -> None:
        self.there = True
        self.cuts = 0
        self.full = False
        self.log = database.copied_by(lambda: self.there, self._cut)
        self.checkpoints = database._writer.checkpoints

    def _cut(self, why: str) -> None:
        assert why
        self.cuts += 1
        if self.full:
            raise OSError(28, "No space left on device")


def test_who_is_gone_leaves_the_log_to_the_writer(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And hears that it is shortened, which it is not where that cannot be written down."""
    copier = Copier(database)
    grow(database, 24)
    assert (copier.checkpoints.done, wal_bytes(database) > 20 * MB) == (0, True)
    assert (copier.log.bytes > 20 * MB, copier.cuts) == (True, 0)
    copier.there, copier.full = False, True
    grow(database, 1)
    assert (copier.checkpoints.done, wal_bytes(database) > 20 * MB, copier.cuts > 0) == (0, True, True)
    copier.full = False
    monkeypatch.setattr(checkpoint, "_AGAIN_S", 0.0)
    copier.checkpoints._again_at = 0.0
    grow(database, 1)
    eventually(lambda: copier.checkpoints.done == 1)  # before what was written last, or behind it
    assert (wal_bytes(database) < MB, copier.log.bytes < MB) == (True, True)


def test_a_commit_that_fails_may_have_been_copied(database: Database) -> None:
    """It is in the log before the disk is waited for, and the next one is written over it."""
    copier = Copier(database)
    fail_once(database, "commit")
    with pytest.raises(Busy):
        grow(database, 1)
    assert copier.cuts == 1
    copier.full = True
    fail_once(database, "commit")
    with pytest.raises(Busy):
        grow(database, 1)
    grow(database, 1)
    assert copier.cuts == 2


def test_a_program_is_expected_for_thirty_seconds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1000.0
    monkeypatch.setattr(child, "monotonic", lambda: now)
    engine = EngineChild(tmp_path, lambda: ([], {}), list)
    found = [engine.copies]
    for alive, later_s in ((True, 0), (False, 29), (False, 2)):
        engine.alive = alive
        if alive:
            engine._seen_at = now
        now += later_s
        found.append(engine.copies)
    assert found == [True, True, True, False]


def test_what_waits_too_long_is_not_left_to_who_does_not_keep_up(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    copier = Copier(database)
    monkeypatch.setattr(checkpoint, "_UNREAD_BYTES", 18 * MB)
    grow(database, 16)
    assert copier.checkpoints.done == 0
    grow(database, 4)
    eventually(lambda: copier.checkpoints.done == 1)


def test_what_counts_are_the_frames_and_not_the_file(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever copies it begins the log anew and never cuts it: a file that was large once stays large."""
    copier = Copier(database)
    grow(database, 24)
    other = apsw.Connection(str(database.folder.file))
    other.execute("select count(*) from setting").get  # noqa: B018 - before the first read it knows of no log

    def begins_anew() -> bool:
        """Not where the writer writes down meanwhile what waited: then once more. Two rows, since one that is the
        same as before is not written."""
        other.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_PASSIVE)
        grow(database, 2)
        return copier.log.bytes < 4 * MB

    eventually(begins_anew)
    other.close()
    monkeypatch.setattr(checkpoint, "_UNREAD_BYTES", 18 * MB)
    grow(database, 1)
    assert (copier.checkpoints.done, wal_bytes(database) > 20 * MB) == (0, True)
    assert copier.log.bytes < 4 * MB
