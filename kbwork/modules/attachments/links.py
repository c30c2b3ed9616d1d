"""Links that need no sign-in: signed, good for five minutes, and no longer than whoever asked sees the file."""

import base64
import hashlib
import hmac

from kbwork.base.errors import NotFound
from kbwork.core import orgsettings, visibility
from kbwork.core.media import Download, Media
from kbwork.db.tx import Read, Row
from kbwork.modules.attachments import access, queries

LIVES_S = 300
_PATH = "/files/"
_MAC_BYTES = 16


def link(tx: Read, row: Row) -> str:
    """The path of a file for the next five minutes."""
    text = f"{row['id']}.{tx.now + LIVES_S}.{tx.caller.me()}"
    return f"{_PATH}{text}.{_mac(tx, text)}"


def _find(tx: Read, ref: str) -> Download:
    """The file behind a link. Raises NotFound where it was altered, is over, or its file is gone or out of sight."""
    text, _, mac = ref.rpartition(".")
    row = None
    if hmac.compare_digest(mac.encode(), _mac(tx, text).encode()):
        row = _seen(tx, *text.split("."))
    if row is None:
        raise NotFound("This link is over, or never was one: attachments.get with `as_url` gives another.")
    return Download(row["name"], row["content_type"], queries.data(tx, row))


def _seen(tx: Read, ident: str, until: str, member: str) -> Row | None:
    theirs = visibility.as_member(tx, member)
    gone = theirs.caller.role == "anonymous" or orgsettings.module_off(tx, "attachments")
    return None if gone or int(until) <= tx.now else access.find(theirs, ident)


def _mac(tx: Read, text: str) -> str:
    found = hmac.new(tx.secret, b"file\0" + text.encode(), hashlib.sha256).digest()[:_MAC_BYTES]
    return base64.urlsafe_b64encode(found).decode().rstrip("=")


FILES = Media(path=_PATH, home=__name__, find=_find, public=True, threaded=True)
