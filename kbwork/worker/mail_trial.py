"""One letter by the mail server at once, past the queue: for the operator who sets it up."""

import ssl
from typing import TYPE_CHECKING

from kbwork.base import ids
from kbwork.base.errors import UpstreamFailed
from kbwork.core.mail.server import MailServer, MailServerUnreachable
from kbwork.core.ports.mail import Letter
from kbwork.db.rows import MailRow
from kbwork.worker.trust import client_context

if TYPE_CHECKING:
    from kbwork.worker.mail_folder import MailFolder
    from kbwork.worker.smtp import SmtpConnection

_HINTS = (
    ("cannot do what the settings ask", "set mail.security to tls or none, as the server has it"),
    ("WRONG_VERSION_NUMBER", "mail.security and mail.port do not fit: tls goes with 465, starttls with 587"),
    ("CERTIFICATE_VERIFY_FAILED", "mail.host should be the name that stands in the server's certificate"),
    ("said 535", "look at mail.user, and at what is in the file of mail.password_file"),
    ("said 530", "the server wants a sign-in: set mail.user and mail.password_file"),
    ("password_file", "let the user that kbwork runs as read that file"),
    ("mail.folder", "name a folder that the user that kbwork runs as may write to, beside that of the data"),
    ("gaierror", "look at mail.host: there is no machine of this name"),
    ("Error:", "look at mail.host, mail.port and mail.security, and whether a firewall is in between"),
)
"""A word of what went wrong -> how to mend it; the first that fits."""
_OF_LETTER = "look whether the server lets mail.from send, and takes mail to this address"


def send(server: MailServer, to: str, letter: Letter, now: int, tls: ssl.SSLContext | None = None) -> str:
    """Hand a letter over; answers what the mail server said to it. Blocks. Raises UpstreamFailed with
    how to mend it."""
    from kbwork.worker.mail_folder import MailFolder  # noqa: PLC0415 - its packages are for who sends mail
    from kbwork.worker.smtp import SmtpConnection  # noqa: PLC0415 - likewise

    by_folder = MailFolder(server.folder, server.sender) if server.folder else None
    return over(by_folder or SmtpConnection(server, tls or client_context()), server, to, letter, now)


def over(line: "SmtpConnection | MailFolder", server: MailServer, to: str, letter: Letter, now: int) -> str:
    """The same over a line that is not open yet, which is closed behind it."""
    try:
        line.open()
        refusal = line.send(_row(server, to, letter, now))
    except MailServerUnreachable as error:
        raise UpstreamFailed(
            _mended(server, str(error), "look at the section [mail] of the settings")
        ) from None
    finally:
        line.close()
    if refusal is not None:
        raise UpstreamFailed(_mended(server, refusal.error, _OF_LETTER))
    return line.said


def _mended(server: MailServer, error: str, otherwise: str) -> str:
    hint = next((hint for word, hint in _HINTS if word in error), otherwise)
    return f"{server.place}: {error.rstrip('.')}: {hint}."


def _row(server: MailServer, to: str, letter: Letter, now: int) -> MailRow:
    return MailRow(
        id=0,
        member=None,
        address=to,
        subject=letter.subject,
        text=letter.text,
        html=letter.html,
        message_id=f"<{ids.short(24)}@{server.domain}>",
        about=None,
        thread=None,
        reply_to=None,
        one_click=0,
        unsubscribe=None,
        state="queued",
        tries=1,
        at=now,
        next_at=now,
        error=None,
    )
