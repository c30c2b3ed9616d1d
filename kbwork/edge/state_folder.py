"""The folder of an edge: what it keeps of each key, and counts that wait. One edge has it at a time."""

import fcntl
import os
import stat
from pathlib import Path


class FolderUnusable(Exception):
    """It cannot be used; the text is one line for the operator."""


class StateFolder:
    """Held from `hold` to the end of the process, or to `let_go`."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._handle: int | None = None

    def hold(self) -> None:
        """Make it where it is not there, for its owner alone. Raises FolderUnusable."""
        try:
            self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
            mode = stat.S_IMODE(self.path.stat().st_mode)
            if mode & 0o077:
                raise FolderUnusable(f"{self.path} has the mode {mode:o}: chmod 700 {self.path}")
            self._handle = os.open(self.path / "lock", os.O_RDWR | os.O_CREAT, 0o600)
            fcntl.flock(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise FolderUnusable(
                f"{self.path} is in use by another edge: name another folder by --state"
            ) from None
        except OSError as error:
            raise FolderUnusable(f"{self.path} cannot be used: {error.strerror}") from None

    def let_go(self) -> None:
        """Another edge may have it."""
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None
