"""Mail as SendGrid, Mailgun and Postmark post it, and as plain JSON: one shape for all of them."""

import base64
import json
import re
from collections.abc import Iterable, Sequence
from email.utils import getaddresses
from typing import Any, NamedTuple

from kbwork.api.form_parts import FormPart
from kbwork.api.inbound import form_data
from kbwork.base.errors import InvalidInput, UnsupportedType
from kbwork.core.mail import addresses, authenticity, html_text, received
from kbwork.core.mail.authenticity import Authentic, AuthenticityCheck
from kbwork.core.operations import strict_json

Mail = dict[str, Any]
"""An input of the operation that takes mail, without its token."""
Headers = dict[str, list[str]]
"""All of each name, which is in small letters, the topmost first."""
_TEXT_CHARS = 200_000
_LINE_CHARS = 2000
_HEADER_CHARS = 8000
_MOST_TO = 50
_NOBODY = "(nobody)"
_SIGNED = re.compile(r"@([^\s:,{}]+)\s*:\s*([a-z]+)")
_SIGNER = re.compile(r"(?:^|;)\s*d\s*=\s*([^\s;]+)")
_ENVELOPE = re.compile(r"envelope-from=\"?<?([^\s;\">]+)", re.IGNORECASE)
_FOLD = re.compile(r"\r?\n[ \t]+")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_CHARSETS = frozenset(
    {"utf-8", "us-ascii", "iso-8859-1", "iso-8859-15", "windows-1252", "iso-8859-2", "windows-1250"}
)


def read(body: bytes, content_type: str) -> Mail:
    """What was posted, as one mail. Raises InvalidInput, InvalidJson or UnsupportedType."""
    kind = content_type.partition(";")[0].strip().lower()
    if kind == "application/json":
        found = strict_json.parse(body)
        if "From" in found:
            return _with_files(_of_postmark(found), _of_postmark_files(found))
        return _with_files(_of_json(found), _of_json_files(found))
    if kind == "multipart/form-data":
        parts = form_data.of_parts(body, content_type)
        form = _decoded(parts.fields)
        return _with_files(_of_form(form), _of_parts(form, parts.files))
    if kind == "application/x-www-form-urlencoded":
        return _of_form(form_data.of_line(body))
    raise UnsupportedType("Mail comes as a form, or as JSON with `from`, `name`, `subject` and `text`.")


def _of_form(form: form_data.Fields) -> Mail:
    """Mailgun has `body-plain`, SendGrid has not."""
    if "body-plain" in form or "body-html" in form or "recipient" in form:
        return _of_mailgun(form)
    return _of_sendgrid(form)


def _of_sendgrid(form: form_data.Fields) -> Mail:
    headers = _headers(form.get("headers", ""))
    envelope = _object(form.get("envelope", ""))
    signatures = [
        AuthenticityCheck(*one) for one in _SIGNED.findall(form.get("dkim", "")[:_HEADER_CHARS].lower())
    ]
    spf = _spf(form.get("SPF", ""), str(envelope.get("from", "")))
    to = [form.get("to", ""), form.get("cc", ""), *map(str, _list(envelope.get("to")))]
    return _mail(
        _Posted(
            sender=form.get("from", ""),
            subject=form.get("subject", ""),
            text=form.get("text", ""),
            html=form.get("html", ""),
            to=to,
            headers=headers,
            bounced=envelope.get("from") == "",
            checks=(spf, signatures if "dkim" in form else None),
        )
    )


def _of_mailgun(form: form_data.Fields) -> Mail:
    listed = [
        one
        for one in _list(_value(form.get("message-headers", "")))
        if isinstance(one, list) and len(one) == 2
    ]
    headers = _by_name((str(name), str(value)) for name, value in listed)
    for name in ("Message-Id", "In-Reply-To", "References"):
        if name in form:
            headers.setdefault(name.lower(), [form[name]])
    spf = _worst(headers.get("x-mailgun-spf", ()))
    return _mail(
        _Posted(
            sender=form.get("from") or form.get("sender", ""),
            subject=form.get("subject", ""),
            text=form.get("body-plain", ""),
            html=form.get("body-html", ""),
            to=[form.get("recipient", ""), form.get("To", "")],
            headers=headers,
            bounced=form.get("sender") == "",
            checks=(_spf(spf, form.get("sender", "")), _signatures_of_mailgun(headers)),
        )
    )


