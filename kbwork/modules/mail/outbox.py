"""Look at what went, waits and did not go."""

from kbwork.base.errors import NotAllowed
from kbwork.base.model import Cursor, Input, Limit, Paged
from kbwork.core.access import visibility
from kbwork.core.operations import pagination
from kbwork.core.operations.declare import write
from kbwork.core.ports import mail
from kbwork.db.rows import MailRow
from kbwork.db.tx import Read
from kbwork.modules.mail.model import LetterState, OutboxLetter

UNSEEN = "(not shown)"
_LIMITED = (
    "Letters are about everything: a key that is limited to projects, or a client that was given some modules, does not"
    " look after them. Use a session, or a key without limits."
)


class MailOutbox(Input):
    state: LetterState | None = None
    """Only those that stand so; left out: all of them."""
    cursor: Cursor | None = None
    limit: Limit | None = None


@write(
    "mail.outbox",
    scope="admin",
    words="which mails were sent, mail queue, why did a mail not arrive, failed letters, mail log",
    undo="it changes nothing",
    emits=[],
    example={"state": "failed"},
)
def outbox(tx: Read, args: MailOutbox) -> Paged[OutboxLetter]:
    """List the letters of 30 days, newest first, and all that waits. What they say is never shown.

    A letter is written in the transaction that causes it, tried ten times within a day, and then given up: admins hear
    of it by the event `mail.failed`.
    """
    require_unlimited(tx)
    most, after = pagination.limit(args), pagination.place(tx, args)
    rows = mail.listed(tx, args.state, after[0] if after else None, most + 1)
    following = None
    if len(rows) > most:
        rows = rows[:most]
        following = pagination.cursor(tx, args, [rows[-1]["id"]])
    return {"items": [_shown(tx, row) for row in rows], "next": following}


def require_unlimited(tx: Read) -> None:
    """Raises NotAllowed."""
    if tx.caller.limited:
        raise NotAllowed(_LIMITED)


def _shown(tx: Read, row: MailRow) -> OutboxLetter:
    seen = row["about"] is None or visibility.find(tx, row["about"]) is not None
    return OutboxLetter(
        id=row["id"],
        to=row["address"],
        subject=row["subject"] if seen else UNSEEN,
        state=row["state"],
        tries=row["tries"],
        error=row["error"],
        at=row["at"],
        next_at=row["next_at"] if row["state"] == "queued" else None,
    )
