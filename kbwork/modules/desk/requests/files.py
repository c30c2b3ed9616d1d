"""Files of a request as its customers see them: those that they sent, and those on what was said to them.

A file that somebody of the desk hangs on the issue itself is the team's until an answer shows it, and one on an
internal note stays theirs.
"""

from kbwork.base.errors import Conflict
from kbwork.db.rows import AttachmentRow
from kbwork.db.tx import Read, Write
from kbwork.modules.attachments import add, files
from kbwork.modules.desk.requests.rows import OwnRequest

MOST = 100
"""Files that customers sent for one request."""
MOST_DAY_BYTES = 100 * 1024 * 1024
"""What one customer sends in a day."""
_DAY_S = 86400
_SEEN = """
select a.* from attachment a where a.deleted_at is null and (
  a.subject = 'issue:' || :issue and a.id in (select attachment from request_file where issue = :issue)
  or a.subject in (select 'comment:' || c.id from request_comment s join comment c on c.id = s.comment
    and c.subject = 'issue:' || s.issue and c.internal = 0 and c.deleted_at is null where s.issue = :issue))
"""


def every(tx: Read, request: OwnRequest) -> list[AttachmentRow]:
    """The files that customers of a request see, oldest first."""
    return tx.all(f"{_SEEN} order by a.created_at, a.rowid", AttachmentRow, issue=request.issue["id"])


def find(tx: Read, request: OwnRequest, ident: str) -> AttachmentRow | None:
    """One of them."""
    return tx.one(f"{_SEEN} and a.id = :id", AttachmentRow, issue=request.issue["id"], id=ident)


def hang(tx: Write, request: OwnRequest, file: files.File) -> AttachmentRow:
    """A file of the customer who calls hangs on their request. Raises Conflict, or InvalidInput for one that the org
    does not take."""
    issue, me = request.issue["id"], tx.caller.actor
    if tx.value("select count(*) from request_file where issue = :issue", issue=issue) >= MOST:
        raise Conflict(f"{MOST} files hang on this request, and more are not to.")
    sent = tx.value(
        "select coalesce(sum(a.size), 0) from request_file f join attachment a on a.id = f.attachment"
        " where a.created_by = :me and a.created_at > :since",
        me=me,
        since=tx.now - _DAY_S,
    )
    if sent + file.size > MOST_DAY_BYTES:
        raise Conflict("You sent a lot today: go on tomorrow.")
    row = add.hang_from_outside(tx, f"issue:{issue}", file)
    tx.insert("request_file", attachment=row["id"], issue=issue)
    return row


def show(tx: Write, issue: int, ident: str) -> None:
    """A file that hangs on the issue is shown to its customers from now on."""
    if tx.stored("request_file", [ident]) is None:
        tx.insert("request_file", attachment=ident, issue=issue)
