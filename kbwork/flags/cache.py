"""The last snapshot on disk, as it came: sealed for a server key."""

import contextlib
import os
from pathlib import Path


class Cache:
    """One file, which is replaced whole; only its owner may read it."""

    def __init__(self, path: str | Path) -> None:
        self._path = Path(path)

    def read(self) -> bytes | None:
        """What was kept; None where there is nothing. Raises OSError where it cannot be read."""
        with contextlib.suppress(FileNotFoundError):
            return self._path.read_bytes()
        return None

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
