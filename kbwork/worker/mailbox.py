"""A look into a mailbox elsewhere, by IMAP or POP3. It blocks: call it on a thread.

With IMAP the mails that wait are those that are not read, which are marked so once they were taken; with POP3, those
whose UIDL is not known yet.
"""

import base64
import contextlib
import imaplib
import poplib
import re
import socket
import ssl
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from kbwork.base.errors import UpstreamFailed
from kbwork.core.mail.lines import Pulled, PullOrder, RemoteMail, RemoteMailbox
from kbwork.worker.places import place
from kbwork.worker.smtp import connected, untold

STEP_S = 20.0
MOST_BYTES = 12 * 1024 * 1024
"""Of one mail; a larger one is left where it is."""
MOST_AT_ONCE = 24 * 1024 * 1024
_LINE_BYTES = 1024 * 1024
_IMAP_LINE = 200
_POP_LINE = 20
"""What a line counts beside its bytes: a server that sends nothing but short ones fills no memory and takes no time."""
_UID_CHARS = 500
_MOST_MAILS = 20_000
_NOT_PLAIN = re.compile(r"[^ -~]+|&")
_SIZE = re.compile(rb"RFC822\.SIZE (\d{1,12})", re.IGNORECASE)


class MailboxLine(Protocol):
    """Opened by its look, and closed behind it. `cut` may be called from another thread, and more than once."""

    def pull(self, order: PullOrder) -> Pulled:
        """Raises UpstreamFailed with words."""

    def cut(self) -> None:
        """End it at once: a thread that waits waits no longer."""


def line_of(box: RemoteMailbox, places: Sequence[str], tls: ssl.SSLContext) -> MailboxLine:
    """`places` are the checked addresses of its host."""
    wire = _Wire(box, places, tls)
    return ImapLine(wire) if box.protocol == "imap" else PopLine(wire)


class _Wire:
    """A connection that is yet to be made, and what may be read from it in all."""

    def __init__(self, box: RemoteMailbox, places: Sequence[str], tls: ssl.SSLContext) -> None:
        self.box = box
        self.tls = tls
        self.left = MOST_AT_ONCE + 2 * MOST_BYTES
        self._places = places
        self._sock: socket.socket | None = None
        self._over = False

    def open(self) -> socket.socket:
        self._sock = found = connected(self._places, self.box.port, STEP_S)
        if self._over:
            self.cut()
        if self.box.security == "tls":
            self._sock = found = self.tls.wrap_socket(found, server_hostname=self.box.host)
        return found

    def read(self, size: int) -> None:
        """So much is about to be read. Raises OSError where that is too much."""
        self.left -= size
        if self.left < 0:
            raise OSError("it answers with more than is read")

    def close(self) -> None:
        if self._sock is not None:
            self._sock.close()

    def cut(self) -> None:
        self._over = True
        if self._sock is not None:
            with contextlib.suppress(OSError):
                self._sock.shutdown(socket.SHUT_RDWR)

    def failed(self, error: Exception) -> UpstreamFailed:
        if isinstance(error, UnicodeError):  # which quotes what it stumbled on, be it a password
            return UpstreamFailed(
                f"{place(self.box.host, self.box.port)}: it takes no letters beyond ASCII there."
            )
        said = error.args[0] if error.args else error
        text = said.decode(errors="replace") if isinstance(said, bytes) else str(error)
        text = untold(text, self.box.user, self.box.password)
        told = f"{type(error).__name__}: {text}" if isinstance(error, OSError) else f"it said: {text}"
        return UpstreamFailed(f"{place(self.box.host, self.box.port)}: {told[:300]}")


class _Imap(imaplib.IMAP4):
    def __init__(self, wire: _Wire) -> None:
        self._wire = wire
        super().__init__(wire.box.host, wire.box.port, STEP_S)

    def _create_socket(self, timeout: float | None) -> socket.socket:
        return self._wire.open()

    def read(self, size: int) -> bytes:
        self._wire.read(size)
        return super().read(size)

    def readline(self) -> bytes:
        line = super().readline()
        self._wire.read(len(line) + _IMAP_LINE)
        return line


def _sign_in(imap: imaplib.IMAP4, user: str, password: str) -> None:
    """LOGIN has no letters beyond ASCII."""
    if user.isascii() and password.isascii():
        imap.login(_quoted(user), password)
    else:
        imap.authenticate("PLAIN", lambda _: f"\0{user}\0{password}".encode())


class ImapLine:
    def __init__(self, wire: _Wire) -> None:
        self._wire = wire

    def cut(self) -> None:
        self._wire.cut()

    def pull(self, order: PullOrder) -> Pulled:
        """Raises UpstreamFailed."""
        box = self._wire.box
        try:
            imap = _Imap(self._wire)
            try:
                if box.security == "starttls":
                    imap.starttls(self._wire.tls)
                _sign_in(imap, box.user, box.password)
                _ok(imap.select(_folder(box.folder or "INBOX")))
                return self._look(imap, order)
            finally:
                with contextlib.suppress(imaplib.IMAP4.error, OSError):
                    imap.logout()
                with contextlib.suppress(OSError):
                    imap.shutdown()
        except (imaplib.IMAP4.error, OSError, ValueError) as error:
            raise self._wire.failed(error) from None
        finally:
            self._wire.close()

    def _look(self, imap: _Imap, order: PullOrder) -> Pulled:
        told: Any = (imap.untagged_responses.get("UIDVALIDITY") or [b"0"])[0]
        before = f"{told.decode('ascii', 'replace')[:_UID_CHARS]}:"
        self._settle(
            imap, [uid.removeprefix(before) for uid in order.settled if uid.startswith(before)], order
        )
        found = _ok(imap.uid("SEARCH", "UNSEEN", "UNDELETED"))
        uids = b" ".join(one for one in found if isinstance(one, bytes)).decode("ascii", "replace").split()
        new = [uid for uid in uids[:_MOST_MAILS] if _is_uid(uid) and before + uid not in order.known]
        return Pulled(_taken([(before + uid, _fetched(imap, uid)) for uid in new[: order.most]]), len(new))

    def _settle(self, imap: _Imap, uids: list[str], order: PullOrder) -> None:
        """Mark them as read. They are deleted at once only where that deletes no other: RFC 4315."""
        if not uids:
            return
        named = ",".join(uid for uid in uids if uid.isdecimal())
        _ok(imap.uid("STORE", named, "+FLAGS.SILENT", r"(\Seen \Deleted)" if order.delete else r"(\Seen)"))
        if order.delete and "UIDPLUS" in imap.capabilities:
            _ok(imap.uid("EXPUNGE", named))


