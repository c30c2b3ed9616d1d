"""Files that were sent to be read: kept for a day, for whoever sent them."""

import shutil
from pathlib import Path

from typing_extensions import TypedDict

from kbwork.base.clock import SystemClock
from kbwork.base.errors import NotFound
from kbwork.core.jobs.kinds import Schedule
from kbwork.core.ports.uploads import UploadedFile, UploadPoint
from kbwork.db.rows import UploadRow
from kbwork.db.tx import Read, Write

FOLDER = "uploads"
KEPT_S = 24 * 3600


class Upload(TypedDict):
    """What came in: `upload` is what imports.open and backups.restore take."""

    upload: str
    size: int
    sha256: str


def arrived(tx: Write, file: UploadedFile) -> Upload:
    """Note a file of the caller's that lies in the folder."""
    tx.execute(
        "insert into upload (id, member, name, size, sha256, created_at)"
        " values (:id, :member, :name, :size, :sha256, :now)",
        id=file.id,
        member=tx.caller.me(),
        name=file.name,
        size=file.size,
        sha256=file.sha256,
        now=tx.now,
    )
    return Upload(upload=file.id, size=file.size, sha256=file.sha256)


def folder(tx: Read) -> Path:
    """Where uploads, and the records read from them, lie."""
    return tx.places.file.parent / FOLDER


def records(tx: Read, ident: int) -> Path:
    """The records of an import."""
    return folder(tx) / f"import-{ident}.jsonl"


def mine(tx: Read, ident: str) -> UploadRow:
    """An upload of the caller's that is kept still. Raises NotFound."""
    row = tx.one(
        "select * from upload where id = :id and member = :me and created_at > :before",
        UploadRow,
        id=ident,
        me=tx.caller.me(),
        before=tx.now - KEPT_S,
    )
    if row is None or not (folder(tx) / ident).is_file():
        raise NotFound(
            f"There is no upload {ident[:100]!r} of yours: send the file to POST /files/upload?name=... anew."
            " It is kept for 24 hours."
        )
    return row


def drop_records(tx: Read, ident: int) -> None:
    """The records of an import that is over go."""
    records(tx, ident).unlink(missing_ok=True)


def _old(tx: Read) -> list[Path]:
    """What lies there for longer than a day, by the machine's clock as far as it is trusted, that too which nobody
    knows of."""
    before = min(SystemClock().now(), tx.now) - KEPT_S
    return [path for path in folder(tx).glob("*") if path.stat().st_mtime <= before]


def _due(tx: Read) -> bool:
    late = tx.value("select 1 from upload where created_at <= :before limit 1", before=tx.now - KEPT_S)
    return late is not None or bool(_old(tx))


def _sweep(tx: Write) -> None:
    """What lay for a day goes: the file, what was read from it, and what a cut upload left."""
    tx.execute("delete from upload where created_at <= :before", before=tx.now - KEPT_S)
    kept = set(tx.column("select id from upload"))
    kept |= {records(tx, ident).name for ident in tx.column(_READ, before=tx.now - KEPT_S)}
    for path in _old(tx):
        if path.is_dir():  # of work that was cut off
            shutil.rmtree(path, ignore_errors=True)
        elif path.name not in kept:
            path.unlink(missing_ok=True)


_READ = (
    "select id from import where state in ('probed', 'mapped', 'running') and created_at > :before"
    " or state = 'running'"
)

UPLOADS = UploadPoint(home=__name__, path="/files/upload", op="imports.open", folder=FOLDER, arrived=arrived)
SWEEP = Schedule(name="imports.sweep", home=__name__, every_s=600, run=_sweep, due=_due)
