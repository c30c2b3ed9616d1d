"""What is restored from: a backup on the shelf, or an archive that was sent, and the room on the disk that it takes."""

import contextlib
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

from kbwork.base.dataclasses import dataclass
from kbwork.base.errors import Conflict, InvalidInput, NotFound, StorageFull
from kbwork.core.operations.external import External
from kbwork.db.folder import Folder, Places
from kbwork.db.tx import Read
from kbwork.modules import uploads
from kbwork.modules.backups import store


@dataclass(frozen=True, slots=True)
class RestoreSource:
    """One of the two."""

    id: str | None
    upload: str | None


@contextlib.asynccontextmanager
async def at_hand(out: External, places: Places, source: RestoreSource) -> AsyncIterator[Path]:
    """The archive on this machine's disk. Raises NotFound."""
    if source.id is not None:
        backup = await store.one(out, places, source.id)
        async with store.at_hand(out, places, backup) as path:
            yield path
    else:
        yield await out.read(lambda tx: _sent(tx, str(source.upload)))


@contextlib.contextmanager
def called(source: RestoreSource, archive: Path) -> Iterator[None]:
    """Refusals of the archive name it as whoever asked knows it, and not where it lies."""
    try:
        yield
    except Conflict as problem:
        problem.detail = problem.detail.replace(str(archive), source.id or "The archive that was sent")
        raise


async def require_mine(out: External, source: RestoreSource) -> None:
    """Raises InvalidInput unless exactly one is named, NotFound for another's upload."""
    if (source.id is None) == (source.upload is None):
        raise InvalidInput(
            "Name a backup by `id`, or an archive that you sent by `upload`: one of the two.", field="id"
        )
    if source.upload is not None:
        upload = source.upload
        await out.read(lambda tx: uploads.sent_whole(tx, upload))


async def require_room_for_all(out: External, places: Places, archive: Path) -> None:
    """On the disk, for the data that come, and for packing those that go; seen to before any of it is written. Raises
    StorageFull, Conflict for what is no backup, or was changed since it was made here."""
    await _require_room(out, places, archive, 1, 2 * places.file.stat().st_size)


async def require_room_for_part(out: External, places: Places, archive: Path) -> None:
    """For the data of the archive, the project's file and what is made of that. Raises as `require_room_for_all`."""
    await _require_room(out, places, archive, 3, 0)


async def _require_room(out: External, places: Places, archive: Path, times: int, more: int) -> None:
    manifest = await out.file_work("look", archive=str(archive), key=await store.signing_key(out))
    needed = times * manifest["bytes"] + more
    if not Folder(places.file.parent).has_room(needed):
        raise StorageFull(
            f"Restoring needs {needed // 1_000_000 + 1:,} MB of free space beside the data: make room."
        )


def _sent(tx: Read, upload: str) -> Path:
    """Whose it is was asked before the job began, which runs in nobody's name."""
    row, path = tx.stored("upload", [upload]), uploads.path(tx, upload)
    if row is None or row["arrived"] is not None or not path.is_file():
        raise NotFound(
            "The archive that was sent is not here any more: send it anew. It is kept for 24 hours."
        )
    return path
