"""Links to files that need no sign-in, for as long as whoever asked sees the file."""

from functools import partial

from kbwork.base.errors import NotFound
from kbwork.core import named, org_settings, signed_links
from kbwork.core.access import visibility
from kbwork.core.operations import etag
from kbwork.core.operations.external import External
from kbwork.core.ports.media import Download, Media, SmallPicture
from kbwork.db.rows import AttachmentRow
from kbwork.db.tx import Read
from kbwork.modules.attachments import access
from kbwork.modules.attachments.content import blobs, thumbnails

_PATH = "/files/"
_PURPOSE = "file"


def link(tx: Read, row: AttachmentRow) -> str:
    """The path of a file for the next five minutes."""
    return _PATH + signed_links.sign(tx, _PURPOSE, row["id"])


def _find(tx: Read, ref: str) -> Download:
    """The file behind a link. Raises NotFound where its bytes are not here, too."""
    row = _linked(tx, ref)
    return Download(row["name"], row["content_type"], blobs.flowing(tx, row), etag.of_digest(row["hash"]))


async def _smaller(out: External, ref: str, width: str) -> SmallPicture:
    """The picture behind a link, or for those who are signed in the one with this id, smaller."""
    wanted = thumbnails.width_of(width)
    row = await out.read(partial(_linked if "." in ref else _own, ref=ref))
    return await thumbnails.of_file(out, row, wanted)


def _linked(tx: Read, ref: str) -> AttachmentRow:
    """Raises NotFound where a link was altered, is over, or its file is gone or out of sight."""
    opened = signed_links.verify(tx, _PURPOSE, ref)
    row = _seen(tx, opened) if opened is not None else None
    if row is None:
        raise NotFound("This link is over, or never was one: attachments.get with `as_url` gives another.")
    return row


def _own(tx: Read, ref: str) -> AttachmentRow:
    """Raises NotFound where the caller does not see the file."""
    reads = visibility.reads(tx, "attachment") and not org_settings.module_off(tx, "attachments")
    return named.seen(access.find(tx, ref) if reads else None, "file", ref)


def _seen(tx: Read, opened: signed_links.SignedLink) -> AttachmentRow | None:
    (ident,) = opened.named
    theirs = visibility.as_member(tx, opened.member)
    gone = theirs.caller.role == "anonymous" or org_settings.module_off(tx, "attachments")
    return None if gone else access.find(theirs, ident)


FILES = Media(path=_PATH, home=__name__, find=_find, public=True, threaded=True, smaller=_smaller)