def _of_postmark(found: Mail) -> Mail:
    listed = [one for one in _list(found.get("Headers")) if isinstance(one, dict)]
    headers = _by_name((_line(one.get("Name")), _line(one.get("Value"))) for one in listed)
    full = found.get("FromFull")
    sender: dict[str, Any] = full if isinstance(full, dict) else {}
    given = _mail(
        _Posted(
            sender=_line(sender.get("Email")) or _line(found.get("From")),
            subject=_line(found.get("Subject")),
            text=_line(found.get("TextBody")),
            html=_line(found.get("HtmlBody")),
            to=[_line(found.get(name)) for name in ("To", "Cc", "OriginalRecipient")],
            headers=headers,
            checks=_checks_of_postmark(headers, _line(sender.get("Email")) or _line(found.get("From"))),
        )
    )
    return given | _named(sender.get("Name"))


def _of_json(found: Mail) -> Mail:
    """As the operation itself takes it; what else stands there is passed over."""
    results = found.get("authentication_results")
    headers = {
        "message-id": [_line(found.get("message_id"))],
        "in-reply-to": [_line(found.get("in_reply_to"))],
        "references": [_line(found.get("references"))],
        "authentication-results": [
            _line(one) for one in (_list(results) if isinstance(results, list) else [results])
        ],
    }
    to = found.get("to")
    given = _mail(
        _Posted(
            sender=_line(found.get("from")),
            subject=_line(found.get("subject")),
            text=_line(found.get("text")),
            html=_line(found.get("html")),
            to=[_line(one) for one in (to if isinstance(to, list) else [to])],
            headers=headers,
        )
    )
    if found.get("automatic") is True:
        given["automatic"] = True
    return given | _named(found.get("name"))


class _FormFile(NamedTuple):
    """A file as one of them has it; `id` is what the text calls it by."""

    name: str
    type: str
    data: str
    """As base64."""
    id: str = ""


def _of_parts(form: form_data.Fields, files: list[FormPart]) -> tuple[list[_FormFile], str]:
    """Files of SendGrid and Mailgun, which say apart by which id a picture stands in the text."""
    ids = {str(field): ident for ident, field in _object(form.get("content-ids", "")).items()}
    ids |= {str(field): ident for ident, field in _object(form.get("content-id-map", "")).items()}
    info = _object(form.get("attachment-info", ""))
    found = []
    for one in files:
        about = info.get(one.name)
        said: dict[str, Any] = about if isinstance(about, dict) else {}
        name = _line(said.get("filename")) or one.file or ""
        ident = str(ids.get(one.name) or _line(said.get("content-id")))
        found.append(_FormFile(name, one.type, base64.b64encode(one.data).decode(), ident))
    return found, form.get("html", "") + form.get("body-html", "")


def _of_postmark_files(found: Mail) -> tuple[list[_FormFile], str]:
    listed = [one for one in _list(found.get("Attachments")) if isinstance(one, dict)]
    files = [
        _FormFile(*(_line(one.get(name)) for name in ("Name", "ContentType", "Content", "ContentID")))
        for one in listed
    ]
    return files, _line(found.get("HtmlBody"))


def _of_json_files(found: Mail) -> tuple[list[_FormFile], str]:
    listed = [one for one in _list(found.get("files")) if isinstance(one, dict)]
    files = [
        _FormFile(*(_line(one.get(name)) for name in ("name", "content_type", "data", "content_id")))
        for one in listed
    ]
    return files, _line(found.get("html"))


def _with_files(mail: Mail, found: tuple[list[_FormFile], str]) -> Mail:
    """The mail, with what hangs on it as the operation takes it."""
    files, html = found
    if not files:
        return mail
    shown = []
    for one in files[: form_data.MOST_FILES]:
        ident = one.id.removeprefix("cid:").strip("<>")
        given: Mail = {"name": _clean(one.name)[:_LINE_CHARS] or "file", "data": one.data}
        given |= {"content_type": _clean(one.type)[:255], "related": bool(ident) and f"cid:{ident}" in html}
        shown.append(given)
    return mail | {"files": shown}


def _named(name: Any) -> Mail:
    """What the sender is called, where that is said apart."""
    found = _clean(_line(name))[:500]
    return {"name": found} if found else {}


class _Posted(NamedTuple):
    """What each of them says, under other names."""

    sender: str
    subject: str
    text: str
    html: str
    to: Sequence[str]
    headers: Headers
    bounced: bool = False
    """It goes back to nobody: a mail server wrote it."""
    checks: tuple[AuthenticityCheck | None, list[AuthenticityCheck] | None] = (None, None)
    """What the service found of the server that sent it, and of signatures."""


