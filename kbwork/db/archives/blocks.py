"""Reading a file in large pieces, whichever way it is gone through.

SQLite's check goes through a tree from its end, a page at a time. A system reads ahead of who goes forward; backward
each page is a request of its own to the disk, and a file of 25 GB takes a quarter of an hour instead of some minutes.
"""

from collections import deque
from functools import cache
from pathlib import Path

import apsw

_NAME = "kbwork-blocks"
_BLOCK = 1024 * 1024
_MARGIN = _BLOCK // 4
"""So much of a block lies on the side that was come from: the pages of a long row lie there."""
_KEPT = 4
"""A check goes through as many stretches in turn: a tree, what its rows have beside it, and which page is whose."""


def by_blocks(path: Path) -> apsw.Connection:
    """Reads a file that nobody writes meanwhile: what is kept of it would be out of date."""
    _files()
    return apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY, vfs=_NAME)


class _Blocks(apsw.VFSFile):
    """A file as the system has it; beside what was read before it is read by blocks."""

    def __init__(self, name: apsw.URIFilename | str | None, flags: list[int]) -> None:
        super().__init__("", name, flags)
        self._blocks: deque[tuple[int, bytes]] = deque(maxlen=_KEPT)
        """Where each begins, and what it has."""
        self._stray = 0
        """Where a read lay that was beside no other: the next may be beside it."""

    def xRead(self, amount: int, offset: int) -> bytes:  # noqa: N802 - as SQLite calls it
        """So many bytes, or fewer at the end of the file."""
        for begins, block in self._blocks:
            if begins <= offset <= begins + len(block) - amount:
                return block[offset - begins : offset - begins + amount]
        before = (self._stray, *(begins for begins, _ in self._blocks))
        beside = next((at for at in before if abs(offset - at) <= _BLOCK), None)
        if beside is not None:
            begins = max(0, offset - (_MARGIN if offset > beside else _BLOCK - _MARGIN))
            block = super().xRead(_BLOCK, begins)
            self._blocks.appendleft((begins, block))
            if offset <= begins + len(block) - amount:
                return block[offset - begins : offset - begins + amount]
        self._stray = offset
        return super().xRead(amount, offset)


class _Files(apsw.VFS):
    """The system's own but for how it is read."""

    def __init__(self) -> None:
        super().__init__(_NAME, "")

    def xOpen(self, name: apsw.URIFilename | str | None, flags: list[int]) -> apsw.VFSFile:  # noqa: N802
        return _Blocks(name, flags)


@cache
def _files() -> _Files:
    """Known to SQLite for as long as it is kept."""
    return _Files()
