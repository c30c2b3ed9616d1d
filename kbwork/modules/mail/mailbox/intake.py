"""What becomes of a mail: a request, an issue, a page, or something said on one."""

import re
from typing import NamedTuple

from kbwork.base import ids
from kbwork.base.caller import Caller
from kbwork.base.dataclasses import replace
from kbwork.base.errors import Problem
from kbwork.core.access import identify, impersonate
from kbwork.core.mail import addresses, bounces, quotes, sender, suppression
from kbwork.core.mail.received import ReceivedMail
from kbwork.core.operations import nested
from kbwork.core.ports import mail
from kbwork.core.things.thing import ref_of
from kbwork.db.rows import MailboxRow
from kbwork.db.tx import Read, Write
from kbwork.modules import desk, issues
from kbwork.modules.attachments import add as attach
from kbwork.modules.attachments import from_mail
from kbwork.modules.mail.mailbox import senders

_SCOPES = frozenset(
    {
        "issues:read",
        "issues:write",
        "comments:read",
        "comments:write",
        "attachments:write",
        "pages:read",
        "pages:write",
        "projects:read",
    }
)
"""What a mail may do in the name of whoever it says that it is from."""
_KEY = re.compile(r"\b[A-Za-z][A-Za-z0-9_]{0,19}-\d{1,9}\b")
_MOST_HEADERS = 30
_MOST_AN_HOUR = 60
_HOUR_S = 3600
STRANGER = "It is not from a member, and the mailbox does not allow its sender."
FORGED = "The mail server says that it is not from whom it says."
TOO_MANY = "Too much came from this sender in the last hour."
_UNSAID = "(files without a text)"
LEFT = "Whoever saved the mailbox is no admin any more: save it again."


class MailFate(NamedTuple):
    """What became of a mail: `result` as it is kept, the subject, and why where nothing came of it."""

    result: str
    subject: str | None = None
    why: str | None = None


class ReadMail(NamedTuple):
    """A mail, and the files on it as far as they may be kept."""

    mail: ReceivedMail
    files: from_mail.MailedFiles


def take(tx: Write, box: MailboxRow, read: ReadMail) -> MailFate:
    """Take a mail in. What is refused changes nothing else."""
    got = read.mail
    name, address = addresses.of_sender(got.sender)
    if got.automatic:
        heard = bounces.heard(tx, got.report or got.text)
        return MailFate("ignored", why="It says that a letter came back." if heard else "A program wrote it.")
    if unheard := _unheard(tx, box, got, address):
        return unheard
    try:
        with tx.attempt():
            return (
                _to_desk(tx, box, read)
                if box["target"] == "desk"
                else _as_member(tx, box, read, (name, address))
            )
    except Problem as problem:
        return MailFate("refused", why=problem.detail)


def _unheard(tx: Read, box: MailboxRow, got: ReceivedMail, address: str) -> MailFate | None:
    """Why nothing comes of a mail, whatever it says."""
    if not mail.reaches(address) or _is_own(tx, address):
        return MailFate("ignored", why="It has no sender, or is of ours.")
    if not senders.is_heard(box, address):
        return MailFate("ignored", why="The mailbox does not hear its sender.")
    if got.authentic is False:
        return MailFate("refused", why=FORGED)
    return MailFate("ignored", why=TOO_MANY) if _sends_too_much(tx, address) else None


def digest_of(address: str) -> bytes:
    """What a sender is counted by."""
    return ids.digest(f"sender:{suppression.key_of(address)}")


def sender_digest(header: str) -> bytes | None:
    address = addresses.of_sender(header)[1]
    return digest_of(address) if address else None


def _is_own(tx: Read, address: str) -> bool:
    """Whether it comes from where our letters come from."""
    row = sender.stored(tx)
    return row is not None and suppression.key_of(row["sender"]) == suppression.key_of(address)


def _sends_too_much(tx: Read, address: str) -> bool:
    found: int = tx.value(
        "select count(*) from mailbox_mail where sender = :sender and at > :since"
        " and result in ('created', 'commented')",
        sender=digest_of(address),
        since=tx.now - _HOUR_S,
    )
    return found >= _MOST_AN_HOUR


def _to_desk(tx: Write, box: MailboxRow, read: ReadMail) -> MailFate:
    assert box["project"] is not None
    got = read.mail
    threaded = {"message_id": got.message_id, "in_reply_to": got.in_reply_to, "references": got.references}
    value = {
        "from": got.sender,
        "subject": got.subject,
        "text": got.text,
        "to": list(got.to),
        **{name: text for name, text in threaded.items() if text},
    }
    told = desk.take_mail(tx, box["project"], value, read.files)
    ident = issues.ident_of(tx, told["key"]) if told["key"] else None
    return MailFate(told["result"], f"issue:{ident}" if ident is not None else None, told["reply"] or None)


