"""Attachments: files on issues, comments, assets, projects and the org, with their bytes in the data file."""

# The readers of sources begin with this file, in processes of their own: `access`, which rests on half of the modules,
# is imported by those who ask for it.

from kbwork.core.ports.files import MOST_BYTES
from kbwork.modules.attachments.content import blobs, files
from kbwork.modules.attachments.content.blobs import mend, whole
from kbwork.modules.attachments.content.smaller import made_smaller
from kbwork.modules.attachments.content.stage import lay
from kbwork.modules.attachments.imported import add_imported
from kbwork.modules.attachments.model import Attachment, AttachmentContent

USES = ("comments", "trash", "uploads")
TABLES = ("attachment", "attachment_text", "blob", "blob_content", "blob_piece", "expected_file", "thumbnail")
__all__ = [
    "MOST_BYTES",
    "TABLES",
    "USES",
    "Attachment",
    "AttachmentContent",
    "access",
    "add",
    "add_imported",
    "blobs",
    "files",
    "from_mail",
    "lay",
    "made_smaller",
    "mend",
    "queries",
    "whole",
]
