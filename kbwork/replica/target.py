"""Where the replica lies, a folder or a bucket: what it holds is looked at there, whatever the program says that fills
it.
"""

import datetime
import fcntl
import hashlib
import os
import re
import shutil
import struct
import threading
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice, pairwise
from typing import TYPE_CHECKING, Any, Protocol

from kbwork.base.clock import monotonic
from kbwork.base.dataclasses import dataclass
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
GENERATION = re.compile(r"(?:(\d{4,9})-)?(\d{8}T\d{6}Z)-[0-9a-f]{6}")
"""How a folder is called in which one server lays transactions without a gap: by its epoch, where there is a lease, and
by when it began."""
_NAME = re.compile(r"[0-9a-f]{16}-[0-9a-f]{16}\.ltx")
_MOST_OBJECTS = 50_000
_SHORT_S = 15.0
_QUICK_S = 3.0
"""So long a lease may wait for the store: it is renewed several times before it ends."""
_LOCK = ".kbwork-swap"
_LOOK_S = 0.02


class ReplicaGap(Unusable):
    """Transactions are missing between others: what is behind them cannot be restored."""


class Unsound(Unusable):
    """What lies there comes out, and is not what was written: whatever is laid behind it is not, either."""


class Outdated(Unusable):
    """Somebody else wrote the object since it was read."""


@dataclass(frozen=True, slots=True)
class TaggedObject:
    """A small object, with the tag by which it is replaced only while it is the same."""

    content: bytes
    tag: str


@dataclass(frozen=True, slots=True)
class LastTransaction:
    """The newest that lies in a generation."""

    number: int
    at: float
    """When it was written, in Unix seconds."""


class ReplicaTarget(ObjectPlace, Protocol):
    """One of them."""

    def newest(self, generation: str) -> LastTransaction | None:
        """The newest transaction that lies there; None where nothing does."""

    def generations(self) -> list[str]:
        """All that lie there, the latest last."""

    def remove(self, generation: str) -> None:
        """Delete one, with all that lies in it."""

    def engine(self, generation: str) -> dict[str, Any]:
        """What Litestream's configuration says of it; no secret is in it."""

    def secrets(self) -> dict[str, str]:
        """What its environment says."""

    def tagged(self, name: str) -> TaggedObject | None:
        """As `read`, soon or not at all."""

    def swap(self, name: str, content: bytes, tag: str | None) -> str:
        """Lay one there in the place of the one with this tag, or where none is; answers its tag. Raises Outdated where
        it is another one."""


def epoch_of(generation: str) -> int:
    """Which epoch it is of; 0: it was filled without a lease."""
    found = GENERATION.fullmatch(generation)
    return int(found[1] or 0) if found else 0


def began(generation: str) -> float:
    """When it began, in Unix seconds."""
    found = GENERATION.fullmatch(generation)
    assert found is not None
    stamp = datetime.datetime.strptime(found[2], "%Y%m%dT%H%M%SZ")  # noqa: DTZ007 - next line
    return stamp.replace(tzinfo=datetime.UTC).timestamp()


def _in_order(names: Iterable[str]) -> list[str]:
    """Those that are generations, the latest last: what begins in an epoch is later than all of those before."""
    return sorted(filter(GENERATION.fullmatch, names), key=lambda one: (epoch_of(one), began(one), one))


def place_settings(at: ReplicateSettings) -> PlaceSettings:
    """What the settings say of the place."""
    return PlaceSettings(
        "replicate", "replica", "replica", at.to, at.endpoint, at.region, at.path_style, at.keys, _SHORT_S
    )


def target_of(at: ReplicateSettings, environ: Mapping[str, str]) -> ReplicaTarget:
    """The one that the settings name."""
    known = place_settings(at)
    return FolderTarget(known) if at.to.startswith("/") else BucketTarget(known, environ)


