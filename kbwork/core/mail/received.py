"""A mail as it came in: read with patience, since anybody writes one, and bounded in all that it may hold."""

from collections.abc import Mapping
from email.errors import MessageError
from email.header import decode_header
from email.message import Message
from email.parser import BytesParser
from email.policy import Compat32
from email.utils import getaddresses
from typing import Any

from kbwork.base.dataclasses import dataclass
from kbwork.base.errors import InvalidInput
from kbwork.base.patterns import pattern
from kbwork.core.mail import addresses, authenticity, html_text
from kbwork.core.mail.authenticity import Authentic
from kbwork.core.mail.mail_files import MailFile

TEXT_CHARS = 200_000
LINE_CHARS = 2000
HEADER_CHARS = 8000
PARAMETER_CHARS = 2000
MOST_TO = 50
_MOST_PARTS = 200
_MOST_MADE = 5000
_MOST_FILES = 200
_REPORT_CHARS = 100_000
_CONTROL = pattern(r"[\x00-\x08\x0b-\x1f\x7f]")
_CHARSETS = pattern(
    r"utf-?8|us-ascii|ascii|iso-8859-(?:[1-9]|1[013-6])|(?:windows-|cp)125[0-8]|koi8-[ru]|big5|gb2312|gbk|gb18030"
    r"|euc-(?:jp|kr)|shift_jis|iso-2022-jp|utf-16(?:le|be)?"
)
_READ = frozenset(
    {"auto-submitted", "precedence", "return-path", "subject", "message-id", "in-reply-to", "references"}
    | {"delivered-to", "x-original-to", "to", "cc"}
)
"""Of other headers it counts that they are there."""
_BY_PROGRAMS = ("bulk", "junk", "list", "auto_reply")
_MARKS = ("list-id", "list-unsubscribe", "x-autoreply", "x-autorespond", "x-loop")
"""Headers that programs and lists put into what they send."""


@dataclass(frozen=True, slots=True)
class ReceivedMail:
    """One mail, as far as anything is made of it."""

    sender: str
    """Name and address; empty where the header From names nobody, or could be read as several."""
    subject: str
    text: str
    message_id: str
    in_reply_to: str
    references: str
    to: tuple[str, ...]
    automatic: bool
    """A program wrote it, or a list sent it round (RFC 3834)."""
    authentic: Authentic = None
    """Whether it is from whom it says, as those who took it found."""
    report: str = ""
    """Of what came back: all that is said of it."""
    files: tuple[MailFile, ...] = ()
    """What hangs on it."""


def by_program(headers: Mapping[str, str]) -> bool:
    """Whether a program wrote it, or a list sent it round, as its headers (by small names) say."""
    auto = headers.get("auto-submitted", "no").split(";")[0].strip().lower()
    precedence = headers.get("precedence", "").strip().lower()
    returned = headers.get("return-path", "").strip()
    return (
        auto not in ("no", "")
        or precedence in _BY_PROGRAMS
        or returned == "<>"
        or any(mark in headers for mark in _MARKS)
    )


def is_daemon(sender: str) -> bool:
    """Whether a mail server wrote it: what came back is nobody's request."""
    return addresses.of_sender(sender)[1].lower().startswith("mailer-daemon@")


class _Bounded(Compat32):
    """What says how a part is read is read so far: its parameters are taken apart in a time that is quadratic."""

    def header_fetch_parse(self, name: str, value: str) -> Any:
        most = PARAMETER_CHARS if name.lower().startswith("content-") else None
        return super().header_fetch_parse(name, value[:most])


class _MadeParts:
    """Makes the parts of one mail, and no more than anybody sends: millions fit into it."""

    def __init__(self) -> None:
        self._made = 0

    def __call__(self, policy: Any = None) -> "Message[str, str]":
        self._made += 1
        if self._made > _MOST_MADE:
            raise MessageError("it has too many parts")
        return Message(policy=policy)


def parse(raw: bytes) -> ReceivedMail:
    """Raises InvalidInput for what is no mail, or nested deeper than anybody writes."""
    try:
        return _parsed(BytesParser(_MadeParts(), policy=_Bounded()).parsebytes(raw))
    except (RecursionError, ValueError, LookupError, TypeError, MessageError) as error:
        raise InvalidInput(
            "This cannot be read as a mail.", internal=f"{type(error).__name__}: {error}"
        ) from None


