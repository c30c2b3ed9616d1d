"""Attachments: files on issues, comments, projects and the org, with their bytes in the data file."""

from kbwork.modules.attachments.access import FILE_SEEN
from kbwork.modules.attachments.content.blobs import mend
from kbwork.modules.attachments.content.files import MOST_BYTES
from kbwork.modules.attachments.imported import add_imported

USES = ("comments", "issues", "projects", "trash")
TABLES = ("attachment", "attachment_text", "blob")
__all__ = ["FILE_SEEN", "MOST_BYTES", "TABLES", "USES", "add_imported", "mend"]
