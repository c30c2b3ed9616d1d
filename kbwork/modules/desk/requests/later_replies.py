"""Which answers wait for their time."""

from kbwork.base.model import Input
from kbwork.core.access import visibility
from kbwork.core.operations.declare import read
from kbwork.core.references import IssueRef, ProjectRef
from kbwork.db.tx import Read
from kbwork.modules import issues
from kbwork.modules.desk import access
from kbwork.modules.desk.model import WaitingReply
from kbwork.modules.projects import ISSUE_SEEN

_MOST = 1000
_WAITING = (
    "select l.comment, l.at, l.lane, l.failed, c.author, c.body, p.key || '-' || i.number as key from later_reply l"
    " join comment c on c.id = l.comment and c.deleted_at is null join issue i on i.id = l.issue"
    " and c.subject = 'issue:' || i.id and i.deleted_at is null join project p on p.id = i.project"
    f" where i.project = :project and (:issue is null or i.id = :issue) and {ISSUE_SEEN}"
    f" order by l.at, l.comment limit {_MOST}"
)


class DeskWaitingReplies(Input):
    project: ProjectRef
    key: IssueRef | None = None
    """Only those on this request."""


@read(
    "desk.waiting_replies",
    scope="comments:read",
    words="scheduled answers, which replies go later, send later, delayed replies, answers that did not go",
    example={"project": "WEB"},
)
def waiting_replies(tx: Read, args: DeskWaitingReplies) -> list[WaitingReply]:
    """List the answers of a desk that are to go at a time, soonest first, and those that did not go, on requests that
    you see: the first thousand. For members of it.
    """
    project, _ = access.desk(tx, args.project)
    access.require_member(tx, project["id"])
    issue = issues.get(tx, args.key)["id"] if args.key is not None else None
    return [
        WaitingReply(
            comment=row["comment"],
            key=row["key"],
            author=row["author"],
            body=row["body"],
            send_at=row["at"],
            status=row["lane"],
            failed=row["failed"],
        )
        for row in tx.all(_WAITING, project=project["id"], issue=issue, **visibility.binds(tx))
    ]