class FolderTarget(FolderPlace):
    """A folder."""

    def newest(self, generation: str) -> LastTransaction | None:
        self._require_there()
        try:
            for level in _LEVELS:
                folder = self._path / generation / "ltx" / str(level)
                if found := _last(os.listdir(folder) if folder.is_dir() else []):  # noqa: PTH208 - names alone
                    with (folder / found).open("rb") as file:
                        return _transaction(file.read(_HEAD.size), f"{folder / found}")
        except OSError as error:
            raise Unusable(f"the replica in {self.place} cannot be read: {error.strerror}") from None
        return None

    def generations(self) -> list[str]:
        self._require_there()
        try:
            return _in_order(os.listdir(self._path))  # noqa: PTH208 - names alone
        except OSError as error:
            raise Unusable(f"the replica in {self.place} cannot be read: {error.strerror}") from None

    def remove(self, generation: str) -> None:
        self._require_there()
        try:
            shutil.rmtree(self._path / generation)
        except FileNotFoundError:
            pass
        except OSError as error:
            raise Unusable(f"{self._path / generation} cannot be deleted: {error.strerror}") from None

    def engine(self, generation: str) -> dict[str, Any]:
        return {"type": "file", "path": str(self._path / generation)}

    def secrets(self) -> dict[str, str]:
        return {}

    def tagged(self, name: str) -> TaggedObject | None:
        found = self.read(name)
        return None if found is None else TaggedObject(found, _digest(found))

    def swap(self, name: str, content: bytes, tag: str | None) -> str:
        self._require_there()
        try:
            with os.fdopen(os.open(self._path / _LOCK, os.O_RDWR | os.O_CREAT, 0o600)) as lock:
                _wait_for(lock.fileno())
                found = self.tagged(name)
                if (None if found is None else found.tag) != tag:
                    raise Outdated(f"{self._path / name} was written by somebody else")
                self.write(name, content)
        except OSError as error:
            raise Unusable(f"{self._path / name} cannot be written: {error.strerror}") from None
        return _digest(content)


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
            return _in_order(names)

    def remove(self, generation: str) -> None:
        store = self._store()
        with self._clear():
            for page in store.list(f"{generation}/", chunk_size=1000):
                store.delete([str(one["path"]) for one in page])

    def newest(self, generation: str) -> LastTransaction | None:
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
                return _transaction(head, f"{begins}{found}")
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

    def tagged(self, name: str) -> TaggedObject | None:
        store = self._store(_QUICK_S)
        with self._clear():
            try:
                found = store.get(name)
            except FileNotFoundError:
                return None
            return TaggedObject(bytes(found.bytes()), found.meta["e_tag"] or "")

    def swap(self, name: str, content: bytes, tag: str | None) -> str:
        from obstore.exceptions import AlreadyExistsError, PreconditionError  # noqa: PLC0415 - an extra

        store = self._store(_QUICK_S)
        with self._clear():
            try:
                laid = store.put(
                    name,
                    content,
                    mode="create" if tag is None else {"e_tag": tag},
                    use_multipart=False,
                )
            except (AlreadyExistsError, PreconditionError, FileNotFoundError):
                raise Outdated(f"{self.place}/{name} was written by somebody else") from None
            return laid["e_tag"] or ""


def _last(names: list[str]) -> str | None:
    """The one with the newest transactions: names are their first and last numbers. Raises ReplicaGap."""
    found = sorted(name for name in names if _NAME.fullmatch(name))
    for one, other in pairwise(found):
        if int(other[:16], 16) > int(one[17:33], 16) + 1:
            raise ReplicaGap(f"transactions between {one} and {other} are missing in the replica")
    return found[-1] if found else None


def _transaction(head: bytes, where: str) -> LastTransaction:
    if len(head) < _HEAD.size or not head.startswith(_MARK):
        raise Unusable(f"{where} is nothing that Litestream lays: name a path for the replica alone")
    *_, last, at_ms = _HEAD.unpack(head)
    return LastTransaction(last, float(at_ms) / 1000)


def _wait_for(handle: int) -> None:
    """Lock a file, which others hold for a moment. Raises OSError where it is held for longer."""
    until = monotonic() + _QUICK_S
    while True:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if monotonic() > until:
                raise
            threading.Event().wait(_LOOK_S)
        else:
            return


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