def _is_uid(uid: str) -> bool:
    """A number of 32 bits."""
    return uid.isdecimal() and len(uid) <= 10


def _fetched(imap: _Imap, uid: str) -> Callable[[], bytes | None]:
    def fetch() -> bytes | None:
        sizes = _ok(imap.uid("FETCH", uid, "(RFC822.SIZE)"))
        size = next((_SIZE.search(one) for one in sizes if isinstance(one, bytes)), None)
        if size is None or int(size[1]) > MOST_BYTES:
            return None
        parts = _ok(imap.uid("FETCH", uid, "(BODY.PEEK[])"))
        return next((part[1] for part in parts if isinstance(part, tuple)), None)

    return fetch


def _taken(waiting: list[tuple[str, Callable[[], bytes | None]]]) -> list[RemoteMail]:
    """As many of these as are read at once."""
    found, size = [], 0
    for uid, fetch in waiting:
        raw = fetch()
        found.append(RemoteMail(uid, raw))
        size += len(raw or b"")
        if size > MOST_AT_ONCE:
            break
    return found


def _ok(answer: tuple[str, Sequence[Any]]) -> list[Any]:
    """What came with a yes: bytes, and pairs of them. Raises IMAP4.error."""
    kind, data = answer
    if kind != "OK":
        raise imaplib.IMAP4.error(data[0] if data and isinstance(data[0], bytes) else kind)
    return [one for one in data if one is not None]


def _folder(name: str) -> str:
    """The name of a folder as IMAP has it: quoted, and other letters in its own UTF-7 (RFC 3501, 5.1.3)."""
    plain = _NOT_PLAIN.sub(lambda found: _utf7(found[0]), name)
    return _quoted(plain)


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _utf7(text: str) -> str:
    if text == "&":
        return "&-"
    return "&" + base64.b64encode(text.encode("utf-16-be")).decode().rstrip("=").replace("/", ",") + "-"


class _Pop(poplib.POP3):
    def __init__(self, wire: _Wire) -> None:
        self._wire = wire
        try:
            super().__init__(wire.box.host, wire.box.port, STEP_S)
        except Exception:
            if hasattr(self, "file"):
                self.file.close()  # else it holds the connection open
            raise

    def _create_socket(self, timeout: float) -> socket.socket:
        return self._wire.open()

    def _getline(self) -> tuple[bytes, int]:
        """Lines of mails may be longer than the library reads."""
        line = self.file.readline(_LINE_BYTES + 1)
        if not line or len(line) > _LINE_BYTES:
            raise poplib.error_proto("-ERR it closed, or sent a line that is too long")
        self._wire.read(len(line) + _POP_LINE)
        return line.rstrip(b"\r\n"), len(line)


class PopLine:
    def __init__(self, wire: _Wire) -> None:
        self._wire = wire

    def cut(self) -> None:
        self._wire.cut()

    def pull(self, order: PullOrder) -> Pulled:
        """Raises UpstreamFailed."""
        box = self._wire.box
        try:
            pop = _Pop(self._wire)
            try:
                if box.security == "starttls":
                    pop.stls(self._wire.tls)
                pop.user(box.user)
                pop.pass_(box.password)
                return self._look(pop, order)
            finally:
                with contextlib.suppress(poplib.error_proto, OSError):
                    pop.quit()  # what was marked is deleted now
                with contextlib.suppress(OSError):
                    pop.close()
        except (poplib.error_proto, OSError, ValueError) as error:
            raise self._wire.failed(error) from None
        finally:
            self._wire.close()

    def _look(self, pop: _Pop, order: PullOrder) -> Pulled:
        listed = [line.decode("ascii", "replace").partition(" ") for line in pop.uidl()[1][-_MOST_MAILS:]]
        numbers = {
            uid.strip(): number for number, _, uid in listed if number.isdecimal() and len(uid) <= _UID_CHARS
        }
        if order.delete:
            for uid in order.settled:
                if uid in numbers:
                    pop.dele(numbers[uid])
        new = [uid for uid in numbers if uid not in order.known]
        return Pulled(_taken([(uid, _retrieved(pop, numbers[uid])) for uid in new[: order.most]]), len(new))


def _retrieved(pop: _Pop, number: str) -> Callable[[], bytes | None]:
    def fetch() -> bytes | None:
        told: Any = pop.list(number)
        size = told.split()[-1]
        if not size.isdigit() or int(size) > MOST_BYTES:
            return None
        return b"\r\n".join(pop.retr(number)[1])

    return fetch
