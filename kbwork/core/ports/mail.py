"""Outgoing mail as rows: a transaction queues a letter, and after its commit the worker hands it to the mail server.

    mailing.to_member(tx, member, Letter(subject="You were named", text="...", about="issue:12"))

A letter that was queued is sent at least once, always under the same Message-ID. While the server sends no mail it is
held; `sends` says so beforehand, for whoever would rather refuse.
"""

import re
from collections.abc import Callable
from typing import TypeGuard

from typing_extensions import TypedDict

from kbwork.base import ids
from kbwork.base.dataclasses import dataclass
from kbwork.base.errors import InvalidInput
from kbwork.base.events import DomainEvent
from kbwork.core.access import visibility
from kbwork.core.ports.extension import Extension
from kbwork.db.rows import MailRow
from kbwork.db.tx import Read, Row, Write

TRIES = 10
FIRST_WAIT_S = 60
LONGEST_WAIT_S = 6 * 3600
KEPT_S = 30 * 86400
FRESH_S = 6 * 3600
"""So long a letter to many is tried: it shows what its reader saw when it was written."""
LONGEST_SUBJECT = 200
_ERROR_CHARS = 300
_ADDRESS_CHARS = 254
_NOWHERE = "kbwork.invalid"
_HIDDEN = re.compile(r"[\s\x00-\x1f\x7f-\x9f\u2028\u2029]+")
_ADDRESS = re.compile(r"""[^\s"(),:;<>@\[\\\]]+@[^\s"(),:;<>@\[\\\]]+""")
_DUE = "state = 'queued' and next_at <= :now"
_GIVEN_UP = "state = 'failed', text = '', html = null"


class MailFailed(DomainEvent):
    """A letter that will not be tried again: the mail server refuses it, or did not take it in ten tries."""

    kind = "mail.failed"
    audience = "admin"


@dataclass(frozen=True, slots=True, kw_only=True)
class Letter:
    """What is written. The text says all; `html` is the same for who likes it better."""

    subject: str
    text: str
    html: str | None = None
    about: str | None = None
    """The subject that it is about: `view:3`."""
    unsubscribe: str | None = None
    """The address of the page that ends such mail. With it the letter is one of a list, and says so."""
    one_click: bool = False
    """Whether a mail program may end it by posting to that page (RFC 8058). Such a letter is for its reader alone, and
    is no less true when it comes late."""
    thread: str | None = None
    """A word for what it belongs to: readers see letters with one word together. ASCII without blanks."""
    reply_to: str | None = None
    """The address that answers go to; None: the sender's."""


class MailChoice(TypedDict):
    """What a letter's link turns off and on: which letters, to whom, and whether they come now."""

    what: str
    name: str
    on: bool


@dataclass(frozen=True, kw_only=True)
class LettersOff(Extension):
    """Ends letters by the link in one of them, without signing in. Declared once."""

    look: Callable[[Read, str], MailChoice]
    """By the token of the link. Raises NotFound for one that is none, or of somebody who left."""
    turn: Callable[[Write, str, bool], MailChoice]
    """The same, turned off or on."""


class SetUp(TypedDict):
    """What the server that runs, or ran last, is: whether it sends mail (1 or 0), the domain of its sender, and what
    stands before the path of a page."""

    sends: int
    domain: str
    origin: str


def set_up(tx: Write, noted: SetUp) -> None:
    """Note what the running server is."""
    tx.execute(
        "insert into mailer (name, sends, domain, origin) values ('mail', :sends, :domain, :origin)"
        " on conflict (name) do update set sends = :sends, domain = :domain, origin = :origin",
        **noted,
    )


def as_set_up(tx: Read) -> SetUp:
    """What was noted; before the first note, a server that sends nothing and has no address yet."""
    found = tx.one("select sends, domain, origin from mailer")
    if found is None:
        return SetUp(sends=0, domain=_NOWHERE, origin="")
    return SetUp(sends=found["sends"], domain=found["domain"], origin=found["origin"])


def sends(tx: Read) -> bool:
    """Whether this server sends mail: the operator names a mail server in the settings."""
    return bool(as_set_up(tx)["sends"])


def origin(tx: Read) -> str:
    """What stands before the path of a page, without a slash at the end."""
    return as_set_up(tx)["origin"]


def reaches(address: str | None) -> TypeGuard[str]:
    """Whether this can stand in a letter as the one address that it goes to."""
    return (
        address is not None
        and len(address) <= _ADDRESS_CHARS
        and address.isprintable()
        and _ADDRESS.fullmatch(address) is not None
    )


def to_member(tx: Write, member: str, letter: Letter) -> int | None:
    """Queue a letter to a member; answers its id, or None for one who is not active or has no address."""
    address = tx.value("select email from member where id = :id and state = 'active'", id=member)
    if not reaches(address):
        return None
    return _queue(tx, address, letter, member)


def to_address(tx: Write, address: str, letter: Letter) -> int:
    """Queue a letter to an address, whoever has it; answers its id. Raises InvalidInput for what is no address."""
    if not reaches(address):
        raise InvalidInput(f"{address!r} is no address that mail can go to.")
    return _queue(tx, address, letter, None)


