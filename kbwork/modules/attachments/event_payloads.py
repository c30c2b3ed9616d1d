"""Telling of files, on what they hang on; of those on an internal note the team alone."""

from typing import Any

from kbwork.base.events import DomainEvent
from kbwork.db.rows import AttachmentRow
from kbwork.db.tx import Write
from kbwork.modules.attachments import queries, targets


def emit(tx: Write, kind: type[DomainEvent], row: AttachmentRow, **more: Any) -> None:
    """Tell of a file on its subject."""
    told = {"attachment": row["id"], "name": row["name"], "size": row["size"]}
    emit_on(tx, kind, row["subject"], told | more)


def emit_on(tx: Write, kind: type[DomainEvent], subject: str, told: dict[str, Any]) -> None:
    """As `emit`, of a file that is perhaps not here yet."""
    files, ref = targets.hosts(tx, subject)
    internal = files.internal is not None and files.internal(tx, ref)
    tx.emit(
        kind(
            subject=queries.subject_of(tx, subject),
            payload=files.told(tx, ref) | told,
            heard_by="team" if internal else None,
        )
    )


def touch(tx: Write, subject: str) -> None:
    """The time of what a file hangs on moves with it, where it does."""
    files, ref = targets.hosts(tx, subject)
    if files.touch is not None:
        files.touch(tx, ref)
