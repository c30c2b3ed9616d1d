"""The disk cache of one key. What a client-side ID gets is not sealed on its way, and is sealed here."""

import contextlib
import os
import threading
from collections.abc import Iterator
from pathlib import Path

from kbwork.base import ids
from kbwork.flagengine.envelope import SnapshotKey, open_
from kbwork.flags.cache import Cache

_SALT_BYTES = 16
_NONCE_BYTES = 12


class KeyCache(Cache):
    """As the library's. When the service last said that what is kept is so, is when the file was changed last.

    What is forgotten stays so, whoever is still about to keep something.
    """

    def __init__(self, path: str | Path) -> None:
        super().__init__(path)
        self._lock = threading.Lock()
        self._is_forgotten = False

    @property
    def confirmed_at(self) -> int | None:
        """In Unix seconds; None where nothing is kept."""
        try:
            return int(self._path.stat().st_mtime)
        except OSError:
            return None

    def confirm(self, at: int) -> None:
        """It was so then, where something is kept. Raises OSError."""
        with self._lock, contextlib.suppress(FileNotFoundError):
            if not self._is_forgotten:
                os.utime(self._path, (at, at))

    def write(self, content: bytes) -> None:
        with self._lock:
            if not self._is_forgotten:
                super().write(content)

    def append(self, delta: bytes) -> None:
        with self._lock:
            if not self._is_forgotten:
                super().append(delta)

    def forget(self) -> None:
        """Keep nothing any more. Raises OSError."""
        with self._lock:
            self._is_forgotten = True
            for path in (self._path, self._beside):
                path.unlink(missing_ok=True)


class SealedCache(KeyCache):
    """That of a client-side ID: each part is sealed for it, so that another's is found out."""

    def __init__(self, path: str | Path, key: str) -> None:
        super().__init__(path)
        self._key = key
        self._seal = SnapshotKey.of(key, ids.random_bytes(_SALT_BYTES))

    def read(self) -> bytes | None:
        """As above. Raises BadEnvelope, too."""
        found = super().read()
        return None if found is None else open_(found, self._key).content

    def deltas(self) -> Iterator[bytes]:
        """As above. Raises BadEnvelope, too."""
        for delta in super().deltas():
            yield open_(delta, self._key).content

    def write(self, content: bytes) -> None:
        super().write(self._sealed(content))

    def append(self, delta: bytes) -> None:
        super().append(self._sealed(delta))

    def _sealed(self, content: bytes) -> bytes:
        return self._seal.seal(content, version=0, nonce=ids.random_bytes(_NONCE_BYTES))
