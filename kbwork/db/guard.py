"""Nothing else in this process may open the data file.

SQLite's locks belong to the process: a second SQLite library, or a plain `open` and `close` of the file, drops
them silently. An audit hook refuses both, by device and inode, while a file is guarded.
"""

import os
import sys
from pathlib import Path
from typing import Any

_guarded: dict[tuple[int, int], str] = {}
_state = {"installed": False}


class GuardedFile(RuntimeError):
    """Somebody tried to open the data file beside the database room."""


def guard(path: Path) -> None:
    """Refuse from now on, in this process, other ways into this file, its `-wal` and `-shm`."""
    if not _state["installed"]:
        sys.addaudithook(_hook)
        _state["installed"] = True
    for name in (str(path), f"{path}-wal", f"{path}-shm"):
        if os.path.exists(name):  # noqa: PTH110 - Path.exists would ask the same
            found = os.stat(name)  # noqa: PTH116
            _guarded[found.st_dev, found.st_ino] = name


def release(path: Path) -> None:
    """The file is closed: others may open it again."""
    for key in [k for k, name in _guarded.items() if name in (str(path), f"{path}-wal", f"{path}-shm")]:
        del _guarded[key]


def _hook(event: str, args: tuple[Any, ...]) -> None:
    if not _guarded:
        return
    if event == "sqlite3.connect":
        raise GuardedFile("one SQLite per process: this one serves a data file with apsw")
    if event == "open" and isinstance(args[0], str | bytes | os.PathLike):
        try:
            found = os.stat(args[0])  # noqa: PTH116
        except (OSError, ValueError):
            return
        if (found.st_dev, found.st_ino) in _guarded:
            raise GuardedFile(f"{_guarded[found.st_dev, found.st_ino]} is open in the database room")
