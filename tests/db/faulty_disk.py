"""A disk that forgets and fails, as a VFS: it knows of every write to one folder whether it was made durable.

While a `Disk` is in use it is the process's default VFS, so that the product opens its files on it unawares. Files
of other folders go by unseen.
"""

import random
import threading
from collections.abc import Callable
from pathlib import Path

import apsw

SECTOR = 512
_DIRECTORY_TOO = apsw.SQLITE_OPEN_WAL | apsw.SQLITE_OPEN_MAIN_JOURNAL | apsw.SQLITE_OPEN_SUPER_JOURNAL
"""The kinds of files whose first sync makes their name durable as well: SQLite syncs the folder with them."""
_MAY_WRITE = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE

Fault = Callable[[str, str], int | None]
"""Asked before each `open`, `write`, `sync`, `truncate` and `delete` with the name of the file; answers the SQLite
code that it fails with, or None."""


class Inode:
    """One file: what a power cut leaves of it for sure, and what it may take."""

    def __init__(self, durable: bytes = b"") -> None:
        self.durable = bytearray(durable)
        self.pending: list[tuple[int, bytes | None]] = []
        """(offset, bytes) of each write and (size, None) of each truncation since the last sync, in order."""

    def sync(self) -> None:
        for change in self.pending:
            _apply(self.durable, change)
        self.pending.clear()

    def lose(self, chance: random.Random) -> None:
        """A sync that failed: some sectors reached the disk, the others never will, though they are still read."""
        self.durable = bytearray(self.after_cut(chance))
        self.pending.clear()

    def after_cut(self, chance: random.Random | None) -> bytes:
        """The file after a power cut: what was synced, and with `chance` a random part of what was not."""
        left = bytearray(self.durable)
        if chance is not None:
            share = chance.choice((0.1, 0.5, 0.9))
            for change in self.pending:
                for part in _sectors(change):
                    if chance.random() < share:
                        _apply(left, part)
        return bytes(left)


def _sectors(change: tuple[int, bytes | None]) -> list[tuple[int, bytes | None]]:
    """A write cut at the bounds of sectors; a truncation happens or does not."""
    offset, content = change
    if content is None:
        return [change]
    parts: list[tuple[int, bytes | None]] = []
    start = 0
    while start < len(content):
        end = start + SECTOR - (offset + start) % SECTOR
        parts.append((offset + start, content[start:end]))
        start = end
    return parts


def _apply(content: bytearray, change: tuple[int, bytes | None]) -> None:
    offset, new = change
    if len(content) < offset:
        content.extend(bytes(offset - len(content)))
    if new is None:
        del content[offset:]
    else:
        content[offset : offset + len(new)] = new


class Disk:
    """The disk under one folder, from `with` to its end."""

    def __init__(self, folder: Path, *, seed: int = 1) -> None:
        self.folder = folder.absolute()
        self.chance = random.Random(seed)
        self.fault: Fault | None = None
        self.read_only = False
        """Writes fail, and what is opened is opened for reading: a file system that the kernel made read-only."""
        self.off = False
        self.buried = False
        """After a cut: whoever still has files open closes them in peace, and nothing of it reaches the disk."""
        self.calls = 0
        self.failed = 0
        self._cut_in: int | None = None
        self._cut_at: tuple[str, str] = ("", "")
        self._named: dict[str, Inode] = {}
        self._durably_named: dict[str, Inode] = {}
        self._lock = threading.RLock()
        self._vfs: _Vfs | None = None

    def __enter__(self) -> "Disk":
        self._vfs = _Vfs(self)
        return self

    def __exit__(self, *_: object) -> None:
        assert self._vfs is not None
        self._vfs.unregister()

    def cut(self, after: int = 0, at: tuple[str, str] = ("", "")) -> None:
        """Switch the power off, at once or in so many calls: what was not synced then is in doubt for ever.

        `at` counts calls of one kind alone, such as `("write", "kbwork.db")`.
        """
        with self._lock:
            self._cut_in, self._cut_at = after, at
            self.off = self.off or after == 0

    @property
    def arming(self) -> bool:
        """Whether a cut is to come or has come."""
        return self.off or self._cut_in is not None

    def fail(self, code: int, op: str, name: str, *, times: int = 1) -> None:
        """Let the next calls of this kind on files whose names end so fail."""
        left = times

        def fault(found: str, file: str) -> int | None:
            nonlocal left
            if not left or found != op or not file.endswith(name):
                return None
            left -= 1
            return code

        self.fault = fault

    def unsynced(self, name: str) -> int:
        """How many writes to the file with this name are not durable."""
        found = self._named.get(name)
        return len(found.pending) if found is not None else 0

    def image(self, folder: Path, *, sectors: bool) -> None:
        """Lay down what the disk holds after the cut; with `sectors`, with a random part of what was not synced."""
        with self._lock:
            chance = self.chance if sectors else None
            names = dict(self._durably_named)
            for name in self._named.keys() | self._durably_named.keys():
                if chance is not None and chance.random() < 0.5:
                    names.pop(name, None)
                    if name in self._named:
                        names[name] = self._named[name]
            for name, inode in names.items():
                (folder / name).write_bytes(inode.after_cut(chance))

    # -- what the VFS asks ------------------------------------------------------------------------------

    def ask(self, op: str, name: str) -> None:
        """Count a call; raises what it fails with."""
        with self._lock:
            if self.buried:
                return
            self.calls += 1
            if self._cut_in is not None and self._cut_at in (("", ""), (op, name)):
                self._cut_in -= 1
                self.off = self.off or self._cut_in <= 0
            code = apsw.SQLITE_IOERR if self.off else None
            if code is None and self.read_only and op != "open":
                code = {"write": apsw.SQLITE_IOERR_WRITE, "truncate": apsw.SQLITE_IOERR_TRUNCATE}.get(op)
                code = apsw.SQLITE_IOERR_DELETE if op == "delete" else code
            if code is None and self.fault is not None:
                code = self.fault(op, name)
            if code is not None:
                self.failed += 1
                raise apsw.exception_for(code)

    def opened(self, name: str, flags: list[int]) -> Inode:
        """The file with this name as it is, or a new one whose name is not durable yet."""
        self.ask("open", name)
        with self._lock:
            path = self.folder / name
            if name not in self._named:
                found = Inode(path.read_bytes()) if path.exists() else Inode()
                if path.exists():
                    self._durably_named[name] = found
                elif self.read_only:
                    raise apsw.exception_for(apsw.SQLITE_CANTOPEN)
                self._named[name] = found
            if self.read_only:
                flags[0] = flags[0] & ~_MAY_WRITE | apsw.SQLITE_OPEN_READONLY
            return self._named[name]

    def deleted(self, name: str, *, durably: bool) -> None:
        with self._lock:
            if self.off:
                return
            self._named.pop(name, None)
            if durably:
                self.names_synced()

    def names_synced(self) -> None:
        with self._lock:
            if not self.off:
                self._durably_named = dict(self._named)

    def changed(self, inode: Inode, offset: int, content: bytes | None) -> None:
        with self._lock:
            if not self.off:
                inode.pending.append((offset, content))

    def synced(self, inode: Inode) -> None:
        with self._lock:
            if not self.off:
                inode.sync()
            elif not self.buried:
                raise apsw.exception_for(apsw.SQLITE_IOERR_FSYNC)


