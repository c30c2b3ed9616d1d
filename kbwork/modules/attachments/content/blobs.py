"""The bytes of files, each once, under their checksum: small ones in one row, large ones in pieces. A data file out of
a backup without attachments has none of them until the same file comes again."""

from collections.abc import Iterator

from kbwork.base.errors import Conflict, NotFound
from kbwork.core.ports.media import PiecedData
from kbwork.db.rows import AttachmentRow
from kbwork.db.tx import Read, Write

PIECE_BYTES = 1024 * 1024
"""What a write of one piece takes is what others wait behind it."""
MOST_IN_ROW = 10 * 1024 * 1024
HELD = (
    "case when b.content is null then length(b.bytes) else"
    " (select coalesce(sum(length(p.bytes)), 0) from blob_piece p where p.content = b.content) end"
)
"""How many bytes of `blob b` are here, as SQL."""


def keep(tx: Write, digest: bytes, content: bytes) -> None:
    """Keep the bytes of this checksum, also where they were known and are not here."""
    if is_here(tx, digest, len(content)):
        return
    if len(content) <= MOST_IN_ROW:
        _put(tx, digest, len(content), content, None)
        return
    pieces = _staged(tx, digest, len(content))
    if pieces is None:
        pieces = begin(tx, digest)
        for number, piece in enumerate(cut(content)):
            add_piece(tx, pieces, number, piece)
    link(tx, digest, len(content), pieces)


def cut(content: bytes) -> Iterator[bytes]:
    """The pieces of a large file."""
    return (content[at : at + PIECE_BYTES] for at in range(0, len(content), PIECE_BYTES))


def is_here(tx: Read, digest: bytes, size: int) -> bool:
    """Whether all bytes of this checksum are here."""
    held = tx.value(f"select {HELD} from blob b where b.hash = :hash", hash=digest)
    return held is not None and held == size


def _staged(tx: Read, digest: bytes, size: int) -> int | None:
    """All pieces of this checksum, where somebody wrote them and no file has them yet."""
    found: int | None = tx.value(
        "select id from blob_content c where state <> 'linked' and state = 'staged' and hash = :hash and :size ="
        " (select coalesce(sum(length(p.bytes)), 0) from blob_piece p where p.content = c.id) limit 1",
        hash=digest,
        size=size,
    )
    return found


def is_at_hand(tx: Read, digest: bytes, size: int) -> bool:
    """Whether all bytes of this checksum are here, or all pieces of it."""
    return is_here(tx, digest, size) or _staged(tx, digest, size) is not None


def begin(tx: Write, digest: bytes) -> int:
    """Begin to write pieces that no file has yet; answers what they are known by."""
    tx.execute(
        "insert into blob_content (state, hash, begun_at) values ('staged', :hash, :now)",
        hash=digest,
        now=tx.now,
    )
    ident: int = tx.value("select max(id) from blob_content")
    return ident


def add_piece(tx: Write, content: int, number: int, data: bytes) -> None:
    """Write one, each but the last of `PIECE_BYTES`."""
    tx.execute(
        "insert into blob_piece (content, number, bytes) values (:content, :number, :bytes)",
        content=content,
        number=number,
        bytes=data,
    )


def link(tx: Write, digest: bytes, size: int, content: int) -> None:
    """The pieces are the bytes of this checksum, unless these came from elsewhere meanwhile. Raises Conflict where the
    pieces lay about for so long that they went."""
    if is_here(tx, digest, size):
        drop(tx, content)
        return
    if not tx.execute(
        "update blob_content set state = 'linked' where id = :content and state = 'staged'", content=content
    ):
        raise Conflict("It took too long to take the file in: try again.")
    _put(tx, digest, size, b"", content)


def drop(tx: Write, content: int) -> None:
    """Nobody will have these pieces: they go by and by, unless somebody has them already."""
    tx.execute(
        "update blob_content set state = 'gone' where id = :content and state = 'staged'", content=content
    )


def _put(tx: Write, digest: bytes, size: int, data: bytes, content: int | None) -> None:
    tx.execute(
        "insert into blob (hash, size, bytes, content) values (:hash, :size, :bytes, :content) on conflict (hash)"
        " do update set size = excluded.size, bytes = excluded.bytes, content = excluded.content",
        hash=digest,
        size=size,
        bytes=data,
        content=content,
    )


def whole(tx: Read, digest: bytes) -> bytes:
    """All bytes of this checksum that are here."""
    row = tx.one("select bytes, content from blob where hash = :hash", hash=digest)
    assert row is not None
    if row["content"] is None:
        return bytes(row["bytes"])
    return b"".join(
        tx.column("select bytes from blob_piece where content = :c order by number", c=row["content"])
    )


def find(tx: Read, row: AttachmentRow) -> bytes | None:
    """The bytes of a file; None where they are not here."""
    return whole(tx, row["hash"]) if is_here(tx, row["hash"], row["size"]) else None


def data(tx: Read, row: AttachmentRow) -> bytes:
    """The bytes of a file. Raises NotFound where they are not here."""
    found = find(tx, row)
    if found is None:
        raise _missing(row)
    return found


def flowing(tx: Read, row: AttachmentRow) -> bytes | PiecedData:
    """As `data`; a large file is not held in memory, and is read piece by piece."""
    content = tx.value("select content from blob where hash = :hash", hash=row["hash"])
    if content is None:
        return data(tx, row)
    if not is_here(tx, row["hash"], row["size"]):
        raise _missing(row)

    def read(later: Read, number: int) -> bytes | None:
        found: bytes | None = later.value(
            "select bytes from blob_piece where content = :content and number = :number",
            content=content,
            number=number,
        )
        return found

    return PiecedData(row["size"], PIECE_BYTES, read)


def _missing(row: AttachmentRow) -> NotFound:
    return NotFound(
        f"The bytes of {row['name']} are not here: the backup that was restored has no attachments. Add the same"
        " file again, or restore a backup that has them."
    )


def mend(tx: Write, digest: bytes, content: bytes) -> None:
    """Put the bytes back behind files that are here without them."""
    if tx.value("select 1 from blob where hash = :hash and size = :size", hash=digest, size=len(content)):
        keep(tx, digest, content)
