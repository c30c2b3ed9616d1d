"""An answer of an agent, with all that goes with it."""

from typing import Annotated

from pydantic import Field

from kbwork.base.errors import Conflict, InvalidInput
from kbwork.base.model import Body, Input, Text, When
from kbwork.core.operations.declare import write
from kbwork.core.references import IssueRef
from kbwork.db.rows import IssueRow
from kbwork.db.tx import Read, Write
from kbwork.modules import issues
from kbwork.modules.attachments import access as seen_files
from kbwork.modules.desk.model import DeskCustomerCreated, DeskReplied, DeskRequestShared, SentReply
from kbwork.modules.desk.requests import later
from kbwork.modules.desk.requests.requester import People


class DeskSendReply(Input):
    key: IssueRef
    body: Body
    """What to say to the customers of the request, in Markdown."""
    to: People | None = None
    """Customers who take part from now on, by id or address."""
    cc: People | None = None
    """The same; mail programs are told no difference."""
    attachments: Annotated[list[Text], Field(max_length=20)] | None = None
    """Files to show with it: ids of such as hang on the issue itself, and of what you sent to `/files/upload`."""
    status: Text | None = None
    """The lane that it goes to then, by key or name."""
    send_at: When | None = None
    """When it goes, within a year: an internal note until then, and deleting that takes it back."""


@write(
    "desk.send_reply",
    scope="comments:write",
    guests=False,
    words="answer the customer, reply to a ticket, mail the customer, send and close, public reply",
    undo="it was mailed: say what is right now",
    emits=[DeskReplied, DeskRequestShared, DeskCustomerCreated],
    example={"key": "WEB-6", "body": "It is on its way.", "status": "in_progress"},
)
def send_reply(tx: Write, args: DeskSendReply) -> SentReply:
    """Answer a request: whoever sees it on the portal reads it, and is mailed. Naming others and moving it needs the
    rights of that, and all of it happens or nothing. An issue that is no request is 409. Files are shown on the portal;
    one on an internal note is 422.

    With `send_at` it goes then, in your name and with what you may then: desk.waiting_replies lists what waits, and
    says of an answer that did not go why. Twenty wait on a request at most (409).
    """
    row = issues.get(tx, args.key)
    if tx.stored("customer_request", [row["id"]]) is None:
        raise Conflict(f"{issues.key_of(tx, row)} is no request of a customer: comment on it.")
    shown, uploads = _files(tx, row, args.attachments or [])
    parts = later.ReplyParts([*(args.to or ()), *(args.cc or ())], shown, args.status)
    if args.send_at is None:
        found = later.send(tx, row, parts, args.body, uploads)
    else:
        found = later.keep(tx, row, parts, (args.body, uploads), args.send_at)
    return SentReply(id=found, send_at=args.send_at)


def _files(tx: Read, row: IssueRow, idents: list[str]) -> tuple[list[str], list[str]]:
    """(those that hang on the issue, uploads). Raises InvalidInput for one that hangs elsewhere: what is on an internal
    note stays there."""
    shown, uploads = [], []
    for at, ident in enumerate(dict.fromkeys(idents)):
        found = seen_files.find(tx, ident)
        if found is None:
            uploads.append(ident)
        elif found["subject"] == f"issue:{row['id']}":
            shown.append(ident)
        else:
            raise InvalidInput(
                f"{found['name']} does not hang on this issue itself.", field=f"attachments[{at}]"
            )
    return shown, uploads
