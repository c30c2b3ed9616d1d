"""Looking a data file over: whether its schema is one of ours, integrity and foreign keys."""

import contextlib
import queue
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import apsw

from kbwork.db.connection import APPLICATION_ID, Unusable
from kbwork.db.migrate import files, ran, strange

_CACHE_KB = 256 * 1024
"""Each row is looked for in each of its indexes: with the usual 2 MB every look goes to the file."""
_KEYS = "pragma foreign_key_check"
_ALL = "pragma integrity_check(20)"
_SHAPE = "pragma quick_check(20)"
"""Each page has its place and each index its order; that an index has the rows of its table is not asked."""
_TABLES = (
    "select format('pragma integrity_check(\"%w\")', t.name) from sqlite_schema t where t.type = 'table'"
    " order by (select count(*) from sqlite_schema i where i.type = 'index' and i.tbl_name = t.name) desc"
)
"""What asks that of one table each, those first that take longest."""


def check(path: Path, *, threads: int = 1) -> Iterator[str]:
    """Each fault in words, with what to do; nothing where the file is sound. Changes nothing.

    Several threads take the tables in turn, which is sooner done and costs more: for whoever waits for it alone.
    """
    try:
        connection = _opened(path)
    except apsw.Error as error:
        yield f"{path} cannot be opened: {error}"
        return
    try:
        _keep_pages(connection, threads)
        if others := list(_not_ours(connection, path)):
            yield from others
        elif threads == 1:
            yield from _asked(connection, _ALL)
            yield from _asked(connection, _KEYS)
        else:
            yield from _in_turn(
                path, [_SHAPE, _KEYS, *(one for (one,) in connection.execute(_TABLES))], threads
            )
    except apsw.Error as error:
        yield f"{path} cannot be read: {error}; restore a backup"
    finally:
        connection.close()


def foreign(path: Path) -> str | None:
    """What makes a file none of ours, in words: its kind, or what in its schema is not what the migrations that ran on
    it make. Nothing of it has to be run to know that: ask before anything else is."""
    try:
        with contextlib.closing(_opened(path)) as connection:
            return next(_not_ours(connection, path), None)
    except apsw.Error as error:
        return f"{path} cannot be read: {error}; restore a backup"


def unfit(path: Path) -> str | None:
    """What keeps a file from being served, in words, as far as a second for each gigabyte tells."""
    if (found := foreign(path)) is not None:
        return found
    try:
        with contextlib.closing(_opened(path)) as connection:
            fault = connection.execute("pragma quick_check(1)").get
    except apsw.Error as error:
        return f"{path} cannot be read: {error}; restore a backup"
    return None if fault == "ok" else f"integrity of {path}: {fault}; restore a backup"


def _opened(path: Path) -> apsw.Connection:
    return apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)


def _keep_pages(connection: apsw.Connection, threads: int) -> None:
    connection.execute(f"pragma cache_size = -{_CACHE_KB // threads}").get  # noqa: B018 - steps it to its end


def _in_turn(path: Path, pragmas: list[str], threads: int) -> list[str]:
    """What they find, each asked by whichever thread is free. A fault of a page is found by two of them."""
    left: queue.Queue[str] = queue.Queue()
    for one in pragmas:
        left.put(one)

    def ask() -> list[str]:
        found: list[str] = []
        with contextlib.closing(_opened(path)) as connection, contextlib.suppress(queue.Empty):
            _keep_pages(connection, threads)
            while True:
                found += _asked(connection, left.get_nowait())
        return found

    with ThreadPoolExecutor(threads, "kbwork-check") as pool:
        asked = [pool.submit(ask) for _ in range(threads)]
        return list(dict.fromkeys(fault for one in asked for fault in one.result()))


def _asked(connection: apsw.Connection, pragma: str) -> Iterator[str]:
    """The faults that one of them finds, in words."""
    rows = connection.execute(pragma)
    if pragma == _KEYS:
        for table, rowid, parent, _ in rows:
            yield f"row {rowid} of {table} names a row of {parent} that is not there"
        return
    for (fault,) in rows:
        if fault != "ok":
            yield f"integrity: {fault}; restore a backup"


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
