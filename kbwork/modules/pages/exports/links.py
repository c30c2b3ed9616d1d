"""Links to exports that need no sign-in, for as long as whoever asked sees the page."""

from kbwork.base.errors import NotFound
from kbwork.core import org_settings, signed_links
from kbwork.core.access import visibility
from kbwork.core.ports.media import Download, Media
from kbwork.db.tx import Read
from kbwork.modules import uploads
from kbwork.modules.pages import access

_PATH = "/page-exports/"
_PURPOSE = "page export"
TYPES = {
    ".md": "text/markdown; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".pdf": "application/pdf",
    ".docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    ".zip": "application/zip",
}


def link(tx: Read, ident: str, page: int) -> str:
    """The path of an export for the next five minutes."""
    return _PATH + signed_links.sign(tx, _PURPOSE, ident, str(page))


def _find(tx: Read, ref: str) -> Download:
    """The file behind a link. Raises NotFound where it was altered, is over, or the page is out of sight."""
    opened = signed_links.verify(tx, _PURPOSE, ref)
    found = _export(tx, opened) if opened is not None else None
    if found is None:
        raise NotFound("This link is over, or never was one: pages.export gives another.")
    return found


def _export(tx: Read, opened: signed_links.SignedLink) -> Download | None:
    ident, page = opened.named
    theirs = visibility.as_member(tx, opened.member)
    if theirs.caller.role == "anonymous" or org_settings.module_off(tx, "pages"):
        return None
    row = uploads.kept_row(tx, ident)
    path = uploads.path(tx, ident)
    if row is None or access.find(theirs, page) is None or not path.is_file():
        return None
    kind = next(kind for suffix, kind in TYPES.items() if row["name"].endswith(suffix))
    return Download(row["name"], kind, path)


EXPORTS = Media(path=_PATH, home=__name__, find=_find, public=True, threaded=True)
