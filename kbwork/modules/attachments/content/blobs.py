"""The bytes of files, each once, under their checksum. A data file out of a backup without attachments has none of
them until the same file comes again."""

from kbwork.base.errors import NotFound
from kbwork.db.rows import AttachmentRow
from kbwork.db.tx import Read, Write


def keep(tx: Write, digest: bytes, content: bytes) -> None:
    """Keep the bytes of this checksum, also where they were known and are not here."""
    tx.execute(
        "insert into blob (hash, size, bytes) values (:hash, :size, :bytes) on conflict (hash) do update"
        " set size = excluded.size, bytes = excluded.bytes where length(bytes) <> excluded.size",
        hash=digest,
        size=len(content),
        bytes=content,
    )


def find(tx: Read, row: AttachmentRow) -> bytes | None:
    """The bytes of a file; None where they are not here."""
    found: bytes = tx.value("select bytes from blob where hash = :hash", hash=row["hash"])
    return found if len(found) == row["size"] else None


def data(tx: Read, row: AttachmentRow) -> bytes:
    """The bytes of a file. Raises NotFound where they are not here."""
    found = find(tx, row)
    if found is None:
        raise NotFound(
            f"The bytes of {row['name']} are not here: the backup that was restored has no attachments. Add the same"
            " file again, or restore a backup that has them."
        )
    return found


def mend(tx: Write, digest: bytes, content: bytes) -> None:
    """Put the bytes back behind files that are here without them."""
    tx.execute(
        "update blob set bytes = :bytes where hash = :hash and size = :size and length(bytes) <> size",
        hash=digest,
        size=len(content),
        bytes=content,
    )
