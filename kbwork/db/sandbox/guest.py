"""What all processes of this folder do: give up what they do not need, and open the events for reading alone."""

import os
import resource
import secrets
import sys
from pathlib import Path
from urllib.parse import quote

import apsw

COLUMNS = ("seq", "kind", "subject", "actor", "actor_kind", "via", "at", "payload")
VIEW = "events"
HIDDEN = "audience"
"""The column of the table by which the view leaves out what is for the audit log alone."""
_NICENESS = 10
_FILES = 16
_CACHE_KB = 8192
_BUSY_MS = 1000
_SHOWN = ", ".join(f"json({name}) as {name}" if name == "payload" else name for name in COLUMNS)


def confine(*, memory_mb: int, cpu_s: int) -> None:
    """Whatever runs here ends by these bounds, writes no file and stands back behind what is served."""
    os.nice(max(0, _NICENESS - os.nice(0)))  # whoever starts it may stand back already
    bounds = {
        resource.RLIMIT_CPU: cpu_s,
        resource.RLIMIT_FSIZE: 0,
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_NOFILE: _FILES,
    }
    if sys.platform == "linux":  # elsewhere it is no bound that may be set
        bounds[resource.RLIMIT_AS] = memory_mb * 1024 * 1024
    for which, most in bounds.items():
        resource.setrlimit(which, (most, most))


def connect(file: Path) -> tuple[apsw.Connection, str]:
    """(a connection whose one table is the view of the events, the name under which it holds the data file).

    That name is drawn by chance: no text can say it that was written before, so none reaches behind the view. There
    the condition on what is seen stands once for all, and rows that it leaves out are not even counted.
    """
    schema = f"data_{secrets.token_hex(16)}"
    flags = (
        apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE | apsw.SQLITE_OPEN_URI | apsw.SQLITE_OPEN_NOMUTEX
    )
    connection = apsw.Connection(":memory:", flags=flags, statementcachesize=0)
    connection.set_busy_timeout(_BUSY_MS)
    for switch, on in (
        (apsw.SQLITE_DBCONFIG_DEFENSIVE, 1),
        (apsw.SQLITE_DBCONFIG_DQS_DML, 0),
        (apsw.SQLITE_DBCONFIG_DQS_DDL, 0),
        (apsw.SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0),
        (apsw.SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0),
        (apsw.SQLITE_DBCONFIG_ENABLE_TRIGGER, 0),
    ):
        connection.config(switch, on)
    connection.execute(f"attach :file as {schema}", {"file": f"file:{quote(str(file))}?mode=ro"})
    for setting in (
        "temp_store = 2",  # first of all: setting it drops what is temporary
        f"{schema}.mmap_size = 0",
        f"{schema}.cell_size_check = 1",
        f"{schema}.cache_size = -{_CACHE_KB}",
    ):
        connection.execute(f"pragma {setting}").fetchall()
    connection.execute(
        f"create temp view {VIEW} as select {_SHOWN} from {schema}.events where {HIDDEN} <> 'audit'"
    )
    connection.execute("pragma query_only = 1")
    return connection, schema
