"""Files go where their subject goes: moved with it, copied with it, purged with it."""

from kbwork.base import ids
from kbwork.base.errors import InvalidInput
from kbwork.core.things.cascade import Cascade, purge_parts
from kbwork.db.tx import Write
from kbwork.modules import trash
from kbwork.modules.attachments import queries, removal, targets

_SLICE = 100


def _purge(tx: Write, subject: str) -> bool:
    """Files go for good with what they hang on, and with what hangs there itself, such as comments, which are purged
    behind them. What was told of them where they hung before is forgotten, too. False while there are more."""
    idents = [row["id"] for row in queries.on(tx, subject, trashed=True)[:_SLICE]]
    for own in targets.beneath(tx):
        below = f"select id from attachment where subject in ({own}) limit :most"
        idents += tx.column(below, subject=subject, most=_SLICE)
    tx.execute("delete from expected_file where subject = :subject", subject=subject)
    whole = all(_purge_one(tx, ident) for ident in idents)
    return whole and len(idents) < _SLICE


def _purge_one(tx: Write, ident: str) -> bool:
    subject = f"attachment:{ident}"
    bare = purge_parts(tx, subject, but=ON_SUBJECTS)
    return bare and trash.forget(tx, subject) and removal.purge(tx, ident)


def _move(tx: Write, subject: str, to: str, only: list[int] | None) -> None:
    """All files of a subject, those in the trash too."""
    if only:
        raise InvalidInput("Files have no numbers to name them by.")
    for row in queries.on(tx, subject, trashed=True):
        tx.update("attachment", row["id"], subject=to)
    tx.execute("update expected_file set subject = :to where subject = :subject", to=to, subject=subject)


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


ON_SUBJECTS = Cascade(
    name="attachments", home=__name__, purge=_purge, move=_move, copy=_copy, table="attachment"
)
