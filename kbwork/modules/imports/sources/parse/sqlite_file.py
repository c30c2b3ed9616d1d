"""A SQLite database of somebody else: read only, its tables alone, within bounds, never in the serving process."""

import sqlite3  # noqa: TID251 - this file is used in the process of its own that reads imports
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import quote

from kbwork.modules.imports.sources.parse.document import SourceValue
from kbwork.modules.imports.sources.refusal import SourceRefused

_MAGIC = b"SQLite format 3\0"
_STEP = 100_000
_MOST_STEPS = 50_000
"""Times `_STEP` instructions of SQLite's machine: some minutes."""
_MOST_VALUE = 64_000_000
_COMPUTED = {2, 3}
"""How `table_xinfo` marks columns whose values are work that the file makes up."""
_BROKEN = (sqlite3.Error, UnicodeDecodeError)
"""What a broken file raises: names of columns and words of errors are decoded strictly."""
_ALLOWED = {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ}


class ForeignDatabase:
    """The tables of a database. Every question raises Refused with the table, and the row where there is one."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._steps = 0
        self._tables = self._read_tables()
        connection.set_progress_handler(self._tick, _STEP)
        connection.set_authorizer(_authorized)

    def has(self, table: str) -> bool:
        return table in self._tables

    def require(self, *tables: str, what: str) -> None:
        """Raises SourceRefused unless all are there."""
        for table in tables:
            if table not in self._tables:
                raise SourceRefused(f"there is no table {table}: this is no database of {what}")

    def rows(self, table: str, order: str = "rowid") -> Iterator[SourceValue]:
        """Each row as an object; none of a table that is not there. `order` is a column or `rowid`."""
        if table not in self._tables:
            return
        cursor = self._connection.cursor()
        try:
            if any(column[6] in _COMPUTED for column in cursor.execute(f'pragma table_xinfo("{table}")')):
                raise SourceRefused(f"table {table}: it has columns that are computed")
            cursor.execute(f'select * from "{table}" order by "{order}"')
            names = [str(column[0]) for column in cursor.description]
            for index, row in enumerate(cursor, start=1):
                yield SourceValue(dict(zip(names, row, strict=True)), f"{table}[{index}]")
        except _BROKEN as error:
            raise SourceRefused(f"table {table}: {_told(error)}") from None

    def count(self, table: str) -> int:
        """How many rows a table has, without reading them."""
        if table not in self._tables:
            return 0
        try:
            return sum(1 for _ in self._connection.execute(f'select rowid from "{table}"'))
        except _BROKEN as error:
            raise SourceRefused(f"table {table}: {_told(error)}") from None

    def _read_tables(self) -> frozenset[str]:
        try:
            found = self._connection.execute("select name, type, rootpage, sql from sqlite_schema").fetchmany(
                10_000
            )
        except _BROKEN as error:
            raise SourceRefused(f"the database cannot be read: {_told(error)}") from None
        plain = set()
        for name, kind, page, sql in found:
            if kind == "table" and isinstance(name, str) and isinstance(page, int) and page > 0 and sql:
                plain.add(name)
        return frozenset(plain)

    def _tick(self) -> bool:
        self._steps += 1
        return self._steps > _MOST_STEPS


def read(path: Path, take: Callable[[ForeignDatabase], None]) -> None:
    """Open a database for `take`. Raises SourceRefused."""
    with path.open("rb") as file:
        if file.read(len(_MAGIC)) != _MAGIC:
            raise SourceRefused("the file is no SQLite database")
    where = f"file:{quote(str(path.resolve()))}?mode=ro&immutable=1"
    try:
        with closing(sqlite3.connect(where, uri=True, isolation_level=None)) as connection:
            _bound(connection)
            take(ForeignDatabase(connection))
    except _BROKEN as error:
        raise SourceRefused(f"the database cannot be read: {_told(error)}") from None


def _bound(connection: sqlite3.Connection) -> None:
    connection.text_factory = _text
    for limit, most in (
        (sqlite3.SQLITE_LIMIT_LENGTH, _MOST_VALUE),
        (sqlite3.SQLITE_LIMIT_COLUMN, 500),
        (sqlite3.SQLITE_LIMIT_EXPR_DEPTH, 50),
        (sqlite3.SQLITE_LIMIT_ATTACHED, 0),
        (sqlite3.SQLITE_LIMIT_TRIGGER_DEPTH, 1),
    ):
        connection.setlimit(limit, most)
    for pragma in (
        "trusted_schema=off",
        "cell_size_check=on",
        "query_only=on",
        "mmap_size=0",
        "cache_size=-16000",
    ):
        connection.execute(f"pragma {pragma}").fetchall()


def _text(value: bytes) -> str:
    return value.decode("utf-8", "replace")


def _authorized(action: int, first: str | None, *_: Any) -> int:
    asks = action == sqlite3.SQLITE_PRAGMA and first == "table_xinfo"
    return sqlite3.SQLITE_OK if asks or action in _ALLOWED else sqlite3.SQLITE_DENY


def _told(error: sqlite3.Error | UnicodeDecodeError) -> str:
    if isinstance(error, UnicodeDecodeError):
        return "it holds names that are not UTF-8"
    text = str(error)
    if text == "interrupted":
        return "it takes too long to read"
    if "too big" in text:
        return f"a value of more than {_MOST_VALUE:,} bytes"
    return text
