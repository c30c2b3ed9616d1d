"""Files that an import brings: with who added them and when, and nobody is told."""

from kbwork.base import ids
from kbwork.db.tx import Row, Write
from kbwork.modules.attachments.content import blobs, media_types
from kbwork.modules.attachments.content.files import name_of


def add_imported(tx: Write, subject: str, row: Row, content: bytes, text: str | None) -> str:
    """Hang a file on a subject; answers its id.

    `row` has its name, content_type, size, hash, created_at and created_by.
    """
    blobs.keep(tx, row["hash"], content)
    ident = "a_" + ids.short(22)
    kept = {
        "name": name_of(row["name"]),
        "content_type": media_types.media_type(row["content_type"]) or media_types.UNKNOWN,
    }
    tx.insert("attachment", id=ident, subject=subject, **row | kept)
    if text:
        tx.execute("insert into attachment_text values (:id, :text)", id=ident, text=text)
    return ident
