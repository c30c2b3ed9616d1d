"""Links to archives: signed, good for five minutes, and no longer than whoever asked is an admin."""

import base64
import hashlib
import hmac

from kbwork.base.errors import NotFound
from kbwork.core import visibility
from kbwork.core.media import Download, Media
from kbwork.db.tx import Read
from kbwork.modules.backups import shelf
from kbwork.modules.backups.model import Backup

LIVES_S = 300
_PATH = "/backups/"
_PARTS = 4


def link(tx: Read, backup: Backup) -> str:
    """The path of an archive for the next five minutes."""
    text = f"{backup['place']}.{backup['id']}.{tx.now + LIVES_S}.{tx.caller.me()}"
    return f"{_PATH}{text}.{_mac(tx, text)}"


def _find(tx: Read, ref: str) -> Download:
    """The archive behind a link. Raises NotFound where it was altered, is over, or the archive is gone."""
    text, _, mac = ref.rpartition(".")
    if hmac.compare_digest(mac.encode(), _mac(tx, text).encode()) and text.count(".") == _PARTS - 1:
        place, ident, until, member = text.split(".")
        theirs = visibility.as_member(tx, member)
        if theirs.caller.admin and int(until) > tx.now and place in (shelf.HOME, *tx.places.named):
            path = shelf.folder_of(tx.places, place) / f"{ident}.zip"
            if path.is_file():
                return Download(f"kbwork-{ident}.zip", "application/zip", path)
    raise NotFound("This link is over, or never was one: backups.fetch gives another.")


def _mac(tx: Read, text: str) -> str:
    found = hmac.new(tx.secret, b"backup\0" + text.encode(), hashlib.sha256).digest()[:16]
    return base64.urlsafe_b64encode(found).decode().rstrip("=")


ARCHIVES = Media(path=_PATH, home=__name__, find=_find, public=True, threaded=True)