def _as_member(tx: Write, box: MailboxRow, read: ReadMail, who: tuple[str, str]) -> MailFate:
    """Raises what the operations raise."""
    name, address = who
    got = read.mail
    member: str | None = tx.value(
        "select id from member where lower(email) = :key and state = 'active'",
        key=suppression.key_of(address),
    )
    stranger = member is None
    if stranger and not senders.is_named(box, address):
        return MailFate("refused", why=STRANGER)
    caller = _caller(tx, member if member is not None else box["created_by"], stranger=stranger)
    if caller is None:
        return MailFate("refused", why=LEFT)
    text = quotes.own_text(got.text)
    intro = f"> {' '.join(name.split()) or address} ({address}) wrote by mail:\n\n" if stranger else ""
    files = from_mail.fitting(tx, read.files)
    answered = _answered(tx, box, got, any_key=not stranger)
    with impersonate.instead(tx, caller):
        says = text or (_UNSAID if files.files else "")
        if answered is not None and says and (fate := _say(tx, answered, intro + says, files)):
            return fate
        return _make(tx, box, ReadMail(got, files), intro)


def _caller(tx: Read, member: str, *, stranger: bool) -> Caller | None:
    """A member, with what a mail may do; for strangers an admin."""
    found = identify.of_member(tx, member)
    if found is None or (stranger and not found.admin):
        return None
    return replace(found, scopes=found.scopes & _SCOPES)


def _say(tx: Write, subject: str, text: str, files: from_mail.MailedFiles) -> MailFate | None:
    """None where that is not there any more, or not theirs to comment on: then it is something new."""
    try:
        with tx.attempt():
            # Letters about notes and about answers look alike in a mailbox: nothing goes on to a customer from there.
            on = nested.run(tx, "issues.get", {"key": subject}) if subject.startswith("issue:") else None
            note = {"internal": True} if on is not None and on["request"] is not None else {}
            said = nested.run(tx, "comments.create", {"subject": subject, "body": files.told(text), **note})
            _hang(tx, f"comment:{said['id']}", files)
    except Problem:
        return None
    return MailFate("commented", subject)


def _make(tx: Write, box: MailboxRow, read: ReadMail, intro: str) -> MailFate:
    title = quotes.title(read.mail.subject)
    body = read.files.told(intro + quotes.whole_text(read.mail.text))
    if box["target"] == "page_space":
        key = tx.value("select key from space where id = :id", id=box["space"])
        page = nested.run(tx, "pages.create", {"space": key, "title": title, "body": body})
        _hang(tx, f"page:{page['id']}", read.files)
        return MailFate("created", f"page:{page['id']}")
    key = tx.value("select key from project where id = :id", id=box["project"])
    issue = nested.run(tx, "issues.create", {"project": key, "title": title, "body": body})
    _hang(tx, f"issue:{issue['id']}", read.files)
    return MailFate("created", f"issue:{issue['id']}")


def _hang(tx: Write, subject: str, files: from_mail.MailedFiles) -> None:
    for file in files.files:
        attach.hang_on(tx, subject, file)


def _answered(tx: Read, box: MailboxRow, got: ReceivedMail, *, any_key: bool) -> str | None:
    """What a mail answers to: a letter of ours, a mail that came before, or what its subject names."""
    messages = f"{got.references} {got.in_reply_to}".split()[-_MOST_HEADERS:]
    for message in reversed(messages):
        found: str | None = tx.value(
            "select subject from mailbox_mail where mailbox = :box and message = :message and subject is not null",
            box=box["id"],
            message=ids.digest(message),
        )
        if found is None and any_key:
            found = tx.value("select about from mail where message_id = :id", id=message)
        if found is not None and (any_key or _lies_in(tx, box, found)):
            return found
    key = (
        _KEY.search(got.subject) if any_key and got.subject.lower().startswith(("re:", "aw:", "[")) else None
    )
    ident = issues.ident_of(tx, key[0]) if key is not None else None
    return f"issue:{ident}" if ident is not None else None


def _lies_in(tx: Read, box: MailboxRow, subject: str) -> bool:
    """Whether a thing is still where mail of this mailbox goes: strangers are let in there and nowhere else, though
    they write in the name of an admin."""
    kind, ref = ref_of(subject)
    if kind not in ("issue", "page"):
        return False
    column = "project" if kind == "issue" else "space"
    place = tx.value(f"select {column} from {kind} where id = :id", id=int(ref))
    return place is not None and place == box[column]
