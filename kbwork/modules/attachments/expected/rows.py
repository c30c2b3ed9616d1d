"""Expected files as rows, as they are shown, and as they are told of."""

from typing import Any

from kbwork.base.events import DomainEvent
from kbwork.db.rows import ExpectedFileRow
from kbwork.db.tx import Read, Write
from kbwork.modules import comments, uploads
from kbwork.modules.attachments import event_payloads, queries
from kbwork.modules.attachments.model import AttachmentGivenUp, ExpectedFile


def of_upload(tx: Read, ident: str) -> ExpectedFileRow | None:
    """The file that this upload is to be, where it was named on something."""
    return tx.one("select * from expected_file where upload = :id", ExpectedFileRow, id=ident)


def put(tx: Write, **columns: Any) -> ExpectedFileRow:
    """Write down that a file is expected. Undo knows nothing of it: whether it came meanwhile is not in its hands."""
    tx.execute(
        "insert into expected_file (upload, attachment, subject, name, who, created_by, created_at)"
        " values (:upload, :attachment, :subject, :name, :who, :created_by, :created_at)",
        **columns,
    )
    row = of_upload(tx, columns["upload"])
    assert row is not None
    return row


def end(tx: Write, ident: str) -> ExpectedFileRow | None:
    """It is expected no more; answers what was."""
    row = of_upload(tx, ident)
    tx.execute("delete from expected_file where upload = :id", id=ident)
    return row


def give_up(tx: Write, ident: str, why: str) -> None:
    """It will not come, if it was expected; that is told with the reason in a word."""
    size = uploads.size_of(tx, ident)
    row = end(tx, ident)
    if row is not None:
        tell(tx, AttachmentGivenUp, row, size, reason=why)


def tell(tx: Write, kind: type[DomainEvent], row: ExpectedFileRow, size: int | None, **more: Any) -> None:
    """Tell of an expected file on its subject, whose time moves with it as with a file: clients that keep rows look
    again."""
    event_payloads.touch(tx, row["subject"])
    told = {"attachment": row["attachment"], "name": row["name"], "size": size}
    event_payloads.emit_on(tx, kind, row["subject"], told | more)


def shown(tx: Read, row: ExpectedFileRow) -> ExpectedFile:
    """An expected file in its shape. Its upload is its sender's affair."""
    upload = uploads.kept_row(tx, row["upload"])
    size = upload["size"] if upload is not None else 0
    arrived = upload["arrived"] if upload is not None else 0
    mine = row["created_by"] in comments.voices(tx)
    return ExpectedFile(
        id=row["attachment"],
        name=row["name"],
        size=size,
        arrived=size if arrived is None else arrived,
        subject=queries.subject_of(tx, row["subject"]),
        upload=row["upload"] if mine else None,
        created_at=row["created_at"],
        created_by=row["created_by"],
        expires_at=uploads.expires_at(upload) if upload is not None else row["created_at"],
    )
