"""Files come back from the trash, go for good, and go when the org no longer keeps them."""

from kbwork.base.errors import Conflict, NotAllowed, NotFound
from kbwork.core import org_settings
from kbwork.core.jobs.kinds import Schedule
from kbwork.core.things.thing import Trashed
from kbwork.db.rows import AttachmentRow
from kbwork.db.tx import Read, Write
from kbwork.modules import trash
from kbwork.modules.attachments import event_payloads, queries, targets
from kbwork.modules.attachments.model import AttachmentDeleted, AttachmentRestored

_SLICE = 100
_DAY_S = 86400


def restore(tx: Write, thing: Trashed) -> None:
    """Bring a file back where it hung. Raises Conflict where that lies in the trash, and `parent` names no other."""
    row = queries.stored(tx, thing.ref)
    try:
        on = targets.target(tx, row["subject"])
    except NotFound:
        if not thing.parent:
            raise Conflict(
                "What it hung on lies in the trash, too: bring that back first, or name another in `parent`."
            ) from None
        on = targets.target(tx, thing.parent)
        targets.require_add(tx, on)
    if not on.adds and not on.edits:
        raise NotAllowed("You may not add files there any more.")
    targets.require_awake(on)
    tx.update("attachment", row["id"], deleted_at=None, subject=on.subject)
    row = queries.stored(tx, row["id"])
    event_payloads.touch(tx, row["subject"])
    event_payloads.emit(tx, AttachmentRestored, row)


def purge(tx: Write, ref: str) -> bool:
    """Remove a file for good."""
    row = tx.stored("attachment", [ref])
    if row is not None:
        remove(tx, row)
    return True


def remove(tx: Write, row: AttachmentRow) -> None:
    """Remove the rows of a file; its bytes go with the last file that has them."""
    if row["deleted_at"] is not None:
        trash.take(tx, f"attachment:{row['id']}")
    tx.execute("delete from attachment_text where attachment = :id", id=row["id"])
    tx.execute("delete from attachment where id = :id", id=row["id"])


def _oldest_kept(tx: Read) -> int | None:
    """Files from before this time are not kept; None: all are."""
    days = org_settings.get(tx, "org.retention")["attachments_days"]
    return None if days is None else tx.now - days * _DAY_S


def _too_old(tx: Read) -> bool:
    before = _oldest_kept(tx)
    return before is not None and bool(
        tx.value("select 1 from attachment where created_at < :before limit 1", before=before)
    )


def _expire(tx: Write) -> None:
    """Some files that are too old go, and what was told of them: that they are gone is told without their names."""
    before = _oldest_kept(tx)
    for row in tx.all(
        "select * from attachment where created_at < :before order by created_at, rowid limit :most",
        AttachmentRow,
        before=before,
        most=_SLICE,
    ):
        if trash.purge(tx, f"attachment:{row['id']}") and row["deleted_at"] is None:
            event_payloads.emit(tx, AttachmentDeleted, row | {"name": ""}, reason="retention")


EXPIRE = Schedule(name="attachments.expire", home=__name__, every_s=60, run=_expire, due=_too_old)
