"""What becomes of what is said on a request: customers read it, and are mailed what others say."""

from kbwork.core.things.thing import ref_of
from kbwork.db.rows import CommentRow
from kbwork.db.tx import Read, Write
from kbwork.modules import issues
from kbwork.modules.comments import CommentHearers
from kbwork.modules.desk.model import DeskReplied
from kbwork.modules.desk.requests import files, letters, rows


def _said(tx: Write, comment: CommentRow) -> None:
    """An internal note is none of it: it is not even noted here."""
    kind, ref = ref_of(comment["subject"])
    if kind != "issue" or comment["internal"] or tx.stored("customer_request", [int(ref)]) is None:
        return
    issue = _request_of(tx, comment, int(ref))
    tx.execute(
        "insert into request_comment (comment, issue) values (:comment, :issue)",
        comment=comment["id"],
        issue=issue,
    )
    names = files.said_with(tx, issue, comment["id"])
    row = issues.stored(tx, issue)
    if row["deleted_at"] is not None or tx.stored("desk", [row["project"]]) is None:
        return
    request = rows.of_issue(tx, issue)
    mailed = letters.tell(tx, request, comment, names) if tx.notify is not False else 0
    if not comment["author"].startswith("customer:"):
        payload = issues.event_payloads.common_payload(tx, request.issue)
        payload |= {"comment": comment["id"], "customer": request.row["customer"], "mailed": mailed}
        tx.emit(DeskReplied(subject=f"issue:{issue}", payload=payload))


def _request_of(tx: Read, comment: CommentRow, issue: int) -> int:
    """The request whose customers it is said to: in a thread that a merge brought here, those who were told what it
    replies to, and nobody else."""
    said = tx.stored("request_comment", [comment["parent"]]) if comment["parent"] is not None else None
    return said["issue"] if said is not None else issue


HEARERS = CommentHearers(home=__name__, said=_said)
