"""List the files that are on their way to a subject."""

from kbwork.base.errors import Problem
from kbwork.base.model import Input, Text
from kbwork.core.access import visibility
from kbwork.core.operations.declare import read
from kbwork.db.rows import ExpectedFileRow
from kbwork.db.tx import Read, json_array
from kbwork.modules.attachments import targets
from kbwork.modules.attachments.expected import rows
from kbwork.modules.attachments.model import ExpectedFile


class AttachmentsExpected(Input):
    subject: Text
    """What they will hang on, such as `issue:WEB-1`: what hangs there itself, such as its comments, is listed with it.
    """


@read(
    "attachments.expected",
    scope="attachments:read",
    words="uploads in progress, files on their way, pending attachments, how far is the upload",
    cached=False,
    example={"subject": "issue:WEB-1"},
)
def expected(tx: Read, args: AttachmentsExpected) -> list[ExpectedFile]:
    """List the files that are on their way to a subject and to what hangs on it, and how much of each is here.

    Oldest first, as far as you see what they will hang on. They were named by attachments.expect, comments.create,
    comments.update or issues.create, and become attachments under the ids that they have here.
    """
    on = targets.target(tx, args.subject)
    return [rows.shown(tx, row) for row in _on(tx, on.subject) if _seen(tx, row["subject"], on.subject)]


def _on(tx: Read, subject: str) -> list[ExpectedFileRow]:
    own = ["select value from json_each(:subjects)", *targets.beneath(tx)]
    return tx.all(
        f"select * from expected_file where subject in ({' union all '.join(own)}) order by created_at, attachment",
        ExpectedFileRow,
        subjects=json_array(visibility.known_as(tx, subject)),
        subject=subject,
    )


def _seen(tx: Read, subject: str, asked: str) -> bool:
    if subject == asked:
        return True
    try:
        targets.target(tx, subject)
    except Problem:
        return False
    return True
