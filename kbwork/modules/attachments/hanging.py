"""Files go where their subject goes: moved with it, copied with it, purged with it."""

from kbwork.base import ids
from kbwork.base.errors import InvalidInput
from kbwork.core.subjects import Part
from kbwork.db.tx import Write
from kbwork.modules.attachments import queries, removing


def _purge(tx: Write, subject: str) -> None:
    """Files go for good with what they hang on, and with the comments on it, which are purged behind them."""
    for row in queries.on(tx, subject, trashed=True):
        removing.remove(tx, row)  # what was told of the subject is forgotten with it
    for ident in tx.column(
        "select id from attachment where subject in (select 'comment:' || id from comment where subject = :subject)",
        subject=subject,
    ):
        removing.purge(tx, ident)


def _move(tx: Write, subject: str, to: str, only: list[int] | None) -> None:
    """All files of a subject, those in the trash too."""
    if only:
        raise InvalidInput("Files have no numbers to name them by.")
    for row in queries.on(tx, subject, trashed=True):
        tx.update("attachment", row["id"], subject=to)


def _copy(tx: Write, subject: str, to: str) -> None:
    """The files, with who added them and when; the bytes are stored once."""
    for row in queries.on(tx, subject):
        copied = "a_" + ids.short(22)
        tx.insert("attachment", **row | {"id": copied, "subject": to})
        tx.images.pop()  # undo sends the copy to the trash, and this goes with it
        tx.execute(
            "insert into attachment_text select :copied, text from attachment_text where attachment = :id",
            copied=copied,
            id=row["id"],
        )


ON_SUBJECTS = Part(name="attachments", home=__name__, purge=_purge, move=_move, copy=_copy)
