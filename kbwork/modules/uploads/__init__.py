"""Uploads: files on their way in, whole or in pieces, kept for a day for whoever sent them."""

from kbwork.modules.uploads.kept import (
    expires_at,
    folder,
    kept_row,
    lying,
    mine,
    missing,
    path,
    remember,
    require_place,
    sent_whole,
    size_of,
    use_up,
)
from kbwork.modules.uploads.ports import UploadWatch

USES = ()
TABLES = ("upload",)
__all__ = [
    "TABLES",
    "USES",
    "UploadWatch",
    "expires_at",
    "folder",
    "kept_row",
    "lying",
    "mine",
    "missing",
    "path",
    "remember",
    "require_place",
    "sent_whole",
    "size_of",
    "use_up",
]
