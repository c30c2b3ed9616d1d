"""One SELECT of somebody else's over the events: `python -m kbwork.db.sandbox.query`.

It is given `{"file", "sql", "look", "seconds", "rows", "bytes"}` as JSON and answers JSON: `{"columns", "rows",
"truncated", "ms"}`, or `{"refused": "one line"}`, or `{"slow": true}`. With `look` false it is compiled and not run.
"""

import json
import re
import sys
import time
from pathlib import Path
from typing import Any

import apsw

from kbwork.db.connection import FolderLocked
from kbwork.db.sandbox.authorizer import Authorizer
from kbwork.db.sandbox.cells import cell
from kbwork.db.sandbox.guest import confine, connect
from kbwork.db.swap import steady

MEMORY_MB = 512
HEAP_MB = 128
CPU_S = 3
_STEPS = 1000
_WAITS = 4
"""So many times what a query may use of the processor it may take by the clock, where others use that, too."""
_NOTHING = re.compile(r"(?:[\s;]|--[^\n]*(?:\n|$)|/\*.*?(?:\*/|$))*", re.DOTALL)
_BOUNDS = (
    (apsw.SQLITE_LIMIT_SQL_LENGTH, 20_000),
    (apsw.SQLITE_LIMIT_LENGTH, 1_000_000),
    (apsw.SQLITE_LIMIT_EXPR_DEPTH, 50),
    (apsw.SQLITE_LIMIT_COMPOUND_SELECT, 10),
    (apsw.SQLITE_LIMIT_COLUMN, 100),
    (apsw.SQLITE_LIMIT_ATTACHED, 0),
    (apsw.SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 100),
    (apsw.SQLITE_LIMIT_VDBE_OP, 25_000),
    (apsw.SQLITE_LIMIT_VARIABLE_NUMBER, 0),
    (apsw.SQLITE_LIMIT_TRIGGER_DEPTH, 0),
    (apsw.SQLITE_LIMIT_WORKER_THREADS, 0),
)


class NotASelect(Exception):
    """It does not run; the text is for whoever wrote it."""


class Slow(Exception):
    """Its time was over."""


def answer(asked: dict[str, Any]) -> dict[str, Any]:
    """Run it. Raises NotASelect or Slow."""
    file = Path(asked["file"])
    try:
        with steady(file.parent):
            return _answer(file, asked)
    except FolderLocked:
        raise NotASelect("other data are being put in place: ask again in a moment") from None


def _answer(file: Path, asked: dict[str, Any]) -> dict[str, Any]:
    connection, schema = connect(file)
    for which, most in _BOUNDS:
        connection.limit(which, most)
    apsw.hard_heap_limit(HEAP_MB * 1024 * 1024)
    authorizer = Authorizer(connection, schema)
    connection.authorizer = authorizer
    began = time.monotonic()
    used, ends = time.process_time() + asked["seconds"], began + asked["seconds"] * _WAITS
    connection.set_progress_handler(lambda: time.process_time() > used or time.monotonic() > ends, _STEPS)
    try:
        return _run(connection, asked, began)
    except apsw.InterruptError:
        raise Slow from None
    except (apsw.NoMemError, MemoryError):
        raise NotASelect(f"it needs more than {HEAP_MB} MB of memory: ask for less at once") from None
    except UnicodeDecodeError:
        raise NotASelect("a value of it is no text: hex(…) shows its bytes") from None
    except apsw.AuthError:
        raise NotASelect(authorizer.refused or "it does not run here") from None
    except apsw.Error as error:
        raise NotASelect(authorizer.refused or str(error).replace(schema, "the file")) from None


def _run(connection: apsw.Connection, asked: dict[str, Any], began: float) -> dict[str, Any]:
    columns: list[str] = []

    def begin(cursor: apsw.Cursor, statement: str, _: Any) -> bool:
        """It is compiled, and about to run. Behind it comes a comment at most."""
        if columns:
            return False
        if not cursor.has_vdbe:
            raise NotASelect("it is empty: write one SELECT over the table events")
        if cursor.is_explain or not cursor.is_readonly:
            raise NotASelect("it is no query: write one SELECT")
        if not _NOTHING.fullmatch(asked["sql"][len(statement) :]):
            raise NotASelect("it is more than one statement: write one SELECT")
        columns.extend(name for name, _ in cursor.get_description())
        return bool(asked["look"])

    connection.exec_trace = begin
    rows: list[list[Any]] = []
    truncated, size = False, 0
    try:
        for row in connection.execute(asked["sql"]):
            found = [cell(value) for value in row]
            size += len(json.dumps(found, ensure_ascii=False).encode())
            if len(rows) == asked["rows"] or size > asked["bytes"]:
                truncated = True
                break
            rows.append(found)
    except apsw.ExecTraceAbort:
        pass
    return {
        "columns": columns,
        "rows": rows,
        "truncated": truncated,
        "ms": round(1000 * (time.monotonic() - began)),
    }


def main(_argv: list[str]) -> int:
    """Read what is asked, and answer it."""
    asked = json.load(sys.stdin.buffer)
    confine(memory_mb=MEMORY_MB, cpu_s=CPU_S)
    try:
        found = answer(asked)
    except NotASelect as error:
        found = {"refused": str(error)}
    except Slow:
        found = {"slow": True}
    sys.stdout.buffer.write(json.dumps(found, ensure_ascii=False).encode())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
