"""Mail that a mail service posts to a mailbox."""

from functools import partial
from typing import Annotated

from pydantic import Field

from kbwork.base import ids
from kbwork.base.errors import NotFound
from kbwork.base.model import Body, Input, Secret, Text
from kbwork.core.hooks import MailHook
from kbwork.core.mail import addresses
from kbwork.core.mail.mail_files import PostedFiles
from kbwork.core.mail.received import ReceivedMail
from kbwork.core.operations.declare import write
from kbwork.core.operations.external import External
from kbwork.db.rows import MailboxRow
from kbwork.db.tx import Read, Write
from kbwork.modules.attachments import from_mail
from kbwork.modules.mail.mailbox import intake, queries, reader
from kbwork.modules.mail.mailbox.intake import ReadMail
from kbwork.modules.mail.model import MailIngested

Header = Annotated[str, Field(max_length=8000)]


class MailIngest(Input):
    from_: Annotated[Text, Field(alias="from")]
    """Address of the sender, perhaps with a name."""
    token: Secret
    """The token in the path that the mail was posted to."""
    name: Text | None = None
    """What the sender is called."""
    subject: Header | None = None
    """What it is about."""
    text: Body | None = None
    """What it says, as plain text."""
    message_id: Header | None = None
    """Its Message-ID: the same mail is taken once."""
    in_reply_to: Header | None = None
    """What it answers to."""
    references: Header | None = None
    """The thread that it stands in."""
    to: Annotated[list[Header], Field(max_length=50)] | None = None
    """Addresses that it went to."""
    automatic: bool | None = None
    """Whether a program wrote it, or a list sent it round."""
    authentic: bool | None = None
    """Whether it is from whom it says, as the service that took it found; left out: it does not say."""
    files: PostedFiles | None = None
    """What hangs on it."""


@write(
    "mail.ingest",
    scope="system",
    words="a mail was posted to a mailbox",
    undo="what came of a mail is taken back by itself",
    emits_any=True,
    example={"from": "Di Park <di@acme.example>", "token": "from-the-path", "subject": "Broken", "text": "x"},
)
async def ingest(out: External, args: MailIngest) -> MailIngested:
    """Take a mail in that a mail service posted to a mailbox of protocol `hook`. For the server itself.

    A token that opens no mailbox is 404. A mail that is not from whom it says is refused.
    """
    await out.read(lambda tx: _box(tx, args.token))
    files = await out.thread(from_mail.posted, args.files or ())
    return await out.conclude(partial(_take, args, files), essential=False)


def _box(tx: Read, token: str) -> MailboxRow:
    """Raises NotFound."""
    row = queries.by_token(tx, token)
    if row is None:
        raise NotFound("No mailbox takes mail here.")
    return row


def _take(args: MailIngest, files: from_mail.MailedFiles, tx: Write) -> MailIngested:
    row = _box(tx, args.token)
    name, address = addresses.of_sender(args.from_)
    got = ReceivedMail(
        sender=addresses.as_header(args.name or name, address),
        subject=args.subject or "",
        text=args.text or "",
        message_id=(args.message_id or "").strip(),
        in_reply_to=args.in_reply_to or "",
        references=args.references or "",
        to=tuple(args.to or ()),
        automatic=bool(args.automatic),
        authentic=args.authentic,
    )
    fate = reader.taken_once(tx, row, ReadMail(got, files))
    tx.execute(
        "insert into mailbox_mail (mailbox, uid, message, sender, subject, result, why, tries, settled, at)"
        " values (:box, :uid, :message, :sender, :subject, :result, :why, 1, 1, :now)",
        box=row["id"],
        uid=f"hook:{ids.short(16)}",
        message=ids.digest(got.message_id) if got.message_id else None,
        sender=intake.sender_digest(got.sender),
        subject=fate.subject,
        result=fate.result,
        why=fate.why,
        now=tx.now,
    )
    tx.execute("update mailbox set last_at = :now where id = :id", now=tx.now, id=row["id"])
    return {"result": fate.result, "reply": fate.why}  # type: ignore[typeddict-item]  # a hook begins nothing


def _opens(tx: Read, token: str) -> bool:
    return queries.by_token(tx, token) is not None


POSTED = MailHook(home=__name__, beginning=queries.PATH, opens=_opens, op="mail.ingest")
