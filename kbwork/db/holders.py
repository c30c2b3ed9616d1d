"""Which other processes have a data file open, where the system tells: by the links below `/proc`.

No file is opened for it. To open the data file, its log or its index in the process that serves them would drop
SQLite's locks, and to look at links needs nothing but the right to look.
"""

import os
from collections.abc import Iterator
from pathlib import Path

_PROCESSES = Path("/proc")
_MOST = 20


def holders(file: Path, *, like: str = "") -> list[int]:
    """Ids of the other processes that have the file, its `-wal` or its `-shm` open, the lowest first; with `like` those
    alone in whose name that is.

    Those of other users are seen once they have read, by their lock. Where the system has no `/proc` there are none.
    """
    path = os.path.realpath(file)
    names = frozenset(path + end for end in ("", "-wal", "-shm"))
    locked = _locked(path)
    return sorted(
        pid
        for pid in _others()
        if (not like or like in _name(pid)) and (pid in locked or _has_one_of(pid, names))
    )


def parent(pid: int) -> int | None:
    """Id of the process that started it, where it may be read."""
    try:
        said = (_PROCESSES / str(pid) / "stat").read_text(errors="replace")
        return int(said.rpartition(")")[2].split()[1])  # behind the name, which may hold anything
    except (OSError, ValueError, IndexError):
        return None


def named(ids: list[int]) -> str:
    """`process 7 ('sqlite3'), process 9 ('python')`, without those that have ended since."""
    return ", ".join(f"process {pid} ({name!r})" for pid in ids[:_MOST] if (name := _name(pid)))


def _others() -> Iterator[int]:
    try:
        found = os.listdir(_PROCESSES)  # noqa: PTH208 - names alone, without a path for each
    except OSError:
        return
    mine = os.getpid()
    yield from (int(name) for name in found if name.isdecimal() and int(name) != mine)


def _locked(path: str) -> set[int]:
    """Who has a lock on the file: with a WAL, SQLite keeps one from the first read on. All users see all locks."""
    try:
        there = os.stat(path)  # noqa: PTH116 - the file is not opened
        listed = (_PROCESSES / "locks").read_text(errors="replace")
    except OSError:
        return set()
    place = f"{os.major(there.st_dev):02x}:{os.minor(there.st_dev):02x}:{there.st_ino}"
    found = (line.split() for line in listed.splitlines() if f" {place} " in line)
    return {int(pid) for *_, pid, _, _, _ in found if pid.isdecimal()}


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
    """What it goes by; nothing where it has ended."""
    try:
        return (_PROCESSES / str(pid) / "comm").read_text(errors="replace").strip()[:40]
    except OSError:
        return ""
