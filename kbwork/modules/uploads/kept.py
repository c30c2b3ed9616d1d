"""Uploads as rows and files: whose they are, how much of them is here, and how long they are kept."""

from pathlib import Path

from kbwork.base.errors import Conflict, NotFound, RateLimited, StorageFull
from kbwork.core.ports.files import MOST_BYTES as ATTACHABLE_BYTES
from kbwork.core.ports.uploads import UploadedFile
from kbwork.db.rows import UploadRow
from kbwork.db.tx import Read, Write

FOLDER = "uploads"
KEPT_S = 24 * 3600
MOST_OF_ONE = 100
MOST_BYTES_OF_ONE = 2 * 1024**3
MOST_BYTES = 20 * 1024**3
"""Of all members. Archives, larger than what is attached, are apart: only admins send them, and the disk says how many.
"""
_MB = 1024 * 1024


def folder(tx: Read) -> Path:
    """Where uploads lie."""
    return tx.places.file.parent / FOLDER


def path(tx: Read, ident: str) -> Path:
    """Where the bytes of an upload are; the id is that of a row."""
    return folder(tx) / ident


def require_place(tx: Read, size: int) -> None:
    """Raises RateLimited where the caller keeps too much here, StorageFull where all members do."""
    if size > ATTACHABLE_BYTES:
        return
    held = tx.one(
        "select count(*) as files, total(size) as bytes, min(created_at) as first from upload"
        " where member = :me and size <= :most",
        me=tx.caller.me(),
        most=ATTACHABLE_BYTES,
    )
    assert held is not None
    if held["files"] >= MOST_OF_ONE or held["bytes"] + size > MOST_BYTES_OF_ONE:
        raise RateLimited(
            f"You have {held['files']} uploads of {held['bytes'] / _MB:,.0f} MB here that became nothing yet; at most"
            f" {MOST_OF_ONE} and {MOST_BYTES_OF_ONE // _MB:,} MB are kept. Use them, delete some, or wait: each goes a"
            " day after it began.",
            retry_after_s=max(1, (held["first"] or tx.now) + KEPT_S - tx.now),
        )
    everybody = tx.value("select total(size) from upload where size <= :most", most=ATTACHABLE_BYTES)
    if everybody + size > MOST_BYTES:
        raise StorageFull(
            "The uploads of all members that became nothing yet fill their place; they go a day after they began. Try"
            " again later."
        )


def remember(tx: Write, file: UploadedFile) -> None:
    """Note a file of the caller's that lies in the folder, whole."""
    note(tx, (file.id, file.name, file.size), file.sha256, None)


def note(tx: Write, named: tuple[str, str, int], sha256: str, arrived: int | None) -> None:
    """Write an upload of the caller's down: (id, name, size)."""
    ident, name, size = named
    tx.execute(
        "insert into upload (id, member, name, size, sha256, created_at, arrived)"
        " values (:id, :member, :name, :size, :sha256, :now, :arrived)",
        id=ident,
        member=tx.caller.me(),
        name=name,
        size=size,
        sha256=sha256,
        now=tx.now,
        arrived=arrived,
    )


def mine(tx: Read, ident: str) -> UploadRow:
    """An upload of the caller's that is kept still, whole or not. Raises NotFound."""
    row = tx.one(
        "select * from upload where id = :id and member = :me and created_at > :before",
        UploadRow,
        id=ident,
        me=tx.caller.me(),
        before=tx.now - KEPT_S,
    )
    if row is None or not path(tx, ident).is_file():
        raise missing(ident)
    return row


def missing(ident: str) -> NotFound:
    """What is said of an upload that is none of the caller's."""
    return NotFound(
        f"There is no upload {ident[:100]!r} of yours: send the file to POST /files/upload?name=... anew."
        " It is kept for 24 hours."
    )


def kept_row(tx: Read, ident: str) -> UploadRow | None:
    """An upload, whoever's it is."""
    return tx.one("select * from upload where id = :id", UploadRow, id=ident)


def size_of(tx: Read, ident: str) -> int | None:
    """How large it is, or is to be; None where it is gone."""
    row = kept_row(tx, ident)
    return row["size"] if row is not None else None


def expires_at(row: UploadRow) -> int:
    """When it goes unless it becomes something else before."""
    return row["created_at"] + KEPT_S


def sent_whole(tx: Read, ident: str) -> UploadRow:
    """As `mine`, of which all is here. Raises Conflict where some of it is not."""
    row = mine(tx, ident)
    if row["arrived"] is not None:
        raise Conflict(
            f"Of this upload {row['arrived']} of {row['size']} bytes are here: send the rest to /files/upload/{ident}"
            " first."
        )
    return row


def use_up(tx: Write, ident: str) -> None:
    """It became something else: the upload is gone; its file is whoever's who used it to remove. Raises NotFound."""
    if not tx.execute("delete from upload where id = :id", id=ident):
        raise missing(ident)


def lying(tx: Read, before: int) -> list[str]:
    """The names of files in the folder that nothing was written to since then."""
    return [found.name for found in folder(tx).glob("*") if found.stat().st_mtime <= before]
