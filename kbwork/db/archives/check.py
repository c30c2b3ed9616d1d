"""Looking a data file over: whether its schema is one of ours, integrity and foreign keys."""

import contextlib
import queue
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import apsw

from kbwork.db.archives.blocks import by_blocks
from kbwork.db.archives.index_check import IndexCheck, KeyCheck, checks
from kbwork.db.connection import APPLICATION_ID, Unusable
from kbwork.db.migrate import files, ran, strange

_CACHE_KB = 256 * 1024
"""Each row is looked for in an index: with the usual 2 MB every look goes to the file."""

_UNREADABLE = (apsw.Error, UnicodeDecodeError)
"""What reading a damaged file raises."""

Question = Callable[[apsw.Connection], Iterable[str]]
"""Answers the faults that it finds, in words."""


def check(path: Path, *, threads: int = 1) -> Iterator[str]:
    """Each fault in words, with what to do; nothing where the file is sound. Changes nothing.

    Several threads take the indexes in turn, which is sooner done and costs more: for whoever waits for it alone.
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
        else:
            asked: list[Question] = [partial(_shape, path), _keys, *map(_entries, checks(connection))]
            yield from _in_turn(path, asked, threads) if threads > 1 else _in_order(connection, asked)
    except _UNREADABLE as error:
        yield f"{path} cannot be read: {error}; restore a backup"
    finally:
        connection.close()


def foreign(path: Path) -> str | None:
    """What makes a file none of ours, in words: its kind, or what in its schema is not what the migrations that ran on
    it make. Nothing of it has to be run to know that: ask before anything else is."""
    try:
        with contextlib.closing(_opened(path)) as connection:
            return next(_not_ours(connection, path), None)
    except _UNREADABLE as error:
        return f"{path} cannot be read: {error}; restore a backup"


def unfit(path: Path) -> str | None:
    """What keeps a file from being served, in words, as far as a second for each gigabyte tells."""
    if (found := foreign(path)) is not None:
        return found
    try:
        with contextlib.closing(_opened(path)) as connection:
            fault = connection.execute("pragma quick_check(1)").get
    except _UNREADABLE as error:
        return f"{path} cannot be read: {error}; restore a backup"
    return None if fault == "ok" else f"integrity of {path}: {fault}; restore a backup"


def _opened(path: Path) -> apsw.Connection:
    return apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)


def _keep_pages(connection: apsw.Connection, threads: int) -> None:
    connection.execute(f"pragma cache_size = -{_CACHE_KB // threads}").get  # noqa: B018 - steps it to its end


def _in_order(connection: apsw.Connection, asked: list[Question]) -> Iterator[str]:
    for one in asked:
        yield from one(connection)


def _in_turn(path: Path, asked: list[Question], threads: int) -> list[str]:
    """What they find, each asked by whichever thread is free. A fault of a page is found by two of them."""
    left: queue.Queue[Question] = queue.Queue()
    for one in asked:
        left.put(one)

    def ask() -> list[str]:
        found: list[str] = []
        with contextlib.closing(_opened(path)) as connection, contextlib.suppress(queue.Empty):
            _keep_pages(connection, threads)
            while True:
                found += left.get_nowait()(connection)
        return found

    with ThreadPoolExecutor(threads, "kbwork-check") as pool:
        answers = [pool.submit(ask) for _ in range(threads)]
        return list(dict.fromkeys(fault for one in answers for fault in one.result()))


def _shape(path: Path, connection: apsw.Connection) -> Iterator[str]:
    """Each page has its place, each row what its table asks of it, and the index of words what it counted."""
    if connection.execute("pragma journal_mode").get == "wal":
        yield from _quickly(connection)
        return
    with contextlib.closing(by_blocks(path)) as other:  # a copy, which nobody writes
        _keep_pages(other, 1)
        yield from _quickly(other)


def _quickly(connection: apsw.Connection) -> Iterator[str]:
    for (fault,) in connection.execute("pragma quick_check(20)"):
        if fault != "ok":
            yield _unsound(fault)


def _keys(connection: apsw.Connection) -> Iterator[str]:
    for table, rowid, parent, _ in connection.execute("pragma foreign_key_check"):
        yield f"row {rowid} of {table} names a row of {parent} that is not there"


def _entries(of: IndexCheck | KeyCheck) -> Question:
    return lambda connection: map(_unsound, of.faults(connection))


def _unsound(fault: str) -> str:
    return f"integrity: {fault}; restore a backup"


def _not_ours(connection: apsw.Connection, path: Path) -> Iterator[str]:
    if connection.execute("pragma application_id").get != APPLICATION_ID:
        yield f"{path} is not a kbwork data file"
        return
    try:
        newer = sorted({str(name) for name in ran(connection)} - {name for name, _ in files()})
        yield from [
            f"it was written by a newer kbwork (it has {name}): install that version" for name in newer
        ]
        if not newer:
            yield from strange(connection)
    except Unusable as error:
        yield str(error)
