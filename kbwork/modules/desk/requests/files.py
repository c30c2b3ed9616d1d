"""Files of a request as its customers see them: those that they sent, and those on what was said to them.

A file that somebody of the desk hangs on the issue itself is the team's until an answer shows it, and one on an
internal note stays theirs.
"""

from kbwork.base.errors import Conflict
from kbwork.db.rows import AttachmentRow
from kbwork.db.tx import Read, Write
from kbwork.modules.attachments import add, files, from_mail
from kbwork.modules.desk.requests.rows import OwnRequest

MOST = 100
"""Files that customers sent for one request."""
MOST_DAY_BYTES = 100 * 1024 * 1024
"""What one customer sends in a day."""
_DAY_S = 86400
_NEXT = 0
"""No comment: the one that is made next."""
_SEEN = """
select a.* from attachment a where a.deleted_at is null and (
  a.id in (select attachment from request_file where issue = :issue)
  or a.subject in (select 'comment:' || c.id from request_comment s join comment c on c.id = s.comment
    and c.internal = 0 and c.deleted_at is null where s.issue = :issue))
"""
"""As of what was said: wherever a merge took it."""


def every(tx: Read, request: OwnRequest) -> list[AttachmentRow]:
    """The files that customers of a request see, oldest first."""
    return tx.all(f"{_SEEN} order by a.created_at, a.rowid", AttachmentRow, issue=request.issue["id"])


def find(tx: Read, request: OwnRequest, ident: str) -> AttachmentRow | None:
    """One of them."""
    return tx.one(f"{_SEEN} and a.id = :id", AttachmentRow, issue=request.issue["id"], id=ident)


def hang(tx: Write, request: OwnRequest, file: files.File) -> AttachmentRow:
    """A file of the customer who calls hangs on their request. Raises Conflict, or InvalidInput for one that the org
    does not take."""
    issue = request.issue["id"]
    if _held(tx, issue) >= MOST:
        raise Conflict(f"{MOST} files hang on this request, and more are not to.")
    if _sent_today(tx) + file.size > MOST_DAY_BYTES:
        raise Conflict("You sent a lot today: go on tomorrow.")
    row = add.hang_from_outside(tx, f"issue:{issue}", file)
    tx.insert("request_file", attachment=row["id"], issue=issue)
    return row


def fitting(tx: Read, issue: int | None, mailed: from_mail.MailedFiles) -> from_mail.MailedFiles:
    """Of files that the customer who calls mailed those that this request takes, or a new one."""
    mailed = from_mail.fitting(tx, mailed)
    room = MOST - (_held(tx, issue) if issue is not None else 0)
    bytes_left = MOST_DAY_BYTES - _sent_today(tx)
    for file in mailed.files:
        if room <= 0:
            mailed = mailed.but(file, f"{MOST} files hang on the request")
        elif file.size > bytes_left:
            mailed = mailed.but(file, "too much came today")
        else:
            room, bytes_left = room - 1, bytes_left - file.size
    return mailed


def hang_mailed(tx: Write, issue: int, file: files.File, *, said: bool = True) -> None:
    """One of these hangs on the request: it came with what is said next in this transaction, or with the request."""
    row = add.hang_from_outside(tx, f"issue:{issue}", file)
    tx.insert("request_file", attachment=row["id"], issue=issue, comment=_NEXT if said else None)


def _held(tx: Read, issue: int) -> int:
    found: int = tx.value("select count(*) from request_file where issue = :issue", issue=issue)
    return found


def _sent_today(tx: Read) -> int:
    """Bytes that the customer who calls sent in a day."""
    found: int = tx.value(
        "select coalesce(sum(a.size), 0) from request_file f join attachment a on a.id = f.attachment"
        " where a.created_by = :me and a.created_at > :since",
        me=tx.caller.actor,
        since=tx.now - _DAY_S,
    )
    return found


def show(tx: Write, issue: int, ident: str) -> None:
    """A file that hangs on the issue is shown to its customers from now on, with what is said next in this
    transaction. Raises Conflict for one that a merge brought here from other customers."""
    shown = tx.stored("request_file", [ident])
    if shown is None:
        tx.insert("request_file", attachment=ident, issue=issue, comment=_NEXT)
    elif shown["issue"] != issue:
        raise Conflict("A file of another request came here by a merge, and is its customers': send it anew.")
    else:
        tx.update("request_file", ident, comment=_NEXT)


def said_with(tx: Write, issue: int, comment: int) -> list[str]:
    """This is what was said with the files that were shown just now; answers the names of all that came with it."""
    tx.execute(
        "update request_file set comment = :comment where issue = :issue and comment = :next",
        comment=comment,
        issue=issue,
        next=_NEXT,
    )
    return tx.column(
        "select a.name from attachment a where a.deleted_at is null and (a.subject = 'comment:' || :comment"
        " or a.id in (select attachment from request_file where issue = :issue and comment = :comment))"
        f" order by a.created_at, a.rowid limit {MOST}",
        comment=comment,
        issue=issue,
    )
