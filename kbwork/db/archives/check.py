"""Looking a data file over: whether its schema is one of ours, integrity and foreign keys."""

import contextlib
from collections.abc import Iterator
from pathlib import Path

import apsw

from kbwork.db.connection import APPLICATION_ID, Unusable
from kbwork.db.migrate import files, ran, strange

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


def foreign(path: Path) -> str | None:
    """What makes a file none of ours, in words: its kind, or what in its schema is not what the migrations that ran on
    it make. Nothing of it has to be run to know that: ask before anything else is."""
    try:
        with contextlib.closing(apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)) as connection:
            return next(_not_ours(connection, path), None)
    except apsw.Error as error:
        return f"{path} cannot be read: {error}; restore a backup"


def unfit(path: Path) -> str | None:
    """What keeps a file from being served, in words, as far as a second for each gigabyte tells."""
    if (found := foreign(path)) is not None:
        return found
    try:
        with contextlib.closing(apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)) as connection:
            fault = connection.execute("pragma quick_check(1)").get
    except apsw.Error as error:
        return f"{path} cannot be read: {error}; restore a backup"
    return None if fault == "ok" else f"integrity of {path}: {fault}; restore a backup"


def _faults(connection: apsw.Connection, path: Path) -> Iterator[str]:
    if others := list(_not_ours(connection, path)):
        yield from others
        return
    for (fault,) in connection.execute("pragma integrity_check(20)"):
        if fault != "ok":
            yield f"integrity: {fault}; restore a backup"
    for table, rowid, parent, _ in connection.execute("pragma foreign_key_check"):
        yield f"row {rowid} of {table} names a row of {parent} that is not there"


def _not_ours(connection: apsw.Connection, path: Path) -> Iterator[str]:
    if connection.execute("pragma application_id").get != APPLICATION_ID:
        yield f"{path} is not a kbwork data file"
        return
    try:
        newer = sorted(set(ran(connection)) - {name for name, _ in files()})
        yield from [
            f"it was written by a newer kbwork (it has {name}): install that version" for name in newer
        ]
        if not newer:
            yield from strange(connection)
    except Unusable as error:
        yield str(error)
