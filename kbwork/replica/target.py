"""Where the replica lies, a folder or a bucket: what it holds is looked at there, whatever the program says that fills
it.
"""

import os
import re
import struct
from collections.abc import Iterator, Mapping
from itertools import islice, pairwise
from typing import TYPE_CHECKING, Any, Protocol

from kbwork.db.archives.place import BucketPlace, FolderPlace, ObjectPlace
from kbwork.db.connection import Unusable
from kbwork.db.folder import PlaceSettings
from kbwork.settings import ReplicateSettings

if TYPE_CHECKING:
    from obstore.store import S3Store

_LEVELS = (0, 1, 2, 3, 9)
"""Those in which transactions are laid: what is gathered from one lies in the next, and 9 holds whole files."""
_HEAD = struct.Struct(">4s12xQQQ")
"""Of what Litestream lays: its mark, the first and last transaction, and when the last was written, in milliseconds."""
_MARK = b"LTX1"
GENERATION = re.compile(r"\d{8}T\d{6}Z-[0-9a-f]{6}")
"""How a folder is called in which one server lays transactions without a gap, by when it began."""
_NAME = re.compile(r"[0-9a-f]{16}-[0-9a-f]{16}\.ltx")
_MOST_OBJECTS = 50_000


class ReplicaGap(Unusable):
    """Transactions are missing between others: what is behind them cannot be restored."""


class ReplicaTarget(ObjectPlace, Protocol):
    """One of them."""

    def newest(self, generation: str) -> float | None:
        """When the newest transaction was written that lies there, in Unix seconds; None where nothing does."""

    def generations(self) -> list[str]:
        """All that lie there, the latest last."""

    def engine(self, generation: str) -> dict[str, Any]:
        """What Litestream's configuration says of it; no secret is in it."""

    def secrets(self) -> dict[str, str]:
        """What its environment says."""


def target_of(at: ReplicateSettings, environ: Mapping[str, str]) -> ReplicaTarget:
    """The one that the settings name."""
    known = PlaceSettings(
        "replicate", "replica", "replica", at.to, at.endpoint, at.region, at.path_style, at.keys
    )
    return FolderTarget(known) if at.to.startswith("/") else BucketTarget(known, environ)


class FolderTarget(FolderPlace):
    """A folder."""

    def newest(self, generation: str) -> float | None:
        self._require_there()
        try:
            for level in _LEVELS:
                folder = self._path / generation / "ltx" / str(level)
                if found := _last(os.listdir(folder) if folder.is_dir() else []):  # noqa: PTH208 - names alone
                    with (folder / found).open("rb") as file:
                        return _written(file.read(_HEAD.size), f"{folder / found}")
        except OSError as error:
            raise Unusable(f"the replica in {self.place} cannot be read: {error.strerror}") from None
        return None

    def generations(self) -> list[str]:
        self._require_there()
        try:
            return sorted(filter(GENERATION.fullmatch, os.listdir(self._path)))  # noqa: PTH208 - names alone
        except OSError as error:
            raise Unusable(f"the replica in {self.place} cannot be read: {error.strerror}") from None

    def engine(self, generation: str) -> dict[str, Any]:
        return {"type": "file", "path": str(self._path / generation)}

    def secrets(self) -> dict[str, str]:
        return {}


class BucketTarget(BucketPlace):
    """A path of a bucket."""

    def __init__(self, at: PlaceSettings, environ: Mapping[str, str]) -> None:
        super().__init__(at, environ)
        self._offset: str | None = None
        """The newest of the lowest level when it was looked at last: only what is behind it is listed."""

    def generations(self) -> list[str]:
        store = self._store()
        with self._clear():
            names = (str(one).rpartition("/")[2] for one in store.list_with_delimiter()["common_prefixes"])
            return sorted(filter(GENERATION.fullmatch, names))

    def newest(self, generation: str) -> float | None:
        store = self._store()
        with self._clear():
            for level in _LEVELS:
                begins = f"{generation}/{level:04x}/"
                offset = self._offset if (self._offset or "").startswith(begins) else None
                known = [offset.rpartition("/")[2]] if offset else []
                found = _last([*known, *self._names(store, begins, offset)])
                if not found:
                    continue
                try:
                    head = bytes(store.get_range(f"{begins}{found}", start=0, length=_HEAD.size))
                except FileNotFoundError:  # it was gathered into the next level meanwhile
                    self._offset = None
                    continue
                if level == 0:
                    self._offset = f"{begins}{found}"
                return _written(head, f"{begins}{found}")
        return None

    def _names(self, store: "S3Store", begins: str, offset: str | None) -> Iterator[str]:
        listed = (
            str(one["path"]) for page in store.list(begins, offset=offset, chunk_size=1000) for one in page
        )
        yield from (path.removeprefix(begins) for path in islice(listed, _MOST_OBJECTS))

    def engine(self, generation: str) -> dict[str, Any]:
        found: dict[str, Any] = {
            "type": "s3",
            "bucket": self._bucket,
            "path": f"{self._path}/{generation}".lstrip("/"),
            "region": self._at.region,
            "force-path-style": self._at.path_style,
        }
        return found | ({"endpoint": self._at.endpoint} if self._at.endpoint else {})


def _last(names: list[str]) -> str | None:
    """The one with the newest transactions: names are their first and last numbers. Raises ReplicaGap."""
    found = sorted(name for name in names if _NAME.fullmatch(name))
    for one, other in pairwise(found):
        if int(other[:16], 16) > int(one[17:33], 16) + 1:
            raise ReplicaGap(f"transactions between {one} and {other} are missing in the replica")
    return found[-1] if found else None


def _written(head: bytes, where: str) -> float:
    if len(head) < _HEAD.size or not head.startswith(_MARK):
        raise Unusable(f"{where} is nothing that Litestream lays: name a path for the replica alone")
    *_, at_ms = _HEAD.unpack(head)
    return float(at_ms) / 1000
