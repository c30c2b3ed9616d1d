"""Looking a data file over: integrity, foreign keys, and whether this version knows its schema."""

from collections.abc import Iterator
from pathlib import Path

import apsw

from kbwork.db.connection import APPLICATION_ID
from kbwork.db.migrate import files

_CACHE_KB = 256 * 1024
"""Each row is looked for in each of its indexes: with the usual 2 MB every look goes to the file."""


def check(path: Path) -> Iterator[str]:
    """Each fault in words, with what to do; nothing where the file is sound. Changes nothing."""
    try:
        connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    except apsw.Error as error:
        yield f"{path} cannot be opened: {error}"
        return
    try:
        connection.execute(f"pragma cache_size = -{_CACHE_KB}").get  # noqa: B018 - steps the statement to its end
        yield from _faults(connection, path)
    except apsw.Error as error:
        yield f"{path} cannot be read: {error}; restore a backup"
    finally:
        connection.close()


def _faults(connection: apsw.Connection, path: Path) -> Iterator[str]:
    if connection.execute("pragma application_id").get != APPLICATION_ID:
        yield f"{path} is not a kbwork data file"
        return
    for (fault,) in connection.execute("pragma integrity_check(20)"):
        if fault != "ok":
            yield f"integrity: {fault}; restore a backup"
    for table, rowid, parent, _ in connection.execute("pragma foreign_key_check"):
        yield f"row {rowid} of {table} names a row of {parent} that is not there"
    known = {name for name, _ in files()}
    for (name,) in connection.execute("select name from schema_migration"):
        if name not in known:
            yield f"it was written by a newer kbwork (it has {name}): install that version"
