"""Who sees a file: who sees what it hangs on."""

from collections.abc import Iterable

from kbwork.core import named
from kbwork.core.access import visibility
from kbwork.core.ports.files import FileTarget
from kbwork.core.things.thing import Thing, among, ref_of
from kbwork.db.rows import AttachmentRow
from kbwork.db.tx import Read
from kbwork.modules import comments
from kbwork.modules.attachments import targets

_OWN = "f.created_by in (select value from json_each(:kb_voices))"
_THIS = "exists (select 1 from attachment f where f.id = :ref and {})"


def seen_among(kinds: Iterable[Thing]) -> str:
    """The condition on `attachment f`: it is there, on one of these kinds, and the caller may see it."""
    hosts = {one.name: one.files.seen for one in kinds if one.files is not None}
    return f"f.deleted_at is null and {among(hosts, 'f.subject')}"


def seen_on(host: Thing) -> str | None:
    """Files are seen as the kind says on which they hang."""
    return _THIS.format(seen_among([host])) if host.files is not None else None


def restorable_on(host: Thing) -> str | None:
    """The caller could have put it into the trash, and may bring it back."""
    if host.files is None:
        return None
    may = among({host.name: f"({host.files.edits}) or {_OWN} and ({host.files.adds})"}, "f.subject")
    return _THIS.format(f"f.deleted_at is not null and {may}")


def find(tx: Read, ident: str) -> AttachmentRow | None:
    """The file, if it is there and the caller sees it."""
    row = tx.one("select * from attachment where id = :id and deleted_at is null", AttachmentRow, id=ident)
    if row is None:
        return None
    files, ref = targets.hosts(tx, row)
    if not visibility.holds(tx, ref_of(row["subject"])[0]):
        return None
    return row if tx.value(f"select {files.seen}", ref=ref, **visibility.binds(tx)) else None


def attachment(tx: Read, ident: str) -> AttachmentRow:
    """As `find`. Raises NotFound."""
    return named.seen(find(tx, ident), "file", ident)


def may_delete(tx: Read, row: AttachmentRow, on: FileTarget) -> bool:
    """Whoever added it, while they may add there still, and whoever may change what it hangs on."""
    return on.edits or (on.adds and row["created_by"] in comments.voices(tx))
