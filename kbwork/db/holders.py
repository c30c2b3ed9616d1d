"""Which other processes have a data file open, where the system tells: by the links below `/proc`.

No file is opened for it. To open the data file, its log or its index in the process that serves them would drop
SQLite's locks, and to look at links needs nothing but the right to look.
"""

import os
from collections.abc import Iterator
from pathlib import Path

_PROCESSES = Path("/proc")
_MOST = 20


def holders(file: Path) -> list[int]:
    """Ids of the other processes that have the file, its `-wal` or its `-shm` open, the lowest first.

    Those of other users are seen by root alone; where the system has no `/proc` there are none.
    """
    names = frozenset(os.path.realpath(file) + end for end in ("", "-wal", "-shm"))
    return sorted(pid for pid in _others() if _has_one_of(pid, names))


def named(ids: list[int]) -> str:
    """`process 7 (sqlite3), process 9 (python)`: with the name that a process goes by, where it may be read."""
    return ", ".join(f"process {pid}{_name(pid)}" for pid in ids[:_MOST])


def _others() -> Iterator[int]:
    try:
        found = os.listdir(_PROCESSES)  # noqa: PTH208 - names alone, without a path for each
    except OSError:
        return
    mine = os.getpid()
    yield from (int(name) for name in found if name.isdecimal() and int(name) != mine)


def _has_one_of(pid: int, names: frozenset[str]) -> bool:
    folder = f"{_PROCESSES}/{pid}/fd"
    try:
        return any(_target(f"{folder}/{one}") in names for one in os.listdir(folder))  # noqa: PTH208 - as above
    except OSError:  # it is another user's, or has ended
        return False


def _target(link: str) -> str:
    try:
        return os.readlink(link)  # noqa: PTH115 - a path would be made of each of thousands
    except OSError:
        return ""


def _name(pid: int) -> str:
    try:
        return f" ({(_PROCESSES / str(pid) / 'comm').read_text(errors='replace').strip()[:40]!r})"
    except OSError:
        return ""
