"""Requests by mail: the address that a mail service posts to, and what becomes of a mail."""

from typing import Annotated, Any, NamedTuple

from pydantic import Field

from kbwork.base import ids
from kbwork.base.errors import MasterKeyLost, NotFound
from kbwork.base.model import Body, Input, Secret, Text
from kbwork.core.hooks import new_token
from kbwork.core.mail import addresses, bounces, quotes
from kbwork.core.mail.mail_files import PostedFiles
from kbwork.core.mail.suppression import MailBounced
from kbwork.core.operations.declare import write
from kbwork.core.operations.external import External
from kbwork.core.operations.validate import validate
from kbwork.core.ports import mail
from kbwork.core.references import ProjectRef
from kbwork.core.seal import Seal
from kbwork.db.rows import CustomerRow, DeskRow
from kbwork.db.tx import Read, Write
from kbwork.modules import issues
from kbwork.modules.attachments import from_mail
from kbwork.modules.desk import access
from kbwork.modules.desk.customers import accounts, quota
from kbwork.modules.desk.inbound import senders
from kbwork.modules.desk.model import (
    NOT_TAKEN_BACK,
    DeskCustomerCreated,
    DeskRequestCreated,
    Intake,
    MailPath,
)
from kbwork.modules.desk.requests import creation, letters, rows, thread_id

PATH = "/in/email/"
_OPEN = (
    "select d.* from desk d join project p on p.id = d.project and p.deleted_at is null and p.archived_at is null"
    " where d.enabled"
)
_NAME_CHARS = 200
Header = Annotated[str, Field(max_length=8000)]


class DeskEmailAddress(Input):
    project: ProjectRef
    renew: bool | None = None
    """True gives the desk another address: mail to the former one is not taken any more."""


@write(
    "desk.email_address",
    scope="admin",
    words="receive requests by mail, inbound mail webhook, sendgrid, mailgun, postmark, email to ticket",
    undo="the address stays; switch the desk off to take nothing in",
    emits=[],
    example={"project": "WEB"},
)
def email_address(tx: Write, args: DeskEmailAddress) -> MailPath:
    """Say where mail to a desk is posted, the same each time unless it is to `renew`: a path of this site, with a token
    that nobody guesses.

    It takes the forms of the inbound services of SendGrid, Mailgun and Postmark, and JSON with `from`, `name`,
    `subject` and `text`. For admins who lead the project. The token is sealed: with another master key than it was made
    with, there is a new one.
    """
    project, desk = access.desk(tx, args.project)
    access.require_keeper(tx, project)
    place = f"desk mail:{project['id']}"
    if desk["mail_token"] is not None and not args.renew:
        try:
            return MailPath(path=PATH + Seal(tx.secret).open(desk["mail_token"], place, "").decode())
        except MasterKeyLost:
            pass
    token = new_token(tx, place)
    tx.execute(
        "update desk set mail_token = :token, mail_digest = :digest where project = :project",
        token=token.sealed,
        digest=token.digest,
        project=project["id"],
    )
    return MailPath(path=PATH + token.plain)


class DeskEmailIngest(Input):
    from_: Annotated[Text, Field(alias="from")]
    """Address of the sender, perhaps with a name."""
    token: Secret
    """The token in the path that the mail was posted to."""
    name: Text | None = None
    """What the sender is called."""
    subject: Annotated[str, Field(max_length=8000)] | None = None
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
    "desk.email_ingest",
    scope="system",
    words="a mail came in, inbound mail",
    undo=NOT_TAKEN_BACK,
    emits=[DeskRequestCreated, DeskCustomerCreated, MailBounced],
    example={
        "from": "Rita Rivers <rita@rivers.example>",
        "token": "from-the-path",
        "subject": "Broken",
        "text": "x",
    },
)
async def email_ingest(out: External, args: DeskEmailIngest) -> Intake:
    """Take a mail in: as something said on the request that it answers to, where that is the sender's, or as a new
    request. For the server itself.

    Ignored are mails that programs wrote, the same mail a second time, mail from a desk's own address, the twenty-first
    mail of a sender in an hour, senders who are blocked, unknown ones where the desk has no `open_signup`, and mail
    that is not from whom it says. A token that opens no desk is 404. A mail proves nothing of who sent it: it opens
    nothing that members may.

    Files hang on the request as those of desk.portal_upload do; which are not taken stands in the text. A small picture
    of a signature is left out.
    """
    await out.read(lambda tx: _open_desk(tx, args.token))
    files = await out.thread(from_mail.posted, args.files or ())
    return await out.conclude(
        lambda tx: _ingest(tx, _open_desk(tx, args.token), args, files), essential=False
    )


def _open_desk(tx: Read, token: str) -> DeskRow:
    """Raises NotFound."""
    desk = desk_of(tx, token)
    if desk is None:
        raise NotFound("No desk takes mail here.")
    return desk