def _queue(tx: Write, address: str, letter: Letter, member: str | None) -> int:
    here = as_set_up(tx)
    tx.execute(
        "insert into mail (member, address, subject, text, html, message_id, about, unsubscribe, state, tries, at,"
        " next_at, thread, one_click, reply_to) values (:member, :address, :subject, :text, :html, :message_id, :about,"
        " :unsubscribe, :state, 0, :now, :now, :thread, :one_click, :reply_to)",
        member=member,
        address=address,
        subject=one_line(letter.subject)[:LONGEST_SUBJECT],
        text=letter.text,
        html=letter.html,
        message_id=f"<{ids.short(24)}@{here['domain']}>",
        about=letter.about,
        unsubscribe=letter.unsubscribe,
        thread=f"<{letter.thread}@{here['domain']}>" if letter.thread is not None else None,
        one_click=int(letter.one_click),
        reply_to=letter.reply_to if reaches(letter.reply_to) else None,
        state="queued" if here["sends"] else "held",
        now=tx.now,
    )
    tx.wake()
    return int(tx.value("select last_insert_rowid()"))


def one_line(text: str) -> str:
    """A text that can stand in a header: no line ends, no control characters."""
    return _HIDDEN.sub(" ", text).strip()


# What the worker asks.


def is_due(tx: Read) -> bool:
    """Whether some letter waits to be handed over."""
    return tx.value(f"select 1 from mail where {_DUE} limit 1", now=tx.now) is not None


def take(tx: Write, most: int) -> list[MailRow]:
    """So many letters that are due, each counted as tried: whoever dies now tries again after the wait.

    What waits for a member who left meanwhile, or sees what it is about no more, is given up, and so is a letter to
    many that is out of date.
    """
    tx.execute(
        f"update mail set {_GIVEN_UP}, error = 'They left.' where {_DUE} and member in"
        " (select id from member where state not in ('active', 'invited'))",
        now=tx.now,
    )
    rows = tx.all(
        f"select * from mail where {_DUE} order by next_at, id limit :most", MailRow, now=tx.now, most=most
    )
    found = []
    for row in rows:
        if why := _in_vain(tx, row):
            tx.execute(f"update mail set {_GIVEN_UP}, error = :why where id = :id", why=why, id=row["id"])
            continue
        row["tries"] += 1
        tx.execute(
            "update mail set tries = :tries, next_at = :next where id = :id",
            tries=row["tries"],
            next=tx.now + wait_s(row["tries"]),
            id=row["id"],
        )
        found.append(row)
    return found


def _in_vain(tx: Read, row: MailRow) -> str | None:
    """Why a letter that was written earlier is not to go any more."""
    if row["unsubscribe"] is not None and not row["one_click"] and tx.now - row["at"] > FRESH_S:
        return "It is out of date."
    if row["member"] is None or row["about"] is None:
        return None
    seen = visibility.find(visibility.as_member(tx, row["member"]), row["about"])
    return "They see no more what it is about." if seen is None else None


def wait_s(tries: int) -> int:
    """How long after so many tries the next one is made: from a minute, three times as long each time, to six hours."""
    return int(min(LONGEST_WAIT_S, FIRST_WAIT_S * 3 ** (tries - 1)))


def sent(tx: Write, row: MailRow) -> None:
    """The mail server took it: what it said is kept no longer."""
    tx.execute(
        f"update mail set state = 'sent', text = '', html = null, error = null where {_SAME}", **_named(row)
    )


def refused(tx: Write, row: MailRow, error: str, *, final: bool) -> None:
    """It was not taken: it waits for its next try, or is given up and told to admins; what it said goes with it."""
    error = one_line(error)[:_ERROR_CHARS]
    if not final and row["tries"] < TRIES:
        tx.execute(
            f"update mail set error = :error, next_at = :next where {_SAME}",
            error=error,
            next=tx.now + wait_s(row["tries"]),
            **_named(row),
        )
        return
    if tx.execute(f"update mail set {_GIVEN_UP}, error = :error where {_SAME}", error=error, **_named(row)):
        payload = {"mail": row["id"], "to": row["address"], "about": row["about"], "error": error}
        tx.emit(MailFailed(subject="org:1", payload=payload))


def give_back(tx: Write, rows: list[MailRow]) -> None:
    """What was taken and not tried is tried soon, and that counts as no try."""
    for row in rows:
        tx.execute(
            f"update mail set tries = tries - 1, next_at = :next where {_SAME}",
            next=tx.now + FIRST_WAIT_S,
            **_named(row),
        )


_SAME = "id = :id and message_id = :message_id and state = 'queued'"
"""Still the letter that was taken: a backup may have been put back meanwhile, whose numbers are others'."""


def _named(row: MailRow) -> Row:
    return {"id": row["id"], "message_id": row["message_id"]}


def hold(tx: Write) -> None:
    """Send nothing of what waits: data that were put back hold letters that may have gone out long ago."""
    tx.execute("update mail set state = 'held' where state = 'queued'")


def is_old(tx: Read) -> bool:
    """Whether there is anything to sweep."""
    return tx.value(f"select 1 from mail where {_OLD} limit 1", before=tx.trusted_now - KEPT_S) is not None


def sweep(tx: Write) -> None:
    """Forget what ended thirty days ago, some hundreds at a time."""
    tx.execute(
        f"delete from mail where id in (select id from mail where {_OLD} order by at limit 500)",
        before=tx.trusted_now - KEPT_S,
    )


_OLD = "state <> 'queued' and at < :before"


def forget(tx: Write, member: str) -> None:
    """Forget all mail to a member."""
    tx.execute("delete from mail where member = :member", member=member)
