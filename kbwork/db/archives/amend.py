"""Changing a data file that nobody serves."""

import contextlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import apsw

from kbwork.db.connection import Unusable


def amend(file: Path, statements: Iterable[str], values: Mapping[str, Any]) -> None:
    """Run them, all or none. Raises Unusable."""
    try:
        with contextlib.closing(apsw.Connection(str(file))) as connection, connection:
            for statement in statements:
                connection.execute(statement, values)
    except apsw.Error as error:
        raise Unusable(f"{file} cannot be written: {error}") from None
