"""The place where files come in: who may send what, what is noted of it, and when it goes."""

import hashlib

from typing_extensions import TypedDict

from kbwork.base.clock import SystemClock
from kbwork.core.jobs.kinds import JobKind, Next, RunningJob, Schedule
from kbwork.core.ports.files import MOST_BYTES
from kbwork.core.ports.uploads import AnnouncedFile, OpenUpload, UploadedFile, UploadPoint, UploadRight
from kbwork.db.rows import UploadRow
from kbwork.db.tx import Read, Write
from kbwork.modules.uploads import kept
from kbwork.modules.uploads.ports import UploadWatch


class Upload(TypedDict):
    """What came in: `upload` is what attachments.add, imports.open and backups.restore take."""

    upload: str
    size: int
    sha256: str


def _arrived(tx: Write, file: UploadedFile) -> Upload:
    kept.require_place(tx, file.size)
    kept.remember(tx, file)
    return Upload(upload=file.id, size=file.size, sha256=file.sha256)


def _announced(tx: Write, file: AnnouncedFile) -> OpenUpload:
    kept.require_place(tx, file.size)
    empty = hashlib.sha256().hexdigest()
    kept.note(tx, (file.id, file.name, file.size), "" if file.size else empty, 0 if file.size else None)
    return _found(tx, file.id)


def _found(tx: Read, ident: str) -> OpenUpload:
    return _shown(kept.mine(tx, ident))


def _shown(row: UploadRow) -> OpenUpload:
    offset = row["size"] if row["arrived"] is None else row["arrived"]
    return OpenUpload(row["id"], row["name"], row["size"], offset, kept.expires_at(row))


def _came(tx: Write, ident: str, offset: int) -> OpenUpload:
    kept.mine(tx, ident)
    tx.execute("update upload set arrived = :offset where id = :id", id=ident, offset=offset)
    return _found(tx, ident)


def _completed(tx: Write, ident: str, sha256: str) -> OpenUpload:
    kept.mine(tx, ident)
    tx.execute("update upload set arrived = null, sha256 = :sha256 where id = :id", id=ident, sha256=sha256)
    for watch in _watches(tx):
        watch.arrived(tx, ident)
    return _found(tx, ident)


def _dropped(tx: Write, ident: str) -> None:
    kept.mine(tx, ident)
    _end(tx, ident, "cancelled")


def _end(tx: Write, ident: str, why: str) -> None:
    for watch in _watches(tx):
        watch.ended(tx, ident, why)
    tx.execute("delete from upload where id = :id", id=ident)
    kept.path(tx, ident).unlink(missing_ok=True)


def _watches(tx: Read) -> list[UploadWatch]:
    found: list[UploadWatch] = tx.registry.of(UploadWatch)
    return found


def _late(tx: Read) -> list[str]:
    return tx.column("select id from upload where created_at <= :before", before=tx.now - kept.KEPT_S)


def _stray(tx: Read) -> list[str]:
    """Files of uploads that nobody knows of, by the machine's clock as far as it is trusted: what was cut off left
    them."""
    known = set(tx.column("select id from upload"))
    old = kept.lying(tx, min(SystemClock().now(), tx.now) - kept.KEPT_S)
    return [
        name for name in old if name.startswith("u_") and name not in known and kept.path(tx, name).is_file()
    ]


def _due(tx: Read) -> bool:
    return bool(_late(tx) or _stray(tx))


def _sweep(tx: Write) -> None:
    for ident in _late(tx):
        _end(tx, ident, "expired")
    for name in _stray(tx):
        kept.path(tx, name).unlink(missing_ok=True)


def _forget(tx: Write, job: RunningJob) -> Next:
    """What somebody who is erased sent goes, with the files."""
    for ident in tx.column("select id from upload where member = :member", member=job.args["member"]):
        _end(tx, ident, "expired")
    return Next()


POINT = UploadPoint(
    home=__name__,
    path="/files/upload",
    rights=(UploadRight("imports.open", None), UploadRight("attachments.add", MOST_BYTES)),
    folder=kept.FOLDER,
    require_place=kept.require_place,
    arrived=_arrived,
    announced=_announced,
    found=_found,
    came=_came,
    completed=_completed,
    dropped=_dropped,
)
SWEEP = Schedule(name="uploads.sweep", home=__name__, every_s=60, run=_sweep, due=_due)
FORGET = JobKind(kind="uploads.forget", home=__name__, step=_forget)
