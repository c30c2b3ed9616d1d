"""Outgoing mail as rows: a transaction queues a letter, and after its commit the worker hands it to the mail server.

    mailing.to_member(tx, member, Letter(subject="You were named", text="...", about="issue:12"))

A letter that was queued is sent at least once, always under the same Message-ID. While the server sends no mail it is
held; `sends` says so beforehand, for whoever would rather refuse. So is what is for an address that mail came back
from for good.
"""

import re
from collections.abc import Callable
from typing import Literal, NotRequired, TypeGuard

from typing_extensions import TypedDict

from kbwork.base import ids
from kbwork.base.dataclasses import dataclass, replace
from kbwork.base.errors import InvalidInput
from kbwork.base.events import DomainEvent
from kbwork.core.access import visibility
from kbwork.core.mail import sender, suppression, templates
from kbwork.core.mail.templates import OwnWords
from kbwork.core.ports.extension import Extension
from kbwork.db.rows import MailerRow, MailRow
from kbwork.db.tx import Read, Row, Write

TRIES = 10
FIRST_WAIT_S = 60
LONGEST_WAIT_S = 6 * 3600
KEPT_S = 30 * 86400
RETRY_S = 3 * 86400
"""So long what a given up letter says is kept, so that it can be sent again."""
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
    words: OwnWords | None = None
    """What it is made of where an admin worded letters of its kind."""


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


Source = Literal["settings", "saved", "none"]


class SetUp(TypedDict):
    """What the server that runs, or ran last, is: whether it sends mail (1 or 0), the domain of its sender, and what
    stands before the path of a page."""

    sends: int
    domain: str
    origin: str
    source: NotRequired[Source]
    """Where the mail server is named: in the operator's settings, or saved by an admin."""
    place: NotRequired[str]
    """What that server is called."""


def set_up(tx: Write, noted: SetUp) -> None:
    """Note what the running server is."""
    tx.execute(
        "insert into mailer (name, sends, domain, origin, source, place)"
        " values ('mail', :sends, :domain, :origin, :source, :place) on conflict (name) do update set"
        " sends = :sends, domain = :domain, origin = :origin, source = :source, place = :place",
        **{"source": "settings" if noted["sends"] else "none", "place": "", **noted},
    )


def as_set_up(tx: Read) -> SetUp:
    """What was noted; before the first note, a server that sends nothing and has no address yet."""
    found = tx.one("select * from mailer", MailerRow)
    if found is None:
        return SetUp(sends=0, domain=_NOWHERE, origin="", source="none", place="")
    return SetUp(
        sends=found["sends"],
        domain=found["domain"],
        origin=found["origin"],
        source=found["source"],
        place=found["place"],
    )


def sends(tx: Read) -> bool:
    """Whether this server sends mail: the operator names a mail server in the settings, or an admin saved one."""
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
    bounced = suppression.is_suppressed(tx, address)
    letter = _worded(tx, letter, member)
    text, html = _signed(letter, sender.signature(tx))
    tx.execute(
        "insert into mail (member, address, subject, text, html, message_id, about, unsubscribe, state, tries, error,"
        " at, next_at, thread, one_click, reply_to) values (:member, :address, :subject, :text, :html, :message_id,"
        " :about, :unsubscribe, :state, 0, :error, :now, :now, :thread, :one_click, :reply_to)",
        member=member,
        address=address,
        subject=one_line(letter.subject)[:LONGEST_SUBJECT],
        text=text,
        html=html,
        message_id=f"<{ids.short(24)}@{here['domain']}>",
        about=letter.about,
        unsubscribe=letter.unsubscribe,
        thread=f"<{letter.thread}@{here['domain']}>" if letter.thread is not None else None,
        one_click=int(letter.one_click),
        reply_to=letter.reply_to if reaches(letter.reply_to) else None,
        state="queued" if here["sends"] and not bounced else "held",
        error=suppression.HELD if bounced else None,
        now=tx.now,
    )
    tx.wake()
    return int(tx.value("select last_insert_rowid()"))


def _worded(tx: Read, letter: Letter, member: str | None) -> Letter:
    """The letter in an admin's words, where there are some for its kind and reader."""
    words = letter.words
    if words is None:
        return letter
    locale = words.locale
    if locale is None and member is not None:
        locale = tx.value("select locale from member where id = :id", id=member)
    row = templates.own(tx, words.template, locale)
    if row is None:
        return letter
    subject, text, html = templates.write(row, words.values)
    return replace(letter, subject=subject, text=text, html=html)


