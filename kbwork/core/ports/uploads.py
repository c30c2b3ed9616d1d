"""Where raw bytes come in that are too large for a call: declared by a module, streamed to disk by a door."""

import errno
import hashlib
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from kbwork.base import ids
from kbwork.base.dataclasses import dataclass
from kbwork.base.errors import StorageFull
from kbwork.core.ports.extension import Extension
from kbwork.db.tx import Read, Write

_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_PART = ".part"
_PIECE_BYTES = 1024 * 1024


@dataclass(frozen=True, slots=True)
class UploadedFile:
    """A file that came in whole and lies in the folder of its intake under its id."""

    id: str
    name: str
    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class AnnouncedFile:
    """A file that is about to come in pieces."""

    id: str
    name: str
    size: int


@dataclass(frozen=True, slots=True)
class OpenUpload:
    """A file of the caller's that comes in pieces, or came in whole and is kept."""

    id: str
    name: str
    size: int
    offset: int
    """So much of it is on disk, whatever happens."""
    expires_at: int

    @property
    def whole(self) -> bool:
        return self.offset == self.size


@dataclass(frozen=True, slots=True)
class UploadRight:
    """Whoever may call `op` may send files of so many bytes; None: of as many as the settings let in."""

    op: str
    most_bytes: int | None


@dataclass(frozen=True, kw_only=True)
class UploadPoint(Extension):
    """What may be sent to a path, whole or in pieces, and who notes what came.

    What comes in pieces is in the folder under its id from its first byte on; only `offset` says what of it counts.
    """

    path: str
    rights: tuple[UploadRight, ...]
    """The first that the caller has counts."""
    folder: str
    """Of the data folder."""
    require_place: Callable[[Read, int], None]
    """Raises RateLimited, or StorageFull, where so many bytes of the caller's are not kept beside what is."""
    arrived: Callable[[Write, UploadedFile], Any]
    """Notes a file that came at once, and answers. Raises as `require_place` does."""
    announced: Callable[[Write, AnnouncedFile], OpenUpload]
    """Notes one that will come in pieces. Raises as `require_place` does."""
    found: Callable[[Read, str], OpenUpload]
    """Raises NotFound, also for another's, and for one that was kept too long."""
    came: Callable[[Write, str, int], OpenUpload]
    """Notes that so much of a file is on disk."""
    completed: Callable[[Write, str, str], OpenUpload]
    """Notes that all of a file is on disk, and its checksum."""
    dropped: Callable[[Write, str], None]
    """Forgets a file that its sender wants no more."""


def new_id() -> str:
    """An id that nobody guesses."""
    return "u_" + ids.short(22)


class IncomingFile:
    """One file on its way in. It has its name when it is whole and on disk; until then it is nothing."""

    def __init__(self, folder: Path) -> None:
        """Raises StorageFull."""
        self.id = new_id()
        self.size = 0
        self._digest = hashlib.sha256()
        self._folder = folder
        self._path = folder / self.id
        self._part = folder / f"{self.id}{_PART}"
        self._handle = _made(folder, self._part)

    def take(self, data: bytes) -> None:
        """Write what came. Raises StorageFull."""
        _write(self._handle, data)
        self._digest.update(data)
        self.size += len(data)

    def finish(self, name: str) -> UploadedFile:
        """Make it durable under its id. Raises StorageFull."""
        with _full_disk_told():
            os.fsync(self._handle)
            self._part.rename(self._path)
            _sync_folder(self._folder)
        return UploadedFile(self.id, name, self.size, self._digest.hexdigest())

    def close(self, *, keep: bool) -> None:
        """Be done with it; without `keep` nothing remains."""
        os.close(self._handle)
        if not keep:
            self._part.unlink(missing_ok=True)
            self._path.unlink(missing_ok=True)


class GrowingFile:
    """A file that comes in pieces, at the end of what counts of it. What was written behind that is cut off."""

    def __init__(self, path: Path, offset: int) -> None:
        """Raises StorageFull, and FileNotFoundError where there is less than that."""
        self.offset = offset
        self._path = path
        self._digest = hashlib.sha256() if offset == 0 else None
        """Of what came since it was empty; nobody keeps one of what came before."""
        self._handle = os.open(path, os.O_WRONLY | os.O_CLOEXEC)
        try:
            _require_bytes(self._handle, offset)
            os.ftruncate(self._handle, offset)
            os.lseek(self._handle, offset, os.SEEK_SET)
        except BaseException:
            os.close(self._handle)
            raise

    def take(self, data: bytes) -> None:
        """Write what came. Raises StorageFull."""
        _write(self._handle, data)
        if self._digest is not None:
            self._digest.update(data)
        self.offset += len(data)

    def settle(self) -> int:
        """Make durable what came, and say how much of the file that is. Raises StorageFull."""
        with _full_disk_told():
            os.fsync(self._handle)
        return self.offset

    def sha256(self) -> str:
        """Of the whole file."""
        return self._digest.hexdigest() if self._digest is not None else sha256_of(self._path)

    def close(self) -> None:
        os.close(self._handle)


def make_empty(folder: Path, ident: str) -> None:
    """An empty file that will grow, on disk. Raises StorageFull."""
    os.close(_made(folder, folder / ident))
    _sync_folder(folder)


def sha256_of(path: Path) -> str:
    """The checksum of a file, read in pieces."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while piece := file.read(_PIECE_BYTES):
            digest.update(piece)
    return digest.hexdigest()


def _made(folder: Path, path: Path) -> int:
    with _full_disk_told():
        folder.mkdir(mode=0o700, exist_ok=True)
        return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)


def _require_bytes(handle: int, size: int) -> None:
    if os.fstat(handle).st_size < size:
        raise FileNotFoundError(f"a file is shorter than {size}")


def _write(handle: int, data: bytes) -> None:
    left = memoryview(data)
    with _full_disk_told():
        while left:
            left = left[os.write(handle, left) :]


def _sync_folder(folder: Path) -> None:
    """What lies in it is there after a crash, too."""
    handle = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextmanager
def _full_disk_told() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if error.errno in _FULL:
            raise StorageFull(
                "The disk is full: make room, then send it again.", internal=str(error)
            ) from error
        raise
