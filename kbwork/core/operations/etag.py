"""Answers of reads, kept until the next commit: most polls are answered without running anything."""

import hashlib
from collections import OrderedDict

_MOST_BYTES = 32 * 1024 * 1024
Version = tuple[int, int]
"""The number of the commit and the minute at which an answer was made."""


def of(body: bytes) -> str:
    """A strong ETag: a hash of the answer."""
    return f'"{hashlib.blake2b(body, digest_size=16).hexdigest()}"'


def matches(header: str | None, etag: str) -> bool:
    """Whether `If-None-Match` (a list, or `*`) holds this ETag."""
    if header is None:
        return False
    if header.strip() == "*":
        return True
    return etag in (part.strip().removeprefix("W/") for part in header.split(","))


class Answers:
    """(caller, op, input) -> (version, etag, body), the least used dropped first."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[str, str, bytes], tuple[Version, str, bytes]] = OrderedDict()
        self._bytes = 0

    def get(self, key: tuple[str, str, bytes], version: Version) -> tuple[str, bytes] | None:
        """The answer made at this version, or None."""
        found = self._kept.get(key)
        if found is None:
            return None
        if found[0] != version:
            self._drop(key)
            return None
        self._kept.move_to_end(key)
        return found[1], found[2]

    def put(self, key: tuple[str, str, bytes], version: Version, etag: str, body: bytes) -> None:
        if key in self._kept:
            self._drop(key)
        self._kept[key] = (version, etag, body)
        self._bytes += len(body) + len(key[2]) + 200
        while self._bytes > _MOST_BYTES:
            self._drop(next(iter(self._kept)))

    def clear(self) -> None:
        self._kept.clear()
        self._bytes = 0

    def _drop(self, key: tuple[str, str, bytes]) -> None:
        _, _, body = self._kept.pop(key)
        self._bytes -= len(body) + len(key[2]) + 200
