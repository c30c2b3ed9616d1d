"""Attachments: files on issues, comments, assets, projects and the org, with their bytes in the data file."""

# The readers of sources begin with this file, in processes of their own: `access`, which rests on half of the modules,
# is imported by those who ask for it.

from kbwork.modules.attachments.content.blobs import mend
from kbwork.modules.attachments.content.files import MOST_BYTES
from kbwork.modules.attachments.imported import add_imported

USES = ("comments", "trash")
TABLES = ("attachment", "attachment_text", "blob")
__all__ = ["MOST_BYTES", "TABLES", "USES", "access", "add_imported", "mend"]
