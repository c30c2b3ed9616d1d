"""What is known of the clock outlives the server."""

from pathlib import Path

from kbwork.app import open_data
from kbwork.base.clock import FixedClock
from kbwork.core import clock_state
from kbwork.db.database import Database
from kbwork.modules.org.setup import create_org
from tests.conftest import NOW

DAY = 86400


def trusted(database: Database) -> int:
    return database.read_now(lambda tx: tx.trusted_now)


def test_a_server_that_starts_under_a_clock_that_ran_ahead_does_not_trust_it(tmp_path: Path) -> None:
    clock = FixedClock(NOW)
    database = open_data(tmp_path / "data", clock)
    assert trusted(database) == NOW
    database.write_now(lambda tx: create_org(tx, "Acme", "Ana Lund", "ana@acme.example", "-"))
    clock.advance(DAY // 2)
    database.write_now(clock_state.keep)
    database.close()
    clock.set(NOW + 400 * DAY)
    database = open_data(tmp_path / "data", clock)
    assert trusted(database) == NOW + DAY // 2
    clock.advance(DAY // 2)
    database.write_now(clock_state.keep)
    database.close()
    database = open_data(tmp_path / "data", clock)
    assert trusted(database) == NOW + DAY
    clock.advance(DAY // 2)
    assert trusted(database) == clock.now()
    database.close()


def test_the_last_that_happened_tells_the_time_where_nothing_was_kept(tmp_path: Path) -> None:
    database = open_data(tmp_path / "data", FixedClock(NOW))
    database.write_now(lambda tx: create_org(tx, "Acme", "Ana Lund", "ana@acme.example", "-"))
    database.close()
    later = open_data(tmp_path / "data", FixedClock(NOW + 2 * DAY))
    assert trusted(later) == NOW
    later.close()
    soon = open_data(tmp_path / "data", FixedClock(NOW + 1800))
    assert trusted(soon) == NOW + 1800
    soon.close()
