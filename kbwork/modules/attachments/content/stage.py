"""Large files on their way from an upload into the data file: a piece a write, so that others write in between."""

import hashlib
from functools import partial
from pathlib import Path
from typing import IO, TYPE_CHECKING

from kbwork.base.errors import Conflict
from kbwork.core.jobs.kinds import Schedule
from kbwork.db.tx import Read, Write
from kbwork.modules.attachments.content import blobs

if TYPE_CHECKING:  # the readers of sources import the front of the module, and wait for nothing outside
    from kbwork.core.operations.external import External

_STAGED_S = 3600
"""Whoever writes pieces is done with them by then, or was cut off."""
_SLICE = 8
_LOOSE = (
    "select id from blob_content where state <> 'linked' and (state = 'gone' or begun_at <= :before)"
    " order by state, begun_at limit 1"
)


async def stage(out: "External", path: Path, digest: bytes, size: int) -> int | None:
    """Write the bytes of a file before it is there; answers what they are known by, None where they are here already.

    Raises Conflict where the file is not what its checksum says, and StorageFull.
    """
    if await out.read(lambda tx: blobs.is_here(tx, digest, size)):
        return None
    content = await out.write(lambda tx: blobs.begin(tx, digest), essential=False)
    try:
        with await out.thread(_opened, path) as file:
            await _written(out, file, content, digest)
    except BaseException:
        await out.write(lambda tx: blobs.drop(tx, content))
        raise
    return content


async def lay(out: "External", digest: bytes, content: bytes) -> None:
    """Write the pieces of a large file that is kept in a moment; a small one is kept at once. Raises StorageFull."""
    size = len(content)
    if size <= blobs.MOST_IN_ROW or await out.read(lambda tx: blobs.is_at_hand(tx, digest, size)):
        return
    pieces = await out.write(lambda tx: blobs.begin(tx, digest), essential=False)
    for number, piece in enumerate(blobs.cut(content)):
        await out.write(partial(blobs.add_piece, content=pieces, number=number, data=piece), essential=False)


async def _written(out: "External", file: IO[bytes], content: int, digest: bytes) -> None:
    seen, number = hashlib.sha256(), 0
    while piece := await out.thread(file.read, blobs.PIECE_BYTES):
        seen.update(piece)
        await out.write(partial(blobs.add_piece, content=content, number=number, data=piece), essential=False)
        number += 1
    if seen.digest() != digest:
        raise Conflict("The upload is not what it was when it came: send the file anew.")


def _opened(path: Path) -> IO[bytes]:
    return path.open("rb")


def _due(tx: Read) -> bool:
    return tx.value(_LOOSE, before=tx.now - _STAGED_S) is not None


def _sweep(tx: Write) -> None:
    """Some pieces go of what no file has."""
    content = tx.value(_LOOSE, before=tx.now - _STAGED_S)
    gone = tx.execute(
        "delete from blob_piece where rowid in (select rowid from blob_piece where content = :content limit :most)",
        content=content,
        most=_SLICE,
    )
    if gone < _SLICE:
        tx.execute("delete from blob_content where id = :content", content=content)
        tx.shred()


SWEEP = Schedule(name="attachments.sweep", home=__name__, every_s=1, run=_sweep, due=_due)
