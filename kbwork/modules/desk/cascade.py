"""What of a desk goes for good with an issue or a project, and with a type of issues."""

from kbwork.core.things.cascade import Cascade
from kbwork.core.things.thing import ref_of
from kbwork.db.rows import IssueTypeRow
from kbwork.db.tx import Read, Write
from kbwork.modules import types
from kbwork.modules.projects import access as projects


def _purge(tx: Write, subject: str) -> None:
    kind, ref = ref_of(subject)
    if kind == "issue":
        for table in (
            "later_reply",
            "request_comment",
            "request_customer",
            "request_file",
            "request_rating",
            "customer_request",
        ):
            tx.execute(f"delete from {table} where issue = :issue", issue=int(ref))
        tx.execute("update desk_mail set issue = null where issue = :issue", issue=int(ref))
    elif kind == "attachment":
        tx.execute("delete from request_file where attachment = :id", id=ref)
    elif kind == "comment":
        for table in ("later_reply", "request_comment"):
            tx.execute(f"delete from {table} where comment = :comment", comment=int(ref))
    elif kind == "project":
        project = projects.purged(tx, ref)
        tx.execute(  # of requests that went to another project
            "update customer_request set type = null"
            " where type in (select id from request_type where project = :project)",
            project=project,
        )
        for table in ("article_use", "canned_reply", "desk_mail", "queue", "request_type", "desk"):
            tx.execute(f"delete from {table} where project = :project", project=project)


HANGING = Cascade(name="desk", home=__name__, purge=_purge)


def _uses(tx: Read, row: IssueTypeRow) -> int:
    return int(tx.value("select count(*) from request_type where issue_type = :id", id=row["id"]))


def _adopt(tx: Write, row: IssueTypeRow, target: IssueTypeRow) -> None:
    """What was asked for as one type becomes the other from now on."""
    for ident in tx.column("select id from request_type where issue_type = :id order by id", id=row["id"]):
        tx.update("request_type", ident, issue_type=target["id"])


TYPED = types.TypeReferences(home=__name__, uses=_uses, adopt=_adopt)