def _parsed(message: "Message[str, str]") -> ReceivedMail:
    every: dict[str, list[str]] = {}
    for name, value in message.items()[:500]:
        every.setdefault(name.lower(), []).append(str(value)[: 2 * HEADER_CHARS])
    every["from"] = [str(one)[: 2 * HEADER_CHARS] for one in message.get_all("from", [])[:2]]
    headers = {name: header(values[0]) if name in _READ else "" for name, values in every.items() if values}
    sender, authentic = said_of_sender(every)
    content = _Content()
    for number, part in enumerate(message.walk()):
        if number >= _MOST_PARTS:
            break
        content.add(part)
    report = message.get_content_type() == "multipart/report"
    automatic = report or by_program(headers) or is_daemon(sender)
    to = [headers.get(name, "") for name in ("delivered-to", "x-original-to", "to", "cc")]
    return ReceivedMail(
        sender=sender,
        subject=clean(headers.get("subject", ""))[:LINE_CHARS],
        text=(content.text.strip() or html_text.text_of(content.html)).replace("\0", "")[:TEXT_CHARS],
        message_id=clean(headers.get("message-id", ""))[:HEADER_CHARS],
        in_reply_to=clean(headers.get("in-reply-to", ""))[-HEADER_CHARS:],
        references=clean(headers.get("references", ""))[-HEADER_CHARS:],
        to=tuple(
            address for _, address in getaddresses([clean(one)[:HEADER_CHARS] for one in to]) if address
        )[:MOST_TO],
        automatic=automatic,
        authentic=authentic,
        report=f"{content.report}\n{content.text}"[:_REPORT_CHARS] if automatic else "",
        files=content.read_files(),
    )


class _Content:
    """What is said in the parts of a mail, and what hangs on it."""

    def __init__(self) -> None:
        self.text = ""
        self.html = ""
        self.report = ""
        self._files: list[Message[str, str]] = []

    def add(self, part: "Message[str, str]") -> None:
        kind = part.get_content_type()
        if "message-id" in part or kind in ("message/delivery-status", "text/rfc822-headers"):
            self.report += f"{part.get('message-id', '')}\n"
        if part.is_multipart():
            if kind == "message/delivery-status":
                self.report += "\n".join(str(one)[:HEADER_CHARS] for one in part.get_payload()) + "\n"
            return
        named = part.get_filename() is not None or part.get_content_disposition() == "attachment"
        if named or part.get_content_maintype() not in ("text", "message"):
            self._files.append(part)
            return
        said = _text(part)
        if kind == "text/rfc822-headers":
            self.report += said[:HEADER_CHARS] + "\n"
        elif kind == "text/plain" and not self.text:
            self.text = said
        elif kind == "text/html" and not self.html:
            self.html = said

    def read_files(self) -> tuple[MailFile, ...]:
        """What hangs on it, now that the text is known in which some of it stands."""
        return tuple(_file(part, self.html) for part in self._files[:_MOST_FILES])


def _file(part: "Message[str, str]", html: str) -> MailFile:
    payload: Any = part.get_payload(decode=True)
    kind = part.get_content_type()
    name = clean(header(part.get_filename() or f"unnamed.{kind.rpartition('/')[2]}"))[:200]
    content_id = clean(str(part.get("content-id", ""))).strip("<>")
    shown = part.get_content_disposition() == "inline" or f"cid:{content_id}" in html
    return MailFile(name, payload or b"", kind, bool(content_id) and shown)


def _text(part: "Message[str, str]") -> str:
    if part.get_content_maintype() != "text":
        return ""
    payload: Any = part.get_payload(decode=True)
    return decoded(payload or b"", part.get_content_charset())[: 2 * TEXT_CHARS]


def decoded(value: bytes, charset: Any) -> str:
    """As text, in the charset that it names if that is one of letters."""
    named = str(charset or "utf-8").lower()
    return value.decode(named if _CHARSETS.fullmatch(named) else "utf-8", "replace")


def said_of_sender(headers: Mapping[str, list[str]]) -> tuple[str, Authentic]:
    """Name and address as one header, and what `Authentication-Results` say of them, by all headers as they came, with
    small names and the topmost first. Encoded words are read in the name alone: an address in them is none."""
    raw = [clean(one)[:LINE_CHARS] for one in headers.get("from", ())]
    name, address = addresses.of_sender(raw[0]) if len(raw) == 1 else ("", "")
    sender = addresses.as_header(clean(header(name)), address)
    return sender, authenticity.of_results(headers.get("authentication-results", ()), sender)


def header(value: Any) -> str:
    """A header with its encoded words read, and other bytes as UTF-8."""
    text = str(value)[: 2 * HEADER_CHARS]
    found = []
    for piece, charset in decode_header(text):
        raw = piece if isinstance(piece, bytes) else piece.encode("utf-8", "surrogateescape")
        found.append(decoded(raw, charset))
    return "".join(found)


def clean(text: str) -> str:
    """On one line, without control characters."""
    return _CONTROL.sub(" ", text.replace("\n", " ")).strip()