def _signed(letter: Letter, signature: str) -> tuple[str, str | None]:
    """Text and HTML with what an admin wants under every letter."""
    if not signature:
        return letter.text, letter.html
    text = f"{letter.text.rstrip()}\n\n{signature}\n"
    if letter.html is None:
        return text, None
    from html import escape  # noqa: PLC0415 - only a letter needs it

    below = "<p>" + "<br>\n".join(escape(line) for line in signature.splitlines()) + "</p>\n"
    head, end, rest = letter.html.rpartition("</body>")
    return text, f"{head}{below}{end}{rest}" if end else letter.html + below


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
            next=_next(tx, row["tries"]),
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


def _next(tx: Read, tries: int) -> int:
    """When the next try is: up to a tenth later than asked, so that what failed together does not come back so."""
    wait = wait_s(tries)
    return tx.now + wait + int.from_bytes(ids.random_bytes(2)) % (wait // 10 + 1)


def sent(tx: Write, row: MailRow) -> None:
    """The mail server took it: what it said is kept no longer."""
    tx.execute(
        f"update mail set state = 'sent', text = '', html = null, error = null where {_SAME}", **_named(row)
    )


def refused(tx: Write, row: MailRow, error: str, *, final: bool) -> None:
    """It was not taken: it waits for its next try, or is given up and told to admins."""
    error = one_line(error)[:_ERROR_CHARS]
    if not final and row["tries"] < TRIES:
        tx.execute(
            f"update mail set error = :error, next_at = :next where {_SAME}",
            error=error,
            next=_next(tx, row["tries"]),
            **_named(row),
        )
        return
    if tx.execute(
        f"update mail set state = 'failed', error = :error where {_SAME}", error=error, **_named(row)
    ):
        payload = {"mail": row["id"], "to": row["address"], "about": row["about"], "error": error}
        tx.emit(MailFailed(subject="org:1", payload=payload))


def bounced(tx: Write, row: MailRow, error: str) -> None:
    """There is no such address: it is given up, and nothing more is sent there."""
    refused(tx, row, error, final=True)
    suppression.suppress(tx, row["address"], one_line(error))


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
    return any(
        tx.value(f"select 1 from mail where {which} limit 1", before=tx.trusted_now - kept) is not None
        for which, kept in ((_OLD, KEPT_S), (_TOLD, RETRY_S))
    )


def sweep(tx: Write) -> None:
    """Forget what ended thirty days ago, and what given up letters said; some hundreds at a time."""
    tx.execute(
        f"delete from mail where id in (select id from mail where {_OLD} order by at limit 500)",
        before=tx.trusted_now - KEPT_S,
    )
    tx.execute(
        f"update mail set text = '', html = null where id in (select id from mail where {_TOLD} order by at limit 500)",
        before=tx.trusted_now - RETRY_S,
    )


_OLD = "state <> 'queued' and at < :before"
_TOLD = "state = 'failed' and at < :before and text <> ''"


# What admins ask.


def listed(tx: Read, state: str | None, below: int | None, most: int) -> list[MailRow]:
    """Letters, newest first, below this number."""
    return tx.all(
        "select * from mail where (:state is null or state = :state) and (:below is null or id < :below)"
        " order by id desc limit :most",
        MailRow,
        state=state,
        below=below,
        most=most,
    )


def send_again(tx: Write, row: MailRow) -> None:
    """Try a letter that was given up, held or waits, at once and as often as a new one."""
    tx.execute(
        "update mail set state = 'queued', tries = 0, error = null, next_at = :now where id = :id",
        now=tx.now,
        id=row["id"],
    )
    tx.wake()


def drop(tx: Write, row: MailRow, why: str) -> None:
    """Send a letter no more; what it said goes."""
    tx.execute(f"update mail set {_GIVEN_UP}, error = :why where id = :id", why=why, id=row["id"])


def forget(tx: Write, member: str) -> None:
    """Forget all mail to a member, and that it came back."""
    address = tx.value("select email from member where id = :member", member=member)
    tx.execute("delete from mail where member = :member", member=member)
    if address is not None:
        tx.execute("delete from mail where lower(address) = :key", key=suppression.key_of(address))
        suppression.release(tx, address)
