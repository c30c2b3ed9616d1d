"""Opening a connection: every setting is set by its own statement and read back."""

from collections.abc import Callable
from pathlib import Path
from time import sleep
from typing import Any

import apsw

from kbwork.base.clock import monotonic
from kbwork.base.text import folded

APPLICATION_ID = 0x6B62776B  # "kbwk"
STATEMENTS = 512
"""Prepared statements that a connection keeps."""
BUSY_MS = 5000
"""How long a connection waits for the lock of another program."""
_AT_FIRST_S, _EVERY_S = 0.1, 0.0005
_LATER_EVERY_S = 0.01
CACHE_MB = 16
"""Pages that a connection keeps in memory. The writer misses 5 of 170 in an update at 100,000 issues, with twice as
many 3: no difference in time. With less a large transaction would go to the file before its end."""
TOKENIZER = ("unicode61", ["remove_diacritics", "2"])
"""How the index of words takes texts apart."""
_OLDEST_SAFE = 3_051_003  # 3.7.0 to 3.51.2 can corrupt a file when a WAL is reset

_SETTINGS = (
    ("journal_mode", "wal"),
    ("synchronous", 2),  # FULL: NORMAL loses acknowledged commits in a power cut
    ("fullfsync", 1),
    ("checkpoint_fullfsync", 1),
    ("journal_size_limit", 67_108_864),
    ("mmap_size", 0),
    ("cell_size_check", 1),
    ("foreign_keys", 1),
    ("trusted_schema", 0),
    ("secure_delete", 1),  # "fast" leaves texts in pages that are freed, and in what is made of them
    ("temp_store", 2),  # MEMORY: no content in /tmp
    ("recursive_triggers", 0),
)
_READBACK_AS: dict[str, set[int | str | None]] = {"mmap_size": {0, None}}


class Unusable(Exception):
    """The file cannot be opened for service; the text is for the operator."""

    exit_code = 2


class FolderLocked(Unusable):
    """Another process serves it."""

    @property
    def held(self) -> str:
        """Who does, without what to do then."""
        return str(self).rpartition(": ")[0]


def connect(path: Path, *, writer: bool, cache_mb: int = CACHE_MB) -> apsw.Connection:
    """A connection with the settings of the house; readers are `query_only`."""
    if apsw.SQLITE_VERSION_NUMBER < _OLDEST_SAFE:
        raise Unusable(f"SQLite {apsw.sqlite_lib_version()} is too old: 3.51.3 or newer is needed")
    flags = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_NOMUTEX
    if writer:
        flags |= apsw.SQLITE_OPEN_CREATE
    connection = apsw.Connection(str(path), flags=flags, statementcachesize=STATEMENTS)
    try:
        _configure(connection, writer=writer, cache_mb=cache_mb)
    except BaseException:
        connection.close()
        raise
    return connection


def await_locks(connection: apsw.Connection, longest_ms: float) -> None:
    """Ask again for what another program holds, for so long. Whoever copies the log has it for some 10 ms each time it
    restarts it; SQLite's own pauses grow, and would make 18 or 33 of them."""
    began = 0.0

    def again(asked: int) -> bool:
        nonlocal began
        if asked == 0:
            began = monotonic()
        waited = monotonic() - began
        if waited * 1000 >= longest_ms:
            return False
        sleep(_EVERY_S if waited < _AT_FIRST_S else _LATER_EVERY_S)
        return True

    connection.set_busy_handler(again)


def add_functions(connection: apsw.Connection) -> None:
    """What SQL of this project asks beside SQLite's own functions; migrations too."""
    connection.create_scalar_function("folded", _folded, 1, deterministic=True)
    hear_titles(connection, _nobody)
    tell_seq(connection, _nothing)


def tell_seq(connection: apsw.Connection, last: Callable[..., int | None]) -> None:
    """Who says, on this connection, which number the last event has: it may not be in the file yet."""
    connection.create_scalar_function("last_seq", last, 0, flags=apsw.SQLITE_INNOCUOUS)


def _nothing() -> None:
    """Where all events are in the file nobody knows of others."""


def hear_titles(connection: apsw.Connection, hear: Callable[..., None]) -> None:
    """Who is told, on this connection, of each title that goes into the index of words, before it is committed."""
    connection.create_scalar_function("title_written", hear, 1, flags=apsw.SQLITE_INNOCUOUS)


def _nobody(_title: str) -> None:
    """Where nothing is kept of the words nobody hears of them."""


def words_of() -> Callable[[str], list[str]]:
    """Makes the words of a text as the index of words makes them."""
    connection = apsw.Connection(":memory:")
    tokenizer = connection.fts5_tokenizer(*TOKENIZER)

    def words(text: str) -> list[str]:
        bare = {"include_offsets": False, "include_colocated": False}
        found = tokenizer(text.encode(errors="replace"), apsw.FTS5_TOKENIZE_DOCUMENT, None, **bare)
        return [str(word) for word in found]

    return words


def _folded(*texts: Any) -> str | None:
    """SQL's `lower` knows ASCII alone: `folded(x)` compares texts of any script without case."""
    (text,) = texts
    return folded(text) if isinstance(text, str) else None


def _configure(connection: apsw.Connection, *, writer: bool, cache_mb: int) -> None:
    await_locks(connection, BUSY_MS)
    for switch, on in (
        (apsw.SQLITE_DBCONFIG_DEFENSIVE, 1),
        (apsw.SQLITE_DBCONFIG_DQS_DML, 0),
        (apsw.SQLITE_DBCONFIG_DQS_DDL, 0),
        (apsw.SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0),
        (apsw.SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0),
        # plans do not rest on bound values: else each new value compiles the statement again, 1 ms for a condition on
        # who sees what
        (apsw.SQLITE_DBCONFIG_ENABLE_QPSG, 1),
    ):
        connection.config(switch, on)
    if writer and not connection.execute("select count(*) from sqlite_schema").get:
        connection.execute("pragma auto_vacuum = 2")
    for name, value in (*_SETTINGS, ("cache_size", -1024 * cache_mb)):
        connection.execute(f"pragma {name} = {value}").get  # noqa: B018 - steps the statement to its end
        found = connection.execute(f"pragma {name}").get
        if found not in _READBACK_AS.get(name, {value}):
            raise Unusable(f"SQLite did not take {name} = {value}, it says {found!r}")
    connection.wal_autocheckpoint(
        0
    )  # the writer's own begins with its rounds: another program may copy the WAL
    add_functions(connection)
    if not writer:
        connection.execute("pragma query_only = 1")
