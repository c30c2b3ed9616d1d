"""Comments that are made on an issue by what else happens to it."""

from kbwork.core.operations import nested
from kbwork.db.tx import Write
from kbwork.modules.comments.ops import create
from kbwork.modules.issues import IssueRemarks


def _say(tx: Write, subject: str, text: str) -> None:
    nested.run(tx, create, {"subject": subject, "body": text}, about="comment: ")


REMARKS = IssueRemarks(home=__name__, say=_say)
