"""Reading mailboxes: each in its own time, mail by mail, and each mail once.

A mail is noted as begun before anything is made of it, and what became of it is written with what was made, in one
transaction. So whoever dies in between takes it again and nothing was made; one that is begun three times and never
ended is left alone, and the rest goes on. The far end is told what was read in the next look.
"""

from functools import partial

from kbwork.base import ids
from kbwork.base.dataclasses import dataclass
from kbwork.base.errors import MasterKeyLost, Problem
from kbwork.core import org_settings
from kbwork.core.jobs.chores import Errand
from kbwork.core.mail import received
from kbwork.core.mail.lines import Pulled, PullOrder, RemoteMail, RemoteMailbox
from kbwork.core.mail.received import ReceivedMail
from kbwork.core.operations.external import External
from kbwork.db.rows import MailboxRow
from kbwork.db.tx import Read, Write
from kbwork.modules.attachments import from_mail
from kbwork.modules.mail.mailbox import intake, queries
from kbwork.modules.mail.mailbox.intake import MailFate, ReadMail

AT_ONCE = 10
MOST_TRIES = 3
_MOST_BOXES = 4
_LATER_S = 900
_ERROR_CHARS = 300
_TOO_LARGE = "It is larger than 12 MB, or cannot be fetched."
_UNREADABLE = "It was begun three times and never came to an end."


@dataclass(frozen=True, slots=True)
class BoxToRead:
    """A mailbox, what of it was taken, and what of that the far end is to be told."""

    row: MailboxRow
    remote: RemoteMailbox
    known: frozenset[str]
    settled: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BoxLook:
    """What came of a look."""

    row: MailboxRow
    settled: tuple[str, ...] = ()
    found: int = 0
    error: str | None = None


def box(tx: Read, row: MailboxRow) -> BoxToRead:
    """Raises MasterKeyLost."""
    known = tx.column(
        "select uid from mailbox_mail where mailbox = :id and (result <> 'begun' or tries >= :most)",
        id=row["id"],
        most=MOST_TRIES,
    )
    settled = tx.column(
        "select uid from mailbox_mail where mailbox = :id and settled = 0 and result in"
        " ('created', 'commented', 'ignored') order by id limit 500",
        id=row["id"],
    )
    return BoxToRead(row, queries.remote(tx, row), frozenset(known), tuple(settled))


def _due(tx: Read) -> list[int]:
    if org_settings.module_off(tx, "mail"):
        return []
    return tx.column("select id from mailbox where next_at <= :now order by next_at, id", now=tx.now)


def _look(tx: Read, ident: int) -> BoxToRead | BoxLook | None:
    row: MailboxRow | None = tx.stored("mailbox", [ident])
    if row is None or row["next_at"] is None or row["next_at"] > tx.now:
        return None
    try:
        return box(tx, row)
    except MasterKeyLost as problem:
        return BoxLook(row, error=problem.detail)


async def _wait(out: External, found: BoxToRead | BoxLook) -> BoxLook:
    if isinstance(found, BoxLook):
        return found
    order = PullOrder(found.known, found.settled, bool(found.row["delete_after"]), AT_ONCE)
    try:
        pulled: Pulled = await out.mail_lines.pull(found.remote, order)
    except Problem as problem:
        return BoxLook(found.row, error=problem.detail)
    for one in pulled.mails:
        await _take(out, found.row, one)
    return BoxLook(found.row, found.settled, len(pulled.mails))


async def _take(out: External, row: MailboxRow, one: RemoteMail) -> None:
    if not await out.write(partial(_begin, row, one.uid)):
        return
    got: ReadMail | str
    try:
        got = await out.thread(_read, one.raw) if one.raw is not None else _TOO_LARGE
    except Problem as problem:
        got = problem.detail
    await out.write(partial(_end, row, one.uid, got))


def _read(raw: bytes) -> ReadMail:
    """Raises InvalidInput for what is no mail."""
    mail = received.parse(raw)
    return ReadMail(mail, from_mail.sniffed(mail.files))


def _begin(row: MailboxRow, uid: str, tx: Write) -> bool:
    """Whether it is to be taken: the mailbox stands, and this was not begun too often."""
    tx.op = "errand.mail.read"
    if not _stands(tx, row):
        return False
    tx.execute(
        "insert into mailbox_mail (mailbox, uid, result, tries, settled, at) values (:box, :uid, 'begun', 1, 0, :now)"
        " on conflict (mailbox, uid) do update set tries = tries + 1",
        box=row["id"],
        uid=uid,
        now=tx.now,
    )
    tries: int = tx.value(
        "select tries from mailbox_mail where mailbox = :box and uid = :uid", box=row["id"], uid=uid
    )
    if tries >= MOST_TRIES:
        _note(tx, row["id"], uid, MailFate("failed", why=_UNREADABLE))
    return tries < MOST_TRIES


def _stands(tx: Read, row: MailboxRow) -> bool:
    """Whether it is the mailbox that was looked into: other data may have taken its place."""
    now: MailboxRow | None = tx.stored("mailbox", [row["id"]])
    return now is not None and (now["created_at"], now["host"], now["user"]) == (
        row["created_at"],
        row["host"],
        row["user"],
    )


def _end(row: MailboxRow, uid: str, got: ReadMail | str, tx: Write) -> None:
    tx.op = "errand.mail.read"
    if not _stands(tx, row):
        return
    if isinstance(got, str):
        _note(tx, row["id"], uid, MailFate("failed", why=got))
        return
    _note(tx, row["id"], uid, taken_once(tx, row, got), got.mail)


def taken_once(tx: Write, row: MailboxRow, got: ReadMail) -> MailFate:
    """What becomes of a mail; nothing of one of the same sender whose Message-ID was taken here before: nobody keeps
    another's mail out by sending its number first."""
    before = tx.value(
        "select 1 from mailbox_mail where mailbox = :box and message = :message and sender is :sender",
        box=row["id"],
        message=ids.digest(got.mail.message_id) if got.mail.message_id else None,
        sender=intake.sender_digest(got.mail.sender),
    )
    if before is not None:
        return MailFate("ignored", why="It was taken before.")
    return intake.take(tx, row, got)


def _note(tx: Write, ident: int, uid: str, fate: MailFate, got: ReceivedMail | None = None) -> None:
    tx.execute(
        "update mailbox_mail set result = :result, subject = :subject, why = :why, message = :message, sender = :sender"
        " where mailbox = :box and uid = :uid",
        result=fate.result,
        subject=fate.subject,
        why=fate.why[:_ERROR_CHARS] if fate.why else None,
        message=ids.digest(got.message_id) if got is not None and got.message_id else None,
        sender=intake.sender_digest(got.sender) if got is not None else None,
        box=ident,
        uid=uid,
    )


def _write(tx: Write, look: BoxLook) -> None:
    row = look.row
    if not _stands(tx, row):
        return
    for uid in look.settled:
        tx.execute(
            "update mailbox_mail set settled = 1 where mailbox = :box and uid = :uid", box=row["id"], uid=uid
        )
    wait_s = 60 * row["every_minutes"]
    if look.error is not None:
        wait_s = max(wait_s, _LATER_S)
    elif look.found:  # more may wait, and the far end is to be told of these
        wait_s = 0
    tx.execute(
        "update mailbox set next_at = :next, last_at = :now, last_error = :error"
        " where id = :id and next_at is not null",
        next=tx.now + wait_s,
        now=tx.now,
        error=look.error,
        id=row["id"],
    )


READ = Errand(
    home=__name__, name="mail.read", most=_MOST_BOXES, due=_due, look=_look, wait=_wait, write=_write
)
