"""How every connection is set up."""

from pathlib import Path

import apsw
import pytest

from kbwork.app import open_data
from kbwork.base.clock import FixedClock
from kbwork.db.connection import connect
from tests.conftest import NOW

SWITCHES = {
    apsw.SQLITE_DBCONFIG_DEFENSIVE: 1,
    apsw.SQLITE_DBCONFIG_DQS_DML: 0,
    apsw.SQLITE_DBCONFIG_DQS_DDL: 0,
    apsw.SQLITE_DBCONFIG_TRUSTED_SCHEMA: 0,
    apsw.SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION: 0,
    apsw.SQLITE_DBCONFIG_ENABLE_QPSG: 1,
}


@pytest.mark.parametrize("writer", [True, False])
def test_every_switch_of_sqlite_is_set(tmp_path: Path, writer: bool) -> None:
    open_data(tmp_path / "data", FixedClock(NOW)).close()
    connection = connect(tmp_path / "data" / "kbwork.db", writer=writer)
    try:
        assert {name: connection.config(name, -1) for name in SWITCHES} == SWITCHES
    finally:
        connection.close()
