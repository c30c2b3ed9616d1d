"""The data folder: its modes, its lock, its master key and its reserve for a full disk."""

import contextlib
import fcntl
import hashlib
import logging
import os
import signal
import threading
from pathlib import Path

from kbwork.base import ids
from kbwork.base.clock import monotonic
from kbwork.base.dataclasses import dataclass, field
from kbwork.db.archives.origin import key_of
from kbwork.db.connection import FolderLocked, Unusable

_NETWORK = frozenset(
    {"nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "fuse.sshfs", "afs", "ceph", "glusterfs", "ncpfs"}
)
log = logging.getLogger("kbwork.db")
_OTHERS = 0o077
RESERVE_BYTES = 4 * 1024 * 1024
FOLLOWED = "standby.json"
"""It lies beside a data file that a standby fills, and says how far that is."""
ENGINE_LOCK = "replica.lock"
"""Held by the program that copies the data file to its replica, whose id stands in it."""
CUT = "replica.cut"
"""Lies there while what was copied may lack something, or have too much: the next generation begins with all of the
data."""
_END_S = 10.0
_LOOK_S = 0.01


@dataclass(frozen=True, slots=True)
class Bucket:
    """Where in a store archives lie. Without `endpoint` it is Amazon's of the region.

    Without a file of `keys` they come from the environment (`AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`) or from the
    machine's role.
    """

    name: str
    bucket: str
    prefix: str = ""
    endpoint: str | None = None
    region: str = "us-east-1"
    keys: str | None = None


@dataclass(frozen=True, slots=True)
class PlaceSettings:
    """What a section of the settings says of a folder or a path of a bucket."""

    section: str
    what: str
    """What lies there, in words: `replica`."""
    extra: str
    """That of the package which has the library for buckets."""
    to: str
    endpoint: str
    region: str
    path_style: bool
    keys: str
    seconds: float = 15
    """How long one request may take."""


@dataclass(frozen=True, slots=True)
class Places:
    """Where things lie beside the data: the data file, the folder of backups, and other places for those by name."""

    file: Path
    home: Path
    named: dict[str, Path]
    buckets: dict[str, Bucket] = field(default_factory=dict)
    export: PlaceSettings | None = None
    """Where events go by the day."""

    @property
    def names(self) -> list[str]:
        """Those that the operator named."""
        return sorted((*self.named, *self.buckets))


class Folder:
    """One data folder, locked while somebody writes in it."""

    def __init__(self, path: Path) -> None:
        self.path = path.absolute()
        self.file = self.path / "kbwork.db"
        self._lock: int | None = None

    def prepare(self) -> None:
        """Make the folder (0700) if it is missing, shut others out of it, and refuse one that cannot be used.

        Raises Unusable with one line for the operator.
        """
        os.umask(0o077)
        try:
            self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise Unusable(f"cannot make the data folder {self.path}: {error.strerror}") from None
        if not os.access(self.path, os.W_OK | os.X_OK) or _read_only(self.path):
            raise Unusable(
                f"the data folder {self.path} is read-only: give this user the right to write there"
            )
        if (kind := _file_system(self.path)) in _NETWORK:
            raise Unusable(
                f"{self.path} lies on a network file system ({kind}); SQLite's WAL needs a local disk"
            )
        try:
            self._shut()
        except OSError as error:
            raise refused(error, self.path) from error

    def _shut(self) -> None:
        """Take from others what they may do with a folder that was there, and with what lies in it. Raises Unusable.

        What lies in a folder below is behind that one's mode. `master.key` is not mended: whoever read it has it.
        """
        found = self.path.stat()
        if found.st_mode & _OTHERS:
            if found.st_uid != os.geteuid():
                raise Unusable(f"{self.path} is open to others and not this user's: chmod 700 {self.path}")
            if not self._holds_ours():
                raise Unusable(
                    f"{self.path} is open to others and holds other things than data: name an empty folder, or"
                    f" chmod 700 {self.path}"
                )
            self.path.chmod(0o700)
        shut = _shut_within(self.path)
        if shut or found.st_mode & _OTHERS:
            log.warning("others could read %s: it is private now, and %d files in it", self.path, shut)

    def _holds_ours(self) -> bool:
        """Whether the folder is empty, or was one of data before: somebody else's is not to be shut."""
        names = {path.name for path in self.path.iterdir()}
        return not names or not names.isdisjoint(("kbwork.db", "kbwork.lock", "master.key"))

    def lock(self) -> None:
        """Hold the folder until `unlock`. Raises FolderLocked when another process holds it, and Unusable."""
        path = self.path / "kbwork.lock"
        try:
            handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise refused(error, path) from error
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            holder = os.pread(handle, 20, 0).decode(errors="replace").strip()
            os.close(handle)
            raise FolderLocked(
                f"{self.path} is in use by another kbwork (process {holder or 'unknown'}): "
                "stop it, or send the command to it with --url"
            ) from None
        os.ftruncate(handle, 0)
        os.pwrite(handle, f"{os.getpid()}\n".encode(), 0)
        self._lock = handle

    def holder(self) -> int | None:
        """Id of the process that holds the folder, or held it last."""
        try:
            return int((self.path / "kbwork.lock").read_text("ascii"))
        except (OSError, ValueError):
            return None

    def engine(self) -> int | None:
        """Id of the program that copies the data file to its replica, or did last."""
        try:
            return int((self.path / ENGINE_LOCK).read_text("ascii"))
        except (OSError, ValueError):
            return None

    def end_engine(self) -> None:
        """End the program that copies the data file, if a server that was killed left it behind.

        To be called before the file is opened. While somebody has it open SQLite goes by the index of the log that they
        share, and looks for no commit behind it: one that a killed server had written, and told nobody of, is
        overwritten by whoever writes next. That program may have copied it, and what it copies afterwards goes on from
        there, so that it is not gone on with.
        """
        try:
            handle = os.open(self.path / ENGINE_LOCK, os.O_RDWR | os.O_CLOEXEC)
        except FileNotFoundError:
            return
        try:
            if taken(handle):
                return
            lay_cut(self.path)
            with contextlib.suppress(OSError, ValueError):
                if (left := int(os.pread(handle, 20, 0))) != os.getpid():
                    os.kill(left, signal.SIGKILL)
            if not taken(handle, _END_S):
                log.warning("somebody holds %s, and copies the data file: end it", self.path / ENGINE_LOCK)
        finally:
            os.close(handle)

    def unlock(self) -> None:
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def begin(self) -> None:
        """Make the data file, empty, where there is none. Raises Unusable where there was one: its key is there still.

        It is made before the key is: a first start that is cut off leaves no key without a file. Raises Unusable, too,
        where a standby fills it: what comes next would be laid over what is written here.
        """
        if (self.path / FOLLOWED).exists():
            raise Unusable(
                f"{self.path} follows the data of another server: put it into service with: kbwork promote --data"
                f" {self.path}"
            )
        if self.file.exists():
            return
        if (self.path / "master.key").exists():
            raise Unusable(
                f"{self.path} has a master.key, but its data file kbwork.db is missing: put the file back; or restore"
                f" a backup: kbwork restore ARCHIVE --data {self.path}; or, to begin anew, move the folder away"
            )
        os.close(os.open(self.file, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))

    def master_key(self) -> bytes:
        """32 bytes that seal secrets: from `KBWORK_MASTER_KEY`, else from a file (0600) beside the data file."""
        if given := os.environ.get("KBWORK_MASTER_KEY"):
            key = _unhex(given)
            if key is None:
                raise Unusable("KBWORK_MASTER_KEY should be 64 hexadecimal digits")
            return key
        path = self.path / "master.key"
        if not path.exists():
            _write_private(path, ids.random_bytes(32).hex().encode())
        if path.stat().st_mode & _OTHERS:
            raise Unusable(f"{path} can be read by others: chmod 600 {path}")
        key = _unhex(path.read_text("latin-1"))
        if key is None:
            raise Unusable(f"{path} does not hold a key of 32 bytes: put a copy of it back")
        return key

    def archive_key(self) -> str:
        """What signs archives of this folder; empty where there is no master key. Raises Unusable."""
        if "KBWORK_MASTER_KEY" in os.environ or (self.path / "master.key").exists():
            return key_of(signing_secret(self.master_key()))
        return ""

    def reserve(self) -> None:
        """Lay space aside, so that deleting and signing in still work on a full disk."""
        path = self.path / "kbwork.reserve"
        if path.exists() and path.stat().st_size >= RESERVE_BYTES:
            return
        space = os.statvfs(self.path)
        if space.f_bavail * space.f_frsize < 4 * RESERVE_BYTES:
            return
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            os.posix_fallocate(handle, 0, RESERVE_BYTES)
        except OSError:
            os.ftruncate(handle, 0)
        finally:
            os.close(handle)

    def spend_reserve(self) -> bool:
        """Give the reserve back to the disk; False when it was spent already."""
        path = self.path / "kbwork.reserve"
        try:
            had = path.stat().st_size > 0
            path.unlink()
        except OSError:
            return False
        return had

    def has_room(self, more_bytes: int = 0) -> bool:
        """Whether ordinary writes may go on: room for the reserve, as much again, and so many bytes beside."""
        with contextlib.suppress(OSError):
            space = os.statvfs(self.path)
            return space.f_bavail * space.f_frsize >= 2 * RESERVE_BYTES + more_bytes
        return False


def signing_secret(master_key: bytes) -> bytes:
    """The key that signs what leaves the server and comes back."""
    return hashlib.sha256(b"kbwork signing" + master_key).digest()


def refused(error: OSError, path: Path) -> Unusable:
    """What the system said no to, in one line: the file that it names, else this path."""
    return Unusable(f"{error.filename or path} cannot be used: {error.strerror or error}")


def _shut_within(folder: Path) -> int:
    """Take from others what is ours in a folder; answers how many files. What links lead to stays."""
    shut = 0
    for entry in os.scandir(folder):
        found = entry.stat(follow_symlinks=False)
        open_to_others = found.st_mode & _OTHERS and not entry.is_symlink()
        if not open_to_others or found.st_uid != os.geteuid() or entry.name == "master.key":
            continue
        Path(entry.path).chmod(found.st_mode & 0o7777 & ~_OTHERS)
        shut += _shut_within(Path(entry.path)) if entry.is_dir(follow_symlinks=False) else 1
    return shut


def taken(handle: int, patience_s: float = 0.0) -> bool:
    """Whether the lock of this file is ours, which is waited for so long: until it is closed here and in all who
    inherit it."""
    until = monotonic() + patience_s
    while True:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            if monotonic() >= until:
                return False
            threading.Event().wait(_LOOK_S)
        else:
            return True


def lay_cut(folder: Path) -> None:
    """The next generation of the replica begins with all of the data. Raises OSError."""
    (folder / CUT).touch(mode=0o600)
    sync(folder)


def sync(path: Path) -> None:
    """Make what a file holds, or a new name in a folder, durable."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _unhex(text: str) -> bytes | None:
    """The key of 32 bytes that 64 digits stand for."""
    try:
        key = bytes.fromhex(text.strip())
    except ValueError:
        return None
    return key if len(key) == 32 else None


def _write_private(path: Path, content: bytes) -> None:
    """Whole or not at all."""
    part = path.with_name(f"{path.name}.part")
    handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        os.write(handle, content)
        os.fsync(handle)
    finally:
        os.close(handle)
    part.rename(path)
    sync(path.parent)


def _read_only(path: Path) -> bool:
    return bool(os.statvfs(path).f_flag & os.ST_RDONLY)


def _file_system(path: Path) -> str:
    """The type of the file system that holds this path, from the longest mount point above it."""
    mounts = Path("/proc/self/mounts")
    if not mounts.exists():
        return "unknown"
    best, kind = "", "unknown"
    for line in mounts.read_text(errors="replace").splitlines():
        _, point, found, *_ = line.split(" ")
        point = point.replace("\\040", " ")
        above = str(path) == point or str(path).startswith(point.rstrip("/") + "/")
        if above and len(point) > len(best):
            best, kind = point, found
    return kind