def _mail(posted: _Posted) -> Mail:
    if not posted.sender.strip():
        raise InvalidInput("A mail says whom it is from.", field="from")
    headers = {name: values[0] for name, values in posted.headers.items()}
    sender, authentic = _said_of_sender(posted)
    said = posted.text if posted.text.strip() or not posted.html else html_text.text_of(posted.html)
    given: Mail = {
        "from": sender,
        "subject": _clean(posted.subject)[:_LINE_CHARS],
        "text": said.replace("\0", "")[:_TEXT_CHARS],
        "automatic": posted.bounced or received.by_program(headers) or received.is_daemon(sender),
    }
    if authentic is not None:
        given["authentic"] = authentic
    for name in ("message-id", "in-reply-to", "references"):
        if value := _clean(headers.get(name, "")):
            given[name.replace("-", "_")] = value[-_HEADER_CHARS:]
    addresses = _addresses([_clean(one)[:_HEADER_CHARS] for one in posted.to])
    if addresses:
        given["to"] = list(dict.fromkeys(addresses))[:_MOST_TO]
    return given


def _said_of_sender(posted: _Posted) -> tuple[str, Authentic]:
    """Whom it is from, by the header itself where that was posted: encoded words in it are not to become an address."""
    if "from" not in posted.headers:
        sender, found = _clean(posted.sender)[:_LINE_CHARS], None
        results = posted.headers.get("authentication-results", ())
        found = authenticity.of_results(results, addresses.of_sender(sender)[1])
    else:
        sender, found = received.said_of_sender(posted.headers)
    own = addresses.of_sender(sender)[1]
    return sender or _NOBODY, authenticity.together(found, authenticity.of_checks(own, *posted.checks))


def _spf(result: str, sender: str) -> AuthenticityCheck | None:
    """What was found of the server that sent it, for the sender of the envelope."""
    return AuthenticityCheck(addresses.domain(sender), result.strip().lower()) if result.strip() else None


def _worst(values: Sequence[str]) -> str:
    """Of what stands there several times, what is no pass: one of them is from who sent it."""
    found = [one.strip().lower() for one in values]
    return next((one for one in found if one != "pass"), "pass" if found else "")


def _signatures_of_mailgun(headers: Headers) -> list[AuthenticityCheck] | None:
    """It says whether a signature holds, and not which: of several domains any stranger's may be the one."""
    result = _worst(headers.get("x-mailgun-dkim-check-result", ()))
    signed = [found[1].lower() for one in headers.get("dkim-signature", ()) if (found := _SIGNER.search(one))]
    if not result:
        return [] if "x-mailgun-spf" in headers else None
    return [AuthenticityCheck(one, result if len(set(signed)) == 1 else "") for one in signed]


def _checks_of_postmark(
    headers: Headers, sender: str
) -> tuple[AuthenticityCheck | None, list[AuthenticityCheck] | None]:
    """Its Received-SPF is the topmost; of signatures tells what its filter says: whether one is of the sender."""
    told = next(iter(headers.get("received-spf", ())), "")
    envelope = _ENVELOPE.search(told)
    spf = _spf(told.split(maxsplit=1)[0], envelope[1]) if told.strip() and envelope is not None else None
    tests = headers.get("x-spam-tests", ())
    if not tests:
        return spf, None
    signed = all("DKIM_VALID_AU" in one.replace(",", " ").split() for one in tests)
    return spf, [AuthenticityCheck(addresses.domain(sender), "pass")] if signed else []


def _addresses(headers: list[str]) -> list[str]:
    """The addresses in headers; none where comments in them are nested deeper than anybody writes."""
    try:
        return [address for _, address in getaddresses(headers) if address]
    except RecursionError:
        return []


def _headers(text: str) -> Headers:
    """Of a head as text."""
    lines = (line.partition(":") for line in _FOLD.sub(" ", text[:100_000]).splitlines())
    return _by_name((name.strip(), value.strip()) for name, colon, value in lines if colon)


def _by_name(listed: Iterable[tuple[str, str]]) -> Headers:
    found: Headers = {}
    for name, value in listed:
        found.setdefault(name.lower(), []).append(value)
    return found


def _decoded(parts: dict[str, bytes]) -> form_data.Fields:
    """Fields of parts as texts; SendGrid says which charset each of them is in."""
    charsets = _object(parts.get("charsets", b"").decode("utf-8", "replace"))
    return {name: _decode(value, charsets.get(name)) for name, value in parts.items()}


def _decode(value: bytes, charset: Any) -> str:
    named = str(charset or "utf-8").lower()
    return value.decode(named if named in _CHARSETS else "utf-8", "replace")


def _object(text: str) -> dict[str, Any]:
    found = _value(text)
    return found if isinstance(found, dict) else {}


def _value(text: str) -> Any:
    try:
        return json.loads(text[:200_000])
    except (ValueError, RecursionError):
        return None


def _list(value: Any) -> list[Any]:
    return value[:500] if isinstance(value, list) else []


def _line(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _clean(text: str) -> str:
    return _CONTROL.sub(" ", text.replace("\n", " ")).strip()
