"""Files as rows, and as the caller sees them."""

from kbwork.core.access import visibility
from kbwork.core.things.thing import ref_of
from kbwork.db.rows import AttachmentRow
from kbwork.db.tx import Read, json_array
from kbwork.modules.attachments import targets
from kbwork.modules.attachments.model import Attachment


def stored(tx: Read, ident: str) -> AttachmentRow:
    """The row of a file, which must exist."""
    row = tx.stored("attachment", [ident])
    assert row is not None
    return row


def on(tx: Read, subject: str, *, trashed: bool = False) -> list[AttachmentRow]:
    """The files on a subject, oldest first; with `trashed` those in the trash, too."""
    return tx.all(
        "select * from attachment where subject in (select value from json_each(:subjects))"
        " and (deleted_at is null or :trashed) order by created_at, rowid",
        AttachmentRow,
        subjects=json_array(visibility.known_as(tx, subject)),
        trashed=int(trashed),
    )


def subject_of(tx: Read, subject: str) -> str:
    """What a file hangs on, as it is called now: a file of a project stands under the key of its time."""
    files, ref = targets.hosts(tx, subject)
    if files.renamed is None:
        return subject
    return f"{ref_of(subject)[0]}:{files.renamed(tx, ref)}"


def shown(tx: Read, row: AttachmentRow) -> Attachment:
    """A file in its shape."""
    return Attachment(
        id=row["id"],
        name=row["name"],
        content_type=row["content_type"],
        size=row["size"],
        subject=subject_of(tx, row["subject"]),
        created_at=row["created_at"],
        created_by=row["created_by"],
    )