def take_mail(tx: Write, project: int, value: dict[str, Any], files: from_mail.MailedFiles) -> Intake:
    """The same of a mail that a mailbox of this project's desk took, given without a token. Raises NotFound where the
    desk is not open."""
    desk = tx.one(f"{_OPEN} and d.project = :project", DeskRow, project=project)
    if desk is None:
        raise NotFound("The service desk is not open.")
    args = validate(DeskEmailIngest, value | {"token": "mailbox"})
    assert isinstance(args, DeskEmailIngest)
    return _ingest(tx, desk, args, files)


def _ingest(tx: Write, desk: DeskRow, args: DeskEmailIngest, files: from_mail.MailedFiles) -> Intake:
    if args.automatic and bounces.heard(tx, args.text or ""):
        return senders.ignored()
    called, address = addresses.of_sender(args.from_)
    sender = quota.sender(accounts.key_of(address))
    message = ids.digest(args.message_id.strip()) if args.message_id and args.message_id.strip() else None
    if (known := _taken(tx, desk, sender, message)) is not None:
        return known
    says = (args.text or "").strip() or (args.subject or "").strip() or files.files
    if not says or not mail.reaches(address) or args.automatic or _is_own(tx, address):
        return senders.ignored()
    if args.authentic is False:
        return senders.ignored(reply=senders.FORGED)
    if quota.wait_s(tx, sender) > 0:
        return senders.ignored(reply=senders.TOO_MANY)
    return senders.note(
        tx, desk, sender, message, _take(tx, desk, (called, address), MailToTake(args, files))
    )


def desk_of(tx: Read, token: str) -> DeskRow | None:
    """The open desk that a token opens."""
    return tx.one(f"{_OPEN} and d.mail_digest = :digest", DeskRow, digest=ids.digest(token))


def _taken(tx: Read, desk: DeskRow, sender: bytes, message: bytes | None) -> Intake | None:
    """What became of this mail when it came before from the same sender."""
    if message is None:
        return None
    found = tx.one(
        "select issue from desk_mail where project = :project and message = :message and sender = :sender",
        project=desk["project"],
        sender=sender,
        message=message,
    )
    if found is None:
        return None
    row = tx.stored("issue", [found["issue"]]) if found["issue"] is not None else None
    return senders.ignored(issues.key_of(tx, row) if row is not None else "")


def _is_own(tx: Read, address: str) -> bool:
    """Whether a desk of ours wrote it."""
    own = tx.column("select reply_to from desk where reply_to is not null")
    return thread_id.bare(address) in [thread_id.bare(one) for one in own]


class MailToTake(NamedTuple):
    """What was said, and the files that came with it."""

    args: DeskEmailIngest
    files: from_mail.MailedFiles


def _take(tx: Write, desk: DeskRow, sender: tuple[str, str], got: MailToTake) -> Intake:
    called, address = sender
    args = got.args
    row = accounts.by_email(tx, address)
    if row is None:
        name = args.name or called or address.partition("@")[0]
        who = accounts.Outsider(" ".join(name.split())[:_NAME_CHARS] or address, address)
        row = senders.admit(tx, desk, who, "mail")
    if row is None:
        return senders.ignored(reply=senders.STRANGER)
    if row["blocked_at"] is not None:
        return senders.ignored(reply=senders.SHUT_OUT)
    text = args.text or ""
    issue = _answered(tx, desk, args)
    if issue is not None and (text.strip() or got.files.files):
        key = senders.says(tx, row, issue, quotes.own_text(text) if text.strip() else "", got.files)
        if key is not None:
            return Intake(key=key, reply=f"It was added to {key}.", result="commented")
    return _make(tx, desk, row, got)


def _make(tx: Write, desk: DeskRow, row: CustomerRow, got: MailToTake) -> Intake:
    asking = creation.Asking(row, "mail")
    body = quotes.whole_text(got.args.text or "")
    issue = senders.asks(tx, asking, desk, (quotes.title(got.args.subject or ""), body), got.files)
    if isinstance(issue, str):
        return senders.ignored(reply=issue)
    request = rows.of_issue(tx, issue)
    letters.acknowledge(tx, request, row)
    key = issues.key_of(tx, request.issue)
    return Intake(key=key, reply=f"Your request is here: it is {key}.", result="created")


def _answered(tx: Read, desk: DeskRow, args: DeskEmailIngest) -> int | None:
    """The request of this desk that a mail answers to: by its headers, where it went, or the key in its subject."""
    headers = [text for text in (args.in_reply_to, args.references) if text]
    found = thread_id.named(tx, [*headers, *(args.to or ())])
    if found is None:
        found = _by_messages(tx, desk, " ".join(headers).split())
    if found is None:
        keys = tx.column("select key from project_key where project = :project", project=desk["project"])
        found = letters.in_subject(tx, args.subject or "", keys)
    row = tx.stored("issue", [found]) if found is not None else None
    return row["id"] if row is not None and row["project"] == desk["project"] else None


def _by_messages(tx: Read, desk: DeskRow, messages: list[str]) -> int | None:
    """The request that one of these mails made or was added to."""
    for message in messages[-20:]:
        found: int | None = tx.value(
            "select issue from desk_mail where project = :project and message = :message and issue is not null",
            project=desk["project"],
            message=ids.digest(message),
        )
        if found is not None:
            return found
    return None
