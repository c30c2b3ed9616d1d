"""Links to archives that need no sign-in, for as long as whoever asked is an admin."""

from pathlib import Path

from kbwork.base.errors import NotFound
from kbwork.core import signed_links
from kbwork.core.access import visibility
from kbwork.core.ports.media import Download, Media
from kbwork.db.tx import Read
from kbwork.modules.backups import store
from kbwork.modules.backups.model import Backup

_PATH = "/backups/"
_PURPOSE = "backup"


def link(tx: Read, backup: Backup) -> str:
    """The path of an archive for the next five minutes."""
    return _PATH + signed_links.sign(tx, _PURPOSE, backup["place"], backup["id"])


def _find(tx: Read, ref: str) -> Download:
    """The archive behind a link. Raises NotFound where it was altered, is over, or the archive is gone."""
    opened = signed_links.verify(tx, _PURPOSE, ref)
    path = _archive(tx, opened) if opened is not None else None
    if path is None:
        raise NotFound("This link is over, or never was one: backups.fetch gives another.")
    return Download(f"kbwork-{path.name}", "application/zip", path)


def _archive(tx: Read, opened: signed_links.SignedLink) -> Path | None:
    place, ident = opened.named
    theirs = visibility.as_member(tx, opened.member)
    if not theirs.caller.admin or place not in (store.HOME, *tx.places.named):
        return None
    path = store.path_of(tx.places, place, ident)
    return path if path.is_file() else None


ARCHIVES = Media(path=_PATH, home=__name__, find=_find, public=True, threaded=True)
