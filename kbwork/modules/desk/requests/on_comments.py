"""What becomes of what is said on a request: customers read it, and are mailed what others say."""

from kbwork.core.things.thing import ref_of
from kbwork.db.rows import CommentRow
from kbwork.db.tx import Write
from kbwork.modules import issues
from kbwork.modules.comments import CommentHearers
from kbwork.modules.desk.model import DeskReplied
from kbwork.modules.desk.requests import files, letters, rows


def _said(tx: Write, comment: CommentRow) -> None:
    """An internal note is none of it: it is not even noted here."""
    kind, ref = ref_of(comment["subject"])
    if kind != "issue" or comment["internal"] or tx.stored("customer_request", [int(ref)]) is None:
        return
    tx.execute(
        "insert into request_comment (comment, issue) values (:comment, :issue)",
        comment=comment["id"],
        issue=int(ref),
    )
    names = files.said_with(tx, int(ref), comment["id"])
    if tx.stored("desk", [issues.stored(tx, int(ref))["project"]]) is None:
        return
    request = rows.of_issue(tx, int(ref))
    mailed = letters.tell(tx, request, comment, names) if tx.notify is not False else 0
    if not comment["author"].startswith("customer:"):
        payload = issues.event_payloads.common_payload(tx, request.issue)
        payload |= {"comment": comment["id"], "customer": request.row["customer"], "mailed": mailed}
        tx.emit(DeskReplied(subject=comment["subject"], payload=payload))


HEARERS = CommentHearers(home=__name__, said=_said)
