"""Try a mailbox, and have it read now."""

from kbwork.base.errors import Conflict, Problem
from kbwork.base.model import Id, Input
from kbwork.core.mail.lines import PullOrder
from kbwork.core.operations.declare import write
from kbwork.core.operations.external import External
from kbwork.db.tx import Read, Write
from kbwork.modules.mail import outbox
from kbwork.modules.mail.mailbox import queries, reader
from kbwork.modules.mail.mailbox.reader import BoxToRead
from kbwork.modules.mail.model import MailboxTested


class MailMailboxTest(Input):
    id: Id
    """Number of the mailbox, from `mail.mailboxes`."""
    pull: bool | None = None
    """Whether it is to be read now."""


@write(
    "mail.mailbox_test",
    scope="admin",
    words="try a mailbox, does imap work, fetch mail now, how many mails wait",
    undo="what was read is read",
    emits=[],
    example={"id": 1},
)
async def mailbox_test(out: External, args: MailMailboxTest) -> MailboxTested:
    """Look into a mailbox, and say how many mails wait there. With `pull` they are read a moment later, and the mailbox
    is read again from now on where it was not.

    `ok` false says in `detail` what to mend.
    """
    box = await out.read(lambda tx: _box(tx, args.id))
    if box is None:
        return await out.conclude(lambda tx: _of_hook(tx, args.id))
    try:
        order = PullOrder(known=box.known, settled=(), delete=False, most=0)
        found = await out.mail_lines.pull(box.remote, order)
    except Problem as problem:
        failed = MailboxTested(ok=False, detail=problem.detail, waiting=0)
        return await out.conclude(lambda tx: _told(tx, args.id, failed))
    words = "1 mail waits" if found.waiting == 1 else f"{found.waiting} mails wait"
    detail = f"{box.remote.host}:{box.remote.port} lets it be read: {words}."
    told = MailboxTested(ok=True, detail=detail, waiting=found.waiting)
    return await out.conclude(lambda tx: _told(tx, args.id, told, pull=bool(args.pull)))


def _box(tx: Read, ident: int) -> BoxToRead | None:
    outbox.require_unlimited(tx)
    row = queries.stored(tx, ident)
    return None if row["protocol"] == "hook" else reader.box(tx, row)


def _of_hook(tx: Write, ident: int) -> MailboxTested:
    row = queries.stored(tx, ident)
    last = "no mail came yet" if row["last_at"] is None else "mail came"
    return MailboxTested(ok=True, detail=f"A mail service posts to this mailbox: {last}.", waiting=0)


def _told(tx: Write, ident: int, told: MailboxTested, *, pull: bool = False) -> MailboxTested:
    """Raises Conflict where the mailbox went meanwhile."""
    if tx.stored("mailbox", [ident]) is None:
        raise Conflict("The mailbox was deleted meanwhile.")
    if pull:
        tx.execute("update mailbox set next_at = :now where id = :id", now=tx.now, id=ident)
        tx.wake()
    return told
