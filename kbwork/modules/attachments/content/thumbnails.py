"""Pictures made smaller: in processes of their own, a few at a time, and kept as long as there is room."""

import contextlib
from bisect import bisect_left
from functools import partial

from kbwork.base.errors import InvalidInput, StorageFull
from kbwork.core.operations.external import External
from kbwork.core.operations.turns import TurnPool
from kbwork.core.ports.media import SmallPicture
from kbwork.db.rows import AttachmentRow, ThumbnailRow
from kbwork.db.tx import Read, Write
from kbwork.modules.attachments.content import blobs
from kbwork.modules.attachments.content.smaller import made_smaller

WIDTHS = (64, 160, 320, 640, 1280)
"""Few, so that few are kept of each picture; a width between them gets the next larger one."""
MADE_OF = frozenset({"image/png", "image/jpeg", "image/gif", "image/webp", "image/avif", "image/bmp"})
TYPE = "image/webp"
MOST_SOURCE_BYTES = 32 * 1024 * 1024
MOST_KEPT_BYTES = 64 * 1024 * 1024
"""Of all small pictures together: some thousand. The oldest go first, and are made anew when somebody asks."""
_FAILED_S = 24 * 3600
"""So long it is remembered that none can be made of a file."""
_AT_ONCE = 2
_MOST_WAITING = 40
"""A page of pictures that nobody saw before."""
MAKING = TurnPool(
    "kbwork-thumbnail",
    _AT_ONCE,
    _MOST_WAITING,
    "Too many pictures are being made smaller just now",
    runs_programs=True,
)


def width_of(text: str) -> int:
    """The width that is made where this one is asked for. Raises InvalidInput."""
    wanted = int(text) if text.isascii() and text.isdigit() and len(text) < 6 else 0
    if not 0 < wanted <= WIDTHS[-1]:
        raise InvalidInput(
            f"`w` is a width in pixels, at most {WIDTHS[-1]}.",
            field="w",
            allowed=[str(width) for width in WIDTHS],
        )
    return WIDTHS[bisect_left(WIDTHS, wanted)]


async def of_file(out: External, row: AttachmentRow, width: int) -> SmallPicture:
    """A picture, smaller. Raises InvalidInput where none can be made, NotFound where its bytes are not here, Busy."""
    if row["content_type"] not in MADE_OF:
        raise InvalidInput(
            f"{row['name']} is {row['content_type']}: pictures alone are made smaller.", field="w"
        )
    if row["size"] > MOST_SOURCE_BYTES:
        raise InvalidInput("Pictures of up to 32 MB are made smaller: take it as it is.", field="w")
    kept = await out.read(partial(_kept, digest=row["hash"], width=width))
    if kept is None:
        kept = await _make(out, row, width)
    if not kept:
        raise InvalidInput(
            f"Of {row['name']} no smaller picture can be made: it is damaged, or has too many pixels.",
            field="w",
        )
    return SmallPicture(TYPE, kept, f'"{row["hash"].hex()}-{width}"')


async def _make(out: External, row: AttachmentRow, width: int) -> bytes:
    data = await out.read(lambda tx: blobs.data(tx, row))
    made = await out.in_turn(made_smaller, data, width, among=MAKING)
    with contextlib.suppress(StorageFull):  # it is shown all the same
        await out.write(partial(_keep, digest=row["hash"], width=width, made=made), essential=False)
    return made


def _kept(tx: Read, digest: bytes, width: int) -> bytes | None:
    """The small picture; nothing where none can be made, None where that is to be tried."""
    row = tx.one(
        "select * from thumbnail where hash = :hash and width = :width",
        ThumbnailRow,
        hash=digest,
        width=width,
    )
    if row is None or (not row["bytes"] and row["made_at"] <= tx.now - _FAILED_S):
        return None
    return bytes(row["bytes"])


def _keep(tx: Write, digest: bytes, width: int, made: bytes) -> None:
    """Keep it while the file is there, in place of the oldest where there is no room."""
    tx.execute(
        "insert into thumbnail (hash, width, bytes, size, made_at)"
        " select hash, :width, :bytes, :size, :now from blob where hash = :hash"
        " on conflict (hash, width) do update set bytes = excluded.bytes, size = excluded.size,"
        " made_at = excluded.made_at",
        hash=digest,
        width=width,
        bytes=made,
        size=len(made),
        now=tx.now,
    )
    while tx.value("select total(size) from thumbnail") > MOST_KEPT_BYTES:
        tx.execute(
            "delete from thumbnail where rowid in (select rowid from thumbnail order by made_at, rowid limit 4)"
        )
