"""Backups: a copy of the data file taken while people work, packed into one archive with what it holds, and checked.

An archive is a zip file of two members: `kbwork.db`, a whole SQLite file without a journal, and `manifest.json`, which
says by checksum and counts what that file holds. The key that seals secrets is not in it.
"""

import contextlib
import datetime
import hashlib
import json
import os
import re
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import apsw

from kbwork import __version__
from kbwork.base import ids
from kbwork.base.dataclasses import asdict, dataclass
from kbwork.db.archives.check import check, foreign
from kbwork.db.archives.origin import WORDS, ArchiveOrigin, origin, signed
from kbwork.db.connection import APPLICATION_ID, Unusable, add_functions
from kbwork.db.folder import sync
from kbwork.db.migrate import files
from kbwork.db.swap import steady

FORMAT = 1
FILE = "kbwork.db"
MANIFEST = "manifest.json"
ID = re.compile(r"\d{8}T\d{6}Z-(manual|scheduled|safety)-[0-9a-z]{4}", re.ASCII)
"""What `name` makes. Nothing else is the name of an archive where one is looked for by its name."""
MOST_COUNT = (1 << 63) - 1
MOST_MOMENT = 253_402_300_799
"""Seconds since 1970 to the end of the year 9999."""
_MOST_MANIFEST = 1_000_000
_MOST_VERSION = 40
_ENCRYPTED = 1
_PACKED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_PIECE = 1024 * 1024
_INSIDE = "search_text_"
"""Tables of the search index's own, whose rows say nothing."""


class InvalidArchive(Unusable):
    """An archive that cannot be used; one line with what is wrong with it."""


@dataclass(frozen=True, slots=True)
class ArchiveManifest:
    """What an archive holds. `sha256` and `bytes` are those of its data file."""

    format: int
    program: str
    version: str
    schema: str
    """The last migration."""
    at: int
    seq: int
    kind: str
    note: str
    attachments: bool
    bytes: int
    sha256: str
    counts: dict[str, int]
    """Table -> rows."""


@dataclass(frozen=True, slots=True)
class ArchiveLabel:
    """What is written on an archive: when and why it was taken, and whether it has the bytes of attachments."""

    at: int
    kind: str
    note: str = ""
    attachments: bool = True


@dataclass(frozen=True, slots=True)
class ArchiveCheck:
    """One thing that was looked at, in words."""

    name: str
    ok: bool
    detail: str


def name(at: int, kind: str) -> str:
    """What an archive is called: names sort as times do."""
    return f"{datetime.datetime.fromtimestamp(at, datetime.UTC):%Y%m%dT%H%M%SZ}-{kind}-{ids.short(4)}"


def copy(file: Path, to: Path) -> None:
    """Copy a data file that others read and write meanwhile, as it is at one moment.

    Raises Unusable where the disk refuses, and leaves nothing then.
    """
    with steady(file.parent):
        connection = apsw.Connection(str(file), flags=apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_NOMUTEX)
        try:
            connection.set_busy_timeout(5000)
            add_functions(connection)
            connection.execute("vacuum into ?", (str(to),))
            to.chmod(0o600)
        except apsw.Error as error:
            to.unlink(missing_ok=True)
            raise Unusable(f"{to} cannot be written: {error}") from None
        finally:
            connection.close()


def pack(copied: Path, to: Path, label: ArchiveLabel, key: str = "") -> ArchiveManifest:
    """Look a copy over and pack it, signed where there is a key; the archive is whole or not there.

    Raises Unusable for a copy that is not sound, or where the disk refuses.
    """
    if not label.attachments:
        _strip(copied)
    if fault := next(check(copied), None):
        raise Unusable(f"the copy is not sound: {fault}")
    seq, schema, counts = facts(copied)
    with copied.open("rb") as source:
        digest = hashlib.file_digest(source, "sha256").hexdigest()
    size = copied.stat().st_size
    manifest = ArchiveManifest(
        format=FORMAT,
        program="kbwork",
        version=__version__,
        schema=schema,
        seq=seq,
        bytes=size,
        sha256=digest,
        counts=counts,
        **asdict(label),
    )
    part = to.with_name(f"{to.name}.part")
    try:
        with (
            os.fdopen(os.open(part, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o600), "w+b") as out,
            zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive,
        ):
            archive.writestr(MANIFEST, json.dumps(signed(asdict(manifest), key), indent=1))
            archive.write(copied, FILE)
        sync(part)
        part.rename(to)
        sync(to.parent)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise Unusable(f"{to} cannot be written: {error.strerror}") from None
    return manifest


def read(archive: Path) -> ArchiveManifest:
    """What an archive says of itself. Raises InvalidArchive for a file that is none, or that a newer version wrote."""
    with _opened(archive) as found:
        return _manifest(found, archive)


