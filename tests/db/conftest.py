"""What most tests of the database begin with."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from kbwork.app import open_data
from kbwork.base.clock import FixedClock
from kbwork.db.database import Database
from tests.conftest import NOW


@pytest.fixture
def database(empty_folder: Path) -> Iterator[Database]:
    """In a folder in which nothing was done yet."""
    opened = open_data(empty_folder, FixedClock(NOW))
    yield opened
    opened.close()
