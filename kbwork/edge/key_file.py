"""The file that names the SDK keys of an edge: one a line, for its owner alone. None of them is ever shown."""

import stat
from pathlib import Path
from typing import Final, NamedTuple

from kbwork.api.sdk.gate import KEY_FORM

MOST_KEYS: Final = 100
"""Each is followed by two threads, and asks for a stream of its own."""


class KeysUnusable(Exception):
    """The file cannot be used; the text is one line for the operator, without what stands in it."""


class FileStamp(NamedTuple):
    """What tells a file from the one before, by the file system."""

    changed_ns: int
    """Its content, its rights or its owner."""
    size: int
    place: int


def stamp(path: Path) -> FileStamp | None:
    """As the file is now; None where it is not there."""
    try:
        found = path.stat()
    except OSError:
        return None
    return FileStamp(found.st_ctime_ns, found.st_size, found.st_ino)


def read_keys(path: Path) -> list[str]:
    """The keys, each once, in their order. Raises KeysUnusable."""
    try:
        mode = stat.S_IMODE(path.stat().st_mode)
        if mode & 0o077:
            raise KeysUnusable(f"{path} has the mode {mode:o}, and holds secrets: chmod 600 {path}")
        lines = path.read_text(encoding="ascii").splitlines()
    except OSError as error:
        raise KeysUnusable(f"{path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise KeysUnusable(f"{path} is no file of SDK keys: it holds characters that none has") from None
    found: dict[str, None] = {}
    for number, line in enumerate(lines, 1):
        key = line.strip()
        if not key or key.startswith("#"):
            continue
        if not KEY_FORM.fullmatch(key):
            raise KeysUnusable(f"line {number} of {path} is no SDK key, srv_... or cli_...")
        found[key] = None
    if len(found) > MOST_KEYS:
        raise KeysUnusable(f"{path} names {len(found)} keys; an edge has {MOST_KEYS} at most")
    return list(found)


def masked(key: str) -> str:
    """How a key is named to people: by its end, as `flags.keys` shows it."""
    return f"{key[:4]}***{key[-4:]}"
