"""The mail server as an admin named it, kept in the data; that of the operator's settings goes before it."""

from email.utils import formataddr

from kbwork.base.errors import MasterKeyLost
from kbwork.core.mail.server import MailServer
from kbwork.core.seal import Seal
from kbwork.db.rows import MailSenderRow
from kbwork.db.tx import Read

_PLACE = "mail sender"
_MEND = "Save the password anew: mail.sender_set."


def stored(tx: Read) -> MailSenderRow | None:
    return tx.stored("mail_sender", [1])


def sealed(tx: Read, password: str) -> bytes:
    return Seal(tx.secret).seal(password.encode(), _PLACE)


def password(tx: Read, row: MailSenderRow) -> str:
    """Raises MasterKeyLost."""
    if row["password"] is None:
        return ""
    return Seal(tx.secret).open(row["password"], _PLACE, _MEND).decode()


def server(tx: Read) -> MailServer | None:
    """What was saved, to be used; None where nothing was, or its password opens no more."""
    row = stored(tx)
    if row is None:
        return None
    try:
        return as_server(row, password(tx, row))
    except MasterKeyLost:
        return None


def as_server(row: MailSenderRow, secret: str) -> MailServer:
    return MailServer(
        host=row["host"],
        port=row["port"],
        security=row["security"],
        user=row["user"],
        password_file="",
        sender=formataddr((row["name"], row["sender"])),
        password=secret,
        guarded=True,
    )


def signature(tx: Read) -> str:
    """What stands under every letter, whichever server it goes by."""
    row = stored(tx)
    return row["signature"] if row is not None else ""
