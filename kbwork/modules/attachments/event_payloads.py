"""Telling of files, on what they hang on; of those on an internal note the team alone."""

from typing import Any

from kbwork.base.events import DomainEvent
from kbwork.db.rows import AttachmentRow
from kbwork.db.tx import Write
from kbwork.modules.attachments import queries, targets


def emit(tx: Write, kind: type[DomainEvent], row: AttachmentRow, **more: Any) -> None:
    """Tell of a file on its subject."""
    files, ref = targets.hosts(tx, row)
    payload = files.told(tx, ref) | {"attachment": row["id"], "name": row["name"], "size": row["size"]}
    internal = files.internal is not None and files.internal(tx, ref)
    subject = queries.subject_of(tx, row)
    tx.emit(kind(subject=subject, payload=payload | more, heard_by="team" if internal else None))


def touch(tx: Write, row: AttachmentRow) -> None:
    """The time of what it hangs on moves with its files, where it does."""
    files, ref = targets.hosts(tx, row)
    if files.touch is not None:
        files.touch(tx, ref)
