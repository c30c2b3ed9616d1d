"""Where things are laid beside the data, a folder or a path of a bucket, as the settings name it. The library for
buckets is an extra of the package and is imported where it is used.
"""

import contextlib
import datetime
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Protocol
from urllib.parse import urlsplit

from kbwork.db.archives.bucket import key_pair
from kbwork.db.connection import Unusable
from kbwork.db.folder import PlaceSettings

if TYPE_CHECKING:
    from obstore.store import S3Store

_MOST_BYTES = 64 * 1024
_PIECE = 1024 * 1024
_MENDS = (
    (("NoSuchBucket",), "there is no bucket {bucket}: make it, or mend {section}.to"),
    (
        ("SignatureDoesNotMatch", "InvalidAccessKeyId", "AccessDenied", "403 Forbidden", "401 Unauthorized"),
        "it refuses the key: look at {section}.keys, and at what the key may do with {bucket}",
    ),
    (
        ("AuthorizationHeaderMalformed", "PermanentRedirect", "301 Moved", "IncorrectEndpoint"),
        "the bucket {bucket} is in another region than {region}: mend {section}.region",
    ),
    (
        ("StorageFull", "QuotaExceeded", "InsufficientCapacity", "507 "),
        "it is full: make room in {bucket}, or have its bound raised",
    ),
    (
        ("500 Internal", "502 Bad", "503 Service", "504 Gateway"),
        "it answers with an error of its own: look at the store, which is asked again",
    ),
    (("kind: Timeout",), "it is too slow: it did not answer in time"),
    (("error sending request", "onnect", "timed out"), "it cannot be reached: look at {section}.endpoint"),
)


class ObjectPlace(Protocol):
    """One of them. Every call may wait for a network, and raises Unusable with one line that says what to do."""

    place: str
    """In words, without a secret."""

    def read(self, name: str) -> bytes | None:
        """A small object; None where there is none."""

    def write(self, name: str, content: bytes) -> None:
        """Lay one there, whole or not at all."""

    def write_file(self, name: str, content: IO[bytes]) -> None:
        """Lay a large one there, likewise, read from its beginning."""


def place_of(at: PlaceSettings, environ: Mapping[str, str]) -> ObjectPlace:
    """The one that the settings name."""
    return FolderPlace(at) if at.to.startswith("/") else BucketPlace(at, environ)


class FolderPlace:
    """A folder, such as a mounted disk. It has to be there: one that is not mounted is not made on the disk below."""

    def __init__(self, at: PlaceSettings) -> None:
        self._at = at
        self._path = Path(at.to)
        self.place = at.to

    def read(self, name: str) -> bytes | None:
        self._require_there()
        try:
            with (self._path / name).open("rb") as file:
                return file.read(_MOST_BYTES)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise Unusable(f"{self._path / name} cannot be read: {error.strerror}") from None

    def write(self, name: str, content: bytes) -> None:
        self._lay(name, iter((content,)))

    def write_file(self, name: str, content: IO[bytes]) -> None:
        content.seek(0)
        self._lay(name, iter(lambda: content.read(_PIECE), b""))

    def _lay(self, name: str, pieces: Iterator[bytes]) -> None:
        self._require_there()
        part = self._path / f"{name}.{os.getpid()}.part"
        try:
            part.parent.mkdir(mode=0o700, exist_ok=True)
            with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
                for piece in pieces:
                    file.write(piece)
                file.flush()
                os.fsync(file.fileno())
            part.rename(self._path / name)
        except OSError as error:
            with contextlib.suppress(OSError):
                part.unlink(missing_ok=True)
            raise Unusable(f"{self._path / name} cannot be written: {error.strerror}") from None

    def _require_there(self) -> None:
        if not self._path.is_dir():
            raise Unusable(
                f"the folder {self.place} is not there: mount it or make it, or mend {self._at.section}.to"
            )
        if not os.access(self._path, os.W_OK | os.X_OK):
            raise Unusable(
                f"the folder {self.place} cannot be written: give the user of the server the right to"
            )


class BucketPlace:
    """A path of a bucket in an S3-compatible store."""

    def __init__(self, at: PlaceSettings, environ: Mapping[str, str]) -> None:
        self._at = at
        self._environ = environ
        parts = urlsplit(at.to)
        self._bucket, self._path = parts.netloc, parts.path.strip("/")
        self.place = at.to

    def secrets(self) -> dict[str, str]:
        """What an environment says of the key."""
        if not self._at.keys:
            names = ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN")
            return {name: self._environ[name] for name in names if name in self._environ}
        ident, secret = key_pair(Path(self._at.keys))
        return {"AWS_ACCESS_KEY_ID": ident, "AWS_SECRET_ACCESS_KEY": secret}

    def read(self, name: str) -> bytes | None:
        store = self._store()
        with self._clear():
            try:
                return bytes(store.get_range(name, start=0, length=_MOST_BYTES))
            except FileNotFoundError:
                return None

    def write(self, name: str, content: bytes) -> None:
        store = self._store()
        with self._clear():
            store.put(name, content)

    def write_file(self, name: str, content: IO[bytes]) -> None:
        store = self._store()
        content.seek(0)
        with self._clear():
            store.put(name, content)

    def _store(self, seconds: float | None = None) -> "S3Store":
        """`seconds`: how long it may take, once; else as the settings say, and once more."""
        at = self._at
        try:
            from obstore.store import S3Store  # noqa: PLC0415 - an extra
        except ImportError:
            raise Unusable(
                f"the {at.what} {self.place} is in an S3 store, for which a library is missing: pip install"
                f" 'kbwork[{at.extra}]'"
            ) from None
        patience = datetime.timedelta(seconds=at.seconds if seconds is None else seconds)
        known: dict[str, Any] = {
            name.lower().removeprefix("aws_"): value for name, value in self.secrets().items()
        }
        if at.endpoint:
            known["endpoint"] = at.endpoint
        return S3Store(
            self._bucket,
            prefix=self._path or None,
            client_options={
                "allow_http": at.endpoint.startswith("http://"),
                "connect_timeout": min(patience / 3, datetime.timedelta(seconds=5)),
                "timeout": patience,
            },
            retry_config={"max_retries": int(seconds is None), "retry_timeout": patience},
            region=at.region,
            virtual_hosted_style_request=not at.path_style,
            **known,
        )

    @contextlib.contextmanager
    def _clear(self) -> Iterator[None]:
        """What the store refuses in one line that says what to do; the library tells it in thirty."""
        from obstore.exceptions import BaseError  # noqa: PLC0415 - an extra

        at = self._at
        try:
            yield
        except (BaseError, PermissionError) as error:
            text = str(error)
            said = next((say for signs, say in _MENDS if any(sign in text for sign in signs)), None)
            told = (said or text.split("\n", 1)[0]).format(
                bucket=self._bucket, region=at.region, section=at.section
            )
            raise Unusable(f"the {at.what} {self.place} cannot be used: {told}") from None
