"""Attachments: files on issues, comments, projects and the org, with their bytes in the data file."""

from kbwork.modules.attachments.blobs import mend
from kbwork.modules.attachments.bringing import bring
from kbwork.modules.attachments.files import MOST_BYTES

USES = ("comments", "issues", "projects", "trash")
TABLES = ("attachment", "attachment_text", "blob")
__all__ = ["MOST_BYTES", "TABLES", "USES", "bring", "mend"]
