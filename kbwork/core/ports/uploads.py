"""Where raw bytes come in that are too large for a call: declared by a module, streamed to disk by a door."""

import errno
import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from kbwork.base import ids
from kbwork.base.dataclasses import dataclass
from kbwork.base.errors import StorageFull
from kbwork.core.ports.extension import Extension
from kbwork.db.tx import Write

_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_PART = ".part"


@dataclass(frozen=True, slots=True)
class UploadedFile:
    """A file that came in whole and lies in the folder of its intake under its id."""

    id: str
    name: str
    size: int
    sha256: str


@dataclass(frozen=True, kw_only=True)
class UploadPoint(Extension):
    """What may be sent to a path: whoever may call `op` may send, and `arrived` notes what came and answers."""

    path: str
    op: str
    folder: str
    """Of the data folder."""
    arrived: Callable[[Write, UploadedFile], Any]


class IncomingFile:
    """One file on its way in. It has its name when it is whole and on disk; until then it is nothing."""

    def __init__(self, folder: Path) -> None:
        """Raises StorageFull."""
        self.id = "u_" + ids.short(22)
        self.size = 0
        self._digest = hashlib.sha256()
        self._path = folder / self.id
        self._part = folder / f"{self.id}{_PART}"
        try:
            folder.mkdir(mode=0o700, exist_ok=True)
            self._handle = os.open(self._part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise _refused(error) from error

    def take(self, data: bytes) -> None:
        """Write what came. Raises StorageFull."""
        left = memoryview(data)
        try:
            while left:
                left = left[os.write(self._handle, left) :]
        except OSError as error:
            raise _refused(error) from error
        self._digest.update(data)
        self.size += len(data)

    def finish(self, name: str) -> UploadedFile:
        """Make it durable under its id. Raises StorageFull."""
        try:
            os.fsync(self._handle)
            self._part.rename(self._path)
        except OSError as error:
            raise _refused(error) from error
        return UploadedFile(self.id, name, self.size, self._digest.hexdigest())

    def close(self, *, keep: bool) -> None:
        """Be done with it; without `keep` nothing remains."""
        os.close(self._handle)
        if not keep:
            self._part.unlink(missing_ok=True)
            self._path.unlink(missing_ok=True)


def _refused(error: OSError) -> Exception:
    if error.errno in _FULL:
        return StorageFull("The disk is full: make room, then send it again.", internal=str(error))
    return error
