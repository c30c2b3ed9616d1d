"""The last snapshot on disk, and behind it what changed since, both as they came: sealed for a server key."""

import contextlib
import os
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Final

_LENGTH: Final = struct.Struct(">I")
_MOST_DELTAS: Final = 100
_SMALL_BYTES: Final = 1 << 16


class Cache:
    """A file with the snapshot, which is replaced whole, and one beside it with deltas; only their owner may read them.

    A snapshot that is joined here is sealed by nobody, so deltas are kept behind the whole that they lead on from. When
    they are many, or as large as the whole, it is full, and a whole is to come.
    """

    def __init__(self, path: str | Path) -> None:
        self._path = Path(path)
        self._beside = self._path.with_name(f"{self._path.name}.changes")
        self._whole_bytes = 0
        self._delta_bytes = 0
        self._deltas = 0

    @property
    def is_full(self) -> bool:
        """Whether no more deltas are to be added."""
        return self._deltas >= _MOST_DELTAS or self._delta_bytes > max(self._whole_bytes, _SMALL_BYTES)

    def read(self) -> bytes | None:
        """What was kept; None where there is nothing. Raises OSError where it cannot be read."""
        with contextlib.suppress(FileNotFoundError):
            found = self._path.read_bytes()
            self._whole_bytes = len(found)
            return found
        return None

    def deltas(self) -> Iterator[bytes]:
        """What was added behind it, the oldest first; several programs may add the same. Raises OSError."""
        with contextlib.suppress(FileNotFoundError):
            found, place = self._beside.read_bytes(), 0
            while place + _LENGTH.size <= len(found):
                (length,) = _LENGTH.unpack_from(found, place)
                place += _LENGTH.size
                if place + length > len(found):  # cut off: whatever is added behind it would not be found
                    self._deltas = _MOST_DELTAS
                    return
                self._count(length)
                yield found[place : place + length]
                place += length

    def write(self, content: bytes) -> None:
        """Keep this instead. Raises OSError."""
        part = self._path.with_name(f"{self._path.name}.{os.getpid()}.part")
        handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            part.replace(self._path)
        finally:
            part.unlink(missing_ok=True)
        self._beside.unlink(missing_ok=True)
        self._whole_bytes, self._delta_bytes, self._deltas = len(content), 0, 0

    def append(self, delta: bytes) -> None:
        """Keep this behind what is kept. Raises OSError."""
        handle = os.open(self._beside, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        with os.fdopen(handle, "wb") as file:
            file.write(_LENGTH.pack(len(delta)) + delta)
            file.flush()
            os.fsync(file.fileno())
        self._count(len(delta))

    def _count(self, size: int) -> None:
        self._delta_bytes += size
        self._deltas += 1