class _Vfs(apsw.VFS):
    def __init__(self, disk: Disk) -> None:
        self._disk = disk
        self.beneath = apsw.vfs_names()[0]
        super().__init__(f"faulty-{id(disk)}", self.beneath, makedefault=True)

    def xOpen(  # noqa: N802 - SQLite's name
        self, name: str | apsw.URIFilename | None, flags: list[int]
    ) -> apsw.VFSFile:
        path = name.filename() if isinstance(name, apsw.URIFilename) else name
        if path is None or Path(path).parent != self._disk.folder:
            return super().xOpen(name, flags)
        inode = self._disk.opened(Path(path).name, flags)
        return _File(self.beneath, name, flags, (self._disk, Path(path).name, inode))

    def xDelete(self, filename: str, syncdir: bool) -> None:  # noqa: N802 - likewise
        path = Path(filename)
        if path.parent != self._disk.folder:
            super().xDelete(filename, syncdir)
            return
        self._disk.ask("delete", path.name)
        super().xDelete(filename, syncdir)
        self._disk.deleted(path.name, durably=syncdir)


class _File(apsw.VFSFile):
    def __init__(
        self,
        beneath: str,
        name: str | apsw.URIFilename | None,
        flags: list[int],
        place: tuple[Disk, str, Inode],
    ) -> None:
        self._disk, self._name, self._inode = place
        self._name_too = bool(flags[0] & _DIRECTORY_TOO and flags[0] & apsw.SQLITE_OPEN_CREATE)
        super().__init__(beneath, name, flags)

    def xWrite(  # noqa: N802 - likewise
        self, data: "bytes | bytearray | memoryview", offset: int
    ) -> None:
        content = bytes(data)
        try:
            self._disk.ask("write", self._name)
        except apsw.Error:
            self._begin(content, offset)
            raise
        super().xWrite(content, offset)
        self._disk.changed(self._inode, offset, content)

    def _begin(self, content: bytes, offset: int) -> None:
        """A write that fails has often written something: some sectors of it, here."""
        if self._disk.off or self._disk.read_only:
            return
        part = content[: SECTOR * self._disk.chance.randint(0, len(content) // SECTOR)]
        if part:
            super().xWrite(part, offset)
            self._disk.changed(self._inode, offset, part)

    def xTruncate(self, newsize: int) -> None:  # noqa: N802 - likewise
        self._disk.ask("truncate", self._name)
        super().xTruncate(newsize)
        self._disk.changed(self._inode, newsize, None)

    def xSync(self, flags: int) -> None:  # noqa: N802 - likewise
        try:
            self._disk.ask("sync", self._name)
        except apsw.Error:
            if not self._disk.off:
                self._inode.lose(self._disk.chance)
            raise
        super().xSync(flags)
        self._disk.synced(self._inode)
        if self._name_too:
            self._disk.names_synced()
            self._name_too = False
