"""What is restored from: a backup on the shelf, or an archive that was sent."""

import contextlib
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

from kbwork.base.dataclasses import dataclass
from kbwork.base.errors import Conflict, InvalidInput, NotFound
from kbwork.core.operations.external import External
from kbwork.core.ports.uploads import UploadPoint
from kbwork.db.folder import Places
from kbwork.db.tx import Read
from kbwork.modules.backups import store

_SENT_TO = "/files/upload"


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
        me, upload = out.caller.me(), source.upload
        mine = await out.read(
            lambda tx: tx.value("select 1 from upload where id = :id and member = :me", id=upload, me=me)
        )
        if mine is None:
            raise _unsent(upload)


def _sent(tx: Read, upload: str) -> Path:
    intake = next(one for one in tx.registry.of(UploadPoint) if one.path == _SENT_TO)
    path: Path = tx.places.file.parent / intake.folder / upload
    if tx.stored("upload", [upload]) is None or not path.is_file():
        raise _unsent(upload)
    return path


def _unsent(upload: str) -> NotFound:
    return NotFound(
        f"There is no upload {upload[:100]!r} of yours: send the archive to POST {_SENT_TO}?name=... anew."
        " It is kept for 24 hours."
    )
