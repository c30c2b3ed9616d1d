"""One connection to the mail server, and a letter as a message that goes over it. It blocks: call it on a thread."""

import base64
import contextlib
import smtplib
import socket
import ssl
from collections.abc import Mapping, Sequence
from email.message import EmailMessage
from email.policy import SMTP, SMTPUTF8
from email.utils import formatdate, parseaddr
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

from kbwork.base.dataclasses import replace
from kbwork.core.mail import bounces
from kbwork.core.mail.server import MailServer, MailServerUnreachable, Refusal
from kbwork.db.rows import MailRow

STEP_S = 20.0
"""How long the mail server may take for one answer."""
_LONGEST_PAGE = 900
_REPLY_BYTES = 256 * 1024


class _Replies:
    """What the mail server says, bounded reply by reply: one may run over many lines."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self.left = _REPLY_BYTES

    def readline(self, most: int) -> bytes:
        line = self._file.readline(most)
        self.left -= len(line)
        if self.left < 0:
            raise OSError("it answers with more than is read")
        return line

    def close(self) -> None:
        self._file.close()


class _Smtp(smtplib.SMTP):
    def getreply(self) -> tuple[int, bytes]:
        if self.file is None and self.sock is not None:
            self.file = _Replies(self.sock.makefile("rb"))
        if self.file is not None:
            self.file.left = _REPLY_BYTES
        return super().getreply()


class _SmtpTls(_Smtp, smtplib.SMTP_SSL):
    pass


class SmtpConnection:
    """Opened, used for some letters, closed. `cut` may be called from another thread."""

    def __init__(self, server: MailServer, tls: ssl.SSLContext, places: Sequence[str] = ()) -> None:
        """`places` are the checked addresses of the server, where an admin named it: no other is connected to."""
        self._server = server
        self._secret = ""
        self._tls = tls
        self.said = ""
        """What the mail server answered to the last letter that it took."""
        kind = self._over_tls if server.security == "tls" else _Smtp
        self._smtp: smtplib.SMTP = kind(timeout=STEP_S, local_hostname=server.domain)
        self._give = self._smtp.data
        self._smtp.data = self._data  # type: ignore[method-assign, assignment]  # what comes back is not told otherwise
        if places:
            self._smtp._get_socket = partial(self._socket, places)  # type: ignore[attr-defined]  # noqa: SLF001 - where it connects
        self._smtp._host = server.host  # type: ignore[attr-defined]  # noqa: SLF001 - the name that TLS checks

    def _over_tls(self, *, timeout: float, local_hostname: str) -> smtplib.SMTP:
        return _SmtpTls(timeout=timeout, local_hostname=local_hostname, context=self._tls)

    def _socket(self, places: Sequence[str], _: str, port: int, timeout: float) -> socket.socket:
        found = connected(places, port, timeout)
        if self._server.security != "tls":
            return found
        return self._tls.wrap_socket(found, server_hostname=self._server.host)

    def open(self) -> None:
        """Connect, secure the connection and sign in. Raises MailServerUnreachable."""
        server = self._server
        try:
            self._smtp.connect(server.host, server.port)
            if server.security == "starttls":
                self._smtp.starttls(context=self._tls)
            if server.user:
                self._secret = self._password()
                self._smtp.login(server.user, self._secret)
            self._smtp.ehlo_or_helo_if_needed()
        except smtplib.SMTPResponseException as error:
            said = _said(error.smtp_code, error.smtp_error)
            raise MailServerUnreachable(untold(said, server.user, self._secret)) from None
        except smtplib.SMTPNotSupportedError as error:
            raise MailServerUnreachable(f"The mail server cannot do what the settings ask: {error}") from None
        except (smtplib.SMTPException, OSError, ValueError) as error:
            raise MailServerUnreachable(f"{type(error).__name__}: {error}") from None

    def _password(self) -> str:
        if not self._server.password_file:
            return self._server.password
        try:
            return Path(self._server.password_file).read_text(encoding="utf-8").rstrip("\r\n")
        except OSError as error:
            raise MailServerUnreachable(f"mail.password_file cannot be read: {error.strerror}") from None

    def send(self, row: MailRow) -> Refusal | None:
        """Hand a letter over; None once the mail server answered for it."""
        try:
            letter = message(row, self._server.sender)
        except (ValueError, LookupError) as error:
            return Refusal(f"It cannot be written as a message: {error}", final=True)
        wide = () if row["address"].isascii() else ("SMTPUTF8", "BODY=8BITMIME")
        if wide and not self._smtp.has_extn("smtputf8"):
            return Refusal("The mail server takes no address with such letters.", final=True)
        try:
            self._smtp.sendmail(parseaddr(self._server.sender)[1], [row["address"]], letter, wide)
        except smtplib.SMTPRecipientsRefused as error:
            return _bounce(*next(iter(error.recipients.values())))
        except smtplib.SMTPResponseException as error:
            return _refusal(error.smtp_code, error.smtp_error)
        except (smtplib.SMTPException, OSError) as error:
            return Refusal(f"{type(error).__name__}: {error}", over=True)
        return None

    def _data(self, letter: Any) -> tuple[int, bytes]:
        code, text = self._give(letter)
        self.said = f"{code} {text.decode(errors='replace')}"
        return code, text

    def close(self) -> None:
        """Say goodbye, if somebody still listens."""
        with contextlib.suppress(smtplib.SMTPException, OSError):
            self._smtp.quit()
        self._smtp.close()

    def cut(self) -> None:
        """End it at once: a thread that waits for the mail server waits no longer."""
        sock = self._smtp.sock
        if sock is not None:
            with contextlib.suppress(OSError):
                sock.shutdown(socket.SHUT_RDWR)


def untold(text: str, user: str, password: str) -> str:
    """What a server said, without the password where it repeats what it was told."""
    if not password:
        return text
    plain = base64.b64encode(f"\0{user}\0{password}".encode()).decode()
    escaped = password.replace("\\", "\\\\").replace('"', '\\"')
    for secret in (plain, base64.b64encode(password.encode()).decode(), escaped, password):
        text = text.replace(secret, "(password)")
    return text


def connected(places: Sequence[str], port: int, timeout: float) -> socket.socket:
    """A connection to the first of these addresses that takes one. Raises OSError."""
    refused: OSError | None = None
    for place in places:
        try:
            return socket.create_connection((place, port), timeout)
        except OSError as error:
            refused = error
    raise refused or OSError("the name has no address")


def _bounce(code: int, text: bytes | str) -> Refusal:
    """What is said to a recipient; for good, it is mostly that there is no such address."""
    found = _refusal(code, text)
    return replace(found, bounced=found.final and bounces.is_of_address(code, found.error))


def _refusal(code: int, text: bytes | str) -> Refusal:
    return Refusal(_said(code, text), final=500 <= code < 600, over=code == 421)


def _said(code: int, text: bytes | str) -> str:
    said = text.decode(errors="replace") if isinstance(text, bytes) else text
    return f"The mail server said {code} {said}"


def message(row: Mapping[str, Any], sender: str) -> bytes:
    """A stored letter with all its headers. Raises ValueError for what cannot stand in one."""
    found = EmailMessage(policy=SMTP if row["address"].isascii() else SMTPUTF8)
    found["From"] = sender
    found["To"] = row["address"]
    if row["reply_to"] is not None:
        found["Reply-To"] = row["reply_to"]
    found["Subject"] = row["subject"]
    found["Date"] = formatdate(row["at"])
    found["Message-ID"] = row["message_id"]
    if row["thread"] is not None:
        found["In-Reply-To"] = found["References"] = row["thread"]
    found["Auto-Submitted"] = "auto-generated"
    found["X-Auto-Response-Suppress"] = "All"
    found.set_content(row["text"], cte="quoted-printable")
    if row["html"] is not None:
        found.add_alternative(row["html"], subtype="html", cte="quoted-printable")
    return _of_list(row["unsubscribe"], one_click=row["one_click"]) + found.as_bytes()


def _of_list(page: str | None, *, one_click: int) -> bytes:
    """The headers of a letter of which there are many. Written by hand: a long address would be broken into encoded
    words."""
    if page is None:
        return b""
    if not (page.isascii() and page.isprintable() and " " not in page and len(page) <= _LONGEST_PAGE):
        raise ValueError("the address of a page holds signs that none has, or is too long")
    by_post = "List-Unsubscribe-Post: List-Unsubscribe=One-Click" if one_click else "Precedence: bulk"
    return f"List-Unsubscribe: <{page}>\r\n{by_post}\r\n".encode()
