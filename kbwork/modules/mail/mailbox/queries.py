"""Mailboxes as rows and in their shape."""

import json

from kbwork.base import ids
from kbwork.core import named
from kbwork.core.mail.lines import RemoteMailbox
from kbwork.core.seal import Seal
from kbwork.db.rows import MailboxRow
from kbwork.db.tx import Read
from kbwork.modules import spaces
from kbwork.modules.mail.model import Mailbox, MailTarget
from kbwork.modules.projects import access as projects

PATH = "/in/mail/"
GONE = "(gone)"
"""In the place of what the caller does not see."""
_MEND = "Save the mailbox with its password anew: mail.mailbox_save."


def stored(tx: Read, ident: int) -> MailboxRow:
    """Raises NotFound."""
    return named.known(tx.stored("mailbox", [ident]), "mailbox", ident, "mail.mailboxes")


def every(tx: Read) -> list[MailboxRow]:
    return tx.all("select * from mailbox order by id", MailboxRow)


def by_token(tx: Read, token: str) -> MailboxRow | None:
    return tx.one("select * from mailbox where digest = :digest", MailboxRow, digest=ids.digest(token))


def sealed(tx: Read, ident: int, what: str, plain: str) -> bytes:
    return Seal(tx.secret).seal(plain.encode(), place_of(ident, what))


def place_of(ident: int, what: str) -> str:
    """What a sealed secret of a mailbox is bound to."""
    return f"mailbox {what}:{ident}"


def opened(tx: Read, row: MailboxRow, what: str) -> str:
    """Its password or token. Raises MasterKeyLost."""
    kept = row["password"] if what == "password" else row["token"]
    if kept is None:
        return ""
    return Seal(tx.secret).open(kept, place_of(row["id"], what), _MEND).decode()


def remote(tx: Read, row: MailboxRow) -> RemoteMailbox:
    """To be looked into. Raises MasterKeyLost."""
    assert row["protocol"] != "hook"
    return RemoteMailbox(
        protocol=row["protocol"],
        host=row["host"],
        port=row["port"],
        security=row["security"],
        user=row["user"],
        password=opened(tx, row, "password"),
        folder=row["folder"],
    )


def target_seen(tx: Read, row: MailboxRow) -> bool:
    """Whether the caller sees what its mail becomes."""
    if row["target"] == "page_space":
        return row["space"] in spaces.access.levels(tx)
    return row["project"] in projects.roles(tx)


def shown(tx: Read, row: MailboxRow, *, saved: bool = False) -> Mailbox:
    """The path of a hook is told to who `saved` it: whoever knows it speaks as everybody."""
    seen = target_seen(tx, row)
    return Mailbox(
        id=row["id"],
        name=row["name"],
        protocol=row["protocol"],
        host=row["host"],
        port=row["port"],
        security=row["security"],
        user=row["user"],
        has_password=row["password"] is not None,
        folder=row["folder"],
        hook_path=PATH + opened(tx, row, "token") if saved and row["token"] is not None else None,
        target=_target(tx, row) if seen else _named(row, GONE),
        every_minutes=row["every_minutes"],
        delete_after=bool(row["delete_after"]),
        allow=json.loads(row["allow"]),
        deny=json.loads(row["deny"]),
        last_at=row["last_at"],
        last_error=row["last_error"],
        next_at=row["next_at"],
    )


def _target(tx: Read, row: MailboxRow) -> MailTarget:
    table, ident = ("space", row["space"]) if row["target"] == "page_space" else ("project", row["project"])
    return _named(row, tx.value(f"select key from {table} where id = :id", id=ident))


def _named(row: MailboxRow, key: str) -> MailTarget:
    if row["target"] == "page_space":
        return {"page_space": key}
    return {"desk": key} if row["target"] == "desk" else {"project": key}