def origin_of(archive: Path, key: str) -> ArchiveOrigin:
    """Who made an archive, as far as whoever has this key can tell, or nobody's (empty).

    Raises InvalidArchive, as `read`, and where it was changed since it was made with this key.
    """
    found = _origin(archive, key)
    if found == "changed":
        raise InvalidArchive(f"{archive} was {WORDS[found]}")
    return found


def unpack(archive: Path, to: Path) -> ArchiveManifest:
    """Write the data file of an archive, and see that it is the one that was packed.

    Raises InvalidArchive where it is not; nothing is left then.
    """
    try:
        with _opened(archive) as found:
            manifest = _manifest(found, archive)
            with (
                found.open(FILE) as source,
                os.fdopen(os.open(to, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as out,
            ):
                size, digest = _written(source, out, manifest.bytes)
        _require_same((size, digest), manifest, archive)
        sync(to)
    except _BROKEN as error:
        to.unlink(missing_ok=True)
        raise InvalidArchive(f"{archive} is damaged: {error}") from None
    except OSError as error:
        to.unlink(missing_ok=True)
        raise Unusable(f"{to} cannot be written: {error.strerror}") from None
    except BaseException:
        to.unlink(missing_ok=True)
        raise
    return manifest


def verify(archive: Path, scratch: Path, key: str = "") -> Iterator[ArchiveCheck]:
    """Open an archive in a folder that takes its data file for the while, and say of each thing whether it is well."""
    copied = scratch / f"verify-{os.getpid()}.db"
    try:
        manifest = unpack(archive, copied)
    except Unusable as error:
        yield ArchiveCheck("archive", ok=False, detail=str(error))
        return
    try:
        yield ArchiveCheck(
            "archive", ok=True, detail=f"{manifest.bytes:,} bytes with the checksum {manifest.sha256[:12]}"
        )
        made = _origin(archive, key)
        yield ArchiveCheck("origin", ok=made != "changed", detail=WORDS[made])
        if strange := foreign(copied):
            yield ArchiveCheck("schema", ok=False, detail=strange)
            return
        yield ArchiveCheck("schema", ok=True, detail=f"what kbwork made, up to {manifest.schema}")
        faults = list(check(copied))
        yield ArchiveCheck(
            "integrity", ok=not faults, detail=faults[0] if faults else "sound, all references too"
        )
        seq, schema, counts = facts(copied)
        wrong = [name for name in manifest.counts | counts if manifest.counts.get(name) != counts.get(name)]
        yield ArchiveCheck(
            "rows",
            ok=not wrong,
            detail=f"{wrong[0]} has another number of rows than was written down"
            if wrong
            else f"{sum(counts.values()):,} rows in {len(counts)} tables",
        )
        same = (seq, schema) == (manifest.seq, manifest.schema)
        yield ArchiveCheck("sequence", ok=same, detail=f"{seq:,} events, written by {schema}")
        if manifest.attachments:
            yield _blobs(copied)
    finally:
        copied.unlink(missing_ok=True)


def require_ours(file: Path, archive: Path) -> None:
    """Raises InvalidArchive where the data file of an archive has a schema that is not ours."""
    if strange := foreign(file):
        raise InvalidArchive(f"{archive} is no backup that kbwork made: {strange}")


def digest_of(path: Path) -> str:
    """The SHA-256 of a file, in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@contextlib.contextmanager
def opened(path: Path, *, write: bool = False) -> Iterator[apsw.Connection]:
    """A data file that nobody serves."""
    connection = apsw.Connection(
        str(path), flags=apsw.SQLITE_OPEN_READWRITE if write else apsw.SQLITE_OPEN_READONLY
    )
    try:
        add_functions(connection)
        yield connection
    finally:
        connection.close()


_BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, ValueError, RuntimeError, struct.error)
"""What reading a zip file raises that is none, is cut short, or was made to trip whoever reads it."""


def _opened(archive: Path) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(archive)
    except _BROKEN as error:
        raise InvalidArchive(f"{archive} is no backup, or it is cut short: {error}") from None
    except OSError as error:
        raise InvalidArchive(f"{archive} cannot be read: {error.strerror or error}") from None


def _origin(archive: Path, key: str) -> ArchiveOrigin:
    with _opened(archive) as found:
        _manifest(found, archive)
        return origin(json.loads(found.read(MANIFEST)), key)


def _manifest(found: zipfile.ZipFile, archive: Path) -> ArchiveManifest:
    if sorted(found.namelist()) != sorted((FILE, MANIFEST)):
        raise InvalidArchive(f"{archive} is no backup of kbwork")
    if found.getinfo(MANIFEST).file_size > _MOST_MANIFEST:
        raise InvalidArchive(f"{archive} is no backup of kbwork: its manifest is too long")
    if any(one.flag_bits & _ENCRYPTED or one.compress_type not in _PACKED for one in found.infolist()):
        raise InvalidArchive(f"{archive} is no backup of kbwork: it is encrypted, or packed in another way")
    unread = InvalidArchive(f"{archive} is no backup of kbwork: its manifest cannot be read")
    try:
        told = json.loads(found.read(MANIFEST))
        json.dumps(told, ensure_ascii=False).encode()  # not so where a text holds half of a character
    except _BROKEN:
        raise unread from None
    if not isinstance(told, dict) or told.get("program") != "kbwork":
        raise InvalidArchive(f"{archive} is a backup of another program")
    schema, version = told.get("schema"), told.get("version")
    if not (isinstance(schema, str) and isinstance(version, str)):
        raise unread
    if told.get("format") != FORMAT or schema not in {name for name, _ in files()}:
        raise InvalidArchive(
            f"{archive} was made by a newer kbwork ({version[:_MOST_VERSION]}; this is {__version__}): "
            "install that version"
        )
    members: dict[str, Any] = {name: told.get(name) for name in ArchiveManifest.__slots__}
    if not all(fits(members[name]) for name, fits in _MEMBERS.items()):
        raise unread
    return ArchiveManifest(**members)


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_number(value: object, most: int = MOST_COUNT) -> bool:
    return type(value) is int and 0 <= value <= most


_MEMBERS: dict[str, Callable[[Any], bool]] = {
    "format": _is_number,
    "at": lambda value: _is_number(value, MOST_MOMENT),
    "seq": _is_number,
    "kind": _is_text,
    "note": _is_text,
    "attachments": lambda value: isinstance(value, bool),
    "bytes": _is_number,
    "sha256": _is_text,
    "counts": lambda value: isinstance(value, dict) and all(type(one) is int for one in value.values()),
}
"""What a manifest must hold beside the names of program, version and schema. By hand: the process that reads it
lives for one archive, and a library that validates would take longer to import than the rest of it to start."""


def _require_same(found: tuple[int, str], manifest: ArchiveManifest, archive: Path) -> None:
    if found != (manifest.bytes, manifest.sha256):
        raise InvalidArchive(f"{archive} is damaged: its data file is not the one that its manifest tells of")


def _written(source: Any, out: BinaryIO, most: int) -> tuple[int, str]:
    """(bytes, checksum) of what was written: no more than one piece above what was told."""
    digest = hashlib.sha256()
    size = 0
    while size <= most and (piece := source.read(_PIECE)):
        out.write(piece)
        digest.update(piece)
        size += len(piece)
    return size, digest.hexdigest()


class FileFacts(NamedTuple):
    """What a data file has."""

    seq: int
    """Its last event."""
    schema: str
    """Its last migration."""
    counts: dict[str, int]
    """Rows by table."""


def facts(path: Path) -> FileFacts:
    """Raises InvalidArchive."""
    with opened(path) as connection:
        if connection.execute("pragma application_id").get != APPLICATION_ID:
            raise InvalidArchive(f"{path} is not a kbwork data file")
        tables = [
            name
            for (name,) in connection.execute(
                "select name from sqlite_schema where type = 'table' and sql not like 'create virtual %'"
                " and name not like 'sqlite\\_%' escape '\\' and name not like '\\_litestream\\_%' escape '\\'"
                " order by name"
            )
            if not name.startswith(_INSIDE)
        ]
        counts = {name: int(connection.execute(f'select count(*) from "{name}"').get) for name in tables}
        seq = int(connection.execute("select value from counter where name = 'seq'").get)
        schema = str(connection.execute("select max(name) from schema_migration").get)
    return FileFacts(seq, schema, counts)


def _strip(path: Path) -> None:
    """Take the bytes of all attachments out, and the small pictures made of them; their names and sizes stay."""
    with opened(path, write=True) as connection:
        connection.execute("delete from thumbnail")
        connection.execute("update blob set bytes = x'', content = null")
        connection.execute("delete from blob_piece")
        connection.execute("delete from blob_content")
        connection.execute("vacuum")


def _summed(connection: apsw.Connection, digest: bytes) -> tuple[bytes, int]:
    """(checksum, size) of the bytes of a file: those in its row, and the pieces of a large one, which older data have
    not."""
    found, size = hashlib.sha256(), 0
    texts = ["select bytes from blob where hash = ?"]
    if connection.execute("select 1 from sqlite_schema where name = 'blob_piece'").get:
        texts.append(
            "select p.bytes from blob b join blob_piece p on p.content = b.content where b.hash = ? order by p.number"
        )
    for text in texts:
        for (data,) in connection.execute(text, (digest,)):
            found.update(data)
            size += len(data)
    return found.digest(), size


def _blobs(path: Path) -> ArchiveCheck:
    """The bytes of each attachment are those that its name is the checksum of."""
    seen = 0
    with opened(path) as connection:
        for digest, size in connection.execute("select hash, size from blob"):
            found, held = _summed(connection, digest)
            if held != size or found != digest:
                return ArchiveCheck(
                    "attachments", ok=False, detail=f"the bytes of {digest.hex()[:12]} are not what they were"
                )
            seen += 1
    return ArchiveCheck("attachments", ok=True, detail=f"{seen:,} files, each with its checksum")
