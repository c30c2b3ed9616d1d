"""The picture of a desk on its portal: a file of its project, which whoever comes by sees while the desk is open."""

from kbwork.base.errors import InvalidInput
from kbwork.core.ports.media import Media, Picture
from kbwork.db.rows import AttachmentRow, DeskRow, ProjectRow
from kbwork.db.tx import Read
from kbwork.modules.attachments import access as seen_files
from kbwork.modules.attachments import blobs, queries
from kbwork.modules.desk.portal.open_desks import open_desks

PATH = "/desk-logos/"
MOST_BYTES = 1024 * 1024
_TYPES = ("image/png", "image/jpeg", "image/gif", "image/webp")
_FILE = "a_"
_WORDS = (
    "Hang a PNG, JPEG, GIF or WebP of at most 1 MB on the project and give its id here, or a path of this site:"
    " its pages show no pictures of others."
)


def require_fitting(tx: Read, project: ProjectRow, logo: str) -> None:
    """Raises InvalidInput for what the portal would not show."""
    if logo[:1] == "/" and logo[:2] not in ("//", "/\\"):
        return
    row = seen_files.find(tx, logo) if logo.startswith(_FILE) else None
    here = row is not None and queries.subject_of(tx, row["subject"]) == f"project:{project['key']}"
    if row is None or not here or not _is_picture(row):
        raise InvalidInput(_WORDS, field="logo")


def address(project: ProjectRow, desk: DeskRow) -> str | None:
    """Where the portal shows it; None: it has none, or one that stands elsewhere."""
    logo = desk["logo"] or ""
    if logo.startswith(_FILE):
        return PATH + project["key"]
    return logo if logo.startswith("/") else None


def _is_picture(row: AttachmentRow) -> bool:
    return row["content_type"] in _TYPES and row["size"] <= MOST_BYTES


def _find(tx: Read, ref: str) -> Picture | None:
    logo = next((desk["logo"] or "" for project, desk in open_desks(tx) if project["key"] == ref), "")
    row = tx.one("select * from attachment where id = :id and deleted_at is null", AttachmentRow, id=logo)
    if row is None or not _is_picture(row):
        return None
    return row["content_type"], blobs.data(tx, row)


LOGOS = Media(path=PATH, home=__name__, find=_find, public=True, threaded=True)
