"""Send letters again, or never."""

from typing import Annotated

from pydantic import Field

from kbwork.base.errors import Conflict, NotFound
from kbwork.base.model import Id, Input
from kbwork.core.mail import suppression
from kbwork.core.operations.declare import write
from kbwork.core.ports import mail
from kbwork.db.rows import MailRow
from kbwork.db.tx import Read, Write
from kbwork.modules.mail import outbox
from kbwork.modules.mail.model import MailRetried

_DROPPED = "An admin dropped it."


class MailRetry(Input):
    ids: Annotated[list[Id], Field(min_length=1, max_length=1000)]
    """Numbers of letters, from `mail.outbox`."""
    drop: bool | None = None
    """Whether they are to be sent no more, instead of now."""


@write(
    "mail.retry",
    scope="admin",
    words="send a mail again, resend failed letters, flush the mail queue, drop queued mail, empty the outbox",
    undo="what was sent is sent",
    emits=[],
    example={"ids": [1]},
)
def retry(tx: Write, args: MailRetry) -> MailRetried:
    """Send letters again, now and under the Message-ID that they have, or with `drop` never.

    409 where one of them was sent, is for an address that is suppressed, or says nothing any more: what a letter says
    is kept for three days after it was given up, and not at all once it was dropped.
    """
    outbox.require_unlimited(tx)
    for ident in dict.fromkeys(args.ids):
        row: MailRow | None = tx.stored("mail", [ident])
        if row is None:
            raise NotFound(f"There is no letter {ident}; mail.outbox shows them.")
        if row["state"] == "sent":
            raise Conflict(f"The letter {ident} was sent.")
        if args.drop:
            mail.drop(tx, row, _DROPPED)
            continue
        _require_sendable(tx, row)
        mail.send_again(tx, row)
    return MailRetried(ok=True)


def _require_sendable(tx: Read, row: MailRow) -> None:
    """Raises Conflict."""
    if not mail.sends(tx):
        raise Conflict("This server sends no mail: save a mail server with mail.sender_set.")
    if suppression.is_suppressed(tx, row["address"]):
        raise Conflict(f"Mail to {row['address']} came back for good: release it with mail.suppressed first.")
    if not row["text"]:
        raise Conflict(f"What the letter {row['id']} said is kept no more: have it written again.")
