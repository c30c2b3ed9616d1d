"""Archives in an S3-compatible store, sent and fetched in pieces.

It is work for a process of its own (`kbwork.db.archives.file_worker`). The library is an extra of the package
(`kbwork[s3]`) and is imported where it is used.
"""

import contextlib
import datetime
import hashlib
import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kbwork.db.archives.backup import ID
from kbwork.db.connection import Unusable
from kbwork.db.folder import Bucket, sync

if TYPE_CHECKING:
    from obstore.store import S3Store

_MOST_OBJECTS = 20_000
_MOST_ARCHIVES = 1000
_MOST_NOTE = 16_000
_PIECE = 8 * 1024 * 1024
_LINK_LIVES = datetime.timedelta(minutes=5)
_SHORT = datetime.timedelta(seconds=30)
_LONG = datetime.timedelta(hours=6)
_RETRIES = 2
_CONNECT = datetime.timedelta(seconds=5)
_TOLD = (
    (re.compile(r"<Code>(\w+)</Code>"), "it answers {}"),
    (re.compile(r"status: (\d{3})"), "it answers with the status {}"),
)


def put(place: dict[str, Any], archive: str, known: dict[str, Any]) -> None:
    """Send an archive, and then what is known of it: what has no such note is not whole."""
    store, path = _store(place, _LONG), Path(archive)
    with _clear(place):
        with path.open("rb") as file:
            store.put(path.name, file, chunk_size=_PIECE)
        store.put(path.with_suffix(".json").name, json.dumps(known).encode())


def get(place: dict[str, Any], ident: str, to: str, size: int, sha256: str) -> None:
    """Fetch an archive and see that it is the one that was sent. Nothing is left where it is not."""
    store, path = _store(place, _LONG), Path(to)
    digest = hashlib.sha256()
    try:
        with (
            _clear(place),
            os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as out,
        ):
            found = store.get(f"{ident}.zip")
            _require_same(found.meta["size"], size, ident, place)
            for piece in found.stream(min_chunk_size=_PIECE):
                out.write(piece)
                digest.update(piece)
        _require_same(digest.hexdigest(), sha256, ident, place)
        sync(path)
    except BaseException:
        path.unlink(missing_ok=True)
        raise


def listed(place: dict[str, Any], known: list[str]) -> dict[str, Any]:
    """`ids` of the archives there, the latest thousand, and `notes`: by id, what is said of those not `known` here.

    Whoever may write there may have laid anything: a note that is too long or no JSON is none, and nothing is believed
    of one but that it is JSON. Raises Unusable where more lies there than archives of ours could be.
    """
    store = _store(place)
    with _clear(place):
        sizes = _sizes(store, place)
        noted = {name.removesuffix(".json") for name, size in sizes.items() if _is_note(name, size)}
        ids = sorted(ident for ident in noted if f"{ident}.zip" in sizes)[-_MOST_ARCHIVES:]
        notes = {ident: _note(store, ident) for ident in ids if ident not in known}
    return {"ids": ids, "notes": {ident: note for ident, note in notes.items() if note is not None}}


def _sizes(store: "S3Store", place: dict[str, Any]) -> dict[str, int]:
    """What lies there: name -> bytes."""
    sizes: dict[str, int] = {}
    for page in store.list(chunk_size=1000):
        sizes |= {str(found["path"]): int(found["size"]) for found in page}
        if len(sizes) > _MOST_OBJECTS:
            raise Unusable(
                f"the store {place['name']} holds more than {_MOST_OBJECTS:,} objects: give backups a prefix of theirs"
            )
    return sizes


def _is_note(name: str, size: int) -> bool:
    return (
        name.endswith(".json") and size <= _MOST_NOTE and ID.fullmatch(name.removesuffix(".json")) is not None
    )


def _note(store: "S3Store", ident: str) -> Any:
    """None where it is no note, or went meanwhile."""
    try:
        found = store.get(f"{ident}.json")
        return json.loads(bytes(found.bytes())) if found.meta["size"] <= _MOST_NOTE else None
    except (FileNotFoundError, ValueError, RecursionError):
        return None


def remove(place: dict[str, Any], ident: str) -> None:
    """Take an archive away, its note first: what is left of a cut removal is not listed."""
    store = _store(place)
    with _clear(place):
        for end in (".json", ".zip"):
            with contextlib.suppress(FileNotFoundError):
                store.delete(f"{ident}{end}")


def link(place: dict[str, Any], ident: str) -> str:
    """An address that opens the archive for five minutes, for whoever has it."""
    import obstore  # noqa: PLC0415 - an extra

    store = _store(place)
    with _clear(place):
        return str(obstore.sign(store, "GET", f"{ident}.zip", _LINK_LIVES))


def _store(place: dict[str, Any], timeout: datetime.timedelta = _SHORT) -> "S3Store":
    """`timeout` is for one request: a piece of an archive on its way there, or all of it on its way back."""
    at = Bucket(**place)
    try:
        from obstore.store import S3Store  # noqa: PLC0415 - an extra
    except ImportError:
        raise Unusable(
            f"the place {at.name} is an S3 store, for which a library is missing: pip install 'kbwork[s3]'"
        ) from None
    config: dict[str, Any] = {"region": at.region} | _keys(at)
    if at.endpoint is not None:
        config |= {"endpoint": at.endpoint, "virtual_hosted_style_request": False}
    return S3Store(
        at.bucket,
        prefix=at.prefix or None,
        client_options={
            "allow_http": (at.endpoint or "").startswith("http://"),
            "connect_timeout": _CONNECT,
            "timeout": timeout,
        },
        retry_config={"max_retries": _RETRIES, "retry_timeout": _SHORT},
        **config,
    )


def _keys(at: Bucket) -> dict[str, str]:
    if at.keys is None:
        return {}
    ident, secret = key_pair(Path(at.keys))
    return {"access_key_id": ident, "secret_access_key": secret}


def key_pair(path: Path) -> tuple[str, str]:
    """(id, secret) of a key, which stand in a file, a line each. Raises Unusable."""
    try:
        if path.stat().st_mode & 0o077:
            raise Unusable(f"{path} can be read by others: chmod 600 {path}")
        words = path.read_text(encoding="utf-8").split()
    except (OSError, ValueError) as error:
        raise Unusable(f"{path} cannot be read: {getattr(error, 'strerror', None) or error}") from None
    if len(words) != 2:
        raise Unusable(f"{path} should hold the id of a key and its secret, a line each")
    return words[0], words[1]


@contextlib.contextmanager
def _clear(place: dict[str, Any]) -> Iterator[None]:
    """What the store refuses in one line; the library tells it in thirty."""
    from obstore.exceptions import BaseError  # noqa: PLC0415 - an extra

    try:
        yield
    except FileNotFoundError:
        raise Unusable(f"the store {place['name']} does not hold it, or has no such bucket") from None
    except (BaseError, PermissionError) as error:
        raise Unusable(f"the store {place['name']} cannot be used: {_said(error)}") from None


def _said(error: Exception) -> str:
    text = str(error)
    for pattern, words in _TOLD:
        if found := pattern.search(text):
            return words.format(found[1])
    return (
        "it cannot be reached"
        if "rror sending request" in text or "onnect" in text
        else text.split("\n", 1)[0]
    )


def _require_same(found: str | int, sent: str | int, ident: str, place: dict[str, Any]) -> None:
    if found != sent:
        raise Unusable(f"{ident} in the store {place['name']} is not the archive that was sent there")
